"""Parts of a tutor turn: the next piece, the start of the quiz, replies during a quiz, and the lesson state afterwards."""

from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.engine.events import HandedOff
from agents.engine.roles import Plan, Request, Wording
from conversations.cards import reply_buttons
from tutoring.courses.catalogue import LEVELS, ContrastCase, LessonPiece, Level, Misconception
from tutoring.courses.exercises.generator import make_step
from tutoring.lesson import cycle as cycles
from tutoring.lesson import state as lesson_state
from tutoring.lesson.cycle import LearningCycle
from tutoring.lesson.facts import AskedQuestion, LessonFacts
from tutoring.lesson.state import LessonState, lesson_to_json
from tutoring.lesson.turn_results import NewQuestion, PresentedExample, TutorTurn, spoke_before
from tutoring.roles.speech import prompt_background
from tutoring.roles.speech.answer_guard import is_case_safe
from tutoring.roles.speech.composition import (
    SpeechPart,
    compose_speech,
    hand_to_planner,
    has_text,
    open_question_card,
    question_card,
    question_id,
)
from tutoring.roles.wording import phrases, renderer

RETRY_MOVES = frozenset({"probe_reasoning", "not_yet", "decline_answer"})
"""Moves after a reply that did not say the idea."""
TASKLESS_ACTS = frozenset({"other", "idea_partly", "does_not_know", "hint_request", "answer_demand"})
"""Acts of messages that cannot be interpreted while no task is open."""
PIECES_ON_DETOUR = 2
STEP_NUMBER = 0
"""The number of a step: it stands outside the quiz's own count."""


def quiz_is_due(facts: LessonFacts) -> bool:
    """Tell whether a message during an explanation asks for a quiz, and nothing noticed before comes first."""
    if facts.act != "quiz_request" or facts.cycle.state != "tutor_explaining":
        return False
    held = facts.lesson
    noticed = facts.misconception(facts.notes.to_test)
    tests_first = held.piece and not held.contrast and noticed is not None and is_case_safe(facts, noticed)
    return not (tests_first or facts.returned)


