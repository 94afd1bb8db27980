"""Whose words a reply holds: told while it runs, kept with the turn, shown wherever the reply is."""

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.template.loader import render_to_string

from agents.engine import registry
from agents.engine.outcomes import Answered, TimedOut
from agents.engine.roles import Plan, Role
from agents.llm.base import TextPiece
from conversations.models import Turn
from conversations.speakers import speaker_named, speaker_of, speakers_of
from conversations.turns.summary import find_shortfall
from conversations.web import presentation
from conversations.web.fragments import LiveView
from tests.conversations.turn_helpers import Pause, begun

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _roles(monkeypatch: Any, host: Any) -> None:
    for name, speaks in {"tutor": True, "quiz": True, "coordinator": False}.items():
        role = Role(name=name, label=name.upper(), purpose="", plan=lambda request: Plan(), speaks=speaks)
        monkeypatch.setitem(registry.roles, name, role)


def test_those_who_spoke_to_the_learner_are_named_in_order() -> None:
    said = [
        Answered(agent="coordinator", result=None, text="to itself", ms=1.0),
        Answered(agent="quiz", result=None, text=" ", ms=1.0),
        TimedOut(agent="tutor", text="As far as", ms=1.0, after_s=1.0),
        Answered(agent="quiz", result=None, text="Go on.", ms=1.0),
    ]
    assert speakers_of(said) == ["tutor", "quiz"]
    assert (speaker_named(["tutor", "quiz", "tutor"]).agent, speaker_named(["tutor", "quiz", "tutor"]).label) == (
        "tutor",
        "TUTOR · QUIZ",
    )
    assert (speaker_of(Turn()).agent, speaker_of(Turn()).label) == ("", "The team")


async def test_page_names_who_is_at_it_and_who_was(supervisor: Any, ada: Any, says: Any) -> None:
    pause = Pause()
    says(TextPiece("One "), pause, "half.")
    turn = await sync_to_async(begun)(ada)
    supervisor.claim(turn.pk)
    await pause.reached.wait()
    await supervisor.feeds[turn.pk].flush()
    [view] = await sync_to_async(presentation.turn_views)(ada, turns=[turn])
    assert (view.running, view.who.label) == (True, "Speaker")
    pause.over.set()
    await supervisor.finished(turn.pk)
    await turn.arefresh_from_db()
    [view] = await sync_to_async(presentation.turn_views)(ada, turns=[turn])
    assert (view.running, view.who.label) == (False, "Speaker")


async def test_socket_names_those_who_speak(ada: Any) -> None:
    turn = str((await sync_to_async(begun)(ada)).pk)
    started = [{"type": "agent_started", "agent": each, "turn_id": turn, "seq": 1} for each in ("coordinator", "quiz")]
    html = [await LiveView(1).html_of([each], person=ada) for each in started]
    assert f"who-{turn}" not in html[0]
    assert f'id="who-{turn}" hx-swap-oob="true"' in html[1]
    assert "QUIZ" in html[1].split(f"who-{turn}")[1]


def test_turn_tells_whether_who_speaks_is_missing_or_only_one_who_was_to_be_asked() -> None:
    """V13: a coordinator that fails costs its word; the page says so, and what to do."""
    silent = TimedOut(agent="coordinator", text="", ms=1.0, after_s=1.0)
    tutor = Answered(agent="tutor", result=None, text="Go on.", ms=1.0)
    cut_off = TimedOut(agent="tutor", text="As far as", ms=1.0, after_s=1.0)
    assert [find_shortfall(each) for each in ([tutor], [silent, tutor], [silent, cut_off], [cut_off])] == [
        "",
        "unasked",
        "",
        "",
    ]


def test_page_says_what_to_do_where_nobody_could_be_asked() -> None:
    turn = {"id": "t", "status": "degraded", "shortfall": "unasked", "who": speaker_named(["tutor"]), "parts": ()}
    html = render_to_string("conversations/conversation.html#reply", {"turn": turn, "session": {"key": "s"}})
    assert "ask in a different way" in html
    assert "built-in text" not in html
    assert "did not answer in time" not in html
