"""Rows of what is taught, asked, learned, and of who learns together."""

from tutoring.models.classes import Classroom, Membership, Policy, Reading
from tutoring.models.curriculum import Concept, Course
from tutoring.models.progress import (
    Ability,
    Cycle,
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
    "Course",
    "Cycle",
    "ItemOffset",
    "Lesson",
    "Mastery",
    "MasteryChange",
    "Membership",
    "MisconceptionState",
    "Policy",
    "Question",
    "Reading",
    "WrittenQuestion",
]
