"""The teaching roles, one a file; registering them makes them known to the engine."""

from agents.registry import register_role
from tutoring.roles import feedback, question_checker, question_writer, quiz, tutor

for role in (tutor.ROLE, quiz.ROLE, feedback.ROLE, question_writer.ROLE, question_checker.ROLE):
    register_role(role)
