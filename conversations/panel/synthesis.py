"""Puts together what the agents found: the answer in words, its sources, and what could come next."""

import re
import uuid
from collections.abc import Iterator, Sequence
from typing import Final

from django.utils.translation import gettext as _

from agents.engine.events import Card
from agents.engine.roles import PlanPart, Request, Wording
from agents.tools import Source
from conversations.panel import scores
from conversations.panel.facts import PanelFacts
from conversations.panel.quality_checks import check_answer, is_supported
from conversations.panel.results import (
    AnalysisResult,
    Connection,
    ConversationResult,
    Fact,
    ResearchResult,
    SynthesisResult,
)
from conversations.search import citations
from conversations.search.sentences import sentence_spans

TASK: Final = (
    "Answer the learner's question in at most five sentences, only from the numbered passages and the computed results. After each "
    "sentence put the number of the passage that it rests on in square brackets, such as [1]."
)
MOST_WORDS: Final = 160
MOST_FOLLOW_UPS: Final = 3
MOST_INSIGHTS: Final = 4
_CITED = re.compile(r"\[(\d{1,2})\]")
_MARKUP = re.compile(r"[\\`*\[\]<>]")


def compose(request: Request) -> tuple[tuple[PlanPart, ...], SynthesisResult]:
    """Return the parts of the final answer, and its result."""
    facts: PanelFacts = request.facts
    conversation, analysis, research = (
        _result(request, "conversation", ConversationResult),
        _result(request, "analysis", AnalysisResult),
        _result(request, "research", ResearchResult),
    )
    found = research.facts if research else ()
    paragraphs = [*_own_words(facts, research), *quote_introductions(research), *_learning(facts)]
    if not paragraphs:
        paragraphs = [*_draft(request, conversation), *_nothing_found(facts)]
    words = "\n\n".join(paragraphs)
    follow_ups = _follow_ups(conversation, research)
    numbered = "\n\n".join([words, *(f"{each.statement} [{number}]" for number, each in enumerate(found, 1))])
    checks = dict(check_answer(numbered, question=facts.text, research=research))
    result = SynthesisResult(
        final_response=words,
        insights=facts.history.insights[:MOST_INSIGHTS],
        recommendations=facts.history.next_steps,
        knowledge_gaps=facts.history.gaps,
        connections=(*facts.history.connections, *_connections(analysis)),
        follow_ups=follow_ups,
        checks=checks,
        confidence=scores.coverage(sum(checks.values()), of=len(checks)),
    )
    said = Wording(
        words=words,
        task=TASK,
        guard=lambda text: find_problem(text, found) or facts.guard(text),
        most_words=MOST_WORDS,
        material=_material(research),
    )
    # Nothing was found: a model would have to answer from memory.
    first: PlanPart = said if found or (research and research.computed) else words
    cards = [sources_card(facts.turn_id, found, research.sources)] if research and found else []
    return (first, *(each for each in cards if each), *_replies(facts.turn_id, follow_ups)), result


def find_problem(text: str, facts: Sequence[Fact]) -> str:
    """Return in one word why a model's answer must not be shown: a source that there is not, or one that says otherwise."""
    for start, end in sentence_spans(text):
        sentence = text[start:end]
        for number in (int(each) for each in _CITED.findall(sentence)):
            if not 1 <= number <= len(facts):
                return "source"
            if not is_supported(_CITED.sub("", sentence), facts[number - 1].passage):
                return "unsupported"
    return ""


def _result[R](request: Request, name: str, kind: type[R]) -> R | None:
    result = request.results.get(name)
    return result if isinstance(result, kind) else None


def _own_words(facts: PanelFacts, research: ResearchResult | None) -> Iterator[str]:
    """Yield what was computed or written by the courses' authors."""
    if facts.computed:
        yield facts.computed
    for each in research.computed if research else ():
        if each.tool == "code_executor":
            yield _("The program prints:\n\n```\n%(output)s\n```") % {"output": each.answer}
        else:
            yield f"`{each.answer}`"
    if facts.authored:
        yield facts.authored


