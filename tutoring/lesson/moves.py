"""Chooses the next teaching move by rules over what was answered or said, before anything is worded.

The move, its rung and its misconception are chosen here, with or without a model; a template or a model only words them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

from tutoring.courses.hint_ladder import LAST_RUNG
from tutoring.lesson.acts import Act
from tutoring.lesson.cycle import MISSES_BEFORE_DETOUR

if TYPE_CHECKING:
    from tutoring.grading.verdicts import Verdict

MoveId = Literal[
    # Teaching moves.
    "ask_attempt",
    "probe_reasoning",
    "focus_step",
    "hint_principle",
    "hint_substep",
    "worked_twin",
    "bottom_out",
    "contrast_case",
    "self_explain",
    "affirm_specific",
    "prereq_drop",
    "simplify",
    "represent",
    "break_choice",
    "summarise_retrieve",
    "decline_answer",
    # After an answer that could not be graded, or only its form.
    "retype",
    "ask_form",
    # Leading the conversation.
    "continue_lesson",
    "begin_quiz",
    "resume_quiz",
    "answer_question",
    "not_yet",
    "welcome",
    "farewell",
    "converse",
]

RUNGS: Final[Mapping[int, MoveId]] = MappingProxyType(
    {1: "focus_step", 2: "hint_principle", 3: "hint_substep", 4: "worked_twin", 5: "bottom_out"}
)
UPSET_FROM: Final = 0.6
"""Frustration or boredom (0–1) from which a turn reacts to it."""
CONFUSED_TURNS_NEEDED: Final = 3
"""Confusion is productive for a turn or two; from this many turns on, the picture changes."""
EXPLAIN_EVERY: Final = 3
"""One right answer in this many is to be explained."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HintClimb:
    """How many of a question's hints were used. Each new attempt earns one rung."""

    rung: int = 0
    """The highest rung shown, 0–5."""
    attempts: int = 0
    """Answers given to the question; "I don't know" counts as one, once per rung."""
    attempts_at_rung: int = 0
    """How many answers there were when that rung was shown."""

    @property
    def next_rung(self) -> int:
        """The rung this attempt has earned, or the one already shown."""
        return min(LAST_RUNG, self.rung + (self.attempts > self.attempts_at_rung))

    def after_attempt(self) -> "HintClimb":
        """Return the ladder after one more answer."""
        return replace(self, attempts=self.attempts + 1)

    def after_hint(self, rung: int) -> "HintClimb":
        """Return the ladder after `rung` was shown; a rung shown again, or 0, changes nothing."""
        return replace(self, rung=rung, attempts_at_rung=self.attempts) if rung > self.rung else self


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveSituation:
    """What a move is chosen from. Give either the verdict of an answer or what a message does."""

    verdict: "Verdict | None" = None
    act: Act = ""
    ladder: HintClimb | None = None
    """For the open question; None without one."""
    misconception: str = ""
    """The one just said, or the most suspected (≥ .5), if its contrast case was not yet shown in this question."""
    misses: int = 0
    """Questions in a row on the concept that were missed on the first try."""
    prerequisite: str = ""
    """The weakest prerequisite not visited yet in this lesson."""
    probing: bool = False
    """Whether "how did you get that" fits here and was not asked on this question yet."""
    explain: bool = False
    """Whether this right answer is to be explained, see `is_explanation_due`."""
    closed: bool = False
    """Whether the question is over without a right answer: its tries are used up, or it was given up."""
    contested: bool = False
    """Whether the tutor is waiting for the answer to a contrast case."""
    quiz_paused: bool = False
    cycle_ended: bool = False
    """The cycle has ended with mastery: any other end leads on to the next piece, which asks by itself."""
    frustration: float = 0.0
    boredom: float = 0.0
    confused_turns: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """What to do next."""

    id: MoveId
    rung: int = 0
    """The hint rung to show, 1–5; 0 for none."""
    misconception: str = ""
    prerequisite: str = ""
    owes_twin: bool = False
    """Whether the solution was shown: the same template with other numbers comes next."""


def decide_move(situation: MoveSituation) -> Move:
    """Return the next move. Deterministic; the solution (rung 5) only after rungs 1–4, one rung per new attempt."""
    if situation.cycle_ended:
        return Move(id="summarise_retrieve")
    if situation.verdict is not None:
        return _after_answer(situation, situation.verdict)
    return _after_message(situation)


