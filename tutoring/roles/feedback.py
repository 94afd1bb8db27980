"""The feedback role: reviews the quiz, names what was found, and says whether the lesson has another round."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from agents.engine.events import HandedOff
from agents.engine.roles import Plan, Request, Role, Wording
from agents.llm.prompt import read_prompt
from tutoring.lesson import cycle as cycles
from tutoring.lesson import state as lesson_state
from tutoring.lesson.cycle import LearningCycle
from tutoring.lesson.facts import LessonFacts
from tutoring.lesson.moves import Move, MoveSituation, decide_move
from tutoring.lesson.session_state import ErrorPattern
from tutoring.lesson.state import LessonState, lesson_to_json
from tutoring.lesson.turn_results import ConceptGap, FeedbackTurn, spoke_before
from tutoring.mastery import milestones
from tutoring.output_checks.counted_numbers import numbers_in_text
from tutoring.output_checks.output_policy import find_policy_problem
from tutoring.roles.explanation import lesson_endings
from tutoring.roles.quizzes import error_patterns, progress_report
from tutoring.roles.speech import prompt_background
from tutoring.roles.speech.answer_guard import MOST_WORDS
from tutoring.roles.speech.composition import SpeechPart, compose_speech, hand_to_planner
from tutoring.roles.wording import phrases, renderer
from tutoring.roles.wording.example_replies import example_replies_for

SUMMARY_EXAMPLES = """\
Good summaries. They show tone and length; the words and the numbers have to be those of this quiz:
- “You answered all of them on the first try, and each time you compared before you decided.”
- “Most of these went well. The ones that were hard share one idea, and it is worth another look.”
- “That was a hard round. You kept trying, and now we know exactly where to look.”"""
"""Examples that a model is shown for its look back."""


def plan(request: Request) -> Plan:
    """Look back if asked to, or close the cycle: mastered, another round, or another plan after the last."""
    facts: LessonFacts = request.facts
    lesson = lesson_state.lesson_state(request.state)
    return (
        _closing(facts, lesson, request) if lesson.cycle.state == "feedback_analysing" else progress_report.plan(facts)
    )


def _closing(facts: LessonFacts, lesson: LessonState, request: Request) -> Plan:
    round_now, on_detour = lesson.cycle.round, bool(lesson.cycle.detour)
    closed = cycles.close_cycle(lesson.cycle, mastered=facts.mastered)
    returns = on_detour and (facts.mastered or closed.detour_is_spent)
    right, asked = sum(facts.quiz_marks), len(facts.quiz_marks)
    found = error_patterns.find_error_patterns(facts)
    patterns = [each.model_dump() for each in found]
    told = " ".join(part for part in (summary_text(right, asked, facts), improvement_text(facts)) if part)
    text = "\n\n".join((told, *remaining_difficulties(facts, found)))
    next_topic = facts.next_concept.id if facts.mastered and facts.next_concept and not on_detour else ""
    sums_up = facts.mastered and not on_detour and not facts.concept.steps
    asks = decide_move(MoveSituation(cycle_ended=True)) if sums_up else None
    result = FeedbackTurn(
        mastered=facts.mastered,
        right=right,
        asked=asked,
        concept=facts.concept.id,
        cycle=round_now,
        spent=closed.needs_plan,
        next_concept=next_topic,
        asks=asks.id if asks else "",
        gaps=tuple(ConceptGap(concept=facts.concept.id, words=each.description) for each in found if each.is_gap),
        spoke=True,
        elsewhere=returns,
    )
    state: dict[str, Any] = {
        lesson_state.LESSON_KEY: lesson_to_json(next_lesson_state(lesson, closed, facts, returns=returns)),
        "learning_cycle_count": closed.number,
        "error_patterns": patterns,
        "feedback_text": text,
        "improvement_areas": [pattern["description"] for pattern in patterns],
    }
    if returns:
        parts = (*lesson_endings.return_from_detour(facts, mastered=facts.mastered), hand_back(facts))
    else:
        parts = closing_parts(facts, asks, spent=closed.needs_plan, all_right=0 < asked == right)
    said = compose_speech(
        summary_wording(text, facts), *parts, turn_id=facts.turn_id, after=spoke_before(request.results.values())
    )
    return Plan(
        say=said, background=prompt_background.lesson_background(facts), result=result, state=state, waits=returns
    )


def next_lesson_state(lesson: LessonState, closed: LearningCycle, facts: LessonFacts, *, returns: bool) -> LessonState:
    """Return the lesson state after its closed cycle: back from a detour, on to its ideas, or another round."""
    if returns:
        return lesson_state.leave_detour_state(lesson)
    if facts.mastered and facts.concept.steps:
        return replace(lesson, cycle=closed, explaining="", tries=0)
    if facts.mastered:
        unsaid = milestones.unsaid_milestones(facts.concept.milestones, said=lesson.said)
        return replace(lesson, cycle=closed, explaining=unsaid[0].id if unsaid else lesson_state.WHOLE_CONCEPT, tries=0)
    return replace(lesson, cycle=closed if closed.needs_plan else cycles.loop_again(closed))


def summary_wording(text: str, facts: LessonFacts) -> Wording:
    """Return the look back for a model to word: only with the counted numbers, and no claims of its own."""
    return Wording(
        words=text,
        task=f"Look back on the quiz, with just these facts: «{text}»\nAsk nothing.",
        guard=partial(find_problem, counted=numbers_in_text(text)),
        most_words=MOST_WORDS,
    )


def find_problem(text: str, *, counted: frozenset[Fraction]) -> str:
    """Return in one word why a model's look back must not be shown; empty if it may be."""
    return find_policy_problem(text, questions=0) if numbers_in_text(text) <= counted else "number"


