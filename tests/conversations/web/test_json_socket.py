"""`/v2/ws/{session_id}`: frames in, events out."""

import uuid

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth import get_user_model
from django.db import OperationalError

from agents.rollout.flags import change_flag
from agents.sockets import consumers as engine
from agents.sockets import socket_quota
from conversations.models import Message, Session, Turn
from conversations.turns import raw_sql
from learnagent.accounts.models import ApiToken, BrowserSession
from tests.conversations.sockets import Socket, token_of
from tests.conversations.turn_helpers import Pause, begun, joined

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]

begin = sync_to_async(begun)


class TestMessage:
    async def test_is_acknowledged_answered_and_ended(self, connect, ada):
        socket = await connect(ada)
        await socket.say("hello", client_id="c1")
        frames = await socket.until("turn_finished")
        assert [frame["seq"] for frame in frames] == list(range(1, len(frames) + 1))
        assert frames[0].items() >= {"type": "turn_started", "session_id": "s", "client_id": "c1"}.items()
        assert joined(frames) == frames[-1]["reply"] == "One half."

    async def test_is_not_enabled_where_the_many_agents_are_switched_off(self, connect, ada):
        """B9"""
        await sync_to_async(change_flag)("multi_agent", killed=True)
        socket = await connect(ada)
        await socket.say("hello")
        assert (await socket.frame())["error"]["code"] == "not_enabled"
        assert await Turn.objects.acount() == 0

    async def test_acknowledged_one_is_stored(self, connect, ada, says):
        """Ack means committed."""
        pause = Pause()
        says(pause)
        socket = await connect(ada)
        await socket.say("a\u202eb 🥧")
        await socket.until("turn_started")
        assert (await Message.objects.aget(author="learner")).text == "a\u202eb 🥧"
        pause.over.set()

    @pytest.mark.parametrize(
        ("frame", "code"),
        [
            ({"text": "x" * 10_001}, "too_large"),
            ({"text": " "}, "invalid_input"),
            ({"text": "a\x00b"}, "invalid_input"),
            ({"text": "\ud800"}, "invalid_input"),
            ({"text": "a", "client_id": "x" * 65}, "invalid_input"),
            ({"text": "a", "attachments": ["1"]}, "invalid_input"),
        ],
    )
    async def test_unfit_one_is_refused_and_the_socket_stays(self, connect, ada, frame, code):
        """B1"""
        socket = await connect(ada)
        await socket.send({"type": "message", **frame})
        assert (await socket.frame())["error"]["code"] == code
        assert await socket.stays()
        assert not await Turn.objects.aexists()

    async def test_next_one_has_to_wait_for_the_answer(self, connect, ada, says):
        pause = Pause()
        says(pause, "One half.")
        socket = await connect(ada)
        await socket.say("hello")
        await socket.until("agent_started")
        await socket.say("and?")
        error = (await socket.frame())["error"]
        assert (error["code"], error["retry_after_s"]) == ("turn_in_progress", 2)
        pause.over.set()
        assert joined(await socket.until("turn_finished")) == "One half."

    async def test_database_that_is_busy_costs_the_message_not_the_socket(self, connect, ada, monkeypatch):
        """G3"""

        def busy(*args):
            raise OperationalError("database is locked")

        monkeypatch.setattr(raw_sql, "fetch_preconditions", busy)
        socket = await connect(ada)
        await socket.say("hello")
        error = (await socket.frame())["error"]
        assert (error["code"], error["recoverable"]) == ("unavailable", True)
        assert "locked" not in error["message"]
        assert await socket.stays()


class TestResend:
    """G15"""

    async def test_double_click_is_one_turn(self, connect, ada, says):
        pause = Pause()
        says(pause, "One half.")
        socket = await connect(ada)
        for _ in range(2):
            await socket.say("hello", client_id="c1")
        await socket.send({"type": "ping"})
        frames = [each for each in await socket.until("pong") if each["type"] != "pong"]
        pause.over.set()
        frames += await socket.until("turn_finished")
        assert [frame["seq"] for frame in frames] == list(range(1, len(frames) + 1))
        assert await socket.stays()
        assert await Turn.objects.acount() == 1

    async def test_after_its_end_shows_the_turn_again_on_the_same_socket(self, connect, ada):
        socket = await connect(ada)
        await socket.say("hello", client_id="c1")
        shown = await socket.until("turn_finished")
        for _ in range(2):
            await socket.say("hello", client_id="c1")
            assert await socket.until("turn_finished") == shown
        assert await socket.stays()
        assert await Turn.objects.acount() == 1

    async def test_on_a_new_socket_shows_the_turn_from_its_start(self, connect, ada):
        first, second = await connect(ada), await (await connect(ada)).listening()
        await first.say("hello", client_id="c1")
        shown = await first.until("turn_finished")
        await second.until("turn_finished")
        third = await connect(ada)
        await third.say("hello", client_id="c1")
        assert await third.until("turn_finished") == shown
        assert await Turn.objects.acount() == 1

    async def test_with_other_words_is_refused(self, connect, ada):
        """B6"""
        socket = await connect(ada)
        await socket.say("hello", client_id="c1")
        await socket.until("turn_finished")
        await socket.say("other", client_id="c1")
        assert (await socket.frame())["error"]["code"] == "conflict"

    async def test_two_tabs_that_send_the_same_show_the_same(self, connect, ada):
        tabs = [await connect(ada), await connect(ada)]
        for tab in tabs:
            await tab.say("hello", client_id="c1")
        first, second = [await tab.until("turn_finished") for tab in tabs]
        assert first == second
        assert await Turn.objects.acount() == 1


