"""Calls from the pages of other sites: of those that are listed, with a token."""

import pytest

from learnagent.accounts.authentication.api_tokens import make_token

pytestmark = pytest.mark.django_db

APP = "https://app.example"
ASKS = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type"}
FOREIGN = [
    "https://evil.example",
    f"{APP}.evil.example",
    "http://app.example",
    f"{APP}:444",
    f"{APP}/",
    "null",
    "",
    APP.upper(),
]
CALLS = ["/api/conversation", "/api/stats", "/v2/sessions", "/v2/turns/x"]


@pytest.fixture(autouse=True)
def _listed(settings):
    settings.CORS_ORIGINS = (APP,)


@pytest.mark.parametrize("path", CALLS)
def test_browser_is_told_that_a_listed_origin_may_call(client, path):
    answer = client.options(path, headers={"Origin": APP, **ASKS})
    assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (204, APP)
    assert "Authorization" in answer["Access-Control-Allow-Headers"]
    assert "Origin" in answer["Vary"]


@pytest.mark.parametrize("origin", FOREIGN)
def test_no_other_origin_may_call(client, ada, origin):
    """W1"""
    headers = {"Origin": origin}
    answers = [client.options("/api/stats", headers=headers | ASKS), client.get("/api/stats", headers=headers)]
    assert [each for each in answers if "Access-Control-Allow-Origin" in each] == []
    assert answers[0].status_code == 405


def test_answer_may_be_read_and_so_may_a_refusal(client, ada):
    for headers, status in (({"Authorization": f"Bearer {make_token(ada)}"}, 200), ({}, 401)):
        answer = client.get("/api/stats", headers={"Origin": APP, **headers})
        assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (status, APP)
        assert "Retry-After" in answer["Access-Control-Expose-Headers"]


def test_cookie_is_never_asked_for(client, ada):
    client.force_login(ada)
    answer = client.get("/api/stats", headers={"Origin": APP})
    assert "Access-Control-Allow-Credentials" not in answer


@pytest.mark.parametrize("path", ["/", "/c/", "/accounts/sign-in/", "/admin/", "/health"])
def test_pages_are_for_no_other_origin(client, path):
    for answer in (client.options(path, headers={"Origin": APP, **ASKS}), client.get(path, headers={"Origin": APP})):
        assert "Access-Control-Allow-Origin" not in answer


def test_without_a_list_nobody_may(client, settings):
    settings.CORS_ORIGINS = ()
    answer = client.get("/api/stats", headers={"Origin": APP})
    assert "Access-Control-Allow-Origin" not in answer
    assert "Origin" not in answer["Vary"]
