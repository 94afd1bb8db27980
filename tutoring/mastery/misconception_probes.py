"""Selects the exercise that separates suspected misconceptions."""

from collections.abc import Callable, Collection, Iterable

from tutoring.courses.catalogue import CourseContent, Template
from tutoring.courses.exercises.exercise import Exercise
from tutoring.courses.exercises.generator import make_exercise
from tutoring.mastery.misconception_evidence import count_separated

# Numbers decide whether two malrules give different answers; three draws usually find such numbers. By hand.
DRAWN = 3
"""Exercises drawn of each template."""


def discriminating_exercise(
    templates: Iterable[Template],
    candidates: Collection[str],
    *,
    course: CourseContent,
    seeds: Callable[[int], int],
    fits: Callable[[Exercise], bool],
    preferred: Callable[[Exercise], float],
) -> Exercise | None:
    """Return the exercise on which most of the candidates' wrong answers differ; None if none separates any.

    `seeds` gives the seed of each draw, `fits` tells which may be asked; ties go to the more `preferred`, then the first.
    """
    probing = [each for each in templates if set(candidates) & set(each.misconceptions)]
    drawn = [make_exercise(each, seed=seeds(number), course=course) for each in probing for number in range(DRAWN)]
    drawn = [each for each in drawn if fits(each)]
    best = max(drawn, key=lambda each: (count_separated(each.wrong, candidates), preferred(each)), default=None)
    return best if best is not None and count_separated(best.wrong, candidates) else None
