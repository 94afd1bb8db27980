"""Forged, damaged and repeated launches: a plain page, a line in the log without tokens, and nothing created."""

import time

import jwt
import pytest
from django.core.cache import cache
from django.utils import timezone

from learnagent.accounts.models import Person
from learnagent.lti.models import LoginState, PlatformAccount, PlatformCourse, Ticket
from tests.learnagent.lti.platform_server import CLAIM, CLIENT_ID, ISSUER, key_pair

pytestmark = pytest.mark.django_db
GONE = object()


@pytest.fixture
def forge(client, lms, begun):
    """Send a launch with some claims changed, or signed in another way; return the page that comes."""

    def send(changes=None, *, sign=None, state=None):
        message = lms.message(begun())
        message._registration = lms.registration
        claims, own_state = message.get_launch_data()
        now = int(time.time())
        claims |= {"iat": now, "exp": now + 300} | (changes or {})
        claims = {name: value for name, value in claims.items() if value is not GONE}
        kid = lms.registration.get_kid()
        token = (sign or genuine(lms))(claims, {"kid": kid})
        return client.post("/lti/launch/", {"state": own_state if state is None else state, "id_token": token})

    return send


def genuine(lms):
    return lambda claims, headers: jwt.encode(claims, lms.private_key, algorithm="RS256", headers=headers)


def refused(response, caplog, *, status=400):
    assert response.status_code == status
    assert "learnagent could not be opened" in response.content.decode()
    assert not Person.objects.exists()
    assert not any(model.objects.exists() for model in (PlatformAccount, PlatformCourse, Ticket))
    [line] = [record.getMessage() for record in caplog.records if record.name == "learnagent.lti.views"]
    assert "eyJ" not in line
    return line


def test_what_is_changed_below_is_accepted_unchanged(forge):
    assert forge().status_code == 200


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"exp": 1_000_000_000}, "ExpiredSignatureError"),
        ({"exp": GONE}, "MissingRequiredClaimError"),
        ({"iat": 4_000_000_000, "exp": 4_000_000_300}, "ImmatureSignatureError"),
        ({"aud": "another client"}, "InvalidAudienceError"),
        ({"aud": [CLIENT_ID, "another"], "azp": "another"}, "another client"),
        ({"aud": [CLIENT_ID, "another"], "azp": GONE}, "another client"),
        ({"azp": "another"}, "another client"),
        ({"iss": "https://evil.example.org"}, "InvalidIssuerError"),
        ({"nonce": "another launch's"}, "nonce of another launch"),
        ({"nonce": GONE}, "MissingRequiredClaimError"),
        ({"sub": GONE}, "MissingRequiredClaimError"),
        ({"sub": ""}, "sub is missing"),
        ({"sub": "x" * 300}, "sub is missing"),
        ({"sub": "a\x00b"}, "sub is missing"),
        ({f"{CLAIM}deployment_id": "deployment-9"}, "unknown deployment"),
        ({f"{CLAIM}deployment_id": GONE}, "deployment_id is missing"),
        ({f"{CLAIM}deployment_id": ["deployment-1"]}, "deployment_id is missing"),
        ({f"{CLAIM}version": "1.1"}, "not LTI 1.3.0"),
        ({f"{CLAIM}message_type": "LtiSubmissionReviewRequest"}, "unknown message type"),
        ({f"{CLAIM}target_link_uri": "https://evil.example.org/lti/launch/"}, "link to another site"),
        ({f"{CLAIM}roles": GONE}, "no roles"),
        ({f"{CLAIM}resource_link": {}}, "id is missing"),
        ({f"{CLAIM}context": {"title": "no id"}}, "id is missing"),
    ],
)
def test_claims_are_checked(forge, caplog, changes, reason):
    assert reason in refused(forge(changes), caplog)


def test_another_key_does_not_sign(forge, caplog):
    private, _public = key_pair()
    page = forge(sign=lambda claims, headers: jwt.encode(claims, private, algorithm="RS256", headers=headers))
    assert "InvalidSignatureError" in refused(page, caplog)


def test_no_signature_is_none(forge, caplog):
    page = forge(sign=lambda claims, headers: jwt.encode(claims, None, algorithm="none", headers=headers))
    assert "not signed with RS256" in refused(page, caplog)


