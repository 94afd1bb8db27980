"""The probability that a learner knows a concept, and when it counts as mastered: numbers in, numbers out.

Contextual Bayesian knowledge tracing. σ is the logistic function; of learner u, concept k and item i:

    r   = R/(N+8)                                        the learner's ability residual
    P0  = σ(l0_k + β_l·r)                                first visit
    e1  = σ(a1_k + β11·c_i + β12·r)                      P(correct | known)
    e0  = σ(a0_ki + β01·c_i + β02·r)                     P(correct | unknown); a0 by kind of item, and by concept
    q   = P·e1 + (1−P)·e0                                the predicted correctness
    P'  = y ? P·e1/q : P·(1−e1)/(1−q)                    Bayes, with e1 at most .97 and e0 at most .5
    P   = P'·(1−F_k) + (1−P')·T_k                        forget and learn, per opportunity
          at most the P before it where y = 0, at least that where y = 1
    c_i += 0.6/(1+0.05·n_i)·(y−q)                        item offset, + is easier
    R   += y − σ(μ_k + c_i);  N += 1

The bound "at most the P before it" applies after a wrong answer. T is the same for every answer, so without the bound P
would drift to the point where learning balances the evidence, and a wrong answer below it would raise P. That point
rises as r falls: a learner who gave up thirty questions in a row went from .18 to .30 of the score. What was learned
from feedback shows at the next right answer. Above that point a right answer would lower P in the same way.

The bounds of e1 and e0 keep an item that everybody answers right from telling nothing: c_i rises with every such answer,
whether those who gave them know the concept or not. Without the bounds e0 went to .9, eleven right answers in a row left
P at .91, below mastery.

Sources: Corbett & Anderson 1995 (knowledge tracing); Pardos & Heffernan 2011 (emission by item), 2010 (prior from
other skills); Pelánek 2016 (a step that shrinks with the number of answers).
"""

import math
from dataclasses import dataclass, replace
from functools import cache

# Slip .10 and guess .08: priors for typed answers, chosen by hand. The scale of the score, and so every threshold
# below, depends on them.
REFERENCE_KNOWN = 0.90
"""Probability (0–1) that somebody who knows the concept answers the reference item right."""
REFERENCE_UNKNOWN = 0.08
"""Probability (0–1) that somebody who does not know it guesses the reference item right."""
# One or two answers move P from .5 to .9 or .1, which would look like knowledge of the learner. Chosen by hand.
ENOUGH_ANSWERS = 3
"""Below this many answers a mastery is not shown as a number."""
# At an item that everybody answers right, one wrong answer takes P from .95 to .57, and a second to .16. Chosen by hand.
SLIPS_AT_LEAST = 0.03
"""Probability (0–1) of a slip that evidence allows for, however easy the item and able the learner."""
# A fair coin: three right answers at such items take P from .5 to .88. Chosen by hand.
GUESSES_AT_MOST = 0.50
"""Probability (0–1) of a right answer without knowing that evidence allows for; a choice of two is guessed as often."""
# P ≥ .939. Two right answers from the prior reach it, hence the minimums below. Courses may set another.
DEFAULT_THRESHOLD = 0.85
"""Mastery score from which a concept counts as mastered."""
# By then three wrong answers have been given, and a lesson helps more than a fourth. Chosen by hand.
QUIZ_STOPS_BELOW = 0.10
"""At or below this probability, before the transition, a quiz stops."""
# .93 is just below the .939 of mastery; from .05 three right answers lead there.
PLACEMENT_FLOOR, PLACEMENT_CEILING = 0.05, 0.93
"""A placement never settles a concept alone: one right answer must follow."""

# One lucky template is no mastery: three answers without help, on two kinds of exercise. Chosen by hand.
MINIMUM_UNASSISTED = 3
MINIMUM_TEMPLATES = 2
# With learning and forgetting per opportunity the score tops out near .882; above this, certainty decides instead.
HIGHEST_SCORE_THRESHOLD = 0.88
# For thresholds that the score cannot reach: five right answers without help and hardly a doubt. Chosen by hand.
CERTAIN_FROM = 0.98
CERTAIN_UNASSISTED = 5

# T/(T+F) of the priors: opportunities without evidence alone lift P no further, whatever was fitted.
PRACTICE_CEILING = 5 / 6

