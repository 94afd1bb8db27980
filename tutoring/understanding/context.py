"""The context of a message: a frozen value, loaded by reads alone before the analysis."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from tutoring.courses.exercises.drafts import PROGRAM_KINDS

if TYPE_CHECKING:
    from tutoring.courses.catalogue import ConceptContent, CourseContent
    from tutoring.courses.exercises.exercise import Exercise
    from tutoring.grading import AnswerKey
    from tutoring.planner.values import CompanionContext

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
    """The known answer to a question without a card: "3/4", "yes", "the second bar"; may be empty."""
    options: "Mapping[str, bool]" = field(default_factory=dict)
    """Short answers offered as buttons, and whether each is right; empty for none."""
    picture: str = ""
    """The picture or the manipulative beside it, in words."""
    given: str = ""
    """The last answer to it, if that was right in part; empty for none."""

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
    """One earlier message."""

    author: Author
    text: str
    correct: bool | None = None
    """Whether it was a right answer; None if it was no answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The state in which a message arrives. The default is a new conversation."""

    course: "CourseContent | None" = None
    concept: "ConceptContent | None" = None
    """What is taught now."""
    courses: "tuple[CourseContent, ...]" = ()
    """All courses, to find topics that a message names."""
    prompts: tuple[Prompt, ...] = ()
    """What was asked: the open prompt first, then up to three that were left unanswered, the latest first."""
    waits: bool = True
    """Whether the first prompt still waits for its answer."""
    last_said: str = ""
    """The last sentences of the team's last message."""
    offered: tuple[str, ...] = ()
    """The labels of the buttons of that message, if this one may mean one of them."""
    history: tuple[PastMessage, ...] = ()
    """The last exchanges, oldest first."""
    in_quiz: bool = False
    is_placing: bool = False
    is_over: bool = False
    """The lesson has ended."""
    active: frozenset[str] = frozenset()
    """Active misconceptions of the concept: with one, a message is no evidence for milestones."""
    readers: str = ""
    """Who can read the conversation, in words."""
    equal_parts_drawn: bool = False
    """An attached drawing shows equal parts."""
    drawn_words: str = ""
    """Words written on the attached drawing or photo."""
    companion: "CompanionContext | None" = None
    """What reading requests to the planner needs; without it, none are read."""

    @property
    def is_replying(self) -> bool:
        """Whether something waits for an answer."""
        return self.waits and bool(self.prompts)

    @property
    def has_open_card(self) -> bool:
        """Whether a card waits for an answer."""
        return self.is_replying and self.prompts[0].key is not None

    @property
    def is_about_programs(self) -> bool:
        """Whether the concept's exercises are about programs: numbers and signs in a message may be code."""
        return self.concept is not None and any(each.kind in PROGRAM_KINDS for each in self.concept.templates)

    @property
    def question(self) -> str:
        """The open question; empty if none is open."""
        return self.prompts[0].text if self.is_replying else ""

    @property
    def asked(self) -> str:
        """The open question, else what was said last; may be empty."""
        return self.question or self.last_said


NEW_CONTEXT: Final = Context()
"""The context of a new conversation."""
