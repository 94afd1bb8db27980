"""The one door to environment variables."""

import pytest

from learnagent.configuration import environment
from learnagent.configuration.environment import Environment, read_environment
from learnagent.operations import configuration_api


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch):
    for name in Environment.model_fields:
        monkeypatch.delenv(name, raising=False)


def test_nothing_has_to_be_set():
    assert read_environment().public_url == "http://127.0.0.1:8000"


def test_empty_variable_is_one_not_set(monkeypatch):
    monkeypatch.setenv("LEARNAGENT_PORT", "")
    assert read_environment().LEARNAGENT_PORT == 8000


def test_public_address_follows_host_and_port(monkeypatch):
    monkeypatch.setenv("LEARNAGENT_PORT", "9000")
    assert read_environment().public_url == "http://127.0.0.1:9000"


def test_public_address_has_no_slash_at_its_end(monkeypatch):
    monkeypatch.setenv("PUBLIC_URL", "https://learn.example/")
    assert read_environment().public_url == "https://learn.example"


def test_traces_need_their_packages(monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318/")
    assert read_environment().OTEL_EXPORTER_OTLP_ENDPOINT == "http://collector:4318"
    monkeypatch.setattr(environment, "find_spec", lambda name: None)
    with pytest.raises(SystemExit, match=r"OTEL_EXPORTER_OTLP_ENDPOINT: .*make install EXTRAS=otel"):
        read_environment()


def test_origins_of_other_sites_are_a_list(monkeypatch):
    assert read_environment().CORS_ORIGINS == ()
    monkeypatch.setenv("CORS_ORIGINS", "https://app.example, http://127.0.0.1:5173")
    assert read_environment().CORS_ORIGINS == ("https://app.example", "http://127.0.0.1:5173")


def test_public_services_are_asked_unless_they_are_off(monkeypatch):
    read = read_environment()
    assert (read.SEARXNG_URL, read.WIKIPEDIA_URL) == ("", "https://en.wikipedia.org/w/api.php")
    assert read.ARXIV_URL == "https://export.arxiv.org/api/query"
    monkeypatch.setenv("WIKIPEDIA_URL", "off")
    monkeypatch.setenv("SEARXNG_URL", "http://searx:8080/")
    read = read_environment()
    assert (read.SEARXNG_URL, read.WIKIPEDIA_URL) == ("http://searx:8080", "")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LEARNAGENT_PORT", "0"),
        ("LEARNAGENT_PORT", "web"),
        ("PUBLIC_URL", "learn.example"),
        ("EMAIL_URL", "http://x"),
        ("DATABASE_URL", "mysql://x"),
        ("REDIS_URL", "http://x"),
        ("SECRET_KEY", "short"),
        ("STORAGE_URL", "http://x"),
        ("LLM_PROVIDER", "oracle"),
        ("SEARXNG_URL", "searx:8080"),
        ("WIKIPEDIA_URL", "https://user:word@en.wikipedia.org"),
        ("ARXIV_URL", "https://export.arxiv.org/api/query?key=1"),
        ("OUTSIDE_DATABASE_URL", "mysql://x"),
        ("OUTSIDE_DATABASE_URL", "sqlite:///relative.db"),
        ("OUTSIDE_DATABASE_URL", f"sqlite:///{environment.ROOT}/var/learnagent.sqlite3"),
        ("SALESFORCE_USERNAME", "sales@example.org"),
        ("SALESFORCE_DOMAIN", "evil.example/login?x="),
        ("MULTI_AGENT_RATE_LIMIT", "-1"),
        ("CORS_ORIGINS", "https://app.example/path"),
        ("CORS_ORIGINS", "https://app.example, *"),
        ("CORS_ORIGINS", "app.example"),
        ("MULTI_AGENT_MAX_ROUNDS", "11"),
        ("MULTI_AGENT_TIMEOUT_MS", "0"),
        ("TURN_RATE_LIMIT", "-1"),
        ("LOG_LEVEL", "LOUD"),
        ("LOG_FORMAT", "xml"),
        ("ACCESS_LOG", "sometimes"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://user:word@collector:4318"),
        ("LEARNAGENT_KILL_AT", "after_ack"),
    ],
)
def test_wrong_value_stops_the_start_with_its_name(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit, match=name):
        read_environment()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "postgresql://app:CANARY/x@db/learnagent"),
        ("DATABASE_URL", "postgresql://app:1234#CANARY@db/learnagent"),
        ("REDIS_URL", "redis://:CANARY/x@redis:6379/0"),
        ("EMAIL_URL", "smtp://app:CANARY/x@mail:587"),
        ("STORAGE_URL", "s3://KEY:CANARY/x@bucket"),
        ("STORAGE_URL", "s3://KEY:[CANARY@bucket"),
        ("OUTSIDE_DATABASE_URL", "postgresql://app:CANARY/x@db/sales"),
    ],
)
def test_password_that_breaks_its_address_is_not_told(monkeypatch, name, value):
    """K1, K3: the usual mistake is a password whose special characters are not encoded."""
    monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit, match=rf"{name}: .*%2F") as stopped:
        read_environment()
    assert "CANARY" not in str(stopped.value)


