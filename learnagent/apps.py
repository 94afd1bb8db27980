"""Django's admin app, with this site's own door."""

from django.contrib.admin.apps import AdminConfig


class LearnagentAdminConfig(AdminConfig):
    default_site = "learnagent.accounts.adminsite.LearnagentAdminSite"
