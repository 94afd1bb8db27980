"""The LTI app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LtiConfig(AppConfig):
    name = "learnagent.lti"
    label = "lti"
    verbose_name = _("learning platforms")
