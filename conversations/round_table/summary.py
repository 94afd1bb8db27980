"""The summarizer: one answer from what the collaborators said. By rule from their words; a connected model may word it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from agents.engine.events import Card, Event, ReplyText
from agents.engine.roles import Plan, PlanPart, Request, Role, Wording
from agents.engine.speaker import with_lead_and_trail
from agents.llm.prompt import read_prompt
from conversations.models import Collaborator
from conversations.round_table.names import INITIATOR, SUMMARIZER, role_name
from conversations.round_table.record import Spoken
from conversations.round_table.results import QuotedSentence, TableGoal, TableSummary
from conversations.round_table.search_rules import things_of, topic_of
from conversations.round_table.table import Table, failed_in, spoken_so_far
from conversations.round_table.tools import nearest_sentences
from conversations.round_table.voices import says_something_new, told_remarks
from conversations.round_table.wording import NOTHING_TO_ADD, content_of, plain_content, quoted, word_rounds
from conversations.search.passage_quotes import content_words
from conversations.search.quoted_sources import QuotedPlace, sources_card, without_markup
from conversations.search.word_stems import words_of

TASK: Final = (
    "Write the answer to the learner's question from what the agents said: what they agree on, where they disagree, what stays "
    "open, and who contributed what."
)
MOST_WORDS: Final = 350
MOST_POINTS: Final = 4
"""Of agreements and of disagreements. Chosen by hand: more is not read."""
BEGINNING: Final = 6
"""Letters of a word that tell it from others. Chosen by hand."""
EXCERPT_CHARACTERS: Final = 300
SUMMARY_CONTEXT: Final = 16_000
"""Characters of the discussion that a model is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How the rounds ended."""

    held: int
    """Rounds in which somebody spoke or failed."""
    is_early: bool
    """Nothing new was said in the last one."""
    failures: tuple[tuple[int, str], ...]
    """The rounds in which agents failed, with their names."""
    is_aborted: bool
    is_stopped: bool = False
    """The learner has stopped the table."""


def is_round_needed(table: Table, number: int, request: Request) -> bool:
    """Tell whether a round takes place: not if all have spoken in the one before, and none said anything new.

    It does if the learner has said something.
    """
    if table.remarks_before(number):
        return True
    spoken = spoken_so_far(table, request)
    latest = [each for each in spoken if each.round == number - 1]
    if number == table.first_round or not latest or failed_in(table, request, number - 1):
        return True
    earlier = [each for each in spoken if each.round < number - 1]
    return any(says_something_new(each, earlier) for each in latest)


def ending_of(table: Table, request: Request) -> Ending:
    """Return how the rounds ended, from what was said and who failed."""
    names = {
        (number, place): role_name(number, place)
        for number in range(1, table.rounds + 1)
        for place in range(len(table.seats))
    }
    held = max(
        (number for (number, _place), name in names.items() if name in request.results or name in request.failed),
        default=0,
    )
    failures = tuple(
        (number, agent) for number in range(1, table.rounds + 1) for agent in failed_in(table, request, number)
    )
    is_aborted = bool(failures) and table.strategy == "abort"
    is_short = 0 < held < table.rounds and not is_aborted and not table.is_stopped
    return Ending(
        held=held,
        is_early=is_short and not is_round_needed(table, held + 1, request),
        failures=failures,
        is_aborted=is_aborted,
        is_stopped=table.is_stopped,
    )


def plan(request: Request) -> Plan:
    table: Table = request.facts
    spoken, ending = spoken_so_far(table, request), ending_of(table, request)
    result = summarize(table, spoken, ending)
    opening = "\n\n".join(_opening(table, ending))
    body = "\n\n".join(_body(table, spoken, result))
    parts: list[PlanPart] = [opening] if opening else []
    if body:
        said = Wording(
            words=body, task=TASK, guard=table.guard, most_words=MOST_WORDS, lead="\n\n" if opening else "",
            material=_material(table, request, spoken),
        )  # fmt: skip
        parts.append(said)
    return Plan(say=(*parts, *_documents(table, spoken)), result=result)


def summarize(table: Table, spoken: Sequence[Spoken], ending: Ending) -> TableSummary:
    """Return what the table came to, as far as rules can tell: they compare words, not meanings."""
    contributed: dict[str, int] = {seat.name: 0 for seat in table.seats}
    for each in spoken:
        earlier = [other for other in spoken if other.round < each.round]
        contributed[each.agent] += says_something_new(each, earlier)
    return TableSummary(
        agreements=tuple(_agreements(table, spoken))[:MOST_POINTS],
        disagreements=tuple(_disagreements(table, spoken))[:MOST_POINTS],
        open_points=tuple(_open_points(table, spoken)),
        contributors=contributed,
        rounds=ending.held,
        ended_early=ending.is_early,
        is_partial=bool(ending.failures) or not spoken or ending.is_stopped,
    )


def without_model(request: Request) -> tuple[TableSummary, tuple[Event, ...]]:
    """Return the summary and its reply by rule, as events: for a table that was stopped, for which no model is asked."""
    planned = plan(request)
    assert isinstance(planned.result, TableSummary)
    events: list[Event] = []
    for part in planned.say:
        if isinstance(part, Event):
            events.append(part)
        elif isinstance(part, Wording):
            events.append(ReplyText(text=with_lead_and_trail(part.words, part)))
        elif isinstance(part, str):
            events.append(ReplyText(text=part))
    return planned.result, tuple(events)


def _opening(table: Table, ending: Ending) -> Iterator[str]:
    """Yield what the learner has to know before the answer: why it ended, and what may be missing."""
    if ending.is_stopped:
        yield _("You stopped the round table in round %(held)s. This is a partial result.") % {"held": ending.held}
    if ending.is_early:
        yield ngettext(
            "The round table ended after %(held)s round, because nothing new was said.",
            "The round table ended after %(held)s rounds, because nothing new was said.",
            ending.held,
        ) % {"held": ending.held}
    if ending.failures:
        listed = ", ".join(
            _("%(agent)s in round %(round)s") % {"agent": table.title_of(name), "round": number}
            for number, name in ending.failures
        )
        words = _("This is a partial result. These agents could not answer: %(listed)s.")
        yield (_("These agents could not answer: %(listed)s.") if ending.is_stopped else words) % {"listed": listed}
    if ending.is_stopped:
        return
    if ending.is_aborted:
        yield _("The round table was stopped at the first failure, as requested.")
    elif 0 < ending.held < table.rounds and not ending.is_early:
        yield _("Time ran out before the last round.")


def _body(table: Table, spoken: Sequence[Spoken], result: TableSummary) -> Iterator[str]:
    """Yield the paragraphs of the answer in the agents' own words."""
    said = [each for each in spoken if _has_content(each)]
    if not said:
        yield _(
            "The agents at the round table found nothing about this in the library or the courses, and they don’t make up answers."
        )
        return
    lines = []
    for seat in table.seats:
        own = [each for each in said if each.agent == seat.name]
        # The latest close says what is open now.
        best = [_excerpt(each) for each in (own[-1:] if seat.name == table.lead else own[:2])]
        rounds = ", ".join(str(each.round) for each in own)
        if best:
            lines.append(
                _("- **%(agent)s** (rounds: %(rounds)s): %(said)s")
                % {"agent": without_markup(seat.title), "rounds": rounds, "said": " ".join(best)}
            )
        elif seat.name != table.lead:
            lines.append(_("- **%(agent)s**: found nothing about this.") % {"agent": without_markup(seat.title)})
    yield _("**Who contributed what**")
    yield "\n".join(lines)
    if told := list(_on_remarks(table, said)):
        yield _("**What you said between rounds**")
        yield "\n".join(told)
    for heading, points in (
        (_("**Agreements**"), result.agreements),
        (_("**Possible disagreements**"), result.disagreements),
        (_("**Open points**"), result.open_points),
    ):
        if points:
            yield heading
            yield "\n".join(f"- {each}" for each in points)
    if any(each.contribution.quotes and not each.text for each in said):
        yield _("These are quotations, and only their wording was compared. You decide which side is right.")


