"""At every address: no form of a foreign page counts, and no answer is guessed to be a script or shown in a frame."""

import pytest
from django.http import HttpResponseForbidden
from django.test import Client

from tests.access.rules import RULES
from tests.access.test_every_address import EVERY, path_of, undone

NOT_BY_COOKIE = {"lti/choose/", "lti/launch/", "lti/login/", "lti/open/", "twilio/process-speech", "twilio/voice"}
"""Where a signature, a state or a ticket that is used once takes the place of the cookie and the form's token."""
IN_FRAMES = {"lti/choose/", "lti/launch/", "lti/login/"}
"""Where a learning platform shows pages of ours in its own; the policy of each page names which platform."""


@pytest.mark.django_db
def test_form_without_its_token_is_refused(adas, root, monkeypatch):
    """The browser of an admin was led to send it."""
    # Nobody looks at the page that says so: most of the time would go into it.
    monkeypatch.setattr("learnagent.http.error_pages.csrf_failure_page", lambda *_: HttpResponseForbidden())
    client = Client(enforce_csrf_checks=True)
    client.force_login(root)
    accepted = {}
    for address in EVERY:
        with undone():
            accepted[address] = client.post(path_of(address, adas)).status_code
    assert {address for address, status in accepted.items() if status not in (403, 404, 405)} == NOT_BY_COOKIE


@pytest.mark.django_db
def test_every_answer_says_what_a_browser_must_not_do_with_it(adas, ada):
    client = Client()
    client.force_login(ada)
    framed = set()
    for address, rule in RULES.items():
        with undone():
            answer = getattr(client, rule.method)(path_of(address, adas))
        assert answer["X-Content-Type-Options"] == "nosniff", address
        assert answer["Referrer-Policy"] == "same-origin", address
        assert answer["Cross-Origin-Opener-Policy"] == "same-origin", address
        assert "default-src 'none'" in answer["Content-Security-Policy"], address
        if answer.get("X-Frame-Options") != "DENY":
            framed.add(address)
    assert framed == IN_FRAMES
