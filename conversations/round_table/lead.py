"""The lead of a table: hands each of the others a part of the question, and closes each round. By rule; a model may do it better."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from django.utils.translation import gettext as _

from agents.engine.bus import Bus, make_request
from agents.engine.roles import Decided, Plan, PlanPart, Request, Role, Wording
from agents.llm.prompt import read_prompt
from conversations import validators
from conversations.round_table.initiator import FORMAL_CRITERION, goal_by_rule
from conversations.round_table.names import INITIATOR, opening_role, role_name
from conversations.round_table.record import Spoken
from conversations.round_table.results import (
    SUB_QUESTION_CHARACTERS,
    Contribution,
    SubQuestion,
    SubQuestions,
    TableGoal,
)
from conversations.round_table.roster import Seat
from conversations.round_table.search_rules import RULES, topic_of
from conversations.round_table.selection import matched_words
from conversations.round_table.table import Table, spoken_so_far, sub_questions
from conversations.round_table.voices import problem_of, told_remarks
from conversations.round_table.wording import NOTHING_TO_ADD, word_rounds
from conversations.search.passage_quotes import compared_things, content_words
from conversations.search.quoted_sources import without_markup
from conversations.search.word_stems import words_of

PROMPT = read_prompt(Path(__file__).parent / "prompts" / "lead.md")
SHORT_QUESTION: Final = 120
"""Characters of a sub-question where the close of a round names it."""
_NEXT_PART = re.compile(
    r"(?:[;?]+\s*|,?\s+and\s+|,\s*)(?:and\s+)?(?=(?:what|who|whom|whose|when|where|why|how|which|is|are|was|were|do|does|did|can|"
    r"could|should|would|will|has|have|compare|explain|give|show|find|tell|name|list|say)\b)",
    re.IGNORECASE,
)
"""Where a question goes on to another one: an "and" alone joins things as well, "fractions and decimals"."""

_IS_MORE = re.compile(
    r"(?:(?:was|were|is|are|do|does|did)\s+)?(.+?)\s+(?:more|less|better|worse|easier|harder|older)\b.*?\bthan\s+(.+)",
    re.IGNORECASE,
)
"""A comparison that the search for definitions does not look for: which of two things is more of something."""


def lead_roles(table: Table, number: int) -> Iterator[Role]:
    """Yield the lead's two roles in a round: the one that hands out sub-questions, and the one that closes it."""
    place = next(place for place, seat in enumerate(table.seats) if seat.name == table.lead)
    plans: tuple[tuple[str, Callable[..., Plan], type[SubQuestions] | type[Contribution]], ...] = (
        (opening_role(number), _open, SubQuestions),
        (role_name(number, place), _close, Contribution),
    )
    seat = table.seats[place]
    for name, plan, result in plans:
        yield Role(
            name=name,
            known_as=seat.name,
            purpose=seat.purpose,
            label=seat.title,
            plan=partial(plan, table, seat, number),
            prompt=PROMPT,
            standing=f"Your name at the table: {seat.title}",
            result=result,
            tier=seat.tier,
            timeout_s=seat.timeout_s,
            on_failure=table.strategy,
        )


async def hand_out(table: Table, number: int, request: Request, bus: Bus) -> None:
    """Send the sub-questions of a round, each to its collaborator."""
    for each in sub_questions(request, number):
        data = {"question": each.text, "round": number}
        bus.publish(make_request("answer", sender=table.lead, recipient=each.to, data=data))


def likely_parts(table: Table, request: Request) -> Mapping[str, str]:
    """Return the part of the question that each of the others will get in the first round by rule; empty without a lead."""
    if not table.lead:
        return {}
    handed = divide(table, table.first_round, request.results.get(INITIATOR), before=())
    return {each.to: each.about for each in handed}


def divide(table: Table, number: int, goal: object, *, before: tuple[SubQuestion, ...]) -> tuple[SubQuestion, ...]:
    """Return a sub-question for each of the others: the part of the question with most words among its capabilities.

    A part that fewer have comes first, and nobody gets the part it had `before`, as long as there are others.
    """
    parts = list(parts_of(table, goal if isinstance(goal, TableGoal) else goal_by_rule(table)))
    had, given = {each.to: each.about for each in before}, Counter[str]()
    handed: list[SubQuestion] = []
    for place, seat in enumerate(each for each in table.seats if each.name != table.lead):
        best = max(parts, key=partial(_rank, seat, had.get(seat.name, ""), given, parts, place + number - 1))
        given[best] += 1
        text = _("%(part)s Look for %(thing)s.") % {"part": _as_sentence(best), "thing": RULES[seat.looks_for].wanted}
        handed.append(SubQuestion(to=seat.name, text=_short(text, SUB_QUESTION_CHARACTERS), about=best))
    return tuple(handed)


def parts_of(table: Table, goal: TableGoal) -> Iterator[str]:
    """Yield the parts of a question: the questions in it, or the things it compares, or else the criteria of the answer."""
    topic = topic_of(table.question)
    parts = [each.strip(" .,;?!") for each in _NEXT_PART.split(topic)]
    parts = list(dict.fromkeys(each for each in parts if content_words(each)))
    if len(parts) < 2 and (sides := _sides(topic)):
        parts = [_("What can be said about %(thing)s?") % {"thing": each} for each in sides]
    if len(parts) < 2:
        parts = [each for each in goal.success_criteria if each != str(FORMAL_CRITERION)]
    yield from parts or [topic]


