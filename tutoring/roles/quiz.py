"""The quiz role: asks one question after another, reacts to each answer, and stops when enough is known."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agents.engine.events import HandedOff
from agents.engine.roles import Plan, Request, Role
from agents.llm.prompt import read_prompt
from conversations.cards import reply_buttons
from tutoring.courses.catalogue import Milestone, Misconception
from tutoring.courses.pictures import Picture
from tutoring.lesson import cycle as cycles
from tutoring.lesson import state as lesson_state
from tutoring.lesson.facts import AskedQuestion, JudgedAnswer
from tutoring.lesson.moves import (
    CONFUSED_TURNS_NEEDED,
    RUNGS,
    HintClimb,
    Move,
    MoveId,
    MoveSituation,
    decide_move,
    is_explanation_due,
)
from tutoring.lesson.turn_results import QuizTurn
from tutoring.mastery import milestones
from tutoring.roles.explanation import lesson_endings, pace, worked_examples
from tutoring.roles.quizzes import question_selection
from tutoring.roles.quizzes.planner import TWIN_NUMBER, QuizPlanner
from tutoring.roles.speech import answer_reasons, findings
from tutoring.roles.speech.answer_guard import (
    answer_beside,
    is_case_safe,
    model_wording,
    safe_blocks,
    was_case_told,
    wrong_step,
)
from tutoring.roles.speech.composition import SpeechPart, open_question_card
from tutoring.roles.speech.reply_instructions import reply_wording
from tutoring.roles.wording import phrases, renderer
from tutoring.roles.wording.example_replies import example_replies_for
from tutoring.roles.wording.renderer import WordingParts
from tutoring.roles.wording.unreadable_answers import (
    ask_for_answer,
    ask_for_steps,
    help_options,
    meant_choices,
    unreadable_reason,
)

if TYPE_CHECKING:
    from tutoring.grading.verdicts import Verdict

MODEL_MOVES: tuple[MoveId, ...] = (
    "ask_attempt",
    "probe_reasoning",
    "focus_step",
    "hint_principle",
    "hint_substep",
    "contrast_case",
    "self_explain",
    "affirm_specific",
    "decline_answer",
    "ask_form",
)
"""Moves that a model may word for the quiz."""


def plan(request: Request) -> Plan:
    """Decide what the quiz does with this turn."""
    return _QuizReplyPlanner(request.facts, request).plan()


class _QuizReplyPlanner(QuizPlanner):
    """One turn of the quiz: the reply to an answer, to a reason, or to anything else."""

    def plan(self) -> Plan:
        if self.handed_over:
            return self.next_question(
                self.said("begin_quiz", WordingParts(concept=self.facts.concept.title)), move="begin_quiz"
            )
        if self.facts.answered is not None and self.facts.asked is not None:
            return self.react(self.facts.answered, self.facts.asked)
        return self.after_why(self.facts.milestone) if self.facts.milestone else self.stay()

    # --- After an answer ---

    def react(self, answered: JudgedAnswer, asked: AskedQuestion) -> Plan:
        self.lesson = replace(self.lesson, misses=self.misses(answered, asked))
        behind = findings.misconception_behind(self.facts, answered)
        found = self.found(answered, asked, behind)
        if answered.correct and self.facts.served.wish == "stop":
            return self.stop(answered, asked)
        if self.facts.served.wish == "stop" and asked.is_open:
            return self.stop_for_now(answered, asked)
        milestone, due = self.to_explain(asked)
        move = decide_move(self.situation(answered, asked, behind, explain=due))
        match move.id:
            case "self_explain" if milestone is not None:
                return self.ask_why(milestone, self.number(answered, asked))
            case "affirm_specific":
                return self.affirm(answered, asked)
            case "prereq_drop":
                return self.detour(move, found)
            case "bottom_out":
                return self.after_solution(found, self.said("bottom_out"), asked=asked, owes_twin=move.owes_twin)
            case "contrast_case" if behind is not None:
                return self.test_idea(behind, found, self.number(answered, asked))
            case "ask_form" if self.facts.on_card:
                return self.wait(open_question_card(asked), move=move.id)
            case "ask_form" if answered.reason == "unevaluated":
                to_do = renderer.pick_wording(phrases.TO_WORK_OUT, self.facts)
                return self.wait(to_do, open_question_card(asked), move=move.id)
            case "ask_form":
                said = self.said(move.id, WordingParts(answer=self.sayable(answered, asked)))
                return self.wait(said, open_question_card(asked), move=move.id)
            case "simplify" | "represent":
                return self.ease(asked, found, move=move.id) or self.not_yet(answered, asked, found)
            case _:
                return self.not_yet(answered, asked, found)

    def ease(self, asked: AskedQuestion, *first: SpeechPart, move: str) -> Plan | None:
        """Show a similar worked example and offer ways to go on; None if all were shown."""
        facts = self.facts
        opening = phrases.OTHER_PICTURE if move == "represent" else phrases.SMALLER_STEP
        if worked := worked_examples.substitute_example(facts, self.lesson.explained, in_quiz=True):
            example, opening, blocks = worked.id, phrases.WORKED_EXERCISES, worked.blocks
        elif piece := pace.smaller_step(facts, self.lesson.explained, pictured=move == "represent", worked=True):
            example, blocks = piece.id, safe_blocks(facts, pace.without_question(piece))
        else:
            return None
        hint = facts.hint if facts.hint and not facts.on_card else None
        self.lesson = replace(self.lesson, explained=(*self.lesson.explained, example))
        return self.wait(
            *first,
            renderer.pick_wording(opening, facts),
            *blocks,
            hint,
            open_question_card(asked),
            reply_buttons(pace.reply_options(in_quiz=True), turn_id=facts.turn_id),
            move=move,
            example=example,
        )

    def nothing_to_show(self, asked: AskedQuestion) -> Plan:
        """Say that there is no other example or picture that leaves the answer open, and what there is."""
        said = renderer.pick_wording(phrases.NOTHING_TO_SHOW, self.facts)
        ways = reply_buttons([help_options()[0], _("I don’t know")], turn_id=self.facts.turn_id)
        return self.wait(said, open_question_card(asked), ways, move="ask_attempt")

    def situation(
        self, answered: JudgedAnswer, asked: AskedQuestion, behind: Misconception | None, *, explain: bool
    ) -> MoveSituation:
        # A hint was the reply to this try already; a contrast case is shown once per question and its twin.
        shown = self.facts.hint or asked.number == TWIN_NUMBER
        fresh = behind is not None and not shown and self.facts.lesson.contrast != behind.id and self.may_show(behind)
        return MoveSituation(
            verdict=cast("Verdict", answered.verdict),
            ladder=HintClimb(rung=asked.hints_used, attempts=asked.attempts, attempts_at_rung=asked.attempts),
            misconception=behind.id if behind is not None and fresh else "",
            misses=self.lesson.misses,
            prerequisite=lesson_endings.prerequisite_to_visit(self.facts),
            closed=not asked.is_open,
            explain=explain,
            frustration=float(self.facts.notes.wanted == "simplify"),
            confused_turns=CONFUSED_TURNS_NEEDED if self.facts.notes.wanted == "represent" else 0,
        )

    def may_show(self, behind: Misconception) -> bool:
        """Tell whether a contrast case is new and can be shown whole: one that gives the open answer away cannot."""
        return not was_case_told(self.facts, behind) and is_case_safe(self.facts, behind)

    def misses(self, answered: JudgedAnswer, asked: AskedQuestion) -> int:
        """Return how many questions on the concept were missed on the first try, including this one.

        They count from the start of the lesson or of a detour. Right answers between them do not make up for it:
        a learner who lacks a prerequisite guesses right now and then.
        """
        if asked.instance.concept != self.facts.concept.id or answered.verdict == "equivalent_not_in_form":
            return self.lesson.misses
        return self.lesson.misses + (answered.number == 1 and not answered.correct)

    def affirm(self, answered: JudgedAnswer, asked: AskedQuestion) -> Plan:
        answer = self.sayable(answered, asked)
        reason = renderer.unless_told(answer_reasons.answer_reason(asked.instance, self.facts), self.facts)
        words = WordingParts(answer="" if "=" in reason or answer in reason else answer, reason=reason)
        # The card says that it is right.
        said = reason if self.facts.on_card else self.said("affirm_specific", words)
        return self.next_question(
            *findings.resolved_misconceptions(self.facts, agent="quiz"),
            said,
            answer_beside(self.facts),
            move="affirm_specific",
        )

    def stop(self, answered: JudgedAnswer, asked: AskedQuestion) -> Plan:
        """Say that it is right and pause the quiz: the learner wants to stop."""
        words = WordingParts(
            answer=self.sayable(answered, asked),
            reason=answer_reasons.answer_reason(asked.instance, self.facts),
        )
        kept = _("Let’s stop here. Your place in the quiz is saved, and you can continue whenever you like.")
        lesson = replace(self.lesson, cycle=cycles.pause_quiz(self.lesson.cycle), contrast="", tries=0)
        told = self.said("affirm_specific", words)
        return self.planned(
            *findings.resolved_misconceptions(self.facts, agent="quiz"),
            told,
            kept,
            lesson=lesson,
            move="affirm_specific",
        )

    def stop_for_now(self, answered: JudgedAnswer, asked: AskedQuestion) -> Plan:
        """Say that it is not right yet, and pause the quiz: the learner wants to stop."""
        kept = _("That isn’t right, but we can stop here. Your place in the quiz is saved.")
        lesson = replace(self.lesson, cycle=cycles.pause_quiz(self.lesson.cycle), contrast="", tries=0)
        ways = reply_buttons([_("Let’s continue")], turn_id=self.facts.turn_id)
        return self.planned(kept, ways, lesson=lesson, move="farewell", question=asked.id)

    def to_explain(self, asked: AskedQuestion) -> tuple[Milestone | None, bool]:
        """Return the milestone that a right answer demonstrates, and whether to ask why it is right."""
        exercise, lesson = asked.instance, self.lesson
        if self.facts.concept.steps:
            # Its steps ask for reasons, as a choice that can be judged.
            return None, False
        if exercise.kind == "text" or exercise.concept != self.facts.concept.id or asked.number == TWIN_NUMBER:
            return None, False
        milestone, waits = milestones.milestone_to_explain(
            self.facts.concept.milestones, template=exercise.template, said=lesson.said, asked=lesson.asked_why
        )
        due = milestone is not None and is_explanation_due(seed=self.facts.seed, milestone=waits)
        return milestone, due

    def ask_why(self, milestone: Milestone, answer: str) -> Plan:
        """Say that it is right and ask why; the reply is read before the next question."""
        lesson = replace(
            self.lesson,
            explaining=milestone.id,
            asked_why=(*self.lesson.asked_why, milestone.id),
            contrast="",
            tries=0,
            nudges=0,
        )
        why = self.said("self_explain", WordingParts(answer=answer))
        return self.planned(
            *findings.resolved_misconceptions(self.facts, agent="quiz"), why, lesson=lesson, move="self_explain"
        )

    def after_why(self, milestone: Milestone) -> Plan:
        """Respond to the reason the learner gave, and go on: the answer was right, whatever was said."""
        kind = self.facts.act or "other"
        if kind == "idea_said":
            heard = answer_reasons.milestone_in_words(milestone, self.facts)
            found = findings.idea_found(self.facts, words=heard, name=milestone.id, agent="quiz")
            quote = self.facts.text if renderer.is_worth_quoting(self.facts.text) else ""
            said = self.said("affirm_specific", WordingParts(heard=heard, quote=quote))
            return self.next_question(found, said, move="affirm_specific")
        left = phrases.PARTLY_EXPLAINED if kind == "idea_partly" else phrases.LEFT_UNEXPLAINED
        if kind in ("other", "unjudged") and renderer.is_worth_quoting(self.facts.text):
            left = phrases.OWN_REASONS
        return self.next_question(renderer.pick_wording(left, self.facts), move="continue_lesson")

    def detour(self, move: Move, found: SpeechPart) -> Plan:
        """Offer a detour to a prerequisite; it starts with the next message and leads back by itself."""
        prerequisite = self.facts.course.concept(move.prerequisite)
        lesson = lesson_state.enter_detour_state(self.lesson, prerequisite.id)
        own = self.facts.concept.title
        said = self.said(move.id, WordingParts(prerequisite=prerequisite.title, concept=own))
        ways = reply_buttons(
            [_("Yes, go there"), _("Back to %(concept)s") % {"concept": own}], turn_id=self.facts.turn_id
        )
        why = _(
            "Several of your answers on %(concept)s were wrong. That topic builds on %(prerequisite)s, so we’ll go "
            "back to that first."
        )
        names = {"concept": own, "prerequisite": prerequisite.title}
        handover = HandedOff(from_agent="quiz", to="tutor", reason=why % names)
        return self.planned(found, said, ways, handover, lesson=lesson, move=move.id, doubted=prerequisite.id)

    def after_solution(self, *first: SpeechPart, asked: AskedQuestion, owes_twin: bool) -> Plan:
        """Ask a twin of the exercise whose solution was shown; after a twin, or without one, the quiz goes on."""
        twin = (
            question_selection.find_twin(self.facts, asked.instance)
            if owes_twin and asked.number != TWIN_NUMBER
            else None
        )
        if twin is None:
            return self.next_question(*first, move="bottom_out")
        intro = renderer.pick_wording(phrases.TWINS, self.facts)
        return self.ask(*first, intro, exercise=twin, lesson=self.lesson, move="bottom_out", number=TWIN_NUMBER)

    def test_idea(self, behind: Misconception, found: SpeechPart, answer: str) -> Plan:
        """Answer a misconception that explains the answer with a case in which it fails."""
        first, *rest = safe_blocks(self.facts, behind.contrast.blocks)
        words = WordingParts(answer=answer, hint=first if isinstance(first, str) else "")
        shown = rest if isinstance(first, str) else [first, *rest]
        opening = self.said("contrast_case", words)
        return self.wait(found, opening, *shown, contrast=behind.id, move="contrast_case")

    def not_yet(self, answered: JudgedAnswer, asked: AskedQuestion, found: SpeechPart) -> Plan:
        """Say the hint that this attempt has earned; for an answer on the card, verdict and hint are on it already."""
        if not self.facts.hint:
            words = WordingParts(answer=self.number(answered, asked))
            return self.wait(found, self.said("probe_reasoning", words), move="probe_reasoning")
        rung = max(1, asked.hints_used)
        card = open_question_card(asked)
        if self.facts.on_card:
            return self.wait(found, card, nudges=0, move=RUNGS[rung])
        hint = renderer.unless_told(self.facts.hint, self.facts)  # It stands on the card in any case.
        # "It isn’t 6 and 12" denies what the card calls right so far.
        answer = "" if answered.verdict == "partial" else self.sayable(answered, asked)
        said = self.said(RUNGS[rung], WordingParts(answer=answer, hint=hint), rung=rung)
        return self.wait(
            found, wrong_step(self.facts), said, self.twin_picture(asked, rung), card, nudges=0, move=RUNGS[rung]
        )

    def twin_picture(self, asked: AskedQuestion, rung: int) -> Picture | None:
        """Return the picture of the solved twin, if this rung shows it."""
        return asked.instance.twin_picture if RUNGS[rung] == "worked_twin" else None

    def found(self, answered: JudgedAnswer, asked: AskedQuestion, behind: Misconception | None) -> SpeechPart:
        if behind is None:
            return None
        evidence = findings.answer_evidence(asked.instance, answered, behind, typed=self.facts.typed)
        return findings.misconception_found(self.facts, behind, agent="quiz", evidence=evidence)

    # --- Without an answer ---

    def stay(self) -> Plan:
        """Answer what was said about the open question, which stays open."""
        facts, asked = self.facts, self.facts.asked
        if facts.put_away:
            left = phrases.HARDER_ONES if facts.act == "harder" else phrases.SKIPPED
            return self.next_question(renderer.pick_wording(left, facts), move="skip_question")
        if asked is None or not asked.is_open:
            return self.next_question(move="begin_quiz")
        card = open_question_card(asked)
        if facts.unreadable:
            said = ask_for_steps(facts.unreadable) or self.said("retype", self.unread(asked))
            return self.wait(said, card, move="retype")
        if facts.served.unsure and not facts.hint:
            return self.nudge(asked)
        if facts.served.about == "new_question":
            return self.wait(renderer.pick_wording(phrases.NEW_QUESTIONS, facts), card, move="continue_lesson")
        kind = facts.act or "resume"
        if facts.hint or kind in ("hint_request", "does_not_know", "answer_demand", "stuck"):
            return self.help(kind, asked)
        requested = pace.requested_pace(facts)
        wants = requested or facts.notes.wanted
        if wants in ("simplify", "represent") and (eased := self.ease(asked, move=wants)):
            return eased
        if requested in ("simplify", "represent"):
            return self.nothing_to_show(asked)
        if kind in ("other", "idea_partly", "unjudged", "wrong") and not self.state.get("quiz_paused"):
            return self.nudge(asked)
        return self.wait(self.said("resume_quiz"), card, move="resume_quiz")

    def unread(self, asked: AskedQuestion) -> WordingParts:
        """Return what cannot be read as an answer, and what to write instead."""
        reason = unreadable_reason(self.facts.unreadable, asked.instance.kind, self.facts)
        return WordingParts(quote=self.facts.text, hint=reason)

    def help(self, kind: str, asked: AskedQuestion) -> Plan:
        """Give the hint that was earned; without one, ask for a first try, or for one with the last hint.

        If somebody has said how they got their answer, the hint is there to compare their words with.
        """
        if not self.facts.hint:
            return self.nudge(asked)
        rung = max(1, asked.hints_used)
        move = "decline_answer" if kind == "answer_demand" and RUNGS[rung] != "worked_twin" else RUNGS[rung]
        told = kind in ("other", "idea_partly", "unjudged", "wrong") and renderer.is_worth_quoting(self.facts.text)
        hint = renderer.unless_told(self.facts.hint, self.facts)
        words = WordingParts(hint=hint, quote=self.facts.text if told else "")
        said = self.said(move, words, rung=rung) if hint else renderer.pick_wording(phrases.HINT_ON_CARD, self.facts)
        # A worked example is said unchanged; a model may introduce it.
        lead = reply_wording(self.facts, "", act="answer_demand") if move == "worked_twin" else None
        return self.wait(lead, said, self.twin_picture(asked, rung), open_question_card(asked), nudges=0, move=move)

    def nudge(self, asked: AskedQuestion) -> Plan:
        """Ask for a try before a hint; else for the answer, and every few messages say how to see the solution."""
        nudges, ways = self.lesson.nudges, None
        text: SpeechPart
        if meant := meant_choices(self.facts):
            text, ways = renderer.pick_wording(phrases.CHOICES_MEANT, self.facts), meant
        elif self.facts.act == "hint_request":
            text = (
                renderer.pick_wording(phrases.HINTS_LEFT, self.facts) if asked.hints_used else self.said("ask_attempt")
            )
        else:
            every = 2 if self.facts.served.unsure else 3
            shows_way_out = nudges % every == every - 1
            words = (
                renderer.pick_wording(phrases.WAYS_OUT, self.facts)
                if shows_way_out
                else ask_for_answer(asked.instance.kind, self.facts)
            )
            text = model_wording(self.facts, words, Move(id="ask_attempt"), WordingParts())
            ways = reply_buttons(help_options(), turn_id=self.facts.turn_id)
        return self.wait(text, open_question_card(asked), ways, nudges=nudges + 1, move="ask_attempt")


ROLE = Role(
    name="quiz",
    label=gettext_lazy("Quiz"),
    purpose=gettext_lazy("asks quiz questions and checks the answers"),
    plan=plan,
    prompt=read_prompt(Path(__file__).parent.parent / "prompts" / "quiz.md"),
    standing=example_replies_for(MODEL_MOVES),
    result=QuizTurn,
    writes=frozenset(
        {
            lesson_state.LESSON_KEY,
            "quiz_questions",
            "quiz_responses",
            "quiz_score",
            "quiz_paused",
            "quiz_question_index",
            "mastery_score",
        }
    ),
    speaks=True,
    on_failure="abort",
)
