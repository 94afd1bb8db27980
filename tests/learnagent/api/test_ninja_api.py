"""The v2 surface over HTTP: who may call, what is read, how answers and errors look."""

import json
import uuid
from decimal import Decimal

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError
from django.test import AsyncClient, Client

from agents.errors import LLMUnavailable
from agents.rollout.flags import change_flag
from conversations.models import Message, Turn
from conversations.turns import raw_sql, whole_turns
from learnagent.accounts.authentication.api_tokens import make_token
from tests.conversations.turn_helpers import Pause, begun, bodies, orphaned

pytestmark = pytest.mark.django_db(transaction=True)

begin = sync_to_async(begun)
leave = sync_to_async(orphaned)
stored = sync_to_async(bodies)
ERROR = {"code", "message", "recoverable", "fallback_available", "ref"}
ANSWER = {
    "session_id", "turn_id", "response", "intent", "classification", "follow_ups", "concepts", "entities", "themes",
    "relationships", "sentiment", "facts", "sources", "tool_calls", "vision", "insights", "recommendations",
    "knowledge_gaps", "connections", "confidence", "errors", "metadata",
}  # fmt: skip
FIGURES = {
    "api_version", "agents_used", "agent_times_ms", "total_time_ms", "coordination_ms", "provider", "tokens",
    "cost_usd", "cost_is_lower_bound", "fallback", "shortfall", "saving", "first_word_ms",
}  # fmt: skip


LINES = "/v2/sessions/a%0Ab/turns"


class Caller:
    """A program with a token, or anybody."""

    def __init__(self, token=None, *, path="/v2/conversation"):
        self.path = path
        self.client = AsyncClient(raise_request_exception=False)
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    async def get(self, path, **query):
        return await self.client.get(path, query or None, headers=self.headers)

    async def post(self, body, *, path=None, content_type="application/json"):
        data = body if isinstance(body, (str, bytes)) else json.dumps(body)
        return await self.client.post(path or self.path, data=data, content_type=content_type, headers=self.headers)

    async def say(self, text="hello", **fields):
        return await self.post({"text": text, **fields})


@pytest.fixture
async def calls(supervisor):
    """Return a function that makes a person's program; of nobody, a visitor's."""

    async def caller(person=None):
        return Caller(await sync_to_async(make_token)(person) if person else None)

    return caller


@pytest.fixture
async def ada_calls(calls, ada):
    return await calls(ada)


@pytest.fixture(params=["/v2/conversation", "/api/conversation", "/api/conversation/smart"])
async def ada_says(request, supervisor, ada):
    """Ada's program at each of the addresses that take a message."""
    return Caller(await sync_to_async(make_token)(ada), path=request.param)


def refusal(response):
    """Return status and code of an error in the contract's shape."""
    error = response.json()["error"]
    assert ERROR <= error.keys() <= ERROR | {"fields", "retry_after_s"}
    assert str(error.get("retry_after_s", "")) == response.get("Retry-After", "")
    assert ("WWW-Authenticate" in response) == (response.status_code == 401)
    assert len(error["ref"]) == 16
    assert response["Cache-Control"] == "no-store"
    return response.status_code, error["code"]


