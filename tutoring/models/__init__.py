"""Models of courses, questions, progress and classes."""

from tutoring.models.answer_tallies import AnswerTally
from tutoring.models.assignments import Assignment, AssignmentWork, LiveQuiz, QuizItem, WorkQuestion
from tutoring.models.authored_courses import AuthoredCourse, AuthoredVersion
from tutoring.models.class_messages import ClassMessage
from tutoring.models.class_reports import GuardianAccess, ReportSubscription
from tutoring.models.classes import AccessLog, ClassGroup, Classroom, Membership, Policy
from tutoring.models.concerns import Concern, ConcernNotice
from tutoring.models.contests import Contest
from tutoring.models.course_imports import CourseImport
from tutoring.models.course_readings import CourseReading
from tutoring.models.courses import Concept, Course, CourseOwner, CourseWordings
from tutoring.models.document_courses import DocumentCourse
from tutoring.models.estimator_parameters import Parameters
from tutoring.models.goals import DiagnosticResult, Goal, KnowledgeGap, Path, Review
from tutoring.models.grade_changes import GradeChange
from tutoring.models.help_marks import HelpMark
from tutoring.models.insights import InsightPeriod, LearningInsight
from tutoring.models.learning_records import LearningRecord
from tutoring.models.planner import (
    CalendarEvent,
    Meal,
    Note,
    PlannerChange,
    PlannerSettings,
    Task,
    WebhookDelivery,
    Workspace,
)
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
from tutoring.models.pupil_records import MilestoneWithdrawal, PupilNote
from tutoring.models.questions import Attempt, Question
from tutoring.models.reminders import Reminder
from tutoring.models.rosters import CoTeacherInvite, RosterAccount
from tutoring.models.study_settings import StudySettings
from tutoring.models.withdrawn_questions import ClearedSuspicion, QuestionReport, WithdrawnQuestion
from tutoring.models.written_questions import WrittenQuestion

__all__ = [
    "Ability",
    "AccessLog",
    "AnswerTally",
    "Assignment",
    "AssignmentWork",
    "Attempt",
    "AuthoredCourse",
    "AuthoredVersion",
    "CalendarEvent",
    "ClassGroup",
    "ClassMessage",
    "Classroom",
    "ClearedSuspicion",
    "CoTeacherInvite",
    "Concept",
    "Concern",
    "ConcernNotice",
    "Contest",
    "Course",
    "CourseImport",
    "CourseOwner",
    "CourseReading",
    "CourseWordings",
    "Cycle",
    "DiagnosticResult",
    "DocumentCourse",
    "ExampleShown",
    "Goal",
    "GradeChange",
    "GuardianAccess",
    "HelpMark",
    "InsightPeriod",
    "ItemOffset",
    "KnowledgeGap",
    "LearningInsight",
    "LearningRecord",
    "Lesson",
    "LiveQuiz",
    "Mastery",
    "MasteryChange",
    "Meal",
    "Membership",
    "MilestoneWithdrawal",
    "MisconceptionState",
    "Note",
    "Parameters",
    "Path",
    "PlannerChange",
    "PlannerSettings",
    "Policy",
    "PupilNote",
    "Question",
    "QuestionReport",
    "QuizItem",
    "Reminder",
    "ReportSubscription",
    "Review",
    "RosterAccount",
    "StudySettings",
    "Task",
    "WebhookDelivery",
    "WithdrawnQuestion",
    "WorkQuestion",
    "Workspace",
    "WrittenQuestion",
]
