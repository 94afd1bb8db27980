"""What a checked launch brings about: the class of the platform's course, its link, and a ticket to open it."""

import secrets
from contextlib import suppress
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from learnagent.accounts.authentication.digests import digest_of
from learnagent.accounts.models import Person
from learnagent.lti.accounts import account_for
from learnagent.lti.errors import LaunchRefused
from learnagent.lti.id_tokens import Launch
from learnagent.lti.models import Grade, Platform, PlatformAccount, PlatformCourse, PlatformLink, Ticket
from tutoring.classes import co_teachers
from tutoring.classes.membership import make_class
from tutoring.models import Classroom, Concept, Membership

TICKET_LIFETIME: Final = timedelta(minutes=30)
"""A teacher chooses content in this time."""
NAME_MAX_LENGTH: Final = 120


@transaction.atomic
def take_launch(platform: Platform, launch: Launch) -> tuple[PlatformAccount, str]:
    """Store what the launch brings about; return the account and the secret of its ticket. Raises LaunchRefused."""
    account = account_for(platform, launch)
    if launch.deep_linking:
        if not launch.is_teacher:
            raise LaunchRefused("not a teacher", _("Only teachers can choose what a link opens."), status=403)
        return account, _issue_ticket(account, deep_linking={**launch.deep_linking, "deployment": launch.deployment})
    if not launch.context:
        return account, _issue_ticket(account)
    link = _link_for(_course_for(account, launch), launch)
    if not launch.is_teacher:
        Grade.objects.get_or_create(account=account, link=link)
    return account, _issue_ticket(account, link=link)


def open_ticket(secret: str) -> Ticket | None:
    """Use a ticket up and return it; None if it is unknown, used, too old, or of somebody who may not come in."""
    ticket = find_ticket(secret)
    return ticket if ticket and Ticket.objects.filter(pk=ticket.pk).delete()[0] else None


def find_ticket(secret: str) -> Ticket | None:
    """Return a valid ticket without using it up."""
    tickets = Ticket.objects.select_related(
        "account__person", "account__platform", "link__course__classroom__policy", "link__concept__course"
    ).defer("link__concept__course__content")
    ticket = tickets.filter(digest=digest_of(secret), expires_at__gt=timezone.now()).first()
    if ticket is None or not ticket.account.person.is_active or ticket.account.person.is_staff:
        return None
    return ticket if ticket.account.platform.is_active else None


def target_of(link: PlatformLink | None, person: Person) -> str:
    """Return where a person goes who opens a link: the class for its teachers, what is to be learned for others."""
    if link is None:
        return reverse("home")
    classroom = link.course.classroom
    if classroom and _is_teaching(person, classroom):
        return classroom.get_absolute_url()
    return link.concept.get_absolute_url() if link.concept else reverse("home")


def needs_agreement(link: PlatformLink | None, person: Person) -> bool:
    """Tell whether a person is to read the class's agreement first, since they are not in the class yet."""
    classroom = link.course.classroom if link else None
    if classroom is None or classroom.archived_at:
        return False
    return not classroom.memberships.filter(person=person).exists()


def _is_teaching(person: Person, classroom: Classroom) -> bool:
    return classroom.memberships.filter(person=person, role=Membership.Role.TEACHER).exists()


def _course_for(account: PlatformAccount, launch: Launch) -> PlatformCourse:
    """Return the platform's course with its class. A teacher's first launch creates the class."""
    course, _created = PlatformCourse.objects.select_related("classroom").get_or_create(
        platform=account.platform,
        deployment=launch.deployment,
        context=launch.context,
        defaults={"title": launch.context_title[:NAME_MAX_LENGTH]},
    )
    if launch.is_teacher:
        _let_teach(account, course)
    elif course.classroom is not None:
        # Whoever teaches no longer has a teacher's place, and reads the agreement to get a learner's.
        with suppress(co_teachers.LastTeacher):
            co_teachers.remove_teacher(course.classroom, account.person_id)
    return course


def _let_teach(account: PlatformAccount, course: PlatformCourse) -> None:
    if course.classroom is None:
        name = course.title or _("Class from %(platform)s") % {"platform": account.platform}
        course.classroom = make_class(account.person, name[:NAME_MAX_LENGTH])
        course.classroom.policy.platform = account.platform.name
        course.classroom.policy.save()
        course.save(update_fields=["classroom"])
    else:
        Membership.objects.update_or_create(
            classroom=course.classroom, person=account.person, defaults={"role": Membership.Role.TEACHER}
        )


def _link_for(course: PlatformCourse, launch: Launch) -> PlatformLink:
    """Return the link as it is now: a platform may change what it opens and where its scores go."""
    fields: dict[str, Any] = {"concept": find_concept(launch.concept)}
    # Some platforms do not tell teachers where the scores of their pupils go.
    if launch.line_item or not launch.is_teacher:
        fields["line_item"] = launch.line_item
    link, _created = PlatformLink.objects.update_or_create(course=course, resource=launch.resource, defaults=fields)
    return link


def find_concept(name: str) -> Concept | None:
    """Return the concept with this name, `course/concept`; None if there is none."""
    course, _slash, concept = name.partition("/")
    if "\x00" in name:
        return None  # PostgreSQL refuses to look for it.
    concepts = Concept.objects.select_related("course").defer("course__content")
    return concepts.filter(course__slug=course, course__is_public=True, course__is_open=True, slug=concept).first()


def _issue_ticket(account: PlatformAccount, **fields: object) -> str:
    now = timezone.now()
    Ticket.objects.filter(expires_at__lte=now).delete()
    secret = secrets.token_urlsafe(32)
    Ticket.objects.create(account=account, digest=digest_of(secret), expires_at=now + TICKET_LIFETIME, **fields)
    return secret
