"""Rules for who needs a teacher's help now, each reason with its evidence."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from tutoring.lesson.cycle import MISSES_BEFORE_DETOUR

RECENT_PERIOD = timedelta(days=14)
"""Older evidence does not call for help now."""
INACTIVE_AFTER = timedelta(days=7)
"""Without an answer for this long, a learner may have given up."""

PLACEMENT_LEFT_AFTER = timedelta(days=1)
"""Without a question for this long, an unfinished placement was left."""
PLACEMENTS_BEGUN = 3
"""Unfinished placements from which they go round in circles."""
STUCK_TRIES = 3
"""Answers to one question, none of them right, from which a learner is stuck on it. A choice is solved for them then."""

type Kind = Literal["stuck", "misses", "misconception", "contested", "placement", "quiet", "not_begun"]
URGENCY: Mapping[Kind, int] = {
    "stuck": 3,
    "misses": 3,
    "misconception": 2,
    "contested": 2,
    "placement": 2,
    "quiet": 1,
    "not_begun": 1,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerMark:
    """An answer to any question, a retry or a step of the lesson too."""

    attempt: int
    question: UUID
    concept: str
    correct: bool
    gave_up: bool = False
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StuckQuestion:
    """A question with several wrong answers and no right one since."""

    question: UUID
    tries: int
    """Without "I don't know"."""
    gave_up: bool
    """Whether the last answer was "I don't know"."""
    attempt: int
    """The key of the last answer."""
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MissStreak:
    """Wrong answers in a row on one concept, oldest first; at least one."""

    marks: tuple[AnswerMark, ...]

    @property
    def count(self) -> int:
        return len(self.marks)

    @property
    def since(self) -> datetime:
        return self.marks[0].at

    @property
    def stuck_question(self) -> StuckQuestion | None:
        """The question with the most answers, the latest of several; None without one that calls for help."""
        by_question: dict[UUID, list[AnswerMark]] = {}
        for mark in self.marks:
            by_question.setdefault(mark.question, []).append(mark)
        most = max(by_question.values(), key=lambda own: (len(own), own[-1].attempt))
        if len(most) < STUCK_TRIES:
            return None
        return StuckQuestion(
            question=most[0].question,
            tries=sum(not mark.gave_up for mark in most),
            gave_up=most[-1].gave_up,
            attempt=most[-1].attempt,
            since=most[0].at,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpReason:
    """Why a learner needs help: `about` is a concept's or misconception's id; `number` counts wrong answers or days."""

    kind: Kind
    about: str = ""
    number: int = 0
    since: datetime | None = None
    question: StuckQuestion | None = None
    """Set only for `stuck`."""
    evidence: str = ""
    """Changes with what the reason rests on: a reason that was dismissed comes back then."""

    @property
    def name(self) -> str:
        """What names the reason among those of its learner."""
        return f"{self.kind}:{self.question.question if self.question else self.about}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenContests:
    """What a learner says is wrong, and nobody has decided yet."""

    count: int
    latest: int
    """The key of the latest contest."""
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenPlacement:
    """Placements that a learner began lately and did not finish."""

    begun: int
    """How many were begun."""
    last_at: datetime
    """When the last question was asked."""

    def is_stuck(self, now: datetime) -> bool:
        """Tell whether it was left, or begun again and again."""
        return self.begun >= PLACEMENTS_BEGUN or now - self.last_at >= PLACEMENT_LEFT_AFTER


def misses_in_a_row(marks: Iterable[AnswerMark]) -> dict[str, MissStreak]:
    """Return for each concept the wrong answers since the last right one, if any; `marks` are oldest first."""
    running: dict[str, list[AnswerMark]] = {}
    for mark in marks:
        if mark.correct:
            running.pop(mark.concept, None)
        else:
            running.setdefault(mark.concept, []).append(mark)
    return {concept: MissStreak(marks=tuple(own)) for concept, own in running.items()}


def reasons_to_help(
    *,
    misses: Mapping[str, MissStreak],
    misconceptions: Mapping[str, tuple[datetime, datetime]],
    last_answer: datetime | None,
    joined: datetime,
    now: datetime,
    contests: OpenContests | None = None,
    placement: OpenPlacement | None = None,
) -> tuple[HelpReason, ...]:
    """Return the reasons, the most urgent first.

    `misses` are by concept; `misconceptions` are active now, each with the times of the first and the last sign lately.
    """
    longest = sorted(misses, key=lambda concept: (misses[concept].count, concept), reverse=True)
    found = [
        *(reason for concept in longest for reason in _stuck_on(concept, misses[concept])),
        *(_held_idea(each, *misconceptions[each]) for each in sorted(misconceptions)),
        *_on_record(contests, placement, now=now),
    ]
    silent_for = now - (last_answer or joined)
    if silent_for >= INACTIVE_AFTER:
        kind: Kind = "quiet" if last_answer else "not_begun"
        # Another week of silence is new evidence.
        weeks = f"{last_answer or joined:%Y-%m-%d}+{silent_for.days // 7}"
        found.append(HelpReason(kind=kind, number=silent_for.days, since=last_answer or joined, evidence=weeks))
    return tuple(found)


def _held_idea(misconception: str, first: datetime, last: datetime) -> HelpReason:
    return HelpReason(kind="misconception", about=misconception, since=first, evidence=last.isoformat())


def _on_record(
    contests: OpenContests | None, placement: OpenPlacement | None, *, now: datetime
) -> Iterator[HelpReason]:
    """Yield what the learner waits for: a decision, or a way to begin."""
    if contests is not None:
        yield HelpReason(kind="contested", number=contests.count, since=contests.since, evidence=str(contests.latest))
    if placement is not None and placement.is_stuck(now):
        evidence = f"{placement.last_at.isoformat()}"
        yield HelpReason(kind="placement", number=placement.begun, since=placement.last_at, evidence=evidence)


def _stuck_on(concept: str, streak: MissStreak) -> Iterator[HelpReason]:
    """Yield what the wrong answers in a row on a concept say: the question first, then how many there are."""
    if question := streak.stuck_question:
        yield HelpReason(
            kind="stuck",
            about=concept,
            number=question.tries,
            since=question.since,
            question=question,
            evidence=str(question.attempt),
        )
    if streak.count >= MISSES_BEFORE_DETOUR:
        yield HelpReason(
            kind="misses",
            about=concept,
            number=streak.count,
            since=streak.since,
            evidence=str(streak.marks[-1].attempt),
        )


def total_urgency(reasons: Iterable[HelpReason]) -> int:
    """Return how urgently a learner needs help; higher is more urgent."""
    return sum(URGENCY[reason.kind] for reason in reasons)
