"""The end of an account: closed at once, its rows erased by a job, and no byte of it left in the data folder."""

from datetime import timedelta
from functools import partial

from django.db import transaction
from django.tasks import task
from django.utils import timezone

from agents.privacy import apps_to_erase
from agents.storage.raw_sql import secure_deletion
from learnagent.accounts.authentication.sessions import end_sessions
from learnagent.accounts.models import Erasure, Person, SignInLink
from learnagent.accounts.personal_data.archive import count_rows
from learnagent.accounts.personal_data.copies import remove_orphaned_copies
from learnagent.accounts.personal_data.database_vacuum import erase_free_pages
from learnagent.accounts.personal_data.file_traces import blank_in_logs, identifying_words, remove_mails

STALLED_AFTER = timedelta(minutes=2)


@transaction.atomic
def close_account(person: Person) -> Erasure:
    """Sign the person out for good, everywhere, and note that all of theirs is to be erased."""
    erasure = Erasure.objects.create(subject=person.pk, traces=identifying_words(person))
    Person.objects.filter(pk=person.pk).update(is_active=False)
    end_sessions(person)
    person.api_tokens.all().delete()
    SignInLink.objects.filter(person=person).delete()
    return erasure


def schedule_erasure(person: Person) -> Erasure:
    """Close the account now, and leave the erasing to the worker. Returns the receipt, not filled in yet."""
    with transaction.atomic():
        erasure = close_account(person)
        transaction.on_commit(partial(erase.enqueue, str(erasure.pk)), robust=True)
    return erasure


@task
def erase(erasure_id: str) -> None:
    erasure = Erasure.objects.filter(pk=erasure_id, finished_at=None).first()
    if erasure is not None:
        run_erasure(erasure)


def run_erasure(erasure: Erasure) -> None:
    """Erase the account and fill in the receipt. May be broken off anywhere and done again."""
    person = Person.objects.filter(pk=erasure.subject or 0).first()
    if person is not None:
        _erase_rows(person, erasure)
    if erasure.subject is not None:
        remove_mails(erasure.subject)
    remove_orphaned_copies()
    blank_in_logs(erasure.traces)
    # The words themselves go before the database is swept, which sweeps them too.
    erasure.subject, erasure.traces = None, []
    erasure.save(update_fields=["subject", "traces"])
    erase_free_pages()
    erasure.finished_at = timezone.now()
    erasure.save(update_fields=["finished_at"])


def resume_erasures() -> None:
    """Order again what was broken off."""
    now = timezone.now()
    for erasure in Erasure.objects.filter(finished_at=None).exclude(asked_at__range=(now - STALLED_AFTER, now)):
        erase.enqueue(str(erasure.pk))


def _erase_rows(person: Person, erasure: Erasure) -> None:
    if not erasure.counts:
        erasure.counts = {name: number for name, number in count_rows(person).items() if number}
        erasure.save(update_fields=["counts"])
    erase_rows(person)


def erase_rows(person: Person) -> None:
    """Delete the person and every row of theirs. May be broken off anywhere and done again."""
    with secure_deletion():
        for room in apps_to_erase():
            room.erase(person)
        person.delete()
