"""A planned path: its steps, gaps and reviews."""

from dataclasses import dataclass

from tutoring.courses.catalogue import ConceptContent, CourseContent
from tutoring.mastery.learning_path import PathStep


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedPath:
    """The way from where the learner stands to their goals in a course."""

    course: CourseContent
    goals: tuple[ConceptContent, ...]
    steps: tuple[PathStep, ...]
    following: PathStep | None
    """What comes next; None where nothing is left."""
    others: tuple[PathStep, ...] = ()
    """Lessons that could begin as well."""
    known: tuple[ConceptContent, ...] = ()
    """What the goals rest on and is mastered, in order."""
    put_aside: tuple[ConceptContent, ...] = ()
    """What the learner does without, in course order."""
    reordered: bool = False
    """The learner wanted something first."""

    def step(self, concept_id: str) -> PathStep | None:
        return next((step for step in self.steps if step.concept == concept_id), None)
