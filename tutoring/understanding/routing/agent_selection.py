"""Selects the agent for a message: by the team's rules, else by its examples and the message's intents.

If neither is certain, the tutor asks. `manage.py route` asks a model instead, if one is connected (`tutoring.roles.coordinator`).
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from django.utils.translation import gettext_lazy as _

from agents.routing.decision import RoutingDecision, RoutingReasons, RoutingThresholds
from agents.routing.features import OUT_OF_SCOPE
from agents.routing.router import route_message
from tutoring.understanding.message_analysis import Intent
from tutoring.understanding.parsing.spelling_cleanup import tidy_text
from tutoring.understanding.routing.rules import NEW_CONVERSATION, RULES, RoutingSituation

EXAMPLES = Path(__file__).parent / "examples.yaml"
# .35 and .4 on the old scale; converted when the calibration was fixed (2026-11-23), so that the same messages stay
# unsure. Lower, the team acts on guesses; higher, it asks back about plain wishes.
THRESHOLDS = RoutingThresholds(sure=0.43, surely_nothing=0.46)
# The middle of a long message is mostly a story or a task. Chosen by hand.
HEAD, TAIL = 240, 160
"""Characters at both ends of a long message that are classified."""
REASONS = RoutingReasons(
    sounds_like={
        "diagnostic": _("The message seems to be about a new topic or goal."),
        "quiz": _("The message sounds like a request for questions."),
        "feedback": _("The message sounds like a question about earlier answers."),
        "pathplanner": _("The message sounds like a question about what comes next."),
        "tutor": _("The message sounds like a question about the topic."),
        None: _("The message asks for something the team doesn’t do."),
    },
    asks=("tutor", _("The message isn’t clear, so the tutor asks what it means.")),
)
SERVES: Mapping[Intent, str] = {
    "change_topic": "diagnostic", "goal": "diagnostic", "ask_quiz": "quiz", "progress": "feedback", "plan": "pathplanner",
    "off_topic": OUT_OF_SCOPE, "question_content": "tutor", "calculate": "tutor", "idea": "tutor", "ask_hint": "tutor",
    "ask_example": "tutor", "ask_answer": "tutor",
}  # fmt: skip
"""Intent → agent that gets its vote. Other intents, such as `answer`, say nothing about the agent."""


def select_agent(
    text: str, *, situation: RoutingSituation = NEW_CONVERSATION, intents: Iterable[tuple[Intent, float]] = ()
) -> RoutingDecision:
    """Return the agent for a message with these `intents`, each with its probability (0–1).

    Takes any text, in under 50 ms; 2 s once per process.
    """
    votes: dict[str, float] = {}
    for intent, probability in intents:
        if intent in SERVES:
            votes[SERVES[intent]] = votes.get(SERVES[intent], 0.0) + probability
    return route_message(
        tidy_text(text if len(text) <= HEAD + TAIL else f"{text[:HEAD]} {text[-TAIL:]}"),
        rules=RULES,
        situation=situation,
        examples=EXAMPLES,
        thresholds=THRESHOLDS,
        reasons=REASONS,
        votes=votes,
    )
