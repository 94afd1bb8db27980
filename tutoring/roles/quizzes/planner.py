"""What all quiz turns share: asking the next question, ending the quiz, replying with the question still open."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from agents.engine.events import HandedOff
from agents.engine.roles import Plan, Request, Wording
from tutoring.courses.exercises.exercise import Exercise
from tutoring.lesson import cycle as cycles
from tutoring.lesson import state as lesson_state
from tutoring.lesson.facts import AskedQuestion, JudgedAnswer, LessonFacts
from tutoring.lesson.moves import Move
from tutoring.lesson.state import LessonState, lesson_to_json
from tutoring.lesson.turn_results import NewQuestion, PresentedExample, QuizTurn, spoke_before
from tutoring.roles.quizzes import question_selection
from tutoring.roles.speech import answer_reasons, prompt_background
from tutoring.roles.speech.answer_guard import guarded_wording
from tutoring.roles.speech.composition import SpeechPart, compose_speech, has_text, question_card, question_id
from tutoring.roles.wording import phrases, renderer
from tutoring.roles.wording.renderer import WordingParts

TWIN_NUMBER = 0
"""The number of a question outside the quiz's own count."""


class QuizPlanner:
    """One turn of the quiz: the facts and the lesson state."""

    def __init__(self, facts: LessonFacts, request: Request) -> None:
        self.facts = facts
        self.state = request.state
        self.spoken_before = spoke_before(request.results.values())
        lesson = lesson_state.lesson_state(request.state)
        # A model may have sent the learner here straight from an explanation.
        begins = lesson.cycle.state == "tutor_explaining"
        self.handed_over = begins or "tutor" in request.results
        lesson = lesson_state.start_quiz_state(lesson) if begins else lesson
        self.lesson = replace(lesson, cycle=cycles.resume_quiz(lesson.cycle), explaining="", weighing=False)
        earlier = [] if self.handed_over else self.state.get("quiz_responses", [])
        self.responses = [*earlier, *([] if self.handed_over else question_selection.response_to_state(facts))]
        self.questions = question_selection.disclose_closed(self.state.get("quiz_questions", ()), facts.asked)

    # --- The next question, or the end ---

    def next_question(self, *first: SpeechPart, move: str) -> Plan:
        concept_id = question_selection.next_concept(self.facts, self.lesson.cycle)
        if concept_id is None:
            return self.end(*first, move=move)
        cycle = cycles.count_question(self.lesson.cycle, concept_id, self.facts.course.quiz)
        number = len(cycle.asked)
        exercise = question_selection.choose_exercise(self.facts, concept_id, number)
        first = (*first, self.from_elsewhere(concept_id), self.from_further_on(exercise))
        return self.ask(*first, exercise=exercise, lesson=replace(self.lesson, cycle=cycle), move=move, number=number)

    def ask(self, *first: SpeechPart, exercise: Exercise, lesson: LessonState, move: str, number: int) -> Plan:
        """Ask an exercise: the quiz's next, or the twin of one whose solution was shown, which does not count."""
        total = None if number == TWIN_NUMBER else question_selection.planned_questions(self.facts, lesson.cycle)
        card_id = question_id(self.facts.turn_id, number)
        new = NewQuestion(
            exercise=exercise,
            number=number,
            total=total,
            concept=self.facts.concept.id,
            purpose="practice" if number == TWIN_NUMBER else "quiz",
            from_before=number != TWIN_NUMBER and exercise.concept in self.facts.earlier,
        )
        earlier = [] if number == 1 else self.questions
        place = len(lesson.cycle.asked)
        return self.planned(
            *first,
            question_card(exercise, question=card_id, number=number, total=total),
            lesson=replace(lesson, contrast="", **lesson_state.NO_TRIES),
            state={
                "quiz_question_index": place,
                "quiz_questions": [*earlier, question_selection.question_to_state(exercise, card_id)],
            },
            move=move,
            question=card_id,
            new=new,
        )

    def end(self, *first: SpeechPart, move: str) -> Plan:
        handover = HandedOff(from_agent="quiz", to="feedback", reason=_("The quiz is finished."))
        marks = self.facts.quiz_marks
        score = sum(marks) / len(marks) if marks else 0.0
        ended = cycles.end_quiz(self.lesson.cycle)
        lesson = replace(self.lesson, cycle=ended, contrast="", tries=0, nudges=0)
        return self.planned(*first, handover, lesson=lesson, state={"quiz_score": score}, move=move, waits=False)

    def from_elsewhere(self, concept_id: str) -> str:
        """Return why a question on another concept is asked; empty for the lesson's own."""
        if concept_id == self.facts.concept.id:
            return ""
        said = _("Here is one on *%(concept)s* too, because this lesson builds on it.")
        if concept_id in self.facts.earlier:
            said = _("Here is a question on *%(concept)s* from earlier, so you don’t forget it.")
        return said % {"concept": self.facts.course.concept(concept_id).title}

    def from_further_on(self, exercise: Exercise) -> str:
        """Return why a harder question is asked, if the pace calls for one; the tutor has said so if it starts the quiz."""
        is_harder = exercise.difficulty == "hard" and exercise.concept == self.facts.concept.id
        is_asked = self.facts.notes.wanted == "break_choice" and not self.handed_over and self.facts.act != "harder"
        return renderer.pick_wording(phrases.FURTHER_ON, self.facts) if is_asked and is_harder else ""

    # --- Wording ---

    def number(self, answered: JudgedAnswer, asked: AskedQuestion) -> str:
        """Return the answer if a sentence can be about it; a letter only names a choice."""
        return "" if asked.instance.choices else self.sayable(answered, asked)

    def sayable(self, answered: JudgedAnswer, asked: AskedQuestion) -> str:
        return answer_reasons.sayable_answer_text(answered, asked.instance)

    def said(self, move: Any, words: WordingParts | None = None, *, rung: int = 0) -> Wording:
        return guarded_wording(self.facts, Move(id=move, rung=rung), words or WordingParts())

    def wait(
        self, *parts: SpeechPart, move: str, contrast: str = "", nudges: int | None = None, example: str = ""
    ) -> Plan:
        """Say something with the question still open."""
        lesson = replace(self.lesson, contrast=contrast, tries=0)
        if nudges is not None:
            lesson = replace(lesson, nudges=nudges)
        question = self.facts.asked.id if self.facts.asked else ""
        return self.planned(*parts, lesson=lesson, move=move, question=question, example=example)

    def planned(
        self,
        *parts: SpeechPart,
        lesson: LessonState,
        move: str,
        state: Mapping[str, Any] | None = None,
        question: str = "",
        new: NewQuestion | None = None,
        waits: bool = True,
        doubted: str = "",
        example: str = "",
    ) -> Plan:
        shown = {
            lesson_state.LESSON_KEY: lesson_to_json(lesson),
            "mastery_score": self.facts.mastery_score,
            "quiz_paused": False,
            "quiz_responses": self.responses,
            "quiz_questions": self.questions,
        }
        said = compose_speech(*parts, turn_id=self.facts.turn_id, after=self.spoken_before)
        return Plan(
            say=said,
            background=prompt_background.lesson_background(self.facts),
            result=QuizTurn(
                move=move,
                question_id=question,
                new_question=new,
                spoke=has_text(said),
                elsewhere=bool(doubted),
                doubted=doubted,
                example=PresentedExample(concept=self.facts.concept.id, id=example) if example else None,
            ),
            state=shown | dict(state or {}),
            waits=waits,
        )
