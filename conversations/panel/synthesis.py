"""Puts together what the agents found: the answer in words, its sources, and what could come next."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.engine.events import Card
from agents.engine.roles import PlanPart, Request, Wording
from conversations.cards import reply_buttons
from conversations.panel import scores
from conversations.panel.answer import is_of_library
from conversations.panel.facts import PanelFacts
from conversations.panel.quality_checks import check_answer, has_invented_figure, is_supported
from conversations.panel.results import (
    AnalysisResult,
    Connection,
    ConversationResult,
    Insight,
    QuotedFact,
    ResearchResult,
    SynthesisResult,
    VisionResult,
)
from conversations.search.passage_quotes import content_words
from conversations.search.quoted_sources import QuotedPlace, introduce_quotes, sources_card, without_markup
from conversations.search.sentences import sentence_spans
from conversations.tools.labels import tool_label

TASK: Final = (
    "Answer the learner's question in at most five sentences, only from the numbered passages and the computed results. After each "
    "sentence put the number of the passage that it rests on in square brackets, such as [1]."
)
MOST_WORDS: Final = 160
MOST_FOLLOW_UPS: Final = 3
MOST_SHARED: Final = 3
MOST_INSIGHTS: Final = 4
MOST_EVIDENCE: Final = 4
"""Links of an insight in the reply; the API has all of them."""
_CITED = re.compile(r"\[(\d{1,2})\]")


def compose(request: Request) -> tuple[tuple[PlanPart, ...], SynthesisResult]:
    """Return the parts of the final answer, and its result."""
    facts: PanelFacts = request.facts
    conversation, analysis, research, vision = (
        _result(request, "conversation", ConversationResult),
        _result(request, "analysis", AnalysisResult),
        _result(request, "research", ResearchResult),
        _result(request, "panel_vision", VisionResult),
    )
    found = research.facts if research else ()
    before = [*_refused(research), *_reference(facts, found), *picture_parts(request, vision, found)]
    paragraphs = [*computed_words(research), *quoted_words(research), *_learning(facts)]
    if not paragraphs and vision is None:
        paragraphs = [*_draft(request, conversation), nothing_found(facts.said_before)]
    after = [*_connected(request, vision)]
    words = "\n\n".join(paragraphs)
    follow_ups = _follow_ups(research)
    numbered = "\n\n".join([words, *(f"{each.statement} [{number}]" for number, each in enumerate(found, 1))])
    checks = dict(check_answer(numbered, question=facts.text, research=research))
    result = SynthesisResult(
        final_response="\n\n".join(each for each in (*before, *paragraphs, *after) if isinstance(each, str)),
        insights=facts.history.insights[:MOST_INSIGHTS],
        recommendations=facts.history.next_steps,
        knowledge_gaps=tuple(_gaps(analysis, found)),
        connections=(*facts.history.connections, *_connections(analysis)),
        follow_ups=follow_ups,
        checks=checks,
        confidence=scores.coverage(sum(checks.values()), of=len(checks)),
    )
    material = _material(research, vision)
    known = f"{facts.text}\n{material}"
    said = Wording(
        words=words,
        task=TASK,
        guard=lambda text: find_problem(text, found, known=known) or facts.guard(text),
        most_words=MOST_WORDS,
        material=material,
    )
    # Nothing was found: a model would have to answer from memory.
    first: PlanPart = said if found or (research and research.computed) else words
    cards = [*quotes_card(research, turn_id=facts.turn_id)]
    ways = follow_ups or _ways_out(words, cards)
    buttons = [reply_buttons(ways, turn_id=facts.turn_id)] if ways else []
    return tuple(_spaced([*before, *([first] if words else []), *cards, *after, *buttons])), result


def find_problem(text: str, facts: Sequence[QuotedFact], *, known: str = "") -> str:
    """Return in one word why a model's answer must not be shown: a source that there is not, or one that says otherwise.

    A sentence without a source may join others, but have no figure that is not in `known`: the question, and what was found.
    """
    for start, end in sentence_spans(text):
        sentence = text[start:end]
        cited = [int(each) for each in _CITED.findall(sentence)]
        if not cited and has_invented_figure(sentence, known):
            return "unsupported"
        for number in cited:
            if not 1 <= number <= len(facts):
                return "source"
            if not is_supported(_CITED.sub("", sentence), facts[number - 1].passage):
                return "unsupported"
    return ""


def _result[R](request: Request, name: str, kind: type[R]) -> R | None:
    result = request.results.get(name)
    return result if isinstance(result, kind) else None


def _refused(research: ResearchResult | None) -> Iterator[str]:
    """Yield which tools that the message asked for cannot be used."""
    if research and (tools := " · ".join(map(tool_label, research.refused_tools))):
        yield _(
            "You asked for a tool that I can’t use here: %(tools)s. It isn’t set up on this site, or you aren’t "
            "allowed to use it."
        ) % {"tools": tools}


def _reference(facts: PanelFacts, found: Sequence[QuotedFact]) -> Iterator[str]:
    """Yield what the words of a message were taken to refer to, where something was found on it."""
    if facts.refers_to and found:
        yield _("I think you mean *%(concept)s*.") % {"concept": without_markup(facts.refers_to)}


def computed_words(research: ResearchResult | None) -> Iterator[str]:
    """Yield what the calculator and the sandbox have computed."""
    for each in research.computed if research else ():
        if each.tool == "code_executor":
            yield _("The program printed this:\n\n```\n%(output)s\n```") % {"output": each.answer}
        else:
            yield f"`{each.answer}`"


def quoted_words(research: ResearchResult | None) -> Iterator[str]:
    """Yield what introduces the quotes of the library, whose words are on the card, and the quotes from outside."""
    if research is None:
        return
    titles = {each.id: each.title for each in research.sources}
    if inside := [titles[each.source_id] for each in research.facts if is_of_library(each)]:
        yield introduce_quotes(inside)
    urls = {each.id: each.url for each in research.sources}
    for fact in research.facts:
        if not is_of_library(fact):
            yield _("From [%(title)s](%(url)s): “%(text)s”") % {
                "title": without_markup(titles[fact.source_id]),
                "url": urls[fact.source_id],
                "text": without_markup(fact.statement),
            }


def quotes_card(research: ResearchResult | None, *, turn_id: str) -> Iterator[Card]:
    """Yield the card with the quoted places of the library, if there are any."""
    sources = {each.id: each for each in research.sources} if research else {}
    places = [
        QuotedPlace(source=sources[each.source_id], start=each.start, end=each.end)
        for each in (research.facts if research else ())
        if is_of_library(each)
    ]
    if places:
        yield sources_card(places, turn_id=turn_id)


def picture_parts(request: Request, vision: VisionResult | None, found: Sequence[QuotedFact]) -> Iterator[str | Card]:
    """Yield what a picture shows, and its text on a card unless it is quoted anyway."""
    if vision is None or not vision.description:
        return
    yield vision.description
    facts: PanelFacts = request.facts
    if vision.source is not None and all(each.source_id != vision.source.id for each in found):
        place = QuotedPlace(source=vision.source, start=0, end=len(vision.extracted_text or ""))
        yield sources_card([place], turn_id=facts.turn_id, name="picture")
    if facts.picture is not None and facts.picture.others:
        yield _("I looked only at your first picture.")


def _connected(request: Request, vision: VisionResult | None) -> Iterator[str]:
    """Yield what a picture has to do with what was asked before."""
    if vision is not None and (shared := _asked_before(request, vision)):
        yield _("Your picture is about %(concepts)s, which you asked about before.") % {"concepts": ", ".join(shared)}


def _spaced(parts: Sequence[PlanPart]) -> Iterator[PlanPart]:
    """Yield the parts with a blank line between two texts that no card separates."""
    before: PlanPart | None = None
    for part in parts:
        is_next = isinstance(before, str | Wording)
        if is_next and isinstance(part, str):
            yield f"\n\n{part}"
        else:
            yield replace(part, lead="\n\n") if is_next and isinstance(part, Wording) else part
        before = part


def _asked_before(request: Request, vision: VisionResult) -> list[str]:
    """Return the concepts of a picture, or else the words in it, that the learner has asked about."""
    earlier = content_words(" ".join(each.text for each in request.history if each.author == "learner"))
    words = dict.fromkeys((vision.extracted_text or "").casefold().split())
    for named in (vision.concepts, words):
        if shared := [each for each in named if content_words(each) and content_words(each) <= earlier]:
            return shared[:MOST_SHARED]
    return []


def _learning(facts: PanelFacts) -> Iterator[str]:
    """Yield what can be said about the person's learning, if that was asked."""
    if facts.classification != "insight_request":
        return
    history = facts.history
    if history.insights:
        yield "\n".join(map(_insight_line, history.insights[:MOST_INSIGHTS]))
    if history.next_steps:
        yield _("What you could do next: %(steps)s") % {"steps": " ".join(history.next_steps)}
    if history.missing:
        yield history.missing


