"""Salesforce as a tool asks it, against a server that signs in, pages and refuses as it does."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from agents.tools import ToolFailed
from agents.tools.salesforce import SalesforceAccount, SalesforceRecords, limit_calls, search_salesforce
from tests.fake_services.salesforce import Salesforce, refusal

pytest.importorskip("simple_salesforce")
ACCOUNT = SalesforceAccount(username="sales@example.org", password="word", token="token")
PEOPLE = [
    {"Name": f"Person {number}", "Account": {"Name": "Northwind"} if number % 2 else None, "Title": "Head", "LastActivityDate": None}
    for number in range(5)
]  # fmt: skip


@pytest.fixture
def salesforce() -> Iterator[Salesforce]:
    with Salesforce(records=PEOPLE) as server:
        yield server


def search(server: Salesforce, *, account: SalesforceAccount = ACCOUNT, **fields: Any) -> SalesforceRecords:
    return search_salesforce(
        account, **{"kind": "contacts", "text": "", "limit": 10, "session": server.session, **fields}
    )


def test_records_are_read_page_by_page(salesforce: Salesforce) -> None:
    found = search(salesforce)
    assert found.columns == ("Name", "Organization", "Title", "Last activity")
    assert [row[0] for row in found.rows] == [f"Person {number}" for number in range(5)]
    assert found.rows[1] == ["Person 1", "Northwind", "Head", None]
    assert not found.is_cut
    assert salesforce.logins == 1


def test_no_more_is_read_than_is_asked_for(salesforce: Salesforce) -> None:
    found = search(salesforce, limit=3)
    assert (len(found.rows), found.is_cut) == (3, True)
    assert salesforce.queries[0].endswith("LIMIT 4")


def test_text_is_only_ever_inside_of_a_pattern(salesforce: Salesforce) -> None:
    search(salesforce, text="O'Neil%' OR Name != '")
    (query,) = salesforce.queries
    assert query.startswith(
        r"SELECT Name, Account.Name, Title, LastActivityDate FROM Contact WHERE Name LIKE '%O\'Neil\%\' OR"
    )
    assert query.replace(r"\'", "").count("'") == 6


@pytest.mark.parametrize(
    ("kind", "name"),
    [("contacts", "Contact"), ("leads", "Lead"), ("accounts", "Account"), ("opportunities", "Opportunity")],
)
def test_each_kind_asks_its_own_object(salesforce: Salesforce, kind: str, name: str) -> None:
    search(salesforce, kind=kind, text="x")
    assert f" FROM {name} WHERE " in salesforce.queries[0]


def test_session_that_ended_is_begun_anew(salesforce: Salesforce) -> None:
    salesforce.answers = [refusal(401, "INVALID_SESSION_ID")]
    assert len(search(salesforce).rows) == 5
    assert salesforce.logins == 2


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (refusal(403, "REQUEST_LIMIT_EXCEEDED"), "too many requests"),
        (refusal(400, "INVALID_FIELD"), "does not know"),
        (refusal(404, "NOT_FOUND"), "does not know"),
        (refusal(503, "SERVER_UNAVAILABLE"), r"could not answer \(503\)"),
        ((200, b"<html>a proxy's page</html>"), "cannot be read"),
        ((200, b'{"records": [1], "done": true}'), "cannot be read"),
        ((200, b"[]"), "cannot be read"),
    ],
)
def test_refusal_is_said_in_words(salesforce: Salesforce, answer: tuple[int, bytes], said: str) -> None:
    salesforce.answers = [answer]
    with pytest.raises(ToolFailed, match=said):
        search(salesforce)


def test_wrong_password_names_the_settings_and_not_the_password(salesforce: Salesforce) -> None:
    wrong = SalesforceAccount(username="sales@example.org", password="hunter2", token="token")
    with pytest.raises(ToolFailed, match="SALESFORCE settings") as failed:
        search(salesforce, account=wrong)
    assert "hunter2" not in str(failed.value) + repr(wrong)
    assert salesforce.queries == []


def test_server_that_is_away_is_said_to_be(salesforce: Salesforce) -> None:
    salesforce.__exit__()
    with pytest.raises(ToolFailed, match="cannot be reached"):
        search(salesforce)


def test_every_call_has_a_time_limit(salesforce: Salesforce, monkeypatch: pytest.MonkeyPatch) -> None:
    import requests

    seen: list[Any] = []
    monkeypatch.setattr(
        requests.Session, "request", lambda self, *args, **kwargs: seen.append(kwargs["timeout"]) or requests.Response()
    )
    with pytest.raises(ToolFailed):
        search(salesforce, session=lambda: limit_calls(2.5))
    assert seen == [2.5]


def test_package_is_only_loaded_where_it_is_used() -> None:
    code = (
        "import sys; import agents.tools.salesforce; assert not {'simple_salesforce', 'requests'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
