"""A token on any address: who calls is whose token it is, as far as it goes; pages it does not open."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from learnagent.accounts.authentication.api_tokens import make_token, person_for_token
from learnagent.accounts.models import ApiToken
from learnagent.api.bearer_tokens import accepts_tokens, required_scope, socket_accepts_tokens
from tests.access.rules import RULES, SOCKETS

pytestmark = pytest.mark.django_db
CALL, ATTACH, PAGE = "/v2/sessions", "/v2/attachments", "/accounts/profile/"
NO_FILE = {"text": "said"}


def bearer(raw):
    return {"Authorization": f"Bearer {raw}"}


def listed(client, raw):
    return client.get(CALL, headers=bearer(raw))


def test_token_signs_its_owner_in(client, ben):
    response = listed(client, make_token(ben))
    assert response.status_code == 200
    assert response.wsgi_request.user == ben


def test_token_counts_more_than_the_cookie(client, ada, ben):
    client.force_login(ada)
    assert listed(client, make_token(ben)).wsgi_request.user == ben


@pytest.mark.parametrize("raw", ["", "wrong", "la_" + "x" * 43, "ключ"])
def test_wrong_token_makes_the_caller_nobody_whatever_the_cookie(client, ada, raw):
    client.force_login(ada)
    assert listed(client, raw).status_code == 401
    assert client.get(PAGE, headers=bearer(raw)).status_code == 302


@pytest.mark.parametrize("change", ["deactivated", "revoked", "expired"])
def test_token_that_no_longer_counts(client, ben, change):
    raw = make_token(ben)
    match change:
        case "revoked":
            ApiToken.objects.all().delete()
        case "expired":
            ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        case "deactivated":
            ben.is_active = False
            ben.save()
    assert listed(client, raw).status_code == 401


def test_token_opens_no_page(client, root):
    """Whatever it is good for, and whoever's cookie comes with it."""
    raw = make_token(root)
    client.force_login(root)
    for path in (PAGE, "/", "/admin/", "/admin/agents/flag/", "/c/", "/library/", "/accounts/tokens/", "/teach/"):
        response = client.get(path, headers=bearer(raw))
        assert response.status_code == 302, path
        assert "?next=" in response["Location"], path


def test_program_needs_no_csrf_token_and_a_browser_does(ben):
    client = Client(enforce_csrf_checks=True)
    client.force_login(ben)
    assert client.post(ATTACH, NO_FILE).status_code == 403
    assert client.post(ATTACH, NO_FILE, headers=bearer(make_token(ben))).status_code == 422


@pytest.mark.parametrize("raw", ["wrong", None])
def test_no_token_switches_the_csrf_check_of_a_page_off(ben, raw):
    """W2"""
    client = Client(enforce_csrf_checks=True)
    client.force_login(ben)
    client.post("/level/", {"level": "beginner"}, headers=bearer(raw or make_token(ben)))
    client.post("/accounts/sign-out/", headers=bearer(raw or make_token(ben)))
    ben.refresh_from_db()
    assert ben.level == "unknown"
    assert client.get(PAGE).status_code == 200


class TestScopes:
    """What a token is not good for is not there."""

    @pytest.mark.parametrize(
        ("method", "path", "scope"),
        [
            ("GET", "/v2/sessions", "read"),
            ("HEAD", "/v2/sessions", "read"),
            ("GET", "/session/s", "read"),
            ("POST", "/v2/search", "read"),
            ("POST", "/api/search", "read"),
            ("POST", "/v2/conversation", "converse"),
            ("POST", "/v2/attachments", "converse"),
            ("POST", "/api/conversation/smart", "converse"),
            ("POST", "/chat", "converse"),
            ("POST", "/chat/stream", "converse"),
            ("DELETE", "/session/s", "converse"),
            ("GET", "/config", "admin"),
            ("GET", "/metrics", "admin"),
        ],
    )
    def test_every_call_needs_one(self, method, path, scope):
        assert accepts_tokens(path)
        assert required_scope(method, path) == scope

    @pytest.mark.parametrize(
        ("scopes", "reads", "says"), [(["read"], 200, 404), (["converse"], 404, 422), (["admin"], 404, 404)]
    )
    def test_token_is_good_for_what_it_was_made_for(self, client, root, scopes, reads, says):
        headers = bearer(make_token(root, scopes=scopes))
        assert client.get(CALL, headers=headers).status_code == reads
        assert client.post(ATTACH, NO_FILE, headers=headers).status_code == says

    def test_refusal_is_that_of_what_does_not_exist(self, client, ben):
        headers = bearer(make_token(ben, scopes=["converse"]))
        refused, missing = client.get(CALL, headers=headers), client.get("/v2/nothing", headers=bearer(make_token(ben)))
        errors = [response.json()["error"] | {"ref": ""} for response in (refused, missing)]
        assert errors[0] == errors[1]
        assert (refused["Cache-Control"], missing["Cache-Control"]) == ("no-store", "no-store")

    def test_former_admin_has_none_of_an_admins(self, root):
        raw = make_token(root)
        assert "admin" in person_for_token(raw).scopes
        root.role = "teacher"
        root.save()
        assert person_for_token(raw).scopes == {"read", "converse"}


def test_addresses_for_tokens_are_those_of_programs():
    named = {"metrics", "config", "chat"}
    programs = {path for path in RULES if path.startswith(("v2/", "api/", "chat/", "session/"))} | named
    assert {path for path in RULES if accepts_tokens(f"/{path}")} == programs
    assert [path for path in SOCKETS if socket_accepts_tokens(f"/{path}")] == ["v2/ws/<path:key>", "ws/<path:key>"]
