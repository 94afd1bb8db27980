"""Placement of a learner on a part of a course with few questions: numbers in, numbers out.

A pool of knowledge states is drawn once for a prerequisite graph (σ is the logistic function, z_sc is 1 where state s
holds concept c), and every answer y weighs it:

    g ~ N(0,1), for four in five of those who call themselves beginners N(−1.5,.8)
    P(c | all it rests on) = σ(1.2 + 1.5·g);  P(c | some of it missing) = leak
    w_s ← w_s·(z_sc ? (1−slip)^y·slip^(1−y) : guess^y·(1−guess)^(1−y))
    m = wᵀZ                                                                the marginals: P(c is known)
    I(c) = H(m(1−slip) + (1−m)·guess) − m·H(slip) − (1−m)·H(guess) − 0.02·asked(c)

The first question is on the goal. Each further one is on the concept of the greatest I: its answer tells most about
the state (Doignon & Falmagne 1985, knowledge spaces). Give it the goal's ancestors and the goal, not the course. Who
says "I know this" is asked about it at most once more.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

from tutoring.mastery.knowledge_tracing import (
    PLACEMENT_CEILING,
    PLACEMENT_FLOOR,
    REFERENCE_KNOWN,
    REFERENCE_UNKNOWN,
    mastery_score,
)
from tutoring.mastery.prerequisites import Requires, all_prerequisites, subgraph, topological_order

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Ending = Literal["settled", "cap", "novice"]
Level = Literal["unknown", "beginner", "intermediate", "advanced"]
RecommendationKind = Literal["remediate", "proceed", "skip_ahead"]

# Adults left longer placements (lowered from 20, 2026-11-26). On the shipped graphs 8 place 91.6 % of the concepts right
# (2026-11-28), 12 with SURE_FROM .955 from 94.2 to 95.4 % (2026-11-29). What is still unsure then, lessons and quizzes find out.
MAX_QUESTIONS: Final = 12
"""Maximum number of questions before a path is proposed, on graphs of fewer than LARGE concepts."""
# Of 30 to 60 concepts 12 questions place 93.2 % right, 20 with a doubt of .04 95.2 %, and 89.9 % instead of 86.6 % where many know
# a concept without what it builds on (2026-11-29). The goals are 94 and 89 % with 20.
LARGE, MAX_QUESTIONS_IF_LARGE, SURE_FROM_IF_LARGE = 30, 20, 0.96
"""Concepts from which a placement has so many questions, and ends so sure."""
# A second answer tells whether the first was a slip or a guess; a third is better spent on another concept.
MAX_PER_CONCEPT: Final = 2
# With .95 one of five shipped graphs missed the goal, 94 % placed right; .96 asks more and places no better (2026-11-29).
SURE_FROM: Final = 0.955
"""Mean of max(m, 1−m) over the concepts at which a placement is settled."""
# Five of six wrong: asking on would be a series of failures. Chosen by hand.
NOVICE_WINDOW, NOVICE_MISSES = 6, 5
"""So many wrong of so many first answers: start at the roots instead of asking on."""
BEGINNERS_WINDOW = BEGINNERS_MISSES = 2
"""The same for self-declared beginners, whose first questions are on early concepts."""
# Lower than KNOWN (.94), since the quizzes of later concepts check it in passing. Chosen by hand.
TAKEN_AS_KNOWN: Final = 0.85
"""Probability (0–1) from which a placed concept is not taught; its next questions still check it."""
# Learners overrate what they know, but seldom by much. Chosen by hand.
CLAIMED_WRONGLY: Final = 0.35
"""Chance (0–1) to say "I know this" without knowing it."""
KNOWN_UNCLAIMED: Final = 0.15
"""Chance (0–1) not to say so in spite of knowing it."""
# Used for wording and in prompts. Chosen by hand.
BEGINNER_BELOW, ADVANCED_FROM = 0.35, 0.75

_SLIP = 1 - REFERENCE_KNOWN
# Raised from 16,000 on 2026-11-22, so that rare states have enough draws. The pool is cached.
_STATES = 40_000
_SEED = 20_231_203
# A concept known without its prerequisites: seldom, but children skip. As a guess (.08); chosen by hand.
_LEAK = 0.08
# Chosen by hand: one in five who say "beginner" is not.
_BEGINNERS_MEAN, _BEGINNERS_SPREAD, _RIGHTLY_BEGINNERS = -1.5, 0.8, 0.8
"""g of true beginners among self-declared ones, and their share (0–1): a level is often misjudged."""
# The prior: after a novice's placement nothing counts as known.
_NOVICE_CEILING = 0.50
# Nats per earlier question: breaks near ties in favor of a new concept. Chosen by hand.
_COST_OF_ASKING_AGAIN = 0.02
# No guess or slip is impossible, so that one answer never rules a state out.
_SELDOM = 0.01
_DOUBTFUL = 0.02
"""Doubt that is left of every recorded probability, so that answers can change it."""
# At most twelve sweeps, fewer if all concepts fit to half a percent. Chosen by hand.
_SWEEPS, _FITS = 12, 0.005


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacementAnswer:
    """One answer of a placement."""

    concept: str
    correct: bool | None
    """None for "I don't know": wrong, and surely no guess."""
    guess: float = REFERENCE_UNKNOWN
    """Chance (0–1) to be right without knowing, see `guess_chance`."""
    slip: float = _SLIP
    """Chance (0–1) to be wrong in spite of knowing."""
    claimed: bool = False
    """The learner said "I know this" instead of an answer."""


def claim_known(concept: str) -> PlacementAnswer:
    """Return "I know this" as an answer: right, and more easily so without knowing it than an answer."""
    return PlacementAnswer(concept=concept, correct=True, guess=CLAIMED_WRONGLY, slip=KNOWN_UNCLAIMED, claimed=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeStatePool:
    """Possible knowledge states and their probabilities."""

    concepts: tuple[str, ...]
    states: "NDArray[np.float32]"
    """One row a concept, one column a state: 1 where it is known, else 0."""
    weights: "NDArray[np.float32]"
    """Prior probability of each state; they sum to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A needed concept that is not known well enough: current and required mastery score (0.08–0.90)."""

    concept: str
    current: float
    required: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommendation:
    """A recommendation after a placement, with concepts in order.

    remediate: prerequisites are missing. proceed: start with the topic. skip_ahead: these are known and need no
    lessons.
    """

    kind: RecommendationKind
    concepts: tuple[str, ...]


def knowledge_pool(requires: Requires, *, level: str = "unknown") -> KnowledgeStatePool:
    """Return the pool of knowledge states over a graph, drawn with a fixed seed; cached.

    `level` is self-declared: "beginner" makes states with little knowledge more frequent; others have no effect.
    """
    graph = subgraph(requires, requires.keys())
    return _drawn(tuple(graph.items()), level == "beginner")


def marginals(
    pool: KnowledgeStatePool,
    answers: Iterable[PlacementAnswer],
    *,
    recorded: Mapping[str, float] = MappingProxyType({}),
) -> dict[str, float]:
    """Return for each concept the probability (0–1) that it is known, after the answers.

    `recorded` are earlier probabilities to start from, clipped to .02–.98. Concepts that the pool does not have are
    ignored.
    """
    row = {concept: number for number, concept in enumerate(pool.concepts)}
    weights = _as_recorded(pool, [(row[each], recorded[each]) for each in recorded if each in row])
    for answer in _without_repeated_claims(answers):
        if answer.concept in row:
            weights = weights * _likelihood(pool.states[row[answer.concept]], answer)
            weights = weights / weights.sum()
    known = pool.states @ weights
    return {concept: min(1.0, float(known[number])) for concept, number in row.items()}


def next_concept(
    known: Mapping[str, float],
    answers: Sequence[PlacementAnswer],
    *,
    guesses: Mapping[str, float],
    slip: float = _SLIP,
    first: str = "",
) -> str | None:
    """Return the concept whose answer is most informative, or None if nothing may be asked any more.

    `known` are the marginals; `guesses` has the concepts with a question, each with its guess probability. A concept is
    asked at most twice, and at most once after the learner has said to know it: then at once. Ties go by the order of
    `known`. `first` is asked first of all, if it has a question.
    """
    asked = Counter(answer.concept for answer in answers)
    open_ones = [concept for concept in known if concept in guesses and _may_ask(concept, answers)]
    preferred = answers[-1].concept if answers and answers[-1].claimed else "" if answers else first
    if preferred in open_ones:
        return preferred
    return max(
        open_ones,
        key=lambda concept: (
            _information(known[concept], guess=guesses[concept], slip=slip) - _COST_OF_ASKING_AGAIN * asked[concept]
        ),
        default=None,
    )


def _may_ask(concept: str, answers: Sequence[PlacementAnswer]) -> bool:
    own = [each for each in answers if each.concept == concept]
    claim = next((number for number, each in enumerate(own) if each.claimed), None)
    return len(own) < MAX_PER_CONCEPT if claim is None else len(own) == claim + 1


def placement_ending(
    known: Mapping[str, float], answers: Sequence[PlacementAnswer], *, level: str = "unknown", goal: str = ""
) -> Ending | None:
    """Return why the placement is over, or None while it goes on.

    `known` are the marginals after the answers, `level` is self-declared. That the goal itself is not known yet makes
    nobody a novice.
    """
    below = [each for each in answers if each.concept != goal]
    is_beginner = level == "beginner"
    window, misses = (BEGINNERS_WINDOW, BEGINNERS_MISSES) if is_beginner else (NOVICE_WINDOW, NOVICE_MISSES)
    if sum(not answer.correct for answer in below[:window]) >= misses:
        return "novice"
    if expected_accuracy(known) >= (SURE_FROM_IF_LARGE if len(known) >= LARGE else SURE_FROM):
        return "settled"
    return "cap" if len(answers) >= max_questions(len(known)) else None


def max_questions(concepts: int) -> int:
    """Return the maximum number of questions of a placement on so many concepts."""
    return MAX_QUESTIONS_IF_LARGE if concepts >= LARGE else MAX_QUESTIONS


def expected_accuracy(known: Mapping[str, float]) -> float:
    """Return the expected share (0.5–1) of concepts that the marginals get right; 1 without any concept."""
    return sum(max(each, 1 - each) for each in known.values()) / len(known) if known else 1.0


def starting_probabilities(known: Mapping[str, float], *, ending: Ending | None = None) -> dict[str, float]:
    """Return the initial probabilities, within .05–.93, so that practice still decides.

    After a placement that ended as "novice" nothing is taken as known: the path starts at the roots.
    """
    ceiling = _NOVICE_CEILING if ending == "novice" else PLACEMENT_CEILING
    return {concept: min(ceiling, max(PLACEMENT_FLOOR, each)) for concept, each in known.items()}


def learner_level(probabilities: Collection[float], *, answers: int) -> Level:
    """Return the level by the mean probability (0–1) over a topic's prerequisites.

    Unknown without `answers`, or for a topic without prerequisites.
    """
    if not answers or not probabilities:
        return "unknown"
    expected = sum(probabilities) / len(probabilities)
    if expected < BEGINNER_BELOW:
        return "beginner"
    return "intermediate" if expected < ADVANCED_FROM else "advanced"


def concept_level(general: Level, *, shown: bool | None, probability: float, young: bool) -> Level:
    """Return the level at which to explain a concept: `general`, held down by what is known about the concept itself.

    `shown` tells whether the last counted answer on the concept was right without help; None if there was none. Only a
    right one leaves the general level as it is: the advanced pieces take the method for granted. `probability` (0–1)
    is the estimate for the concept. Young learners start a new concept with its first pieces.
    """
    if shown:
        return general
    if shown is False or young or probability < BEGINNER_BELOW:
        return "beginner"
    return "intermediate" if general == "advanced" else general


def find_gaps(
    requires: Requires, topic: str, probabilities: Mapping[str, float], *, threshold: float
) -> tuple[Gap, ...]:
    """Return the topic's prerequisites that the learner lacks, in order; `threshold` is a mastery score."""
    below = all_prerequisites(requires, [topic])
    return tuple(
        Gap(concept=concept, current=mastery_score(probabilities.get(concept, 0.0)), required=threshold)
        for concept in topological_order(requires)
        if concept in below and probabilities.get(concept, 0.0) < TAKEN_AS_KNOWN
    )