class ExplanationPlanner:
    """One turn of the tutor: the facts, and the lesson as it was before."""

    def __init__(self, facts: LessonFacts, request: Request) -> None:
        self.facts = facts
        self.state = request.state
        self.lesson = lesson = replace(_drop_missing(lesson_state.lesson_state(request.state), facts), weighing=False)
        self.came_from_feedback = "feedback" in request.results
        self.spoken_before = spoke_before(request.results.values())
        self.cycle = lesson.cycle
        self.provided: list[str] = request.state.get("examples_provided", [])
        self.current: LessonPiece | None = facts.piece(lesson.piece)
        self.contrast = facts.misconception(lesson.contrast)

    # --- The explanation, piece by piece ---

    def go_on(self, *first: SpeechPart, move: str = "continue_lesson") -> Plan:
        """Say the next piece after `first`, or hand over to the quiz after the last one."""
        if self.cycle.state != "tutor_explaining":
            return self.aside(*first, move=move)
        piece = self.next_piece()
        if piece is not None:
            return self.say(piece, *first, move=move)
        return self.ways_on(*first, move=move) if self.lesson.quiz_left else self.begin_quiz(*first)

    def say(self, piece: LessonPiece, *first: SpeechPart, move: str, last: SpeechPart = None) -> Plan:
        """Say a piece after `first`; the learner answers its question next."""
        explained = (*self.lesson.explained, piece.id)
        text = "\n\n".join(block for block in piece.blocks if isinstance(block, str))
        first = tuple(shorten_reaction(part, text) for part in first)
        lesson = replace(
            self.lesson,
            cycle=self.begun_cycle(),
            piece=piece.id,
            explained=explained,
            explained_in_cycle=self.said_in_cycle() + 1,
            level=self.level(),
            contrast="",
            quiz_left=False,
            **lesson_state.NO_TRIES,
        )
        example = piece.id if piece in self.facts.concept.examples else ""
        told: dict[str, Any] = {"shared": {"explanation": text}, "piece": piece.id, "example": example}
        step = make_step(piece, seed=self.facts.seed, course=self.facts.course)
        if step is None:
            return self.planned(*first, *piece.blocks, last, lesson=lesson, move=move, **told)
        card = question_card(
            step, question=question_id(self.facts.turn_id, STEP_NUMBER), number=STEP_NUMBER, total=None
        )
        new = NewQuestion(
            exercise=step, number=STEP_NUMBER, total=None, concept=self.facts.concept.id, purpose="practice"
        )
        return self.planned(*first, card, lesson=lesson, move=move, new=new, **told)

    def next_piece(self) -> LessonPiece | None:
        """Return the piece to say now: one for the level in the first cycle, one not seen yet in each later cycle.

        A detour is short; after it, the lesson explains its own concept in a new way.
        """
        if self.cycle.detour and self.said_in_cycle() >= PIECES_ON_DETOUR:
            return None
        if self.cycle.round == 1 and (self.cycle.detour or not self.cycle.detours):
            pool = self.facts.concept.pieces[self.level()]
        elif self.said_in_cycle() and not self.lesson.quiz_left:
            return None
        else:
            pool = self.other_pieces()
        if self.lesson.quiz_left:
            pool = (*pool, *self.other_pieces())
        seen = {*self.lesson.explained, *self.facts.examples_shown}
        done = self.facts.steps_answered
        return next((each for each in pool if each.id not in seen and not (each.step and each.step.id in done)), None)

    def other_pieces(self) -> tuple[LessonPiece, ...]:
        """Return all pieces, the examples first."""
        concept = self.facts.concept
        return (*concept.examples, *(piece for pieces in concept.pieces.values() for piece in pieces))

    def level(self) -> Level:
        """Return the level of this cycle's explanation: the level at its first piece, kept to its last."""
        held = self.lesson.level if self.said_in_cycle() else ""
        return next((each for each in LEVELS if each == held), self.facts.level)

    def said_in_cycle(self) -> int:
        return 0 if self.came_from_feedback else self.lesson.explained_in_cycle

    def begin_quiz(self, *first: SpeechPart, why: str = "") -> Plan:
        """Hand over to the quiz and say why. If the learner asked for a quiz, they were sent there already."""
        reason = why or _("The explanation is finished.")
        handover = None if quiz_is_due(self.facts) else HandedOff(from_agent="tutor", to="quiz", reason=reason)
        begun = replace(self.lesson, cycle=self.begun_cycle())
        lesson = lesson_state.start_quiz_state(begun, checkout=self.facts.act == "known")
        return self.planned(*first, handover, lesson=lesson, move="begin_quiz", waits=False)

    def begun_cycle(self) -> LearningCycle:
        """Return the cycle; if nothing of the lesson was said yet, with as many rounds as its course says."""
        return self.cycle if self.lesson.explained else replace(self.cycle, most=self.facts.course.cycles)

    # --- Where the quiz was left ---

    def after_quiz(self, kind: str) -> Plan | None:
        """Return the reply after the learner has left the quiz; None for what is answered as at any other time."""
        if not self.lesson.quiz_left or self.contrast is not None:
            return None
        match kind:
            case "abandon":
                return self.ways_on(
                    self.kept(), _("If you ask for a quiz later, it will start from the beginning."), move="leave_quiz"
                )
            case "resume":
                return self.begin_quiz()
            case "go_on" | "skip":
                return self.go_on()
            case _:
                return self.ways_on(move="leave_quiz") if kind in TASKLESS_ACTS else None

    def kept(self) -> str:
        """Return how many questions of the left quiz were answered."""
        answered = len({each["question_id"] for each in self.state.get("quiz_responses", ())})
        if not answered:
            return _("The quiz is over. You didn’t answer any questions, so nothing counts.")
        text = ngettext(
            "The quiz is over. Your answer to %(count)d question is saved.",
            "The quiz is over. Your answers to %(count)d questions are saved.",
            answered,
        )
        return text % {"count": answered}

    def ways_on(self, *first: SpeechPart, move: str) -> Plan:
        """Ask how to go on, without starting anything."""
        onwards = [_("Continue the explanation")] if self.next_piece() is not None else [_("Quiz me")]
        ways = reply_buttons([*onwards, _("Can I do something else?"), _("What is next?")], turn_id=self.facts.turn_id)
        return self.planned(*first, _("How would you like to continue?"), ways, lesson=self.lesson, move=move)

    # --- In the middle of a quiz, or after the lesson ---

    def aside(self, *first: SpeechPart, move: str, tries: int = 0, asks: bool = False) -> Plan:
        """Answer outside the lesson's plan: the quiz waits, and is offered again where it was unless the answer asks."""
        asked = self.facts.asked
        if self.in_quiz and (asked is None or not asked.is_open):
            return self.between_questions(*first, move=move)
        if asked is None or not asked.is_open:
            lesson = replace(self.lesson, contrast="", explaining="")
            ends = move != "answer_question"
            ways = None if ends else reply_buttons([_("Let’s continue")], turn_id=self.facts.turn_id)
            return self.planned(*first, ways, lesson=lesson, move=move, waits=False, ends=ends)
        if self.contrast is not None and move in RETRY_MOVES:
            lesson = replace(self.lesson, tries=tries, begun=self.begun())
            return self.planned(*first, lesson=lesson, move=move, waits=False)
        offer = None if asks else renderer.pick_wording(phrases.RESUME_OFFERS, self.facts)
        lesson = replace(self.paused(), contrast="", tries=0)
        return self.planned(*first, offer, open_question_card(asked), lesson=lesson, move=move, waits=False)

    def between_questions(self, *first: SpeechPart, move: str) -> Plan:
        """Answer between two quiz questions: the next one waits until it is asked for."""
        offer = renderer.pick_wording(phrases.NEXT_OFFERS, self.facts)
        lesson = replace(self.paused(), contrast="", explaining="", tries=0)
        return self.planned(*first, offer, lesson=lesson, move=move, waits=False)

    def back_to_question(self, *first: SpeechPart, move: str) -> Plan:
        """Lead from a contrast case back to the question, which continues at once."""
        asked = self.facts.asked
        if asked is None or not asked.is_open:
            return self.aside(*first, move=move)
        back = renderer.pick_wording(phrases.BACK_TO_QUESTION, self.facts)
        lesson = replace(self.lesson, cycle=cycles.resume_quiz(self.cycle), contrast="", tries=0)
        return self.planned(
            *first, back, open_question_card(asked), lesson=lesson, move=move, waits=self.open_step is not None
        )

    def paused(self) -> LessonState:
        """Return the lesson with its quiz paused, if one is under way."""
        return replace(self.lesson, cycle=cycles.pause_quiz(self.cycle))

    def testing(self, misconception: Misconception) -> LessonState:
        """Return the lesson state with a misconception's case open."""
        tested = tuple(dict.fromkeys((*self.lesson.tested, misconception.id)))
        return replace(self.paused(), contrast=misconception.id, tries=0, tested=tested)

    # --- How the lesson stands ---

    @property
    def in_quiz(self) -> bool:
        return self.cycle.state == "quiz_active"

    @property
    def open_step(self) -> AskedQuestion | None:
        """The step whose card waits for an answer; None in a quiz."""
        asked = self.facts.asked
        return asked if asked is not None and asked.is_open and self.cycle.state == "tutor_explaining" else None

    def begun(self) -> str:
        """Return what the learner has said of the idea so far."""
        before = self.lesson.begun if self.lesson.tries else ""
        return " ".join(filter(None, (before, self.facts.text if self.is_an_idea() else "")))

    def asking(self) -> LessonPiece | ContrastCase | None:
        return self.contrast.contrast if self.contrast is not None else self.current

    def is_an_idea(self) -> bool:
        return self.facts.act in ("idea_said", "idea_partly")

    def overrode(self, move: str) -> dict[int, str]:
        """Return the findings that later messages have put right or outdated, each with the reason."""
        notes, found = self.facts.notes, {}
        if move == "affirm_specific" and notes.test_row is not None and self.contrast is None:
            found[notes.test_row] = _("You got it right in a later message.")
        if move == "affirm_specific" and notes.mood_row is not None:
            found[notes.mood_row] = _("Things have gone well since then.")
        return found

    def planned(
        self,
        *parts: SpeechPart,
        lesson: LessonState,
        move: str,
        piece: str = "",
        misconception: str = "",
        shared: dict[str, Any] | None = None,
        example: str = "",
        new: NewQuestion | None = None,
        waits: bool = True,
        ends: bool = False,
    ) -> Plan:
        state = {lesson_state.LESSON_KEY: lesson_to_json(lesson), "quiz_paused": lesson.cycle.paused, **(shared or {})}
        state["examples_provided"] = [*self.provided, *([example] if example else [])]
        onwards = hand_to_planner("tutor") if ends else None
        said = compose_speech(*parts, onwards, turn_id=self.facts.turn_id, after=self.spoken_before)
        return Plan(
            say=said,
            background=prompt_background.lesson_background(self.facts),
            result=TutorTurn(
                move=move,
                piece=piece,
                new_question=new,
                begins=self.facts.concept.id if piece and not self.said_in_cycle() else "",
                misconception=misconception,
                spoke=has_text(said),
                ends=ends,
                example=PresentedExample(concept=self.facts.concept.id, id=example) if example else None,
                overrode=self.overrode(move),
            ),
            state=state,
            waits=waits,
        )


def shorten_reaction(part: SpeechPart, text: str) -> SpeechPart:
    """Return a reaction short enough to stand before a text; other parts stay as they are."""
    if isinstance(part, Wording):
        return replace(part, words=renderer.fit_reaction(part.words, text))
    return renderer.fit_reaction(part, text) if isinstance(part, str) else part


def _drop_missing(lesson: LessonState, facts: LessonFacts) -> LessonState:
    """Return the lesson without a piece, case or idea asked for last that the course no longer has."""
    ideas = {"", lesson_state.WHOLE_CONCEPT, *(each.id for each in facts.concept.milestones)}
    return replace(
        lesson,
        piece=lesson.piece if facts.piece(lesson.piece) is not None else "",
        contrast=lesson.contrast if facts.misconception(lesson.contrast) is not None else "",
        explaining=lesson.explaining if lesson.explaining in ideas else "",
    )