def is_explanation_due(*, seed: int, milestone: bool) -> bool:
    """Tell whether a right answer is to be explained: always at a milestone, else one in three, by a seed."""
    return milestone or seed % EXPLAIN_EVERY == 0


def _after_answer(situation: MoveSituation, verdict: "Verdict") -> Move:
    if verdict == "correct":
        return Move(id="self_explain" if situation.explain else "affirm_specific")
    if verdict == "unparsable":
        return Move(id="retype")
    missed = verdict != "equivalent_not_in_form"
    if missed and situation.misses >= MISSES_BEFORE_DETOUR and situation.prerequisite:
        return Move(id="prereq_drop", prerequisite=situation.prerequisite)
    if situation.closed:
        return Move(id="bottom_out", rung=LAST_RUNG, owes_twin=True)
    if not missed:
        return Move(id="ask_form")
    if situation.misconception:
        return Move(id="contrast_case", misconception=situation.misconception)
    if mood := _mood_move(situation):
        return mood
    if situation.probing:
        return Move(id="probe_reasoning")
    return _hint(situation.ladder or HintClimb(attempts=1))


_MOVE_AFTER: Final[Mapping[Act, MoveId]] = {
    "idea_said": "affirm_specific",
    "idea_partly": "probe_reasoning",
    "stuck": "simplify",
    "example": "simplify",
    "other_picture": "represent",
    "harder": "break_choice",
    "known": "break_choice",
    "question": "answer_question",
    "calculation": "answer_question",
    "off_topic": "answer_question",
    "drawing": "answer_question",
    "goodbye": "farewell",
    "abandon": "farewell",
    "greeting": "welcome",
}
"""What follows a message wherever the lesson stands."""


def _after_message(situation: MoveSituation) -> Move:
    match situation.act:
        case "misconception" if situation.misconception:
            return Move(id="contrast_case", misconception=situation.misconception)
        case "answer_demand":
            return _declined(situation.ladder)
        case "hint_request":
            return _helped(situation)
        case "does_not_know" if situation.ladder is not None:
            return _hint(situation.ladder.after_attempt())
        case "does_not_know":
            return _helped(situation)
        case "quiz_request":
            return Move(id="resume_quiz" if situation.quiz_paused else "begin_quiz")
        case "resume" if situation.quiz_paused:
            return Move(id="resume_quiz")
        case "go_on" | "resume" | "skip" | "moved":
            return _onwards(situation)
        case act if move := _MOVE_AFTER.get(act):
            return Move(id=move)
        case _:
            return _mood_move(situation) or Move(id="not_yet")


def _onwards(situation: MoveSituation) -> Move:
    if situation.quiz_paused:
        return Move(id="resume_quiz")
    if situation.ladder is not None or situation.contested:
        return Move(id="ask_attempt")
    return Move(id="continue_lesson")


def _helped(situation: MoveSituation) -> Move:
    """Return a hint if an attempt has earned one. Without an open card, the lesson's own hint is used."""
    if situation.ladder is None:
        return _mood_move(situation) or Move(id="not_yet")
    if situation.ladder.attempts == situation.ladder.attempts_at_rung:
        return Move(id="ask_attempt")
    return _hint(situation.ladder)


def _declined(ladder: HintClimb | None) -> Move:
    """Return the next rung if an attempt has earned it, with the answer declined; otherwise a request to try.

    Without an open card, the answer is declined and the lesson's own hint given.
    """
    if ladder is None:
        return Move(id="decline_answer")
    if ladder.attempts == 0:
        return Move(id="ask_attempt")
    rung = ladder.next_rung
    return _hint(ladder) if rung == LAST_RUNG else Move(id="decline_answer", rung=rung)


def _hint(ladder: HintClimb) -> Move:
    rung = ladder.next_rung
    return Move(id=RUNGS[rung], rung=rung, owes_twin=rung == LAST_RUNG) if rung else Move(id="ask_attempt")


def _mood_move(situation: MoveSituation) -> Move | None:
    if situation.frustration >= UPSET_FROM:
        return Move(id="simplify")
    if situation.confused_turns >= CONFUSED_TURNS_NEEDED:
        return Move(id="represent")
    return Move(id="break_choice") if situation.boredom >= UPSET_FROM else None