def remaining_difficulties(facts: LessonFacts, patterns: Sequence[ErrorPattern]) -> list[str]:
    """Return what caused this round's mistakes while the concept is not mastered; a gap by its name."""
    if facts.mastered:
        return []
    return [renderer.unless_told(pattern_text(each), facts) for each in patterns if each.affected_questions][:1]


def pattern_text(pattern: ErrorPattern) -> str:
    """Return a pattern in a sentence or two: what several mistakes have in common, or the idea behind one."""
    if pattern.is_gap:
        said = _("%(count)d of your mistakes have the same cause: %(what)s *%(remedy)s*")
        return said % {
            "count": len(pattern.affected_questions), "what": pattern.description, "remedy": pattern.suggested_remediation
        }  # fmt: skip
    return _("Remember this idea: *%(idea)s*") % {"idea": pattern.suggested_remediation}


def improvement_text(facts: LessonFacts) -> str:
    """Return that this round went better than the one before, if it did; counted, not judged."""
    if facts.round_before is None or not facts.quiz_marks:
        return ""
    if sum(facts.quiz_marks) / len(facts.quiz_marks) <= facts.round_before:
        return ""
    return _("That’s better than last time.")


def summary_text(right: int, asked: int, facts: renderer.Spoken) -> str:
    """Return the quiz result in a sentence; the numbers are counted, not judged."""
    numbers = {"asked": asked, "right": right}
    if not asked:
        return _("You didn’t answer any questions this time, so there is nothing to look back on.")
    if right == asked:
        one = ngettext(
            "You answered %(asked)d question and got it right on the first try.",
            "You answered %(asked)d questions and got them all right on the first try.",
            asked,
        )
        other = ngettext(
            "You got %(asked)d question right on the first try.",
            "You got all %(asked)d questions right on the first try.",
            asked,
        )
        return renderer.freshest([one % numbers, other % numbers], facts)
    if not right:
        return renderer.pick_wording(phrases.HARD_ROUNDS, facts)
    some = _("You answered %(asked)d questions and got %(right)d of them right on the first try.")
    other = _("You got %(right)d of the %(asked)d questions right on the first try.")
    return renderer.freshest([some % numbers, other % numbers], facts)


def closing_parts(facts: LessonFacts, asks: Move | None, *, spent: bool, all_right: bool) -> tuple[SpeechPart, ...]:
    """Return what the look back ends on: the move that it `asks` with, or the handover."""
    if asks is not None:
        return lesson_endings.mastery_reached(facts, asks)
    if facts.mastered:
        return (*lesson_endings.mastery_told(facts), hand_to_planner("feedback"))
    return (hand_to_planner("feedback"),) if spent else repeat_round(facts, all_right=all_right)


def hand_back(facts: LessonFacts) -> HandedOff:
    """Lead back to the lesson that the detour left."""
    assert facts.detour_from is not None
    reason = (
        _("You’ve mastered %(concept)s.") if facts.mastered else _("We’ve spent enough time on %(concept)s for now.")
    )
    onwards = _("Back to the lesson on %(own)s.") % {"own": facts.detour_from.title}
    told = f"{reason % {'concept': facts.concept.title}} {onwards}"
    return HandedOff(from_agent="feedback", to="tutor", reason=told)


def repeat_round(facts: LessonFacts, *, all_right: bool) -> tuple[SpeechPart, ...]:
    """Lead back to the tutor."""
    handover = HandedOff(
        from_agent="feedback", to="tutor", reason=_("There isn’t enough evidence yet that you’ve mastered this.")
    )
    if all_right:
        return (renderer.pick_wording(phrases.MORE_NEEDED, facts), handover)
    return (renderer.pick_wording(phrases.NEXT_ROUNDS, facts), handover)


ROLE = Role(
    name="feedback",
    label=gettext_lazy("Feedback"),
    purpose=gettext_lazy("reviews the quiz"),
    plan=plan,
    prompt=read_prompt(Path(__file__).parent.parent / "prompts" / "feedback.md"),
    standing=f"{SUMMARY_EXAMPLES}\n{example_replies_for(('summarise_retrieve',))}",
    result=FeedbackTurn,
    writes=frozenset(
        {
            lesson_state.LESSON_KEY,
            "learning_cycle_count",
            "error_patterns",
            "feedback_text",
            "improvement_areas",
        }
    ),
    speaks=True,
    on_failure="abort",
)
