"""Which agent of the team a message is for: by its rules, else by its examples and the message's intents.

Where neither is certain a model is asked, if the learner may use one (`tutoring.roles.coordinator`), else the tutor asks.
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
THRESHOLDS = RoutingThresholds(sure=0.43, surely_nothing=0.46)
HEAD, TAIL = 240, 160
"""Characters of a long message that are read: what is wanted stands at one of its ends."""
REASONS = RoutingReasons(
    sounds_like={
        "diagnostic": _("Sounds like a new topic or goal."),
        "quiz": _("Sounds like a wish for questions."),
        "feedback": _("Sounds like a question about own answers."),
        "pathplanner": _("Sounds like a question about the way ahead."),
        "tutor": _("Sounds like a question about the matter."),
        None: _("Sounds like nothing the team does."),
    },
    asks=("tutor", _("Not clear what is wanted: the tutor asks.")),
)
SERVES: Mapping[Intent, str] = {
    "change_topic": "diagnostic", "goal": "diagnostic", "ask_quiz": "quiz", "progress": "feedback", "plan": "pathplanner",
    "off_topic": OUT_OF_SCOPE, "question_content": "tutor", "calculate": "tutor", "idea": "tutor", "ask_hint": "tutor",
    "ask_example": "tutor", "ask_answer": "tutor",
}  # fmt: skip
"""Whose a message is by what it does; what is not here, an answer say, tells nothing of that."""


def select_agent(
    text: str, *, situation: RoutingSituation = NEW_CONVERSATION, intents: Iterable[tuple[Intent, float]] = ()
) -> RoutingDecision:
    """Return which agent serves a message, which may do what `intents` say, each with its probability (0–1).

    Takes any text, in under 50 ms, but for 2 s once in a process.
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