def _insight_line(insight: Insight) -> str:
    shown, others = insight.evidence[:MOST_EVIDENCE], len(insight.evidence) - MOST_EVIDENCE
    more = ngettext("and %(count)d more", "and %(count)d more", others) % {"count": others} if others > 0 else ""
    return f"- {insight.description} {' · '.join(filter(None, (*shown, more)))}"


def _draft(request: Request, conversation: ConversationResult | None) -> Iterator[str]:
    """Yield the conversation agent's draft: where nothing else was found, or another agent failed."""
    if drafted := request.texts.get("conversation", "").strip():
        yield drafted
    elif conversation and conversation.clarifying_question:
        yield conversation.clarifying_question


def nothing_found(said_before: str = "") -> str:
    """Return what is said where no agent has found anything; in other words if the conversation has the first ones."""
    first = _(
        "I couldn’t find anything about this in the library or the courses. You can add a document with the paper clip "
        "and ask again, or ask about a related topic."
    )
    again = _("I found nothing about that either. Try it in other words, or see what there is to learn here.")
    return again if first in said_before and again not in said_before else first


def _follow_ups(research: ResearchResult | None) -> tuple[str, ...]:
    """Return questions to which something was found: they lead somewhere."""
    headings = research.headings[:MOST_FOLLOW_UPS] if research and research.facts else ()
    return tuple(_("Tell me about: %(heading)s") % {"heading": each} for each in headings)


