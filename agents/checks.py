"""System checks of the engine: its settings, the backends they name, and what these need."""

from typing import Any

from django.core.checks import CheckMessage, Error, Warning, register
from django.core.exceptions import ImproperlyConfigured

from agents.conf import agent_settings, llm_backends, sandbox


@register()
def check_settings(**kwargs: Any) -> list[CheckMessage]:
    """Report an option that is none of ours, and a backend that cannot be made."""
    found: list[CheckMessage] = []
    for number, read in enumerate((agent_settings, llm_backends, sandbox), 1):
        try:
            read()
        except ImproperlyConfigured as error:
            found.append(Error(str(error), hint="See agents/conf.py for the options.", id=f"agents.E00{number}"))
    return found


@register()
def check_sandbox(**kwargs: Any) -> list[CheckMessage]:
    """Warn of a sandbox that is chosen and is not there: no other takes its place."""
    try:
        chosen = sandbox()
    except ImproperlyConfigured:
        return []
    problem = chosen.problem() if chosen else ""
    hint = "Install it, or choose another by CODE_SANDBOX: monty, bubblewrap, or off."
    return [Warning(f"No program can be run: {problem}.", hint=hint, id="agents.W001")] if problem else []
