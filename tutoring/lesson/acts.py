"""What a message in a lesson does: the names that decisions, moves and roles share."""

from typing import Literal

Act = Literal[
    "",
    # Says something of the matter.
    "idea_said", "idea_partly", "misconception", "wrong", "unjudged", "late_right", "claim",
    # Asks, or wants help.
    "question", "calculation", "system", "answer_demand", "hint_request", "does_not_know", "stuck",
    "example", "other_picture", "drawing",
    # Leads.
    "go_on", "quiz_request", "resume", "skip", "abandon", "goodbye", "harder", "known", "moved",
    # Is said as people say things.
    "greeting", "thanks", "small_talk", "feeling", "joy", "insult", "nonsense", "off_topic", "contest", "tutor_corrected",
    # Cannot be read.
    "other",
]  # fmt: skip
"""What a role replies to; empty for a turn without a message."""
