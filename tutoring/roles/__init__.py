"""The teaching roles, one a file; registering them makes them known to the engine."""

from agents.registry import register_role
from tutoring.roles import feedback, quiz, tutor

for role in (tutor.ROLE, quiz.ROLE, feedback.ROLE):
    register_role(role)