class TestConversation:
    async def test_answer_has_every_field(self, ada_calls):
        answer = (await ada_calls.say(session_id="s")).json()
        assert answer.keys() >= ANSWER
        assert answer["metadata"].keys() == FIGURES
        assert (answer["session_id"], answer["response"], answer["errors"]) == ("s", "One half.", [])

    async def test_what_nobody_found_is_empty_and_what_nobody_measured_unknown(self, ada_calls):
        answer = (await ada_calls.say()).json()
        assert answer["concepts"] == answer["sources"] == []
        assert answer["sentiment"] is answer["vision"] is None
        assert set(answer["confidence"].values()) == {None}

    async def test_is_not_enabled_where_the_many_agents_are_switched_off(self, ada_calls, caplog):
        """B9"""
        await sync_to_async(change_flag)("multi_agent", percent=Decimal(0))
        assert refusal(await ada_calls.say()) == (501, "not_enabled")
        assert await Turn.objects.acount() == 0
        assert not [record for record in caplog.records if record.levelname == "ERROR"]

    async def test_failed_agent_is_named(self, ada_calls, says):
        """V16"""
        says("One ", LLMUnavailable())
        answer = (await ada_calls.say()).json()
        assert answer["errors"][0].items() >= {"agent": "speaker", "error_type": "api_error"}.items()
        assert answer["response"] == "One "

    async def test_session_is_made_where_none_is_named(self, ada_calls):
        first, second = [(await ada_calls.say()).json()["session_id"] for _ in range(2)]
        assert first != second

    async def test_repeated_request_gets_the_first_ones_answer(self, ada_calls):
        """B6"""
        first = await ada_calls.say(session_id="s", client_id="c1")
        assert (await ada_calls.say(session_id="s", client_id="c1")).json() == first.json()
        assert await Turn.objects.acount() == 1

    async def test_other_body_of_the_same_client_id_is_a_conflict(self, ada_calls):
        """B6"""
        await ada_calls.say(client_id="c1")
        assert refusal(await ada_calls.say("other", client_id="c1")) == (409, "conflict")

    async def test_other_persons_same_client_id_is_unrelated(self, ada_calls, calls, eve):
        """B6"""
        hers = (await ada_calls.say(client_id="c1")).json()
        eves = (await (await calls(eve)).say("other", client_id="c1")).json()
        assert hers["turn_id"] != eves["turn_id"]

    async def test_session_that_still_answers_takes_no_other_message(self, ada_says, ada):
        await begin(ada)
        refused = await ada_says.say(session_id="s")
        assert refusal(refused) == (409, "turn_in_progress")
        assert refused["Retry-After"] == str(refused.json()["error"]["retry_after_s"]) == "2"

    async def test_third_turn_at_once_is_told_when_to_come_back(self, ada_says, ada):
        """L1"""
        await begin(ada, key="a")
        await begin(ada, key="b")
        response = await ada_says.say()
        assert refusal(response) == (429, "rate_limited")
        assert response["Retry-After"] == "5"

    async def test_one_bucket_for_all_surfaces(self, ada_says, ada, settings):
        """L4"""
        settings.AGENTS = {"turns_per_minute": 1}
        await leave(await begin(ada), status="done")
        response = await ada_says.say()
        assert refusal(response) == (429, "rate_limited")
        assert int(response["Retry-After"]) > 0

    async def test_attachment_that_is_not_there_is_refused(self, ada_calls):
        assert refusal(await ada_calls.say(attachments=["1"])) == (422, "invalid_input")

    async def test_answer_that_takes_too_long_can_be_asked_for_later(self, ada_calls, ada, settings, monkeypatch):
        settings.AGENTS = {"turn_timeout_s": 0}
        monkeypatch.setattr(whole_turns, "PATIENCE_S", 0)
        await leave(await begin(ada, client_id="c1"), lease_owner="another", lease_until="2099-01-01T00:00:00Z")
        response = await ada_calls.say(session_id="s", client_id="c1")
        assert refusal(response) == (503, "unavailable")
        assert response["Retry-After"]

    async def test_database_that_is_busy_is_no_fault_of_the_callers(self, ada_says, monkeypatch):
        """G3"""

        def busy(*args):
            raise OperationalError("database is locked")

        monkeypatch.setattr(raw_sql, "fetch_preconditions", busy)
        response = await ada_says.say()
        assert refusal(response) == (503, "unavailable")
        assert response["Retry-After"]

    async def test_fault_of_ours_shows_no_detail(self, ada_says, monkeypatch):
        """K1"""

        def fail(*args):
            raise ValueError("secret in /srv/app.py")

        monkeypatch.setattr(raw_sql, "fetch_preconditions", fail)
        response = await ada_says.say()
        assert (response.status_code, "secret" in response.text, "Traceback" in response.text) == (500, False, False)
        refusal(response)


class TestText:
    @pytest.mark.parametrize("text", ["x" * 10_000, "🥧" * 10_000, "\u202eabc", "e" + "\u0301" * 5_000, " a\r\n"])
    async def test_is_stored_as_it_was_sent(self, ada_says, text):
        """B1"""
        assert (await ada_says.say(text)).status_code == 200
        assert (await Message.objects.aget(author="learner")).text == text

    @pytest.mark.parametrize("text", ["  \n", "a\x00b", "\ud800"])
    async def test_that_will_not_do_is_refused_by_its_field(self, ada_says, text):
        """B1"""
        response = await ada_says.say(text)
        assert refusal(response) == (422, "invalid_input")
        assert response.json()["error"]["fields"].keys() == {"text"}

    async def test_empty_one_is_refused(self, ada_says):
        """B1: v1 takes it for a missing one."""
        response = await ada_says.say("")
        assert refusal(response) == (422 if ada_says.path.startswith("/v2/") else 400, "invalid_input")

    async def test_too_long_is_refused_with_the_limit_named(self, ada_says):
        """B1"""
        response = await ada_says.say("x" * 10_001)
        assert refusal(response) == (413, "too_large")
        assert "10000" in response.json()["error"]["message"]


