"""A token on any address: who calls is whose token it is."""

import pytest
from django.test import Client

from learnagent.accounts.models import ApiToken
from learnagent.accounts.tokens import make_token

pytestmark = pytest.mark.django_db


def bearer(raw):
    return {"Authorization": f"Bearer {raw}"}


def test_token_opens_its_owners_pages(client, ben):
    assert client.get("/accounts/profile/", headers=bearer(make_token(ben))).context["user"] == ben


def test_token_counts_more_than_the_cookie(client, ada, ben):
    client.force_login(ada)
    assert client.get("/accounts/profile/", headers=bearer(make_token(ben))).context["user"] == ben


@pytest.mark.parametrize("raw", ["", "wrong", "la_" + "x" * 43, "ключ"])
def test_wrong_token_makes_the_caller_nobody_whatever_the_cookie(client, ada, raw):
    client.force_login(ada)
    assert client.get("/accounts/profile/", headers=bearer(raw)).status_code == 302


@pytest.mark.parametrize("change", ["deactivated", "revoked"])
def test_token_that_no_longer_counts(client, ben, change):
    raw = make_token(ben)
    if change == "revoked":
        ApiToken.objects.all().delete()
    else:
        ben.is_active = False
        ben.save()
    assert client.get("/accounts/profile/", headers=bearer(raw)).status_code == 302


def test_program_needs_no_csrf_token_and_a_browser_does(ben):
    client = Client(enforce_csrf_checks=True)
    client.force_login(ben)
    assert client.post("/level/", {"level": "beginner"}).status_code == 403
    assert client.post("/level/", {"level": "beginner"}, headers=bearer(make_token(ben))).status_code == 302


def test_wrong_token_does_not_switch_the_csrf_check_off_for_the_cookie(ben):
    """W2"""
    client = Client(enforce_csrf_checks=True)
    client.force_login(ben)
    client.post("/level/", {"level": "beginner"}, headers=bearer("wrong"))
    ben.refresh_from_db()
    assert ben.level == "unknown"
