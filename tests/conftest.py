"""What every test has: five people, no way out to the network, and a clean slate."""

import gc
import inspect
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import SyncToAsync, async_to_sync, sync_to_async
from django.conf import settings
from django.core.cache import cache, caches
from django.db import connection, connections, transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.test import TransactionTestCase
from django.test.client import ClientHandler
from django.utils.decorators import sync_only_middleware
from hypothesis import settings as hypothesis_settings
from structlog.contextvars import clear_contextvars

from agents.prompts.versions import forget_prompts
from agents.rollout.flags import forget_flags
from agents.sockets import socket_quota
from agents.storage.availability import database
from agents.tools.outside_services import OutsideServices
from agents.tools.salesforce import SalesforceAccount
from conversations.search import vector_cache
from conversations.v1.deprecation import forget_deprecation
from learnagent.configuration.language_models import OFFLINE
from learnagent.http.static_files import CompressedStaticMiddleware
from learnagent.operations import health
from learnagent.site.look import hold_defaults
from tests import network, people, redis
from tests.event_log import EventLog, listening

# A busy machine is no failure.
hypothesis_settings.register_profile("unhurried", deadline=None)
hypothesis_settings.load_profile("unhurried")


def pytest_configure() -> None:
    """Connect no model and no service, whatever the developer's shell has; and hash passwords quickly.

    Until all tests are collected nothing of theirs is garbage, and to look for it takes seconds.
    """
    gc.disable()
    settings.LLMS = dict.fromkeys(("strong", "fast", "vision", "offline"), OFFLINE)
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.SPEECH = {}
    settings.XAPI_ENDPOINT = ""
    settings.AGENTS = settings.AGENTS | {
        "services": OutsideServices(),
        "outside_database_url": "",
        "salesforce": SalesforceAccount(),
    }


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse async tests whose rows would leak: the ORM works for them in another thread and transaction.

    And those that would take from the others of their module what is `stored_once` for them.
    """
    emptying, keeping = set(), set()
    for item in items:
        marker = item.get_closest_marker("django_db")
        is_async = inspect.iscoroutinefunction(getattr(item, "obj", None))
        in_transaction = marker and not marker.kwargs.get("transaction")
        if in_transaction and is_async:
            raise pytest.UsageError(f"{item.nodeid}: an async test needs django_db(transaction=True)")
        if marker and not in_transaction:
            emptying.add(item.path)
        if "stored_once" in getattr(item, "fixturenames", ()):
            keeping.add(item.path)
    if both := emptying & keeping:
        raise pytest.UsageError(f"{min(both)}: a test with django_db(transaction=True) empties what is stored once")


def pytest_collection_finish() -> None:
    """Let no collection of garbage look again at all that was imported: it stays to the end.

    And let there be fewer: with Python's own thresholds they take a tenth of the tests' time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(2_000, 50, 100)
    gc.enable()


@pytest.fixture(autouse=True, scope="session")
def _this_machine_only() -> Iterator[None]:
    with network.this_machine_only():
        yield


@pytest.fixture(autouse=True, scope="session")
def _quick_flush() -> Iterator[None]:
    """Leave out what Django makes anew after each transactional test, permissions that nobody here asks for.

    And SQLite's connection: with the last one, its write-ahead log is emptied and deleted.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.core.management.commands.flush.emit_post_migrate_signal", lambda *args, **options: None)
        if connection.vendor == "postgresql":
            patch.setattr(type(connection.ops), "sql_flush", _deletions)
        else:
            patch.setattr(TransactionTestCase, "_should_reload_connections", lambda case: False)
        yield


@pytest.fixture(autouse=True, scope="session")
def _static_files_once() -> Iterator[None]:
    """Look for the static files once: what stands before the views is set up anew by each test's client."""
    found: dict[str, Any] = {}
    look = CompressedStaticMiddleware.add_files_from_finders

    def remember(middleware: CompressedStaticMiddleware) -> None:
        if not found:
            look(middleware)
            found.update(middleware.files)
        middleware.files.update(found)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CompressedStaticMiddleware, "add_files_from_finders", remember)
        yield


@pytest.fixture(autouse=True, scope="session")
def _no_loop_for_static_files() -> Iterator[None]:
    """Let the test client, which is synchronous, start no loop and thread for each request to ask for a static file.

    The asynchronous client and what serves by ASGI have the middleware itself.
    """
    load, itself = ClientHandler.load_middleware, f"{CompressedStaticMiddleware.__module__}.CompressedStaticMiddleware"

    def load_without(handler: ClientHandler, is_async: bool = False) -> None:
        before = settings.MIDDLEWARE
        settings.MIDDLEWARE = [f"{__name__}.static_files" if each == itself else each for each in before]
        try:
            load(handler, is_async)
        finally:
            settings.MIDDLEWARE = before

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ClientHandler, "load_middleware", load_without)
        yield


