"""Feedback: looks back on the quiz, names what was found, and says whether the lesson goes round once more."""

from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from agents.events import HandedOff
from agents.prompts import prompt_file
from agents.roles import Plan, Request, Role
from tutoring import cycle as cycles
from tutoring import mastery
from tutoring.cycle import cycle_from_json, cycle_to_json
from tutoring.facts import LessonFacts
from tutoring.misconceptions import strongest
from tutoring.roles import lobby
from tutoring.roles.turns import FeedbackTurn
from tutoring.speech import Part, speech


def plan(request: Request) -> Plan:
    """Close the cycle: mastered, once more, or on to another plan after five."""
    facts: LessonFacts = request.facts
    closed = cycles.close(cycle_from_json(request.state["cycle"]), mastered=facts.mastered)
    right, asked = sum(facts.quiz_marks), len(facts.quiz_marks)
    patterns = error_patterns(facts)
    text = "\n\n".join((looking_back(right, asked), *(pattern["suggested_remediation"] for pattern in patterns)))
    if facts.mastered:
        parts, following = mastered(facts), closed
    elif closed.needs_plan:
        parts, following = spent(facts), closed
    else:
        parts, following = once_more(facts), cycles.loop_again(closed)
    state: dict[str, Any] = {
        "cycle": cycle_to_json(following),
        "learning_cycle_count": closed.number,
        "quiz_score": right / asked if asked else 0.0,
        "error_patterns": patterns,
        "feedback_text": text,
        "improvement_areas": [pattern["description"] for pattern in patterns],
        "next_topic": facts.next_concept.id if facts.mastered and facts.next_concept else "",
    }
    result = FeedbackTurn(
        mastered=facts.mastered, right=right, asked=asked, cycle=closed.number, next_concept=state["next_topic"]
    )
    return Plan(say=speech(text, *parts, turn_id=facts.turn_id), result=result, state=state)


def looking_back(right: int, asked: int) -> str:
    """Return the quiz in a sentence; the numbers are counted, not judged."""
    return ngettext(
        "That was %(asked)d question: %(right)d right at the first try.",
        "That was %(asked)d questions: %(right)d right at the first try.",
        asked,
    ) % {"asked": asked, "right": right}


def error_patterns(facts: LessonFacts) -> list[dict[str, Any]]:
    """Return the patterns behind the mistakes, in the fields of design document 003; at most the strongest one."""
    held = strongest(facts.suspicions)
    misconception = facts.misconception(held.id) if held else None
    if held is None or misconception is None or facts.concept.id not in misconception.concepts:
        return []
    return [
        {
            "pattern_type": misconception.kind,
            "description": misconception.says,
            "affected_questions": list(facts.missed_questions),
            "suggested_remediation": misconception.correct_idea,
        }
    ]


def mastered(facts: LessonFacts) -> tuple[Part, ...]:
    own = facts.beliefs[facts.concept.id]
    said = _(
        "Your answers are enough evidence: *%(concept)s* is yours, at %(score)s from %(answers)d answers. "
        "You can open each of them under My progress."
    ) % {
        "concept": facts.concept.title,
        "score": f"{mastery.mastery_score(own.probability):.2f}",
        "answers": own.answers,
    }
    if facts.next_concept is None:
        return (said, _("That was the last lesson of this course."))
    card = lobby.concept_card(facts.course, facts.next_concept, turn_id=facts.turn_id)
    return (said, _("Here is what could come next."), card)


def once_more(facts: LessonFacts) -> tuple[Part, ...]:
    handover = HandedOff(from_agent="feedback", to="tutor", reason=_("The evidence is not enough yet."))
    return (_("That is not enough to be sure yet. Let us look at it another way."), handover)


def spent(facts: LessonFacts) -> tuple[Part, ...]:
    """Suggest another plan after five cycles: the weakest prerequisite first."""
    beliefs = facts.beliefs
    weakest = min(facts.concept.requires, key=lambda each: beliefs[each].probability, default=None)
    if weakest is None:
        return (_("We have gone round five times. A break, and a person to talk it over with, will help more now."),)
    concept = facts.course.concept(weakest)
    said = _("We have gone round five times. What carries this is *%(concept)s*; a look back there helps more now.")
    card = lobby.concept_card(facts.course, concept, turn_id=facts.turn_id)
    return (said % {"concept": concept.title}, card)


ROLE = Role(
    name="feedback",
    label=gettext_lazy("Feedback"),
    purpose=gettext_lazy("looks back on the quiz"),
    plan=plan,
    prompt=prompt_file(Path(__file__).parent.parent / "prompts" / "feedback.md"),
    result=FeedbackTurn,
    writes=frozenset(
        {
            "cycle",
            "learning_cycle_count",
            "quiz_score",
            "error_patterns",
            "feedback_text",
            "improvement_areas",
            "next_topic",
        }
    ),
    speaks=True,
    on_failure="abort",
)