class TestTabs:
    async def test_other_tab_sees_the_turn_too_even_a_sessions_first(self, connect, ada):
        speaking, listening = await connect(ada), await (await connect(ada)).listening()
        await speaking.say("hello")
        assert await listening.until("turn_finished") == await speaking.until("turn_finished")

    async def test_turn_is_shown_once_however_quickly_it_is_over(self, connect, ada):
        socket = await connect(ada)
        await socket.say("hello")
        await socket.until("turn_finished")
        assert await socket.stays()

    async def test_somebody_elses_session_of_that_name_is_another(self, connect, ada, eve):
        """A3"""
        adas, eves = await connect(ada), await connect(eve)
        await adas.say("hello")
        await adas.until("turn_finished")
        assert await eves.stays()
        await eves.say("hi")
        await eves.until("turn_finished")
        assert await Session.objects.filter(key="s").acount() == 2
        assert await adas.stays()

    async def test_other_sessions_turns_are_not_shown(self, connect, ada):
        here, there = await connect(ada), await connect(ada, "/v2/ws/t")
        await there.say("hello")
        await there.until("turn_finished")
        assert await here.stays()


class TestStop:
    async def test_ends_the_turn_and_keeps_what_was_said(self, connect, ada, says):
        pause = Pause()
        says("One ", pause, "half.")
        socket = await connect(ada)
        await socket.say("hello")
        await pause.reached.wait()
        await socket.send({"type": "stop"})
        last = (await socket.until("turn_finished"))[-1]
        assert (last["status"], last["reply"]) == ("stopped", "One ")

    async def test_works_from_another_tab_by_the_turns_id(self, connect, ada, says):
        pause = Pause()
        says(pause)
        socket, other = await connect(ada), await connect(ada)
        await socket.say("hello")
        turn_id = (await socket.until("turn_started"))[-1]["turn_id"]
        await pause.reached.wait()
        await other.send({"type": "stop", "turn_id": turn_id})
        assert (await socket.until("turn_finished"))[-1]["status"] == "stopped"

    async def test_of_a_turn_that_is_over_changes_nothing(self, connect, ada):
        """B4"""
        socket = await connect(ada)
        await socket.say("hello")
        await socket.until("turn_finished")
        await socket.send({"type": "stop"})
        assert (await socket.frame())["error"]["code"] == "not_found"
        assert (await Turn.objects.aget()).status == "done"

    async def test_of_a_turn_another_process_serves_is_left_as_a_wish(self, connect, ada):
        turn = await begin(ada)
        await Turn.objects.aupdate(status="running", lease_owner="another")
        socket = await connect(ada)
        await socket.send({"type": "stop", "turn_id": str(turn.pk)})
        assert await socket.stays()
        assert (await Turn.objects.aget()).stop_requested


class TestResume:
    async def test_goes_on_after_the_event_named(self, connect, ada):
        socket = await connect(ada)
        await socket.say("hello")
        shown = await socket.until("turn_finished")
        await socket.send({"type": "resume", "after": 3})
        assert await socket.until("turn_finished") == shown[3:]

    async def test_follows_a_running_turn(self, connect, ada, says):
        """G14"""
        pause = Pause()
        says("One ", pause, "half.")
        first = await connect(ada)
        await first.say("hello")
        turn_id = (await first.until("reply_text"))[0]["turn_id"]
        await first.leave()
        second = await connect(ada)
        await second.send({"type": "resume", "turn_id": turn_id, "after": 0})
        pause.over.set()
        assert joined(await second.until("turn_finished")) == "One half."

    async def test_with_nothing_left_sends_nothing(self, connect, ada):
        socket = await connect(ada)
        await socket.say("hello")
        last = (await socket.until("turn_finished"))[-1]
        await socket.send({"type": "resume", "after": last["seq"]})
        assert await socket.stays()

    async def test_of_an_empty_session_finds_no_turn(self, connect, ada):
        socket = await connect(ada)
        await socket.send({"type": "resume"})
        assert (await socket.frame())["error"]["code"] == "not_found"


