"""`GET /config`: the settings in force, for admins, without secrets, paths and the addresses of databases."""

from enum import Enum
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from ninja import Router
from pydantic import SecretStr

from agents.wire import rejections
from conversations.web.answers import ResponseSchema
from conversations.web.api import READ_REFUSALS
from learnagent.configuration.environment import environment

router = Router(tags=["operations"])

WITHHELD: Final = frozenset({"SALESFORCE_USERNAME", "TWILIO_NUMBER", "XAPI_KEY"})
"""Settings that name an account."""
SHOWN_TYPES: Final = (bool, int, float, str, Enum)


class Configuration(ResponseSchema):
    """What is configured."""

    llm_provider: str
    """`offline`, `anthropic`, `openai` or `ollama`; or the names of the backends in the file of LLM_BACKENDS."""
    database: str
    """`sqlite` or `postgresql`."""
    cache: str
    """`redis`, or `process` where each process has its own."""
    settings: dict[str, Any]
    """Environment variable → its value in force. Of an address, only the scheme and the host are shown."""


@router.get(
    "/config",
    response={200: Configuration, **READ_REFUSALS},
    operation_id="configuration",
    url_name="configuration",
    summary="Get the settings in force, without secrets",
)
def configuration(request: HttpRequest) -> Configuration:
    """For admins, with a token of the scope `admin` or in the browser."""
    if not request.user.is_staff:
        raise rejections.not_found()
    return Configuration(
        llm_provider=", ".join(environment.LLM_BACKENDS) or environment.provider,
        database=str(settings.DATABASES["default"]["ENGINE"]).rsplit(".", 1)[-1],
        cache="redis" if environment.REDIS_URL else "process",
        settings=shown_settings(),
    )


def shown_settings() -> dict[str, Any]:
    """Return the environment's settings that may be shown. Of a list, its entries as text."""
    found: dict[str, Any] = {}
    for name in type(environment).model_fields:
        value = getattr(environment, name)
        if name in WITHHELD or isinstance(value, SecretStr):
            continue
        if isinstance(value, tuple):
            found[name] = [str(each) for each in value]
        elif isinstance(value, SHOWN_TYPES):
            found[name] = _host_only(str(value)) if name.endswith("_URL") else value
    return found


def _host_only(address: str) -> str:
    """Return an address without account, path and query, any of which may hold a key."""
    parts = urlsplit(address)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname}{port}" if parts.hostname else ""
