"""Which exercise tells suspected misconceptions apart."""

from collections.abc import Callable, Collection, Iterable

from tutoring.courses.catalogue import Course, Template
from tutoring.courses.generating import instance
from tutoring.courses.instances import Instance
from tutoring.rules.misconceptions import told_apart

DRAWN = 3
"""Exercises drawn of each template."""


def discriminating(
    templates: Iterable[Template],
    candidates: Collection[str],
    *,
    course: Course,
    seeds: Callable[[int], int],
    preferred: Callable[[Instance], float],
) -> Instance | None:
    """Return the exercise in which the most of the candidates' wrong answers differ; None where none tells any apart.

    `seeds` gives the seed of each draw; of equals the more `preferred` is taken, then the first.
    """
    probing = [each for each in templates if set(candidates) & set(each.misconceptions)]
    drawn = [instance(each, seed=seeds(number), course=course) for each in probing for number in range(DRAWN)]
    best = max(drawn, key=lambda each: (told_apart(each.wrong, candidates), preferred(each)), default=None)
    return best if best is not None and told_apart(best.wrong, candidates) else None
