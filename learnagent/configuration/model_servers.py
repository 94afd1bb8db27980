"""The file of LLM_BACKENDS: servers and accounts whose models answer together, one TOML table each."""

import re
import tomllib
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator

Provider = Literal["anthropic", "openai", "ollama"]

NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,29}")
"""As long as the column of a call's record."""
RESERVED_NAME = "offline"
OLLAMA_URL = "http://localhost:11434/v1"


class ModelServer(BaseModel):
    """One account at a provider, or one server, with the models that it answers with."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    provider: Provider
    base_url: str = ""
    """As ANTHROPIC_BASE_URL, OPENAI_BASE_URL or OLLAMA_BASE_URL; if empty, the provider's own."""
    api_key: SecretStr = SecretStr("")
    strong: str = ""
    """Its model for the alias; if empty, it answers none of the alias's calls. The same for the next two."""
    fast: str = ""
    vision: str = ""
    max_parallel: int | None = Field(8, ge=1, le=10_000)
    """Calls at the same time from one process, over all its models; None for no limit."""

    @field_validator("api_key")
    @classmethod
    def _key(cls, value: SecretStr) -> SecretStr:
        return checked_key(value)

    @field_validator("base_url")
    @classmethod
    def _url(cls, value: str) -> str:
        return checked_url(value)

    @model_validator(mode="after")
    def _has_what_it_needs(self) -> Self:
        if not (self.strong or self.fast or self.vision):
            raise ValueError("needs a model: strong, fast or vision")
        if self.provider == "anthropic" and not self.api_key:
            raise ValueError("needs api_key")
        if self.provider == "openai" and not (self.api_key or self.base_url):
            raise ValueError("needs api_key (or base_url, for a server without keys)")
        return self


def read_servers(path: Path) -> dict[str, Any]:
    """Return the tables of the file by name. Raises ValueError, whose text contains no value of the file."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError("is not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"is not TOML: {error}") from None
    if not tables:
        raise ValueError("names no backend; it needs a table for each, such as [gpu-1]")
    for name, table in tables.items():
        if not isinstance(table, dict) or not NAME.fullmatch(name) or name == RESERVED_NAME:
            raise ValueError(
                f"{name[:40]!r} must be a table, such as [gpu-1]: a name of at most 30 lower-case letters, digits, "
                f"dots, hyphens or underscores, and not {RESERVED_NAME!r}"
            )
    return tables


def checked_key(value: SecretStr) -> SecretStr:
    """Return an API key without the space around it. Raises ValueError for one that no header can carry."""
    key = value.get_secret_value().strip()
    if not (key.isascii() and key.isprintable()):
        raise ValueError("contains characters that a key cannot have")
    return SecretStr(key)


def checked_url(value: str) -> str:
    """Return the URL of a server without its last slash, or an empty string. Raises ValueError for another scheme."""
    if value and not value.startswith(("http://", "https://")):
        raise ValueError("must start with http:// or https://")
    return value.rstrip("/")
