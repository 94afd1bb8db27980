"""The learning cycle and the routing of a session as state machines: pure functions.

tutor_explaining → quiz_active → feedback_analysing → mastered
        ↑                                 ↓
        └─────────────────────────── loop_again        at most five cycles, or as few as its course says,
                                                        then the path planner

awaiting_input → classify_intent → diagnose | learn | plan → awaiting_input
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final, Literal

from tutoring.courses.quiz_limits import DEFAULT_LIMITS, MAXIMUM_CYCLES, MINIMUM_QUESTIONS, QuizLimits

CycleState = Literal["tutor_explaining", "quiz_active", "feedback_analysing", "mastered", "loop_again"]
RoutingState = Literal["awaiting_input", "classify_intent", "diagnose", "learn", "plan"]

MISSES_BEFORE_DETOUR: Final = 6
DETOUR_ROUNDS: Final = 2
"""Rounds of a detour: after them it leads back, mastered or not."""

TRANSITIONS: Final[Mapping[CycleState, frozenset[CycleState]]] = MappingProxyType(
    {
        "tutor_explaining": frozenset({"quiz_active"}),
        "quiz_active": frozenset({"feedback_analysing"}),
        "feedback_analysing": frozenset({"mastered", "loop_again"}),
        "loop_again": frozenset({"tutor_explaining"}),
        "mastered": frozenset(),
    }
)
ROUTES: Final[Mapping[RoutingState, frozenset[RoutingState]]] = MappingProxyType(
    {
        "awaiting_input": frozenset({"classify_intent"}),
        "classify_intent": frozenset({"diagnose", "learn", "plan"}),
        "diagnose": frozenset({"awaiting_input"}),
        "learn": frozenset({"awaiting_input"}),
        "plan": frozenset({"awaiting_input"}),
    }
)
INITIAL_STATE: Final[RoutingState] = "awaiting_input"


class InvalidTransition(Exception):
    """The machine has no such transition from its current state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningCycle:
    """The cycle's state. During a detour to a prerequisite, the lesson's own cycle number does not change."""

    state: CycleState = "tutor_explaining"
    number: int = 1
    """Number of the cycle on the lesson's concept, from 1."""
    most: int = MAXIMUM_CYCLES
    """How many cycles the concept has, 1–5: as its course said when the lesson began."""
    asked: tuple[str, ...] = ()
    """Concepts of the questions asked in this quiz, in order."""
    paused: bool = False
    """Whether the quiz waits while something else is answered."""
    checkout: bool = False
    """Whether the quiz checks what the learner says they know already: it is about this concept alone."""
    detour: str = ""
    """The prerequisite being taught instead; empty on the lesson's own concept."""
    detour_number: int = 0
    """Number of the detour's cycle, 1–2; 0 without a detour."""
    detours: tuple[str, ...] = field(default=())
    """Prerequisites already visited: each gets one detour."""

    @property
    def is_over(self) -> bool:
        """Whether no step is left: mastered, or all cycles used."""
        return self.state == "mastered" or self.needs_plan

    @property
    def needs_plan(self) -> bool:
        """Whether all cycles ended without mastery: the path planner then suggests what to do instead."""
        return self.state == "loop_again" and not self.detour and self.number >= self.most

    @property
    def detour_is_spent(self) -> bool:
        """Whether the detour's rounds ended without mastery: the lesson goes on without it."""
        return self.state == "loop_again" and bool(self.detour) and self.detour_number >= DETOUR_ROUNDS

    @property
    def round(self) -> int:
        """The number of the current cycle: of the detour during a detour, otherwise of the lesson."""
        return self.detour_number if self.detour else self.number


def start_quiz(cycle: LearningCycle, *, checkout: bool = False) -> LearningCycle:
    """Return the cycle with the explanation finished. Raises WrongStep in another state."""
    return replace(_in_state(cycle, "quiz_active"), asked=(), paused=False, checkout=checkout)


def may_ask(cycle: LearningCycle, concept: str, limits: QuizLimits = DEFAULT_LIMITS) -> bool:
    """Tell whether this quiz may ask one more question on `concept`."""
    return _has_room(cycle, limits) and cycle.asked.count(concept) < limits.per_concept


def count_question(cycle: LearningCycle, concept: str, limits: QuizLimits = DEFAULT_LIMITS) -> LearningCycle:
    """Return the cycle with one more question asked. Raises WrongStep if it may not be asked, once 3 were."""
    too_few = _has_room(cycle, limits) and len(cycle.asked) < MINIMUM_QUESTIONS
    if not too_few and not may_ask(cycle, concept, limits):
        raise InvalidTransition(f"no question on {concept} in {cycle.state} after {len(cycle.asked)}")
    return replace(cycle, asked=(*cycle.asked, concept))


def quiz_should_end(
    cycle: LearningCycle, *, decided: bool, more: bool = True, limits: QuizLimits = DEFAULT_LIMITS
) -> bool:
    """Tell whether the quiz is done: all asked, or at least 3 and either decided or nothing `more` to ask."""
    asked = len(cycle.asked)
    return asked >= limits.questions or (asked >= MINIMUM_QUESTIONS and (decided or not more))


