"""The answer without the synthesis: what the other agents found, put together by code."""

from collections.abc import Iterator, Sequence

from agents.engine.events import Event, ReplyText
from agents.engine.outcomes import Answered, Outcome
from conversations.panel.results import ResearchResult
from conversations.panel.synthesis import quote_introductions, sources_card


def fallback_events(outcomes: Sequence[Outcome], *, turn_id: str) -> Iterator[Event]:
    """Yield the draft, and the sources with their quotes; nothing if no agent has found anything."""
    answered = [each for each in outcomes if isinstance(each, Answered)]
    draft = next((each.text.strip() for each in answered if each.agent == "conversation"), "")
    research = next((each.result for each in answered if isinstance(each.result, ResearchResult)), None)
    computed = [f"`{each.answer}`" for each in research.computed] if research else []
    if words := "\n\n".join(filter(None, (draft, *computed, *quote_introductions(research)))):
        yield ReplyText(text=words)
    if research and (card := sources_card(turn_id, research.facts, research.sources)):
        yield card
