"""What the teaching roles know of a turn: values gathered once, before the run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

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


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """A question that stands before the learner, and how far they are with it."""

    id: str
    instance: Exercise
    number: int
    total: int | None
    attempts: int
    hints_used: int
    is_open: bool
    source: str = ""
    """What of the course it was made from, as it was then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedAnswer:
    """What the learner answered with this turn, as it was judged."""

    answer: str
    verdict: str
    correct: bool
    gave_up: bool
    number: int
    """Which attempt at the question this was, from 1."""
    seconds: float | None
    """How long the learner took; None where nobody measured."""
    chosen: tuple[str, ...]
    """Letters chosen, of choices."""
    matched: tuple[str, ...]
    """Ids of the misconceptions that would have given this very answer."""
    before: float | None
    """Probability of mastery before and after; None where the attempt said nothing about it."""
    after: float | None
    reason: str = ""
    """The grader's code for why it is not right; empty for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LastAnswer:
    """An answer that somebody looks back on."""

    stem: str
    answer: str
    """As one reads it; empty for "I don't know"."""
    correct: bool
    is_open: bool
    """The question may still be answered: nothing of its solution is told."""
    solution: tuple[str, ...]
    matched: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagnosisFacts:
    """Everything the diagnostic decides by. This turn's answer is taken into account already."""

    turn_id: str
    seed: int
    course: CourseContent
    topic: ConceptContent
    """What the learner wants to master."""
    placement: Placement
    exercise: Exercise | None
    """The question to ask next; None where nothing is left to ask."""
    path: PlannedPath
    """The path as it is after the placement, should it be over now."""
    level: PlacedLevel
    own_level: str = ""
    """The level that the learner chose to be taught at; empty for none."""
    probabilities: Mapping[str, float] = field(default_factory=dict)
    """Concept id → what is believed (0–1) after the answers; empty without any."""
    gaps: tuple[Gap, ...] = ()
    recommendations: tuple[Recommendation, ...] = ()
    asked: AskedQuestion | None = None
    """The open question, or the one just answered."""
    answered: JudgedAnswer | None = None
    unreadable: str = ""
    text: str = ""
    wants: PlacementRequest = ""
    """What a message beside the question asks for."""
    begins: bool = False
    """The learner has just named the topic."""
    replaced_goals: tuple[str, ...] = ()
    """Titles of the goals in whose place it comes."""
    record: tuple[str, ...] = ()
    """As in `LessonFacts`."""

    @property
    def is_over(self) -> bool:
        return bool(self.placement.ended)


