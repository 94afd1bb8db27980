"""K1: keys, cookies, mail addresses and this place's own secrets never get into a log."""

import logging
import re

import pytest
import structlog
from django.conf import settings
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from learnagent.configuration.model_servers import ModelServer
from learnagent.operations import log_redaction
from learnagent.operations.log_redaction import HIDDEN, redact
from learnagent.operations.logs import line_formatter
from tests.access.rules import RULES

PLANTED = [
    "key sk-ant-CANARY0123 was refused",
    "Incorrect API key provided: sk-proj-CANARY_0123-abc.",
    "{'Authorization': 'Bearer CANARY.0123'}",
    "authorization: Basic CANARY0123",
    "headers={'x-api-key': 'CANARY0123', 'accept': '*/*'}",
    "(b'cookie', b'sessionid=CANARY0123; csrftoken=CANARY0123')",
    "GET /ws/s?token=CANARY0123&x=1",
    "could not reach postgresql://CANARY:CANARY@db.example/lessons",
    "mail to CANARY.child+school@example.org bounced",
    "Forbidden (CSRF cookie not set.): /accounts/link/CANARY0123/",
    "Unprocessable Content: /card/CANARY-0123/",
    "Not Found: /co-teach/CANARY0123/",
    "GET http://learn.example:8000/guardian/CANARY0123/",
    "Not Found: /accounts/reset/1.CANARY-0123/",
    "GET http://learn.example:8000/accounts/link/CANARY/?next=/",
    "redirected to /accounts/sign-in/?next=%2Fc%2FCANARY%2F",
    '127.0.0.1:5 - "GET /c/CANARY/rename/ HTTP/1.1" 200',
    "WebSocket /v2/ws/CANARY [accepted]",
    "/ws/CANARY?token=CANARY",
    "(/live/CANARY)",
    "/api/session/CANARY/history",
    "'/v2/sessions/CANARY/turns'",
    "Internal Server Error: /planner/calendar/CANARY0123.ics",
    "GET https://learn.example/reminders/CANARY0123.ics",
    "DELETE /session/CANARY",
    "/learn/lesson/CANARY/pace/",
    f"the token la_{'CANARY' * 8}"[:56] + " was tried",
    "POST /chat?session_id=CANARY&x=1",
    '{"text": "hi", "session_id": "my CANARY \\"CANARY\\" key", "x": 1}',
    "{'session_id': 'my CANARY key'}",
    "duplicate key\nDETAIL:  Key (username)=(CANARY) already exists.",
    "DETAIL:  Key (owner_id, lower(name::text))=(1, my (CANARY) and\nCANARY) already exists.",
    "DETAIL:  Schlüssel »(name)=(a) CANARY)« existiert bereits.",
    "DETAIL:  Failing row contains (1, CANARY, null).",
    "no room at '/c/CANARY's key of CANARY/' just now",
    '/c/CANARY "and" CANARY',
    'GET /c/CANARY key CANARY/ HTTP/1.1" 200',
]


@pytest.mark.parametrize("line", PLANTED)
def test_planted_secret_is_hidden(line):
    """K1"""
    assert "CANARY" not in redact(line)
    assert HIDDEN in redact(line)


def test_secrets_of_the_installation_are_hidden(monkeypatch):
    """K1, K3"""
    monkeypatch.setattr(log_redaction, "environment", {"SOME_TOKEN": SecretStr("CANARY-without-a-shape")})
    log_redaction._secrets.cache_clear()
    assert redact(f"{settings.SECRET_KEY} and CANARY-without-a-shape") == f"{HIDDEN} and {HIDDEN}"
    log_redaction._secrets.cache_clear()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", SecretStr("postgresql://app:CANARY%2Fpassword@db/learnagent")),
        ("EMAIL_URL", SecretStr("smtp://app:CANARY%2Fpassword@mail")),
        ("LLM_BACKENDS", {"gpu-1": ModelServer(provider="openai", api_key=SecretStr("CANARY/password"), strong="m")}),
    ],
)
def test_passwords_and_keys_within_settings_are_hidden_without_the_rest(monkeypatch, name, value):
    """K1: a server that refuses a password or a key may repeat it, and nothing else."""
    monkeypatch.setattr(log_redaction, "environment", {name: value})
    log_redaction._secrets.cache_clear()
    assert redact("CANARY/password was refused") == f"{HIDDEN} was refused"
    log_redaction._secrets.cache_clear()


PUBLIC = [address for address, rule in RULES.items() if rule.anonymous == "page" and "<" in address]


@pytest.mark.parametrize("address", PUBLIC)
def test_address_that_opens_without_signing_in_is_hidden(address):
    """K1: whoever reads the log could open it."""
    path = re.sub(r"<[^>]+>", "CANARY0123", address)
    assert "CANARY" not in redact(f"Not Found: /{path}")


@pytest.mark.parametrize("layout", ["text", "json"])
def test_exceptions_and_arguments_are_part_of_the_line(layout):
    """K1: an exception's own text may carry the key that was refused."""
    try:
        raise ValueError("sk-ant-CANARY0123")
    except ValueError as error:
        record = logging.LogRecord("n", logging.ERROR, "p", 1, "key=%s", ("sk-CANARY0123",), (type(error), error, None))
    line = line_formatter(layout).format(record)
    assert "CANARY" not in line
    assert "ValueError" in line


