"""Rows of what is taught, asked, learned, and of who learns together."""

from tutoring.models.classes import Classroom, Membership, Policy, Reading
from tutoring.models.concerns import Concern, Telling
from tutoring.models.curriculum import Concept, Course, CourseWordings
from tutoring.models.parameters import Parameters
from tutoring.models.plans import DiagnosticResult, Goal, KnowledgeGap, Path, Review
from tutoring.models.progress import (
    Ability,
    Cycle,
    ExampleShown,
    ItemOffset,
    Lesson,
    Mastery,
    MasteryChange,
    MisconceptionState,
)
from tutoring.models.questions import Attempt, Question
from tutoring.models.written import WrittenQuestion

__all__ = [
    "Ability",
    "Attempt",
    "Classroom",
    "Concept",
    "Concern",
    "Course",
    "CourseWordings",
    "Cycle",
    "DiagnosticResult",
    "ExampleShown",
    "Goal",
    "ItemOffset",
    "KnowledgeGap",
    "Lesson",
    "Mastery",
    "MasteryChange",
    "Membership",
    "MisconceptionState",
    "Parameters",
    "Path",
    "Policy",
    "Question",
    "Reading",
    "Review",
    "Telling",
    "WrittenQuestion",
]
