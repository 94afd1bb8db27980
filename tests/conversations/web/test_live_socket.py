"""`/live/{id}`: the same events as fragments of the page."""

import re
import uuid
from functools import partial

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth import get_user_model

from agents.sockets import consumers as engine
from conversations.models import Turn
from tests.conversations.sockets import Socket
from tests.conversations.turn_helpers import Pause, begun
from tests.conversations.web.test_markup import PAYLOADS, Seen

pytestmark = pytest.mark.django_db(transaction=True)

begin = sync_to_async(begun)
OVER = 'data-status="done"'


@pytest.fixture
async def lesson(supervisor, ada):
    """A session of Ada's with one turn that is over."""
    turn = await begin(ada)
    supervisor.claim(turn.pk)
    await supervisor.finished(turn.pk)
    return turn


@pytest.fixture
def live(connect):
    return partial(connect, by=Socket.by_cookie)


def place(turn, *, after=99):
    """Return the address of a page that has seen the turn up to this event."""
    return f"/live/s?turn={turn.pk}&after={after}"


async def say(socket, text, **fields):
    await socket.send({"action": "say", "text": text, "HEADERS": {"HX-Request": "true"}, **fields})


async def problem(socket):
    """Return what the page says was wrong; nothing else is said with it."""
    html = await socket.text()
    assert 'id="error"' in html
    return re.search(r'<p class="note bad">(.*?)</p>', html)[1]


async def stays(socket):
    await socket.send({"action": "ping"})
    return 'id="pong"' in await socket.text()


async def test_recap_goes_when_the_conversation_goes_on(live, ada, lesson):
    socket = await live(ada, place(lesson))
    await say(socket, "What is a half?", client_id="c1")
    assert '<div class="recap" id="recap" hx-swap-oob="true"></div>' in await socket.text()


async def test_what_is_said_appears_and_is_answered(live, ada, lesson):
    socket = await live(ada, place(lesson))
    await say(socket, "What is a half?", client_id="c1")
    html = await socket.until_text(OVER)
    assert 'hx-swap-oob="beforeend:#thread"' in html
    assert "What is a half?" in html
    assert "One half." in html


async def test_text_is_appended_as_it_comes(live, ada, lesson, says):
    pause = Pause()
    says("One ", pause, "half.")
    socket = await live(ada, place(lesson))
    await say(socket, "hello")
    await socket.until_text("One ")
    pause.over.set()
    assert "half." in await socket.until_text(OVER)


async def test_signs_are_read_aloud_as_they_are_shown(live, ada, lesson, says):
    says("`n > 7` is True.")
    socket = await live(ada, place(lesson))
    await say(socket, "hello")
    html = await socket.until_text(OVER)
    assert re.search(r'id="announce"[^>]*>n &gt; 7 is True\.', html)


async def test_page_that_comes_back_gets_what_it_missed(live, ada, lesson):
    """G14"""
    socket = await live(ada, place(lesson, after=0))
    assert "One half." in await socket.until_text(OVER)


async def test_page_that_has_everything_gets_nothing(live, ada, lesson):
    socket = await live(ada, place(lesson))
    assert await stays(socket)


async def test_page_gets_the_turns_that_came_after_its_own(live, ada, lesson, supervisor):
    second = await begin(ada, text="and then?")
    supervisor.claim(second.pk)
    await supervisor.finished(second.pk)
    socket = await live(ada, place(lesson))
    html = await socket.until_text(OVER)
    assert "and then?" in html
    assert html.index(f'id="text-{second.pk}"') < html.index(f"beforeend:#text-{second.pk}"), "no piece without a place"


async def test_double_click_and_two_tabs_are_one_turn(live, ada, lesson):
    """G15"""
    tabs = [await live(ada, place(lesson)) for _ in range(2)]
    for tab in tabs:
        for _ in range(2):
            await say(tab, "hello again", client_id="c1")
    shown = [await tab.until_text(OVER) for tab in tabs]
    assert [html.count("hello again") for html in shown] == [1, 1]
    assert await Turn.objects.acount() == 2
    assert all([await stays(tab) for tab in tabs])


async def test_stop_keeps_what_was_said(live, ada, lesson, says):
    pause = Pause()
    says("One ", pause, "half.")
    socket = await live(ada, place(lesson))
    await say(socket, "hello")
    await pause.reached.wait()
    await socket.send({"action": "stop"})
    html = await socket.until_text('data-status="stopped"')
    assert "You stopped this answer." in html


