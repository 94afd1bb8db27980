"""Django's settings. Every value from outside comes through `learnagent.configuration.environment`."""

import secrets
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from django.utils.translation import gettext_lazy as _

from agents.tools.outside_services import OutsideServices
from agents.tools.salesforce import SalesforceAccount
from learnagent.backends.sqlite_library import REQUEST_WAITS_S, use_bundled_sqlite
from learnagent.configuration.data_folder import data_folder_needed, restrict_to_owner
from learnagent.configuration.email_url import parse_mailer, parse_sender
from learnagent.configuration.environment import ROOT, environment
from learnagent.configuration.language_models import configured_models, configured_speech
from learnagent.configuration.storage_url import parse_storage
from learnagent.http.content_security_policy import CONTENT_SECURITY_POLICY

use_bundled_sqlite()

# --- Ground ---
BASE_DIR = ROOT
DATA_DIR = environment.LEARNAGENT_DATA
PUBLIC_URL = environment.public_url
TRUSTED_PROXIES = environment.TRUSTED_PROXIES
DEBUG = False
ROOT_URLCONF = "learnagent.urls"
ASGI_APPLICATION = "learnagent.asgi.application"
ALLOWED_HOSTS = [urlsplit(PUBLIC_URL).hostname or "localhost", "localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
CSRF_FAILURE_VIEW = "learnagent.http.error_pages.csrf_failure"

# --- HTTPS ---
HAS_HTTPS = PUBLIC_URL.startswith("https://")
# Only a trusted proxy says that a request came by https: without one, the redirect would never end.
SECURE_SSL_REDIRECT = HAS_HTTPS and bool(TRUSTED_PROXIES)
SECURE_SSL_HOST = urlsplit(PUBLIC_URL).netloc
# Monitoring asks each process itself, not the proxy.
SECURE_REDIRECT_EXEMPT = ["^health$", "^metrics$"]
SECURE_HSTS_SECONDS = environment.HSTS_SECONDS if HAS_HTTPS else 0
# These two checks want HSTS for all subdomains and in browsers' lists: that is up to the owner of the domain.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]


def _secret_key() -> str:
    """Return this installation's key: the one given, else its own, made at first start and readable by its owner only."""
    if given := environment.SECRET_KEY.get_secret_value():
        return given
    path = DATA_DIR / "secret_key"
    with data_folder_needed():
        if not path.exists():
            path.touch(mode=0o600)
            path.write_text(secrets.token_urlsafe(50))
        return path.read_text().strip()


SECRET_KEY = _secret_key()

INSTALLED_APPS = [
    "learnagent.accounts.admin_config.LearnagentAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "servestatic",
    "django.contrib.staticfiles",
    "channels",
    "django_htmx",
    "django_tasks_db",
    "learnagent.apps.LearnagentConfig",
    "learnagent.accounts",
    "learnagent.lti",
    "agents",
    "conversations",
    "tutoring",
]

MIDDLEWARE = [
    "learnagent.http.correlation_ids.correlation_middleware",
    "learnagent.http.access_log.refusal_middleware",
    "learnagent.api.cross_origin.cross_origin_middleware",
    "django.middleware.security.SecurityMiddleware",
    "learnagent.http.static_files.CompressedStaticMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "learnagent.http.cache_headers.no_store_middleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "learnagent.http.permissions_policy.permissions_policy_middleware",
    "learnagent.api.deprecation.deprecation_middleware",
    "learnagent.http.canonical_host.canonical_middleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "learnagent.api.bearer_tokens.bearer_middleware",
    "django.middleware.locale.LocaleMiddleware",
    "learnagent.accounts.middleware.person_settings_middleware",
    "learnagent.accounts.admin_gate.second_factor_middleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.csp",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "conversations.web.context_processors.recent_sessions",
                "tutoring.pages.context_processors.concern_count",
                "tutoring.pages.context_processors.reading_assignment",
                "learnagent.accounts.appearance.appearance_context",
                "learnagent.site.look.look_context",
            ],
        },
    },
]


# --- Database ---
def _postgresql(url: str) -> dict[str, object]:
    """Return Django's settings for a `postgresql://` address; `?host=` may name a socket folder."""
    # Sites on SQLite do not load psycopg.
    from learnagent.backends.postgresql import check_connection

    parts = urlsplit(url)
    host = parse_qs(parts.query).get("host", [parts.hostname or ""])[0]
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": str(parts.port or ""),
        "OPTIONS": {
            # A connection has its statements parsed once. Measured on a lesson's turns (2026-11-30): a fifth less CPU time
            # of the server. From the second use on, because every turn runs the same few dozen.
            "server_side_binding": True,
            "prepare_threshold": 2,
            # A pool that goes on trying by itself does so ever more seldom; one that has given up tries at each request.
            "pool": {
                "min_size": 1,
                "max_size": 10,
                "timeout": 5,
                "reconnect_timeout": 2,
                "check": check_connection,
            },
        },
    }


