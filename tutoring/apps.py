"""The tutoring app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TutoringConfig(AppConfig):
    name = "tutoring"
    verbose_name = _("tutoring")