class TestProblems:
    """B1, B4: said near the composer, and the socket stays."""

    @pytest.mark.parametrize(
        "frame",
        [
            {"action": "say", "text": " "},
            {"action": "say", "text": "x" * 10_001},
            {"action": "say", "text": "a\x00"},
            {"action": "dance"},
            {"action": "say", "text": "a", "model": "b"},
            {"action": "resume", "after": 0, "turn_id": str(uuid.uuid4())},
            {"action": "stop"},
            {},
            "no json",
            b"bytes",
        ],
    )
    async def test_unfit_frame(self, live, ada, lesson, frame):
        socket = await live(ada, place(lesson))
        await socket.send(frame)
        assert await problem(socket)
        assert await stays(socket)
        assert await Turn.objects.acount() == 1

    async def test_names_no_codes(self, live, ada, lesson):
        socket = await live(ada, place(lesson))
        await say(socket, "")
        assert await problem(socket) == "Write a message first."

    async def test_is_gone_with_the_next_message(self, live, ada, lesson):
        socket = await live(ada, place(lesson))
        await say(socket, "")
        await problem(socket)
        await say(socket, "hello")
        html = await socket.until_text('id="error"')
        assert "note bad" not in html


class TestRefused:
    @pytest.mark.parametrize("key", ["never", "theirs"])
    async def test_session_that_is_not_ones_own(self, live, ada, eve, supervisor, key):
        """A3: what is missing and what is somebody else's look the same."""
        await begin(eve, key="theirs")
        socket = await live(ada, f"/live/{key}")
        assert await problem(socket) == "This does not exist, or it is not yours."
        assert await socket.closed() == 4404

    @pytest.mark.parametrize("query", ["turn=abc", "turn=", "turn={mine}&after=x", "turn={theirs}", "turn={elsewhere}"])
    async def test_turn_that_is_not_of_this_page(self, live, ada, eve, lesson, query):
        """A3, B5"""
        ids = {"mine": lesson.pk, "theirs": (await begin(eve)).pk, "elsewhere": (await begin(ada, key="t")).pk}
        socket = await live(ada, "/live/s?" + query.format(**ids))
        if query == "turn=":
            assert await stays(socket)
            return
        assert await problem(socket)
        assert await socket.closed() == 4404

    async def test_person_who_may_no_longer_sign_in(self, live, ada, lesson):
        """A7"""
        socket = await live(ada, place(lesson))
        await get_user_model().objects.aupdate(is_active=False)
        await say(socket, "hello")
        assert await problem(socket) == "Please sign in first."
        assert await socket.closed() == 4401


async def test_page_that_lags_behind_reads_everything_anew(live, ada, lesson, says, monkeypatch):
    """G12"""
    monkeypatch.setattr(engine, "MAX_UNSEEN_BYTES", 100)
    pause = Pause()
    says("x" * 200, pause, "half.")
    socket = await live(ada, place(lesson))
    await say(socket, "hello")
    assert 'data-refetch="yes"' in await socket.until_text("data-refetch")
    pause.over.set()


async def test_nothing_typed_or_said_comes_alive(live, ada, lesson, says):
    """X1: while it streams, and when it is done."""
    says(*PAYLOADS)
    socket = await live(ada, place(lesson))
    await say(socket, "\n\n".join(PAYLOADS))
    seen = Seen(await socket.until_text(OVER))
    assert not seen.tags & {"script", "img", "iframe", "style", "base", "meta", "object", "embed"}
    assert not {name for _, name in seen.attributes if name.startswith("on")}
    assert not any(link.lower().startswith(("javascript:", "data:", "vbscript:", "file:")) for link in seen.links)


async def test_message_said_anew_takes_the_place_of_what_it_replaces(live, ada, lesson):
    """Every tab drops the old turns when the new one begins."""
    tabs = [await live(ada, place(lesson)) for _ in range(2)]
    await say(tabs[0], "What is a third?", replaces=str(lesson.pk))
    for tab in tabs:
        html = await tab.until_text(OVER)
        assert f'hx-swap-oob="delete:#turn-{lesson.pk}"' in html
        assert html.index("delete:") < html.index("What is a third?")


async def test_message_of_somebody_else_is_not_said_anew(live, ada, eve, lesson):
    theirs = await begin(eve)
    socket = await live(ada, place(lesson))
    await say(socket, "hello", replaces=str(theirs.pk))
    assert "not yours" in await problem(socket)
    assert await stays(socket)
