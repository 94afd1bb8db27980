"""Registers the roles of the panel with the engine."""

from agents.engine.registry import register_role
from conversations.panel.roles import analysis, conversation, research, synthesis, vision

for role in (conversation.ROLE, analysis.ROLE, research.ROLE, vision.ROLE, synthesis.ROLE):
    register_role(role)
