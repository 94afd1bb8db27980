"""With a model connected, the panel's answer has every field, over REST and over the socket; a picture is looked at too."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.test import AsyncClient, override_settings

from agents.conf import sdk_backends
from conversations.library import document_files
from conversations.models import Document, Turn
from conversations.panel.results import ResearchResult
from conversations.readers import Page
from conversations.search.index import update_index
from conversations.turns.supervisor import supervisor
from conversations.web.answers import Answer as ApiAnswer
from tests import people
from tests.conversations.sockets import Socket
from tests.provider import Answer, Provider
from tests.tutoring.local_provider import WIRES, options
from tests.tutoring.roles.explanation.test_lookup_answers import index_document
from tests.tutoring.situations.setup import PATIENT
from tests.tutoring.test_panel_answers import asked

pytestmark = pytest.mark.django_db(transaction=True)

ASKED = "How do transformers work in NLP?"
SAID = "A transformer compares every word with every other word [1]."
ANALYSIS = {
    "entities": [{"text": "NLP", "type": "TOPIC", "confidence": 0.98, "context": ""}],
    "concepts": [{"name": "transformer", "category": "AI", "importance": 0.9, "related_to": []}],
    "themes": ["NLP basics"],
    "relationships": [],
    "sentiment": "curious",
    "confidence": 0.88,
}
LABELS = "Sunlight\n\nLeaf\n\nSugar and oxygen"
SEEN = {
    "description": "Sunlight falls on a leaf, which makes sugar and oxygen.",
    "extracted_text": LABELS,
    "concepts": ["photosynthesis"],
    "objects": [
        {"label": "leaf", "confidence": 0.9, "location": {"left": 0.4, "top": 0.4, "width": 0.2, "height": 0.2}}
    ],
    "analysis_type": "diagram",
    "confidence": 0.92,
    "claimed_confidence": None,
    "source": None,
}
ANALYST, RESEARCHER, DRAFTER, SYNTHESIZER, LOOKER = (
    "You are the Analysis Agent",
    "You are the Research Agent",
    "You are the Conversation Agent",
    "You are the Synthesis Agent",
    "You are the Vision Agent",
)


@pytest.fixture(params=WIRES)
def provider(request: Any) -> Iterator[Provider]:
    with Provider(beat_s=0.01) as running:
        running.script(ANALYST, Answer(object=ANALYSIS))
        running.script(RESEARCHER, Answer(object=ResearchResult().model_dump(mode="json")))
        running.script(DRAFTER, Answer(text="Let us look that up."))
        running.script(SYNTHESIZER, Answer(text=SAID))
        running.script(LOOKER, Answer(object=SEEN))
        agents = {**settings.AGENTS, "model_limits": PATIENT}
        with override_settings(AGENTS=agents, LLMS=options(running, request.param, outside=False)):
            yield running


@pytest.fixture(autouse=True)
def _closing() -> Iterator[None]:
    yield
    supervisor.closing = False


@pytest.fixture
def ada() -> Any:
    return people.make_person("ada", consent=True)


async def close_backends() -> None:
    for backend in sdk_backends():
        await backend.aclose()


def put_picture(owner: Any) -> Document:
    """Store a picture with labels, as it is once it has been read."""
    stored = hashlib.sha256(f"{owner.pk}leaf".encode()).hexdigest()
    with document_files.received_file([b"RIFF....WEBP"]) as (path, _digest):
        document_files.keep(path, stored)
    document = Document.objects.create(
        owner=owner,
        name="leaf.png",
        media_type="image/png",
        size=12,
        digest=stored,
        stored_as=stored,
        status=Document.Status.READY,
    )
    index_document(document, (Page(number=1, heading="", text=LABELS),))
    return document


async def test_every_field_of_an_answer_is_there_over_rest_and_socket(ada: Any, provider: Provider) -> None:
    await sync_to_async(update_index)()
    answer = await asked(ada, ASKED, session_id="rest")
    assert set(answer) == set(ApiAnswer.model_fields)
    assert SAID in answer["response"]
    assert answer["classification"] == "complex_query"
    assert {each["name"] for each in answer["concepts"]} >= {"transformer"}
    assert "nlp basics" in answer["themes"]
    assert answer["facts"]
    assert {each["source_id"] for each in answer["facts"]} <= {each["id"] for each in answer["sources"]}
    assert answer["vision"] is None
    metadata = answer["metadata"]
    assert set(metadata["agents_used"]) == set(metadata["agent_times_ms"])
    assert metadata["tokens"]["input"]
    assert metadata["fallback"] is False

    socket = await (await Socket.by_cookie(ada, "/v2/ws/socket")).open()
    await socket.say(ASKED)
    frames = await socket.until("turn_finished")
    await socket.leave()
    turn = await Turn.objects.aget(session__key="socket")
    client = AsyncClient()
    await client.aforce_login(ada)
    over_socket = (await client.get(f"/v2/turns/{turn.pk}")).json()["answer"]
    measured = {"session_id", "turn_id", "metadata", "cards", "sources", "response", "reply"}
    assert {key: over_socket[key] for key in over_socket.keys() - measured} == {
        key: answer[key] for key in answer.keys() - measured
    }
    assert {"classified", "message_sent", "agent_text"} <= {each["type"] for each in frames}
    await close_backends()


async def test_sentence_that_its_source_does_not_bear_out_is_not_shown(ada: Any, provider: Provider) -> None:
    await sync_to_async(update_index)()
    provider.script(SYNTHESIZER, Answer(text="A transformer was invented in 1950 by a cat [1]."))
    answer = await asked(ada, ASKED)
    assert "1950" not in answer["response"]
    assert answer["facts"]
    await close_backends()


async def test_model_that_fails_costs_no_field(ada: Any, provider: Provider) -> None:
    await sync_to_async(update_index)()
    for prompt in (ANALYST, DRAFTER, SYNTHESIZER):
        provider.script(prompt, Answer(status=500, text="no"))
    answer = await asked(ada, ASKED)
    assert answer["facts"]
    assert {each["name"] for each in answer["concepts"]} >= {"transformer"}
    assert answer["metadata"]["fallback"] is True
    await close_backends()


async def test_picture_of_a_diagram_is_read_described_and_connected_with_the_talk(ada: Any, provider: Provider) -> None:
    await asked(ada, "What is photosynthesis good for?", session_id="leaf")
    document: Document = await sync_to_async(put_picture)(ada)
    answer = await asked(ada, "What does this diagram show?", session_id="leaf", attachments=[str(document.pk)])
    assert answer["classification"] == "visual_query"
    assert answer["vision"] == {
        "description": SEEN["description"],
        "extracted_text": LABELS,
        "concepts": answer["vision"]["concepts"],
        "objects": [
            {"label": "leaf", "confidence": None, "location": {"left": 0.4, "top": 0.4, "width": 0.2, "height": 0.2}}
        ],
        "analysis_type": "diagram",
        "confidence": 1.0,
    }
    assert "photosynthesis" in answer["vision"]["concepts"]
    assert "Your picture is about photosynthesis, which you asked about before." in answer["response"]
    assert answer["confidence"]["vision"] == 1.0
    assert "vision" in answer["metadata"]["agents_used"]
    assert [each for each in provider.requests if LOOKER in json.dumps(each.body)]
    # The words in the picture leave with it.
    stored = await Turn.objects.aget(pk=answer["turn_id"])
    assert "Sugar and oxygen" not in json.dumps(stored.answer)
    await document.adelete()
    client = AsyncClient()
    await client.aforce_login(ada)
    again = (await client.get(f"/v2/turns/{answer['turn_id']}")).json()["answer"]
    assert again["vision"]["extracted_text"] is None
    await close_backends()
