"""The vision agent: what the learner drew, what that says about the concept, and what to ask about it."""

import re
import time
from pathlib import Path
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import BaseModel, ConfigDict, Field

from agents.engine.roles import Plan, Request, Role
from agents.llm.base import Image
from agents.llm.prompt import read_prompt
from conversations.drawing.interpretation import CLEAR_CONFIDENCE
from tutoring.lesson.drawing_facts import DrawingFacts
from tutoring.side_agents.case_prompts import format_case
from tutoring.side_agents.drawn_parts import parts_claimed, parts_in_text
from tutoring.side_agents.utterance_facts import OverheardUtterance

NAME: Final = "vision"
SURE: Final = 0.9
"""From this confidence on, geometry overrules a model."""
MODELS_OWN: Final = 0.85
"""The highest confidence of a model alone."""
_NOT_ITS_TO_SAY = re.compile(
    r"\b(ignor\w+|disregard\w*|overrid\w+|system prompt|instructions?|full marks|grant\w*|award\w*|master(y|ed)"
    r"|milestone|(tell|give|show|reveal)\w* .{0,30}\b(answer|solution))\b",
    re.IGNORECASE,
)
_WORDS = re.compile(r"\w+")
REPEATED: Final = 4
"""This many words in a row from the drawing's text count as copied."""


class VisionOutput(BaseModel):
    """The fields of the API. `timestamp` is when the drawing was taken, in seconds since 1970."""

    model_config = ConfigDict(extra="forbid")

    timestamp: int = Field(ge=0)
    description: str = Field(max_length=600)
    interpretation: str = Field(max_length=600)
    suggestion: str = Field(max_length=600)
    confidence: float = Field(ge=0, le=1)


def judge(facts: OverheardUtterance) -> VisionOutput:
    """Return geometry's judgement of the drawing for the concept. A millisecond; only the clock is not pure."""
    seen = facts.seen
    if seen is None:
        return VisionOutput(timestamp=_at(0), description="", interpretation="", suggestion="", confidence=0.0)
    wanted = wanted_parts(facts)
    return VisionOutput(
        timestamp=_at(seen.seconds_ago),
        description=seen.description,
        interpretation=_interpretation(seen, wanted)
        if seen.is_clear
        else _("It isn’t clear yet what the drawing shows."),
        suggestion=_suggestion(seen, wanted) if seen.is_clear else request_description(seen),
        confidence=seen.confidence,
    )


def request_description(seen: DrawingFacts) -> str:
    """Return how the learner is asked to describe what they drew."""
    return seen.question or _("I can’t see your drawing clearly. Tell me in words: what did you draw?")


def _at(seconds_ago: float) -> int:
    return max(0, int(time.time() - seconds_ago))


def wanted_parts(facts: OverheardUtterance) -> int | None:
    """Return how many equal parts it is about: in the learner's words, the milestone's, the concept's."""
    milestone = facts.milestone
    texts = (
        facts.text,
        f"{milestone.title} {milestone.ask}" if milestone else "",
        facts.concept.title,
        facts.concept.id,
    )
    return next(filter(None, map(parts_in_text, texts)), None)


def _interpretation(seen: DrawingFacts, wanted: int | None) -> str:
    told = {"count": seen.count, "wanted": wanted}
    if seen.equal is None:
        if wanted and seen.count == 1:
            return (
                _("The drawing shows one whole that isn’t cut. The lesson is about %(wanted)s parts of the same size.")
                % told
            )
        return _("The drawing has no parts to compare.")
    if not seen.shares:
        if seen.equal:
            return (
                _("The drawing shows %(count)s shapes. In the shapes that are cut, the parts are the same size.") % told
            )
        return (
            _("The drawing shows %(count)s shapes. In the shapes that are cut, the parts are not the same size.") % told
        )
    if wanted is None:
        same = (
            _("The %(count)s parts are the same size.")
            if seen.equal
            else _("The %(count)s parts are not the same size.")
        )
        return same % told
    if seen.count != wanted:
        if seen.equal:
            return _("The drawing shows %(count)s parts of the same size, but the lesson is about %(wanted)s.") % told
        return (
            _("The drawing shows %(count)s unequal parts, but the lesson is about %(wanted)s of the same size.") % told
        )
    if seen.equal:
        return _("The drawing shows %(count)s parts of the same size, as in the lesson.") % told
    return _("The drawing shows %(count)s unequal parts, but they should be the same size.") % told


