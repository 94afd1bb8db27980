"""The answer without the synthesis: what the other agents found, put together by code."""

from collections.abc import Iterator, Sequence

from agents.engine.events import Event, ReplyText
from agents.engine.outcomes import Answered, Outcome
from conversations.panel.results import ResearchResult
from conversations.panel.synthesis import computed_words, nothing_found, quoted_words, quotes_card


def fallback_events(outcomes: Sequence[Outcome], *, turn_id: str, is_switched_off: bool = False) -> Iterator[Event]:
    """Yield the draft, and the sources with their quotes.

    If no agent has found anything: nothing where one has failed, for which there is an apology; where an agent is only
    switched off, what the synthesis would say.
    """
    answered = [each for each in outcomes if isinstance(each, Answered)]
    draft = next((each.text.strip() for each in answered if each.agent == "conversation"), "")
    research = next((each.result for each in answered if isinstance(each.result, ResearchResult)), None)
    if words := "\n\n".join(filter(None, (draft, *computed_words(research), *quoted_words(research)))):
        yield ReplyText(text=words)
    elif is_switched_off and len(answered) == len(outcomes):
        yield ReplyText(text=nothing_found())
    yield from quotes_card(research, turn_id=turn_id)
