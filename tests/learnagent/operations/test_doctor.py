"""`doctor` says of each part whether it works, honestly and without secrets, and fails where something needed is broken."""

import io
import re
import shutil
import tomllib
from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from agents.llm.prices import Price
from conversations.processes import heartbeats
from learnagent.backups.record import record_backup
from learnagent.configuration.language_models import OFFLINE
from learnagent.operations import doctor, recurring_work
from learnagent.operations.model_examination import red_square
from tests.agents.llm.conftest import KEY
from tests.learnagent.operations.test_health import serve_elsewhere
from tests.provider import Answer, Provider
from tutoring.understanding.training import general_heads_fitting

pytestmark = pytest.mark.django_db

WIRES = {
    "anthropic": ("agents.llm.anthropic.AnthropicBackend", ""),
    "openai": ("agents.llm.openai.OpenAIBackend", "/v1"),
}


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider() as provider:
        yield provider


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    settings.AGENTS = settings.AGENTS | {"sandbox": ""}


_weights_key = cache(general_heads_fitting.weights_key)


@pytest.fixture(autouse=True)
def _labelled_rows_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test changes them, and to read them takes longer than all else."""
    monkeypatch.setattr(general_heads_fitting, "weights_key", _weights_key)


@pytest.fixture(autouse=True)
def _worker(db: None) -> None:
    heartbeats.record_heartbeat("worker")


def connect(settings: Any, provider: Provider, wire: str = "openai", **options: Any) -> None:
    path, end = WIRES[wire]
    options = {"model": "big", "api_key": KEY, "base_url": provider.url + end} | options
    strong = {"BACKEND": path, "OPTIONS": options}
    fast = {"BACKEND": path, "OPTIONS": options | {"model": "small"}}
    settings.LLMS = {"strong": strong, "vision": strong, "fast": fast, "offline": OFFLINE}


def told() -> tuple[dict[str, str], str]:
    """Return part → what is said of it, and the error's words, empty where nothing is broken."""
    out, error = io.StringIO(), ""
    try:
        call_command("doctor", stdout=out, stderr=out)
    except CommandError as raised:
        error = str(raised)
    assert KEY not in out.getvalue() + error
    lines = out.getvalue().splitlines()
    return {line[7:33].strip(): f"{line[:6].strip()} {line[33:].strip()}" for line in lines}, error


def test_every_part_of_a_sound_place_is_told() -> None:
    parts, error = told()
    assert error == ""
    assert {part: says for part, says in parts.items() if not says.startswith("ok ")} == {}
    assert list(parts) == [
        "data folder",
        "disk",
        "files",
        "database",
        "backup",
        "cache",
        "channel layer",
        "worker",
        "embedded model",
        "message analysis",
        "code sandbox",
        "optional parts",
        "phone calls",
        "record store",
        "learning platforms",
        "tool web_search",
        "tool wikipedia",
        "tool arxiv",
        "models",
        "speech",
    ]
    assert parts["models"] == "ok none is connected, so the tutor uses its built-in text"


def test_operations_explain_every_part() -> None:
    page = Path(doctor.settings.BASE_DIR, "docs", "operations.md").read_text()
    parts, _error = told()
    # In the first column of the table.
    explained = re.findall(r"`([^`]+)`", "".join(re.findall(r"^\|([^|]+)\|", page, re.MULTILINE)))
    assert set(parts) - set(explained) == set()


def test_sandbox_is_tried_with_a_program(settings: Any) -> None:
    settings.AGENTS = settings.AGENTS | {"sandbox": "monty"}
    assert doctor.code_sandbox() == "monty runs programs"


def test_sandbox_that_is_not_there_is_told_and_no_other_takes_its_place(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.AGENTS = settings.AGENTS | {"sandbox": "bubblewrap"}
    monkeypatch.setenv("PATH", "")
    with pytest.raises(doctor.PartBroken, match="bubblewrap is not installed"):
        doctor.code_sandbox()


def test_optional_parts_are_named_with_the_words_that_install_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "is_installed", lambda packages: packages == ("rapidocr",))
    monkeypatch.setenv("PATH", "")
    says = doctor.optional_parts()
    assert says.startswith("installed: vision; not installed: speech, speech-gpl, salesforce, otel (")
    assert 'make install EXTRAS="speech speech-gpl salesforce otel"' in says
    assert "apt install bubblewrap" in says


def test_optional_parts_are_those_of_the_project() -> None:
    project = tomllib.loads(Path(doctor.settings.BASE_DIR, "pyproject.toml").read_text())
    assert set(doctor.EXTRAS) == set(project["project"]["optional-dependencies"])


@pytest.mark.parametrize("wire", WIRES)
def test_each_model_is_asked_once_and_tells_what_it_can(settings: Any, provider: Provider, wire: str) -> None:
    connect(settings, provider, wire, price=Price(input_usd=5, output_usd=25))
    parts, error = told()
    assert error == ""
    assert f"{wire} big answers in " in parts["model strong, vision"]
    assert f"{wire} small answers in " in parts["model fast"]
    assert "supports schemas, tools" in parts["model fast"]
    assert "images" in parts["model fast"]
    assert provider.attempts == 2 * 4