def quote_introductions(research: ResearchResult | None) -> Iterator[str]:
    """Yield the introduction of the quotes: their words are on the card, read with the reader's permissions."""
    if research is None or not research.facts:
        return
    inside = [each for each in research.sources if each.id.startswith(citations.PREFIX)]
    titles = list(dict.fromkeys(_emphasize(each.title) for each in inside))
    if len(titles) == 1:
        yield _("From %(title)s:") % {"title": titles[0]}
    elif titles:
        listed = _("%(some)s and %(last)s") % {"some": ", ".join(titles[:-1]), "last": titles[-1]}
        yield _("From %(titles)s:") % {"titles": listed}
    outside = {each.id: each for each in research.sources if not each.id.startswith(citations.PREFIX)}
    for fact in research.facts:
        if (source := outside.get(fact.source_id)) is not None:
            yield _("From [%(title)s](%(url)s): “%(text)s”") % {
                "title": _MARKUP.sub(" ", source.title),
                "url": source.url,
                "text": _MARKUP.sub(" ", fact.statement),
            }


def _learning(facts: PanelFacts) -> Iterator[str]:
    """Yield what can be said about the person's learning, if that was asked."""
    if facts.classification != "insight_request":
        return
    history = facts.history
    if history.insights:
        yield "\n".join(
            f"- {each.description} {' · '.join(each.evidence)}" for each in history.insights[:MOST_INSIGHTS]
        )
    if history.next_steps:
        yield _("What you could do next: %(steps)s") % {"steps": " ".join(history.next_steps)}
    if history.missing:
        yield history.missing


def _draft(request: Request, conversation: ConversationResult | None) -> Iterator[str]:
    """Yield the conversation agent's draft: where nothing else was found, or another agent failed."""
    drafted = request.texts.get("conversation", "") or (conversation.draft if conversation else "")
    if drafted.strip():
        yield drafted.strip()
    elif conversation and conversation.clarifying_question:
        yield conversation.clarifying_question


def _nothing_found(facts: PanelFacts) -> Iterator[str]:
    yield _(
        "I found nothing about this in the library or the courses. You can add a document with the paper clip and ask "
        "again, or ask for something closer to what is there."
    )


def _follow_ups(conversation: ConversationResult | None, research: ResearchResult | None) -> tuple[str, ...]:
    more = [_("Tell me about: %(heading)s") % {"heading": each} for each in (research.headings if research else ())]
    asked = conversation.follow_ups if conversation and research and research.facts else ()
    return tuple(dict.fromkeys([*more[:2], *asked]))[:MOST_FOLLOW_UPS]


def _connections(analysis: AnalysisResult | None) -> Iterator[Connection]:
    for each in analysis.relationships if analysis else ():
        said = _("%(one)s and %(other)s are mentioned together.") % {"one": each.source, "other": each.target}
        if each.type == "compared_with":
            said = _("%(one)s is compared with %(other)s.") % {"one": each.source, "other": each.target}
        yield Connection(concept_a=each.source, concept_b=each.target, relationship=said, strength=each.strength)


def _material(research: ResearchResult | None) -> str:
    """Return the facts and computed results as a model is shown them."""
    if research is None:
        return ""
    titles = {each.id: each.title for each in research.sources}
    return "\n\n".join(
        [
            *(f"[{n}] {titles.get(each.source_id, '')}:\n«{each.passage}»" for n, each in enumerate(research.facts, 1)),
            *(f"Computed: {each.question} gives {each.answer}" for each in research.computed),
        ]
    )


def sources_card(turn_id: str, facts: Sequence[Fact], sources: Sequence[Source]) -> Card | None:
    """Return the quoted places of the library as a card; None if all facts are from outside."""
    by_id = {each.id: each for each in sources}
    inside = [each for each in facts if each.source_id.startswith(citations.PREFIX) and each.source_id in by_id]
    if not inside:
        return None
    content = {
        "sources": [by_id[each.source_id].model_dump() for each in inside],
        "quotes": [{"start": each.start, "end": each.end} for each in inside],
    }
    return Card(kind=citations.CARD_KIND, id=str(uuid.uuid5(uuid.UUID(turn_id), "sources")), content=content)


def _replies(turn_id: str, options: Sequence[str]) -> Iterator[Card]:
    if options:
        card_id = str(uuid.uuid5(uuid.UUID(turn_id), "replies"))
        yield Card(kind="replies", id=card_id, content={"options": list(options)})


def _emphasize(title: str) -> str:
    """Return a title as Markdown that has no other effect, whoever chose it."""
    return f"*{' '.join(_MARKUP.sub(' ', title).split())}*"
