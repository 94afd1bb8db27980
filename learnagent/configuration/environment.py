"""The one door to environment variables: read once, checked, each with its default."""

import json
import re
from datetime import date
from importlib.util import find_spec
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, NonNegativeFloat, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from agents.tools.outside_services import service_address_fault
from agents.tools.sql import database_url_fault, sqlite_path
from learnagent.configuration.account_urls import split_account_url
from learnagent.configuration.data_folder import data_folder_fault, data_folder_needed, make_private
from learnagent.configuration.email_url import parse_mailer, parse_sender
from learnagent.configuration.model_servers import (
    OLLAMA_URL,
    ModelServer,
    Provider,
    checked_key,
    checked_url,
    read_servers,
)
from learnagent.configuration.storage_url import parse_storage
from learnagent.http.trusted_proxies import parse_networks

MIN_SECRET_LENGTH = 32
"""The minimum length of a secret key."""

ROOT = Path(__file__).resolve().parents[2]

ORIGIN = re.compile(r"https?://[a-z0-9.-]+(?::[0-9]{1,5})?")
"""An origin as browsers send it."""

KILL_STEPS = (
    "before_accept",
    "mid_accept",
    "after_accept",
    "after_ack",
    "after_lease",
    "after_reading",
    "mid_apply",
    "tool_effect",
    "mid_stream",
    "mid_finish",
    "after_finish",
)