@pytest.mark.parametrize("kind", ["stop", "resume", "seen"])
class TestTurnsThatAreNotOnesOwn:
    """A3, B4, B5: one answer, and no change."""

    async def refused(self, socket, kind, turn_id):
        await socket.send({"type": kind, "turn_id": str(turn_id), **({"seq": 1} if kind == "seen" else {})})
        error = (await socket.frame())["error"]
        assert error.pop("ref")
        assert await socket.stays()
        return error

    async def test_are_refused_as_what_is_missing(self, connect, ada, eve, kind):
        theirs = await begin(eve)
        elsewhere = await begin(ada, key="elsewhere")
        socket = await connect(ada)
        missing = await self.refused(socket, kind, uuid.uuid4())
        assert missing["code"] == "not_found"
        assert await self.refused(socket, kind, theirs.pk) == missing
        assert await self.refused(socket, kind, elsewhere.pk) == missing
        assert not await Turn.objects.filter(stop_requested=True).aexists()


def slow_refill(monkeypatch, *, frames):
    """Let a person send this many frames, and next to none after them."""
    monkeypatch.setattr(socket_quota, "FRAMES_PER_SECOND", 1e-6)
    monkeypatch.setattr(socket_quota, "FRAMES_AT_ONCE", frames)


class TestSeen:
    async def test_of_ones_own_turn_on_another_socket_is_taken_without_a_word(self, connect, ada):
        first = await connect(ada)
        await first.say("hello")
        last = (await first.until("turn_finished"))[-1]
        second = await connect(ada)
        await second.send({"type": "seen", "turn_id": last["turn_id"], "seq": last["seq"]})
        assert await second.stays()

    async def test_of_an_event_not_sent_is_refused(self, connect, ada):
        """B4"""
        socket = await connect(ada)
        await socket.say("hello")
        last = (await socket.until("turn_finished"))[-1]
        await socket.send({"type": "seen", "turn_id": last["turn_id"], "seq": last["seq"] + 1})
        assert (await socket.frame())["error"]["fields"].keys() == {"seq"}
        await socket.send({"type": "seen", "turn_id": last["turn_id"], "seq": last["seq"]})
        assert await socket.stays()

    async def test_client_that_lags_behind_is_told_to_fetch_again_and_loses_nothing(
        self, connect, ada, says, monkeypatch
    ):
        """G12"""
        monkeypatch.setattr(engine, "MAX_UNSEEN_BYTES", 2000)
        pauses = [Pause() for _ in range(3)]
        says("One ", pauses[0], "x" * 3000, pauses[1], "y", pauses[2], " half.")
        socket = await connect(ada)
        await socket.say("hello")
        seen = (await socket.until("reply_text"))[-1]
        await socket.send({"type": "seen", "turn_id": seen["turn_id"], "seq": seen["seq"]})
        assert await socket.stays()
        pauses[0].over.set()
        await socket.until("reply_text")
        pauses[1].over.set()
        assert await socket.frame() == {"type": "refetch", "turn_id": seen["turn_id"], "after": seen["seq"]}
        pauses[2].over.set()
        await socket.send({"type": "resume", "turn_id": seen["turn_id"], "after": seen["seq"]})
        assert joined(await socket.until("turn_finished")) == "x" * 3000 + "y half."


UNREADABLE = ["", "hello", "[]", "null", "7", '"ping"', '{"type": "ping"', "[" * 5000, '{"type":"ping","type":"ping"}']
OUT_OF_SHAPE = [
    {},
    {"type": "dance"},
    {"type": "message"},
    {"type": "message", "text": 7},
    {"type": "message", "text": "a", "system_prompt": "b"},
    {"type": "message", "text": "a", "user_id": 1},
    {"type": "ping", "extra": 1},
    {"type": "seen", "turn_id": "abc", "seq": 1},
    {"type": "resume", "after": -1},
    {"type": "resume", "after": 2**31},
    {"type": "stop", "turn_id": "../"},
]


