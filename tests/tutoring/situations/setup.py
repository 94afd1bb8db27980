"""The forty situations as conversations: set up by playing to their state, then played with a recorded model connected."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final
from unittest.mock import patch

from django.conf import settings
from django.test import override_settings
from django.utils import timezone

from agents.conf import sdk_backends
from agents.engine.speaker import PlanSpeaker
from agents.limits import ModelLimits
from agents.llm.call_context import CallContext
from agents.runtime.model_chain import model_chain_for
from conversations.models import Document, Session
from conversations.panel.results import AnalysisResult, ResearchResult
from conversations.readers import Page
from tests import people
from tests.provider import Answer, Provider
from tests.provider.model_request import ProviderRequest
from tests.tutoring.class_helpers import make_class
from tests.tutoring.lessons.learners import right
from tests.tutoring.lessons.lesson_player import TIERS, Stage, fractions, in_this_thread
from tests.tutoring.local_provider import options
from tests.tutoring.roles.explanation.test_lookup_answers import put_in
from tests.tutoring.situations.cases import HERE
from tutoring.courses.catalogue import LessonPiece
from tutoring.courses.exercises.generator import make_exercise
from tutoring.courses.exercises.serialization import exercise_to_json
from tutoring.lesson.placement import PLACEMENT_KEY as PLACEMENT
from tutoring.lesson.state import LESSON_KEY, lesson_to_json
from tutoring.models import Concept, Mastery, Question
from tutoring.understanding.model_reading import structured_call

PLAYED: Final[dict[str, list[dict[str, Any]]]] = json.loads((HERE / "played.json").read_text(encoding="utf-8"))
"""By situation, turn by turn: replies to what is really asked, and what differs of the reading."""
WIRE: Final = "anthropic"
PATIENT: Final = ModelLimits(first_piece_s=60, stall_s=60, least_s=0, attempts=1, failures=10_000)
"""The machine may be busy: how long a model may take is tested elsewhere."""
READER: Final = "You read one message of a learner"
DRAFTER = "You are the Conversation Agent"
ANALYST = "You are the Analysis Agent"
NOTHING_FOUND: Final = AnalysisResult().model_dump(mode="json")
RESEARCHER = "You are the Research Agent"
NOTHING_CHOSEN: Final = ResearchResult().model_dump(mode="json")
DRAFT = "Let us look that up together."
GREETING: Final = "Hello, good to see you."
SHEET: Final = (
    Page(
        number=1,
        heading="Photosynthesis",
        text="Plants need light, water and carbon dioxide for photosynthesis. They make sugar and give off oxygen.",
    ),
)
OWN_DOCUMENTS: Final = {"long-own-document": SHEET}
KNOWN: Final = {"lesson-how-know-mastered": "one-half"}
"""Concepts that are mastered before."""
TRIED: Final = {"quiz-wrong-mark": "6/7"}
"""Answers that were given on the card before."""
MOST_ROUNDS: Final = 40


@dataclass(slots=True)
class Recording:
    """What the model answers in one turn, and what it was asked."""

    reading: dict[str, Any] = field(default_factory=dict)
    replies: list[str] = field(default_factory=list)
    asked: list[ProviderRequest] = field(default_factory=list)
    unforeseen: int = 0
    """Words that were asked for and not recorded."""

    def begin(self, reading: dict[str, Any], replies: list[str]) -> None:
        self.reading, self.replies = reading, list(replies)
        self.asked, self.unforeseen = [], 0

    def answer(self, asked: ProviderRequest) -> Answer:
        self.asked.append(asked)
        if READER in asked.system:
            return Answer(object=self.reading, burst=True)
        if ANALYST in asked.system:
            return Answer(object=NOTHING_FOUND, burst=True)
        if RESEARCHER in asked.system:
            return Answer(object=NOTHING_CHOSEN, burst=True)
        if DRAFTER in asked.system:
            # The learner reads the draft only where nothing is found; what is found is cited.
            is_shown = bool(self.replies) and "[1]" not in self.replies[0]
            return Answer(text=self.replies.pop(0) if is_shown else DRAFT, burst=True)
        if self.replies:
            return Answer(text=self.replies.pop(0), burst=True)
        self.unforeseen += 1
        return Answer(text=GREETING, burst=True)


class ModelledStage(Stage):
    """A stage on which a model is asked for whatever a server would ask it for."""

    def speakers_of(self, turn: Any) -> Any:
        call_context = CallContext(person_id=self.person.pk, turn_id=turn.pk)
        return {tier: PlanSpeaker(model_chain_for(tier), call_context=call_context) for tier in TIERS}  # type: ignore[arg-type]


@contextmanager
def recorded_model(provider: Provider) -> Iterator[Recording]:
    """Connect the provider behind every tier, with what a recording says as its answers."""
    recording = Recording()
    provider.otherwise(recording.answer)
    agents = {**settings.AGENTS, "model_limits": PATIENT}
    with (
        override_settings(AGENTS=agents, LLMS=options(provider, WIRE, outside=False)),
        patch.object(structured_call, "ROLE", replace(structured_call.ROLE, timeout_s=60)),
    ):
        yield recording


def recorded_turns(situation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the turns of a situation with what the model reads and says in the program as it is."""
    played = PLAYED[situation["id"]]
    for turn, recorded in zip(situation["turns"], played, strict=True):
        yield {**turn, **recorded, "reading": turn["reading"] | recorded.get("reading", {})}


