"""A course as it is asked where programs cannot run."""

from dataclasses import replace

from tutoring.courses.catalogue import ConceptContent, CourseContent, LessonPiece, Template


def runs_programs(course: CourseContent) -> bool:
    """Tell whether any exercise of the course is graded by running a program."""
    return any(each.runs_programs for concept in course.concepts for each in (*concept.templates, *concept.steps))


def without_programs(course: CourseContent) -> CourseContent:
    """Return the course without exercises that are graded by running a program.

    The piece of a lesson that asks one asks another exercise of its concept instead, to choose from if there is one; a
    piece is left out if there is none. A concept that has no other exercises keeps its own.
    """
    return replace(course, concepts=tuple(map(_without, course.concepts))) if runs_programs(course) else course


def _without(concept: ConceptContent) -> ConceptContent:
    left = tuple(each for each in concept.templates if not each.runs_programs)
    others = [each for each in left if each.kind == "choice"] or list(left)
    taken: dict[str, Template] = {}

    def kept(pieces: tuple[LessonPiece, ...]) -> tuple[LessonPiece, ...]:
        found = []
        for piece in pieces:
            if piece.step is None or not piece.step.runs_programs:
                found.append(piece)
            elif others:
                other = taken.setdefault(piece.id, others[len(taken) % len(others)])
                found.append(replace(piece, step=other, question=other.stem))
        return tuple(found)

    pieces = {level: kept(each) for level, each in concept.pieces.items()}
    return replace(concept, templates=left or concept.templates, pieces=pieces, examples=kept(concept.examples))
