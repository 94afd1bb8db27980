"""How well the rules of teaching do with simulated learners: placement, mastery, the path, wrong ideas, the whole loop.

Every run gives the same figures.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean

from bench.report import Gate, Report

SEED = 1
SIZES = (30, 45, 60)
ANSWERS, LEARNERS = 2_000, 600
COURSE_LEARNERS = 100
PLACED_WRONG = ((0.03, 0.06, 0.045), (0.10, 0.11, 0.09))
"""Chance to know a concept without what it builds on; the share that may be placed wrong at most, and at best."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TeachingFigure:
    """Something measured, the less the better: what it has to be at most, if anything, and what would be better still."""

    name: str
    seen: float
    beat: float | None = None
    stretch: float | None = None


def run() -> Report:
    # Its threads would wait for each other longer than they work.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    figures = [*_placement(), *_courses(), *_mastery(), *_path(), *_wrong_ideas(), *_loop()]
    return Report(
        title="simulated learners; of all figures, the less the better",
        rows={each.name: _row(each) for each in figures},
        gates=tuple(
            Gate(claim=each.name, seen=each.seen, at_most=each.beat) for each in figures if each.beat is not None
        ),
    )


def _row(figure: TeachingFigure) -> dict[str, float]:
    goals = {"beat": figure.beat, "stretch": figure.stretch}
    return {"seen": figure.seen} | {name: goal for name, goal in goals.items() if goal is not None}


def _placement() -> Iterator[TeachingFigure]:
    from bench.teaching.placement import placement_accuracy, questions_needed

    for size in SIZES:
        needed = questions_needed(size, leak=0.03, seed=SEED)
        yield TeachingFigure(name=f"G5 questions to 90 %, {size} concepts", seen=needed[0.90], beat=12, stretch=10)
        yield TeachingFigure(name=f"G5 questions to 95 %, {size} concepts", seen=needed[0.95], beat=22, stretch=18)
    for leak, beat, stretch in PLACED_WRONG:
        ends = [placement_accuracy(size, leak=leak, seed=SEED) for size in SIZES]
        wrong = 1 - fmean(accuracy for accuracy, _ in ends)
        yield TeachingFigure(
            name=f"G6 share placed wrong at the end, leak {leak:.2f}", seen=wrong, beat=beat, stretch=stretch
        )
        asked = fmean(questions for _, questions in ends)
        yield TeachingFigure(name=f"G6 questions until then, leak {leak:.2f}", seen=asked, beat=20)
        stated = [placement_accuracy(size, leak=leak, seed=SEED, states_level=True) for size in SIZES]
        wrong = 1 - fmean(accuracy for accuracy, _ in stated)
        yield TeachingFigure(
            name=f"G6 the same where a level is stated, leak {leak:.2f}", seen=wrong, beat=beat, stretch=stretch
        )
        asked = fmean(questions for _, questions in stated)
        yield TeachingFigure(name=f"G6 questions where a level is stated, leak {leak:.2f}", seen=asked, beat=20)


def _courses() -> Iterator[TeachingFigure]:
    """Yield how well learners are placed on the graphs of the shipped courses, and how far it is to the last goal."""
    import numpy as np

    from bench.teaching.goal_paths import LEAK, Tutor, cases_of, through_the_syllabus, to_the_goals
    from bench.teaching.graphs import SHIPPED, course_graph, knowledge
    from bench.teaching.placement import accuracy_on_graph

    for name in SHIPPED:
        graph = course_graph(name)
        for leak, beat, stretch in PLACED_WRONG:
            accuracy, asked = accuracy_on_graph(graph, leak=leak, seed=SEED)
            figure = f"G6 share placed wrong, leak {leak:.2f}, {name}"
            yield TeachingFigure(name=figure, seen=1 - accuracy, beat=beat, stretch=stretch)
            yield TeachingFigure(name=f"G6 questions until then, leak {leak:.2f}, {name}", seen=asked, beat=20)
        rows = knowledge(graph, np.random.default_rng(SEED), learners=COURSE_LEARNERS, leak=LEAK)
        taken, syllabus, reached = 0, 0, 0
        for case in cases_of(graph, [list(graph)[-1]], rows, seed=f"{SEED}:{name}"):
            tutor, other = Tutor(pupil=case.pupil()), Tutor(pupil=case.pupil())
            to_the_goals(tutor, case.goals, level=case.level)
            through_the_syllabus(other, case.goals)
            taken, syllabus = taken + tutor.asked, syllabus + other.asked
            reached += all(tutor.pupil.known[goal] for goal in case.goals)
        yield TeachingFigure(
            name=f"G7 share that does not reach the last goal, {name}", seen=1 - reached / COURSE_LEARNERS, beat=0.01
        )
        yield TeachingFigure(name=f"G7 questions, of the whole syllabus's, {name}", seen=taken / syllabus)


