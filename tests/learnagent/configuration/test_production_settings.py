"""What the settings come to behind a proxy with https, asked of a process of its own."""

import os
import secrets
import subprocess
import sys

import pytest

from learnagent.configuration.environment import ROOT

HTTPS = {"PUBLIC_URL": "https://learn.example.org", "TRUSTED_PROXIES": "127.0.0.1"}
SETTINGS = """
from learnagent import settings
print(settings.SECURE_SSL_REDIRECT, settings.SECURE_HSTS_SECONDS, settings.SESSION_COOKIE_SECURE)
"""


def run(folder, *command, **variables):
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME"}}
    environment = kept | {"LEARNAGENT_DATA": str(folder), "SECRET_KEY": secrets.token_urlsafe(50)} | variables
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_check_for_deployment_finds_nothing_behind_a_proxy_with_https(tmp_path):
    checked = run(tmp_path, "manage.py", "check", "--deploy", "--fail-level", "WARNING", **HTTPS)
    assert checked.returncode == 0, checked.stderr


def test_check_for_deployment_warns_where_no_proxy_is_trusted(tmp_path):
    """Nobody then knows which requests came by https."""
    checked = run(
        tmp_path, "manage.py", "check", "--deploy", "--fail-level", "WARNING", **HTTPS | {"TRUSTED_PROXIES": ""}
    )
    assert (checked.returncode, "security.W008" in checked.stderr) == (1, True)


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, "False 0 False"),
        (HTTPS, "True 2592000 True"),
        (HTTPS | {"TRUSTED_PROXIES": ""}, "False 2592000 True"),
        (HTTPS | {"HSTS_SECONDS": "0"}, "True 0 True"),
        ({"HSTS_SECONDS": "3600"}, "False 0 False"),
    ],
)
def test_https_is_demanded_by_the_public_address(tmp_path, variables, expected):
    assert run(tmp_path, "-c", SETTINGS, **variables).stdout.strip() == expected


@pytest.fixture
def _behind_https(settings):
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_SSL_HOST = "learn.example.org"
    settings.SECURE_HSTS_SECONDS = 60


@pytest.mark.django_db
@pytest.mark.usefixtures("_behind_https")
def test_pages_are_redirected_to_https_and_monitoring_is_not(client):
    moved = client.get("/accounts/sign-in/")
    assert (moved.status_code, moved["Location"]) == (301, "https://learn.example.org/accounts/sign-in/")
    assert client.get("/health").status_code == 200
    assert client.get("/metrics").status_code == 401
    assert client.get("/accounts/sign-in/", secure=True)["Strict-Transport-Security"] == "max-age=60"