def test_the_public_key_is_no_shared_secret(forge, caplog, lms):
    """A token signed by HMAC with the public key, which everybody can read, is not the platform's."""
    secret = lms.registration.get_platform_public_key().encode()
    signer = jwt.PyJWS()
    signer._algorithms["HS256"].prepare_key = lambda key: key  # PyJWT refuses to make such a token.

    def sign(claims, headers):
        return signer.encode(jwt.api_jwt.json.dumps(claims).encode(), secret, algorithm="HS256", headers=headers)

    assert "not signed with RS256" in refused(forge(sign=sign), caplog)


def test_a_key_the_platform_does_not_publish_is_unknown(forge, caplog, lms):
    page = forge(sign=lambda claims, headers: genuine(lms)(claims, {"kid": "mine", "jwk": {}, "jku": f"{lms.url}/x"}))
    assert "unknown key" in refused(page, caplog)
    assert set(lms.requests) == {"/keys"}


@pytest.mark.parametrize("state", ["", "made up", "x" * 5000, "\x00"])
def test_a_state_is_one_of_ours(forge, caplog, state):
    assert "state unknown or used" in refused(forge(state=state), caplog)


def test_a_launch_counts_once(client, lms, begun):
    sent = lms.message(begun()).lti_launch()
    fields = {"state": sent["state"], "id_token": sent["id_token"]}
    assert [client.post("/lti/launch/", fields).status_code for _time in range(2)] == [200, 400]


def test_a_token_does_not_fit_another_launch(client, lms, begun, caplog):
    old = lms.message(begun()).lti_launch()
    page = client.post(
        "/lti/launch/", {"state": lms.message(begun()).lti_launch()["state"], "id_token": old["id_token"]}
    )
    assert "nonce of another launch" in refused(page, caplog)


def test_a_launch_must_not_take_long(forge, caplog, begun, client, lms):
    sent = lms.message(begun()).lti_launch()
    LoginState.objects.update(expires_at=timezone.now())
    page = client.post("/lti/launch/", {"state": sent["state"], "id_token": sent["id_token"]})
    assert "state expired" in refused(page, caplog)


@pytest.mark.parametrize("token", ["", "a.b.c", "eyJhbGciOiJSUzI1NiJ9..", "é", "x" * 60_000])
def test_what_is_no_token_is_refused(forge, caplog, token):
    refused(forge(sign=lambda claims, headers: token), caplog)


@pytest.mark.parametrize("behavior", [500, "huge", "redirect", "text"])
def test_keys_that_cannot_be_read_let_nobody_in(forge, caplog, lms, behavior):
    lms.behavior["/keys"] = behavior
    assert "keys cannot be read" in refused(forge(), caplog, status=502)
    assert "/moved" not in lms.requests


def test_an_unreachable_platform_lets_nobody_in(forge, caplog, registered):
    registered.jwks_url = "http://127.0.0.1:1/keys"
    registered.save()
    assert "keys cannot be read" in refused(forge(), caplog, status=502)


def test_unknown_keys_do_not_make_the_platform_be_asked_each_time(forge, lms, caplog):
    forge()
    for _time in range(3):
        forge(sign=lambda claims, headers: genuine(lms)(claims, {"kid": "mine"}))
    assert lms.requests == ["/keys", "/keys"]
    cache.clear()


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({}, "platform not registered"),
        ({"iss": "https://evil.example.org"}, "platform not registered"),
        ({"iss": ISSUER, "client_id": "another"}, "platform not registered"),
        ({"iss": "\x00"}, "platform not registered"),
        ({"iss": ISSUER, "login_hint": "1"}, "link to another site"),
        ({"iss": ISSUER, "login_hint": "1", "target_link_uri": "https://evil.example.org"}, "link to another site"),
        ({"iss": ISSUER, "target_link_uri": "PUBLIC"}, "no login hint"),
    ],
)
def test_a_launch_begins_only_at_a_registered_platform(client, registered, settings, caplog, asked, reason):
    asked = {name: settings.PUBLIC_URL if value == "PUBLIC" else value for name, value in asked.items()}
    assert reason in refused(client.post("/lti/login/", asked), caplog)
    assert not LoginState.objects.exists()


def test_a_platform_that_is_turned_off_opens_nothing(forge, begun, client, lms, registered, caplog):
    sent = lms.message(begun()).lti_launch()
    registered.is_active = False
    registered.save()
    page = client.post("/lti/launch/", {"state": sent["state"], "id_token": sent["id_token"]})
    assert "platform turned off" in refused(page, caplog)