def recommendations(requires: Requires, topic: str, probabilities: Mapping[str, float]) -> tuple[Recommendation, ...]:
    """Return recommendations for the topic: missing prerequisites, or the topic itself; then what to skip."""
    needed = [
        each for each in topological_order(requires) if each in all_prerequisites(requires, [topic]) or each == topic
    ]
    known = tuple(concept for concept in needed if probabilities.get(concept, 0.0) >= TAKEN_AS_KNOWN)
    missing = tuple(concept for concept in needed if concept not in known and concept != topic)
    found = []
    if missing:
        found.append(Recommendation(kind="remediate", concepts=missing))
    elif topic not in known:
        found.append(Recommendation(kind="proceed", concepts=(topic,)))
    if known:
        found.append(Recommendation(kind="skip_ahead", concepts=known))
    return tuple(found)


@lru_cache(maxsize=16)
def _drawn(graph: tuple[tuple[str, tuple[str, ...]], ...], is_beginner: bool) -> KnowledgeStatePool:
    """Draw the states concept by concept, in topological order, and count equal ones."""
    import numpy as np

    requires = dict(graph)
    rng = np.random.default_rng(_SEED)
    general = rng.standard_normal(_STATES)
    if is_beginner:
        rightly = general[: int(_RIGHTLY_BEGINNERS * _STATES)]
        rightly[:] = _BEGINNERS_MEAN + _BEGINNERS_SPREAD * rightly
    # An average learner knows a reachable concept with probability .77; 1.5 spreads learners widely. Chosen by hand.
    if_ready = 1 / (1 + np.exp(-(1.2 + 1.5 * general)))
    concepts = topological_order(requires)
    column = {concept: number for number, concept in enumerate(concepts)}
    drawn = np.zeros((_STATES, len(concepts)), dtype=bool)
    for number, concept in enumerate(concepts):
        ready = drawn[:, [column[each] for each in requires[concept]]].all(axis=1)
        drawn[:, number] = rng.random(_STATES) < np.where(ready, if_ready, _LEAK)
    _, chosen, counts = np.unique(np.packbits(drawn, axis=1), axis=0, return_index=True, return_counts=True)
    return KnowledgeStatePool(
        concepts=concepts,
        states=np.ascontiguousarray(drawn[chosen].T, dtype=np.float32),
        weights=(counts / _STATES).astype(np.float32),
    )


