"""Simulated learners who answer as knowledge tracing assumes they do; seeded, for comparing rules, not for claims.

One right answer in three is to be explained, as in a lesson.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from tutoring.lesson.moves import is_explanation_due
from tutoring.mastery.knowledge_tracing import (
    AbilityEstimate,
    Belief,
    DifficultyOffset,
    belief_after_practice,
    difficulty_offset,
    guess_chance,
    initial_belief,
    is_mastered,
    observe,
    predict_answer,
)
from tutoring.mastery.template_selection import TemplateCandidate, choose_template

LEARN, FORGET, KNOWN = 0.10, 0.003, 0.90
EXPLAINED = {True: 0.7, False: 0.2}
"""How often a reason asked for is judged right: of who knows, and of who repeats words."""
BANK = [
    ("numeric", "easy"),
    ("choice4", "easy"),
    ("numeric", "medium"),
    ("choice4", "medium"),
    ("numeric", "hard"),
    ("choice4", "hard"),
]
CONCEPTS = 6
AT_MOST = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a cohort: shares are 0–1, `predictions` are pairs of predicted and given answer."""

    false_mastery: float
    answers_to_mastery: float
    never: float
    predictions: Sequence[tuple[float, bool]]


def cohort(*, learners: int, seed: int) -> Outcome:
    """Teach every learner six concepts until each is declared mastered, or 30 answers have been given."""
    rng = random.Random(seed)
    items = {
        (concept, item): DifficultyOffset(offset=difficulty_offset(BANK[item][1]))
        for concept in range(CONCEPTS)
        for item in range(len(BANK))
    }
    declared: list[tuple[bool, int]] = []
    predictions: list[tuple[float, bool]] = []
    for _ in range(learners):
        ability = AbilityEstimate()
        for concept in range(CONCEPTS):
            ability, ending = _learn(concept, ability=ability, items=items, rng=rng, predictions=predictions)
            declared += [ending] if ending else []
    return Outcome(
        false_mastery=sum(not known for known, _ in declared) / len(declared),
        answers_to_mastery=sum(answers for _, answers in declared) / len(declared),
        never=1 - len(declared) / (learners * CONCEPTS),
        predictions=predictions,
    )


def calibration_error(predictions: Sequence[tuple[float, bool]]) -> float:
    """Return the expected calibration error over ten bins of equal width."""
    gaps = [0.0] * 10
    for predicted, correct in predictions:
        gaps[min(9, int(predicted * 10))] += predicted - correct
    return sum(map(abs, gaps)) / len(predictions)


def _learn(
    concept: int,
    *,
    ability: AbilityEstimate,
    items: dict[tuple[int, int], DifficultyOffset],
    rng: random.Random,
    predictions: list[tuple[float, bool]],
) -> tuple[AbilityEstimate, tuple[bool, int] | None]:
    """Return the ability after one concept, and whether it was known when declared after how many answers."""
    belief, known, recent = initial_belief(ability), rng.random() < 0.5, list[str]()
    for answers in range(1, AT_MOST + 1):
        item = next_item(belief, concept=concept, ability=ability, items=items, recent=recent)
        correct = rng.random() < _chance(item, known=known)
        update = observe(
            belief,
            ability=ability,
            item=items[concept, item],
            correct=correct,
            kind=BANK[item][0],
            template=str(item),
            assisted=False,
        )
        predictions.append((update.predicted or 0.0, correct))
        belief, ability, items[concept, item] = update.belief, update.ability, update.item
        if (
            correct
            and is_explanation_due(seed=rng.getrandbits(30), milestone=False)
            and rng.random() < EXPLAINED[known]
        ):
            belief = belief_after_practice(belief)
        known = rng.random() >= FORGET if known else rng.random() < LEARN
        if is_mastered(belief):
            return ability, (known, answers)
    return ability, None


def next_item(
    belief: Belief,
    *,
    concept: int,
    ability: AbilityEstimate,
    items: dict[tuple[int, int], DifficultyOffset],
    recent: list[str],
) -> int:
    candidates = []
    for item, (kind, _) in enumerate(BANK):
        expected = predict_answer(belief, ability=ability, item=items[concept, item], kind=kind)
        candidates.append(
            TemplateCandidate(
                template=str(item), predicted=expected.predicted, answers=0, information=expected.information
            )
        )
    recent.append(choose_template(candidates, recent=recent, purpose="quiz"))
    return int(recent[-1])


def _chance(item: int, *, known: bool) -> float:
    kind, difficulty = BANK[item]
    base = KNOWN if known else guess_chance(kind)
    return 1 / (1 + math.exp(-(math.log(base / (1 - base)) + 1.5 * difficulty_offset(difficulty))))
