"""Django's admin app, with this site's own door. Apart from `apps.py`, where Django would take it for the default."""

from django.contrib.admin.apps import AdminConfig


class LearnagentAdminConfig(AdminConfig):
    default_site = "learnagent.accounts.admin_site.LearnagentAdminSite"
