"""The tutor: shows one piece, asks one thing, and answers what the learner says to it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agents.events import Event, HandedOff
from agents.prompts import prompt_file
from agents.roles import Plan, Request, Role
from tutoring import cycle as cycles
from tutoring import leaks, wording
from tutoring.courses.catalogue import Blocks, ContrastCase, LessonPiece
from tutoring.cycle import LearningCycle, cycle_from_json, cycle_to_json
from tutoring.facts import LessonFacts
from tutoring.moves import Ladder, Move, Situation, decide
from tutoring.roles import lobby
from tutoring.roles.findings import idea_found, misconception_found, misconception_resolved
from tutoring.roles.turns import TutorTurn
from tutoring.speech import Part, speech, standing_card
from tutoring.wording import Words, render

TRIES = 2
"""Replies to one piece before the lesson goes on: a third asking of the same thing teaches nothing."""


def plan(request: Request) -> Plan:
    """Decide what the tutor does with this turn."""
    if not isinstance(request.facts, LessonFacts):
        return lobby.plan(request)
    return _Tutoring(request.facts, request.state, came_from_feedback="feedback" in request.results).plan()


class _Tutoring:
    """One turn of the tutor's: the facts, and the lesson's state as it was before."""

    def __init__(self, facts: LessonFacts, state: Any, *, came_from_feedback: bool) -> None:
        self.facts = facts
        self.state = state
        self.came_from_feedback = came_from_feedback
        self.cycle: LearningCycle = cycle_from_json(state.get("cycle", {}))
        self.current: LessonPiece | None = facts.piece(state.get("piece", ""))
        self.contrast = facts.misconception(state.get("contrast", ""))

    def plan(self) -> Plan:
        facts = self.facts
        if self.came_from_feedback:
            return self.go_on()
        if facts.heard is None or (self.current is None and self.cycle.state == "tutor_explaining"):
            greeted = facts.heard is not None and facts.heard.kind == "greeting"
            return self.go_on(_("Hello.") if greeted else "", move="welcome")
        return self.reply()

    # --- The explanation, piece by piece ---

    def go_on(self, *first: Part, move: str = "continue_lesson") -> Plan:
        """Say the next piece after what comes first, or hand over to the quiz when all were said."""
        if self.cycle.state != "tutor_explaining":
            return self.aside(*first, move=move)
        piece = self.next_piece()
        if piece is None:
            return self.begin_quiz(*first)
        explained = [*self.state.get("explained", []), piece.id]
        texts = [block for block in piece.blocks if isinstance(block, str)]
        state: dict[str, Any] = {
            "cycle": cycle_to_json(self.cycle),
            "current_topic": self.facts.concept.id,
            "learner_level": self.facts.level,
            "piece": piece.id,
            "tries": 0,
            "contrast": "",
            "explained": explained,
            "explained_in_cycle": self.said_in_cycle() + 1,
            "explanation": "\n\n".join(texts),
            "examples_provided": [each for each in explained if each in self.example_ids()],
        }
        return self.planned(*first, *piece.blocks, state=state, move=move, piece=piece.id)

    def next_piece(self) -> LessonPiece | None:
        """Return the piece to say now: the level's own in the first cycle, one not seen yet in each later one."""
        said = set(self.state.get("explained", []))
        if self.cycle.number == 1:
            pool = self.facts.concept.pieces[self.facts.level]
        elif self.said_in_cycle():
            return None
        else:
            others = (piece for pieces in self.facts.concept.pieces.values() for piece in pieces)
            pool = (*self.facts.concept.examples, *others)
        return next((piece for piece in pool if piece.id not in said), None)

    def said_in_cycle(self) -> int:
        return 0 if self.came_from_feedback else self.state.get("explained_in_cycle", 0)

    def example_ids(self) -> set[str]:
        return {piece.id for piece in self.facts.concept.examples}

    def begin_quiz(self, *first: Part) -> Plan:
        handover = HandedOff(from_agent="tutor", to="quiz", reason=_("The explanation is complete."))
        state = {"cycle": cycle_to_json(cycles.start_quiz(self.cycle)), "piece": "", "contrast": "", "tries": 0}
        return self.planned(*first, handover, state=state, move="begin_quiz", waits=False)

    # --- What the learner said ---

    def reply(self) -> Plan:
        heard = self.facts.heard
        assert heard is not None
        move = decide(
            Situation(
                heard=heard.kind,
                misconception=heard.misconception,
                contested=self.contrast is not None,
                ladder=self.ladder(),
            )
        )
        match move.id:
            case "contrast_case":
                return self.test_idea(move)
            case "affirm_specific":
                return self.affirm(move)
            case "answer_question":
                return self.answer(move)
            case "begin_quiz" if self.cycle.state == "tutor_explaining":
                return self.begin_quiz()
            case "continue_lesson":
                return self.go_on()
            case "farewell":
                return self.planned(self.said(move), state={}, move=move.id)
            case "welcome":
                return self.ask_again(_("Hello."), move=move.id)
            case "ask_attempt" if heard.kind == "go_on" and self.contrast is not None:
                return self.go_on()
            case _:
                return self.ask_again(self.said(move), move=move.id, asks="?" in self.said(move))

    def ladder(self) -> Ladder | None:
        asked = self.facts.asked
        if asked is None or not asked.is_open:
            return None
        return Ladder(rung=asked.hints_used, attempts=asked.attempts, attempts_at_rung=asked.attempts)

    def test_idea(self, move: Move) -> Plan:
        """Answer a wrong idea with the case in which it breaks."""
        heard, misconception = self.facts.heard, self.facts.misconception(move.misconception)
        assert heard is not None
        assert misconception is not None
        first, *rest = self.harmless(misconception.contrast.blocks)
        opening = self.said(move, hint=first if isinstance(first, str) else "", quote=heard.quote)
        found = misconception_found(self.facts, misconception, agent="tutor", evidence=wording.quoted(self.facts.text))
        shown = [opening, *rest] if isinstance(first, str) else [opening, first, *rest]
        state = {"contrast": misconception.id, "tries": 0}
        return self.planned(found, *shown, state=state, move=move.id, misconception=misconception.id)

    def affirm(self, move: Move) -> Plan:
        """Name what the learner did, in their words, and go on."""
        if self.contrast is not None:
            resolved = misconception_resolved(self.facts, self.contrast, agent="tutor")
            return self.go_on(resolved, self.said(move), move=move.id)
        if self.current is None:
            return self.go_on(self.said(move), move=move.id)
        found = idea_found(self.facts, words=self.current.heard, name=self.current.id, agent="tutor")
        return self.go_on(found if self.current.heard else None, self.said(move), move=move.id)

    def answer(self, move: Move) -> Plan:
        """Answer a question from the course, then come back to what was asked."""
        heard = self.facts.heard
        known = heard.answer if heard else None
        said = self.kept(lambda _again: known.says, wording.fallback(move)) if known else self.said(move)
        return self.ask_again(said, known.picture if known else None, move=move.id, asks="?" in said)

    def ask_again(self, *first: Part, move: str, asks: bool = False) -> Plan:
        """React, then ask what was asked before; after enough tries go on instead."""
        if self.cycle.state != "tutor_explaining":
            return self.aside(*first, move=move)
        tries = self.state.get("tries", 0) + (move in ("probe_reasoning", "not_yet"))
        if tries >= TRIES:
            return self.go_on(wording.render(Move(id="continue_lesson"), seed=self.facts.seed))
        asking = self.asking()
        question = None if asks or asking is None or tries else asking.question
        return self.planned(*first, question, state={"tries": tries}, move=move)

    def asking(self) -> LessonPiece | ContrastCase | None:
        return self.contrast.contrast if self.contrast is not None else self.current

    # --- In the middle of a quiz, or after the lesson ---

    def aside(self, *first: Part, move: str) -> Plan:
        """Answer beside the lesson: the quiz waits and is offered again, just where it stood."""
        asked = self.facts.asked
        if asked is None or not asked.is_open:
            return self.planned(*first, *self.what_next(), state={"contrast": ""}, move=move, waits=False)
        offer = wording.offer_to_resume(seed=self.facts.seed)
        paused = cycles.pause_quiz(self.cycle)
        state = {"cycle": cycle_to_json(paused), "quiz_paused": True, "contrast": "", "tries": 0}
        return self.planned(*first, offer, standing_card(asked), state=state, move=move, waits=False)

    def what_next(self) -> tuple[Part, ...]:
        following = self.facts.next_concept
        if following is None:
            return (_("This lesson is done. Ask me anything about it."),)
        card = lobby.concept_card(self.facts.course, following, turn_id=self.facts.turn_id)
        return (_("This lesson is done. Here is what could come next."), card)

    # --- Wording ---

    def said(self, move: Move, *, hint: str = "", quote: str = "") -> str:
        """Return the move's words; with a question open, nothing that gives its answer away."""
        expected = self.asking()
        words = Words(
            quote=quote or self.facts.text,
            hint=hint or self.facts.hint,
            heard=expected.heard if expected else "",
            not_yet=expected.not_yet if expected else "",
            concept=self.facts.concept.title,
        )
        return self.kept(lambda seed: render(move, seed=self.facts.seed + seed, words=words), wording.fallback(move))

    def kept(self, rendering: Callable[[int], str], fallback: str) -> str:
        return leaks.guarded(rendering, self.facts.open_instance, self.facts.said_before, fallback)

    def harmless(self, blocks: Blocks) -> Blocks:
        """Return a contrast case's blocks, or words without its numbers where they give an open answer away."""
        return leaks.harmless(blocks, self.facts.open_instance, self.facts.said_before)

    def planned(
        self,
        *parts: Part,
        state: dict[str, Any],
        move: str,
        piece: str = "",
        misconception: str = "",
        waits: bool = True,
    ) -> Plan:
        said: tuple[str | Event, ...] = speech(*parts, turn_id=self.facts.turn_id)
        if "cycle" not in state and self.cycle.state == "quiz_active":
            return self.beside_quiz(said, state, TutorTurn(move=move, piece=piece, misconception=misconception))
        return Plan(
            say=said,
            result=TutorTurn(move=move, piece=piece, misconception=misconception),
            state=state,
            waits=waits,
        )

    def beside_quiz(self, said: tuple[str | Event, ...], state: dict[str, Any], result: TutorTurn) -> Plan:
        """Return a turn that interrupts the quiz without offering it again yet: a contrast case waits for its reply."""
        paused = {"cycle": cycle_to_json(cycles.pause_quiz(self.cycle)), "quiz_paused": True}
        return Plan(say=said, result=result, state=state | paused, waits=False)


ROLE = Role(
    name="tutor",
    label=gettext_lazy("Tutor"),
    purpose=gettext_lazy("explains and asks"),
    plan=plan,
    prompt=prompt_file(Path(__file__).parent.parent / "prompts" / "tutor.md"),
    result=TutorTurn,
    writes=frozenset(
        {
            "cycle",
            "current_topic",
            "learner_level",
            "explanation",
            "examples_provided",
            "explained",
            "explained_in_cycle",
            "piece",
            "tries",
            "contrast",
            "quiz_paused",
        }
    ),
    speaks=True,
    on_failure="abort",
)