def _on_remarks(table: Table, said: Sequence[Spoken]) -> Iterator[str]:
    """Yield a line for each of the learner's remarks: the sentence nearest to it that somebody quoted or said."""
    # Words of documents are in no reply.
    open_words = [
        quote.statement
        for each in said
        for quote in each.contribution.quotes
        if not each.text and not quote.is_of_document
    ]
    open_words += [each.text for each in said if each.text and not each.contribution.closes]
    for remark in table.remarks:
        words = without_markup(_short(" ".join(remark.text.split())))
        nearest = next(iter(nearest_sentences(remark.text, open_words, most=1)), "")
        answer = f"“{without_markup(_short(nearest))}”" if nearest else _("nobody found anything about it.")
        yield _("- You: “%(words)s” – %(answer)s") % {"words": words, "answer": answer}


def _short(text: str) -> str:
    return text if len(text) <= EXCERPT_CHARACTERS else text[: EXCERPT_CHARACTERS - 1].rsplit(" ", 1)[0] + "…"


def _has_content(spoken: Spoken) -> bool:
    return bool(spoken.contribution.quotes or (spoken.text and not NOTHING_TO_ADD.fullmatch(spoken.text)))


def _excerpt(spoken: Spoken) -> str:
    """Return the first of a contribution; a document's own words are on the card."""
    if spoken.text:
        return _short(" ".join(content_of(spoken).split()))
    first = spoken.contribution.quotes[0]
    return (
        _("from %(title)s (below)") % {"title": without_markup(first.source.title)}
        if first.is_of_document
        else quoted(first)
    )


