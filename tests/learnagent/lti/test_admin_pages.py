"""The admin's pages of platforms: what to enter where, a new key, and which addresses are taken."""

import pytest

from learnagent.lti.models import Grade, Platform, PlatformAccount, ToolKey
from tests.learnagent.lti.platform_server import TEACHER

pytestmark = pytest.mark.django_db
ENTERED = {
    "name": "Moodle", "issuer": "https://lms.example.org", "client_id": "7", "deployments": "1", "pages": "",
    "auth_url": "https://lms.example.org/auth", "token_url": "https://lms.example.org/token",
    "jwks_url": "https://lms.example.org/keys", "is_active": "on",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _signed_in(client, root):
    client.force_login(root)


def test_a_platform_is_registered_with_the_addresses_at_hand(client, settings):
    page = client.get("/admin/lti/platform/add/").content.decode()
    assert f"{settings.PUBLIC_URL}/lti/login/" in page
    assert client.post("/admin/lti/platform/add/", ENTERED).status_code == 302
    assert Platform.objects.get().deployment_ids == {"1"}
    assert len(client.get("/lti/keys/").json()["keys"]) == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"jwks_url": "http://lms.example.org/keys"},
        {"token_url": "https://name:word@lms.example.org/"},
        {"auth_url": "javascript:alert(1)"},
        {"jwks_url": "https://[broken/"},
        {"pages": "https://fine.example.org\n*"},
    ],
    ids=str,
)
def test_other_addresses_are_refused(client, changed):
    page = client.post("/admin/lti/platform/add/", ENTERED | changed)
    assert [*page.context["adminform"].form.errors] == [*changed]
    assert not Platform.objects.exists()


def test_a_new_key_is_made_on_request(client):
    assert client.get("/lti/keys/").json() == {"keys": []}
    for count in (1, 2):
        assert client.post("/admin/lti/platform/rotate-key/").status_code == 302
        assert ToolKey.objects.count() == count
    assert "PRIVATE" not in ToolKey.objects.first().private_key


def test_a_platform_that_somebody_came_from_is_not_deleted(client, enter, registered, root):
    enter(user_id="teacher-1", lis_roles=[TEACHER])
    client.force_login(root)
    client.post(f"/admin/lti/platform/{registered.pk}/delete/", {"post": "yes"})
    assert PlatformAccount.objects.exists()


def test_grades_that_were_given_up_can_be_sent_again(client, enter, root):
    enter()
    client.force_login(root)
    Grade.objects.update(status="given_up", score=50, answer="404")
    assert "404" in client.get("/admin/lti/grade/").content.decode()
    client.post("/admin/lti/grade/", {"action": "send_again", "_selected_action": Grade.objects.get().pk})
    assert Grade.objects.get().status == "waiting"