def _ways_out(words: str, cards: Sequence[Card]) -> tuple[str, ...]:
    """Return what can be said next where nothing was found and nothing is asked."""
    return () if cards or words.endswith("?") else (_("What can I learn here?"),)


def _connections(analysis: AnalysisResult | None) -> Iterator[Connection]:
    for each in analysis.relationships if analysis else ():
        said = _("%(one)s and %(other)s are mentioned together.") % {"one": each.source, "other": each.target}
        if each.type == "compared_with":
            said = _("%(one)s is compared with %(other)s.") % {"one": each.source, "other": each.target}
        yield Connection(concept_a=each.source, concept_b=each.target, relationship=said, strength=each.strength)


def _gaps(analysis: AnalysisResult | None, found: Sequence[QuotedFact]) -> Iterator[str]:
    """Yield the concepts of a question on which nothing was found, where something was found at all."""
    covered = content_words(" ".join(each.passage for each in found))
    for concept in analysis.concepts if analysis and found else ():
        if not content_words(concept.name) <= covered:
            yield concept.name


def _material(research: ResearchResult | None, vision: VisionResult | None) -> str:
    """Return the picture, the facts and the computed results as a model is shown them."""
    picture = [f"Picture: {vision.description}\n«{vision.extracted_text or ''}»"] if vision else []
    if research is None:
        return "\n\n".join(picture)
    titles = {each.id: each.title for each in research.sources}
    return "\n\n".join(
        [
            *picture,
            *(f"[{n}] {titles.get(each.source_id, '')}:\n«{each.passage}»" for n, each in enumerate(research.facts, 1)),
            *(f"Computed: {each.question} gives {each.answer}" for each in research.computed),
        ]
    )
