"""`/ws/{session_id}`: a message in, one response out."""

import base64
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth import get_user_model

from agents.sockets import consumers as engine
from conversations.models import Session, Turn
from conversations.turns.notices import notify_session_deleted
from conversations.v1 import socket as v1
from learnagent.accounts.models import ApiToken
from tests.api_schemas import frame_schema_errors
from tests.conversations.sockets import Socket, cookie_of, token_of
from tests.conversations.turn_helpers import Pause, begun
from tests.conversations.web import test_json_socket as v2
from tests.provider.audio_wire import tone

pytestmark = pytest.mark.django_db(transaction=True)

begin = sync_to_async(begun)


class V1Socket(Socket):
    """One end of a v1 socket."""

    async def say(self, text: str, **fields: Any) -> None:
        await self.send({"type": "text", "text": text, **fields})


@pytest.fixture
async def connect(supervisor: Any) -> Any:
    """Return a function that opens a person's v1 socket, by token unless asked for by cookie; all are left at the end."""
    opened: list[Socket] = []

    async def open_socket(person: Any, path: str = "/ws/s", *, by: Any = None) -> Socket:
        name = "by_token" if by is None else by.__name__
        opened.append(await getattr(V1Socket, name)(person, path.replace("/v2/ws/", "/ws/")))
        return await opened[-1].open()

    yield open_socket
    for each in opened:
        await each.leave()


class TestBadFrames(v2.TestBadFrames):
    """B2, B3, B4, B8, L1: as on v2."""

    test_fault_is_told_in_our_own_words = None  # It names the frames of v2.


class TestRights(v2.TestRights):
    """A7: as on v2."""

    test_nothing_more_is_shown_after_the_end = None  # Pieces are never shown here; see below.

    async def test_response_is_not_shown_after_the_end(self, connect: Any, ada: Any, says: Any) -> None:
        pause = Pause()
        says("One ", pause, "half.")
        socket = await connect(ada)
        await socket.say("hello")
        await pause.reached.wait()
        await get_user_model().objects.aupdate(is_active=False)
        await socket.send({"type": "ping"})
        assert await socket.refused() == ("unauthenticated", 4401)
        pause.over.set()
        assert await socket.wire.receive_nothing()


