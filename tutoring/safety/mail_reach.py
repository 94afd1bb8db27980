"""Whether a mail about a concern can reach a class's teachers."""

from django.conf import settings
from django.contrib.auth import get_user_model
from django.utils.translation import gettext as _

from tutoring.models import Classroom, Membership

WRITES_FILES = "FileMailBackend"
"""The name of what stands in for a mail server: it stores mails in a folder."""


def why_no_mail(classroom: Classroom) -> str:
    """Return in a sentence why no mail about a concern reaches anybody in the class; empty if one can. One query."""
    if settings.MAILERS["default"]["BACKEND"].endswith(WRITES_FILES):
        return _("No email is sent about this, because no mail server is set up. Look at this page every day.")
    taught = Membership.objects.filter(classroom=classroom, role=Membership.Role.TEACHER).values("person_id")
    teachers = get_user_model().objects.filter(pk__in=taught, role="teacher", is_active=True)
    if teachers.exclude(email="").exists():
        return ""
    return _(
        "No email is sent about this, because no teacher of this class has an email address. Add yours in your profile."
    )