UNREADABLE = [
    "", "hello", "[]", "null", "7", '"text"', '{"text": "a"', '{"text": "a", "text": "b"}', '{"text": NaN}',
    '{"text": 1e400}', '{"text": ' + "9" * 100_000 + "}", "[" * 5000, b"\xff\xfe", '{"text": Infinity}',
]  # fmt: skip


class TestBody:
    @pytest.mark.parametrize("body", UNREADABLE, ids=lambda body: str(body)[:20])
    async def test_that_is_no_json_object_is_refused(self, ada_says, body):
        """B2"""
        assert refusal(await ada_says.post(body)) == (400, "invalid_input")

    @pytest.mark.parametrize("name", ["system_prompt", "tools", "model", "user_id", "is_admin"])
    async def test_unknown_field_is_never_silently_used(self, ada_says, name):
        """B8"""
        response = await ada_says.say(**{name: "x"})
        assert refusal(response) == (422, "invalid_input")
        assert response.json()["error"]["fields"].keys() == {name}
        assert not await Turn.objects.aexists()

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({}, "text"),
            ({"text": None}, "text"),
            ({"text": ["a"]}, "text"),
            ({"text": "a", "session_id": 7}, "session_id"),
            ({"text": "a", "session_id": ""}, "session_id"),
            ({"text": "a", "session_id": "x" * 129}, "session_id"),
            ({"text": "a", "session_id": "x/../y"}, "session_id"),
            ({"text": "a", "client_id": "é"}, "client_id"),
            ({"text": "a", "attachments": "1"}, "attachments"),
        ],
    )
    async def test_wrong_field_is_named(self, ada_calls, body, field):
        """B2"""
        response = await ada_calls.post(body)
        assert refusal(response) == (422, "invalid_input")
        assert response.json()["error"]["fields"].keys() == {field}

    @pytest.mark.parametrize(
        ("body", "words"),
        [
            ({}, "This field is required."),
            ({"text": ["a"]}, "Send this as text."),
            ({"text": "a", "attachments": "1"}, "Send this as a list."),
            ({"text": "a", "model": "b"}, "Unknown field."),
        ],
    )
    async def test_fault_is_told_in_our_own_words(self, ada_calls, body, words):
        (told,) = (await ada_calls.post(body)).json()["error"]["fields"].values()
        assert told == words

    @pytest.mark.parametrize("type_", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
    async def test_of_another_type_is_refused(self, ada_says, type_):
        """B9"""
        assert refusal(await ada_says.post('{"text": "a"}', content_type=type_)) == (415, "unsupported_type")

    async def test_too_large_is_refused(self, ada_calls):
        """B9"""
        assert refusal(await ada_calls.post(b"x" * 1_000_001)) == (413, "too_large")


class TestForm:
    @pytest.mark.parametrize(
        "type_",
        [
            "multipart/form-data",
            "multipart/form-data; boundary=",
            "multipart/form-data; boundary=\x00",
            "multipart/form-data; boundary=x",
        ],
    )
    async def test_that_is_none_is_refused(self, ada_calls, type_):
        """B2"""
        response = await ada_calls.post(b"no form", path="/v2/attachments", content_type=type_)
        assert response.status_code in (400, 422)
        assert refusal(response)[1] == "invalid_input"


async def test_request_for_another_host_is_refused_as_json(ada_calls):
    response = await ada_calls.client.get("/v2/sessions", headers={**ada_calls.headers, "Host": "evil.example"})
    assert refusal(response) == (400, "invalid_input")


class TestMethod:
    @pytest.mark.parametrize("method", ["get", "put", "delete", "patch", "trace", "options", "head"])
    @pytest.mark.parametrize(
        "path",
        [
            "/v2/conversation",
            "/v2/attachments",
            "/v2/search",
            "/api/conversation",
            "/api/conversation/smart",
            "/api/search",
        ],
    )
    async def test_that_a_call_does_not_have_is_refused_with_those_it_has(self, ada_calls, path, method):
        response = await getattr(ada_calls.client, method)(path, headers=ada_calls.headers)
        assert (response.status_code, response["Allow"]) == (405, "POST")
        if method != "head":
            assert refusal(response) == (405, "method_not_allowed")

    @pytest.mark.parametrize(
        "path", ["/v2/sessions", "/v2/turns/x", "/v2/docs", "/v2/openapi.json", "/api/stats", "/api/session/s/history"]
    )
    async def test_that_writes_is_refused_where_there_is_only_something_to_read(self, ada_calls, path):
        response = await ada_calls.post({}, path=path)
        assert refusal(response) == (405, "method_not_allowed")
        assert "GET" in response["Allow"]


class TestQuery:
    @pytest.mark.parametrize(
        ("path", "query"),
        [
            ("/v2/sessions", {"limit": "0"}),
            ("/v2/sessions", {"limit": "101"}),
            ("/v2/sessions", {"limit": "x"}),
            ("/v2/sessions", {"page": "1000000000"}),
            ("/v2/sessions/s/turns", {"limit": "-1"}),
            ("/v2/sessions/s/turns", {"before": "abc"}),
            ("/v2/sessions/s/turns", {"owner": "1"}),
            ("/api/session/s/history", {"limit": "0"}),
            ("/api/session/s/history", {"limit": "101"}),
            ("/api/session/s/history", {"user_id": "1"}),
            ("/v2/turns/{turn}/events", {"after": "-1"}),
            ("/v2/turns/{turn}/events", {"after": str(2**31)}),
            ("/v2/turns/{turn}/events", {"user_id": "1"}),
        ],
    )
    async def test_that_will_not_do_is_refused_by_its_name(self, ada_calls, ada, path, query):
        """B7, B8"""
        turn = await begin(ada)
        response = await ada_calls.get(path.format(turn=turn.pk), **query)
        assert refusal(response) == (422, "invalid_input")
        assert response.json()["error"]["fields"].keys() == query.keys()


class TestReading:
    async def test_sessions_are_ones_own_newest_first(self, ada_calls, ada, eve):
        await begin(eve, key="theirs")
        for key in ("first", "second"):
            await begin(ada, key=key, text=f"{key} words")
        listed = (await ada_calls.get("/v2/sessions")).json()
        assert [(each["session_id"], each["title"]) for each in listed] == [
            ("second", "second words"), ("first", "first words"),
        ]  # fmt: skip
        assert len((await ada_calls.get("/v2/sessions", limit=1)).json()) == 1

    async def test_turns_come_oldest_first_and_page_backwards(self, ada_calls):
        """G11"""
        ids = [(await ada_calls.say(f"message {number}", session_id="a/b")).json()["turn_id"] for number in range(3)]
        listed = (await ada_calls.get("/v2/sessions/a/b/turns", limit=2)).json()
        assert [turn["turn_id"] for turn in listed["turns"]] == ids[1:]
        assert (
            listed["turns"][0].items()
            >= {"user_text": "message 1", "agent_text": "One half.", "status": "done"}.items()
        )
        earlier = (await ada_calls.get("/v2/sessions/a/b/turns", before=ids[1])).json()
        assert [turn["turn_id"] for turn in earlier["turns"]] == ids[:1]

    async def test_turn_of_another_session_is_no_place_in_this_one(self, ada_calls, ada):
        await begin(ada)
        other = await begin(ada, key="other")
        assert refusal(await ada_calls.get("/v2/sessions/s/turns", before=str(other.pk))) == (404, "not_found")

    async def test_turn_shows_its_state_and_then_its_answer(self, ada_calls, supervisor, ada, says):
        pause = Pause()
        says("One ", pause, "half.")
        turn = await begin(ada)
        supervisor.claim(turn.pk)
        await pause.reached.wait()
        running = (await ada_calls.get(f"/v2/turns/{turn.pk}")).json()
        assert (running["status"], running["answer"]) == ("running", None)
        pause.over.set()
        await supervisor.finished(turn.pk)
        done = (await ada_calls.get(f"/v2/turns/{turn.pk}")).json()
        assert (done["status"], done["answer"]["response"]) == ("done", "One half.")
        assert done["finished_at"].endswith("+00:00")

    @pytest.mark.parametrize("after", [0, 1, 4, 7, 100])
    async def test_events_are_replayed_after_any(self, ada_calls, after):
        turn_id = (await ada_calls.say()).json()["turn_id"]
        whole = await stored(turn_id)
        answer = (await ada_calls.get(f"/v2/turns/{turn_id}/events", after=after)).json()
        assert answer == {"turn_id": turn_id, "events": whole[after:]}


class TestStrangers:
    @pytest.mark.parametrize(
        "path",
        ["/v2/sessions/{key}/turns", "/v2/turns/{turn}", "/v2/turns/{turn}/events", "/api/session/{key}/history"],
    )
    async def test_get_the_answer_for_what_is_missing(self, calls, ada, eve, path):
        """A1, A3"""
        eve_calls, turn = await calls(eve), await begin(ada)
        answers = []
        for ids in ({"key": "s", "turn": turn.pk}, {"key": "never", "turn": uuid.uuid4()}):
            response = await eve_calls.get(path.format(**ids))
            assert refusal(response) == (404, "not_found")
            answers.append({**response.json()["error"], "ref": ""})
        assert answers[0] == answers[1]

    @pytest.mark.parametrize("turn_id", ["0", "-1", str(2**63), "abc", "..%2F", "{upper}", "%00", "{hex}"])
    async def test_odd_ids_are_missing(self, ada_calls, ada, turn_id):
        """B5"""
        turn = await begin(ada)
        path = turn_id.format(upper=str(turn.pk).upper(), hex=turn.pk.hex)
        for rest in ("", "/events"):
            assert refusal(await ada_calls.get(f"/v2/turns/{path}{rest}")) == (404, "not_found")

    @pytest.mark.parametrize(
        "path",
        [
            "/v2/",
            "/v2/nowhere",
            "/v2/sessions/",
            "/v2/ws/s",
            "/v2/turns",
            LINES,
            "/api/",
            "/api/nowhere",
            "/session/a%0Ab",
        ],
    )
    async def test_unknown_call_is_missing_by_any_method(self, ada_calls, calls, path):
        for caller in (ada_calls, await calls()):
            assert refusal(await caller.get(path)) == (404, "not_found")
            assert refusal(await caller.post({}, path=path)) == (404, "not_found")


class TestSigningIn:
    @pytest.mark.parametrize(
        "path",
        [
            "/v2/sessions",
            "/v2/sessions/s/turns",
            "/v2/turns/abc",
            "/v2/turns/abc/events",
            "/api/stats",
            "/api/session/s/history",
        ],
    )
    async def test_is_needed_before_anything_is_told(self, calls, path):
        """A2"""
        assert refusal(await (await calls()).get(path)) == (401, "unauthenticated")

    @pytest.mark.parametrize("body", ["", {"text": "a"}, "[" * 5000])
    async def test_is_needed_before_anything_is_read(self, calls, body):
        assert refusal(await (await calls()).post(body)) == (401, "unauthenticated")

    @pytest.mark.parametrize("path", ["/v2/docs", "/v2/openapi.json", "/v2/asyncapi.json"])
    async def test_is_not_needed_for_the_description(self, calls, ada_calls, path):
        for caller in (ada_calls, await calls()):
            assert (await caller.get(path)).status_code == 200

    async def test_wrong_token_never_falls_back_to_the_cookie(self, ada, supervisor):
        """W1"""
        caller = Caller("la_" + "x" * 43)
        await caller.client.aforce_login(ada)
        assert refusal(await caller.get("/v2/sessions")) == (401, "unauthenticated")


class TestCookie:
    """W2: a cookie needs the token that a foreign browser does not have."""

    @pytest.fixture
    def browser(self, ada, supervisor):
        client = Client(enforce_csrf_checks=True)
        client.force_login(ada)
        client.get("/accounts/profile/")
        return client

    def post(self, client, **headers):
        return client.post("/v2/conversation", {"text": " "}, content_type="application/json", headers=headers)

    def test_reading_needs_none(self, browser):
        assert browser.get("/v2/sessions").status_code == 200

    def test_writing_without_it_is_refused(self, browser):
        assert refusal(self.post(browser)) == (403, "forbidden")
        assert refusal(self.post(browser, X_CSRFToken="wrong")) == (403, "forbidden")

    def test_writing_with_it_is_read(self, browser):
        assert refusal(self.post(browser, X_CSRFToken=browser.cookies["csrftoken"].value)) == (422, "invalid_input")

    def test_foreign_origin_is_refused_whatever_it_has(self, browser):
        token = browser.cookies["csrftoken"].value
        assert refusal(self.post(browser, X_CSRFToken=token, Origin="http://evil.example")) == (403, "forbidden")

    def test_token_of_a_program_needs_none(self, browser, ada):
        raw = make_token(ada)
        assert refusal(self.post(browser, Authorization=f"Bearer {raw}")) == (422, "invalid_input")
