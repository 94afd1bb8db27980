"""Decides whether a course's answers give better parameters than those in force."""

import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tutoring.mastery.knowledge_tracing import SkillParameters
from tutoring.mastery.parameter_fitting.answer_history import WeighedAnswer
from tutoring.mastery.parameter_fitting.prediction_scores import SIGNIFICANCE_Z
from tutoring.mastery.parameter_fitting.replay import Replay

if TYPE_CHECKING:
    from tutoring.mastery.parameter_fitting.acceptance import ConceptChange, HeldOutPredictions

# Chosen by hand; in `bench refits` the median concept has 306.
ANSWERS_NEEDED = 300
"""First attempts on a concept below which it keeps the priors."""
# Answers of one learner depend on each other. Chosen by hand.
LEARNERS_NEEDED = 40
"""Learners needed for that."""
# A fifth, as in `bench estimator`. Chosen by hand.
HELD_OUT_ONE_IN = 5
"""One learner in this many is never fitted to; on them old and new parameters are compared."""
# Half a percent: a refit of what is in force gains less, learners who answer by chance gain nothing (`bench refits`).
MIN_GAIN = 0.005
"""Share of the log-loss by which new parameters must be better."""
# Kept from the first version of the rule. Chosen by hand.
MAX_CALIBRATION_LOSS = 0.02
"""Expected calibration error by which they may be worse on a concept with enough held-out answers."""

type Refusal = Literal["nothing new", "too little gain", "gain by chance"]

type Parameters = Mapping[str, SkillParameters]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refit:
    """New parameters compared with those in force on the held-out learners."""

    parameters: Parameters
    """By concept; concepts not in it keep the priors. Empty if nothing new is left."""
    answers: int
    """First attempts in the whole history."""
    learners: int
    held_out: int
    """Answers that the two are compared on."""
    loss_before: float
    """Log-loss in nats per answer."""
    loss_after: float
    noise: float
    """Standard error of their difference."""
    auc_before: float | None
    """None if all held-out answers are right, or all wrong."""
    auc_after: float | None
    changes: Sequence["ConceptChange"] = ()
    """Changes of calibration of the concepts with enough held-out answers."""
    kept: Sequence["ConceptChange"] = ()
    """Concepts that keep their parameters, with how much worse the new ones were calibrated."""

    @property
    def worst_calibration(self) -> float:
        """The largest growth of a concept's calibration error; negative if all improved."""
        return max((each.after - each.before for each in self.changes), default=0.0)

    @property
    def is_accepted(self) -> bool:
        return not self.refusal

    @property
    def refusal(self) -> Refusal | None:
        """Why it is not accepted; None if it is."""
        gained = self.loss_before - self.loss_after
        if not self.parameters:
            return "nothing new"
        if gained < MIN_GAIN * self.loss_before:
            return "too little gain"
        return "gain by chance" if gained <= SIGNIFICANCE_Z * self.noise else None


def refit(history: Sequence[WeighedAnswer], in_force: Parameters) -> Refit | None:
    """Return parameters fitted to the history with their comparison; None while there are too few answers.

    A concept on which they are calibrated worse, by more than noise, keeps its parameters, so that others need not
    wait.
    """
    concepts = fittable_concepts(history)
    if not concepts or not any(each.correct is not None and is_held_out(each.learner) for each in history):
        return None
    from tutoring.mastery.parameter_fitting import (  # They bring numpy, which a server should not start with.
        acceptance,
        em,
    )

    found = em.fit_parameters([each for each in history if not is_held_out(each.learner)], concepts, in_force)
    before, kept = _predict_held_out(history, in_force), list["ConceptChange"]()
    while True:
        after = _predict_held_out(history, {**in_force, **found})
        changes = list(acceptance.concept_changes(before, after))
        worse = [each for each in changes if each.concept in found and each.is_worse(by=MAX_CALIBRATION_LOSS)]
        if not worse:
            break
        kept += worse
        found = {each: skill for each, skill in found.items() if each not in {change.concept for change in worse}}
    return Refit(
        parameters={**in_force, **found} if found else {},
        answers=sum(each.correct is not None for each in history),
        learners=len({each.learner for each in history}),
        held_out=len(before.predicted),
        loss_before=before.loss,
        loss_after=after.loss,
        noise=acceptance.gain_noise(before, after),
        auc_before=before.auc,
        auc_after=after.auc,
        changes=changes,
        kept=kept,
    )


def fittable_concepts(history: Sequence[WeighedAnswer]) -> list[str]:
    """Return the concepts with enough first attempts of enough learners."""
    evidence = [each for each in history if each.correct is not None]
    answers = Counter(each.concept for each in evidence)
    learners = Counter(concept for concept, _ in {(each.concept, each.learner) for each in evidence})
    return [each for each in answers if answers[each] >= ANSWERS_NEEDED and learners[each] >= LEARNERS_NEEDED]


def is_held_out(learner: int) -> bool:
    """Tell whether a learner is held out: always the same ones, so that no parameters in force were fitted to them."""
    return zlib.crc32(str(learner).encode()) % HELD_OUT_ONE_IN == 0


def _predict_held_out(history: Sequence[WeighedAnswer], parameters: Parameters) -> "HeldOutPredictions":
    """Replay the history and return the predictions for the held-out learners' answers."""
    import numpy as np

    from tutoring.mastery.parameter_fitting.acceptance import HeldOutPredictions

    replay = Replay(parameters=parameters)
    learners, concepts, chances, answers = list[int](), list[str](), list[float](), list[bool]()
    for each in history:
        if each.correct is None:
            replay.practise(each.learner, each.concept, placed=each.placed)
            continue
        predicted = replay.answer(
            each.learner, each.item, each.concept, each.correct,
            kind=each.kind, offset=each.offset, placed=each.placed,
        )  # fmt: skip
        if is_held_out(each.learner):
            learners.append(each.learner)
            concepts.append(each.concept)
            chances.append(predicted)
            answers.append(each.correct)
    return HeldOutPredictions(
        learners=np.array(learners), concepts=concepts, predicted=np.array(chances), correct=np.array(answers)
    )