def _mastery() -> Iterator[TeachingFigure]:
    from tests.tutoring.simulated_learners import calibration_error, cohort

    many = cohort(learners=LEARNERS, seed=SEED)
    yield TeachingFigure(name="G3 share of false mastery", seen=many.false_mastery, beat=0.04, stretch=0.03)
    yield TeachingFigure(name="G3 answers to mastery", seen=many.answers_to_mastery, beat=8.0, stretch=7.5)
    early, later = many.predictions[:ANSWERS], many.predictions[ANSWERS:]
    yield TeachingFigure(
        name="G4 calibration error after 2,000 answers", seen=calibration_error(later), beat=0.05, stretch=0.03
    )
    yield TeachingFigure(name="G4 calibration error of the first 2,000", seen=calibration_error(early))


def _path() -> Iterator[TeachingFigure]:
    from bench.teaching.goal_paths import COHORTS as learners
    from bench.teaching.goal_paths import questions_over_days, questions_to_goals
    from bench.teaching.graphs import REACH

    for name in learners:
        taken = questions_to_goals(name, seed=SEED)
        whole, up_to_goals = (taken["path"] / taken[other] for other in ("syllabus", "up to the goals"))
        yield TeachingFigure(name=f"G7 questions, of the whole syllabus's, {name}", seen=whole, beat=0.60, stretch=0.55)
        yield TeachingFigure(
            name=f"G7 the same of what the goals need, {name}", seen=taken["what is needed"] / taken["syllabus"]
        )
        yield TeachingFigure(name=f"G7 questions, of the syllabus's up to the goals, {name}", seen=up_to_goals)
        over_days = questions_over_days(name, seed=SEED) / taken["path"]
        yield TeachingFigure(
            name=f"G7 questions with looks back over days, of those on one day, {name}", seen=over_days
        )
        denser = questions_to_goals(name, seed=SEED, reach=REACH)
        for way in ("path", "what is needed"):
            yield TeachingFigure(name=f"G7 denser graphs, {way}, {name}", seen=denser[way] / denser["syllabus"])


def _wrong_ideas() -> Iterator[TeachingFigure]:
    from bench.contenders import temporary_django

    temporary_django.prepare_django()
    from tests.tutoring.misconception_learners import wrong_answers_needed

    took = list(wrong_answers_needed().values())
    late = sum(missed is None or missed > 2 for missed in took) / len(took)
    yield TeachingFigure(name="G12 share not known after 2 wrong answers", seen=late, beat=0.05, stretch=0.02)


def _loop() -> Iterator[TeachingFigure]:
    from bench.teaching.learning_gains import gains_on_course, gains_on_graphs

    for name, (ours, fixed) in {
        "the shipped course, 60 questions": gains_on_course(questions=60, seed=SEED),
        "40 concepts, 100 questions": gains_on_graphs(questions=100, seed=SEED),
    }.items():
        yield TeachingFigure(
            name=f"G17 the fixed loop's gain, of ours: {name}", seen=fixed / ours, beat=0.8, stretch=0.714
        )
