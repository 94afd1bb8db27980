"""Choosing content: the platform gets signed links, each with a line item for grades."""

import pytest

from learnagent.lti.keys import key_set, make_key
from tests.learnagent.lti.platform_server import LEARNER, TEACHER

pytestmark = pytest.mark.django_db


@pytest.fixture
def chooser(client, lms, begun, course):
    """Let somebody choose content on the platform; return the page that comes."""

    def open_chooser(role=TEACHER, accept_types=None):
        message = lms.message(begun(), user_id="teacher-1", lis_roles=[role])
        message.set_dl(f"{lms.url}/returned", accept_types=accept_types, extra_data={"csrf": "7"})
        sent = message.lti_launch()
        return client.post("/lti/launch/", {"state": sent["state"], "id_token": sent["id_token"]})

    return open_chooser


def returned(lms, page):
    """Return the links that the platform reads from what the browser would post to it."""
    assert page.context["return_url"] == f"{lms.url}/returned"
    lms.registration.set_tool_key_set(key_set())
    return lms.configuration.validate_deeplinking_resp({"JWT": page.context["token"]})


def test_the_platform_reads_what_was_chosen(client, lms, chooser):
    ticket = chooser().context["ticket"]
    page = client.post("/lti/choose/", {"ticket": ticket, "concept": ["fractions/one_half", "fractions/equal_parts"]})
    first, second = returned(lms, page)
    assert first["custom"] == {"learnagent_concept": "fractions/one_half"}
    assert (first["type"], first["lineItem"]["scoreMaximum"]) == ("ltiResourceLink", 100)
    assert second["title"] == "Equal parts"
    claims = lms.configuration._jwt["body"]
    assert (claims["iss"], claims["aud"]) == ("client-7", "https://lms.example.org")
    assert claims["https://purl.imsglobal.org/spec/lti-dl/claim/data"] == {"csrf": "7"}
    assert f"form-action 'self' {lms.url}" in page["Content-Security-Policy"]
    # The ticket is used up.
    assert client.post("/lti/choose/", {"ticket": ticket, "concept": "fractions/one_half"}).status_code == 400


def test_nothing_chosen_is_asked_again_and_cancelling_returns_nothing(client, lms, chooser):
    ticket = chooser().context["ticket"]
    again = client.post("/lti/choose/", {"ticket": ticket, "concept": "fractions/no-such"})
    assert again.status_code == 422
    assert "Choose at least one topic." in again.content.decode()
    assert returned(lms, client.post("/lti/choose/", {"ticket": ticket, "cancel": "1"})) == []


@pytest.mark.parametrize(
    ("asked", "status"), [({"role": LEARNER}, 403), ({"accept_types": {"html"}}, 400)], ids=["learner", "no links"]
)
def test_some_cannot_choose(chooser, asked, status):
    assert chooser(**asked).status_code == status


def test_a_ticket_for_choosing_signs_nobody_in(client, chooser):
    assert client.post("/lti/open/", {"ticket": chooser().context["ticket"]}).status_code == 400
    assert "sessionid" not in client.cookies


def test_a_new_key_signs_and_the_old_one_stays_published(client, lms, chooser, settings):
    old = make_key().kid
    make_key()
    page = client.post("/lti/choose/", {"ticket": chooser().context["ticket"], "concept": "fractions/one_half"})
    assert len(returned(lms, page)) == 1
    published = client.get("/lti/keys/").json()["keys"]
    assert [key["kid"] == old for key in published] == [False, True]
    assert not any("d" in key for key in published)
    # Keys that another SECRET_KEY encrypted are replaced.
    settings.SECRET_KEY = "y" * 50
    page = client.post("/lti/choose/", {"ticket": chooser().context["ticket"], "concept": "fractions/one_half"})
    assert len(returned(lms, page)) == 1
