"""How soon and how well learners are placed."""

from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING

from bench.teaching.graphs import Graph, knowledge, random_graph
from bench.teaching.stated_levels import stated_level
from tutoring.mastery.placement import (
    KnowledgeStatePool,
    Level,
    PlacementAnswer,
    knowledge_pool,
    marginals,
    next_concept,
    placement_ending,
)

if TYPE_CHECKING:
    import numpy as np

    type _Case = tuple[Level, KnowledgeStatePool, dict[str, bool], np.random.Generator]

GUESS, SLIP = 0.20, 0.10
# With 4 graphs the number of questions to 95 % on 30 concepts was 18 to 24 by the seed (2026-11-29).
GRAPHS, LEARNERS = 16, 40
LONGEST = 24
"""Questions after which the search for 95 % is given up."""


def questions_needed(size: int, *, leak: float, seed: int) -> dict[float, int]:
    """Return after how many questions 90 and 95 % of the concepts are placed right, on random graphs of `size`.

    One more than were asked where it never is.
    """
    curves = [
        [_accuracy(likely, knows) for likely, _ in islice(_questions(pool, knows, rng), LONGEST + 1)]
        for _, pool, knows, rng in _cases(size, leak=leak, seed=seed, states_level=False)
    ]
    means = [fmean(accuracies) for accuracies in zip(*curves, strict=True)]
    return {
        wanted: next((number for number, mean in enumerate(means) if mean >= wanted), LONGEST + 1)
        for wanted in (0.90, 0.95)
    }


def placement_accuracy(size: int, *, leak: float, seed: int, states_level: bool = False) -> tuple[float, float]:
    """Return the share of concepts placed right when the rules end the placement, and after how many questions.

    With `states_level` the learners have stated one, right or wrong, before.
    """
    return _ends(_cases(size, leak=leak, seed=seed, states_level=states_level))


def accuracy_on_graph(graph: Graph, *, leak: float, seed: int) -> tuple[float, float]:
    """Return the same as `placement_accuracy` for learners of one graph."""
    import numpy as np

    rng = np.random.default_rng((seed, len(graph)))
    return _ends(_cases_on(graph, rng, Random(seed), leak=leak, states_level=False, learners=GRAPHS * LEARNERS))


def _ends(cases: "Iterator[_Case]") -> tuple[float, float]:
    ends = [
        next(
            (_accuracy(likely, knows), len(answers))
            for likely, answers in _questions(pool, knows, rng)
            if placement_ending(likely, answers, level=level)
        )
        for level, pool, knows, rng in cases
    ]
    return fmean(accuracy for accuracy, _ in ends), fmean(number for _, number in ends)


def _cases(size: int, *, leak: float, seed: int, states_level: bool) -> "Iterator[_Case]":
    """Yield the learners of random graphs."""
    import numpy as np

    rng, states = np.random.default_rng((seed, size)), Random(f"{seed}:{size}:level")
    for _ in range(GRAPHS):
        yield from _cases_on(
            random_graph(size, rng), rng, states, leak=leak, states_level=states_level, learners=LEARNERS
        )


def _cases_on(
    graph: Graph, rng: "np.random.Generator", states: Random, *, leak: float, states_level: bool, learners: int
) -> "Iterator[_Case]":
    """Yield each learner: the level they state, the pool of their graph, what they know, and their own chance."""
    for row in knowledge(graph, rng, learners=learners, leak=leak):
        knows = dict(zip(graph, map(bool, row), strict=True))
        level = stated_level(knows, states) if states_level else "unknown"
        yield level, knowledge_pool(graph, level=level), knows, rng


def _questions(
    pool: KnowledgeStatePool, knows: Mapping[str, bool], rng: "np.random.Generator"
) -> Iterator[tuple[dict[str, float], list[PlacementAnswer]]]:
    """Yield what is believed, and all answers, after each question, beginning with none."""
    answers: list[PlacementAnswer] = []
    guesses = dict.fromkeys(knows, GUESS)
    while True:
        likely = marginals(pool, answers)
        yield likely, answers
        concept = next_concept(likely, answers, guesses=guesses, slip=SLIP)
        assert concept
        right = bool(rng.random() < (1 - SLIP if knows[concept] else GUESS))
        answers.append(PlacementAnswer(concept=concept, correct=right, guess=GUESS, slip=SLIP))


def _accuracy(likely: Mapping[str, float], knows: Mapping[str, bool]) -> float:
    return fmean((likely[concept] > 0.5) == known for concept, known in knows.items())