def _as_recorded(pool: KnowledgeStatePool, recorded: Sequence[tuple[int, float]]) -> "NDArray[np.float32]":
    """Return weights under which each concept has its recorded probability, otherwise close to the pool's.

    Iterative proportional fitting (Deming & Stephan 1940): one concept after the other, until all fit.
    """
    weights = pool.weights
    for _ in range(_SWEEPS if recorded else 0):
        worst = 0.0
        for number, probability in recorded:
            wanted, held = min(1 - _DOUBTFUL, max(_DOUBTFUL, probability)), float(pool.states[number] @ weights)
            worst = max(worst, abs(wanted - held))
            if 0 < held < 1:
                if_known, if_not = wanted / held, (1 - wanted) / (1 - held)
                weights = weights * (if_not + (if_known - if_not) * pool.states[number])
                weights = weights / weights.sum()
        if worst < _FITS:
            break
    return weights


def _without_repeated_claims(answers: Iterable[PlacementAnswer]) -> Iterator[PlacementAnswer]:
    """Yield the answers; who says "I know this" twice about a concept says no more than once."""
    claimed: set[str] = set()
    for answer in answers:
        if not (answer.claimed and answer.concept in claimed):
            yield answer
        claimed |= {answer.concept} if answer.claimed else set()


def _likelihood(known: "NDArray[np.float32]", answer: PlacementAnswer) -> "NDArray[np.float32]":
    """Return the likelihood of the answer in each state; `known` is the concept's row."""
    guess = 0.0 if answer.correct is None else min(1 - _SELDOM, max(_SELDOM, answer.guess))
    slip = min(1 - _SELDOM, max(_SELDOM, answer.slip))
    if_known, if_not = (1 - slip, guess) if answer.correct else (slip, 1 - guess)
    return if_not + (if_known - if_not) * known


def _information(probability: float, *, guess: float, slip: float) -> float:
    """Return the expected information of an answer about known or unknown, in nats."""
    right = probability * (1 - slip) + (1 - probability) * guess
    return _entropy(right) - probability * _entropy(slip) - (1 - probability) * _entropy(guess)


def _entropy(probability: float) -> float:
    if not 0 < probability < 1:
        return 0.0
    return -probability * math.log(probability) - (1 - probability) * math.log(1 - probability)
