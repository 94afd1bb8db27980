"""The teaching roles, one per file; importing this package registers them with the engine."""

from agents.engine.registry import register_role
from tutoring.roles import (
    care,
    coordinator,
    diagnostic,
    feedback,
    passage_questions,
    path_planner,
    question_checker,
    question_writer,
    quiz,
    tutor,
)

TEAM = (coordinator.ROLE, tutor.ROLE, quiz.ROLE, feedback.ROLE, diagnostic.ROLE, path_planner.ROLE)

for role in (*TEAM, care.ROLE, question_writer.ROLE, question_checker.ROLE, passage_questions.ROLE):
    register_role(role)
