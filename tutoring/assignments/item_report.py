"""What a class answered to the questions of a quiz: how many were right, and which wrong answers came often."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tutoring.assignments.quiz_work import answers_to
from tutoring.models import Assignment, Attempt

WRONG_SHOWN: Final = 4
"""Wrong answers named for each question; rarer ones are counted together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenAnswer:
    """One pupil's answer, as it is read."""

    text: str
    is_right: bool
    gave_up: bool = False
    misconception: str = ""
    """The id of the one misconception that explains it; empty without one."""
    person: int = 0
    attempt: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerGroup:
    """Pupils who gave the same wrong answer."""

    text: str
    """Empty for "I don’t know"."""
    misconception: str
    answers: tuple[GivenAnswer, ...]

    @property
    def count(self) -> int:
        return len(self.answers)


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemReport:
    """What was answered to one question."""

    right: tuple[GivenAnswer, ...]
    wrong: tuple[AnswerGroup, ...]
    """The most frequent first."""
    others: int
    """Wrong answers that are not among them."""

    @property
    def answered(self) -> int:
        return len(self.right) + sum(each.count for each in self.wrong) + self.others

    @property
    def percent(self) -> int:
        """Return the share of right answers, in whole percent."""
        return round(100 * len(self.right) / self.answered) if self.answered else 0


def report_of(answers: Sequence[GivenAnswer]) -> ItemReport:
    """Return the answers to one question in groups. Answers that differ only in case or spaces are the same."""
    groups: dict[tuple[bool, str], list[GivenAnswer]] = defaultdict(list)
    for each in answers:
        if not each.is_right:
            groups[each.gave_up, "".join(each.text.casefold().split())].append(each)
    ranked = sorted(groups.items(), key=lambda one: (-len(one[1]), one[0]))
    shown, rest = ranked[:WRONG_SHOWN], ranked[WRONG_SHOWN:]
    return ItemReport(
        right=tuple(each for each in answers if each.is_right),
        wrong=tuple(_group(found) for _key, found in shown),
        others=sum(len(found) for _key, found in rest),
    )


def _group(found: Sequence[GivenAnswer]) -> AnswerGroup:
    first = found[0]
    idea = next((each.misconception for each in found if each.misconception), "")
    return AnswerGroup(text="" if first.gave_up else first.text, misconception=idea, answers=tuple(found))


def reports_of(assignment: Assignment, people: Sequence[int]) -> dict[int, ItemReport]:
    """Return the report of each of the quiz's items by its number, of these pupils; one query."""
    found: Mapping[int, list[GivenAnswer]] = {item.number: [] for item in assignment.items.all()}
    for attempt in answers_to(assignment, list(people)):
        found[attempt.question.assigned.item.number].append(given_answer(attempt))
    return {number: report_of(answers) for number, answers in found.items()}


def given_answer(attempt: Attempt) -> GivenAnswer:
    """Return an answer as a teacher reads it. The attempt comes with its question."""
    ideas = attempt.misconceptions
    return GivenAnswer(
        text=_readable(attempt),
        is_right=attempt.correct,
        gave_up=attempt.gave_up,
        misconception=ideas[0] if len(ideas) == 1 else "",
        person=attempt.learner_id,
        attempt=attempt.pk,
    )


def _readable(attempt: Attempt) -> str:
    """Return the answer in words; of a choice, its letters in order with what they stand for."""
    question = attempt.question
    if question.kind in ("choice", "multi"):
        return options_text(question.public["choices"], attempt.judgement.get("chosen") or attempt.answer.split())
    return question.shown(attempt.answer)


def options_text(choices: Sequence[Mapping[str, object]], letters: Sequence[str]) -> str:
    """Return options by letter, each with its text or its picture in words: "B: Neither"."""
    texts = {str(each["letter"]): str(each["text"] or _alt(each)) for each in choices}
    return ", ".join(f"{letter}: {texts[letter]}" if texts.get(letter) else letter for letter in sorted(letters))


def _alt(choice: Mapping[str, object]) -> str:
    picture = choice.get("picture")
    return str(picture.get("alt", "")) if isinstance(picture, Mapping) else ""
