"""The wiring's own apps: what concerns the whole place, and Django's admin with this site's own door."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class LearnagentConfig(AppConfig):
    """The commands that concern the whole place, and the checks of its ground."""

    name = "learnagent"
    verbose_name = "learnagent"

    def ready(self) -> None:
        from learnagent import checks  # noqa: F401  # Importing registers them.


class LearnagentAdminConfig(AdminConfig):
    default_site = "learnagent.accounts.adminsite.LearnagentAdminSite"
