"""Signing in and out with a password."""

import pytest
from django.conf import settings as project
from django.test import Client

from learnagent.accounts.authentication.sign_in import SIGN_INS, SIGN_INS_FROM, SIGN_INS_OF_ALL, client_address
from tests.learnagent.accounts.counting_hasher import hashes_during
from tests.people import PASSWORD, make_ben

pytestmark = pytest.mark.django_db
SIGN_IN = "/accounts/sign-in/"


def sign_in(client, username="ben", password=PASSWORD, **more):
    return client.post(SIGN_IN, {"username": username, "password": password, **more})


@pytest.fixture
def ben(db):
    return make_ben(password=PASSWORD)


def test_the_right_password_signs_in(client, ben):
    assert sign_in(client).status_code == 302
    assert client.session["_auth_user_id"] == str(ben.pk)


def test_signing_in_changes_the_session_key(client, ben):
    """W2: a key planted before signing in is worth nothing after it."""
    session = client.session
    session["planted"] = True
    session.save()
    before = session.session_key
    client.cookies[project.SESSION_COOKIE_NAME] = before
    sign_in(client)
    assert client.session.session_key != before


def test_the_session_cookie_is_out_of_reach_of_scripts_and_other_sites(client, ben):
    """W2."""
    cookie = sign_in(client).cookies[project.SESSION_COOKIE_NAME]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


def test_the_session_cookie_keeps_to_https_where_there_is_https(client, ben, settings):
    """W2."""
    settings.SESSION_COOKIE_SECURE = True
    assert sign_in(client).cookies[project.SESSION_COOKIE_NAME]["secure"]


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_a_post_without_the_csrf_token_is_refused(ben, headers):
    """W2: htmx has to send the token like anybody else."""
    client = Client(enforce_csrf_checks=True, headers=headers)
    assert sign_in(client).status_code == 403


def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(client, ben):
    """W2: who has an account cannot be found out."""
    wrong, unknown = sign_in(client, password="nonsense"), sign_in(client, username="nobody", password="nonsense")
    assert wrong.status_code == unknown.status_code == 422
    assert wrong.context["form"].non_field_errors() == unknown.context["form"].non_field_errors()


def test_a_wrong_password_and_an_unknown_name_cost_the_same_work(client, ben):
    """W2: nor by a clock."""
    client.get(SIGN_IN)
    wrong = hashes_during(lambda: sign_in(client, password="nonsense"))
    assert wrong == hashes_during(lambda: sign_in(client, username="nobody", password="nonsense")) == 1


def test_an_account_without_a_password_costs_the_same_work(client, eve):
    """W2."""
    assert hashes_during(lambda: sign_in(client, username="eve", password="nonsense")) == 1


def test_after_too_many_wrong_passwords_the_right_one_has_to_wait(client, ben):
    """W2."""
    for _ in range(SIGN_INS.limit):
        sign_in(client, password="nonsense")
    response = sign_in(client)
    assert response.status_code == 429
    assert int(response["Retry-After"]) == SIGN_INS.window_s
    assert "_auth_user_id" not in client.session


def test_a_name_nobody_has_is_locked_out_just_the_same(client, db):
    """W2."""
    codes = [sign_in(client, username="nobody").status_code for _ in range(SIGN_INS.limit + 1)]
    assert codes == [422] * SIGN_INS.limit + [429]


def test_a_lockout_is_for_one_name_from_one_address(client, ben, eve):
    for _ in range(SIGN_INS.limit + 1):
        sign_in(client, username="eve")
    assert sign_in(Client(REMOTE_ADDR="10.0.0.9"), username="eve").status_code == 422
    assert sign_in(client).status_code == 302


def test_guessing_many_names_from_one_address_ends_unhashed(client, ben):
    """W2: and neither another address nor a right password of before is taken for it."""
    for number in range(SIGN_INS_FROM.limit):
        SIGN_INS_FROM.count_try("127.0.0.1") if number else sign_in(client, username="nobody")
    response = sign_in(client, username="somebody else")
    assert (response.status_code, response["Retry-After"]) == (429, str(SIGN_INS_FROM.window_s))
    assert hashes_during(lambda: sign_in(client, username="a third")) == 0
    assert sign_in(Client(REMOTE_ADDR="10.0.0.9")).status_code == 302


