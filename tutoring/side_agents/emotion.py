"""The emotional state classifier: estimates how it is going from the learner's words, answers and hints.

A weak guess. It changes the next step a little, is never told to the learner as a fact, and what they say overrides it.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Literal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import BaseModel, ConfigDict, Field

from agents.engine.roles import Plan, Request, Role
from agents.llm.prompt import read_prompt
from tutoring.lesson.moves import UPSET_FROM
from tutoring.mastery.turn_evidence import LearnerTurn
from tutoring.side_agents.affect import (
    MEASURE_BY_SELF_REPORT,
    MEASURES,
    Action,
    Affect,
    AffectLevels,
    choose_action,
    estimate_affect,
)
from tutoring.side_agents.affect_signs import WINDOW
from tutoring.side_agents.case_prompts import format_case, quotes_in
from tutoring.side_agents.utterance_facts import OverheardUtterance

NAME: Final = "emotion"
AFFECT_FLAG: Final = "affect"
"""The flag of estimating how it is going for the learner."""
# Between the baseline (.1) and UPSET_FROM (.6). Chosen by hand.
SLIGHT: Final = 0.35
"""The level from which a measure counts as slight."""
# A model alone never lifts a level from the baseline to UPSET_FROM.
SHIFT: Final = 0.25
"""How much a model may shift a level at most."""
# A tenth is within a model's own scatter. Chosen by hand.
AGREES: Final = 0.1
"""The difference up to which a model agrees."""
# Over the window of five turns this is a quarter of the scale. Chosen by hand.
CHANGING: Final = 0.05
"""Change of a level per turn from which it is no longer stable."""
SHOWN_CHARS: Final = 300
INDICATORS: Final = 8
# "no" or "3/4" show no mood, and a model would guess one.
FEWEST_WORDS: Final = 2
"""Fewest words of a message that a model is asked about."""

_SLIGHTLY: Final = {
    "frustration": "engaged_slight_frustration",
    "confusion": "engaged_slight_confusion",
    "boredom": "slight_boredom",
}
_LIKELY: Final = {"frustration": "likely_frustrated", "confusion": "likely_confused", "boredom": "likely_bored"}


class EmotionOutput(BaseModel):
    """The fields of the API, the two other levels, and their confidence; levels from 0 to 1."""

    model_config = ConfigDict(extra="forbid")

    current_state: str = Field(max_length=60)
    engagement_level: float = Field(ge=0, le=1)
    frustration_level: float = Field(ge=0, le=1)
    confusion_level: float = Field(ge=0, le=1)
    boredom_level: float = Field(ge=0, le=1)
    confusion_indicators: list[str] = Field(max_length=12)
    """What was seen or said, for any of the measures."""
    trend: Literal["improving", "stable", "worsening"]
    recommendation: str = Field(max_length=400)
    confidence: float = Field(ge=0, le=1)
    wanted: Action = ""
    """What the next turn should do about it; decided by code alone."""


def learner_affect(facts: OverheardUtterance) -> Affect:
    """Return the estimate for the learner. Pure; under a millisecond."""
    read = facts.analysis
    mood, sure = (read.mood, read.mood_probability) if read else ("ok", 0.0)
    turns = facts.exchanges or (LearnerTurn(text=facts.text, mood=mood, sure=sure, correct=facts.correct),)
    return estimate_affect(
        turns, mastery=facts.mastery, attempts=facts.milestone_attempts, self_report=facts.self_report
    )


def judge(facts: OverheardUtterance) -> EmotionOutput:
    """Return the fields of the API. Pure, see `felt`."""
    return output_of(learner_affect(facts), mastery=facts.mastery)


def output_of(affect: Affect, *, mastery: float | None = None) -> EmotionOutput:
    """Return the estimate as the fields of the API."""
    action = choose_action(affect, mastery or 0.0)
    levels = {name: getattr(affect, name) for name in MEASURES}
    return EmotionOutput(
        current_state=f"says_{affect.self_report}" if affect.self_report else _state(levels),
        engagement_level=round(affect.engagement, 3),
        frustration_level=round(affect.frustration, 3),
        confusion_level=round(affect.confusion, 3),
        boredom_level=round(affect.boredom, 3),
        confusion_indicators=list(affect.indicators),
        trend=_trend(affect),
        recommendation=_recommendation(levels, action),
        confidence=round(_confidence(affect), 3),
        wanted=action,
    )


def _state(levels: dict[str, float]) -> str:
    """Return a soft name for the strongest measure."""
    most = max(levels, key=levels.__getitem__)
    if levels[most] >= UPSET_FROM:
        return _LIKELY[most]
    return _SLIGHTLY[most] if levels[most] >= SLIGHT else "engaged"


def _trend(affect: Affect) -> Literal["improving", "stable", "worsening"]:
    changes = [affect.trend[name] for name in MEASURES]
    if max(map(abs, changes)) < CHANGING:
        return "stable"
    # All measures are of what goes badly: a rise is worse.
    return "worsening" if max(changes) >= -min(changes) else "improving"


def _recommendation(levels: dict[str, float], action: Action) -> str:
    match action:
        case "simplify":
            return _(
                "This one is tricky: take a smaller step, work something out together, and offer a choice of how to "
                "continue."
            )
        case "ask_attempt":
            return _("Before the next hint, ask them to try the question and say what they think.")
        case "represent":
            return _("Words alone aren’t enough here: show it another way, as a picture or a table.")
        case "break_choice":
            return _("They may know this already: offer something harder, something different, or a break.")
        case "hint_soon":
            return _("Continue at the current pace, and offer a hint now.")
    if max(levels["confusion"], levels["frustration"]) >= SLIGHT:
        return _("Continue at the current pace, and offer a hint if the next attempt fails.")
    if levels["boredom"] >= SLIGHT:
        return _("Keep it short, and ask something new.")
    return _("Continue at the current pace.")


def _confidence(affect: Affect) -> float:
    """Return how sure the state is: little is known after a turn or two."""
    if affect.self_report:
        return 0.95
    most = max(affect.frustration, affect.confusion, affect.boredom)
    sure = most if most >= UPSET_FROM else 1 - most
    # From .6 of it after one turn to all of it over the whole window.
    return sure * (0.5 + 0.1 * min(WINDOW, len(affect.history)))


def case_background(facts: OverheardUtterance, own: EmotionOutput) -> str:
    """Return the case as text for a model; the learner's words are data."""
    case = {
        "turns_oldest_first": [
            {"said": turn.text[:SHOWN_CHARS], "mood": turn.mood, "correct": turn.correct, "hints": turn.hints}
            for turn in facts.exchanges[-WINDOW:]
        ],
        "attempts_on_the_milestone": facts.milestone_attempts,
        "measured_by_rules": own.model_dump(),
    }
    return format_case(case)


