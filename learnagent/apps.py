"""The wiring's own app: the commands that concern the whole place, and the checks of its ground."""

from django.apps import AppConfig


class LearnagentConfig(AppConfig):
    name = "learnagent"
    verbose_name = "learnagent"

    def ready(self) -> None:
        from learnagent import checks  # noqa: F401  # Importing registers them.
        from learnagent.operations.job_signals import connect_receivers

        connect_receivers()
