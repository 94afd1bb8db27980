"""What a message is read in the light of: a frozen value, made by reads alone before the analysis."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from tutoring.courses.catalogue import ConceptContent, CourseContent
    from tutoring.courses.exercises.exercise import Exercise
    from tutoring.grading import AnswerKey

type PromptKind = Literal["question", "piece", "contrast", "milestone", "summary", "offer"]
"""`question`: a card's; `piece`, `contrast`, `milestone`: open words; `offer`: yes or no to what comes next."""
Author = Literal["learner", "team"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """Something that was asked of the learner."""

    id: str
    """A question's row, or the id of the piece, the misconception or the milestone."""
    kind: PromptKind
    text: str
    instance: "Exercise | None" = None
    """The question of a card; None for what is asked in words."""
    known: str = ""
    """The answer to what is asked without a card, where it is known: "3/4", "yes", "the second bar"."""
    picture: str = ""
    """The picture or the manipulative beside it, in words."""

    @property
    def key(self) -> "AnswerKey | None":
        """What an answer is graded by; None for open words."""
        return self.instance.key if self.instance is not None else None

    @property
    def form(self) -> str:
        """How the answer is given: `numeric`, `choice`, `text` and so on; empty for open words."""
        return self.instance.kind if self.instance is not None else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastMessage:
    """One thing that was said before."""

    author: Author
    text: str
    correct: bool | None = None
    """Whether it was a right answer; None for what was none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Where a message is said. The default is a conversation that has just begun."""

    course: "CourseContent | None" = None
    concept: "ConceptContent | None" = None
    """What is taught now."""
    courses: "tuple[CourseContent, ...]" = ()
    """All there is to learn, for the names in a message."""
    prompts: tuple[Prompt, ...] = ()
    """What was asked: the one that waits first, then up to three that were left, the latest first."""
    waits: bool = True
    """Whether the first prompt still waits for its answer."""
    last_said: str = ""
    """What the team said last, its last sentences."""
    history: tuple[PastMessage, ...] = ()
    """The last exchanges, oldest first."""
    in_quiz: bool = False
    is_placing: bool = False
    is_over: bool = False
    """The lesson has ended."""
    active: frozenset[str] = frozenset()
    """Misconceptions of the concept that are active now: while one is, its milestones have no evidence."""
    readers: str = ""
    """Who can read the conversation, in words."""
    equal_parts_drawn: bool = False
    """A drawing that goes with the message shows equal parts."""
    drawn_words: str = ""
    """What is written on that drawing or photo."""

    @property
    def is_replying(self) -> bool:
        """Whether something waits for an answer."""
        return self.waits and bool(self.prompts)

    @property
    def question(self) -> str:
        """The question that waits for an answer; empty where none does."""
        return self.prompts[0].text if self.is_replying else ""

    @property
    def asked(self) -> str:
        """The words of what was asked or said last; empty for nothing."""
        return self.question or self.last_said


NEW_CONTEXT: Final = Context()
"""A conversation that has just begun."""
