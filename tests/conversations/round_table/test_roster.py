"""The roster in the database and the admin: shipped collaborators, validation, who may use whom."""

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from conversations.models import Collaborator, RoundTableLimits
from conversations.round_table.roster import all_collaborators, collaborators_for, may_use, seats_for

pytestmark = [pytest.mark.db, pytest.mark.django_db]


def collaborator(**changes):
    fields = {"name": "poet", "title": "Poet", "purpose": "Writes verses.", "instructions": "Write verses."} | changes
    return Collaborator(**fields)


def test_new_site_has_eight_without_a_row():
    names = [each.name for each in all_collaborators()]
    assert names == [
        "explainer", "sceptic", "example_finder", "historian", "practitioner", "data_steward", "prospect_finder",
        "contract_reader",
    ]  # fmt: skip
    assert not Collaborator.objects.exists()


def test_row_takes_the_place_of_a_shipped_one():
    collaborator(name="sceptic", title="Doubter", place=1).save()
    assert next(each.title for each in all_collaborators()) == "Doubter"
    assert [seat.title for seat in seats_for(["sceptic", "gone"])] == ["Doubter"]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": "data-steward"}, "name"),
        ({"name": "x" * 31}, "name"),
        ({"name": "summarizer"}, "name"),
        ({"tools": ["calculator", "no_such_tool"]}, "tools"),
        ({"tools": ["calculator", "calculator"]}, "tools"),
        ({"timeout_s": 31}, "timeout_s"),
        ({"most_words": 5}, "most_words"),
        ({"capabilities": ["x" * 41]}, "capabilities"),
        ({"open_to": "named"}, "allowed"),
        ({"allowed": ["not a name!"]}, "allowed"),
    ],
)
def test_row_that_makes_no_sense_is_refused(changes, field):
    with pytest.raises(ValidationError) as refused:
        collaborator(**changes).full_clean()
    assert list(refused.value.message_dict) == [field]


def test_who_may_use_whom(ada, root):
    assert may_use(ada, collaborator())
    assert not may_use(ada, collaborator(enabled=False))
    assert not may_use(ada, collaborator(open_to="staff"))
    assert may_use(root, collaborator(open_to="staff"))
    assert may_use(ada, collaborator(open_to="named", allowed=["person:ada"]))
    assert not may_use(root, collaborator(open_to="named", allowed=["ada"]))
    assert len(collaborators_for(ada)) == 8


def test_admin_shows_and_changes_the_shipped_ones(client, root):
    client.force_login(root)
    page = client.get(reverse("admin:conversations_collaborator_changelist"))
    assert b"Example finder" in page.content
    row = Collaborator.objects.get(name="sceptic")
    path = reverse("admin:conversations_collaborator_change", args=[row.pk])
    form = {
        "title": "Sceptic", "purpose": "p", "instructions": "i", "looks_for": "objections", "tools": "calculator\n",
        "capabilities": "why\nreally", "tier": "strong", "timeout_s": "20", "most_words": "100", "open_to": "everybody",
        "allowed": "", "enabled": "on", "place": "20",
    }  # fmt: skip
    assert client.post(path, form).status_code == 302
    row.refresh_from_db()
    assert (row.tools, row.capabilities, row.tier, row.name) == (["calculator"], ["why", "really"], "strong", "sceptic")
    assert b"no_such_tool" in client.post(path, form | {"tools": "no_such_tool"}).content
    assert (
        client.post(reverse("admin:conversations_collaborator_delete", args=[row.pk]), {"post": "yes"}).status_code
        == 404
    )


def test_admin_changes_the_limits(client, root):
    client.force_login(root)
    client.get(reverse("admin:conversations_roundtablelimits_changelist"))
    row = RoundTableLimits.objects.get()
    path = reverse("admin:conversations_roundtablelimits_change", args=[row.pk])
    assert client.post(path, {"most_agents": "6", "most_rounds": "3"}).status_code == 200
    assert client.post(path, {"most_agents": "4", "most_rounds": "3"}).status_code == 302
    row.refresh_from_db()
    assert (row.most_agents, row.most_rounds) == (4, 3)
