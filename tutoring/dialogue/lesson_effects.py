"""What a message to the lesson does to it: hints, leaving a step, misconceptions and milestones to note. Pure."""

from dataclasses import replace

from tutoring.courses.hint_ladder import WORKED_RUNG
from tutoring.dialogue.situation import DialogueState
from tutoring.lesson.response_plan import (
    AbandonQuestion,
    AcceptWords,
    Act,
    CloseCompared,
    Effect,
    GiveUp,
    LeaveQuiz,
    NoteExplanation,
    NoteMilestones,
    NoteMisconceptions,
    NotePractice,
    SaveLessonState,
    TakeHint,
)
from tutoring.lesson.state import LessonState
from tutoring.understanding.message_analysis import Evidence, MessageAnalysis

DOUBTING_ACTS: frozenset[Act] = frozenset({"question", "system", "contest", "tutor_corrected"})
"""Acts of messages that state no idea, whatever their words are like."""


def lesson_effects(state: DialogueState, analysis: MessageAnalysis, act: Act) -> list[Effect]:
    """Return what a message to the lesson does to it, besides its reply."""
    lesson, question = state.lesson, state.question
    effects: list[Effect] = []
    if act in ("idea_said", "late_right"):
        effects.append(SaveLessonState(lesson=_mark_replied(lesson, analysis)))
    if act == "abandon" and state.in_quiz:
        effects.append(LeaveQuiz())
    elif question is not None and question.is_step and not lesson.contrast and act in ("idea_said", "go_on"):
        effects += _at_step(state, analysis, act)
    elif question is not None:
        effects += _help(state, act)
    elif act in ("answer_demand", "does_not_know", "stuck"):
        effects.append(SaveLessonState(lesson=_count_demand(state, act)))
    if found := tuple(each for each in analysis.misconceptions if each.id in state.misconceptions_here):
        effects.append(NoteMisconceptions(found=found))
    if act == "idea_said" and lesson.contrast:
        effects.append(NoteExplanation(misconception=lesson.contrast, quote=analysis.answers[0].value))
    elif act == "idea_said" and lesson.explaining and not lesson.cycle.is_over:
        effects.append(NotePractice())
    # "but why is one number not enough, 1 and 2 are different": what is doubted is not said.
    if act not in DOUBTING_ACTS and (said := _milestones(state, analysis)):
        effects.append(NoteMilestones(found=said))
    return effects


def _at_step(state: DialogueState, analysis: MessageAnalysis, act: Act) -> list[Effect]:
    """Return what a right reason in own words, or the wish to go on, does to the open step."""
    question = state.question
    assert question is not None
    if act == "idea_said":
        return [AcceptWords(words=analysis.answers[0].value)] if question.own_words and analysis.answers else []
    if state.lesson.comparing:
        return [CloseCompared()]
    # Only words that say so leave a step: "next". "Let's go on", "ok" and "hmm" go on with it.
    return [AbandonQuestion()] if "leave_step" in analysis.commands and not question.is_unseen else []


def _mark_replied(lesson: LessonState, analysis: MessageAnalysis) -> LessonState:
    """Return the lesson with the pieces whose questions the message answers right."""
    right = (each.to for each in analysis.answers if each.verdict == "right" and each.to in lesson.explained)
    return replace(lesson, replied=tuple(dict.fromkeys((*lesson.replied, *right))))


def _milestones(state: DialogueState, analysis: MessageAnalysis) -> tuple[Evidence, ...]:
    """Return the milestones that the message says, including the one that a right reply was asked for."""
    found, asked = analysis.milestones, state.lesson.explaining
    reply = analysis.answer_to(asked) if asked and asked == state.waits_for else None
    if reply is None or reply.verdict != "right" or any(each.id == asked for each in found):
        return found
    return (*found, Evidence(id=asked, probability=reply.confidence, quote=reply.value))


def _help(state: DialogueState, act: Act) -> list[Effect]:
    """Return the help for a message about the open question: after the last hint its solution."""
    question, lesson = state.question, state.lesson
    assert question is not None
    match act:
        case "skip" if question.is_step and lesson.contrast:
            return []  # Only the case is left; the step is there still.
        case "skip":
            return [AbandonQuestion()]
        case "harder" if not question.is_step:
            return [AbandonQuestion()]
        case "hint_request":
            return [TakeHint(tried=question.is_step or not question.hints_used)]  # Only the next ones need a try.
        case "example" | "other_picture" if question.is_step and question.hints_used < WORKED_RUNG:
            return [TakeHint(tried=True, rung=WORKED_RUNG)]
        case "stuck" | "does_not_know" | "answer_demand":
            counted = SaveLessonState(lesson=_count_demand(state, act))
            if question.hints_used >= WORKED_RUNG:
                return [counted, GiveUp()]
            again = act == "stuck" or lesson.demands > 0 or lesson.unknowns > 0
            return [counted, TakeHint(tried=True, rung=WORKED_RUNG if again else 0)]
        case "unjudged" | "other" | "idea_partly" | "idea_said" | "wrong" if not (
            lesson.contrast or lesson.cycle.paused
        ):
            return [TakeHint()]  # If an answer has earned a hint: the question how it came about was asked first.
        case _:
            return []


def _count_demand(state: DialogueState, act: Act) -> LessonState:
    lesson = state.lesson
    if act == "answer_demand":
        return replace(lesson, demands=lesson.demands + 1)
    return replace(lesson, unknowns=lesson.unknowns + 1)
