"""Registers the roles of the panel and of the round table with the engine. Collaborators are rows, not roles of the registry."""

from agents.engine.registry import register_role
from conversations.panel.roles import analysis, conversation, research, synthesis, vision
from conversations.round_table import initiator, summary

for role in (
    conversation.ROLE,
    analysis.ROLE,
    research.ROLE,
    vision.ROLE,
    synthesis.ROLE,
    initiator.ROLE,
    summary.ROLE,
):
    register_role(role)
