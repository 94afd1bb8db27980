"""Where a person is signed in, and how that ends."""

from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings as project
from django.contrib.sessions.backends.base import UpdateError
from django.test import AsyncClient, Client
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from learnagent.accounts.authentication.api_tokens import make_token
from learnagent.accounts.authentication.sessions import SessionStore, end_session, end_sessions, sessions_of
from learnagent.accounts.authentication.user_agents import BROWSERS, SYSTEMS, browser_name
from learnagent.accounts.models import BrowserSession
from tests.conversations.sockets import Socket
from tests.people import PASSWORD, make_ben, make_person

pytestmark = pytest.mark.django_db
SESSIONS = "/accounts/sessions/"
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 (KHTML, like Gecko) Version/19 Safari/604"
)
EDGE = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537 (KHTML, like Gecko) Chrome/140.0 Safari/537 Edg/140.0"


def sign_in(username="ben", agent=FIREFOX):
    browser = Client(headers={"User-Agent": agent})
    browser.post("/accounts/sign-in/", {"username": username, "password": PASSWORD})
    return browser


@pytest.fixture
def ben(db):
    return make_ben(password=PASSWORD)


def is_signed_in(browser):
    return browser.get(SESSIONS).status_code == 200


@pytest.mark.parametrize(
    ("says", "named"),
    [
        (FIREFOX, "Firefox · Windows"), (SAFARI, "Safari · iPhone"), (EDGE, "Edge · Linux"), ("curl/8.0", ""),
        ("Android", "Android"), ("", ""),
    ],
)  # fmt: skip
def test_a_browser_is_named_by_what_it_says_of_itself(says, named):
    assert browser_name(says) == named


@settings(max_examples=20)
@given(st.text())
def test_nothing_of_a_browsers_own_words_is_kept(says):
    """X1, K1"""
    names = {"", *(name for _, name in (*BROWSERS, *SYSTEMS))}
    assert {*browser_name(says).split(" · ")} <= names


def test_each_browser_is_listed_and_this_one_marked(ben):
    other, this = sign_in(agent=SAFARI), sign_in()
    listed = this.get(SESSIONS).context["sessions"]
    assert [(each.browser, each.is_this_browser) for each in listed] == [
        ("Firefox · Windows", True),
        ("Safari · iPhone", False),
    ]
    assert all(each.since for each in listed)
    assert is_signed_in(other)


def test_no_page_holds_a_session_key(ben):
    """K1: a key would sign anybody in."""
    browsers = [sign_in(), sign_in(agent=SAFARI)]
    page = browsers[0].get(SESSIONS).content.decode()
    assert not any(browser.cookies[project.SESSION_COOKIE_NAME].value in page for browser in browsers)


def test_database_holds_no_session_key(ben):
    """K1: nor does what it holds sign anybody in."""
    key = sign_in().cookies[project.SESSION_COOKIE_NAME].value
    row = BrowserSession.objects.get()
    assert key not in str(vars(row))
    reader = Client()
    reader.cookies[project.SESSION_COOKIE_NAME] = row.session_key
    assert not is_signed_in(reader)


async def keeps_a_value(session):
    await session.aset("seen", True)
    await session.asave()
    return await SessionStore(session.session_key).aget("seen")


@pytest.mark.django_db(transaction=True)
async def test_asynchronous_code_finds_the_same_sessions():
    session = SessionStore()
    assert await keeps_a_value(session)
    key = session.session_key
    assert await session.aexists(key)
    await session.adelete()
    assert not await session.aexists(key)
    assert await SessionStore(key).aget("seen") is None


def test_one_is_signed_out_from_afar(ben):
    other, this = sign_in(agent=SAFARI), sign_in()
    name = next(each.name for each in sessions_of(ben, current=this.session.session_key) if not each.is_this_browser)
    assert this.post(f"{SESSIONS}{name}/end/")["Location"] == SESSIONS
    assert not is_signed_in(other)
    assert is_signed_in(this)


def test_nobody_elses_session_can_be_ended(ben):
    """A1"""
    make_person("eve", password=PASSWORD)
    bens, eves = sign_in(), sign_in("eve")
    name = sessions_of(ben, current=None)[0].name
    assert eves.post(f"{SESSIONS}{name}/end/").status_code == 404
    assert is_signed_in(bens)


def test_all_are_signed_out_at_once(ben):
    other, this = sign_in(), sign_in()
    assert this.post(f"{SESSIONS}end/").status_code == 302
    assert not is_signed_in(this)
    assert not is_signed_in(other)
    assert not BrowserSession.objects.filter(person=ben).exists()


def test_a_new_password_leaves_this_session_alone_on_the_list(ben):
    sign_in(agent=SAFARI)
    this = sign_in()
    this.post("/accounts/password/", {"old": PASSWORD, "password": "four slow rivers", "again": "four slow rivers"})
    assert [each.is_this_browser for each in this.get(SESSIONS).context["sessions"]] == [True]


def test_a_session_that_ran_out_is_not_listed_and_cleared_away(ben):
    sign_in()
    BrowserSession.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert sessions_of(ben, current=None) == []
    SessionStore.clear_expired()
    assert not BrowserSession.objects.exists()


def test_a_session_of_nobody_belongs_to_nobody(ben):
    browser = Client()
    session = browser.session
    session["seen"] = True
    session.save()
    assert BrowserSession.objects.get().person is None


def test_a_session_ended_while_its_request_ran_stays_ended(ben):
    browser = sign_in()
    session = browser.session
    session["late"] = session["browser"]
    end_sessions(ben)
    with pytest.raises(UpdateError):
        session.save()
    assert not BrowserSession.objects.exists()


def test_programs_are_counted_beside_the_browsers(ben):
    make_token(ben)
    assert sign_in().get(SESSIONS).context["tokens"] == 1


@pytest.mark.django_db(transaction=True)
async def test_sockets_of_a_session_end_with_it():
    """A7: the next frame is the last; a socket of another session stays."""
    ben = await sync_to_async(make_ben)()
    sockets, keys = [], []
    for _ in range(2):
        client = AsyncClient()
        await client.aforce_login(ben)
        keys.append(client.cookies[project.SESSION_COOKIE_NAME].value)
        cookie = f"{project.SESSION_COOKIE_NAME}={keys[-1]}"
        sockets.append(await Socket("/v2/ws/s", {"Cookie": cookie, "Origin": project.PUBLIC_URL}).open())
    ended = await sync_to_async(
        lambda: next(e.name for e in sessions_of(ben, current=keys[1]) if not e.is_this_browser)
    )()
    assert await sync_to_async(end_session)(ben, ended)
    await sockets[0].send({"type": "ping"})
    assert await sockets[0].refused() == ("unauthenticated", 4401)
    assert await sockets[1].stays()
    for socket in sockets:
        await socket.leave()
