"""Deletion of old words by a class's agreement: conversations, messages, and what was typed as an answer."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.utils import timezone

from agents.people import Person
from conversations.history import actions
from conversations.models import Session
from tutoring.models import Attempt, ClassMessage, Membership, MisconceptionState, Policy
from tutoring.models.classes import NOTICE

PERIODS: Final = {Policy.Keeps.ONE_YEAR: timedelta(days=365), Policy.Keeps.TWO_YEARS: timedelta(days=730)}
TYPED: Final = ("numeric", "expression", "set", "steps", "text", "trace", "code")
"""Kinds of question whose answers are typed. Those of others are choices, or pieces that were given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """What will be deleted of a learner's within the notice."""

    by: datetime
    conversations: int
    answers: int


def apply_retention(*, at: datetime | None = None, dry_run: bool = False) -> Counter[str]:
    """Delete what is older than the learners' classes agreed; return how much, by kind. Safe to repeat.

    Grades, scores and times stay. With `dry_run`, nothing is deleted.
    """
    at = at or timezone.now()
    counts: Counter[str] = Counter()
    for person, cutoff in _cutoffs(at):
        old = {
            "conversations": _sessions(person.pk, cutoff),
            "answers": _answers(person.pk, cutoff),
            "messages": ClassMessage.objects.filter(learner_id=person.pk, created_at__lt=cutoff),
        }
        counts.update({name: rows.count() for name, rows in old.items()})
        if not dry_run:
            _delete(person, old, cutoff)
    return counts


def run_retention() -> None:
    """Delete what is due: the nightly job."""
    apply_retention()


def announced_deletion(
    person: Person, places: Iterable[Membership], *, at: datetime | None = None
) -> Announcement | None:
    """Return what will be deleted of the person's in the next two weeks; None for nothing. No query without an agreement.

    `places`: where the person learns, with the classes' policies.
    """
    by = (at or timezone.now()) + NOTICE
    cutoff = _cutoffs_of(places, by).get(person.pk)
    if cutoff is None:
        return None
    found = Announcement(
        by=by, conversations=_sessions(person.pk, cutoff).count(), answers=_answers(person.pk, cutoff).count()
    )
    return found if found.conversations or found.answers else None


def _cutoffs(at: datetime) -> Iterator[tuple[Any, datetime]]:
    """Yield each learner whose class agreed on deletion, and the time before which everything goes."""
    rows = Membership.objects.filter(role=Membership.Role.LEARNER, classroom__policy__keeps__in=list(PERIODS))
    places = list(rows.select_related("person", "classroom__policy"))
    people = {place.person_id: place.person for place in places}
    for pk, cutoff in sorted(_cutoffs_of(places, at).items()):
        yield people[pk], cutoff


def _cutoffs_of(places: Iterable[Membership], at: datetime) -> dict[int, datetime]:
    """Return by person the latest of these times: of several agreements, the one that deletes most is kept.

    An agreement holds two weeks after it was made, and two weeks after the learner joined.
    """
    found: dict[int, datetime] = {}
    for place in places:
        policy = place.classroom.policy
        if policy.keeps not in PERIODS:
            continue
        begins = max(policy.keeps_since or place.joined_at, place.joined_at) + NOTICE
        if begins <= at:
            cutoff = at - PERIODS[Policy.Keeps(policy.keeps)]
            found[place.person_id] = max(cutoff, found.get(place.person_id, cutoff))
    return found


def _sessions(person: int, cutoff: datetime) -> QuerySet[Session]:
    return Session.objects.filter(owner_id=person, updated_at__lt=cutoff).order_by("pk")


def _answers(person: int, cutoff: datetime) -> QuerySet[Attempt]:
    rows = Attempt.objects.filter(learner_id=person, created_at__lt=cutoff).exclude(answer="")
    in_words = Q(question__kind__in=("choice", "multi"), judgement__chosen=[])
    return rows.filter(Q(question__kind__in=TYPED) | in_words)


def _delete(person: Person, old: dict[str, QuerySet[Any]], cutoff: datetime) -> None:
    """Delete conversations for good, messages, the words of answers, and quotes in what was concluded from them."""
    for session in old["conversations"].select_related("owner"):
        if not old["conversations"].filter(pk=session.pk).exists():
            continue  # Something was said in it meanwhile.
        actions.delete(session)
        actions.delete_forever(session.owner, session.pk)
    old["messages"].delete()
    old["answers"].update(answer="")
    for state in MisconceptionState.objects.filter(learner_id=person.pk).exclude(evidence=[]):
        kept = [piece for piece in state.evidence if datetime.fromisoformat(piece["at"]) >= cutoff]
        if len(kept) < len(state.evidence):
            MisconceptionState.objects.filter(pk=state.pk, updated_at=state.updated_at).update(evidence=kept)