def test_every_handler_writes_through_it():
    used = {handler["formatter"] for handler in settings.LOGGING["handlers"].values()}
    made_by = {settings.LOGGING["formatters"][name]["()"] for name in used}
    assert made_by <= {"learnagent.operations.logs.line_formatter", "learnagent.operations.logs.console_formatter"}


def test_what_follows_a_hidden_path_or_value_is_kept():
    assert redact('"GET /c/key/?x=1 HTTP/1.1" 200') == f'"GET /c/{HIDDEN} HTTP/1.1" 200'
    assert redact(f"POST /c/{HIDDEN} not done: locked") == f"POST /c/{HIDDEN} not done: locked"
    assert redact("'/c/key' failed\nnext line") == f"'/c/{HIDDEN}\nnext line"
    assert redact('{"session_id": "a b", "x": 1}') == f'{{"session_id": "{HIDDEN}", "x": 1}}'
    assert redact("Key (name)=(a) already exists.") == f"Key (name)=({HIDDEN}) already exists."


@pytest.mark.parametrize(
    "line",
    [
        "la_12345678… was revoked",
        "Key (name) is missing",
        "f(x) = (y)",
        "turn=0d3 agent=tutor after_ms=12",
        "Ask in 3/4 of a minute",
        "task-sk-1 skips",
        "GET /c/ 200",
        "/accounts/sessions/end/",
        "a/c/b is no page, and src/ws/client.py none either",
        'File "/usr/lib/python3/live.py", line 3',
    ],
)
def test_other_lines_stay_as_they_are(line):
    assert redact(line) == line


@given(st.text(max_size=300))
def test_any_text_can_be_redacted(text):
    assert redact(redact(text)) == redact(text)


class Foreign(logging.Handler):
    """Somebody else's handler, with a formatter of its own."""

    def __init__(self):
        super().__init__()
        self.records = []

    def emit(self, record):
        self.records.append(record)

    @property
    def text(self):
        plain = logging.Formatter("%(message)s")
        return "\n".join(f"{plain.format(each)} {each.args}" for each in self.records)


@pytest.fixture
def foreign():
    handler = Foreign()
    logger = logging.getLogger("some.library")
    logger.addHandler(handler)
    yield logger, handler
    logger.removeHandler(handler)


class TestEveryRecord:
    """K1: whoever writes it, and whoever reads it."""

    def test_arguments_keep_their_number_and_order(self, foreign):
        logger, handler = foreign
        logger.warning('%s - "%s %s HTTP/%s" %d', "127.0.0.1:5", "GET", "/c/CANARY/?token=CANARY", "1.1", 200)
        [record] = handler.records
        assert record.args == ("127.0.0.1:5", "GET", f"/c/{HIDDEN}", "1.1", 200)

    @pytest.mark.parametrize(
        ("message", "arguments"),
        [
            ("Not Found: %s", ("/c/CANARY CANARY and CANARY/",)),
            ("token=%s", ("CANARY",)),
            ("%(path)s", ({"path": "/ws/CANARY"},)),
            ("got %s", (ValueError("/accounts/link/CANARY/"),)),
            ("got %r", (b"/accounts/link/CANARY/",)),
            ("100 % /ws/CANARY", ()),
        ],
    )
    def test_message_and_arguments_are_redacted(self, foreign, message, arguments):
        logger, handler = foreign
        logger.warning(message, *arguments)
        assert HIDDEN in handler.text
        assert "CANARY" not in handler.text

    def test_exceptions_and_stacks_are_redacted(self, foreign):
        logger, handler = foreign
        try:
            raise LookupError("no page at /accounts/reset/1.CANARY/")
        except LookupError:
            logger.exception("failed", stack_info=True)
        assert "LookupError: no page" in handler.text
        assert "CANARY" not in handler.text

    def test_events_of_ours_are_redacted(self, foreign):
        _logger, handler = foreign
        ours = structlog.stdlib.get_logger("some.library")
        try:
            raise LookupError("no page at /accounts/reset/1.CANARY/")
        except LookupError:
            ours.exception("page_missing", path="/c/CANARY", error=ValueError("sk-CANARY0123"), tries=3)
        [record] = handler.records
        assert record.msg["tries"] == 3
        assert record.msg["path"] == f"/c/{HIDDEN}"
        assert "LookupError: no page" in handler.text
        assert "CANARY" not in handler.text

    def test_arguments_that_do_not_fit_are_left_to_logging(self):
        record = logging.getLogRecordFactory()("n", logging.WARNING, "p", 1, "%d", ("one",), None)
        assert record.args == ("one",)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("post", "/accounts/link/CANARY0123/"),
        ("post", "/accounts/reset/1.CANARY0123/"),
        ("post", "/c/CANARY key/rename/"),
        ("put", "/accounts/link/CANARY0123/"),
        ("get", "/c/CANARY key/"),
    ],
)
def test_refused_requests_leave_no_secret_in_the_log(caplog, ada, method, path):
    """K1: what Django itself says of a request that it refuses."""
    caplog.set_level(logging.WARNING, "django.request")
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada)
    getattr(client, method)(path)
    assert caplog.records
    assert "CANARY" not in caplog.text