def walked(coroutine: Any) -> Any:
    """Run a coroutine to its end, and close what it opened to the provider: each run has its own loop."""

    async def closed() -> Any:
        try:
            return await coroutine
        finally:
            for backend in sdk_backends():
                await backend.aclose()

    return in_this_thread(closed())


def staged(situation: dict[str, Any]) -> Stage:
    """Return the conversation of a situation, where its first message comes."""
    person = people.make_person("ben", display_name="Ben", level=_level(situation), consent=True)
    make_class(people.make_grace(), person, conversations="everything")
    if known := KNOWN.get(situation["id"]):
        kinds = [each.id for each in fractions().course.concept(known).templates[:2]]
        evidence = {"probability": 0.97, "answers": 5, "unassisted": 5, "templates": kinds, "threshold": 0.85}
        Mastery.objects.create(learner=person, concept=_concept(known), mastered_at=timezone.now(), **evidence)
    if pages := OWN_DOCUMENTS.get(situation["id"]):
        document = put_in(person, pages, name="biology.pdf")
        Document.objects.filter(pk=document.pk).update(title="Biology sheet")
    return SET_UP[situation["state"]](person, situation)


def _lobby(person: Any, situation: dict[str, Any]) -> Stage:
    return ModelledStage(person, walk=walked)


def _opened(person: Any, situation: dict[str, Any]) -> Stage:
    stage = ModelledStage(person, _concept(situation["concept"]), walk=walked)
    stage.open()
    return stage


def _explaining(person: Any, situation: dict[str, Any]) -> Stage:
    """Open the lesson, and let it be at the piece."""
    stage, wanted = _opened(person, situation), situation["asked"]["piece"]
    pieces = [each.id for each in _pieces(situation)]
    explained = tuple(pieces[: pieces.index(wanted) + 1])
    lesson = replace(
        stage.standing, piece=wanted, explained=explained, replied=explained[:-1], explained_in_cycle=len(explained)
    )
    _keep(stage, {LESSON_KEY: lesson_to_json(lesson)})
    return stage


def _quiz(person: Any, situation: dict[str, Any]) -> Stage:
    stage = _opened(person, situation)
    stage.say("quiz me")
    _put_on_card(stage, situation)
    if tried := TRIED.get(situation["id"]):
        stage.check(tried)
    return stage


def _level(situation: dict[str, Any]) -> str:
    """Return the level at which the lesson has the situation's piece; elsewhere the situation's."""
    return next((level for level, pieces in _levels(situation) if _asked_in(situation, pieces)), situation["level"])


def _pieces(situation: dict[str, Any]) -> Sequence[LessonPiece]:
    return next(pieces for _level, pieces in _levels(situation) if _asked_in(situation, pieces))


def _levels(situation: dict[str, Any]) -> Iterable[tuple[str, Sequence[LessonPiece]]]:
    return fractions().course.concept(situation["concept"]).pieces.items() if situation["concept"] else ()


def _asked_in(situation: dict[str, Any], pieces: Sequence[LessonPiece]) -> bool:
    return any(each.id == situation.get("asked", {}).get("piece") for each in pieces)


def _mastered(person: Any, situation: dict[str, Any]) -> Stage:
    """Play the lesson's quiz, all answers right."""
    stage = _opened(person, situation)
    stage.say("quiz me")
    for _ in range(MOST_ROUNDS):
        if stage.question is not None and not stage.standing.explaining:
            stage.check(right(stage.question))
        elif stage.standing.cycle.is_over and not stage.standing.explaining:
            return stage
        else:
            stage.say("next")
    raise AssertionError("not mastered")


def _placement(person: Any, situation: dict[str, Any]) -> Stage:
    """Ask for the last concept of the course: two questions are answered before the situation's."""
    stage = ModelledStage(person, walk=walked)
    stage.say("I want to learn: Subtracting fractions")
    stage.check(right(stage.question))  # type: ignore[arg-type]
    stage.check(right(stage.question))  # type: ignore[arg-type]
    template = _put_on_card(stage, situation)
    held = stage.state[PLACEMENT]
    _keep(stage, {PLACEMENT: {**held, "templates": [*held["templates"][:-1], template]}})
    return stage


def _put_on_card(stage: Stage, situation: dict[str, Any]) -> str:
    """Let the open question be the situation's; return its template."""
    asked, question = situation["asked"], stage.question
    assert question is not None
    course = question.concept.course.catalogue()
    wanted = make_exercise(course.template(asked["template"]), seed=asked["seed"], course=course)
    put = exercise_to_json(wanted)
    put["public"] = put["public"] | {each: question.public[each] for each in ("total", "from_before")}
    Question.objects.filter(pk=question.pk).update(concept=_concept(wanted.concept), **put)
    return wanted.template


def _concept(slug: str) -> Concept:
    return Concept.objects.select_related("course").get(slug=slug)


def _keep(stage: Stage, changed: dict[str, Any]) -> None:
    session = stage.session
    Session.objects.filter(pk=session.pk).update(state={**session.state, **changed})


SET_UP: Final[dict[str, Callable[[Any, dict[str, Any]], Stage]]] = {
    "lobby": _lobby,
    "explaining": _explaining,
    "quiz": _quiz,
    "placement": _placement,
    "mastered": _mastered,
}