# Eight answers' worth of "average learner", so that the first answers do not swing every concept. Chosen by hand.
RESIDUAL_SHRINKAGE = 8
_ALMOST_NOTHING = 1e-9
# An author's "easy" or "hard" in logits; observed answers soon replace it. Chosen by hand.
_OFFSETS = {"easy": 0.8, "medium": 0.0, "hard": -0.8}
# As REFERENCE_UNKNOWN: a typed answer is seldom guessed.
_CONSTRUCTED_GUESS = 0.08


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillParameters:
    """A concept's parameters: probabilities (0–1) first, then slopes on the logit scale.

    The defaults are priors chosen by hand: AUC .797 and .750 in two simulated worlds. Refits replace them per concept.
    """

    initial: float = 0.50
    learn: float = 0.10
    """T: chance to learn at one opportunity."""
    forget: float = 0.02
    """F: chance to forget at one opportunity."""
    known_base: float = 0.90
    """Chance of a right answer on a medium item for an average learner who knows the concept."""
    unknown_shift: float = 0.0
    """How much easier to guess (+) than their kind says the concept's items are, in logits."""
    mean: float = 1.0
    """μ: logit of the average correctness, against which a learner's ability is measured."""
    prior_by_ability: float = 3.0
    known_by_item: float = 1.5
    known_by_ability: float = 5.0
    unknown_by_item: float = 1.5
    unknown_by_ability: float = 6.0


DEFAULT_SKILL = SkillParameters()


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """The belief about one learner and one concept, and the evidence behind it."""

    probability: float
    """P (0–1), after the transition of the last opportunity."""
    answers: int = 0
    unassisted: int = 0
    templates: frozenset[str] = frozenset()
    """Templates of the unassisted answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AbilityEstimate:
    """One learner over all concepts: the summed surprise R, and the number of answers N behind it."""

    residual: float = 0.0
    answers: int = 0

    @property
    def mean(self) -> float:
        """r = R/(N+8); ±0.3 is typical."""
        return self.residual / (self.answers + RESIDUAL_SHRINKAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class DifficultyOffset:
    """How much easier (+) or harder (−) an item is than the reference, in logits, from how many answers."""

    offset: float = 0.0
    answers: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """The chances (0–1) of a right answer: if known, if unknown, and as predicted from both."""

    probability: float
    """P, before the answer."""
    known: float
    unknown: float
    predicted: float

    @property
    def information(self) -> float:
        """Expected information of the answer about known or unknown, in nats."""
        p = self.probability
        return _entropy(self.predicted) - p * _entropy(self.known) - (1 - p) * _entropy(self.unknown)


@dataclass(frozen=True, slots=True, kw_only=True)
class BeliefUpdate:
    """The effect of one answer. `predicted` and `surprise` (y − q) are None for an assisted answer (no evidence)."""

    belief: Belief
    ability: AbilityEstimate
    item: DifficultyOffset
    predicted: float | None
    surprise: float | None
    before: float
    after: float


def difficulty_offset(difficulty: str) -> float:
    """Return the initial offset, in logits, of an item with the author's difficulty; unknown words are medium."""
    return _OFFSETS.get(difficulty, 0.0)


def guess_chance(kind: str, options: int = 4) -> float:
    """Return the chance (0–1) to be right without knowing.

    `kind` is a kind of question ("numeric", "text", "constructed", "multi", "choice") or "choiceN", which names its own
    number of options. Anything typed counts as constructed; picking several out of `options` is one of 2^options − 1.
    """
    if kind.startswith("choice"):
        return 1 / max(2, int(kind.removeprefix("choice") or options))
    if kind == "multi":
        return max(_CONSTRUCTED_GUESS, 1 / ((1 << max(2, options)) - 1))
    return _CONSTRUCTED_GUESS


def logit(probability: float) -> float:
    """Return a chance (0–1, neither end) on the logit scale."""
    return math.log(probability / (1 - probability))


def mastery_score(probability: float) -> float:
    """Return the expected accuracy (0.08–0.90) on the reference item: the one scale shown and compared."""
    return probability * REFERENCE_KNOWN + (1 - probability) * REFERENCE_UNKNOWN


def known_score(probability: float, *, answers: int) -> float | None:
    """Return the mastery score, or None while there is too little evidence for a number."""
    return mastery_score(probability) if answers >= ENOUGH_ANSWERS else None


def initial_belief(ability: AbilityEstimate | None = None, skill: SkillParameters = DEFAULT_SKILL) -> Belief:
    """Return the belief about a concept never answered: the concept's prior, moved by answers on other concepts."""
    residual = ability.mean if ability else 0.0
    return Belief(probability=_logistic(logit(skill.initial) + skill.prior_by_ability * residual))


def belief_after_placement(marginal: float) -> Belief:
    """Return the belief after a placement gave `marginal` (0–1), clipped so that practice still decides."""
    return Belief(probability=min(PLACEMENT_CEILING, max(PLACEMENT_FLOOR, marginal)))


def predict_answer(
    belief: Belief,
    *,
    ability: AbilityEstimate,
    item: DifficultyOffset,
    kind: str,
    skill: SkillParameters = DEFAULT_SKILL,
) -> Expectation:
    """Return the predicted probability of a right answer, and its parts."""
    p, residual = belief.probability, ability.mean
    known = _logistic(logit(skill.known_base) + skill.known_by_item * item.offset + skill.known_by_ability * residual)
    guessed = _guess_logit(kind) + skill.unknown_shift
    unknown = _logistic(guessed + skill.unknown_by_item * item.offset + skill.unknown_by_ability * residual)
    return Expectation(probability=p, known=known, unknown=unknown, predicted=p * known + (1 - p) * unknown)


