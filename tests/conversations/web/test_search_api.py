"""`POST /v2/search`: the contract's answer and errors."""

import pytest

from agents.local_models import embeddings
from agents.rollout.flags import change_flag
from learnagent.accounts.authentication.api_tokens import make_token
from tests.conversations.search.passage_helpers import HALVES, RAIN, shelve
from tests.conversations.search.test_messages import said

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("host")]
FIELDS = {"kind", "id", "session_id", "text", "snippet", "score", "timestamp"}


@pytest.fixture(autouse=True)
def _no_limits(settings):
    settings.AGENTS = {"turns_per_minute": 0}


@pytest.fixture
def call(client, ada):
    """Return a function that searches as Ada's program."""
    headers = {"Authorization": f"Bearer {make_token(ada)}"}

    def post(body, **options):
        return client.post("/v2/search", body, content_type="application/json", headers=headers, **options)

    return post


def test_finds_messages_and_documents(call, ada, eve):
    said(ada, "What is a half?")
    document = shelve(ada, HALVES)
    said(eve, "A half is mine.")
    shelve(eve, "A half is Eve's.")
    answer = call({"query": "half"}).json()
    assert (answer["query"], answer["mode"], answer["count"]) == ("half", "hybrid", 2)
    assert all(result.keys() >= FIELDS for result in answer["results"])
    results = {result["kind"]: result for result in answer["results"]}
    assert results["message"]["session_id"] == "s"
    assert results["document"]["session_id"] is None
    assert results["document"]["snippet"].startswith("A <mark>half</mark> is one")
    assert results["document"]["url"] == document.passages.get().get_absolute_url()
    assert all(0 < result["score"] <= 1 for result in answer["results"])


def test_looks_in_the_mode_that_is_asked_for(call, ada):
    shelve(ada, HALVES, RAIN)
    for mode in ("keyword", "semantic", "hybrid"):
        answer = call({"query": "half", "mode": mode, "limit": 1}).json()
        assert (answer["mode"], answer["notice"], answer["count"]) == (mode, "", 1)
        assert answer["results"][0]["text"] == HALVES


def test_without_the_model_it_looks_by_words_and_says_so(call, ada, monkeypatch):
    shelve(ada, HALVES, RAIN)
    monkeypatch.setattr(embeddings, "PACKAGE", "no_such_package")
    embeddings._load_model.cache_clear()
    for mode in ("semantic", "hybrid"):
        answer = call({"query": "half", "mode": mode}).json()
        assert (answer["mode"], answer["count"]) == ("keyword", 1)
        assert "not installed" in answer["notice"]
    embeddings._load_model.cache_clear()


WRONG = [
    ({"query": "half", "limit": 0}, 422, ["limit"]),
    ({"query": "half", "limit": 101}, 422, ["limit"]),
    ({"query": "half", "mode": "magic"}, 422, ["mode"]),
    ({"query": "half", "all": True}, 422, ["all"]),
    ({"limit": 5}, 422, ["query"]),
    ({"query": "half\0"}, 422, ["query"]),
    ({"query": "x" * 10_001}, 413, []),
    ([], 400, []),
    ("{", 400, []),
]


def test_what_is_wrong_is_named(call):
    for body, status, fields in WRONG:
        response = call(body)
        assert (response.status_code, list(response.json()["error"].get("fields", {}))) == (status, fields)


def test_a_visitor_and_a_switched_off_surface_get_none(call, client):
    assert client.post("/v2/search", {"query": "x"}, content_type="application/json").status_code == 401
    change_flag("multi_agent", killed=True, by=None)
    response = call({"query": "half"})
    assert (response.status_code, response.json()["error"]["code"]) == (501, "not_enabled")


def test_is_described(client):
    described = client.get("/v2/openapi.json").json()
    assert "/v2/search" in described["paths"]
    assert described["components"]["schemas"]["SearchRequest"]["properties"]["limit"]["maximum"] == 100


def test_a_snippet_is_safe(call, ada):
    """X1: what stands in a document is words."""
    shelve(ada, "half <script>alert(1)</script> & <mark>")
    (result,) = call({"query": "half"}).json()["results"]
    assert "<script>" not in result["snippet"]
    assert result["snippet"].count("<mark>") == 1