def test_each_backend_of_an_alias_is_examined(settings: Any, provider: Provider, capsys: Any) -> None:
    connect(settings, provider)
    path, options = settings.LLMS["strong"]["BACKEND"], settings.LLMS["strong"]["OPTIONS"]
    gone = options | {"name": "gpu-2", "base_url": "http://127.0.0.1:9/v1"}
    here = {"BACKEND": path, "OPTIONS": options | {"name": "gpu-1"}}
    both = (here, {"BACKEND": path, "OPTIONS": gone})
    settings.LLMS = dict.fromkeys(("strong", "fast", "vision"), both)
    out = io.StringIO()
    with pytest.raises(CommandError):
        call_command("doctor", stdout=out, stderr=out)
    first, second = [line for line in out.getvalue().splitlines() if "model fast, strong, vision" in line]
    assert (first[:6].strip(), second[:6].strip()) == ("ok", "BROKEN")
    assert "gpu-1 big answers in " in first
    assert "gpu-2 big: cannot be reached, or is down: http://127.0.0.1:9/v1" in second
    assert provider.attempts == 4


def test_used_tool_is_told(settings: Any, provider: Provider) -> None:
    connect(settings, provider)
    provider.otherwise(
        lambda asked: Answer(tools=(("note", {"word": "yes"}),)) if asked.tools else Answer(object={"word": "yes"})
    )
    parts, _error = told()
    assert "supports schemas, tools, images; price unknown" in parts["model fast"]


def test_what_a_server_cannot_do_is_no_fault_and_is_told(settings: Any) -> None:
    with Provider(schema=False, tools=False, images=False) as plain:
        connect(settings, plain)
        parts, error = told()
    assert error == ""
    assert "supports JSON without a schema, no tools, no images (the request was rejected (400))" in parts["model fast"]


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("V1", "too many requests right now (429), for another 1 s"),
        ("V3:429", "the provider's spending limit has been reached (429)"),
        ("V3:400", "the provider's spending limit has been reached (400)"),
        ("V4:529", "cannot be reached, or is down (529): http://127.0.0.1:"),
        ("V5:401", "the key was rejected (401)"),
        ("V5:400", "the request was rejected (400)"),
        ("V6", "the answer was cut off"),
        ("V10", "cannot be reached, or is down: http://127.0.0.1:"),
    ],
)
@pytest.mark.parametrize("wire", WIRES)
def test_model_that_does_not_answer_is_broken_for_a_reason(
    settings: Any, provider: Provider, wire: str, fault: str, reason: str
) -> None:
    """V1 to V10: the reason is told in our own words, and the key in none of them."""
    connect(settings, provider, wire)
    provider.fault(fault)
    parts, error = told()
    assert parts["model fast"].startswith(f"BROKEN {wire} small: {reason}")
    assert error == "broken: model fast; model strong, vision"


def test_server_that_is_not_there_is_named_without_what_signs_in_to_it(settings: Any) -> None:
    with Provider() as provider:
        pass
    connect(settings, provider, base_url=provider.url.replace("://", f"://user:{KEY}@") + "/v1")
    parts, _error = told()
    assert f"cannot be reached, or is down: {provider.url}/v1" in parts["model fast"]


def test_silent_model_is_given_up(settings: Any, provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    """V13: doctor itself ends in time."""
    monkeypatch.setattr("learnagent.operations.model_examination.ANSWER_WITHIN_S", 0.3)
    connect(settings, provider)
    provider.fault("V13")
    parts, _error = told()
    assert parts["model fast"].startswith("BROKEN openai small: no answer in time")


def test_job_that_nobody_does_is_a_fault() -> None:
    long_ago = timezone.now() - timedelta(hours=1)
    job = DBTaskResult.objects.create(
        args_kwargs={"args": [], "kwargs": {}},
        task_path="a.b",
        backend_name="default",
        queue_name="default",
        run_after=long_ago,
    )
    assert told()[0]["worker"] == "ok jobs waiting: 1, none of them for long"
    DBTaskResult.objects.filter(pk=job.pk).update(enqueued_at=long_ago)
    parts, error = told()
    assert parts["worker"].startswith("BROKEN overdue jobs: 1, and nothing is running them")
    assert error == "broken: worker"


def test_place_without_a_worker_is_told_and_not_broken() -> None:
    """What is not there is never called ok."""
    heartbeats.remove_heartbeat("worker")
    parts, error = told()
    assert (parts["worker"], error) == (f"warn none is running, so jobs are waiting: {doctor.START_WORKER}", "")


def test_celery_without_a_beat_is_told(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1"
    with pytest.raises(doctor.PartUnavailable, match="periodic jobs are late: start celery -A learnagent beat"):
        doctor.worker()
    recurring_work.run_recurring_work()
    assert doctor.worker() == "no jobs are waiting"


def test_web_processes_that_cannot_hear_of_one_another_are_a_fault() -> None:
    serve_elsewhere()
    heartbeats.record_heartbeat("web")
    assert told()[0]["channel layer"].startswith("BROKEN 2 web processes are running without a shared channel layer")


def test_full_disk_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "MIN_FREE_BYTES", 10**18)
    assert "too little" in told()[0]["disk"]


def test_little_room_is_told_in_megabytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=155_766_784))
    assert told()[0]["disk"] == "BROKEN 156 MB free, which is too little"


