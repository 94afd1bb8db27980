"""How much more a learner gains by the product's loop than by a fixed one, from equally many questions."""

from collections.abc import Iterable
from statistics import fmean

from bench.teaching.goal_paths import LEAK, Case, cases_of, follow, place, random_cases
from bench.teaching.graphs import course_graph, knowledge
from bench.teaching.simulated_learners import BANK, SimulatedLearner, Tutor
from tutoring.courses.quiz_limits import MAXIMUM_CYCLES
from tutoring.mastery.knowledge_tracing import DEFAULT_THRESHOLD, mastery_score
from tutoring.mastery.prerequisites import all_prerequisites, topological_order

QUIZ = 5
"""Questions of each of the fixed loop's quizzes."""
LEARNERS = 160


def gains_on_course(*, questions: int, seed: int) -> tuple[float, float]:
    """Return what the post-test gains (0–0.82) on the shipped course: by the product's loop, and by the fixed one."""
    import numpy as np

    graph = course_graph()
    goals = sorted(set(graph).difference(*graph.values()))
    rows = knowledge(graph, np.random.default_rng(seed), learners=LEARNERS, leak=LEAK)
    return _gains(cases_of(graph, goals, rows, seed=str(seed)), questions=questions)


def gains_on_graphs(*, questions: int, seed: int) -> tuple[float, float]:
    """Return the same on random graphs of 40 concepts with two goals."""
    return _gains(random_cases("mixed", seed=seed), questions=questions)


def _gains(cases: Iterable[Case], *, questions: int) -> tuple[float, float]:
    gained: tuple[list[float], list[float]] = ([], [])
    for case in cases:
        for loop, gains in zip((_whole_loop, _fixed_loop), gained, strict=True):
            tutor = Tutor(pupil=case.pupil(), budget=questions)
            before = _test(case, tutor.pupil)
            loop(tutor, case)
            gains.append(_test(case, tutor.pupil) - before)
    return fmean(gained[0]), fmean(gained[1])


def _whole_loop(tutor: Tutor, case: Case) -> None:
    place(tutor, case.goals, level=case.level)
    follow(tutor, case.goals)


def _fixed_loop(tutor: Tutor, case: Case) -> None:
    """Explain and ask five questions, the same in each quiz, up to five times; then, or at 85 %, the next concept."""
    for concept in topological_order(case.graph):
        for _ in range(MAXIMUM_CYCLES):
            tutor.explain(concept)
            right = [tutor.pupil.answers(concept, *BANK[number]) for number in range(QUIZ)]
            tutor.asked += QUIZ
            if sum(right) >= DEFAULT_THRESHOLD * QUIZ or not tutor.may_ask:
                break
        if not tutor.may_ask:
            return


def _test(case: Case, pupil: SimulatedLearner) -> float:
    """Return the expected score (0.08–0.90) of a test on all that the goals need."""
    needed = all_prerequisites(case.graph, case.goals).union(case.goals)
    return fmean(mastery_score(float(pupil.known[concept])) for concept in needed)
