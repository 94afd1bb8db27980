"""`EMAIL_URL` as Django's settings."""

from pathlib import Path

import pytest

from learnagent.configuration.email_url import parse_mailer, parse_sender

FOLDER = Path("/data/mail")


@pytest.mark.parametrize(
    ("url", "options"),
    [
        ("smtp://mx", {"host": "mx", "port": 25, "use_tls": False, "use_ssl": False, "username": ""}),
        ("smtp+tls://u%40x:p%2Fw@mx", {"port": 587, "use_tls": True, "username": "u@x", "password": "p/w"}),
        ("smtps://u:p@mx:4650/?from=a@b.example", {"port": 4650, "use_ssl": True, "use_tls": False}),
    ],
)
def test_a_mail_servers_address_is_read(url, options):
    assert parse_mailer(url, folder=FOLDER)["OPTIONS"].items() >= options.items()


@pytest.mark.parametrize(("url", "path"), [("", "/data/mail"), ("file:///var/mail%20box", "/var/mail box")])
def test_mail_may_be_kept_in_files(url, path):
    assert parse_mailer(url, folder=FOLDER)["OPTIONS"] == {"file_path": path}


@pytest.mark.parametrize(
    "url", ["http://mx", "mx:25", "smtp://", "smtp:///x", "smtp://mx:port", "file://host/x", "file:"]
)
def test_anything_else_is_refused(url):
    with pytest.raises(ValueError, match=r".+"):
        parse_mailer(url, folder=FOLDER)


def test_sender_is_named_or_learnagent():
    assert parse_sender("smtp://mx/?from=school@b.example", host="x") == "school@b.example"
    assert parse_sender("", host="learn.example") == "learnagent@learn.example"


def test_sender_cannot_add_headers():
    with pytest.raises(ValueError, match="from"):
        parse_sender("smtp://mx/?from=a@b.example%0d%0aBcc:x@y.example", host="x")