def _sides(topic: str) -> tuple[str, ...]:
    """Return the two things that a question compares; none for other questions."""
    if sides := compared_things(topic):
        return sides
    found = _IS_MORE.match(topic)
    sides = (found[1], found[2].strip(" .,;?!")) if found else ("", "")
    return sides if all(map(content_words, sides)) else ()


def _rank(
    seat: Seat, had: str, given: Counter[str], parts: list[str], turn: int, part: str
) -> tuple[bool, int, int, int]:
    """Return how well a part fits a collaborator; equal ones go round, so that each round has another one."""
    fits = len(matched_words(seat.capabilities, dict.fromkeys(words_of(part))))
    return (part != had, fits, -given[part], -((parts.index(part) - turn) % len(parts)))


def _open(table: Table, seat: Seat, number: int, request: Request) -> Plan:
    before = sub_questions(request, number - 1)
    own = SubQuestions(
        leads_round=number, questions=divide(table, number, request.results.get(INITIATOR), before=before)
    )
    others = "\n".join(f"- {each.name}: {each.purpose}" for each in table.seats if each.name != table.lead)
    return Plan(
        result=own,
        background=f"Round {number} begins. Give each of these agents its sub-question, by its name:\n{others}",
        material=_material(table, request),
        refine=partial(_take_questions, table),
    )


def _take_questions(table: Table, own: SubQuestions, told: SubQuestions) -> SubQuestions:
    """Return the rule's sub-questions, each replaced by a model's that can be believed: for that agent, and about something."""
    known = {seat.title.casefold(): seat.name for seat in table.seats} | {seat.name: seat.name for seat in table.seats}
    better: dict[str, str] = {}
    for each in told.questions:
        text, name = " ".join(each.text.split()), known.get(each.to.replace("-", "_").casefold(), "")
        is_new = text not in better.values()
        if name and is_new and content_words(text) and validators.is_storable(text) and not table.guard(text):
            better.setdefault(name, text)
    questions = tuple(
        SubQuestion(to=each.to, text=better[each.to]) if each.to in better else each for each in own.questions
    )
    return own.model_copy(update={"questions": questions})


def _close(table: Table, seat: Seat, number: int, request: Request) -> Plan:
    decided = Decided(result=Contribution(round=number, says="words", closes=True))
    # A model that could not open the round is not asked to close it.
    if not table.has_model or not sub_questions(request, number):
        return Plan(say=(decided, " ".join(_closing(table, number, request))))
    say: PlanPart = Wording(
        words="",
        task=f"Round {number} is over. Close it, in at most {seat.most_words} words.",
        guard=partial(problem_of, table, seat, number),
        most_words=seat.most_words,
        is_required=True,
        material=_material(table, request),
    )
    return Plan(say=(decided, say))


def _closing(table: Table, number: int, request: Request) -> Iterator[str]:
    """Yield sentences on what was answered in a round and what is open; with the round, so that none is said twice."""
    handed = sub_questions(request, number)
    if not handed:
        yield _("Round %(round)s had no sub-questions, so everybody answered the whole question.") % {"round": number}
        return
    answering = {(each.round, each.agent) for each in spoken_so_far(table, request) if _answers(each)}
    answered = {
        each.about or each.text
        for earlier in range(1, number + 1)
        for each in sub_questions(request, earlier)
        if (earlier, each.to) in answering
    }
    now = [_named(table, each) for each in handed if (number, each.to) in answering]
    silent = [table.title_of(each.to) for each in handed if (number, each.to) not in answering]
    left = [_named(table, each) for each in handed if (each.about or each.text) not in answered]
    if now:
        yield _("Answered in round %(round)s: %(listed)s.") % {"round": number, "listed": "; ".join(now)}
    if silent:
        yield _("Nothing new in round %(round)s: %(listed)s.") % {"round": number, "listed": ", ".join(silent)}
    if left:
        yield _("Still open after round %(round)s: %(listed)s.") % {"round": number, "listed": "; ".join(left)}


def _named(table: Table, asked: SubQuestion) -> str:
    words = without_markup(_as_sentence(_short(asked.about or asked.text, SHORT_QUESTION)))
    return _("%(agent)s: “%(question)s”") % {"agent": table.title_of(asked.to), "question": words}


def _answers(said: Spoken) -> bool:
    """Tell whether somebody found something, in a part of their own; whether it answers the sub-question is for the reader to judge."""
    if said.contribution.closes:
        return False
    return bool(said.contribution.quotes or (said.text and not NOTHING_TO_ADD.fullmatch(said.text)))


def _material(table: Table, request: Request) -> str:
    """Return the goal, what was handed out and said, and the learner's words, as material: others wrote all of it."""
    parts = []
    if isinstance(goal := request.results.get(INITIATOR), TableGoal):
        parts.append(f"Goal: {goal.goal}\nCriteria: {' '.join(goal.success_criteria)}")
    if rounds := word_rounds(table, spoken_so_far(table, request)):
        parts.append(f"What was said so far:\n{rounds}")
    latest = max((number for number in range(1, table.rounds + 1) if sub_questions(request, number)), default=0)
    if handed := sub_questions(request, latest):
        lines = "\n".join(f"{table.title_of(each.to)}: {each.text}" for each in handed)
        parts.append(f"The sub-questions of round {latest}:\n{lines}")
    if remarks := told_remarks(table):
        parts.append(f"The learner has said in between:\n{remarks}")
    return "\n\n".join(parts)


def _as_sentence(part: str) -> str:
    part = part[:1].upper() + part[1:]
    return part if part[-1:] in ".?!…" else f"{part}?"


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rsplit(" ", 1)[0] + "…"
