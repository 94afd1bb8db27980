"""Where a conversation stands when a message comes: the one value that a decision is made from, beside the analysis."""

from dataclasses import dataclass, field
from typing import Literal

from tutoring.lesson.placement import Placement
from tutoring.lesson.state import LessonState

type Kind = Literal["open", "message", "answer"]
type Place = Literal["lobby", "placement", "lesson"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCard:
    """The card that waits for an answer."""

    id: str
    kind: str
    """`numeric`, `choice` and so on."""
    hints_used: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogueState:
    """Everything that a decision depends on, beside what the message says. Frozen; made by reads alone."""

    place: Place = "lobby"
    kind: Kind = "message"
    lesson: LessonState = field(default_factory=LessonState)
    course: str = ""
    concept: str = ""
    """What is taught now: the lesson's own concept, or that of its detour."""
    own_concept: str = ""
    detour_is_gone: bool = False
    """The course has the detour's concept no more."""
    placement: Placement = field(default_factory=Placement)
    question: OpenCard | None = None
    waits_for: str = ""
    """The id of the prompt in words that waits for a reply: a piece, a misconception's case, a milestone; else empty."""
    misconceptions_here: frozenset[str] = frozenset()
    """Misconceptions that belong to the concept taught now."""
    last_agent: str = ""
    """Who spoke last."""
    next_concept: str = ""
    """The step that was offered as the next one; empty for none."""
    path_is_due: bool = False
    """A placement has ended, and its path is still to be shown."""
    has_goal: bool = False
    stopped_placement: str = ""
    """The topic of a placement that was stopped and may go on; empty for none."""
    worth_placing: frozenset[str] = frozenset()
    """Concepts named in the message, `course/concept`, of whose foundations too little is known to begin at once."""
    withheld: str = ""
    """Why the sum in the message is left to the learner: it is that of a question that is open; empty where it is not."""
    attached: bool = False
    """Files go with the message."""
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
