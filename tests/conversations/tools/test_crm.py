"""The tools `crm` and `edit_contacts`: own contacts for their owner alone, Salesforce for those who may."""

import uuid
from datetime import date
from typing import Any

import pytest
from pydantic import ValidationError

from agents.conf import agent_settings
from agents.tools import ToolFailed, ToolUse, tools
from agents.tools.salesforce import SalesforceAccount
from conversations.models import Contact
from conversations.tools.crm import (
    ContactChange,
    CrmQuery,
    change_contact,
    may_use_salesforce,
    own_contacts,
    salesforce_rows,
)
from tests import people
from tests.fake_services.salesforce import Salesforce


def add(person: Any, name: str, **fields: Any) -> int:
    return change_contact(person, ContactChange(action="add", name=name, **fields)).contact


def names(person: Any, **fields: Any) -> list[Any]:
    return [row[0] for row in own_contacts(person, CrmQuery(**fields)).table.rows]


@pytest.mark.django_db
class TestOwner:
    def test_adds_changes_finds_and_removes_contacts(self, ben: Any) -> None:
        number = add(ben, "Noor", organization="Northwind School", notes="asked about fractions")
        add(ben, "Olga", last_contacted_on=date(2026, 3, 1))
        add(ben, "Pete", last_contacted_on=date(2026, 1, 1))
        assert names(ben) == ["Noor", "Pete", "Olga"], "those not contacted for longest come first"
        assert names(ben, text="FRACTIONS") == ["Noor"]
        assert names(ben, question="Whom do I know at Northwind School?") == ["Noor"]
        change_contact(ben, ContactChange(action="change", contact=number, last_contacted_on=date(2026, 11, 1)))
        assert names(ben) == ["Pete", "Olga", "Noor"]
        noor = Contact.objects.get(pk=number)
        assert (noor.name, noor.organization) == ("Noor", "Northwind School")
        change_contact(ben, ContactChange(action="remove", contact=number))
        assert names(ben) == ["Pete", "Olga"]

    def test_is_told_if_nobody_fits(self, ben: Any) -> None:
        assert names(ben, text="\x00") == []
        assert own_contacts(ben, CrmQuery()).words == "Your contacts: no matches."

    def test_limit_says_that_there_is_more(self, ben: Any) -> None:
        for name in "abc":
            add(ben, name)
        found = own_contacts(ben, CrmQuery(limit=2))
        assert (len(found.table.rows), found.table.notes) == (2, ["Only part of the result is shown here."])

    def test_cannot_keep_more_than_the_limit(self, ben: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("conversations.tools.crm.MOST_CONTACTS", 1)
        add(ben, "Noor")
        with pytest.raises(ToolFailed, match="Remove some"):
            add(ben, "Olga")


@pytest.mark.django_db
def test_stranger_neither_sees_nor_changes_a_contact(ben: Any, eve: Any) -> None:
    number = add(ben, "Noor")
    assert names(eve, text="Noor") == []
    messages = set()
    for action, contact in (("change", number), ("remove", number), ("remove", number + 99), ("change", None)):
        with pytest.raises(ToolFailed) as refused:
            change_contact(eve, ContactChange(action=action, contact=contact, name="Mine"))
        messages.add(str(refused.value))
    assert messages == {"You have no contact with this number."}
    assert Contact.objects.get().name == "Noor"


@pytest.mark.parametrize(
    "fields",
    [
        {"action": "steal"}, {"action": "add", "name": "x" * 201}, {"action": "add", "name": "a\x00b"},
        {"action": "add", "name": "A", "owner": 3}, {"action": "remove", "contact": 2**63}, {"action": "remove", "contact": 0},
    ],
)  # fmt: skip
def test_change_that_makes_no_sense_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ContactChange(**fields)


@pytest.mark.django_db
def test_contact_needs_a_name(ben: Any) -> None:
    with pytest.raises(ToolFailed, match="needs a name"):
        add(ben, "  ")


@pytest.mark.django_db(transaction=True)
async def test_turn_that_runs_again_adds_a_contact_once() -> None:
    from agents.storage.threads import in_orm_thread

    ben = await in_orm_thread(people.make_ben)()
    use = ToolUse(turn_id=uuid.uuid4(), person_id=ben.pk, agent="prospect_finder", number=1, tool="edit_contacts")
    tool = tools["edit_contacts"]
    first = await tool.run(ContactChange(action="add", name="Noor"), use)
    again = await tool.run(ContactChange(action="add", name="Noor"), use)
    assert first == again
    assert await Contact.objects.acount() == 1
    found = await tools["crm"].run(CrmQuery(), use)
    assert found.words == "Your contacts: 1, Noor."
    assert tool.has_effect
    assert not tools["crm"].has_effect


@pytest.mark.django_db
def test_salesforce_is_for_teachers_who_consented(settings: Any, ben: Any, grace: Any) -> None:
    pytest.importorskip("simple_salesforce")
    assert not may_use_salesforce(grace)
    account = SalesforceAccount(username="a", password="b", token="c")
    settings.AGENTS = settings.AGENTS | {"salesforce": account}
    assert agent_settings().salesforce == account
    assert may_use_salesforce(grace)
    assert not may_use_salesforce(ben), "a learner"
    assert not may_use_salesforce(people.make_person("mallory", role="teacher")), "who has not consented"


def test_question_says_which_records_of_salesforce() -> None:
    pytest.importorskip("simple_salesforce")
    records = [{"Name": "Lena", "Company": "Northwind", "Status": "Open", "LastActivityDate": "2026-01-02"}]
    with Salesforce(records=records) as server:
        account = SalesforceAccount(username="a", password="word", token="token")
        found = salesforce_rows(account, CrmQuery(question="Which leads are at Northwind?"), session=server.session)
    assert found.table.title == "Leads in Salesforce"
    assert found.table.rows == [["Lena", "Northwind", "Open", "2026-01-02"]]
    assert found.words == "Leads in Salesforce: 1, Lena, Northwind."
    assert "LIKE '%Northwind%'" in server.queries[0]