def _statements(spoken: Sequence[Spoken]) -> list[tuple[str, QuotedSentence]]:
    return [(each.agent, quote) for each in spoken if not each.text for quote in each.contribution.quotes]


def _agreements(table: Table, spoken: Sequence[Spoken]) -> Iterator[str]:
    """Yield the things of the question on which several agents found something in different sources."""
    asked = content_words(topic_of(table.question))
    by_word: dict[str, dict[str, str]] = {}
    for agent, quote in _statements(spoken):
        for word in words_of(topic_of(table.question)):
            own = content_words(word) & asked
            if own and own <= content_words(quote.statement):
                by_word.setdefault(word, {})[agent] = quote.source.id
    for word, agents in by_word.items():
        if len(agents) > 1 and len(set(agents.values())) > 1:
            names = ", ".join(table.title_of(each) for each in agents)
            yield _("These agents found different sources on “%(word)s”: %(agents)s.") % {"word": word, "agents": names}


def _disagreements(table: Table, spoken: Sequence[Spoken]) -> Iterator[str]:
    """Yield the objections that share a word of the question with what another agent quotes."""
    objecting = {seat.name for seat in table.seats if seat.looks_for == Collaborator.LooksFor.OBJECTIONS}
    asked = content_words(topic_of(table.question))
    told: set[tuple[str, str]] = set()
    for (agent, quote), (other, against) in combinations(_statements(spoken), 2):
        one, two = (agent, quote), (other, against)
        if other in objecting:
            one, two = two, one
        is_limit = one[0] in objecting and two[0] not in objecting
        if not is_limit or (one[0], two[0]) in told or quote.is_of_document or against.is_of_document:
            continue
        shared = content_words(one[1].statement) & content_words(two[1].statement)
        # The question's own word is in most sentences: it takes another one, or the same passage.
        if shared & asked and (len(shared) > 1 or one[1].source.id == two[1].source.id):
            told.add((one[0], two[0]))
            yield _("%(sceptic)s: “%(limit)s” But %(other)s: “%(found)s”") % {
                "sceptic": table.title_of(one[0]),
                "limit": without_markup(one[1].statement),
                "other": table.title_of(two[0]),
                "found": without_markup(two[1].statement),
            }


def _open_points(table: Table, spoken: Sequence[Spoken]) -> Iterator[str]:
    """Yield the words of the question that nothing said has in it, and questions between agents that nobody answered."""
    # The beginnings of words are compared: "invention" is covered by "invented".
    telling = [each for each in spoken if _has_content(each) and not each.contribution.closes]
    said = {word[:BEGINNING] for each in telling for word in words_of(plain_content(each))}
    # Figures answer a question without its words: "who struggles" with a table of scores.
    has_figures = not table.has_model and any(each.contribution.says == "words" for each in telling)
    missing = [word for word in things_of(table.question) if word[:BEGINNING] not in said]
    if missing and not has_figures:
        yield _("Nothing was found about: %(words)s.") % {"words": ", ".join(missing)}
    last = max((each.round for each in spoken), default=0)
    for each in table.questions:
        if each.round >= last:
            yield _("%(one)s asked %(other)s a question, but there was no round left to answer it: %(text)s") % {
                "one": table.title_of(each.asked_by),
                "other": table.title_of(each.to),
                "text": without_markup(each.text),
            }


def _material(table: Table, request: Request, spoken: Sequence[Spoken]) -> str:
    goal = request.results.get(INITIATOR)
    told = f"Goal: {goal.goal}\n" if isinstance(goal, TableGoal) else ""
    remarks = told_remarks(table)
    said = f"\n\nThe learner has said in between; take it up:\n{remarks}" if remarks else ""
    return told + word_rounds(table, spoken, room=SUMMARY_CONTEXT) + said


def _documents(table: Table, spoken: Sequence[Spoken]) -> Iterator[Card]:
    """Yield the card of the quoted documents, whose words are read with the reader's permissions."""
    quotes = [quote for _agent, quote in _statements(spoken) if quote.is_of_document]
    if quotes:
        places = [QuotedPlace(source=each.source, start=each.start, end=each.end) for each in quotes]
        yield sources_card(places, turn_id=str(table.turn_id), name=SUMMARIZER)


ROLE = Role(
    name=SUMMARIZER,
    purpose=gettext_lazy("Puts together what the round table found."),
    label=gettext_lazy("Round table"),
    plan=plan,
    prompt=read_prompt(Path(__file__).parent / "prompts" / "summarizer.md"),
    result=TableSummary,
    tier="strong",
    timeout_s=60.0,
    speaks=True,
)