def test_folder_that_is_not_there_is_a_fault(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path / "nowhere"
    assert told()[0]["data folder"].startswith(f"BROKEN {tmp_path / 'nowhere'} cannot be written to")


def test_key_that_others_can_read_is_a_fault(tmp_path: Path) -> None:
    """K1."""
    (tmp_path / "secret_key").touch()
    (tmp_path / "secret_key").chmod(0o644)
    assert "can be read by others" in told()[0]["data folder"]


def test_age_of_the_latest_backup_is_told(settings: Any) -> None:
    assert told()[0]["backup"] == "ok none has been made"
    settings.HAS_HTTPS = True
    assert told()[0]["backup"].startswith("warn none has been made")
    made_at = timezone.now()
    record_backup(made_at - timedelta(days=3))
    parts, error = told()
    assert parts["backup"].startswith(f"warn the latest was made on {made_at - timedelta(days=3):%Y-%m-%d}: see")
    assert error == ""
    record_backup(made_at)
    assert told()[0]["backup"] == f"ok the latest was made on {made_at:%Y-%m-%d at %H:%M} UTC"


def test_database_that_is_away_is_told_once_and_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """G10."""

    def is_away(*_: object) -> None:
        raise OperationalError("no such place")

    monkeypatch.setattr("learnagent.operations.doctor.MigrationExecutor.__init__", is_away)
    monkeypatch.setattr(doctor, "_is_reachable", lambda: False)
    parts, error = told()
    assert parts["database"].startswith("BROKEN cannot be reached or written to (")
    said = "warn not checked: the database cannot be reached"
    assert [parts[part] for part in ("backup", "channel layer", "worker")] == [said] * 3
    assert error == "broken: database"


@pytest.mark.db
@pytest.mark.skipif(connection.vendor != "postgresql", reason="needs PostgreSQL: SQLite is a file")
def test_cause_is_what_the_server_or_the_system_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict, "HOST", "/nowhere")
    assert "No such file or directory" in doctor._cause(OperationalError("couldn't get a connection after 5.00 sec"))


def test_missing_migrations_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("learnagent.operations.doctor.MigrationExecutor.migration_plan", lambda self, targets: [1, 2])
    assert told()[0]["database"] == "BROKEN 2 migrations have not been applied: run manage.py migrate"


def test_redis_is_asked_itself(shared: Any) -> None:
    parts, error = told()
    assert parts["cache"].startswith("ok Redis ")
    assert error == ""
    shared.kill()
    parts, error = told()
    assert parts["channel layer"] == "BROKEN Redis does not answer (ConnectionError), see REDIS_URL"
    assert error == "broken: cache; channel layer"


def test_red_square_is_a_picture() -> None:
    assert red_square()[:8] == b"\x89PNG\r\n\x1a\n"


def test_what_hears_and_what_speaks_is_told(settings: Any, provider: Provider) -> None:
    options = {"api_key": KEY, "base_url": provider.url + "/v1"}
    ear = {"BACKEND": "agents.audio.openai.OpenAITranscriber", "OPTIONS": options | {"model": "ear"}}
    mouth = {
        "BACKEND": "agents.audio.openai.OpenAISynthesizer",
        "OPTIONS": options | {"model": "mouth", "voice": "any"},
    }
    settings.SPEECH = {"transcription": [ear], "speech": [mouth]}
    parts, error = told()
    assert parts["transcription"].startswith("ok openai ear answers in ")
    assert parts["speech"].startswith("ok openai mouth answers in ")
    assert error == ""
    provider.fault("V5")
    parts, error = told()
    assert parts["transcription"] == "BROKEN openai ear: the key was rejected (401)"
    assert "speech" in error


def test_phone_calls_need_a_safe_public_address(settings):
    settings.TWILIO_AUTH_TOKEN = ""
    assert doctor.phone_calls() == "not set up"
    settings.TWILIO_AUTH_TOKEN, settings.PUBLIC_URL = "x" * 32, "http://127.0.0.1:8000"
    with pytest.raises(doctor.PartUnavailable, match="PUBLIC_URL"):
        doctor.phone_calls()
    settings.PUBLIC_URL = "https://learn.example"
    assert "https://learn.example/twilio/voice" in doctor.phone_calls()