class Environment(BaseSettings):
    """Every variable learnagent reads. A wrong value stops the start with a line that names the variable."""

    model_config = SettingsConfigDict(case_sensitive=True, extra="ignore", env_ignore_empty=True)

    LEARNAGENT_DATA: Path = ROOT / "var"
    """The folder for the SQLite file, uploads, mail and the generated secret key."""
    LEARNAGENT_HOST: str = "127.0.0.1"
    LEARNAGENT_PORT: int = Field(8000, ge=1, le=65535)
    PUBLIC_URL: str = ""
    """The address people use, including scheme and port; if empty, `http://HOST:PORT`."""
    TRUSTED_PROXIES: Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode] = ()
    """Comma-separated addresses or networks whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted."""
    HSTS_SECONDS: int = Field(30 * 24 * 3600, ge=0)
    """How long a browser that has seen the site by https opens it in no other way; 0: it is not told so."""
    EMAIL_URL: SecretStr = SecretStr("")
    """How mail is sent: `smtp://`, `smtp+tls://`, `smtps://` or `file:///folder`, with `?from=ADDRESS`; if empty, to files."""
    DATABASE_URL: SecretStr = SecretStr("")
    """PostgreSQL if set, otherwise SQLite in LEARNAGENT_DATA."""
    REDIS_URL: SecretStr = SecretStr("")
    EMBEDDED_WORKER: bool = True
    """Whether `manage.py serve` also starts a worker."""
    SECRET_KEY: SecretStr = SecretStr("")
    """Signs cookies and links. It must be the same on every host of an installation; if empty, one is generated."""
    STORAGE_URL: SecretStr = SecretStr("")
    """Where uploads are kept: `s3://KEY:SECRET@BUCKET/PREFIX?endpoint=https://HOST&region=NAME`, or LEARNAGENT_DATA."""
    LLM_PROVIDER: Literal["", "offline", Provider] = ""
    """The provider of the models; if empty, it depends on which keys are set."""
    LLM_BACKENDS: Annotated[dict[str, ModelServer], NoDecode] = {}
    """A TOML file with the backends that answer together, in place of LLM_PROVIDER; if empty, there is one provider."""
    LLM_PRICES: Annotated[dict[str, tuple[NonNegativeFloat, NonNegativeFloat, date]], NoDecode] = {}
    """JSON: model → US dollars per million input and output tokens, and the date of that price."""
    ANTHROPIC_API_KEY: SecretStr = SecretStr("")
    ANTHROPIC_BASE_URL: str = ""
    """Without `/v1`; if empty, Anthropic's own."""
    ANTHROPIC_MODEL: str = "claude-opus-5-5"
    ANTHROPIC_FAST_MODEL: str = "claude-haiku-5-5"
    ANTHROPIC_VISION_MODEL: str = ""
    """If empty, ANTHROPIC_MODEL."""
    OPENAI_API_KEY: SecretStr = SecretStr("")
    OPENAI_BASE_URL: str = ""
    """The URL of a server with the Chat Completions API, including `/v1`; if empty, OpenAI's own."""
    OPENAI_MODEL: str = "gpt-6.2-sol"
    OPENAI_FAST_MODEL: str = ""
    """If empty, a small OpenAI model; on any other server, OPENAI_MODEL."""
    OPENAI_VISION_MODEL: str = ""
    """If empty, OPENAI_MODEL."""
    OPENAI_TRANSCRIBE_MODEL: str = ""
    """Transcribes speech through `/audio/transcriptions`; if empty, this server is not used for it."""
    OPENAI_SPEECH_MODEL: str = ""
    """Reads aloud through `/audio/speech`; if empty, this server is not used for it."""
    OPENAI_SPEECH_VOICE: str = "alloy"
    """One of the voices of OPENAI_SPEECH_MODEL."""
    OLLAMA_BASE_URL: str = OLLAMA_URL
    OLLAMA_MODEL: str = ""
    MULTI_AGENT_MAX_ROUNDS: int = Field(10, ge=1, le=10)
    """The most rounds in which the agents of a round table speak."""
    MULTI_AGENT_TIMEOUT_MS: int = Field(300_000, ge=1_000, le=3_600_000)
    """The time limit for a whole turn, in milliseconds."""
    MULTI_AGENT_RATE_LIMIT: int = Field(5, ge=0)
    """Panels and round tables per person per minute; 0 switches the limit off."""
    TURN_RATE_LIMIT: int = Field(30, ge=0)
    """Turns per person per minute; 0 switches the limit off."""
    CARD_RATE_LIMIT: int = Field(120, ge=0)
    """Answers to cards per person per minute; 0 switches the limit off."""
    BUDGET_SAVING_PERCENT: int = Field(80, ge=1, le=100)
    """Share of a daily budget from which turns go on with fewer agents and the smaller model; 100: never."""
    STATE_MAX_MESSAGES: int = Field(20, ge=1)
    STATE_TTL_HOURS: float = Field(24, gt=0)
    """How long the state of an agent in a conversation is kept in the cache."""
    CORS_ORIGINS: Annotated[tuple[str, ...], NoDecode] = ()
    """Origins of other sites, separated by commas, whose pages may call the API with a token."""
    SEARXNG_URL: str = ""
    """The URL of a SearXNG that answers in JSON; if empty, there is no web search."""
    WIKIPEDIA_URL: str = "https://en.wikipedia.org/w/api.php"
    """The URL of a MediaWiki's `api.php`; `off` for none."""
    ARXIV_URL: str = "https://export.arxiv.org/api/query"
    """`off` for none."""
    OUTSIDE_DATABASE_URL: SecretStr = SecretStr("")
    """A database that agents may read: `postgresql://…` or `sqlite:////path/to/file`; if empty, there is none."""
    SALESFORCE_USERNAME: str = ""
    """The Salesforce account with which agents look for contacts; if empty, they use a person's own contacts."""
    SALESFORCE_PASSWORD: SecretStr = SecretStr("")
    SALESFORCE_TOKEN: SecretStr = SecretStr("")
    """The security token of the account."""
    SALESFORCE_DOMAIN: str = Field("login", pattern=r"^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?(\.[a-zA-Z0-9-]+)*$")
    """`login`, `test` for a sandbox, or the first part of a host, such as `acme.my` for acme.my.salesforce.com."""
    N8N_WEBHOOK_URL: str = ""
    """The webhook of an n8n workflow, to which the planner sends what happens; if empty, nothing is sent."""
    N8N_WEBHOOK_SECRET: SecretStr = SecretStr("")
    """Signs these messages; if empty, a key made from SECRET_KEY does."""
    OPENMEMORY_URL: str = ""
    """The URL of an OpenMemory server where notes are stored, too; if empty, they stay in the database."""
    OPENMEMORY_API_KEY: SecretStr = SecretStr("")
    XAPI_ENDPOINT: str = ""
    """The xAPI endpoint of a record store, to which records of learning are sent; if empty, none are."""
    XAPI_KEY: str = ""
    """The username for this endpoint."""
    XAPI_SECRET: SecretStr = SecretStr("")
    CODE_SANDBOX: Literal["monty", "bubblewrap", "off"] = "monty"
    """Where programs run: in monty, which is a small Python of its own, or in full Python isolated by bubblewrap."""
    TWILIO_AUTH_TOKEN: SecretStr = SecretStr("")
    """Checks the signatures of Twilio's requests; if empty, nobody can call by phone."""
    TWILIO_NUMBER: str = Field("", pattern=r"^(\+[1-9]\d{6,14})?$")
    """The phone number that people call, such as +15017122661; only shown on pages."""
    ADMIN_SECOND_FACTOR: Literal["optional", "required"] = "optional"
    """Whether admins have to set up an authenticator app before they can open admin pages."""
    LOG_LEVEL: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    LOG_FILE: Path | None = None
    LOG_FORMAT: Literal["text", "json"] = "text"
    ACCESS_LOG: bool = True
    """Whether each request and each socket gets a line in the log."""
    OTEL_EXPORTER_OTLP_ENDPOINT: str = ""
    """The URL of an OpenTelemetry collector, to which traces are sent; if empty, none are made."""
    LEARNAGENT_DRILL: bool = False
    LEARNAGENT_KILL_AT: str = ""
    """Only with LEARNAGENT_DRILL=1: the step of a turn at which the process kills itself."""

    @field_validator("LEARNAGENT_DATA")
    @classmethod
    def _data(cls, value: Path) -> Path:
        if fault := data_folder_fault(value):
            raise ValueError(fault)
        return value

    @field_validator("PUBLIC_URL")
    @classmethod
    def _public_url(cls, value: str) -> str:
        if value and not value.startswith(("http://", "https://")):
            raise ValueError("must start with http:// or https://")
        return value.rstrip("/")

    @field_validator("TRUSTED_PROXIES", mode="before")
    @classmethod
    def _proxies(cls, value: Any) -> Any:
        try:
            return parse_networks(value) if isinstance(value, str) else value
        except ValueError as error:
            raise ValueError(f"must be addresses or networks, such as 10.0.0.0/8, 127.0.0.1: {error}") from None

    @field_validator("CORS_ORIGINS", mode="before")
    @classmethod
    def _origins(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        origins = tuple(each.strip() for each in value.split(",") if each.strip())
        if wrong := [each for each in origins if not ORIGIN.fullmatch(each)]:
            raise ValueError(f"must be origins, such as https://app.example.org, without a path: {wrong[0]}")
        return origins

    @field_validator("EMAIL_URL")
    @classmethod
    def _email_url(cls, value: SecretStr) -> SecretStr:
        parse_mailer(value.get_secret_value(), folder=ROOT)
        parse_sender(value.get_secret_value(), host="")
        return value

    @field_validator("SECRET_KEY")
    @classmethod
    def _secret(cls, value: SecretStr) -> SecretStr:
        if 0 < len(value.get_secret_value()) < MIN_SECRET_LENGTH:
            raise ValueError(f"must have at least {MIN_SECRET_LENGTH} characters")
        return value

    @field_validator("STORAGE_URL")
    @classmethod
    def _storage_url(cls, value: SecretStr) -> SecretStr:
        parse_storage(value.get_secret_value())
        return value

    @field_validator("LLM_PRICES", mode="before")
    @classmethod
    def _prices(cls, value: Any) -> Any:
        try:
            return json.loads(value) if isinstance(value, str) else value
        except ValueError:
            raise ValueError('must be JSON: {"model": [input, output, "2026-03-21"]}') from None

    @field_validator("LLM_BACKENDS", mode="before")
    @classmethod
    def _servers(cls, value: Any) -> Any:
        return read_servers(Path(value)) if isinstance(value, str) else value

    @field_validator("ANTHROPIC_API_KEY", "OPENAI_API_KEY")
    @classmethod
    def _key(cls, value: SecretStr) -> SecretStr:
        return checked_key(value)

    @field_validator("ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "OLLAMA_BASE_URL")
    @classmethod
    def _provider_url(cls, value: str) -> str:
        return checked_url(value)

    @field_validator("SEARXNG_URL", "WIKIPEDIA_URL", "ARXIV_URL")
    @classmethod
    def _service_url(cls, value: str) -> str:
        if value in ("", "off"):
            return ""
        if fault := service_address_fault(value):
            raise ValueError(fault)
        return value.rstrip("/")

    @field_validator("N8N_WEBHOOK_URL", "OPENMEMORY_URL", "XAPI_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
    @classmethod
    def _other_service(cls, value: str) -> str:
        if value and (fault := service_address_fault(value)):
            raise ValueError(fault)
        return value.rstrip("/")

    @field_validator("DATABASE_URL")
    @classmethod
    def _database_url(cls, value: SecretStr) -> SecretStr:
        if value and split_account_url(value.get_secret_value()).scheme not in ("postgresql", "postgres"):
            raise ValueError("must start with postgresql:// (leave it unset for SQLite)")
        return value

    @field_validator("OUTSIDE_DATABASE_URL")
    @classmethod
    def _outside_database_url(cls, value: SecretStr) -> SecretStr:
        url = value.get_secret_value()
        if url and (fault := database_url_fault(url)):
            raise ValueError(fault)
        if not url.startswith("sqlite:"):
            split_account_url(url)
        return value

    @model_validator(mode="after")
    def _outside_database_is_not_our_own(self) -> Self:
        url = self.OUTSIDE_DATABASE_URL.get_secret_value()
        if not url:
            return self
        folder = self.LEARNAGENT_DATA.resolve()
        is_file_of_ours = url.startswith("sqlite:") and Path(sqlite_path(url)).resolve().is_relative_to(folder)
        if is_file_of_ours or _same_database(url, self.DATABASE_URL.get_secret_value()):
            raise ValueError("OUTSIDE_DATABASE_URL is learnagent's own database; agents must not read that by SQL")
        return self

    @model_validator(mode="after")
    def _salesforce_has_what_it_needs(self) -> Self:
        account = (self.SALESFORCE_USERNAME, self.SALESFORCE_PASSWORD, self.SALESFORCE_TOKEN)
        if any(account) and not all(account):
            raise ValueError("SALESFORCE_USERNAME, SALESFORCE_PASSWORD and SALESFORCE_TOKEN are needed together")
        return self

    @model_validator(mode="after")
    def _record_store_has_what_it_needs(self) -> Self:
        store = (self.XAPI_ENDPOINT, self.XAPI_KEY, self.XAPI_SECRET)
        if any(store) and not all(store):
            raise ValueError("XAPI_ENDPOINT, XAPI_KEY and XAPI_SECRET are needed together")
        return self

    @field_validator("REDIS_URL")
    @classmethod
    def _redis_url(cls, value: SecretStr) -> SecretStr:
        if value and split_account_url(value.get_secret_value()).scheme not in ("redis", "rediss", "unix"):
            raise ValueError("must start with redis://, rediss:// or unix://")
        return value

    @field_validator("OTEL_EXPORTER_OTLP_ENDPOINT")
    @classmethod
    def _collector(cls, value: str) -> str:
        if value and find_spec("opentelemetry.sdk") is None:
            raise ValueError("needs packages that are not installed; run make install EXTRAS=otel")
        return value

    @field_validator("LEARNAGENT_KILL_AT")
    @classmethod
    def _kill_at(cls, value: str) -> str:
        if value and value not in KILL_STEPS:
            raise ValueError(f"must be one of {', '.join(KILL_STEPS)}")
        return value

    @model_validator(mode="after")
    def _kill_needs_drill(self) -> Self:
        if self.LEARNAGENT_KILL_AT and not self.LEARNAGENT_DRILL:
            raise ValueError("LEARNAGENT_KILL_AT works only with LEARNAGENT_DRILL=1")
        return self

    @model_validator(mode="after")
    def _provider_has_what_it_needs(self) -> Self:
        if self.LLM_PROVIDER and self.LLM_BACKENDS:
            raise ValueError("LLM_PROVIDER and LLM_BACKENDS exclude each other: the file names the providers")
        missing = {
            "anthropic": "" if self.ANTHROPIC_API_KEY else "ANTHROPIC_API_KEY is required for LLM_PROVIDER=anthropic",
            "openai": ""
            if self.OPENAI_API_KEY or self.OPENAI_BASE_URL
            else "OPENAI_API_KEY is required for LLM_PROVIDER=openai (or OPENAI_BASE_URL, for a server without keys)",
            "ollama": "" if self.OLLAMA_MODEL else "OLLAMA_MODEL is required for LLM_PROVIDER=ollama",
        }
        if reason := missing.get(self.LLM_PROVIDER, ""):
            raise ValueError(reason)
        return self

    @model_validator(mode="after")
    def _speech_has_what_it_needs(self) -> Self:
        reachable = self.OPENAI_API_KEY or self.OPENAI_BASE_URL
        for name in ("OPENAI_TRANSCRIBE_MODEL", "OPENAI_SPEECH_MODEL"):
            if getattr(self, name) and not reachable:
                raise ValueError(
                    f"OPENAI_API_KEY is required for {name} (or OPENAI_BASE_URL, for a server without keys)"
                )
        return self

    @property
    def provider(self) -> Literal["offline"] | Provider:
        """Whose models are asked, unless LLM_BACKENDS names several."""
        if self.LLM_PROVIDER:
            return self.LLM_PROVIDER
        if self.ANTHROPIC_API_KEY:
            return "anthropic"
        return "openai" if self.OPENAI_API_KEY else "offline"

    @property
    def public_url(self) -> str:
        return self.PUBLIC_URL or f"http://{self.LEARNAGENT_HOST}:{self.LEARNAGENT_PORT}"


def _same_database(url: str, other: str) -> bool:
    """Tell whether two URLs name the same database on the same host, whoever signs in."""
    parts, others = urlsplit(url), urlsplit(other)
    if not other or parts.scheme == "sqlite":
        return False
    named = (parts.hostname, parts.port or 5432, parts.path, parts.query)
    return named == (others.hostname, others.port or 5432, others.path, others.query)


def read_environment() -> Environment:
    """Return the checked environment, or end the process with one line per wrong variable."""
    try:
        return Environment()
    except ValidationError as error:
        lines = [f"{'.'.join(str(part) for part in e['loc']) or 'environment'}: {e['msg']}" for e in error.errors()]
        raise SystemExit("learnagent cannot start: " + "; ".join(lines)) from None


environment = read_environment()
with data_folder_needed():
    make_private(environment.LEARNAGENT_DATA)