class TestBadFrames:
    """B2, B3, B4, B8: an error frame, and the socket stays."""

    @pytest.mark.parametrize("frame", [*UNREADABLE, '{"type":"resume","after":NaN}', '{"type":"resume","after":1e400}'])
    async def test_what_is_no_json_object(self, connect, ada, frame):
        socket = await connect(ada)
        await socket.send(frame)
        error = (await socket.frame())["error"]
        assert (error["code"], "fields" in error) == ("invalid_input", False)
        assert await socket.stays()

    @pytest.mark.parametrize("frame", OUT_OF_SHAPE, ids=str)
    async def test_what_is_no_frame_of_ours(self, connect, ada, frame):
        socket = await connect(ada)
        await socket.send(frame)
        error = (await socket.frame())["error"]
        assert (error["code"], error["recoverable"]) == ("invalid_input", True)
        assert error["fields"]
        assert await socket.stays()
        assert not await Turn.objects.aexists()

    @pytest.mark.parametrize(
        ("frame", "fields"),
        [
            ({}, {"type": "This field is required."}),
            ({"type": "dance"}, {"type": "This must be one of 'message', 'stop', 'resume', 'seen', 'ping'."}),
            ({"type": "resume", "after": -1}, {"resume.after": "This must be at least 0."}),
            ({"type": "stop", "turn_id": "../"}, {"stop.turn_id": "Send this as a UUID."}),
        ],
    )
    async def test_fault_is_told_in_our_own_words(self, connect, ada, frame, fields):
        socket = await connect(ada)
        await socket.send(frame)
        assert (await socket.frame())["error"]["fields"] == fields

    async def test_bytes(self, connect, ada):
        socket = await connect(ada)
        await socket.send(b"\x00\xff")
        assert (await socket.frame())["error"]["code"] == "invalid_input"
        assert await socket.stays()

    async def test_largest_frame_is_read(self, connect, ada):
        socket = await connect(ada)
        await socket.send('{"type":"ping"}'.ljust(160_000))
        assert await socket.frame() == {"type": "pong"}

    async def test_larger_frame_ends_the_socket(self, connect, ada):
        socket = await connect(ada)
        await socket.send('{"type":"ping"}'.ljust(160_001))
        assert await socket.refused() == ("too_large", 4413)

    async def test_flood_ends_the_socket(self, connect, ada, monkeypatch):
        """G13, L1"""
        slow_refill(monkeypatch, frames=3)
        socket = await connect(ada)
        for _ in range(3):
            assert await socket.stays()
        for _ in range(20):
            await socket.send({"type": "ping"})
        assert await socket.refused() == ("rate_limited", 4429)
        assert await socket.wire.receive_nothing()

    async def test_new_socket_does_not_begin_anew(self, connect, ada, eve, monkeypatch):
        """L1: the limit holds over all sockets of a person, and after coming back."""
        slow_refill(monkeypatch, frames=4)
        sockets = [await connect(ada) for _ in range(2)]
        for socket in sockets * 2:
            assert await socket.stays()
        await sockets[0].send({"type": "ping"})
        assert await sockets[0].refused() == ("rate_limited", 4429)
        back = await connect(ada)
        await back.send({"type": "ping"})
        assert await back.refused() == ("rate_limited", 4429)
        assert await (await connect(eve)).stays()

    async def test_large_bytes_end_the_socket(self, connect, ada):
        """G13"""
        socket = await connect(ada)
        await socket.send(bytes(160_001))
        assert await socket.refused() == ("too_large", 4413)

    async def test_one_socket_too_many_is_refused(self, connect, ada, eve, settings):
        """L1: 200 sockets from one person."""
        settings.AGENTS = settings.AGENTS | {"sockets_at_once": 3}
        sockets = [await connect(ada, path) for path in ("/v2/ws/a", "/v2/ws/b", "/v2/ws/b")]
        fourth = await connect(ada)
        assert await fourth.refused() == ("rate_limited", 4429)
        await fourth.leave()
        assert await (await connect(eve)).stays()
        await sockets[0].leave()
        assert await (await connect(ada)).stays()