def combined(facts: OverheardUtterance, own: EmotionOutput, told: EmotionOutput) -> tuple[EmotionOutput, str]:
    """Return code's judgement and a model's merged, and why the model's was rejected ("" if it was not).

    A model shifts a level halfway to its own, by 0.25 at most, and only for something the learner did or said.
    """
    if facts.self_report in MEASURE_BY_SELF_REPORT:
        return own, "the learner has said how it is going"
    grounded = [each for each in told.confusion_indicators if _is_grounded(each, facts, own)]
    theirs = {name: getattr(told, f"{name}_level") for name in MEASURES}
    ours = {name: getattr(own, f"{name}_level") for name in MEASURES}
    if not grounded:
        says_the_same = all(abs(theirs[name] - ours[name]) <= AGREES for name in MEASURES)
        return own, "" if says_the_same else "not based on anything that the learner said or did"
    levels: dict[str, Any] = {
        name: ours[name] + max(-SHIFT, min(SHIFT, (theirs[name] - ours[name]) / 2)) for name in MEASURES
    }
    indicators = tuple(dict.fromkeys((*own.confusion_indicators, *grounded)))[:INDICATORS]
    affect = learner_affect(facts)
    # The latest levels are shifted too: an action depends on how long a level has lasted.
    history = (*affect.history[:-1], AffectLevels(**levels, gaming=affect.gaming, proven=affect.proven))
    shifted = replace(affect, **levels, indicators=indicators, history=history)
    return output_of(shifted, mastery=facts.mastery), ""


def _is_grounded(indicator: str, facts: OverheardUtterance, own: EmotionOutput) -> bool:
    """Tell whether it was measured, or quotes what the learner wrote in these turns."""
    if _flat(indicator) in map(_flat, own.confusion_indicators):
        return True
    written = [_flat(turn.text) for turn in facts.exchanges[-WINDOW:]]
    quotes = quotes_in(indicator, least=2) or [indicator]
    return any(len(quote) > 1 and any(quote in text for text in written) for quote in map(_flat, quotes))


def _flat(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").split()).strip(" .")


def _plan(request: Request) -> Plan:
    """Ask a model if none has read the words yet, and the learner has not said in one tap how it is going."""
    facts: OverheardUtterance = request.facts
    own = judge(facts)
    if facts.self_report in MEASURE_BY_SELF_REPORT or facts.is_read_by_model or len(facts.text.split()) < FEWEST_WORDS:
        return Plan(result=own)
    return Plan(background=case_background(facts, own))


ROLE = Role(
    name=NAME,
    label=gettext_lazy("Emotional state classifier"),
    purpose=gettext_lazy("Notices when a step may be too big or too small."),
    prompt=read_prompt(Path(__file__).parents[1] / "prompts" / f"{NAME}.md"),
    result=EmotionOutput,
    tier="fast",
    timeout_s=8.0,
    plan=_plan,
    flag=AFFECT_FLAG,
)
