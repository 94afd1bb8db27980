"""The earlier messages that go into a prompt, and the summary of those that are left out."""

from dataclasses import dataclass

from agents.conf import agent_settings
from agents.engine.history import prompt_history
from agents.engine.roles import ChatMessage
from conversations.summaries.records import PromptSummary, summary_for_prompt
from tutoring.dialogue.queries.turn_rows import TurnRows


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptHistory:
    """What a prompt is told of the conversation so far."""

    messages: tuple[ChatMessage, ...]
    """Oldest first."""
    summary: PromptSummary
    """Empty if no message is left out."""


def load_prompt_history(rows: TurnRows) -> PromptHistory:
    """Return the messages for a turn's prompts; one query more if some are left out."""
    lines = rows.lesson_lines
    messages = [ChatMessage(author="learner" if each.author == "learner" else "team", text=each.text) for each in lines]
    kept = prompt_history(messages, keep=agent_settings().prompt_messages)
    left_out = len(messages) - len(kept)
    if not left_out:
        return PromptHistory(messages=kept, summary=PromptSummary())
    # The first message is kept: the last one that is left out has this index.
    last = lines[left_out].turn.number
    return PromptHistory(messages=kept, summary=summary_for_prompt(rows.turn.session, left_out_to=last))
