"""The values of a decision about a message. `decision_rules` makes one, `effects` carries it out."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final, Literal

from agents.routing.decision import RoutingDecision
from tutoring.lesson.acts import Act as Act
from tutoring.lesson.state import LessonState
from tutoring.planner.values import PlannerRequest, requests_from_json, requests_to_json
from tutoring.understanding.message_analysis import ConcernSignal, Evidence

CONVERSATIONAL_ACTS: Final[frozenset[Act]] = frozenset(
    {
        "late_right", "claim", "calculation", "system", "thanks", "small_talk", "feeling", "joy", "insult", "nonsense",
        "contest", "tutor_corrected", "unjudged", "compared", "ventured",
    }
)  # fmt: skip
"""Acts that are replied to as a person would; the open question stays as it is."""

ASIDE_ACTS: Final[frozenset[Act]] = (CONVERSATIONAL_ACTS - {"unjudged", "ventured"}) | {
    "question", "drawing", "greeting", "off_topic", "other",
}  # fmt: skip
"""Acts that leave the open step alone, so that their replies are shown next to its card."""

type Destination = Literal[
    "care",
    "lobby",
    "offers",
    "placement",
    "beside_placement",
    "new_topic",
    "lesson",
    "path",
    "feedback",
    "nobody",
    "companion",
]
"""Who serves the turn: `offers` lets the learner choose what they meant, `nobody` says that it is out of scope.

`companion`: agents of the planner, beside whatever is under way."""
type PlacementRequest = Literal["", "stop", "pause", "help", "path", "verdict", "purpose", "quiz", "idea"]
"""What a message next to a placement’s question asks for, or that it says what the learner thinks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponsePlan:
    """How the turn is served. Stored on the turn, so that a rerun serves it the same way."""

    to: Destination = "lesson"
    act: Act = ""
    reason: str = ""
    """In words, for the learner; empty for the graph's own."""
    strategy: str = ""
    confidence: float | None = None
    misconception: str = ""
    """The misconception to respond to."""
    quote: str = ""
    """The learner's words that the act is based on."""
    missing: str = ""
    """The part of the question that a reply leaves open."""
    topic: str = ""
    """The `course/concept` to go to, or whose course answer is given."""
    answer: int | None = None
    """The index of the course's answer among that concept's."""
    sentence: str = ""
    """The sentence of the lesson to quote where the course has no answer."""
    wish: PlacementRequest = ""
    commands: tuple[str, ...] = ()
    about: str = ""
    nearest: str = ""
    """The misconception that words without a verdict are about; empty if none is near."""
    choices: tuple[str, ...] = ()
    """The choices of the open card, or numbers of the message, that words without a verdict may mean."""
    mood: str = ""
    """The learner's mood where a question may be a sigh; empty for "ok"."""
    statement: str = ""
    """The claim in numbers."""
    holds: bool | None = None
    withheld: str = ""
    """Why a calculation is left to the learner; empty if it is worked out."""
    elsewhere: bool = False
    """Whether something else is wanted, and nothing named."""
    disowned: str = ""
    """The `course/concept` that the learner does not know, although the placement took it as known."""
    unknown_topic: bool = False
    """Whether the named topic is in no course."""
    offered: tuple[str, ...] = ()
    """The `course/concept` of each topic that may be meant."""
    wants_quiz: bool = False
    returned: bool = False
    """Whether the lesson is back from a detour."""
    unsure: bool = False
    requests: tuple[PlannerRequest, ...] = ()
    """What is asked of the planner's agents."""
    move: str = ""
    """The move that a connected model chose where the act was open; empty if none did."""

    @property
    def asks_own_files(self) -> bool:
        """Whether the message asks the learner's own files."""
        return "own_files" in self.commands


DEFAULT_RESPONSE: Final = ResponsePlan()


# --- Effects, in the order in which they are carried out ---


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteConcern:
    concern: ConcernSignal


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginLesson:
    course: str
    concept: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchConcept:
    course: str
    concept: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetGoal:
    """Make the lesson's concept a goal, in the learner's words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveDetour:
    """Go back to the lesson's own concept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveQuiz:
    """End the quiz; the answers are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PauseQuiz:
    """Pause the quiz where it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AbandonQuestion:
    """Close the open question without an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordAnswer:
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptWords:
    """Record the learner's own words as the right answer to the open step."""

    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseCompared:
    """Close the open step: the learner has compared their own words with a model sentence. No evidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveUp:
    """Record "I don't know"; the solution is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimKnown:
    """Close the open question of a placement: the learner says to know its concept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DisownTopic:
    """Make a topic one to be learned that the placement took as known."""

    course: str
    concept: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeHint:
    tried: bool = False
    """Counts as an attempt."""
    rung: int = 0
    """At least this rung, 1–5; 0 for the next one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveEarnedHint:
    """The rung that a wrong answer on the card has earned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteMisconceptions:
    found: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteExplanation:
    """A right reply to the case of this misconception."""

    misconception: str
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NotePractice:
    """A right answer was explained."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteMilestones:
    found: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveLessonState:
    lesson: LessonState


type Effect = (
    NoteConcern | BeginLesson | SwitchConcept | SetGoal | LeaveDetour | LeaveQuiz | PauseQuiz | AbandonQuestion | RecordAnswer | AcceptWords | CloseCompared | GiveUp | ClaimKnown | DisownTopic
    | TakeHint | GiveEarnedHint | NoteMisconceptions | NoteExplanation | NotePractice | NoteMilestones | SaveLessonState
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    served: ResponsePlan = DEFAULT_RESPONSE
    effects: tuple[Effect, ...] = ()


def response_to_json(served: ResponsePlan) -> dict[str, Any]:
    """Return a response plan as JSON data, without default values."""
    plain = replace(served, requests=())
    data = {key: value for key, value in asdict(plain).items() if value != getattr(DEFAULT_RESPONSE, key)}
    return data | ({"requests": requests_to_json(served.requests)} if served.requests else {})


def response_from_json(data: Mapping[str, Any]) -> ResponsePlan:
    """Return a response plan from its stored JSON data."""
    known = {each.name for each in fields(ResponsePlan)}
    lists: dict[str, Any] = {key: tuple(data[key]) for key in ("commands", "offered") if key in data}
    if "requests" in data:
        lists["requests"] = requests_from_json(data["requests"])
    return ResponsePlan(**({key: value for key, value in data.items() if key in known} | lists))


def routing_fields(sent: RoutingDecision | None) -> dict[str, Any]:
    """Return the fields of `ResponsePlan` that tell why a message goes where it goes."""
    if sent is None:
        return {}
    confidence = None if sent.confidence is None else round(sent.confidence, 3)
    return {"reason": sent.reason, "strategy": sent.strategy, "confidence": confidence}
