"""Links that sign in once."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from learnagent.accounts.authentication.sign_in_links import make_link, person_for_link, sign_in_address, use_link
from learnagent.accounts.models import SignInLink
from tests.page_text import without_csrf

pytestmark = [pytest.mark.db, pytest.mark.django_db]


def test_pressing_the_button_signs_in(client, ada):
    address = f"/accounts/link/{make_link(ada)}/"
    assert "Ada" in client.get(address).content.decode()
    assert client.post(address).status_code == 302
    assert client.session["_auth_user_id"] == str(ada.pk)


def test_a_link_works_once(client, ada):
    address = f"/accounts/link/{make_link(ada)}/"
    client.post(address)
    stranger = Client()
    assert stranger.post(address).status_code == 404
    assert "_auth_user_id" not in stranger.session


def test_a_preview_of_a_link_does_not_use_it_up(client, ada):
    address = f"/accounts/link/{make_link(ada)}/"
    for method in (client.get, client.head, client.get):
        assert method(address).status_code == 200
    assert client.post(address).status_code == 302


def test_a_link_ends_after_a_day(client, ada):
    raw = make_link(ada)
    SignInLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert client.post(f"/accounts/link/{raw}/").status_code == 404


def test_a_link_of_somebody_who_may_not_sign_in_is_dead(ada):
    raw = make_link(ada)
    ada.is_active = False
    ada.save()
    assert person_for_link(raw) is None
    assert use_link(raw) is None


def test_used_made_up_and_foreign_links_look_alike(client, ada):
    used = make_link(ada)
    use_link(used)
    pages = [client.get(f"/accounts/link/{raw}/") for raw in (used, "made-up", "x" * 500)]
    assert [page.status_code for page in pages] == [404] * 3
    assert len({without_csrf(page) for page in pages}) == 1


def test_only_a_links_hash_is_stored(ada):
    raw = make_link(ada)
    assert raw not in str(SignInLink.objects.values().get())


def test_an_address_is_whole(ada, settings):
    settings.PUBLIC_URL = "https://learn.example"
    assert sign_in_address(ada).startswith("https://learn.example/accounts/link/")


def test_expired_links_are_cleared_away(ada):
    make_link(ada)
    SignInLink.objects.update(expires_at=timezone.now())
    make_link(ada)
    assert SignInLink.objects.count() == 1


def test_a_link_changes_the_session_key(client, ada, ben):
    """W2."""
    client.force_login(ben)
    before = client.session.session_key
    client.post(f"/accounts/link/{make_link(ada)}/")
    assert client.session.session_key != before
    assert client.session["_auth_user_id"] == str(ada.pk)
