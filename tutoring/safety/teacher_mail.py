"""The mail to a class's teachers that a pupil may need help, and where to look: neither who nor what."""

from datetime import timedelta

from django.conf import settings
from django.contrib.auth import get_user_model
from django.tasks import task
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from agents.event_log import get_logger
from agents.mail import send_to_person
from agents.people import Person
from tutoring.models import Classroom, Membership

logger = get_logger(__name__)

TRIES, PAUSE = 5, timedelta(minutes=2)


@task
def mail_teachers(classroom_id: int, people: list[int] | None = None, tries: int = 1) -> None:
    """Write to the class's teachers, or to those named; a mail that the server does not accept is tried again."""
    classroom = Classroom.objects.filter(pk=classroom_id).first()
    if classroom is None:
        return
    taught = Membership.objects.filter(classroom=classroom, role=Membership.Role.TEACHER)
    teachers = get_user_model().objects.filter(pk__in=taught.values("person_id"), role="teacher", is_active=True)
    if people is not None:
        teachers = teachers.filter(pk__in=people)
    unsent = [teacher.pk for teacher in teachers.order_by("pk") if not _sent(teacher, classroom)]
    if unsent and tries < TRIES:
        mail_teachers.using(run_after=timezone.now() + PAUSE).enqueue(classroom_id, unsent, tries + 1)


def _sent(teacher: Person, classroom: Classroom) -> bool:
    try:
        with translation.override(teacher.language):
            send_to_person(teacher, subject=_("A pupil in your class may need help"), text=_letter(classroom))
    except OSError as error:  # A mail server's own words contain the address.
        logger.warning("mail_not_sent", error=type(error).__name__)
        return False
    return True


def _letter(classroom: Classroom) -> str:
    return _(
        "A pupil in your class “%(name)s” wrote something that suggests they may need help.\n\nThe class page shows who "
        "it is:\n\n%(address)s\n\nWhat they wrote is private, so it is not in this email or on the page. A program "
        "noticed this, and it may be wrong. Please talk to them soon, in person.\n"
    ) % {"name": classroom.name, "address": f"{settings.PUBLIC_URL}{classroom.get_absolute_url()}"}
