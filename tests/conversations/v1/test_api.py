"""The v1 calls: fields, sessions, search, history, figures, recordings."""

import asyncio
import base64
import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from conversations.models import Message, Session, Turn
from conversations.turns import whole_turns
from conversations.web.transcription import MOST_BASE64_CHARACTERS
from learnagent.accounts.authentication.api_tokens import make_token
from learnagent.http import body_limits
from tests.api_schemas import schema_errors
from tests.conversations.turn_helpers import Pause, accepted, begun, orphaned
from tests.provider.audio_wire import tone

pytestmark = pytest.mark.django_db(transaction=True)

begin = sync_to_async(begun)
leave = sync_to_async(orphaned)


class Program:
    """A program with a person's token."""

    def __init__(self, token: str) -> None:
        self.client = AsyncClient()
        self.headers = {"Authorization": f"Bearer {token}"}

    async def ask(self, path: str = "/api/conversation", **body: Any) -> Any:
        return await self.client.post(path, json.dumps(body), content_type="application/json", headers=self.headers)

    async def get(self, path: str, **query: Any) -> Any:
        return await self.client.get(path, query, headers=self.headers)

    async def search(self, query: str, **more: Any) -> Any:
        return (await self.ask("/api/search", query=query, **more)).json()


@pytest.fixture
async def program(supervisor: Any) -> Any:
    async def program_of(person: Any, **token: Any) -> Program:
        return Program(await sync_to_async(make_token)(person, **token))

    return program_of


@pytest.fixture
async def adas(program: Any, ada: Any) -> Program:
    own: Program = await program(ada)
    return own


def refusal(response: Any) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


class TestConversation:
    async def test_answer_has_the_fields_of_v1(self, adas: Program) -> None:
        answer = (await adas.ask(text="hello", session_id="s")).json()
        assert schema_errors(answer, "ExchangeAnswer") == []
        assert answer.keys() == {"session_id", "user_text", "agent_text", "intent", "timestamp"}
        assert (answer["session_id"], answer["user_text"], answer["agent_text"]) == ("s", "hello", "One half.")

    async def test_turn_is_for_one_agent_whatever_the_conversation_says(self, adas: Program, ada: Any) -> None:
        await leave(await begin(ada), status="done")
        await Session.objects.aupdate(answered_by=Session.AnsweredBy.TEAM)
        await adas.ask(text="hello", session_id="s")
        latest = await Turn.objects.order_by("-number").afirst()
        assert latest is not None
        assert latest.payload == {"single_agent": True}

    async def test_session_is_made_where_none_is_named(self, adas: Program) -> None:
        first, second = [(await adas.ask(text="hello")).json()["session_id"] for _ in range(2)]
        assert first != second

    async def test_two_people_may_use_one_name(self, adas: Program, program: Any, eve: Any) -> None:
        """A3"""
        for each in (adas, await program(eve)):
            assert (await each.ask(text="hello", session_id="s")).status_code == 200
        assert await Session.objects.filter(key="s").acount() == 2

    @pytest.mark.parametrize("body", [{}, {"text": None}, {"text": ""}, {"audio_base64": ""}, {"session_id": "s"}])
    @pytest.mark.parametrize("path", ["/api/conversation", "/api/conversation/smart"])
    async def test_neither_text_nor_recording_is_400(self, adas: Program, path: str, body: Any) -> None:
        assert refusal(await adas.ask(path, **body)) == (400, "invalid_input")

    async def test_waits_for_capacity_instead_of_being_queued(
        self, adas: Program, supervisor: Any, eve: Any, says: Any, settings: Any
    ) -> None:
        settings.AGENTS = settings.AGENTS | {"turns_in_process": 1}
        pause = Pause()
        says(pause, "One half.")
        supervisor.start(await sync_to_async(accepted)(eve))
        await pause.reached.wait()
        asking = asyncio.create_task(adas.ask(text="hello"))
        while not supervisor.waiting:  # noqa: ASYNC110  # Nothing tells that a request has come so far.
            await asyncio.sleep(0)
        pause.over.set()
        assert (await asking).json()["agent_text"] == "One half."

    async def test_answer_that_takes_too_long_can_be_read_later(
        self, adas: Program, ada: Any, settings: Any, monkeypatch: pytest.MonkeyPatch, says: Any
    ) -> None:
        """The message is stored, and the turn goes on."""
        monkeypatch.setattr(whole_turns, "PATIENCE_S", -settings.AGENTS["turn_timeout_s"])
        pause = Pause()
        says(pause, "One half.")
        assert refusal(await adas.ask(text="hello", session_id="s")) == (503, "unavailable")
        pause.over.set()
        (row,) = (await adas.get("/api/session/s/history")).json()["history"]
        assert row["user_text"] == "hello"

    @pytest.mark.parametrize(("scopes", "says", "reads"), [(["read"], 404, 200), (["converse"], 200, 404)])
    async def test_token_is_good_for_what_it_was_made_for(
        self, program: Any, ada: Any, scopes: list[str], says: int, reads: int
    ) -> None:
        """A2"""
        limited = await program(ada, scopes=scopes)
        for path in ("/api/conversation", "/api/conversation/smart"):
            assert (await limited.ask(path, text="hello")).status_code == says
        assert (await limited.ask("/api/search", query="half")).status_code == reads
        assert (await limited.get("/api/stats")).status_code == reads


