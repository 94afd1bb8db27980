"""Everybody goes to every address; one that the table does not know fails."""

import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth import get_user_model
from django.core.cache import caches
from django.db import transaction
from django.http import HttpResponseNotFound
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from agents.sockets import frames
from learnagent import websocket_urls
from learnagent.accounts.authentication.api_tokens import make_token
from learnagent.api.bearer_tokens import accepts_tokens
from tests import people
from tests.access.rules import FRAMES, RULES, SOCKETS
from tests.conversations.sockets import Socket
from tests.conversations.turn_helpers import begun
from tests.page_text import without_csrf

begin = sync_to_async(begun)

PARAMETER = re.compile(r"<(?:(\w+):)?(\w+)>|\(\?P<(\w+)>.*?\)")
ADMIN_OBJECT = re.compile(r"admin/\w+/\w+/.*")
WAYS_TO_SIGN_IN = (reverse("accounts:sign-in"), reverse("admin:login"))
PEOPLE = ("anonymous", "ada", "ben", "eve", "grace", "root")


def addresses(patterns: list[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    for each in patterns:
        if isinstance(each, URLResolver):
            yield from addresses(each.url_patterns, before + str(each.pattern))
        else:
            yield before + str(each.pattern)


EVERY = sorted(set(addresses(get_resolver().url_patterns)))
OBJECTS_OF_ADMIN = [address for address in EVERY if ADMIN_OBJECT.fullmatch(address) and address not in RULES]
ONES_OWN = [address for address, rule in RULES.items() if rule.owner == "page" and rule.others == "404"]


def path_of(address, values):
    """Return the path with each parameter filled in; `<str:pk>` and `<int:pk>` are of different things.

    So is a name below different addresses, if the values say so: "planner/tasks/pk".
    """

    def value(found):
        kind, name, named = found.groups()
        there = address[: found.start()] + (name or named)
        return str(values.get(there, values.get(f"{kind}:{name}", values.get(name or named))))

    return "/" + PARAMETER.sub(value, address).replace("^", "").replace("$", "")


def missing(values):
    nothing = {"key": "never", "session_id": "never", "turn_id": uuid.uuid4(), "str:pk": uuid.uuid4()}
    return (
        values
        | nothing
        | {
            "int:pk": 2**40,
            "link": 2**40,
            "lti/agreement/link": 2**40,
            "document": uuid.uuid4(),
            "drawing": uuid.uuid4(),
            "table": uuid.uuid4(),
            "folder": 2**40,
            "uuid:pk": uuid.uuid4(),
            "str:name": "never",
            "finding": 2**40,
            "made": 2**40,
            "attempt": 2**40,
            "contest": 2**40,
            "assignment": 2**40,
            "misconception": "never",
            "deleted": 2**40,
            "code": "never",
            "change": uuid.uuid4(),
            "messages/sent/message": 2**40,
            "withdrawal": 2**40,
            **{each: 2**40 for each in values if each.startswith("planner/") and each.endswith("/pk")},
        }
    )


def visit(name, address, values, *, method="get", headers=None):
    browser.cookies.clear()
    for key, value in signed_in.get(name, {}).items():
        browser.cookies[key] = value
    return getattr(browser, method)(path_of(address, values), headers=headers)


browser = Client()
"""One for all: what stands between it and a view is slow to set up."""
signed_in = {}
"""Name → the cookie of a browser in which that person signed in."""


@pytest.fixture
def everybody(ada, ben, eve, grace, root):
    for person in (ada, ben, eve, grace, root):
        browser.cookies.clear()
        browser.force_login(person)
        signed_in[person.username] = {each.key: each.value for each in browser.cookies.values()}
    yield
    signed_in.clear()


@pytest.fixture
def few_words(monkeypatch):
    """Say of what is not there only that, where nobody looks at its page: most of the walk would go into that one."""
    monkeypatch.setattr("learnagent.urls.handler404", lambda request, exception: HttpResponseNotFound(), raising=False)


@contextmanager
def undone():
    """Take back what a visit did: to set everything up anew for each address would take most of the time."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    for each in caches.all():
        each.clear()


def what_came(response):
    """Return the answer in the table's words; a form that is refused for what is in it was let in."""
    if response.status_code in (401, 404, 405, 501):
        return str(response.status_code)
    if response.status_code == 302 and response["Location"].startswith(WAYS_TO_SIGN_IN):
        return "sign-in"
    assert response.status_code < 400 or response.status_code in (400, 415, 422), response
    return "page"


def expected(rule, name):
    by_name = {"anonymous": rule.anonymous, "ada": rule.owner, "root": rule.admin}
    return by_name.get(name) or (name == "grace" and rule.teacher) or rule.others


def test_every_address_has_a_rule_and_every_rule_an_address():
    """A1"""
    assert {*EVERY} - {*OBJECTS_OF_ADMIN} == RULES.keys()


@pytest.mark.django_db
def test_everybody_gets_what_the_table_says(everybody, adas, few_words):
    """A1, A2: and no cache keeps it."""
    came, kept = {}, []
    for address, rule in RULES.items():
        with undone():
            responses = {name: visit(name, address, adas, method=rule.method) for name in PEOPLE}
        came[address] = {name: what_came(response) for name, response in responses.items()}
        kept += [address for response in responses.values() if "no-store" not in response["Cache-Control"]]
    assert came == {address: {name: expected(rule, name) for name in PEOPLE} for address, rule in RULES.items()}
    assert kept == []


@pytest.mark.django_db
def test_to_a_token_every_page_is_as_to_nobody(everybody, adas, root, few_words):
    """A1, A2: be it an admin's, and for everything."""
    headers = {"Authorization": f"Bearer {make_token(root)}"}
    came = {}
    for address, rule in RULES.items():
        if not accepts_tokens(f"/{address}"):
            with undone():
                came[address] = what_came(visit("anonymous", address, adas, method=rule.method, headers=headers))
    # Cards answer programs in JSON.
    cards = {address: "401" for address in came if address == "learn/answers/<str:pk>"}
    assert came == {address: RULES[address].anonymous for address in came} | cards


@pytest.mark.django_db
def test_what_is_somebody_elses_looks_like_what_is_missing(everybody, adas):
    """A1"""
    for address in ONES_OWN:
        rule = RULES[address]
        for name in ("eve", "grace", "root"):
            with undone():
                foreign, nothing = (
                    visit(name, address, values, method=rule.method) for values in (adas, missing(adas))
                )
            assert (foreign.status_code, nothing.status_code) == (404, 404), (address, name)
            if rule.json:
                errors = [{**response.json()["error"], "ref": ""} for response in (foreign, nothing)]
                assert errors[0] == errors[1], (address, name)
            else:
                assert without_csrf(foreign) == without_csrf(nothing), (address, name)


@pytest.mark.django_db
def test_pages_of_the_admin_are_not_there_for_others(everybody, adas, few_words):
    """A1"""
    for address in OBJECTS_OF_ADMIN:
        with undone():
            came = {name: what_came(visit(name, address, adas)) for name in ("anonymous", "grace", "root")}
        for_others = {"anonymous": "sign-in", "grace": "404"}
        assert came in [for_others | {"root": root} for root in ("page", "404")], address


@pytest.mark.django_db
def test_odd_methods_do_nothing(everybody, adas, few_words):
    for address, rule in RULES.items():
        for method in ("put", "patch", "trace") if rule.has_delete else ("put", "delete", "patch", "trace"):
            assert visit("ada", address, adas, method=method).status_code in (404, 405), address


class TestSockets:
    """A2, A3"""

    def test_every_address_and_every_frame_has_a_rule(self):
        assert {str(each.pattern) for each in websocket_urls.urlpatterns} == SOCKETS.keys()
        assert {
            each.model_fields["type"].annotation.__args__[0] for each in frames.Frame.__subclasses__()
        } == FRAMES.keys()

    @pytest.mark.django_db(transaction=True)
    @pytest.mark.parametrize("name", ["ben", "grace", "eve", "root"])
    async def test_nobody_opens_anothers_page(self, connect, ada, name):
        await begin(ada)
        person = await sync_to_async(getattr(people, f"make_{name}"))()
        for key in ("s", "never"):
            socket = await connect(person, f"/live/{key}", by=Socket.by_cookie)
            assert "This does not exist, or it is not yours." in await socket.text()
            assert await socket.closed() == 4404

    @pytest.mark.django_db(transaction=True)
    @pytest.mark.parametrize("kind", ["stop", "resume", "seen"])
    @pytest.mark.parametrize("name", ["ben", "grace", "eve", "root"])
    async def test_nobody_reaches_anothers_turn(self, connect, ada, name, kind):
        turn = await begin(ada)
        person = await sync_to_async(getattr(people, f"make_{name}"))()
        socket = await connect(person)
        errors = []
        for turn_id in (turn.pk, uuid.uuid4()):
            await socket.send({"type": kind, "turn_id": str(turn_id), **({"seq": 1} if kind == "seen" else {})})
            errors.append((await socket.frame())["error"] | {"ref": ""})
        assert errors[0] == errors[1]
        assert errors[0]["code"] == "not_found"
        await turn.arefresh_from_db()
        assert not turn.stop_requested

    @pytest.mark.django_db(transaction=True)
    @pytest.mark.parametrize("kind", sorted(FRAMES))
    async def test_every_frame_asks_anew_who_sends_it(self, connect, ada, kind):
        socket = await connect(ada)
        await get_user_model().objects.aupdate(is_active=False)
        await socket.send({"type": kind})
        assert await socket.refused() == ("unauthenticated", 4401)

    @pytest.mark.django_db(transaction=True)
    @pytest.mark.parametrize("path", ["/live/s", "/v2/ws/s", "/"])
    async def test_nobody_comes_in_without_signing_in(self, supervisor, path):
        socket = await Socket(path, {"Authorization": "Bearer nobody"}).open()
        assert "sign in" in await socket.text()
        assert await socket.closed() == 4401
        await socket.leave()
