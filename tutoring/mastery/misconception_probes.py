"""Which exercise tells suspected misconceptions apart."""

from collections.abc import Callable, Collection, Iterable

from tutoring.courses.catalogue import CourseContent, Template
from tutoring.courses.exercises.exercise import Exercise
from tutoring.courses.exercises.generator import make_exercise
from tutoring.mastery.misconception_evidence import count_separated

DRAWN = 3
"""Exercises drawn of each template."""


def discriminating_exercise(
    templates: Iterable[Template],
    candidates: Collection[str],
    *,
    course: CourseContent,
    seeds: Callable[[int], int],
    preferred: Callable[[Exercise], float],
) -> Exercise | None:
    """Return the exercise in which the most of the candidates' wrong answers differ; None where none tells any apart.

    `seeds` gives the seed of each draw; of equals the more `preferred` is taken, then the first.
    """
    probing = [each for each in templates if set(candidates) & set(each.misconceptions)]
    drawn = [make_exercise(each, seed=seeds(number), course=course) for each in probing for number in range(DRAWN)]
    best = max(drawn, key=lambda each: (count_separated(each.wrong, candidates), preferred(each)), default=None)
    return best if best is not None and count_separated(best.wrong, candidates) else None
