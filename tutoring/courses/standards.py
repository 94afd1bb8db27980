"""Codes of teaching standards, such as 3.NF.A.1, that a course names for its concepts."""

from tutoring.courses.catalogue import ConceptContent, CourseContent


def standard_codes(course: CourseContent) -> tuple[str, ...]:
    """Return the codes of a course's concepts, each once, sorted."""
    return tuple(sorted({code for concept in course.concepts for code in concept.standards}))


def concepts_with_standard(course: CourseContent, code: str) -> tuple[ConceptContent, ...]:
    """Return the concepts with this code or one below it: `3.NF` finds 3.NF.A.1. In course order; none for no code."""
    wanted = code.strip().rstrip(".").lower()
    return tuple(concept for concept in course.concepts if any(_is_within(own, wanted) for own in concept.standards))


def _is_within(own: str, wanted: str) -> bool:
    return bool(wanted) and f"{own.lower()}.".startswith(f"{wanted}.")