def test_guessing_from_many_addresses_ends_too(client, ben):
    """W2"""
    for _ in range(SIGN_INS_OF_ALL.limit):
        SIGN_INS_OF_ALL.count_try()
    response = sign_in(client)
    assert (response.status_code, response["Retry-After"]) == (429, str(SIGN_INS_OF_ALL.window_s))


def test_right_passwords_are_no_tries(client, ben):
    """A class signs in from one address, all at the same hour."""
    for _ in range(SIGN_INS_FROM.limit - 1):
        SIGN_INS_FROM.count_try("127.0.0.1")
    for _ in range(3):
        assert sign_in(Client()).status_code == 302


@pytest.mark.parametrize(
    ("given", "counted"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:aaaa::9", "2001:db8:1:2::"),
        ("2001:db8:1:2::1", "2001:db8:1:2::"),
        ("", ""),
    ],
)
def test_a_network_of_ipv6_is_one_address(rf, given, counted):
    """W2: who has one address of it has 2**64."""
    assert client_address(rf.get("/", REMOTE_ADDR=given)) == counted


def test_signing_in_forgives_the_tries_before(client, ben):
    for _ in range(SIGN_INS.limit - 1):
        sign_in(client, password="nonsense")
    sign_in(client)
    client.post("/accounts/sign-out/")
    assert sign_in(client, password="nonsense").status_code == 422


def test_a_password_of_a_hundred_thousand_letters_is_not_even_hashed(client, ben):
    """W2."""
    assert hashes_during(lambda: sign_in(client, password="x" * 100_000)) == 0
    assert sign_in(client, password="x" * 100_000).status_code == 400


def test_a_nul_in_a_name_or_password_is_an_error_on_its_field(client, ben):
    response = sign_in(client, username="b\x00en", password="a\x00b")
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {"username", "password"}


def test_errors_are_tied_to_their_fields(client, ben):
    page = sign_in(client, username="").content.decode()
    assert 'aria-invalid="true"' in page
    assert 'aria-describedby="id_username_error"' in page


def test_who_may_not_sign_in_does_not(client, ben):
    ben.is_active = False
    ben.save()
    assert sign_in(client).status_code == 422


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "\\\\evil.example"]
)
def test_next_never_leads_off_the_site(client, ben, elsewhere):
    assert sign_in(client, next=elsewhere)["Location"] == "/"


def test_next_leads_to_the_page_asked_for(client, ben):
    assert sign_in(client, next="/accounts/tokens/")["Location"] == "/accounts/tokens/"


def test_the_page_is_never_kept_by_a_cache(client, db):
    assert "no-store" in client.get(SIGN_IN)["Cache-Control"]


def test_signing_out_takes_a_post(client, ben):
    client.force_login(ben)
    assert client.get("/accounts/sign-out/").status_code == 405
    assert client.post("/accounts/sign-out/")["Location"] == SIGN_IN
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("part", ["profile", "password", "tokens", "consent"])
def test_pages_of_an_account_ask_strangers_to_sign_in(client, part):
    response = client.get(f"/accounts/{part}/")
    assert response.status_code == 302
    assert response["Location"].startswith(SIGN_IN)


def test_the_admin_pages_have_no_sign_in_of_their_own(client, db):
    """W2: a second door would be one without a throttle."""
    response = client.get("/admin/agents/flag/", follow=True)
    assert response.redirect_chain[-1][0].startswith(SIGN_IN)


def test_the_admin_pages_are_not_there_for_anybody_else(client, grace):
    """A1."""
    client.force_login(grace)
    assert [client.get(f"/admin/{page}").status_code for page in ("", "agents/flag/", "login/", "nothing/")] == [
        404
    ] * 4


def test_a_form_too_big_to_read_is_answered_in_words(client, db):
    """B9."""
    response = client.post(SIGN_IN, {"username": "x" * 2_000_000})
    assert response.status_code == 413
    assert "Nothing was changed" in response.content.decode()


@pytest.mark.parametrize("address", [SIGN_IN, "/accounts/sign-up/"])
def test_pages_for_strangers_say_what_this_is(client, db, address):
    page = client.get(address).content.decode()
    before = page.partition("<h1>")[0].partition("<main")[2]
    assert "Learn one small step at a time" in before
    assert 'role="img"' in before