class TestRights:
    """A7: asked anew at each frame."""

    async def test_deactivated_person_is_heard_no_more(self, connect, ada):
        socket = await connect(ada)
        await get_user_model().objects.aupdate(is_active=False)
        await socket.say("hello")
        assert await socket.refused() == ("unauthenticated", 4401)
        assert not await Turn.objects.aexists()

    async def test_revoked_token_ends_the_socket(self, connect, ada):
        socket = await connect(ada)
        await ApiToken.objects.all().adelete()
        await socket.send({"type": "ping"})
        assert await socket.refused() == ("unauthenticated", 4401)

    async def test_new_password_ends_sockets_signed_in_by_the_old_one(self, connect, ada):
        socket = await connect(ada, by=Socket.by_cookie)
        ada.set_unusable_password()
        await ada.asave()
        await socket.send({"type": "ping"})
        assert await socket.refused() == ("unauthenticated", 4401)

    async def test_ended_session_ends_the_socket(self, connect, ada):
        socket = await connect(ada, by=Socket.by_cookie)
        await BrowserSession.objects.all().adelete()
        await socket.send({"type": "ping"})
        assert await socket.refused() == ("unauthenticated", 4401)

    async def test_silent_socket_is_ended_too(self, connect, ada, monkeypatch):
        monkeypatch.setattr(engine, "SESSION_CHECK_S", 0)
        socket = await connect(ada)
        await get_user_model().objects.aupdate(is_active=False)
        assert await socket.refused() == ("unauthenticated", 4401)

    async def test_nothing_more_is_shown_after_the_end(self, connect, ada, says):
        pause = Pause()
        says("One ", pause, "half.")
        socket = await connect(ada)
        await socket.say("hello")
        await socket.until("reply_text")
        await get_user_model().objects.aupdate(is_active=False)
        await socket.send({"type": "ping"})
        assert await socket.refused() == ("unauthenticated", 4401)
        pause.over.set()
        assert await socket.wire.receive_nothing()


class TestAddress:
    @pytest.mark.parametrize("path", ["/v2/ws/" + "x" * 129, "/v2/ws/%20"])
    async def test_unfit_session_id_ends_the_socket(self, connect, ada, path):
        socket = await connect(ada, path)
        assert await socket.refused() == ("invalid_input", 4400)

    @pytest.mark.parametrize("path", ["/", "/v2/ws/", "/v2/ws", "/ws/", "/nowhere", "/live/"])
    async def test_other_addresses_are_not_there(self, connect, ada, path):
        socket = await connect(ada, path, by=Socket.by_cookie)
        assert (await socket.refused())[1] == 4404

    @pytest.mark.parametrize("path", ["/", "/v2/ws", "/nowhere", "/live/s"])
    async def test_token_counts_at_no_other_address(self, connect, ada, path):
        socket = await connect(ada, path)
        assert "sign in" in await socket.text()
        assert await socket.closed() == 4401

    async def test_frames_need_the_tokens_scope(self, supervisor, ada):
        """What the token is not good for is not there, and the socket stays."""
        await begin(ada)
        resume, say, stop = {"type": "resume", "after": 0}, {"type": "message", "text": "hello"}, {"type": "stop"}
        for scope, refused, taken, told in (
            ("read", [say, stop], resume, "turn_started"),
            ("converse", [resume], say, "error"),
        ):
            token = await token_of(ada, scopes=[scope])
            socket = await Socket("/v2/ws/s", {"Authorization": f"Bearer {token}"}).open()
            for frame in refused:
                await socket.send(frame)
                assert (await socket.frame())["error"]["code"] == "not_found"
            await socket.send(taken)
            answer = await socket.frame()
            assert answer["type"] == told
            assert answer.get("error", {}).get("code") in (None, "turn_in_progress")
            await socket.leave()

    async def test_session_id_may_hold_anything_else(self, connect, ada):
        socket = await connect(ada, "/v2/ws/a/..b%2Fc")
        await socket.say("hello")
        assert (await socket.until("turn_finished"))[0]["session_id"] == "a/..b/c"

    async def test_session_id_with_steps_is_none(self, connect, ada):
        assert await (await connect(ada, "/v2/ws/a/../b")).refused() == ("invalid_input", 4400)

    async def test_wait_is_told_where_waiting_helps(self, connect, ada, settings):
        """A socket has no header for it."""
        settings.AGENTS = {"turns_per_minute": 1}
        socket = await connect(ada)
        await socket.say("hello")
        await socket.until("turn_finished")
        await socket.say("again")
        error = (await socket.frame())["error"]
        assert (error["code"], error["retry_after_s"]) == ("rate_limited", 30)


async def test_frame_may_say_a_message_anew(connect, ada):
    socket = await connect(ada)
    await socket.say("one haf", client_id="a")
    first = (await socket.until("turn_finished"))[0]
    await socket.say("one half", client_id="b", replaces=first["turn_id"])
    started = (await socket.until("turn_finished"))[0]
    assert started["replaces"] == first["turn_id"]
    await socket.say("one half", client_id="c", replaces=first["turn_id"])
    assert (await socket.frame())["error"]["code"] == "conflict"
    await socket.say("one half", replaces="no id")
    assert (await socket.frame())["error"]["code"] == "invalid_input"
    assert await socket.stays()