def _suggestion(seen: DrawingFacts, wanted: int | None) -> str:
    """Return a question that gives nothing away."""
    if seen.equal is None:
        if seen.count == 1:
            return _("Ask: “Where would you cut it, and why there?”")
        return _("Ask: “What does your drawing show?”")
    if not seen.equal:
        return _("Guide them toward comparing the sizes: “How could you compare your parts with each other?”")
    if not seen.shares:
        return _("Ask: “What does your drawing show?”")
    if wanted and seen.count != wanted:
        return _("Guide them toward counting the parts: “How many parts did you make, and how many did you want?”")
    return _("Ask for the reason: “How do you know that they are the same size?”")


def case_background(facts: OverheardUtterance, own: VisionOutput) -> str:
    """Return the case as text for a model; what the learner said or wrote is data."""
    seen, milestone = facts.seen, facts.milestone
    if seen is None:
        return ""
    case = {
        "concept": facts.concept.title,
        "milestone": milestone.title if milestone else "",
        "asked": milestone.ask if milestone else "",
        "said_by_the_learner": facts.text,
        "written_on_the_drawing": seen.text,
        "found_by_geometry": _geometry(seen, own),
        "timestamp": own.timestamp,
    }
    return format_case(case)


def _geometry(seen: DrawingFacts, own: VisionOutput) -> dict[str, Any]:
    return {
        "description": seen.description,
        "parts": seen.count,
        "shares": [round(share, 2) for share in seen.shares],
        "equal": seen.equal,
        "confidence": own.confidence,
    }


def combined(facts: OverheardUtterance, own: VisionOutput, told: VisionOutput) -> tuple[VisionOutput, str]:
    """Return geometry's judgement and a model's merged, and why the model's was rejected ("" if it was not)."""
    seen = facts.seen
    if seen is None:
        return own, "nothing was drawn"
    if reason := _objection(seen, told):
        return own, reason
    both = (own.confidence + told.confidence) / 2
    confidence = both if own.confidence >= CLEAR_CONFIDENCE else min(MODELS_OWN, told.confidence)
    suggestion = told.suggestion if confidence >= CLEAR_CONFIDENCE else request_description(seen)
    return told.model_copy(
        update={"timestamp": own.timestamp, "confidence": round(confidence, 3), "suggestion": suggestion}
    ), ""


def _objection(seen: DrawingFacts, told: VisionOutput) -> str:
    """Return why a model's judgement is not believed, in a few words; empty if it is."""
    words = " ".join((told.description, told.interpretation, told.suggestion))
    if not told.description.strip():
        return "no description"
    if _NOT_ITS_TO_SAY.search(words):
        return "it says something that it must not say"
    if _repeats(words, seen.text):
        return "it repeats what is written on the drawing"
    if seen.confidence < SURE:
        return ""
    count, equal = parts_claimed(told.description)
    if seen.equal is not None and equal not in (None, seen.equal):
        return "contradicts the geometry: the sizes"
    if seen.shares and seen.count > 1 and count not in (None, seen.count):
        return "contradicts the geometry: the count"
    return ""


def _repeats(words: str, written: str) -> bool:
    said, there = (_WORDS.findall(text.casefold()) for text in (words, written))
    runs = {tuple(said[start : start + REPEATED]) for start in range(len(said) - REPEATED + 1)}
    return any(tuple(there[start : start + REPEATED]) in runs for start in range(len(there) - REPEATED + 1))


def _plan(request: Request) -> Plan:
    """Show a model the picture, if there is one; otherwise geometry's judgement stands."""
    facts: OverheardUtterance = request.facts
    own = judge(facts)
    if facts.seen is None or not facts.seen.picture:
        return Plan(result=own)
    picture = Image(media_type="image/webp" if facts.seen.photo else "image/png", data=facts.seen.picture)
    return Plan(background=case_background(facts, own), images=(picture,))


ROLE = Role(
    name=NAME,
    label=gettext_lazy("Vision"),
    purpose=gettext_lazy("Works out what drawings and pictures show."),
    plan=_plan,
    prompt=read_prompt(Path(__file__).parents[1] / "prompts" / f"{NAME}.md"),
    result=VisionOutput,
    tier="vision",
    timeout_s=8.0,
)