def test_no_setting_that_holds_a_password_or_an_account_is_shown(monkeypatch):
    """K1: neither by what prints the environment nor by `/config`."""
    given = {
        "DATABASE_URL": "postgresql://CANARY:CANARY@db/learnagent",
        "REDIS_URL": "redis://:CANARY@redis:6379/0",
        "EMAIL_URL": "smtp://CANARY:CANARY@mail",
        "STORAGE_URL": "s3://CANARY:CANARY@bucket",
        "XAPI_ENDPOINT": "https://lrs.example/xapi",
        "XAPI_SECRET": "CANARY",
    }
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("XAPI_KEY", "ACCOUNT")
    read = read_environment()
    monkeypatch.setattr(configuration_api, "environment", read)
    assert "CANARY" not in repr(read)
    shown = configuration_api.shown_settings()
    assert shown["XAPI_ENDPOINT"] == "https://lrs.example/xapi"
    assert "CANARY" not in repr(shown)
    assert "ACCOUNT" not in repr(shown)


def test_agents_cannot_be_given_the_programs_own_database(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgresql://app:word@db:5432/learnagent")
    monkeypatch.setenv("OUTSIDE_DATABASE_URL", "postgresql://reading@db/learnagent")
    with pytest.raises(SystemExit, match="own database"):
        read_environment()
    monkeypatch.setenv("OUTSIDE_DATABASE_URL", "postgresql://reading@db/sales")
    assert read_environment().OUTSIDE_DATABASE_URL.get_secret_value().endswith("/sales")


def test_every_wrong_variable_is_named_at_once(monkeypatch):
    monkeypatch.setenv("LEARNAGENT_PORT", "0")
    monkeypatch.setenv("LOG_LEVEL", "LOUD")
    with pytest.raises(SystemExit, match=r"LEARNAGENT_PORT.*LOG_LEVEL"):
        read_environment()


@pytest.mark.parametrize("step", environment.KILL_STEPS)
def test_drill_may_end_the_process_at_each_step(monkeypatch, step):
    monkeypatch.setenv("LEARNAGENT_DRILL", "1")
    monkeypatch.setenv("LEARNAGENT_KILL_AT", step)
    assert step == read_environment().LEARNAGENT_KILL_AT


def test_unknown_step_of_a_drill_is_refused(monkeypatch):
    monkeypatch.setenv("LEARNAGENT_DRILL", "1")
    monkeypatch.setenv("LEARNAGENT_KILL_AT", "sometime")
    with pytest.raises(SystemExit, match="LEARNAGENT_KILL_AT"):
        read_environment()


@pytest.mark.parametrize("name", ["OPENAI_TRANSCRIBE_MODEL", "OPENAI_SPEECH_MODEL"])
def test_speech_by_a_server_needs_one(monkeypatch, name):
    monkeypatch.setenv(name, "any")
    with pytest.raises(SystemExit, match=f"OPENAI_API_KEY is required for {name}"):
        read_environment()
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert getattr(read_environment(), name) == "any"