def observe(
    belief: Belief,
    *,
    ability: AbilityEstimate,
    item: DifficultyOffset,
    correct: bool,
    kind: str,
    template: str,
    assisted: bool,
    skill: SkillParameters = DEFAULT_SKILL,
) -> BeliefUpdate:
    """Return the effect of one answer.

    Only the first unassisted attempt at an item is evidence; "I don't know" is a wrong one. After a second hint, or at a
    retry, pass `assisted`: the learner had an opportunity to learn, and nothing was measured.
    """
    before = belief.probability
    if assisted:
        after = belief_after_practice(replace(belief, answers=belief.answers + 1), skill)
        return BeliefUpdate(
            belief=after,
            ability=ability,
            item=item,
            predicted=None,
            surprise=None,
            before=before,
            after=after.probability,
        )
    expected = predict_answer(belief, ability=ability, item=item, kind=kind, skill=skill)
    surprise = correct - expected.predicted
    # A step that shrinks with the number of answers (Pelánek 2016); its constants are chosen by hand.
    offset = item.offset + 0.6 / (1 + 0.05 * item.answers) * surprise
    residual = ability.residual + correct - _logistic(skill.mean + offset)
    moved = _transition(_posterior(before, correct=correct, expected=expected), skill)
    after = Belief(
        probability=max(moved, before) if correct else min(moved, before),
        answers=belief.answers + 1,
        unassisted=belief.unassisted + 1,
        templates=belief.templates if template in belief.templates else belief.templates | {template},
    )
    return BeliefUpdate(
        belief=after,
        ability=AbilityEstimate(residual=residual, answers=ability.answers + 1),
        item=DifficultyOffset(offset=offset, answers=item.answers + 1),
        predicted=expected.predicted,
        surprise=surprise,
        before=before,
        after=after.probability,
    )


def belief_after_practice(belief: Belief, skill: SkillParameters = DEFAULT_SKILL) -> Belief:
    """Return the belief after one more opportunity without evidence: a retry, or an explanation explained back.

    It rises to T/(T+F) at most, and not above PRACTICE_CEILING, so that retries alone never reach mastery; it never
    falls.
    """
    moved = min(_transition(belief.probability, skill), PRACTICE_CEILING)
    return replace(belief, probability=max(belief.probability, moved))


def is_mastered(
    belief: Belief, *, threshold: float = DEFAULT_THRESHOLD, skill: SkillParameters = DEFAULT_SKILL
) -> bool:
    """Tell whether the concept is mastered: the score reaches `threshold` (0–1) on enough evidence.

    Enough is 3 unassisted answers on 2 templates. A threshold above 0.88, which the score cannot reach, means P' ≥ .98
    (before the transition) with 5 unassisted answers.
    """
    if belief.unassisted < MINIMUM_UNASSISTED or len(belief.templates) < MINIMUM_TEMPLATES:
        return False
    if threshold > HIGHEST_SCORE_THRESHOLD:
        return belief.unassisted >= CERTAIN_UNASSISTED and _before_transition(belief.probability, skill) >= CERTAIN_FROM
    return mastery_score(belief.probability) >= threshold


def quiz_is_decided(
    belief: Belief, *, threshold: float = DEFAULT_THRESHOLD, skill: SkillParameters = DEFAULT_SKILL
) -> bool:
    """Tell whether a quiz may stop early: mastered (P ≥ .939 on enough evidence at 0.85), or P' ≤ .10 after 3 answers.

    P' is P before the last answer's transition: after it, the chance to have learned keeps P near T.
    """
    if is_mastered(belief, threshold=threshold, skill=skill):
        return True
    unlikely = _before_transition(belief.probability, skill) <= QUIZ_STOPS_BELOW
    return unlikely and belief.unassisted >= MINIMUM_UNASSISTED


def _posterior(probability: float, *, correct: bool, expected: Expectation) -> float:
    known = min(expected.known, 1 - SLIPS_AT_LEAST)
    unknown = min(expected.unknown, GUESSES_AT_MOST)
    if not correct:
        known, unknown = 1 - known, 1 - unknown
    return probability * known / max(probability * known + (1 - probability) * unknown, _ALMOST_NOTHING)


def _transition(probability: float, skill: SkillParameters) -> float:
    return probability * (1 - skill.forget) + (1 - probability) * skill.learn


def _before_transition(probability: float, skill: SkillParameters) -> float:
    return (probability - skill.learn) / (1 - skill.forget - skill.learn)


@cache
def _guess_logit(kind: str) -> float:
    return logit(guess_chance(kind))


def _logistic(logit: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))


def _entropy(probability: float) -> float:
    if not 0 < probability < 1:
        return 0.0
    return -probability * math.log(probability) - (1 - probability) * math.log(1 - probability)
