"""The facts of a turn for the teaching roles: values gathered once, before the run."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from tutoring.courses.catalogue import (
    ConceptContent,
    CourseAnswer,
    CourseContent,
    LessonPiece,
    Level,
    Milestone,
    Misconception,
)
from tutoring.courses.exercises.exercise import Exercise
from tutoring.courses.exercises.operands import Operands
from tutoring.lesson.cycle import LearningCycle
from tutoring.lesson.notes import Notes
from tutoring.lesson.placement import Placement
from tutoring.lesson.response_plan import DEFAULT_RESPONSE, Act, PlacementRequest, ResponsePlan
from tutoring.lesson.state import WHOLE_CONCEPT, LessonState
from tutoring.mastery.error_patterns import Mistake
from tutoring.mastery.knowledge_tracing import (
    DEFAULT_SKILL,
    DEFAULT_THRESHOLD,
    AbilityEstimate,
    Belief,
    DifficultyOffset,
    SkillParameters,
    is_mastered,
    known_score,
)
from tutoring.mastery.learning_path import ConceptStanding
from tutoring.mastery.misconception_evidence import Suspicion
from tutoring.mastery.placement import Gap, Recommendation
from tutoring.mastery.placement import Level as PlacedLevel
from tutoring.mastery.planned_path import PlannedPath
from tutoring.mastery.sittings import EMPTY_SITTING, Sitting

_YES_OR_NO: Final = re.compile(r"^(?:Yes|No)\.\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """The question on the card, with its attempts and hints."""

    id: str
    instance: Exercise
    number: int
    total: int | None
    attempts: int
    hints_used: int
    is_open: bool
    source: str = ""
    """The course material it was made from, as it was then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedAnswer:
    """The learner's answer in this turn, as it was graded."""

    answer: str
    verdict: str
    correct: bool
    gave_up: bool
    number: int
    """Which attempt at the question this was, from 1."""
    seconds: float | None
    """How long the learner took; None if not measured."""
    chosen: tuple[str, ...]
    """Letters of the chosen choices."""
    matched: tuple[str, ...]
    """Ids of the misconceptions that would have given this very answer."""
    before: float | None
    """Probability of mastery before and after; None if the attempt did not change it."""
    after: float | None
    reason: str = ""
    """The grader's code for why it is not right; empty for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LastAnswer:
    """An answer that somebody asks about."""

    stem: str
    answer: str
    """As readable text; empty for "I don't know"."""
    correct: bool
    is_open: bool
    """Whether the question can still be answered: nothing of its solution is told."""
    solution: tuple[str, ...]
    matched: tuple[str, ...]
    url: str = ""
    """Where the learner sees it with everything that was counted, and can say that it is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagnosisFacts:
    """Everything the diagnostic decides by, including this turn's answer."""

    turn_id: str
    seed: int
    told: tuple[str, ...] = ()
    """As in `LessonFacts`."""
    course: CourseContent
    topic: ConceptContent
    """What the learner wants to master."""
    placement: Placement
    exercise: Exercise | None
    """The question to ask next; None if none is left."""
    path: PlannedPath
    """The path after the placement, if it is over now."""
    level: PlacedLevel
    own_level: str = ""
    """The level that the learner chose; empty for none."""
    probabilities: Mapping[str, float] = field(default_factory=dict)
    """Concept id → probability (0–1) after the answers; empty without any."""
    gaps: tuple[Gap, ...] = ()
    recommendations: tuple[Recommendation, ...] = ()
    asked: AskedQuestion | None = None
    """The open question, or the one just answered."""
    answered: JudgedAnswer | None = None
    unreadable: str = ""
    text: str = ""
    served: ResponsePlan = DEFAULT_RESPONSE
    """As in `LessonFacts`."""
    wants: PlacementRequest = ""
    """What a message next to the question asks for."""
    begins: bool = False
    """Whether the learner has just named the topic."""
    replaced_goals: tuple[str, ...] = ()
    """Titles of the goals that it replaces."""
    record: tuple[str, ...] = ()
    """As in `LessonFacts`."""

    @property
    def is_over(self) -> bool:
        return bool(self.placement.ended)