@sync_only_middleware
def static_files(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Leave a static file to the middleware, and answer all else without it."""
    serving = CompressedStaticMiddleware(sync_to_async(get_response))

    def answer(request: HttpRequest) -> HttpResponseBase:
        return async_to_sync(serving)(request) if request.path_info in serving.files else get_response(request)

    return answer


def _deletions(ops: Any, style: Any, tables: Sequence[str], **options: Any) -> list[str]:
    """Empty the tables in any order; to truncate small ones takes PostgreSQL half a second."""
    deletions = [f"DELETE FROM {ops.quote_name(table)}" for table in tables]
    return ["SET LOCAL session_replication_role = replica", *deletions]


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> Iterator[None]:
    """Give back what the thread of the async tests holds, before the database it is of is dropped."""
    yield
    SyncToAsync.single_thread_executor.submit(connections.close_all).result()


@pytest.fixture(scope="session")
def empty_database(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Path | None:
    """Copy the tests' SQLite file, for servers on a folder of their own: to make its tables takes seconds.

    There is none where no test that was asked for is marked django_db.
    """
    own = connection.settings_dict
    if connection.vendor != "sqlite" or str(own["NAME"]) != str(own["TEST"]["NAME"]):
        return None
    path = tmp_path_factory.mktemp("empty") / "learnagent.sqlite3"
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(path)])
    return path


@pytest.fixture(autouse=True)
def _nobody_went_out() -> Iterator[None]:
    """Fail a test that tried to leave the machine although its code took the refusal for a lost connection."""
    network.attempts.clear()
    yield
    if network.attempts:
        pytest.fail(f"tried to reach {', '.join(network.attempts)}")


@pytest.fixture(autouse=True)
def _clean_slate() -> None:
    """Forget what the process remembers from the test before."""
    for each in caches.all():
        each.clear()
    forget_flags()
    forget_deprecation()
    hold_defaults()
    socket_quota.quotas.clear()
    forget_prompts()
    vector_cache.clear()
    for probe in (health.write_probe, health.redis_probe):
        probe.forget()
    clear_contextvars()
    database.failures = 0


@pytest.fixture(autouse=True, scope="session")
def _strict_engine() -> Iterator[None]:
    """Make a paid call an error, a bug in a role more than one agent's failure, and a model run in a transaction a bug."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("agents.llm.base.outside_calls_allowed", False)
        patch.setattr("agents.engine.runner.raise_bugs", True)
        patch.setattr("agents.storage.transactions.raise_on_inference", True)
        yield


@pytest.fixture(scope="module")
def stored_once(django_db_setup: None, django_db_blocker: Any) -> Iterator[Callable[[Callable[[], Any]], Any]]:
    """Store what all tests of a module begin with once: each test's own transaction stands within this one."""
    rows = transaction.atomic()
    rows._from_testcase = True  # As pytest-django's own: no transaction of the program's.

    def keep(make: Callable[[], Any]) -> Any:
        with django_db_blocker.unblock():
            return make()

    keep(rows.__enter__)
    yield keep
    keep(lambda: transaction.set_rollback(True))
    keep(lambda: rows.__exit__(None, None, None))


@pytest.fixture
def log() -> Iterator[EventLog]:
    with listening() as events:
        yield events


@pytest.fixture
def ada(db: None) -> Any:
    return people.make_ada()


@pytest.fixture
def ben(db: None) -> Any:
    return people.make_ben()


@pytest.fixture
def grace(db: None) -> Any:
    return people.make_grace()


@pytest.fixture
def eve(db: None) -> Any:
    return people.make_eve()


@pytest.fixture
def root(db: None) -> Any:
    return people.make_root()


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[redis.Server]:
    try:
        server = redis.Server(tmp_path_factory.mktemp("redis"))
        server.start()
    except redis.CannotStart as error:
        pytest.skip(f"no Redis here: {error}")
    yield server
    server.kill()


@pytest.fixture
def shared(
    redis_server: redis.Server, settings: Any, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[redis.Server]:
    """A place with Redis; its server, which is alive again for the next test whatever this one does to it."""
    from learnagent.backends import redis as with_redis

    if "hang" in request.node.name:
        monkeypatch.setattr(with_redis, "REDIS_TIMEOUT_S", 0.2)
    settings.CACHES = settings.CACHES | {"default": with_redis.cache(redis_server.url)}
    settings.CHANNEL_LAYERS = with_redis.channel_layers(redis_server.url)
    with_redis.outage.failures = 0
    cache.clear()
    yield redis_server
    redis_server.kill()
    redis_server.start()
