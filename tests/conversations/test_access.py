"""The doors to conversations: what is somebody else's is not there."""

import uuid

import pytest

from agents.wire.rejections import Rejection
from conversations import access
from tests.conversations.turn_helpers import begun

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("host")]


def refusal(door, *args):
    with pytest.raises(Rejection) as caught:
        door(*args)
    return caught.value.as_wire(ref="r")


def test_own_session_and_turn_are_found(ada):
    turn = begun(ada, key="s")
    assert access.session_for(ada, "s") == turn.session
    assert access.turn_for(ada, str(turn.pk)) == access.turn_for(ada, turn.pk) == turn


def test_latest_turn_is_the_one_with_the_highest_number(ada):
    """G11"""
    first = begun(ada)
    type(first).objects.update(status="done", created_at="2099-01-01T00:00:00Z")
    second = begun(ada)
    assert access.latest_turn_for(ada, "s") == second


@pytest.mark.parametrize("person", ["eve", "grace", "root"])
def test_somebody_elses_is_refused_as_what_is_missing(ada, person, request):
    """A1, A3"""
    turn, stranger = begun(ada), request.getfixturevalue(person)
    missing = refusal(access.session_for, stranger, "never")
    assert refusal(access.session_for, stranger, "s") == missing
    assert refusal(access.turn_for, stranger, turn.pk) == missing
    assert refusal(access.turn_for, stranger, uuid.uuid4()) == missing
    assert refusal(access.latest_turn_for, stranger, "s") == missing


@pytest.mark.parametrize("turn_id", ["", "0", "-1", str(2**63), "abc", "../", "\x00", "\ud800"])
def test_unfit_turn_ids_are_not_there(ada, turn_id):
    """B5"""
    assert refusal(access.turn_for, ada, turn_id)["error"]["code"] == "not_found"


@pytest.mark.parametrize(
    "spelling", [str.upper, lambda key: key.replace("-", ""), "{{{}}}".format, "urn:uuid:{}".format]
)
def test_an_id_has_one_spelling(ada, spelling):
    """B5"""
    refusal(access.turn_for, ada, spelling(str(begun(ada).pk)))


@pytest.mark.parametrize("key", ["", "\x00", "\ud800", "a\x00", "x" * 10_000])
def test_unfit_session_keys_are_not_there(ada, key):
    """B5"""
    assert refusal(access.session_for, ada, key)["error"]["code"] == "not_found"
    assert refusal(access.latest_turn_for, ada, key)["error"]["code"] == "not_found"
