"""The account of a platform's person: found by the platform's own id of them and nothing else."""

import uuid

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from learnagent.accounts.models import AgeBand, Person, Role
from learnagent.lti.errors import LaunchRefused
from learnagent.lti.id_tokens import Launch
from learnagent.lti.models import Platform, PlatformAccount

NAME_MAX_LENGTH = 80


@transaction.atomic
def account_for(platform: Platform, launch: Launch) -> PlatformAccount:
    """Return the account of whoever opened the link; the first launch creates it. Raises LaunchRefused.

    An account is never found by mail or name: a platform can say anything about those.
    """
    # Locked, so that two first launches at once create one account.
    Platform.objects.select_for_update().get(pk=platform.pk)
    accounts = PlatformAccount.objects.select_related("person")
    account = accounts.filter(platform=platform, subject=launch.subject).first()
    if account is None:
        person = _make_person(launch)
        return PlatformAccount.objects.create(platform=platform, subject=launch.subject, person=person)
    if not account.person.is_active or account.person.is_staff:
        raise LaunchRefused("account cannot be opened by a platform", status=403)
    if launch.is_teacher and account.person.role == Role.LEARNER:
        account.person.role = Role.TEACHER
        account.person.save(update_fields=["role"])
    account.launched_at = timezone.now()
    account.save(update_fields=["launched_at"])
    return account


def _make_person(launch: Launch) -> Person:
    """Store a new person. Nobody says how old a learner is, so nothing of theirs may leave the site."""
    name = launch.name[:NAME_MAX_LENGTH]
    language = launch.locale if launch.locale in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
    return Person.objects.create_user(
        f"lti-{uuid.uuid4().hex[:16]}",
        display_name=name,
        role=Role.TEACHER if launch.is_teacher else Role.LEARNER,
        age_band=AgeBand.ADULT if launch.is_teacher else AgeBand.CHILD,
        language=language,
    )
