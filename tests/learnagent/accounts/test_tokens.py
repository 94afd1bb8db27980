"""API tokens: how they are read off a request or a socket, and the page that keeps them."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from learnagent.accounts.authentication.api_tokens import MAX_TOKENS, bearer_token, make_token, person_for_token
from learnagent.accounts.models import ApiToken
from tests.page_text import without_csrf

pytestmark = pytest.mark.db

TOKENS = "/accounts/tokens/"


@pytest.mark.django_db
def test_a_token_leads_to_its_owner(ada, ben):
    assert person_for_token(make_token(ada)) == ada
    assert person_for_token(make_token(ben)) == ben


@pytest.mark.django_db
@pytest.mark.parametrize(
    "change", [lambda raw: raw[:-1], lambda raw: raw + "x", lambda raw: raw[:11] + "A" * 43, str.upper]
)
def test_nearly_a_token_is_nobodys(ada, change):
    assert person_for_token(change(make_token(ada))) is None


@pytest.mark.django_db
@pytest.mark.parametrize("raw", ["", "la_", "\x00", "\ud800", "x" * 100_000])
def test_nonsense_is_nobodys_token(raw):
    assert person_for_token(raw) is None


@pytest.mark.django_db
def test_only_a_tokens_hash_is_stored(ada):
    raw = make_token(ada)
    assert raw not in str(ApiToken.objects.values().get())


@pytest.mark.django_db
def test_a_token_of_somebody_who_may_not_sign_in_is_nobodys(ada):
    raw = make_token(ada)
    ada.is_active = False
    ada.save()
    assert person_for_token(raw) is None


@pytest.mark.django_db
def test_a_token_works_until_it_expires_and_then_makes_room(ada):
    raw = make_token(ada, days=30)
    assert timedelta(days=29) < ApiToken.objects.get().expires_at - timezone.now() <= timedelta(days=30)
    assert person_for_token(raw) == ada
    ApiToken.objects.update(expires_at=timezone.now())
    assert person_for_token(raw) is None
    make_token(ada)
    assert ApiToken.objects.count() == 1


@pytest.mark.django_db
def test_a_token_may_do_what_it_is_made_for_and_its_owner_may(ada, root):
    assert person_for_token(make_token(ada)).scopes == {"read", "converse"}
    assert person_for_token(make_token(ada, scopes=["read", "admin"])).scopes == {"read"}
    assert person_for_token(make_token(root)).scopes == {"read", "converse", "admin"}


@pytest.mark.django_db
@pytest.mark.django_db(transaction=True)
def test_a_use_is_noted_at_most_once_a_minute(ada, django_assert_num_queries):
    raw = make_token(ada)
    with django_assert_num_queries(2):
        person_for_token(raw)
    with django_assert_num_queries(1):
        person_for_token(raw)
    ApiToken.objects.update(last_used_at=timezone.now() - timedelta(minutes=2))
    with django_assert_num_queries(2):
        person_for_token(raw)


@pytest.mark.parametrize(
    ("headers", "token"),
    [
        ({}, None),
        ({"Authorization": "Bearer la_x"}, "la_x"),
        ({"authorization": "bearer  la_x "}, "la_x"),
        ({"Authorization": "Bearer"}, ""),
        ({"Authorization": "Basic YTpi"}, None),
        ([(b"authorization", b"Bearer la_x")], "la_x"),
        ([(b"Authorization", b"Bearer la_x"), (b"cookie", b"a=b")], "la_x"),
        ([(b"authorization", b"Bearer la_x"), (b"authorization", b"Bearer la_y")], "la_x,Bearer la_y"),
        ([], None),
    ],
)
def test_a_token_is_read_off_requests_and_sockets(headers, token):
    """An offered token is never None, so that the cookie cannot make up for a wrong one."""
    assert bearer_token(headers) == token


@given(st.lists(st.tuples(st.just(b"authorization"), st.binary(max_size=200)), max_size=3))
def test_no_header_is_too_strange_to_read(headers):
    token = bearer_token(headers)
    assert token is None or isinstance(token, str)


@pytest.mark.django_db
def test_a_new_token_is_shown_once(client, ada):
    client.force_login(ada)
    made = client.post(TOKENS, {"label": "homework <b>", "scopes": ["read"], "days": "90"})
    raw = re.search(r"la_[\w-]{43}", made.content.decode())[0]
    assert person_for_token(raw) == ada
    assert person_for_token(raw).scopes == {"read"}
    assert "no-store" in made["Cache-Control"]
    later = client.get(TOKENS).content.decode()
    assert raw not in later
    assert "homework &lt;b&gt;" in later
    assert "read and search" in later


@pytest.mark.django_db
def test_a_revoked_token_is_nobodys(client, ada):
    client.force_login(ada)
    raw = make_token(ada)
    client.post(f"{TOKENS}{ApiToken.objects.get().pk}/revoke/")
    assert person_for_token(raw) is None


@pytest.mark.django_db
def test_nobody_sees_or_revokes_anothers_token(client, ada, eve):
    """A1, A2."""
    make_token(ada, label="mine alone")
    client.force_login(eve)
    theirs, missing = ApiToken.objects.get().pk, 999_999
    answers = [client.post(f"{TOKENS}{pk}/revoke/") for pk in (theirs, missing, 0, 2**63)]
    assert [answer.status_code for answer in answers] == [404] * 4
    assert len({without_csrf(answer) for answer in answers}) == 1
    assert "mine alone" not in client.get(TOKENS).content.decode()
    assert ApiToken.objects.count() == 1


@pytest.mark.django_db
def test_there_is_an_end_to_how_many_tokens_a_person_has(client, ada):
    for _ in range(MAX_TOKENS):
        make_token(ada)
    client.force_login(ada)
    response = client.post(TOKENS, {"label": "", "scopes": ["read"], "days": "30"})
    assert (response.status_code, "the maximum" in response.content.decode()) == (422, True)
    assert ApiToken.objects.count() == MAX_TOKENS


@pytest.mark.django_db
@pytest.mark.parametrize(
    "change",
    [
        {"label": "x" * 81},
        {"label": "a\x00b"},
        {"scopes": []},
        {"scopes": ["admin"]},
        {"scopes": ["all"]},
        {"days": "31"},
        {"days": ""},
    ],
)
def test_a_form_that_will_not_do_is_refused(client, ada, change):
    client.force_login(ada)
    form = {"label": "", "scopes": ["read"], "days": "30"} | change
    assert client.post(TOKENS, form).status_code == 422
    assert not ApiToken.objects.exists()


@pytest.mark.django_db
def test_an_admin_is_offered_more(client, root):
    client.force_login(root)
    assert "Programs that monitor this site" in client.get(TOKENS).text
    assert client.post(TOKENS, {"label": "", "scopes": ["admin"], "days": "30"}).status_code == 201
    assert ApiToken.objects.get().scopes == "admin"


@pytest.mark.django_db
def test_others_are_not_told_of_what_admins_may_grant(client, ada):
    client.force_login(ada)
    page = client.get(TOKENS).text
    assert ("view site settings" in page, "monitor this site" in page) == (False, False)
