"""The quiz: asks one question after the other, reacts to each answer, and stops when enough is known."""

import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agents.events import HandedOff
from agents.prompts import prompt_file
from agents.roles import Plan, Request, Role
from tutoring import cycle as cycles
from tutoring import leaks, mastery, wording
from tutoring.courses.generating import instance
from tutoring.courses.instances import Instance
from tutoring.cycle import LearningCycle, cycle_from_json, cycle_to_json
from tutoring.facts import Answered, LessonFacts
from tutoring.misconceptions import SUSPECTED
from tutoring.moves import RUNGS, Move
from tutoring.roles.findings import misconception_found
from tutoring.roles.turns import NewQuestion, QuizTurn
from tutoring.selection import Candidate, choose_template
from tutoring.speech import Part, question_card, question_id, speech, standing_card
from tutoring.wording import Words, render


def plan(request: Request) -> Plan:
    """Decide what the quiz does with this turn."""
    return _Quizzing(request.facts, request.state, handed_over="tutor" in request.results).plan()


class _Quizzing:
    """One turn of the quiz's: the facts, and the cycle as it stands."""

    def __init__(self, facts: LessonFacts, state: Mapping[str, Any], *, handed_over: bool) -> None:
        self.facts = facts
        self.state = state
        self.handed_over = handed_over
        self.cycle: LearningCycle = cycles.resume_quiz(cycle_from_json(state["cycle"]))

    def plan(self) -> Plan:
        if self.handed_over:
            return self.next_question(self.said(Move(id="begin_quiz")), move="begin_quiz")
        if self.facts.answered is not None:
            return self.react(self.facts.answered)
        return self.stay()

    # --- After an answer ---

    def react(self, answered: Answered) -> Plan:
        if answered.correct:
            words = Words(answer=answered.answer, reason="")
            return self.next_question(self.said(Move(id="affirm_specific"), words), move="affirm_specific")
        asked = self.facts.asked
        if asked is not None and not asked.is_open:
            said = _("The way through is on the card. Read it once; then the next one is yours.")
            return self.next_question(*self.found(answered), said, move="bottom_out")
        return self.test_idea(answered) or self.not_yet(answered)

    def test_idea(self, answered: Answered) -> Plan | None:
        """Answer a misconception that explains the answer with the case in which it breaks."""
        behind = self.behind(answered)
        if behind is None or self.state.get("contrast") == behind.id:
            return None
        first, *rest = leaks.harmless(behind.contrast.blocks, self.facts.open_instance, self.facts.said_before)
        words = Words(answer=answered.answer, hint=first if isinstance(first, str) else "")
        opening = self.said(Move(id="contrast_case", misconception=behind.id), words)
        shown = rest if isinstance(first, str) else [first, *rest]
        return self.wait(*self.found(answered), opening, *shown, state={"contrast": behind.id}, move="contrast_case")

    def not_yet(self, answered: Answered) -> Plan:
        """Say the rung that this attempt has earned; it stands on the card too."""
        asked = self.facts.asked
        assert asked is not None
        if answered.verdict == "equivalent_not_in_form":
            return self.wait(self.said(Move(id="ask_form"), Words(answer=answered.answer)), move="ask_form")
        if not self.facts.hint:
            return self.wait(
                self.said(Move(id="probe_reasoning"), Words(answer=answered.answer)), move="probe_reasoning"
            )
        move = Move(id=RUNGS[max(1, asked.hints_used)], rung=asked.hints_used)
        return self.wait(
            *self.found(answered), self.said(move, Words(answer=answered.answer, hint=self.facts.hint)), move=move.id
        )

    def behind(self, answered: Answered) -> Any:
        """Return the misconception that explains the answer, the strongest one suspected; None without one."""
        held = [self.facts.suspicions[each] for each in answered.matched if each in self.facts.suspicions]
        likely = [suspicion for suspicion in held if suspicion.confidence >= SUSPECTED]
        if not likely:
            return None
        return self.facts.misconception(max(likely, key=lambda suspicion: suspicion.confidence).id)

    def found(self, answered: Answered) -> tuple[Part, ...]:
        behind = self.behind(answered)
        if behind is None:
            return ()
        evidence = wording.sayable_answer(answered.answer) or _("an answer to question %(number)s") % {
            "number": self.facts.asked.number if self.facts.asked else ""
        }
        return (misconception_found(self.facts, behind, agent="quiz", evidence=evidence),)

    # --- Without an answer ---

    def stay(self) -> Plan:
        """Answer what was said about the open question, which stays."""
        facts, asked = self.facts, self.facts.asked
        if asked is None or not asked.is_open:
            return self.next_question(move="begin_quiz")
        if facts.unreadable:
            return self.wait(self.said(Move(id="retype"), Words(quote=facts.text)), standing_card(asked), move="retype")
        kind = facts.heard.kind if facts.heard else "resume"
        if kind in ("hint_request", "does_not_know", "answer_demand"):
            return self.help(kind)
        return self.wait(self.said(Move(id="resume_quiz")), standing_card(asked), move="resume_quiz")

    def help(self, kind: str) -> Plan:
        """Give the rung that was earned, or ask for a first try."""
        asked = self.facts.asked
        assert asked is not None
        if not self.facts.hint:
            return self.wait(self.said(Move(id="ask_attempt")), standing_card(asked), move="ask_attempt")
        rung = max(1, asked.hints_used)
        move = Move(id="decline_answer" if kind == "answer_demand" else RUNGS[rung], rung=rung)
        return self.wait(self.said(move, Words(hint=self.facts.hint)), standing_card(asked), move=move.id)

    # --- The next question, or the end ---

    def next_question(self, *first: Part, move: str) -> Plan:
        concept_id = self.next_concept()
        if concept_id is None:
            handover = HandedOff(from_agent="quiz", to="feedback", reason=_("The quiz is complete."))
            ended = cycle_to_json(cycles.end_quiz(self.cycle))
            return self.planned(*first, handover, state={"cycle": ended}, move=move, waits=False)
        asked = cycles.ask(self.cycle, concept_id)
        number = len(asked.asked)
        exercise = self.exercise(concept_id, number)
        new = NewQuestion(
            template=exercise.template,
            seed=exercise.seed,
            concept=concept_id,
            number=number,
            total=self.total(),
            cycle=self.cycle.number,
        )
        card_id = question_id(self.facts.turn_id, number)
        card = question_card(exercise, question=card_id, number=number, total=new.total)
        state = {"cycle": cycle_to_json(asked), "quiz_question_index": number, "contrast": ""}
        return self.planned(*first, card, state=state, move=move, question=card_id, new=new)

    def next_concept(self) -> str | None:
        """Return what to ask about: the concept itself, then a prerequisite in doubt; None when the quiz is over."""
        own = self.facts.concept.id
        doubted = [each for each in self.doubted() if each not in self.cycle.asked]
        open_to = [each for each in (own, *doubted) if cycles.may_ask(self.cycle, each)]
        decided = mastery.quiz_is_decided(self.facts.beliefs[own], threshold=self.facts.course.threshold)
        if not open_to or cycles.quiz_should_end(self.cycle, decided=decided, more=bool(open_to)):
            return None
        return open_to[0]

    def doubted(self) -> list[str]:
        """Return the prerequisites that were practised and are not mastered, or never met."""
        beliefs = self.facts.beliefs
        return [each for each in self.facts.concept.requires if not mastery.is_mastered(beliefs[each])]

    def total(self) -> int:
        return cycles.MAXIMUM_PER_CONCEPT + len(self.doubted())

    def exercise(self, concept_id: str, number: int) -> Instance:
        """Return the question to ask; the same turn and number make the same one."""
        course = self.facts.course
        chosen = choose_template(
            [self.candidate(template.id) for template in course.concept(concept_id).templates],
            recent=self.facts.recent_templates,
            purpose="quiz",
        )
        seed = uuid.uuid5(uuid.UUID(self.facts.turn_id), f"seed-{number}").int & 0x7FFF_FFFF
        return instance(course.template(chosen), seed=seed, course=course)

    def candidate(self, template_id: str) -> Candidate:
        facts = self.facts
        template = facts.course.template(template_id)
        offset = facts.offsets.get(template_id) or mastery.ItemOffset(offset=mastery.offset_of(template.difficulty))
        expected = mastery.expectation(
            facts.beliefs[template.concept],
            ability=facts.ability,
            item=offset,
            kind=f"choice{len(template.choices)}" if template.kind == "choice" else template.kind,
        )
        return Candidate(
            template=template_id,
            predicted=expected.predicted,
            answers=facts.times_answered.get(template_id, 0),
            information=expected.information,
        )

    # --- Wording ---

    def said(self, move: Move, words: Words | None = None) -> str:
        facts = self.facts
        words = words or Words(concept=facts.concept.title)
        return leaks.guarded(
            lambda again: render(move, seed=facts.seed + again, words=words),
            facts.open_instance,
            facts.said_before,
            wording.fallback(move),
            rung=move.rung,
        )

    def wait(self, *parts: Part, move: str, state: Mapping[str, Any] | None = None) -> Plan:
        """Say something with the question still open."""
        kept = {"cycle": cycle_to_json(self.cycle), **(state or {})}
        return self.planned(*parts, state=kept, move=move, question=self.facts.asked.id if self.facts.asked else "")

    def planned(
        self,
        *parts: Part,
        state: Mapping[str, Any],
        move: str,
        question: str = "",
        new: NewQuestion | None = None,
        waits: bool = True,
    ) -> Plan:
        own = self.facts.beliefs[self.facts.concept.id]
        shown = {
            "mastery_score": round(mastery.mastery_score(own.probability), 3) if own.answers else None,
            "mastery_threshold": self.facts.course.threshold,
            "quiz_paused": False,
        }
        return Plan(
            say=speech(*parts, turn_id=self.facts.turn_id),
            result=QuizTurn(move=move, question_id=question, new_question=new),
            state=shown | dict(state),
            waits=waits,
        )


ROLE = Role(
    name="quiz",
    label=gettext_lazy("Quiz"),
    purpose=gettext_lazy("asks and checks"),
    plan=plan,
    prompt=prompt_file(Path(__file__).parent.parent / "prompts" / "quiz.md"),
    result=QuizTurn,
    writes=frozenset({"cycle", "quiz_paused", "quiz_question_index", "mastery_score", "mastery_threshold", "contrast"}),
    speaks=True,
    on_failure="abort",
)
