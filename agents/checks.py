"""System checks of the engine: its settings, and the backends they name."""

from typing import Any

from django.core.checks import CheckMessage, Error, register
from django.core.exceptions import ImproperlyConfigured

from agents.conf import agent_settings, llm_backends


@register()
def settings_are_sound(**kwargs: Any) -> list[CheckMessage]:
    """Report an option that is none of ours, and a backend that cannot be made."""
    found: list[CheckMessage] = []
    for number, read in enumerate((agent_settings, llm_backends), 1):
        try:
            read()
        except ImproperlyConfigured as error:
            found.append(Error(str(error), hint="See agents/conf.py for the options.", id=f"agents.E00{number}"))
    return found