class TestFrames:
    async def test_text_is_answered_by_one_response(self, connect: Any, ada: Any) -> None:
        socket = await connect(ada)
        await socket.say("hello")
        response = await socket.frame()
        assert frame_schema_errors(response, channel="v1") == []
        assert response == {
            "type": "response", "user_text": "hello", "agent_text": "One half.", "intent": "statement",
        }  # fmt: skip
        assert await socket.stays()
        assert (await Turn.objects.aget()).payload == {"single_agent": True}

    async def test_messages_of_one_conversation_follow_each_other(self, connect: Any, ada: Any) -> None:
        socket = await connect(ada)
        for text in ("one", "two"):
            await socket.say(text)
            assert (await socket.frame())["user_text"] == text
        assert await Session.objects.acount() == 1

    async def test_next_one_has_to_wait_for_the_response(self, connect: Any, ada: Any, says: Any) -> None:
        pause = Pause()
        says(pause, "One half.")
        socket = await connect(ada)
        await socket.say("hello")
        await pause.reached.wait()
        await socket.say("and?")
        error = await socket.frame()
        assert frame_schema_errors(error, channel="v1") == []
        assert (error["error"]["code"], error["message"]) == ("turn_in_progress", error["error"]["message"])
        pause.over.set()
        assert (await socket.frame())["user_text"] == "hello"

    async def test_other_tabs_turns_are_not_told(self, connect: Any, ada: Any) -> None:
        here, there = await connect(ada), await connect(ada)
        await there.say("hello")
        await there.frame()
        assert await here.stays()

    async def test_end_brings_the_summary_and_the_conversation_goes_on(self, connect: Any, ada: Any) -> None:
        socket = await connect(ada)
        await socket.say("hello")
        await socket.frame()
        await socket.send({"type": "end"})
        summary = await socket.frame()
        assert frame_schema_errors(summary, channel="v1") == []
        assert summary["text"]
        await socket.say("one more")
        assert (await socket.frame())["type"] == "response"

    async def test_end_of_nothing_is_refused(self, connect: Any, ada: Any, eve: Any) -> None:
        """A3: somebody else's session of that name is nobody's here."""
        await begin(eve)
        socket = await connect(ada)
        await socket.send({"type": "end"})
        assert (await socket.frame())["error"]["code"] == "not_found"

    @pytest.mark.parametrize(("text", "code"), [
        ("x" * 10_001, "too_large"), (" ", "invalid_input"), ("", "invalid_input"), ("a\x00b", "invalid_input"), ("\ud800", "invalid_input"),
    ], ids=["too long", "blank", "empty", "NUL", "surrogate"])  # fmt: skip
    async def test_unfit_text_is_refused_and_the_socket_stays(
        self, connect: Any, ada: Any, text: str, code: str
    ) -> None:
        """B1"""
        socket = await connect(ada)
        await socket.say(text)
        assert (await socket.frame())["error"]["code"] == code
        assert await socket.stays()
        assert not await Turn.objects.aexists()

    @pytest.mark.parametrize(
        "frame", [{"type": "message", "text": "a"}, {"type": "text", "text": "a", "client_id": "c"}]
    )
    async def test_frame_of_v2_is_none_of_these(self, connect: Any, ada: Any, frame: Any) -> None:
        """B4, B8"""
        socket = await connect(ada)
        await socket.send(frame)
        assert (await socket.frame())["error"]["fields"]

    async def test_client_that_lags_behind_gets_its_response_later(
        self, connect: Any, ada: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """G12: it cannot ask for events again."""

        async def lags(*args: Any) -> bool:
            return True

        monkeypatch.setattr(engine.RunConsumer, "lags", lags)
        socket = await connect(ada)
        await socket.say("hello")
        assert (await socket.frame())["agent_text"] == "One half."

    async def test_deleted_conversation_ends_the_socket(self, connect: Any, ada: Any) -> None:
        socket = await connect(ada)
        await socket.say("hello")
        await socket.frame()
        notify_session_deleted(await Session.objects.aget())
        assert await socket.refused() == ("not_found", 4404)

    async def test_frames_need_the_tokens_scope(self, supervisor: Any, ada: Any) -> None:
        """A2"""
        await begin(ada)
        say, end = {"type": "text", "text": "hello"}, {"type": "end"}
        audio = {"type": "audio", "audio": "AAAA"}
        for scope, refused in (("read", [say, audio]), ("converse", [end])):
            token = await token_of(ada, scopes=[scope])
            socket = await Socket("/ws/s", {"Authorization": f"Bearer {token}"}).open()
            for frame in refused:
                await socket.send(frame)
                assert (await socket.frame())["error"]["code"] == "not_found"
            await socket.leave()


class TestAudio:
    @pytest.fixture
    def connected(self, settings: Any, provider: Any) -> Any:
        options = {"api_key": "sk-x", "base_url": f"{provider.url}/v1", "model": "any"}
        settings.SPEECH = {"transcription": [{"BACKEND": "agents.audio.openai.OpenAITranscriber", "OPTIONS": options}]}
        return provider

    async def test_is_answered_like_the_words_in_it(self, connected: Any, connect: Any, ben: Any) -> None:
        socket = await connect(ben)
        spoken = base64.b64encode(tone(10)).decode()
        assert len(spoken) > engine.MAX_FRAME_CHARACTERS
        await socket.send({"type": "audio", "audio": spoken})
        response = await socket.frame()
        assert (response["user_text"], response["agent_text"]) == (connected.hears, "One half.")

    async def test_longest_frame_is_read(self, connect: Any, ada: Any) -> None:
        """B3: up to 1 MB, and only with a recording."""
        socket = await connect(ada)
        frame = '{"type":"audio","audio":"AAAA"}'
        await socket.send(frame.ljust(v1.MAX_AUDIO_FRAME_CHARACTERS))
        assert (await socket.frame())["error"]["code"] == "unsupported_type"
        await socket.send(frame.ljust(v1.MAX_AUDIO_FRAME_CHARACTERS + 1))
        assert await socket.refused() == ("too_large", 4413)

    async def test_long_text_is_no_recording(self, connect: Any, ada: Any) -> None:
        """B3"""
        socket = await connect(ada)
        await socket.send('{"type":"text","text":"a"}'.ljust(160_001))
        assert await socket.refused() == ("too_large", 4413)
        assert not await Turn.objects.aexists()

    async def test_is_not_enabled_without_a_transcriber(self, connect: Any, ada: Any) -> None:
        socket = await connect(ada)
        await socket.send({"type": "audio", "audio": base64.b64encode(tone(0.01)).decode()})
        assert (await socket.frame())["error"]["code"] == "not_enabled"
        assert await socket.stays()


class TestTokenInTheAddress:
    async def test_opens_this_socket_from_any_origin(self, supervisor: Any, ada: Any) -> None:
        """W1: a token needs no origin."""
        socket = await V1Socket(f"/ws/s?token={await token_of(ada)}", {"Origin": "https://app.example"}).open()
        await socket.say("hello")
        assert (await socket.frame())["type"] == "response"
        await socket.leave()

    @pytest.mark.parametrize("query", ["token=la_nobody", "token=", "token={token}&token={token}", "token={token}x"])
    async def test_that_is_nobodys_does_not_fall_back_to_the_cookie(
        self, supervisor: Any, ada: Any, query: str
    ) -> None:
        """W1"""
        path = f"/ws/s?{query.format(token=await token_of(ada))}"
        socket = await Socket(path, {"Cookie": await cookie_of(ada), "Origin": "http://evil.example"}).open()
        assert await socket.refused() == ("unauthenticated", 4401)
        await socket.leave()

    @pytest.mark.parametrize("path", ["/v2/ws/s", "/live/s", "/"])
    async def test_counts_nowhere_else(self, supervisor: Any, ada: Any, path: str) -> None:
        socket = await Socket(f"{path}?token={await token_of(ada)}", {}).open()
        assert "sign in" in await socket.text()
        assert await socket.closed() == 4401
        await socket.leave()

    async def test_counts_for_no_call(self, async_client: Any, ada: Any) -> None:
        token = await token_of(ada)
        for path in ("/api/stats", "/v2/sessions", "/c/"):
            response = await async_client.get(f"{path}?token={token}")
            assert response.status_code in (401, 302)

    async def test_is_kept_from_the_application(self, supervisor: Any, ada: Any, monkeypatch: Any) -> None:
        """K1: what is not there cannot be logged."""
        seen: list[bytes] = []
        monkeypatch.setattr(v1.SingleAgentConsumer, "entered", lambda self: _note(seen, self.scope["query_string"]))
        socket = await Socket(f"/ws/s?token={await token_of(ada)}", {}).open()
        assert await socket.stays()
        assert seen == [b""]
        await socket.leave()

    async def test_revoked_token_ends_the_socket(self, supervisor: Any, ada: Any) -> None:
        """A7"""
        socket = await V1Socket(f"/ws/s?token={await token_of(ada)}", {}).open()
        await ApiToken.objects.all().adelete()
        await socket.say("hello")
        assert await socket.refused() == ("unauthenticated", 4401)
        await socket.leave()


async def _note(seen: list[bytes], query: bytes) -> None:
    seen.append(query)