@dataclass(frozen=True, slots=True, kw_only=True)
class PathFacts:
    """The facts for the path planner, in a turn that asks for nothing else."""

    turn_id: str
    seed: int
    told: tuple[str, ...] = ()
    """As in `LessonFacts`."""
    path: PlannedPath
    text: str = ""
    current: ConceptContent | None = None
    """The concept taught in this conversation."""
    next_concept: ConceptContent | None = None
    """What could come after it."""
    under_way: bool = False
    """Whether its lesson has begun and is not over."""
    asked: AskedQuestion | None = None
    """The open question."""
    placing: bool = False
    elsewhere: bool = False
    """Whether the learner wants something else right now."""
    disowned: ConceptContent | None = None
    """The topic that they do not know, although the placement took it as known."""
    has_other_courses: bool = False
    """Whether there are courses beside this one."""
    unknown_topic: bool = False
    """Whether they named a topic that no course has."""
    rivals: tuple[ConceptContent, ...] = ()
    """The concepts that they may mean; empty if they named none, or just one."""
    named_course: CourseContent | None = None
    """Another course that they named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonFacts:
    """Everything the roles of a lesson decide by."""

    turn_id: str
    seed: int
    """Seed for choosing among wordings; the same turn, run again, says the same."""
    kind: Literal["open", "message", "answer"]
    course: CourseContent
    concept: ConceptContent
    level: Level
    """The level to explain at."""
    told: tuple[str, ...] = ()
    """The tutor's messages of the last turns, oldest first: what it says now repeats none of their sentences."""
    learner_level: PlacedLevel = "unknown"
    """The learner's own choice, or what the evidence about the prerequisites suggests."""
    lesson: LessonState = field(default_factory=LessonState)
    served: ResponsePlan = DEFAULT_RESPONSE
    """The decision about the message: its act, and what that is based on."""
    text: str = ""
    said_before: tuple[str, ...] = ()
    """The learner's own messages and answers so far, which the tutor may repeat."""
    steps_answered: frozenset[str] = frozenset()
    """Template ids of what was answered right in this conversation: a lesson that begins again leaves those steps out."""
    asked: AskedQuestion | None = None
    """The open question, or the one just answered."""
    answered: JudgedAnswer | None = None
    hint: str = ""
    """The rung given in this turn."""
    put_away: bool = False
    """Whether this message closed the open question without an answer."""
    on_card: bool = False
    """Whether the answer came from the question's card, which shows the verdict and the hint itself."""
    unreadable: str = ""
    """Why an answer typed in the chat could not be read."""
    beliefs: Mapping[str, Belief] = field(default_factory=dict)
    """Concept id → belief, for the concept and its prerequisites."""
    skills: Mapping[str, SkillParameters] = field(default_factory=dict)
    """Concept id → its estimator's parameters, where it has its own."""
    ability: AbilityEstimate = field(default_factory=AbilityEstimate)
    offsets: Mapping[str, DifficultyOffset] = field(default_factory=dict)
    """Template id → its estimated difficulty."""
    times_answered: Mapping[str, int] = field(default_factory=dict)
    """Template id → how often this learner was asked it."""
    recent_templates: tuple[str, ...] = ()
    operands_met: Operands = frozenset()
    """Numbers worked with in this quiz and in the last two questions: the next one has others."""
    written: tuple[Exercise, ...] = ()
    """Checked questions that a model wrote on these concepts, and that this learner was never asked."""
    suspicions: Mapping[str, Suspicion] = field(default_factory=dict)
    noticed: frozenset[str] = frozenset()
    """Names of the findings noted in this conversation."""
    put_right: tuple[str, ...] = ()
    """Misconceptions found and resolved in this conversation."""
    quiz_marks: tuple[bool, ...] = ()
    """This cycle's questions in order: whether right on the first attempt."""
    mistakes: tuple[Mistake, ...] = ()
    """The mistakes on this cycle's questions, with what is known of their causes."""
    round_before: float | None = None
    """Share (0–1) right on the first attempt in the round before this one; None in the first."""
    last_answer: LastAnswer | None = None
    """The latest graded answer; only if somebody asks how they did, or says that it was judged wrong."""
    mastered: bool = False
    """Whether the concept is mastered now."""
    threshold: float = DEFAULT_THRESHOLD
    """The mastery score (0–1) needed: a started concept keeps its own, the others use the conversation's."""
    detour_from: ConceptContent | None = None
    """The lesson's own concept while a prerequisite is taught instead."""
    returned: bool = False
    """Whether the learner has left a detour with this message."""
    next_concept: ConceptContent | None = None
    """What could come after this one."""
    earlier: tuple[str, ...] = ()
    """Ids of mastered concepts to review among this one's questions, the best first."""
    sitting: Sitting = EMPTY_SITTING
    """What was answered before this turn's next question; empty if there is no earlier concept to ask about."""
    path: PlannedPath | None = None
    """The path to the learner's goals in this course; None without a goal."""
    reached_goal: bool = False
    """Whether the concept is mastered, and was a goal of the learner's until this conversation."""
    model_sentence: str = ""
    """A right reply to the open prompt, in words; only if the learner's words could not be judged."""
    placing: bool = False
    """Whether the message is outside a placement whose question is open."""
    off_topic: bool = False
    """Whether the message asks for something this team does not do."""
    attached: bool = False
    """Whether files are attached to the message."""
    examples_shown: frozenset[str] = frozenset()
    """Ids of the concept's examples that the learner has seen, in any conversation."""
    notes: Notes = field(default_factory=Notes)
    """The notes of the hub for this turn."""
    record: tuple[str, ...] = ()
    """What the record says to a question about the system, in sentences; empty for any other message."""
    said_from_record: str = ""
    """The answer to a question about the goal or the length of the lesson; empty for any other message."""
    recap: str = ""
    """What was done in the conversation, in at most three sentences; only for a goodbye."""

    @property
    def typed(self) -> str:
        """The message of this turn; empty for an answer on a card."""
        return "" if self.on_card else self.text

    @property
    def act(self) -> Act:
        """What the message does; empty for a turn without one, and for an answer, which is graded separately."""
        return "" if self.answered is not None else self.served.act

    @property
    def course_answer(self) -> CourseAnswer | None:
        """The course's answer to the question in the message."""
        return find_course_answer(self.course, self.served)

    @property
    def cycle(self) -> LearningCycle:
        return self.lesson.cycle

    @property
    def open_instance(self) -> Exercise | None:
        """The question whose answer must not be given away; None while none is open."""
        return self.asked.instance if self.asked is not None and self.asked.is_open else None

    @property
    def milestone(self) -> Milestone | None:
        """The milestone whose idea was asked for last; None if none was."""
        return next((each for each in self.concept.milestones if each.id == self.lesson.explaining), None)

    @property
    def expects_own_words(self) -> bool:
        """Whether the learner was asked to say an idea or to sum up: then words that cannot be judged are accepted."""
        return self.milestone is not None or self.lesson.explaining == WHOLE_CONCEPT

    def piece(self, piece_id: str) -> LessonPiece | None:
        """Return the piece of the lesson with this id, at any level."""
        return next((piece for piece in self.concept.every_piece if piece.id == piece_id), None)

    def skill(self, concept_id: str) -> SkillParameters:
        """Return the estimator parameters of a concept."""
        return self.skills.get(concept_id, DEFAULT_SKILL)

    @property
    def mastery_score(self) -> float | None:
        """The expected accuracy (0–1) on the concept's reference item, None while there are too few answers."""
        own = self.beliefs.get(self.concept.id)
        score = known_score(own.probability, answers=own.answers) if own else None
        return None if score is None else round(score, 3)

    @property
    def standings(self) -> dict[str, ConceptStanding]:
        """The beliefs about the concept, its prerequisites and what is asked beside it, as the path rules take them."""
        return {
            each: ConceptStanding(
                probability=belief.probability,
                answers=belief.answers,
                mastered=is_mastered(belief, threshold=self.threshold, skill=self.skill(each)),
            )
            for each, belief in self.beliefs.items()
        }

    def misconception(self, misconception_id: str) -> Misconception | None:
        return self.course.misconceptions.get(misconception_id)