class TestRecording:
    @pytest.fixture
    def connected(self, settings: Any, provider: Any) -> Any:
        options = {"api_key": "sk-x", "base_url": f"{provider.url}/v1", "model": "any"}
        settings.SPEECH = {"transcription": [{"BACKEND": "agents.audio.openai.OpenAITranscriber", "OPTIONS": options}]}
        return provider

    @pytest.mark.parametrize("before", ["", "data:audio/wav;base64,"])
    async def test_is_answered_like_the_words_in_it(self, connected: Any, program: Any, ben: Any, before: str) -> None:
        spoken = before + base64.b64encode(tone(0.01)).decode()
        answer = (await (await program(ben)).ask(audio_base64=spoken)).json()
        assert (answer["user_text"], answer["agent_text"]) == (connected.hears, "One half.")
        assert (await Message.objects.aget(author="learner")).text == connected.hears

    @pytest.mark.parametrize(
        ("audio", "status", "code"),
        [
            ("no base64!", 422, "invalid_input"),
            ("é", 422, "invalid_input"),
            ("AAAA", 415, "unsupported_type"),
            (base64.b64encode(tone(121, rate=100)).decode(), 413, "too_large"),
            ("A" * (MOST_BASE64_CHARACTERS + 4), 413, "too_large"),
        ],
        ids=["not base64", "not ASCII", "no recording", "too long", "too large"],
    )
    async def test_that_will_not_do_is_refused(
        self, connected: Any, program: Any, ben: Any, audio: str, status: int, code: str
    ) -> None:
        """B1, U1"""
        assert refusal(await (await program(ben)).ask(audio_base64=audio)) == (status, code)
        assert connected.attempts == 0
        assert not await Turn.objects.aexists()

    async def test_without_words_is_refused(self, connected: Any, program: Any, ben: Any) -> None:
        connected.hears = " "
        spoken = base64.b64encode(tone(0.01)).decode()
        assert refusal(await (await program(ben)).ask(audio_base64=spoken)) == (422, "invalid_input")

    async def test_larger_than_other_bodies_is_read(self, connected: Any, program: Any, ben: Any) -> None:
        """A WAV of a minute has more than the megabyte that other calls read."""
        spoken = base64.b64encode(tone(60)).decode()
        assert len(spoken) > 2_000_000
        assert (await (await program(ben)).ask(audio_base64=spoken)).status_code == 200

    async def test_is_not_enabled_without_a_transcriber(self, adas: Program, caplog: Any) -> None:
        spoken = base64.b64encode(tone(0.01)).decode()
        assert refusal(await adas.ask(audio_base64=spoken)) == (501, "not_enabled")
        assert not [record for record in caplog.records if record.levelname == "ERROR"]

    async def test_of_someone_without_consent_is_sent_nowhere(self, connected: Any, adas: Program) -> None:
        spoken = base64.b64encode(tone(0.01)).decode()
        assert refusal(await adas.ask(audio_base64=spoken)) == (501, "not_enabled")
        assert connected.attempts == 0

    def test_has_the_limit_of_its_address_alone(self) -> None:
        assert body_limits.max_bytes("/api/conversation") == body_limits.max_bytes("/api/conversation/smart")
        assert body_limits.max_bytes("/api/conversation") > MOST_BASE64_CHARACTERS
        assert body_limits.max_bytes("/api/search") == 1_000_000


