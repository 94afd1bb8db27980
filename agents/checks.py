"""Django system checks for the engine: its settings, its model backends and the sandbox."""

from typing import Any

from django.core.checks import CheckMessage, Error, Warning, register
from django.core.exceptions import ImproperlyConfigured

from agents.conf import agent_settings, llm_backends, sandbox


@register()
def check_settings(**kwargs: Any) -> list[CheckMessage]:
    """Report unknown options in the settings and backends that cannot be created."""
    found: list[CheckMessage] = []
    for number, read in enumerate((agent_settings, llm_backends, sandbox), 1):
        try:
            read()
        except ImproperlyConfigured as error:
            found.append(Error(str(error), hint="See agents/conf.py for the options.", id=f"agents.E00{number}"))
    return found


@register()
def check_sandbox(**kwargs: Any) -> list[CheckMessage]:
    """Warn if the configured sandbox is not available. There is no fallback to another sandbox."""
    try:
        chosen = sandbox()
    except ImproperlyConfigured:
        return []
    problem = chosen.problem() if chosen else ""
    hint = "Install it, or set CODE_SANDBOX to another sandbox: monty, bubblewrap, or off."
    return [Warning(f"Programs cannot run: {problem}.", hint=hint, id="agents.W001")] if problem else []
