"""Checks that a course must pass before it is loaded: sound graph, enough exercises, fair hints, plain words."""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from tutoring.courses.catalogue import ConceptContent, CourseContent
from tutoring.courses.checks.exercise_trials import SEEDS, check_templates
from tutoring.courses.checks.style import check_wording
from tutoring.courses.files.course_builder import BuiltCourse
from tutoring.courses.files.faults import CourseFaults, Fault
from tutoring.courses.files.loader import read_course
from tutoring.courses.files.source_locations import SourceLocations

# Practice, a quiz and a review each need fresh templates, and none comes twice in three questions. Chosen by hand.
MIN_TEMPLATES = 6
# A quiz has at least three questions. Other people's questions are often fewer, and all to be chosen from.
MIN_IMPORTED = 3
# A teacher's own course has at least as many as a quiz.
MIN_SMALL = 3


def load_checked_course(folder: Path, *, seeds: int = SEEDS) -> BuiltCourse:
    """Return the folder's course after all checks. Raises CourseFaults with every fault."""
    built = read_course(folder)
    if faults := find_course_faults(built, seeds=seeds):
        raise CourseFaults(faults)
    return built


def find_course_faults(built: BuiltCourse, *, seeds: int = SEEDS) -> tuple[Fault, ...]:
    """Return the faults of a readable course, in no particular order; each template is tried `seeds` times."""
    course, places = built.course, built.places
    return (
        *_check_graph(course, places),
        *_check_amounts(course, places),
        *_check_milestones(course, places),
        *check_wording(course, places),
        *check_templates(course, places, seeds=seeds),
    )


def _check_graph(course: CourseContent, places: SourceLocations) -> Iterator[Fault]:
    circles = {concept.id: circle for concept in course.concepts if (circle := _circle(course, concept))}
    for name, circle in circles.items():
        shown = ", ".join(each.title for each in circle)
        yield places.fault(
            ("concept", name), f"{name} is its own prerequisite, in the circle: {shown}", at=("requires",)
        )
    if not circles and not any(concept.goal for concept in course.concepts):
        yield places.fault(("course",), "no concept is marked as a goal")
    for concept in course.concepts:
        needed = any(concept.id in other.requires for other in course.concepts)
        if not needed and not concept.goal and not concept.retired:
            yield places.fault(
                ("concept", concept.id),
                f"{concept.id} leads nowhere: it is neither a goal nor required by another concept",
            )


def _circle(course: CourseContent, concept: ConceptContent) -> tuple[ConceptContent, ...]:
    """Return the concepts of the shortest circle in which this one needs itself, beginning with it; empty if it does not."""
    known = {each.id: each for each in course.concepts}
    ways: list[tuple[ConceptContent, ...]] = [(concept,)]
    seen = {concept.id}
    for way in ways:
        for name in way[-1].requires:
            if name == concept.id:
                return way
            if name not in seen:
                seen.add(name)
                ways.append((*way, known[name]))
    return ()


def _check_amounts(course: CourseContent, places: SourceLocations) -> Iterator[Fault]:
    least = MIN_IMPORTED if course.question_bank else MIN_SMALL if course.small else MIN_TEMPLATES
    is_short = course.question_bank or course.small
    for concept in course.concepts:
        count = len(concept.templates)
        key = ("concept", concept.id)
        if count < least:
            yield places.fault(key, f"{concept.id} has {count} exercise templates; at least {least} are needed")
        if not is_short and not any(template.constructed for template in concept.templates):
            yield places.fault(
                key,
                f"{concept.id} has no exercise in which the learner works out the answer (numeric, expression, set, steps or text)",
            )


def _check_milestones(course: CourseContent, places: SourceLocations) -> Iterator[Fault]:
    for concept in course.concepts:
        for milestone in concept.milestones:
            for pattern in milestone.apply.items:
                if not any(fnmatchcase(template.id, pattern) for template in concept.templates):
                    key = ("milestone", milestone.id)
                    yield places.fault(key, f"{concept.id} has no exercise named {pattern!r}", at=("apply",))