class TestSearch:
    async def test_finds_turns_by_either_side_and_marks_the_hits(self, adas: Program) -> None:
        await adas.ask(text="what is a <b>half</b>?", session_id="s")
        answer = await adas.search("half")
        assert schema_errors(answer, "ExchangeHits") == []
        assert (answer["query"], answer["count"]) == ("half", 1)
        (found,) = answer["results"]
        assert found["session_id"] == "s"
        assert found["user_snippet"] == "what is a &lt;b&gt;<mark>half</mark>&lt;/b&gt;?"
        assert found["agent_snippet"] == "One <mark>half</mark>."

    @pytest.mark.parametrize(
        "text", ["<script>alert(1)</script> half", "half <img src=x onerror=alert(1)>", "<mark>half</mark>"]
    )
    async def test_snippet_is_safe(self, adas: Program, text: str) -> None:
        """X1: nothing of the message is markup, a mark of its own included."""
        await adas.ask(text=text)
        (found,) = (await adas.search("half"))["results"]
        rest = found["user_snippet"].replace("<mark>half</mark>", "")
        assert "half" not in rest
        assert "<" not in rest

    async def test_finds_only_ones_own(self, adas: Program, program: Any, eve: Any) -> None:
        """A1"""
        await (await program(eve)).ask(text="a secret half")
        assert (await adas.search("secret"))["results"] == []

    async def test_newest_comes_first_up_to_the_limit(self, adas: Program) -> None:
        for number in range(3):
            await adas.ask(text=f"half number {number}", session_id="s")
        found = (await adas.search("half", limit=2))["results"]
        assert [each["user_text"] for each in found] == ["half number 2", "half number 1"]

    @pytest.mark.parametrize("query", ["", "   ", '"', "-half", "🥧", "half OR", "NEAR(a b)", "* ^ :", "a\u202eb"])
    async def test_odd_query_is_answered(self, adas: Program, query: str) -> None:
        """B1"""
        await adas.ask(text="half")
        assert (await adas.search(query))["query"] == query

    @pytest.mark.parametrize(
        ("body", "status", "field"),
        [
            ({}, 422, "query"),
            ({"query": "a\x00b"}, 422, "query"),
            ({"query": "\ud800"}, 422, "query"),
            ({"query": "a", "limit": 0}, 422, "limit"),
            ({"query": "a", "limit": 101}, 422, "limit"),
            ({"query": "a", "limit": "x"}, 422, "limit"),
            ({"query": "a", "mode": "keyword"}, 422, "mode"),
            ({"query": "a" * 10_001}, 413, None),
        ],
    )
    async def test_that_will_not_do_is_refused(self, adas: Program, body: Any, status: int, field: str | None) -> None:
        """B1, B2, B7, B8"""
        response = await adas.ask("/api/search", **body)
        assert response.status_code == status
        assert response.json()["error"].get("fields", {}).keys() == ({field} if field else set())


class TestHistory:
    async def test_counts_every_surfaces_turns_oldest_first(self, adas: Program, ada: Any) -> None:
        await adas.ask(text="first", session_id="a/b")
        await adas.ask("/v2/conversation", text="second", session_id="a/b")
        await adas.ask("/api/conversation/smart", text="third", session_id="a/b")
        answer = (await adas.get("/api/session/a/b/history")).json()
        assert schema_errors(answer, "History") == []
        assert (answer["session_id"], answer["count"]) == ("a/b", 3)
        assert [each["user_text"] for each in answer["history"]] == ["first", "second", "third"]
        assert {each["agent_text"] for each in answer["history"]} == {"One half."}

    async def test_limit_keeps_the_latest(self, adas: Program) -> None:
        for number in range(3):
            await adas.ask(text=str(number), session_id="s")
        answer = (await adas.get("/api/session/s/history", limit=2)).json()
        assert [each["user_text"] for each in answer["history"]] == ["1", "2"]

    async def test_message_without_a_reply_yet_is_there(self, adas: Program, ada: Any) -> None:
        await begin(ada, text="wait")
        (row,) = (await adas.get("/api/session/s/history")).json()["history"]
        assert (row["user_text"], row["agent_text"], row["metadata"]["status"]) == ("wait", "", "queued")


class TestStats:
    async def test_of_somebody_new_are_zero(self, adas: Program) -> None:
        answer = (await adas.get("/api/stats")).json()
        assert answer == {
            "database": {"total_captures": 0, "unique_sessions": 0, "last_capture": None},
            "sessions": {"active": 0, "ids": []},
        }

    async def test_count_ones_own_of_every_surface(self, adas: Program, program: Any, eve: Any) -> None:
        """A1"""
        await (await program(eve)).ask(text="hello", session_id="hers")
        await adas.ask(text="hello", session_id="a")
        last = (await adas.ask(text="hello", session_id="b")).json()
        await adas.ask("/v2/conversation", text="hello", session_id="a")
        answer = (await adas.get("/api/stats")).json()
        assert schema_errors(answer, "Stats") == []
        assert (answer["database"]["total_captures"], answer["database"]["unique_sessions"]) == (3, 2)
        assert answer["database"]["last_capture"] > last["timestamp"]
        assert answer["sessions"] == {"active": 2, "ids": ["a", "b"]}

    async def test_old_session_is_not_active(self, adas: Program, ada: Any) -> None:
        turn = await begin(ada)
        await Turn.objects.filter(pk=turn.pk).aupdate(created_at="2020-01-01T00:00:00Z")
        answer = (await adas.get("/api/stats")).json()
        assert (answer["database"]["total_captures"], answer["sessions"]["active"]) == (1, 0)

    @pytest.mark.parametrize(("scopes", "counted"), [(None, 1), (["read"], 0)])
    async def test_of_an_admin_are_everybodys_with_the_admin_scope(
        self, adas: Program, program: Any, root: Any, scopes: Any, counted: int
    ) -> None:
        """A2: a token for reading reads no more than its owner's own."""
        await adas.ask(text="hello", session_id="adas")
        answer = (await (await program(root, scopes=scopes)).get("/api/stats")).json()
        assert answer["database"]["total_captures"] == counted