def find_course_answer(course: CourseContent, served: ResponsePlan) -> CourseAnswer | None:
    """Return the course's answer that was found for a question; None without one.

    Without a "Yes." or "No." at its beginning: the question may have been asked the other way round.
    """
    about = next(
        (each for each in course.concepts if f"{course.id}/{each.id}" == served.topic or each.id == served.topic), None
    )
    if about is None or served.answer is None or served.answer >= len(about.answers):
        return None
    answer = about.answers[served.answer]
    return replace(answer, says=_YES_OR_NO.sub("", answer.says))


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyFacts:
    """The facts for the tutor in a conversation without a topic."""

    turn_id: str
    courses: tuple[CourseContent, ...]
    seed: int = 0
    told: tuple[str, ...] = ()
    """Both as in `LessonFacts`."""
    text: str = ""
    offered: tuple[tuple[CourseContent, ConceptContent], ...] = ()
    """What the message may mean, if there is more than one reading; empty for all there is."""
    offered_course: CourseContent | None = None
    """The course whose beginning and goals are offered, if the message names a course and no lesson."""
    answer: str = ""
    """A course's answer to the question."""
    attached: bool = False
    """Whether files are attached to the message."""
    off_topic: bool = False
    unsure: bool = False
    """Whether it is unclear what is wanted, so that the tutor asks."""
    wants_quiz: bool = False
    """Whether the learner wants a quiz without naming a topic."""
    served: ResponsePlan = DEFAULT_RESPONSE
    """The decision about the message."""
    record: tuple[str, ...] = ()
    """As in `LessonFacts`."""
    said_from_record: str = ""
    """As in `LessonFacts`."""
    recap: str = ""
    """As in `LessonFacts`."""
