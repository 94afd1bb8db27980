"""The accounts app, and the admin pages with its door."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "learnagent.accounts"
    label = "accounts"
    verbose_name = _("people")
    default = True


class LearnagentAdminConfig(AdminConfig):
    default_site = "learnagent.accounts.adminsite.LearnagentAdminSite"
    default = False