def pause_quiz(cycle: LearningCycle) -> LearningCycle:
    """Return the cycle with its quiz paused; in another state unchanged."""
    return replace(cycle, paused=True) if cycle.state == "quiz_active" else cycle


def resume_quiz(cycle: LearningCycle) -> LearningCycle:
    """Return the cycle with its quiz resumed."""
    return replace(cycle, paused=False)


def end_quiz(cycle: LearningCycle) -> LearningCycle:
    """Return the cycle at its feedback. Raises WrongStep before the third question."""
    if len(cycle.asked) < MINIMUM_QUESTIONS:
        raise InvalidTransition(f"a quiz ends after {MINIMUM_QUESTIONS} questions, not {len(cycle.asked)}")
    return replace(_in_state(cycle, "feedback_analysing"), paused=False)


def leave_quiz(cycle: LearningCycle) -> LearningCycle:
    """Return the cycle with its quiz ended early, explaining again: no round is over. Raises WrongStep if none is under way."""
    if cycle.state != "quiz_active":
        raise InvalidTransition(f"there is no quiz to leave in {cycle.state}")
    return replace(cycle, state="tutor_explaining", asked=(), paused=False)


def close_cycle(cycle: LearningCycle, *, mastered: bool) -> LearningCycle:
    """Return the cycle after its feedback: mastered, or to loop again. A mastered detour leads back to the lesson."""
    if not mastered:
        return _in_state(cycle, "loop_again")
    if cycle.detour:
        _in_state(cycle, "mastered")
        return _back_to_lesson(cycle)
    return _in_state(cycle, "mastered")


def loop_again(cycle: LearningCycle) -> LearningCycle:
    """Return the next cycle, explaining again. Raises WrongStep after the last, and after a detour's second."""
    if cycle.needs_plan or cycle.detour_is_spent:
        raise InvalidTransition(f"{cycle.round} cycles are spent")
    moved = replace(_in_state(cycle, "tutor_explaining"), asked=())
    if moved.detour:
        return replace(moved, detour_number=moved.detour_number + 1)
    return replace(moved, number=moved.number + 1)


def detour_to(cycle: LearningCycle, prerequisite: str) -> LearningCycle:
    """Return the cycle on a detour: `prerequisite` is explained first, the lesson's cycle number does not change.

    Raises WrongStep on a detour, when the lesson is over, or for a prerequisite already visited in this lesson.
    """
    if cycle.detour or cycle.is_over or prerequisite in cycle.detours:
        raise InvalidTransition(f"no detour to {prerequisite} from {cycle.detour or cycle.state}")
    return replace(
        cycle,
        state="tutor_explaining",
        asked=(),
        paused=False,
        detour=prerequisite,
        detour_number=1,
        detours=(*cycle.detours, prerequisite),
    )


def leave_detour(cycle: LearningCycle) -> LearningCycle:
    """Return the cycle back on the lesson's own concept, explaining, in the cycle it left."""
    if not cycle.detour:
        raise InvalidTransition("there is no detour to leave")
    return _back_to_lesson(cycle)


def enter_state(state: RoutingState, to: RoutingState) -> RoutingState:
    """Return `to`, the session's next routing state. Raises WrongStep if the specification has no such transition."""
    if to not in ROUTES[state]:
        raise InvalidTransition(f"{state} does not lead to {to}")
    return to


def reach_state(held: object, to: RoutingState) -> RoutingState:
    """Return `to`, reached by transitions from the stored state.

    A stored state without a way on is repaired and never raises: an unknown one, or one that a turn has left behind,
    counts as a new session's.
    """
    for state in ROUTES:
        if state == held and to in ROUTES[state]:
            return enter_state(state, to)
    at = INITIAL_STATE
    while at != to:
        at = enter_state(at, to if to in ROUTES[at] else "classify_intent")
    return at


def cycle_to_json(cycle: LearningCycle) -> dict[str, Any]:
    """Return the cycle as JSON data for a session's state."""
    return {**asdict(cycle), "asked": list(cycle.asked), "detours": list(cycle.detours)}


def cycle_from_json(data: Mapping[str, Any]) -> LearningCycle:
    """Return the cycle that `cycle_to_json` wrote; missing keys take their defaults."""
    known = {key: data[key] for key in LearningCycle.__dataclass_fields__ if key in data}
    for key in ("asked", "detours"):
        known[key] = tuple(known.get(key, ()))
    return LearningCycle(**known)


def _has_room(cycle: LearningCycle, limits: QuizLimits) -> bool:
    return cycle.state == "quiz_active" and not cycle.paused and len(cycle.asked) < limits.questions


def _in_state(cycle: LearningCycle, to: CycleState) -> LearningCycle:
    if to not in TRANSITIONS[cycle.state]:
        raise InvalidTransition(f"{cycle.state} does not lead to {to}")
    return replace(cycle, state=to)


def _back_to_lesson(cycle: LearningCycle) -> LearningCycle:
    return replace(cycle, state="tutor_explaining", asked=(), paused=False, detour="", detour_number=0)
