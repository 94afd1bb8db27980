"""`MessageAnalysis`, the analysis of one message, and its parts. Frozen; stored as JSON on its turn."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal, get_args

from agents.routing.decision import RoutingDecision
from tutoring.planner.values import PlannerRequest, requests_from_json, requests_to_json
from tutoring.understanding.parsing.commands import Command

VERSION: Final = 1
"""Of the shape below; a stored analysis of another version is computed again."""

Intent = Literal[
    "answer", "idea", "dont_know", "question_content", "question_meta", "ask_answer", "ask_hint", "ask_example",
    "ask_quiz", "go_on", "change_topic", "goal", "progress", "plan", "pause_or_stop", "resume", "calculate",
    "tool_request", "greeting", "thanks", "small_talk", "off_topic", "emotion_negative", "emotion_positive", "insult",
    "safety", "nonsense", "disagree", "correction_of_tutor",
]  # fmt: skip
INTENTS: Final[tuple[Intent, ...]] = get_args(Intent)
ReplyVerdict = Literal["right", "wrong", "partly", "none"]
Mood = Literal["ok", "confused", "frustrated", "bored", "sad"]
ConcernKind = Literal["danger_now", "harm_to_self", "harm_by_others", "unsafe_request"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConcernSignal:
    """Somebody may be in danger, or something unsafe is asked for."""

    kind: ConcernKind
    confidence: float
    """0–1"""
    is_sure: bool = True
    """False: the tutor asks kindly, without an alarm."""
    by_teacher: bool = False
    """A teacher or coach may be the one who does harm: then no teacher is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerGiven:
    """An answer in the message to something that was asked."""

    to: str
    """The id of the prompt, see `context.Prompt`."""
    value: str
    """The answer as it can be graded: "3/4"; for open words, the words."""
    verdict: ReplyVerdict
    """`none` where the answer cannot be judged."""
    confidence: float
    missing: str = ""
    """The part of the question that is still unanswered: "And why?"; empty for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArithmeticClaim:
    """A numeric claim, and whether it is true."""

    text: str
    """The learner's words."""
    statement: str
    """As it was checked: "1/4 > 1/8"."""
    holds: bool
    is_step: bool = False
    """It is a calculation on the way to the open question's answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """An idea, a misconception or a milestone that the message expresses."""

    id: str
    probability: float
    quote: str
    """An exact span of the message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAsked:
    """The question in the message."""

    text: str
    topic: str = ""
    """The concept whose course answer answers it; empty for none."""
    answer: int | None = None
    """The place of that answer among the concept's."""
    probability: float = 0.0
    """That of a frequent question of the course; 0 if a pattern found the answer, or nothing did."""
    course: str = ""
    """The topic's course, where no lesson is under way; else empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedTopic:
    """A concept or a course that the message names; `concept` is empty for a course alone."""

    course: str
    concept: str
    quote: str
    is_sure: bool = True
    """False if other concepts may be meant as well; each of them is listed then."""
    is_all: bool = False
    """The message is nothing but this name: "ok, one half please"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageAnalysis:
    """The analysis of a message. A field below its threshold is empty: unknown is a result.

    Quotes are exact spans of the message. Made by `analysis.analyse`; a connected model's reading is merged in.
    """

    intents: tuple[tuple[Intent, float], ...] = ()
    """The likeliest first, each with its probability; several can apply."""
    concern: ConcernSignal | None = None
    answers: tuple[AnswerGiven, ...] = ()
    claims: tuple[ArithmeticClaim, ...] = ()
    ideas: tuple[Evidence, ...] = ()
    misconceptions: tuple[Evidence, ...] = ()
    milestones: tuple[Evidence, ...] = ()
    nearest_idea: str = ""
    """The misconception that a statement without a verdict is about. It may say what holds instead: it is no evidence."""
    nearest_choices: tuple[str, ...] = ()
    """The choices of the open card, or numbers of the message, that words without a verdict may mean; empty for none."""
    nearest_sentence: str = ""
    """The sentence of the lesson that comes nearest to a message which nothing else answers; empty for none."""
    mood: Mood = "ok"
    mood_probability: float = 0.0
    asks: QuestionAsked | None = None
    names: tuple[NamedTopic, ...] = ()
    is_other_subject: bool = False
    """It asks to learn something that no course has: "can we do algebra", unlike "something else"."""
    commands: tuple[Command, ...] = ()
    """Commands found by patterns, for what the intents leave open."""
    system_topic: str = ""
    """What of the system is asked about, see `data/system_questions.yaml`."""
    about: str = ""
    """Who a loss or an illness is about: "dog"."""
    sum: str = ""
    """The requested calculation: "1/2 + 1/3"."""
    is_open_sum: bool = False
    """It is what the open question asks for: nobody works it out for the learner."""
    routed: RoutingDecision | None = None
    """Which agent it is for, if it may leave the current activity."""
    requests: tuple[PlannerRequest, ...] = ()
    """What it asks of the planner."""
    language: str = "en"
    is_unsure: bool = False
    """No intent is likely enough: a connected model is asked, else the learner."""
    read_by: Literal["embedded", "model"] = "embedded"
    version: int = VERSION

    @property
    def intent(self) -> Intent:
        return self.intents[0][0] if self.intents else "nonsense"

    @property
    def asks_what_course_answers(self) -> bool:
        """Whether the message is near to a wording of a question that the course answers."""
        return self.asks is not None and self.asks.probability > 0

    @property
    def agrees(self) -> bool:
        """Whether the message takes up what was suggested: "yes", "start the lesson"."""
        return not {"agree", "begin"}.isdisjoint(self.commands)

    def wants(self, *intents: Intent) -> bool:
        """Tell whether the message has one of these intents."""
        return any(intent in intents for intent, _probability in self.intents)

    def answer_to(self, prompt: str) -> AnswerGiven | None:
        return next((each for each in self.answers if each.to == prompt), None)


def analysis_to_json(analysis: MessageAnalysis) -> dict[str, Any]:
    """Return the analysis as JSON data, without what is empty."""
    # 0.0 equals False, so that a probability of 0 is left out as well; it is the default.
    plain = replace(analysis, requests=())
    data = {key: value for key, value in asdict(plain).items() if value not in ((), None, "", False)}
    return data | ({"requests": requests_to_json(analysis.requests)} if analysis.requests else {})


def analysis_from_json(data: Mapping[str, Any]) -> MessageAnalysis | None:
    """Return a stored analysis; None for one of another version."""
    if data.get("version") != VERSION:
        return None
    parts: dict[str, Any] = dict(data)
    parts["intents"] = tuple((intent, probability) for intent, probability in data.get("intents", ()))
    for key, kind in _LISTS.items():
        parts[key] = tuple(kind(**each) for each in data.get(key, ()))
    parts["routed"] = RoutingDecision(**data["routed"]) if data.get("routed") else None
    parts["commands"] = tuple(data.get("commands", ()))
    parts["nearest_choices"] = tuple(data.get("nearest_choices", ()))
    parts["requests"] = requests_from_json(data.get("requests", ()))
    parts["concern"] = ConcernSignal(**data["concern"]) if data.get("concern") else None
    parts["asks"] = QuestionAsked(**data["asks"]) if data.get("asks") else None
    return MessageAnalysis(**parts)


_LISTS: Final[Mapping[str, Any]] = {
    "answers": AnswerGiven,
    "claims": ArithmeticClaim,
    "ideas": Evidence,
    "misconceptions": Evidence,
    "milestones": Evidence,
    "names": NamedTopic,
}