SQLITE = {
    "ENGINE": "learnagent.backends.sqlite",
    "NAME": DATA_DIR / "learnagent.sqlite3",
    # A connection costs as much as a turn's writes: keep it.
    "CONN_MAX_AGE": None,
    "OPTIONS": {
        # DEFERRED loses writers to "database is locked" as soon as two meet.
        "transaction_mode": "IMMEDIATE",
        "timeout": REQUEST_WAITS_S,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA journal_size_limit=67108864;"
        # Pages: a commit that makes the log longer copies it into the database. `wal_checkpoints` does so before.
        " PRAGMA wal_autocheckpoint=16000;",
    },
    "TEST": {"NAME": DATA_DIR / "test.sqlite3"},
}
DATABASE_URL = environment.DATABASE_URL.get_secret_value()
DATABASES = {"default": _postgresql(DATABASE_URL) if DATABASE_URL else SQLITE}

# --- People ---
AUTH_USER_MODEL = "accounts.Person"
LOGIN_URL = "accounts:sign-in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "accounts:sign-in"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
PASSWORD_HASHERS = ["learnagent.accounts.authentication.password_hashing.GatedPBKDF2PasswordHasher"]
ADMIN_SECOND_FACTOR = environment.ADMIN_SECOND_FACTOR
PASSWORD_RESET_TIMEOUT = 3600
SESSION_ENGINE = "learnagent.accounts.authentication.sessions"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HAS_HTTPS
SESSION_COOKIE_AGE = 14 * 24 * 3600

# --- Mail ---
MAILERS = {"default": parse_mailer(environment.EMAIL_URL.get_secret_value(), folder=DATA_DIR / "mail")}
DEFAULT_FROM_EMAIL = parse_sender(
    environment.EMAIL_URL.get_secret_value(), host=urlsplit(PUBLIC_URL).hostname or "localhost"
)
MAIL_FOLDER = MAILERS["default"]["OPTIONS"].get("file_path")
"""The folder where mail is written instead of being sent; None if it is sent."""

