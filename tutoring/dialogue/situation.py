"""The state of a conversation when a message comes: with the analysis, all that a decision is made from."""

from dataclasses import dataclass, field
from typing import Literal

from tutoring.lesson.placement import Placement
from tutoring.lesson.state import LessonState

type Kind = Literal["open", "message", "answer"]
type Place = Literal["lobby", "placement", "lesson"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCard:
    """The open card."""

    id: str
    kind: str
    """`numeric`, `choice` and so on."""
    hints_used: int
    is_step: bool = False
    """Whether a piece of the lesson asks it."""
    own_words: bool = False
    """Whether it asks for a reason that may be said in one's own words."""
    is_unseen: bool = False
    """Whether the message was written before the page showed it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogueState:
    """Everything that a decision depends on, besides the message. Frozen; made by reads only."""

    place: Place = "lobby"
    kind: Kind = "message"
    lesson: LessonState = field(default_factory=LessonState)
    course: str = ""
    concept: str = ""
    """The concept taught now: the lesson's own, or the detour's."""
    own_concept: str = ""
    detour_is_gone: bool = False
    """Whether the course no longer has the detour's concept."""
    placement: Placement = field(default_factory=Placement)
    question: OpenCard | None = None
    waits_for: str = ""
    """The id of the open prompt in words: a piece, a misconception's case or a milestone; otherwise empty."""
    misconceptions_here: frozenset[str] = frozenset()
    """Misconceptions of the concept taught now."""
    last_agent: str = ""
    """Who spoke last."""
    suggested: str = ""
    """The first lesson (`course/concept`) that is not mastered, once the lobby has said what there is; else empty."""
    next_concept: str = ""
    """The step that was offered as the next one; empty for none."""
    path_is_due: bool = False
    """Whether a placement has ended and its path is still to be shown."""
    has_goal: bool = False
    taken_as_known: frozenset[str] = frozenset()
    """Concepts of the course that only the placement says are known."""
    stopped_placement: str = ""
    """The topic of a placement that was stopped and can go on; empty for none."""
    worth_placing: frozenset[str] = frozenset()
    """Named concepts (`course/concept`) with too little known below them to start at once."""
    withheld: str = ""
    """Why the calculation in the message is left to the learner (it is the open question's); empty if it is not."""
    attached: bool = False
    """Whether files are attached to the message."""
    drawing_is_new: bool = False
    has_drawing: bool = False

    @property
    def in_quiz(self) -> bool:
        return self.lesson.cycle.state == "quiz_active"

    @property
    def is_over(self) -> bool:
        return self.lesson.cycle.is_over

    @property
    def has_not_begun(self) -> bool:
        return self.lesson == LessonState()
