"""The facts for the side agents: an utterance or an answer, and its context."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tutoring.courses.catalogue import ConceptContent, CourseContent, Milestone
from tutoring.lesson.drawing_facts import DrawingFacts
from tutoring.mastery.misconception_evidence import Suspicion
from tutoring.mastery.turn_evidence import LearnerTurn, MilestoneUse
from tutoring.output_checks.answer_leak_guard import OpenQuestion
from tutoring.understanding.message_analysis import MessageAnalysis


@dataclass(frozen=True, slots=True, kw_only=True)
class OverheardUtterance:
    """One final utterance with its context. Equal ones are analyzed once."""

    turn: int
    """Its number in the conversation."""
    text: str = ""
    """The text, to be shown and quoted; empty for an answer on a card."""
    analysis: MessageAnalysis | None = None
    """Its analysis, made once in its turn; None without text."""
    kind: Literal["message", "answer"] = "message"
    question: str = ""
    """The stem of the card that was answered."""
    answer: str = ""
    correct: bool | None = None
    course: CourseContent
    concept: ConceptContent
    milestone: Milestone | None = None
    """The first that is not reached yet; None if all are."""
    said: frozenset[str] = frozenset()
    """Milestones recorded as said in the learner's own words."""
    milestone_attempts: int = 0
    """Messages and answers since it is the current one."""
    mastery: float | None = None
    """Probability (0–1) that the concept is known; None without an answer."""
    streak: int = 0
    """Answers on the concept right in a row, without help."""
    suspicions: Mapping[str, Suspicion] = field(default_factory=dict)
    exchanges: tuple[LearnerTurn, ...] = ()
    """The latest turns, oldest first, this one last; at most twenty."""
    own_words: tuple[str, ...] = ()
    """What the learner said in this lesson, oldest first, this message last."""
    told: tuple[str, ...] = ()
    """What was said to the learner, oldest first."""
    uses: tuple[MilestoneUse, ...] = ()
    """Answers on the concept, oldest first."""
    seen: DrawingFacts | None = None
    open_question: OpenQuestion | None = None
    """The open question: what a model writes about the learner is shown, and must not give anything of it away."""
    self_report: str = ""
    """How the learner says it is going, within the last ten minutes: `frustrated`, `confused`, `bored`, `fine`; otherwise empty."""

    @property
    def is_read_by_model(self) -> bool:
        """Whether a connected model has read the words already: it is not asked twice."""
        return self.analysis is not None and self.analysis.read_by == "model"