# --- Words ---
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("es", _("Spanish"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "learnagent.formats"
TIME_ZONE = "UTC"
USE_TZ = True

# --- Pages ---
STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = DATA_DIR / "static"
SERVESTATIC_USE_FINDERS = True
SERVESTATIC_AUTOREFRESH = False
SECURE_CSP = CONTENT_SECURITY_POLICY
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 500
DATA_UPLOAD_MAX_NUMBER_FILES = 200
FILE_UPLOAD_HANDLERS = [
    "conversations.library.upload_gate.UploadGate",  # First: no file gets past it at an address that takes none.
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
UPLOADS = {
    "file_bytes": 10 * 1024 * 1024,
    "bytes_per_person": 500_000_000,
    "files_per_person": 1_000,
    "unread_per_person": 50,
}
"""The limits for one file and for one person, and how many files of a person may be waiting to be read."""

STORAGES = {
    # Nothing is kept without naming its store.
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    "files": parse_storage(environment.STORAGE_URL.get_secret_value()),
}

# --- Sockets and cache ---
# Counts of this process alone. The default of 300 entries would let a flood of made-up names push out those of wrong
# passwords.
_LOCAL: dict[str, Any] = {
    "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
    "OPTIONS": {"MAX_ENTRIES": 100_000},
}
CACHES: dict[str, dict[str, Any]] = {"default": _LOCAL, "local": _LOCAL | {"LOCATION": "local"}}
CHANNEL_LAYERS: dict[str, Any] = {"default": {"BACKEND": "learnagent.backends.local_channel_layer.LocalChannelLayer"}}
REDIS_URL = environment.REDIS_URL.get_secret_value()
if REDIS_URL:
    from learnagent.backends import redis

    CACHES["default"] = redis.cache(REDIS_URL)
    CHANNEL_LAYERS = redis.channel_layers(REDIS_URL)

# --- Jobs ---
TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}
EMBEDDED_WORKER = environment.EMBEDDED_WORKER
"""Whether `serve` also starts a worker; otherwise run `manage.py work` or `celery -A learnagent worker`."""

# --- Models: alias -> backend and options, chosen as Django chooses its task backends ---
LLMS = configured_models(environment)
SPEECH = configured_speech(environment)

# --- Phone ---
TWILIO_AUTH_TOKEN = environment.TWILIO_AUTH_TOKEN.get_secret_value().strip()
PHONE_NUMBER = environment.TWILIO_NUMBER

# --- Planner ---
N8N_WEBHOOK_URL = environment.N8N_WEBHOOK_URL
N8N_WEBHOOK_SECRET = environment.N8N_WEBHOOK_SECRET.get_secret_value()
OPENMEMORY_URL = environment.OPENMEMORY_URL
OPENMEMORY_API_KEY = environment.OPENMEMORY_API_KEY.get_secret_value()

# --- Record store ---
XAPI_ENDPOINT = environment.XAPI_ENDPOINT
XAPI_KEY = environment.XAPI_KEY
XAPI_SECRET = environment.XAPI_SECRET.get_secret_value()

# --- API ---
CORS_ORIGINS = environment.CORS_ORIGINS

# --- Turns ---
AGENTS = {
    "turn_timeout_s": environment.MULTI_AGENT_TIMEOUT_MS / 1000,
    "turns_per_minute": environment.TURN_RATE_LIMIT,
    "cards_per_minute": environment.CARD_RATE_LIMIT,
    "panels_per_minute": environment.MULTI_AGENT_RATE_LIMIT,
    "saving_percent": environment.BUDGET_SAVING_PERCENT,
    "table_rounds": environment.MULTI_AGENT_MAX_ROUNDS,
    "prompt_messages": environment.STATE_MAX_MESSAGES,
    "state_life_s": environment.STATE_TTL_HOURS * 3600,
    "services": OutsideServices(
        searxng_url=environment.SEARXNG_URL,
        wikipedia_url=environment.WIKIPEDIA_URL,
        arxiv_url=environment.ARXIV_URL,
    ),
    "outside_database_url": environment.OUTSIDE_DATABASE_URL.get_secret_value(),
    "salesforce": SalesforceAccount(
        username=environment.SALESFORCE_USERNAME,
        password=environment.SALESFORCE_PASSWORD.get_secret_value(),
        token=environment.SALESFORCE_TOKEN.get_secret_value(),
        domain=environment.SALESFORCE_DOMAIN,
    ),
    "sandbox": "" if environment.CODE_SANDBOX == "off" else environment.CODE_SANDBOX,
}

KILL_AT = environment.LEARNAGENT_KILL_AT
"""Step of a turn at which a fault drill ends the process; empty outside drills."""

# --- Traces ---
TRACES_ENDPOINT = environment.OTEL_EXPORTER_OTLP_ENDPOINT

# --- Logs ---
LOG_FILE = environment.LOG_FILE
if LOG_FILE:
    restrict_to_owner(LOG_FILE)
LOGGING_CONFIG = "learnagent.operations.logs.configure_logs"
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"()": "learnagent.operations.logs.line_formatter", "layout": environment.LOG_FORMAT},
        "out": {"()": "learnagent.operations.logs.console_formatter", "layout": environment.LOG_FORMAT},
    },
    "handlers": {
        "out": {"class": "logging.StreamHandler", "formatter": "out"},
        # Goes on in a new file when the old one was moved away.
        **(
            {"file": {"class": "logging.handlers.WatchedFileHandler", "filename": LOG_FILE, "formatter": "line"}}
            if LOG_FILE
            else {}
        ),
    },
    "root": {"handlers": ["out", *(["file"] if LOG_FILE else [])], "level": environment.LOG_LEVEL},
    "loggers": {
        # At a finer level, the clients of models write down what people said.
        **{
            name: {"level": "WARNING"}
            for name in ("django", "daphne", "twisted", "httpx2", "httpcore2", "anthropic", "openai")
        },
        # Messages of Celery's only wake a worker; a job has its own line.
        **{
            name: {"level": "WARNING"}
            for name in ("django_tasks_db", "celery.beat", "celery.worker.strategy", "celery.app.trace")
        },
        # These have a line already, by the access log and as refused requests.
        "django.security.csrf": {"level": "ERROR"},
        "django.security.RequestDataTooBig": {"level": "CRITICAL"},
        "django.request": {"level": "ERROR" if environment.ACCESS_LOG else "WARNING"},
        "learnagent.http.access_log": {"level": "NOTSET" if environment.ACCESS_LOG else "WARNING"},
        # Their every attempt to reach the collector or PostgreSQL; an outage has lines of its own.
        "opentelemetry": {"level": "CRITICAL"},
        "psycopg.pool": {"level": "ERROR"},
        # uvicorn brings handlers and a format of its own.
        **{name: {"handlers": [], "propagate": True} for name in ("uvicorn", "uvicorn.error")},
        "uvicorn.access": {"handlers": [], "propagate": True, "level": "WARNING"},
    },
}
