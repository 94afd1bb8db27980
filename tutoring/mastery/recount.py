"""A mastery computed again from its record, without answers that are left out or with other grades: numbers in and out.

Each recorded answer holds the belief before it and the prediction, from which the learner's ability at that time is
found. So every answer is applied as it was then, to another belief. What moved the belief between two answers is read
from the gap between them: a rise is practice, a fall is an upper bound. If the record cannot be reproduced this way, for
example since the parameters were refitted, nothing is computed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tutoring.mastery.knowledge_tracing import (
    AbilityEstimate,
    Belief,
    BeliefUpdate,
    DifficultyOffset,
    SkillParameters,
    belief_after_practice,
    observe,
    predict_answer,
)

_CLOSE = 1e-7
_MOST_PRACTICE = 50
"""Opportunities to learn between two answers; more are not looked for."""
_HALVINGS = 60


class CannotRecount(Exception):
    """The record does not say how the belief came about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedAnswer:
    """An answer as it was applied: beliefs and chances are 0–1."""

    template: str
    kind: str
    """As `knowledge_tracing.guess_chance` takes it."""
    correct: bool
    """Whether it is right now."""
    was_correct: bool
    """Whether it was right when its effect was recorded."""
    before: float
    after: float
    difficulty: float
    predicted: float | None
    """None for an answer that measured nothing: a right retry, or a failed review."""
    was_left_out: bool = False
    """Whether the beliefs recorded after it were computed without it."""
    left_out: bool = False
    """Whether it is left out now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recount:
    """The belief after all answers, and the effect of each, in order; None for one that is left out."""

    belief: Belief
    updates: tuple[BeliefUpdate | None, ...]


def recount(answers: Sequence[RecordedAnswer], *, now: float, skill: SkillParameters) -> Recount:
    """Return the mastery without the answers left out; `now` is the probability stored. Raises CannotRecount."""
    counted = [each for each in answers if not each.was_left_out]
    belief = Belief(probability=(counted or answers)[0].before)
    recorded, updates = belief.probability, list[BeliefUpdate | None]()
    for each in answers:
        if not each.was_left_out:
            belief = _moved_between(belief, recorded, each.before, skill)
            recorded = each.after
        update = None if each.left_out else _applied(each, belief, skill)
        belief = update.belief if update else belief
        updates.append(update)
    return Recount(belief=_moved_between(belief, recorded, now, skill), updates=tuple(updates))


def _moved_between(belief: Belief, recorded: float, then: float, skill: SkillParameters) -> Belief:
    """Return the belief after what moved the recorded one from `recorded` to `then`."""
    if _is_close(recorded, then):
        return belief
    if then < recorded:
        return replace(belief, probability=min(belief.probability, then))
    for after, practised in zip(_practice(recorded, skill), _practised(belief, skill), strict=True):
        if _is_close(after, then):
            return practised
    raise CannotRecount


def _practice(probability: float, skill: SkillParameters) -> Iterator[float]:
    return (each.probability for each in _practised(Belief(probability=probability), skill))


def _practised(belief: Belief, skill: SkillParameters) -> Iterator[Belief]:
    for _number in range(_MOST_PRACTICE):
        belief = belief_after_practice(belief, skill)
        yield belief


def _applied(answer: RecordedAnswer, belief: Belief, skill: SkillParameters) -> BeliefUpdate:
    """Return the effect of an answer on this belief. Raises CannotRecount if its recorded effect is another one."""
    if answer.predicted is None and not answer.was_correct:
        return _unmeasured(answer, belief)
    ability = _ability_then(answer, skill)
    then = replace(answer, correct=answer.was_correct)
    as_recorded = _observed(then, replace(belief, probability=answer.before), ability, skill)
    update = _observed(answer, belief, ability, skill)
    if _is_close(as_recorded.after, answer.after):
        return update
    if then.correct or answer.after > as_recorded.after:
        raise CannotRecount
    if answer.correct:
        return update
    # A failed review bounds what is left.
    bounded = min(update.after, answer.after)
    return replace(update, after=bounded, belief=replace(update.belief, probability=bounded))


def _observed(answer: RecordedAnswer, belief: Belief, ability: AbilityEstimate, skill: SkillParameters) -> BeliefUpdate:
    return observe(
        belief,
        ability=ability,
        item=DifficultyOffset(offset=answer.difficulty),
        correct=answer.correct,
        kind=answer.kind,
        template=answer.template,
        assisted=answer.predicted is None,
        skill=skill,
    )


def _unmeasured(answer: RecordedAnswer, belief: Belief) -> BeliefUpdate:
    """Return the effect of a failed review that was no evidence: an upper bound; none if it was right after all."""
    after = belief.probability if answer.correct else min(belief.probability, answer.after)
    return BeliefUpdate(
        belief=replace(belief, probability=after),
        ability=AbilityEstimate(),
        item=DifficultyOffset(),
        predicted=None,
        surprise=None,
        before=belief.probability,
        after=after,
    )


def _ability_then(answer: RecordedAnswer, skill: SkillParameters) -> AbilityEstimate:
    """Return the ability that gives the recorded prediction, which rises with it. Raises CannotRecount."""
    if answer.predicted is None:
        return AbilityEstimate()
    low, high = -1.0, 1.0
    for _number in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _prediction(answer, middle, skill) < answer.predicted else (low, middle)
    if not _is_close(_prediction(answer, high, skill), answer.predicted):
        raise CannotRecount
    return _ability(high)


def _prediction(answer: RecordedAnswer, mean: float, skill: SkillParameters) -> float:
    expected = predict_answer(
        Belief(probability=answer.before),
        ability=_ability(mean),
        item=DifficultyOffset(offset=answer.difficulty),
        kind=answer.kind,
        skill=skill,
    )
    return expected.predicted


def _ability(mean: float) -> AbilityEstimate:
    """Return an ability with this mean."""
    shrunk = AbilityEstimate(residual=1.0)
    return AbilityEstimate(residual=mean / shrunk.mean)


def _is_close(one: float, other: float) -> bool:
    return abs(one - other) < _CLOSE
