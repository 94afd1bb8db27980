"""Checkpoints: the state after the latest turn, from the cache or the database, and nobody else's."""

import pytest
from django.core.cache import cache

from agents.conf import agent_settings
from conversations.companion import checkpoints
from conversations.companion.checkpoints import forget_checkpoint, load_checkpoint, save_checkpoint
from conversations.companion.state import KEY, companion_state
from conversations.models import Session, Turn
from tests.conversations.turn_helpers import begun

pytestmark = [pytest.mark.db, pytest.mark.django_db, pytest.mark.usefixtures("host")]

STATE = {
    "workspace": "personal", "current_agent": "task", "previous_agent": "event", "target_agent": None,
    "handoff_reason": None, "contexts": {"task": {"last": 7}}, "asked": {"agent": "task"}, "turn_count": 1,
}  # fmt: skip


def session_of(person, *, key="s", **state):
    turn = begun(person, key=key)
    Turn.objects.filter(pk=turn.pk).update(status="done")
    Session.objects.filter(pk=turn.session_id).update(state={KEY: STATE | state})
    return Session.objects.get(pk=turn.session_id)


def keys_read(monkeypatch):
    """Return the list of states that are made from the database from now on."""
    made = []
    real = checkpoints._checkpoint
    monkeypatch.setattr(checkpoints, "_checkpoint", lambda session: made.append(session.key) or real(session))
    return made


def test_state_is_told_from_the_cache_and_made_anew_when_that_is_flushed(ada, monkeypatch):
    session = session_of(ada)
    save_checkpoint(session)
    made = keys_read(monkeypatch)
    kept = load_checkpoint(session)
    assert made == []
    cache.clear()
    assert load_checkpoint(session) == kept
    assert made == ["s"]
    assert (kept.current_agent, kept.previous_agent, kept.agent_contexts) == ("task", "event", {"task": {"last": 7}})
    assert (kept.turn_count, kept.user_id) == (1, ada.pk)


def test_a_checkpoint_of_another_turn_is_not_used(ada):
    session = session_of(ada)
    save_checkpoint(session)
    turn = begun(ada)
    Turn.objects.filter(pk=turn.pk).update(status="done")
    Session.objects.filter(pk=session.pk).update(state={KEY: STATE | {"current_agent": "food"}})
    found = load_checkpoint(Session.objects.get(pk=session.pk))
    assert (found.current_agent, found.turn_count) == ("food", 2)


def test_threads_are_apart_even_with_the_same_name(ada, eve):
    adas, eves = session_of(ada), session_of(eve, current_agent="food")
    other = session_of(ada, key="t", current_agent="event")
    for each in (adas, eves, other):
        save_checkpoint(each)
    assert [load_checkpoint(each).current_agent for each in (adas, eves, other)] == ["task", "food", "event"]
    forget_checkpoint(adas)
    assert cache.get(f"checkpoint:{eve.pk}-{eves.pk}:latest")
    assert cache.get(f"checkpoint:{ada.pk}-{adas.pk}:latest") is None


def test_a_checkpoint_lives_as_long_as_it_is_set_to(ada, settings, monkeypatch):
    settings.AGENTS = settings.AGENTS | {"state_life_s": 7200.0}
    lives = []
    monkeypatch.setattr(checkpoints.cache, "set", lambda key, value, life: lives.append(life))
    save_checkpoint(session_of(ada))
    assert lives == [7200.0] == [agent_settings().state_life_s]


@pytest.mark.parametrize("state", [{}, {KEY: None}, {KEY: {"contexts": 7}}, {KEY: {"current_agent": {}}}])
def test_a_state_of_another_shape_is_none(state):
    found = companion_state(state)
    assert (found.workspace, found.current_agent, found.contexts) == ("personal", None, {})
