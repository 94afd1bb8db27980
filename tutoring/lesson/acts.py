"""Acts: what a message in a lesson does. Decisions, moves and roles share these names."""

from typing import Literal

Act = Literal[
    "",
    # Statements about the topic.
    "idea_said", "idea_partly", "misconception", "wrong", "unjudged", "compared", "ventured", "late_right", "claim",
    # Questions and requests for help.
    "question", "calculation", "system", "answer_demand", "hint_request", "does_not_know", "stuck",
    "example", "other_picture", "drawing",
    # Steering the lesson.
    "go_on", "quiz_request", "resume", "skip", "abandon", "goodbye", "harder", "known", "moved",
    # Conversation.
    "greeting", "thanks", "small_talk", "feeling", "joy", "insult", "nonsense", "off_topic", "contest", "tutor_corrected",
    # Unreadable.
    "other",
]  # fmt: skip
"""What a role replies to; empty for a turn without a message."""
