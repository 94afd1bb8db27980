"""Whether a course's answers give its estimator better parameters than those in force, and which."""

import zlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tutoring.rules import scoring
from tutoring.rules.histories import Answered
from tutoring.rules.mastery import SkillParameters
from tutoring.rules.replaying import Replay

ENOUGH_ANSWERS = 300
"""First attempts on a concept below which it keeps the priors."""
ENOUGH_LEARNERS = 40
"""Who gave them."""
HELD_OUT = 5
"""One learner in so many is not fitted to, tonight or ever: on them old and new parameters are compared."""
MUST_GAIN = 0.005
"""Share of the log-loss by which new parameters have to be better."""
MAY_LOSE = 0.02
"""Expected calibration error by which they may be worse on a concept."""

type Parameters = Mapping[str, SkillParameters]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refit:
    """New parameters beside those in force, both as the estimator foresees the learners held out."""

    parameters: Parameters
    """By concept; those that are not in it keep the priors."""
    answers: int
    """First attempts in the whole history."""
    learners: int
    loss_before: float
    """Log-loss in nats an answer."""
    loss_after: float
    worst_calibration: float
    """By how much the calibration error of the concept that loses most grew; negative where all gained."""

    @property
    def is_accepted(self) -> bool:
        gained = self.loss_after <= self.loss_before * (1 - MUST_GAIN)
        return bool(self.parameters) and gained and self.worst_calibration <= MAY_LOSE


@dataclass(frozen=True, slots=True, kw_only=True)
class _Foreseen:
    """Of the learners held out: the log-loss over all their answers, and the calibration error of each concept."""

    loss: float
    calibration: Mapping[str, float]


def refit(history: Sequence[Answered], in_force: Parameters) -> Refit | None:
    """Return parameters fitted to the history, and how they compare; None while there are too few answers.

    A concept on which they are calibrated worse keeps what is in force: the others need not wait for it.
    """
    concepts = enough(history)
    before = _foreseen(history, in_force)
    if not concepts or before is None:
        return None
    from tutoring.rules import em  # It brings numpy, which a server should not start with.

    found = em.fitted([each for each in history if not is_held_out(each.learner)], concepts, in_force)
    while True:
        parameters = {**in_force, **found}
        after = _foreseen(history, parameters)
        assert after is not None
        losses = {each: after.calibration[each] - before.calibration[each] for each in after.calibration}
        worse = [each for each in found if losses.get(each, 0.0) > MAY_LOSE]
        if not worse:
            break
        found = {each: skill for each, skill in found.items() if each not in worse}
    return Refit(
        parameters=parameters if found else {},
        answers=sum(each.correct is not None for each in history),
        learners=len({each.learner for each in history}),
        loss_before=before.loss,
        loss_after=after.loss,
        worst_calibration=max(losses.values()),
    )


def enough(history: Sequence[Answered]) -> list[str]:
    """Return the concepts with enough first attempts of enough learners."""
    evidence = [each for each in history if each.correct is not None]
    answers = Counter(each.concept for each in evidence)
    learners = Counter(concept for concept, _ in {(each.concept, each.learner) for each in evidence})
    return [each for each in answers if answers[each] >= ENOUGH_ANSWERS and learners[each] >= ENOUGH_LEARNERS]


def is_held_out(learner: int) -> bool:
    """Tell whether a learner is one of those compared on: always the same, so that nothing in force was fitted to them."""
    return zlib.crc32(str(learner).encode()) % HELD_OUT == 0


def _foreseen(history: Sequence[Answered], parameters: Parameters) -> _Foreseen | None:
    """Replay the history and return how well the held-out learners' answers were foreseen; None if they gave none."""
    replay, found = Replay(parameters=parameters), list[tuple[str, float, bool]]()
    for each in history:
        if each.correct is None:
            replay.practise(each.learner, each.concept, placed=each.placed)
            continue
        predicted = replay.answer(
            each.learner, each.item, each.concept, each.correct,
            kind=each.kind, offset=each.offset, placed=each.placed,
        )  # fmt: skip
        if is_held_out(each.learner):
            found.append((each.concept, predicted, each.correct))
    return _judged(found) if found else None


def _judged(found: Collection[tuple[str, float, bool]]) -> _Foreseen:
    by_concept: dict[str, list[tuple[float, bool]]] = {}
    for concept, predicted, correct in found:
        by_concept.setdefault(concept, []).append((predicted, correct))
    return _Foreseen(
        loss=scoring.log_loss([each[1] for each in found], [each[2] for each in found]) or 0.0,
        calibration={
            each: scoring.calibration_error(*zip(*pairs, strict=True)) or 0.0 for each, pairs in by_concept.items()
        },
    )
