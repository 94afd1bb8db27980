"""The second factor of admins: set up, asked for, replaced by a recovery code, never used twice."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pyotp
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from learnagent.accounts.authentication import second_factor as factors
from learnagent.accounts.authentication.api_tokens import make_token
from learnagent.accounts.models import RecoveryCode, Scope, SecondFactor
from learnagent.api.bearer_tokens import accepts_tokens

pytestmark = [pytest.mark.db, pytest.mark.django_db]
SETUP, CODE, ADMIN = "/accounts/second-factor/", "/accounts/second-factor/code/", "/admin/"


def signed_in(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    return client


def code_at(secret: str, *, steps: int = 0) -> str:
    return pyotp.TOTP(secret).at(timezone.now() + timedelta(seconds=30 * steps))


@pytest.fixture
def factor(root: Any) -> SecondFactor:
    return SecondFactor.objects.create(person=root, secret=pyotp.random_base32())


def test_is_set_up_with_its_first_code_and_then_asked_for_in_other_sessions(root: Any) -> None:
    client = signed_in(root)
    page = client.get(SETUP)
    assert "<svg" in page.text
    secret = page.context["secret"]
    assert client.get(SETUP).context["secret"] == secret
    assert client.post(SETUP, {"code": "000000x"}).status_code == 422
    codes = client.post(SETUP, {"code": code_at(secret)}).context["codes"]
    assert len(set(codes)) == factors.RECOVERY_CODES
    assert client.get(ADMIN).status_code == 200
    other = signed_in(root)
    assert other.get(ADMIN).url == f"{CODE}?next=/admin/"
    assert other.get(SETUP).url == CODE
    used = other.post(CODE, {"code": codes[0].upper(), "next": "/admin/"})
    assert (used.url, other.get(ADMIN).status_code) == ("/admin/", 200)


@pytest.mark.parametrize("steps", [-1, 0, 1])
def test_code_works_once_though_clocks_differ(factor: SecondFactor, steps: int) -> None:
    code = code_at(factor.secret, steps=steps)
    assert factors.use_any_code(factor, f" {code[:3]} {code[3:]}")
    assert not factors.use_any_code(factor, code)


@pytest.mark.parametrize("steps", [-3, 3])
def test_code_of_another_time_is_refused(factor: SecondFactor, steps: int) -> None:
    assert not factors.use_any_code(factor, code_at(factor.secret, steps=steps))


def test_code_before_a_used_one_is_refused(factor: SecondFactor) -> None:
    assert factors.use_any_code(factor, code_at(factor.secret))
    assert not factors.use_any_code(factor, code_at(factor.secret, steps=-1))


def test_recovery_code_works_once_and_is_stored_as_a_hash(factor: SecondFactor) -> None:
    code, *_ = factors.replace_recovery_codes(factor)
    assert code not in str(list(RecoveryCode.objects.values()))
    assert [factors.use_any_code(factor, code) for _ in range(2)] == [True, False]
    another, *_ = factors.replace_recovery_codes(factor)
    assert not factors.use_any_code(factor, code)
    assert factors.use_any_code(factor, another)


def test_session_forgets_it_when_the_factor_is_replaced(root: Any, factor: SecondFactor) -> None:
    client = signed_in(root)
    client.post(CODE, {"code": code_at(factor.secret)})
    assert client.get(ADMIN).status_code == 200
    factors.remove_factor(root)
    SecondFactor.objects.create(person=root, secret=pyotp.random_base32())
    assert client.get(ADMIN).status_code == 302


def test_guessing_is_limited_and_the_right_code_waits_too(root: Any, factor: SecondFactor) -> None:
    client = signed_in(root)
    for _ in range(factors.CODES.limit):
        assert client.post(CODE, {"code": "123"}).status_code == 422
    refused = client.post(CODE, {"code": code_at(factor.secret)})
    assert (refused.status_code, refused["Retry-After"]) == (429, "600")


def test_only_a_session_with_a_code_changes_it(root: Any, factor: SecondFactor) -> None:
    client = signed_in(root)
    for action in ("remove", "recovery-codes"):
        assert client.post(f"{SETUP}{action}/").status_code == 404
    client.post(CODE, {"code": code_at(factor.secret)})
    assert len(client.post(f"{SETUP}recovery-codes/").context["codes"]) == factors.RECOVERY_CODES
    assert client.post(f"{SETUP}remove/").status_code == 302
    assert client.get(ADMIN).status_code == 200
    assert not SecondFactor.objects.exists()


def test_site_may_require_it_of_all_but_demo_people(root: Any, settings: Any) -> None:
    settings.ADMIN_SECOND_FACTOR = "required"
    client = signed_in(root)
    way = client.get(ADMIN, follow=True)
    assert [address for address, _ in way.redirect_chain] == [f"{CODE}?next=/admin/", SETUP]
    root.is_demo = True
    root.save()
    assert client.get(ADMIN).status_code == 200


@pytest.mark.parametrize(
    "path", ["/teach/", "/accounts/tokens/", "/metrics", "/config", "/api/stats", "/ops/", "/ops/costs.csv"]
)
def test_it_is_asked_for_wherever_admins_see_more_and_a_token_is_enough(
    root: Any, factor: SecondFactor, path: str
) -> None:
    client = signed_in(root)
    assert client.get(path).url == f"{CODE}?{urlencode({'next': path}, safe='/')}"
    client.post(CODE, {"code": code_at(factor.secret)})
    assert client.get(path).status_code == 200
    by_token = Client().get(path, headers={"Authorization": f"Bearer {make_token(root, scopes=list(Scope))}"})
    assert (by_token.status_code == 200) == accepts_tokens(path)


def test_nobody_but_admins_finds_it(ben: Any, grace: Any) -> None:
    for person in (ben, grace):
        assert {signed_in(person).get(page).status_code for page in (SETUP, CODE)} == {404}


def test_whoever_runs_the_server_resets_it(root: Any, factor: SecondFactor, capsys: Any) -> None:
    client = signed_in(root)
    call_command("reset_second_factor", "root")
    assert "without a code" in capsys.readouterr().out
    assert client.get(SETUP).url.startswith("/accounts/sign-in/")
    for name in ("root", "nobody"):
        with pytest.raises(CommandError):
            call_command("reset_second_factor", name)