@dataclass(frozen=True, slots=True, kw_only=True)
class PathFacts:
    """What the path planner knows of a turn that asks for nothing else."""

    turn_id: str
    seed: int
    path: PlannedPath
    text: str = ""
    current: ConceptContent | None = None
    """What is being learned in this conversation."""
    under_way: bool = False
    """Its lesson has begun, and is not over."""
    asked: AskedQuestion | None = None
    """A question that waits."""
    placing: bool = False
    elsewhere: bool = False
    """The learner would like something else just now."""
    unknown_topic: bool = False
    """They named what no course has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonFacts:
    """Everything the roles of a lesson decide by."""

    turn_id: str
    seed: int
    """Chooses among wordings; the same turn, run again, says the same."""
    kind: Literal["open", "message", "answer"]
    course: CourseContent
    concept: ConceptContent
    level: Level
    """At which it is explained."""
    learner_level: PlacedLevel = "unknown"
    """What the learner chose, or the evidence says of what the concept rests on."""
    lesson: LessonState = field(default_factory=LessonState)
    served: ResponsePlan = DEFAULT_RESPONSE
    """What was decided on the message: its act, and what that rests on."""
    text: str = ""
    said_before: tuple[str, ...] = ()
    """The learner's own messages and answers so far: what they said, the tutor may repeat."""
    asked: AskedQuestion | None = None
    """The open question, or the one just answered."""
    answered: JudgedAnswer | None = None
    hint: str = ""
    """The rung given in this turn."""
    put_away: bool = False
    """What was asked was closed with this message, without an answer."""
    on_card: bool = False
    """The answer came by the question's card, which shows the verdict and the hint itself."""
    unreadable: str = ""
    """Why an answer typed beside the card could not be read."""
    beliefs: Mapping[str, Belief] = field(default_factory=dict)
    """Concept id → belief, for the concept and its prerequisites."""
    skills: Mapping[str, SkillParameters] = field(default_factory=dict)
    """Concept id → its estimator's parameters, where it has its own."""
    ability: AbilityEstimate = field(default_factory=AbilityEstimate)
    offsets: Mapping[str, DifficultyOffset] = field(default_factory=dict)
    """Template id → what is known of its difficulty."""
    times_answered: Mapping[str, int] = field(default_factory=dict)
    """Template id → how often this learner was asked it."""
    recent_templates: tuple[str, ...] = ()
    written: tuple[Exercise, ...] = ()
    """Checked questions that a model wrote on these concepts, and that this learner never met."""
    suspicions: Mapping[str, Suspicion] = field(default_factory=dict)
    noticed: frozenset[str] = frozenset()
    """Names of the findings that stand in this conversation."""
    put_right: tuple[str, ...] = ()
    """Misconceptions found and resolved in this conversation."""
    quiz_marks: tuple[bool, ...] = ()
    """This cycle's questions in order: right at the first attempt or not."""
    missed_questions: tuple[str, ...] = ()
    """Ids of those that were not."""
    mistakes: tuple[Mistake, ...] = ()
    """Those of this cycle's questions, with what is known of their causes."""
    round_before: float | None = None
    """Share (0–1) right at the first attempt in the round before this one; None in the first."""
    last_answer: LastAnswer | None = None
    """The answer judged last; only where somebody asks how they did."""
    mastered: bool = False
    """Whether the concept is mastered now."""
    threshold: float = DEFAULT_THRESHOLD
    """The mastery score (0–1) from which it is: what was begun keeps its own, the rest has the conversation's."""
    detour_from: ConceptContent | None = None
    """The lesson's own concept, while a prerequisite is taught instead."""
    returned: bool = False
    """The learner has left a detour with this message."""
    next_concept: ConceptContent | None = None
    """What could come after this one."""
    earlier: tuple[str, ...] = ()
    """Ids of mastered concepts to ask about among this one's own questions, the best first."""
    sitting: Sitting = EMPTY_SITTING
    """What was answered before this turn's next question; nothing where there is no earlier concept to ask about."""
    path: PlannedPath | None = None
    """The way to the learner's goals in this course; None without a goal."""
    reached_goal: bool = False
    """The concept is mastered, and was a goal of the learner's until this conversation."""
    model_sentence: str = ""
    """How a right reply to what waits can be worded; only where words could not be judged."""
    placing: bool = False
    """The message stands beside a placement, whose question waits."""
    off_topic: bool = False
    """The message asks for what this team does not do."""
    attached: bool = False
    """Files go with the message."""
    examples_shown: frozenset[str] = frozenset()
    """Ids of the examples on the concept that the learner has seen, in whichever conversation."""
    notes: Notes = field(default_factory=Notes)
    """What the hub holds for this turn."""
    record: tuple[str, ...] = ()
    """What the record says to a question about the system, in sentences; empty for any other message."""

    @property
    def act(self) -> Act:
        """What the message does; empty for a turn without one, and for an answer, which is judged by its own."""
        return "" if self.answered is not None else self.served.act

    @property
    def course_answer(self) -> CourseAnswer | None:
        """What the course says to the question in the message."""
        return find_course_answer(self.course, self.served)

    @property
    def cycle(self) -> LearningCycle:
        return self.lesson.cycle

    @property
    def open_instance(self) -> Exercise | None:
        """The question whose answer is not to be given away; None while none is open."""
        return self.asked.instance if self.asked is not None and self.asked.is_open else None

    @property
    def milestone(self) -> Milestone | None:
        """The milestone whose idea was asked for last; None where none was."""
        return next((each for each in self.concept.milestones if each.id == self.lesson.explaining), None)

    @property
    def expects_own_words(self) -> bool:
        """Whether the learner was asked to say a milestone's idea, or to sum up: words that cannot be judged are taken up then."""
        return self.milestone is not None or self.lesson.explaining == WHOLE_CONCEPT

    def piece(self, piece_id: str) -> LessonPiece | None:
        """Return the piece of the lesson with this id, at whatever level it stands."""
        every = (*(piece for level in self.concept.pieces.values() for piece in level), *self.concept.examples)
        return next((piece for piece in every if piece.id == piece_id), None)

    def skill(self, concept_id: str) -> SkillParameters:
        """Return what answers on a concept are weighed by."""
        return self.skills.get(concept_id, DEFAULT_SKILL)

    @property
    def mastery_score(self) -> float | None:
        """The expected accuracy (0–1) on the concept's reference item, None while too little is known."""
        own = self.beliefs.get(self.concept.id)
        score = known_score(own.probability, answers=own.answers) if own else None
        return None if score is None else round(score, 3)

    @property
    def standings(self) -> dict[str, ConceptStanding]:
        """What is believed of the concept, all it rests on and what is asked beside it, as the rules of paths take it."""
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
    """Return the course's answer that was found for a question; None without one."""
    about = next(
        (each for each in course.concepts if f"{course.id}/{each.id}" == served.topic or each.id == served.topic), None
    )
    if about is None or served.answer is None or served.answer >= len(about.answers):
        return None
    return about.answers[served.answer]


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyFacts:
    """What the tutor knows of a turn in a conversation that has no topic yet."""

    turn_id: str
    courses: tuple[CourseContent, ...]
    text: str = ""
    offered: tuple[tuple[CourseContent, ConceptContent], ...] = ()
    """What the message may mean, where that is more than one; empty for all there is."""
    answer: str = ""
    """What a course says to the question."""
    attached: bool = False
    """Files go with the message."""
    off_topic: bool = False
    unsure: bool = False
    """Nothing tells what is wanted: one asks."""
    wants_quiz: bool = False
    """The learner wants to be questioned; on what is still to be said."""
    served: ResponsePlan = DEFAULT_RESPONSE
    """What was decided on the message."""
    record: tuple[str, ...] = ()
    """As in `LessonFacts`."""
