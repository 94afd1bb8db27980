"""Facts of a conversation for its summary, read from its records: who answered, what was asked, cited and learned."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Any, Final

from django.db.models import Min

from conversations.concepts.names import concept_key
from conversations.models import Session, Transition, Turn
from conversations.panel.terms import Stems
from conversations.search.citations import PREFIX
from conversations.summaries.contributors import contributions

TURNS_READ: Final = 200
"""Latest turns whose answers are read."""
CONCEPTS_AT_MOST: Final = 4
SOURCES_AT_MOST: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryFacts:
    """What a summary may say: nothing else is in its words. Sentences and titles are Markdown."""

    topics: tuple[str, ...] = ()
    learned: tuple[str, ...] = ()
    result: str = ""
    open_points: tuple[str, ...] = ()
    next_step: str = ""
    """These five as in `Contribution`."""
    concepts: tuple[str, ...] = ()
    """What was asked about, the most frequent first, four at most."""
    unanswered: tuple[str, ...] = ()
    """What of all that was asked about the answers had nothing on, four at most."""
    sources: tuple[str, ...] = ()
    """Ids of the passages that were cited. Their titles and words are read with the reader's permissions."""
    agents: tuple[str, ...] = ()
    """Names of the agents that the learner was sent to, in the order in which they first came."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFacts:
    """The fields of a turn's stored answer that a summary is based on."""

    concepts: Sequence[str]
    sources: Sequence[str]
    gaps: frozenset[str]
    """Those of the concepts on which nothing was found."""


def gather_facts(session: Session) -> SummaryFacts:
    """Return the facts of the conversation up to its latest turn, without replaced turns."""
    parts = contributions(session)
    answers = read_answers(session)
    concepts, unanswered = rank_concepts(answers)
    cited = dict.fromkeys(chain.from_iterable(each.sources for each in answers))
    return SummaryFacts(
        topics=tuple(chain.from_iterable(each.topics for each in parts)),
        learned=tuple(chain.from_iterable(each.learned for each in parts)),
        result=" ".join(filter(None, (each.result for each in parts))),
        open_points=tuple(chain.from_iterable(each.open_points for each in parts)),
        next_step=next((each.next_step for each in parts if each.next_step), ""),
        concepts=concepts[:CONCEPTS_AT_MOST],
        unanswered=unanswered[:CONCEPTS_AT_MOST],
        sources=tuple(cited)[-SOURCES_AT_MOST:],
        agents=tuple(_agents(session)),
    )


def read_answers(session: Session) -> list[AnswerFacts]:
    """Return what the latest turns' stored answers are about, oldest first; one query."""
    names = (
        "answer__concepts",
        "answer__sources",
        "answer__facts",
        "answer__knowledge_gaps",
        "answer__vision",
        "answer__insights",
        "answer__tool_calls",
    )
    rows = Turn.objects.filter(session=session, replaced_by=None).order_by("-number").values_list(*names)
    return [_answer_facts(*row) for row in list(rows[:TURNS_READ])[::-1]]


def rank_concepts(answers: Iterable[AnswerFacts]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the concepts asked about, the most frequent first, and those on which nothing was found the last time.

    Singular and plural are one concept, named as in the latest answer.
    """
    names: dict[Stems, str] = {}
    counts: dict[Stems, int] = {}
    is_gap: dict[Stems, bool] = {}
    for answer in answers:
        for key, name in {concept_key(name): name for name in answer.concepts}.items():
            names[key] = name
            counts[key] = counts.get(key, 0) + 1
            is_gap[key] = name in answer.gaps
    ranked = sorted(counts, key=lambda key: -counts[key])
    return tuple(names[each] for each in ranked), tuple(names[each] for each in ranked if is_gap[each])


def _answer_facts(
    concepts: Sequence[Mapping[str, Any]] | None,
    sources: Sequence[Mapping[str, Any]] | None,
    facts: Sequence[Mapping[str, Any]] | None,
    gaps: Sequence[str] | None,
    vision: Mapping[str, Any] | None,
    insights: Sequence[Mapping[str, Any]] | None,
    tools: Sequence[str] | None,
) -> AnswerFacts:
    names = [each["name"] for each in concepts or ()]
    # A picture, a record of one's learning or a calculation answers without a source.
    is_answered = bool(facts or vision or insights or {"calculator", "code_executor"} & {*(tools or ())})
    return AnswerFacts(
        concepts=names,
        sources=[each["id"] for each in sources or () if each["id"].startswith(PREFIX)],
        gaps=frozenset((gaps or ()) if is_answered else names),
    )


def _agents(session: Session) -> Iterable[str]:
    rows = Transition.objects.filter(session=session, turn__replaced_by=None).values("to_agent")
    return rows.annotate(first=Min("pk")).order_by("first").values_list("to_agent", flat=True)


def facts_to_json(facts: SummaryFacts) -> dict[str, Any]:
    """Return the facts as JSON data."""
    return asdict(facts)


def facts_from_json(data: Mapping[str, Any]) -> SummaryFacts:
    """Return the facts from their stored JSON data."""
    values: dict[str, Any] = {key: tuple(each) if isinstance(each, list) else each for key, each in data.items()}
    return SummaryFacts(**values)
