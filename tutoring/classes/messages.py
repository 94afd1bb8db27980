"""Messages between a class's teachers and a pupil: a thread for each pupil and class."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Count, Max, Q
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _

from agents.people import Person
from agents.storage.availability import best_effort
from agents.wire import rejections
from agents.wire.rejections import Rejection
from conversations.owners import lock_owner
from conversations.validators import is_storable
from tutoring.access import TOO_LARGE, not_found_text
from tutoring.classes.message_mail import order_mail
from tutoring.models import ClassMessage, Classroom, Membership
from tutoring.models.class_messages import TEXT_MAX_LENGTH
from tutoring.safety import incidents
from tutoring.understanding.concerns import detector

MOST_AN_HOUR: Final = 30
"""Messages that one person may send in an hour."""
TO_DELETE: Final = timedelta(minutes=15)
"""How long after it was sent its author can delete a message."""
SHOWN: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class SentMessage:
    """A message that was stored, and what a pupil is told if it sounds as if they need help."""

    message: ClassMessage
    care: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadMessage:
    """A message as one of its readers sees it."""

    row: ClassMessage
    name: str
    is_own: bool
    is_new: bool
    """Whether the reader sees it for the first time."""
    can_delete: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """A thread in a list of threads."""

    classroom: Classroom
    learner_id: int
    name: str
    latest: datetime
    unread: int
    is_open: bool = True
    """Whether the pupil is still in the class."""


def send_message(author: Person, place: Membership, text: str) -> SentMessage:
    """Store a message in the thread of this pupil and class; the author is the pupil, or a teacher of the class.

    Raises Rejection for an unfit text and for too many messages, and Http404 for anybody else.
    """
    by_learner = author.pk == place.person_id
    if not by_learner and not is_teacher(author, place.classroom):
        raise Http404(not_found_text())
    words = _checked(text)
    # Before the transaction: a local model may read the words.
    found = detector.find_concern(words) if by_learner else None
    with transaction.atomic():
        lock_owner(author)
        _refuse_too_many(author)
        message = ClassMessage.objects.create(
            classroom=place.classroom,
            learner_id=place.person_id,
            author_id=author.pk,
            by_learner=by_learner,
            text=words,
        )
        concern = incidents.record_concern(author, found, said_in=uuid.uuid4()) if found else None
        if not by_learner:
            order_mail(place)
    care = " ".join(incidents.concern_reply(author, concern)) if concern else ""
    return SentMessage(message=message, care=care)


def read_thread(reader: Person, classroom: Classroom, learner_id: int) -> list[ThreadMessage]:
    """Return the latest messages, oldest first, and mark those of the other side as read. Two queries.

    The reader is the pupil, or a teacher of the class: this is not checked here.
    """
    now, is_pupil = timezone.now(), reader.pk == learner_id
    rows = ClassMessage.objects.filter(classroom=classroom, learner_id=learner_id).select_related("author")
    latest = list(rows.order_by("-created_at", "-pk")[:SHOWN])[::-1]
    new = [row.pk for row in latest if row.read_at is None and row.by_learner != is_pupil]
    if new:
        with best_effort(f"messages read by person {reader.pk}"):
            ClassMessage.objects.filter(pk__in=new).update(read_at=now)
    return [
        ThreadMessage(
            row=row,
            name=str(row.author) if row.author is not None else _("Deleted account"),
            is_own=row.author_id == reader.pk,
            is_new=row.pk in new,
            can_delete=row.author_id == reader.pk and row.created_at > now - TO_DELETE,
        )
        for row in latest
    ]


def delete_message(author: Person, pk: int) -> ClassMessage:
    """Delete the author's own message; return it. Raises Http404 for any other, and Rejection if it is too late."""
    rows = ClassMessage.objects.filter(author_id=author.pk).select_related("classroom")
    message = rows.filter(pk=pk).first() if pk < TOO_LARGE else None
    if message is None:
        raise Http404(not_found_text())
    if message.created_at <= timezone.now() - TO_DELETE:
        words = _("A message can be deleted for 15 minutes after you send it. This one is older.")
        raise Rejection("conflict", words, status=409)
    ClassMessage.objects.filter(pk=message.pk).delete()
    return message


def threads_of_learner(person: Person) -> list[Thread]:
    """Return the pupil's threads and the classes in which they can write, the latest first; two queries."""
    rows = ClassMessage.objects.filter(learner_id=person.pk).values("classroom_id")
    counted = rows.annotate(latest=Max("created_at"), unread=Count("pk", filter=Q(by_learner=False, read_at=None)))
    stats = {row["classroom_id"]: row for row in counted.order_by()}
    mine = Q(memberships__person_id=person.pk, memberships__role=Membership.Role.LEARNER)
    opened = Classroom.objects.filter(mine).annotate(joined=Max("memberships__joined_at"))
    found = {each.pk: _own_thread(person, each, stats.get(each.pk), is_open=True) for each in opened}
    for each in Classroom.objects.filter(pk__in=stats.keys() - found.keys()):
        found[each.pk] = _own_thread(person, each, stats[each.pk], is_open=False)
    return sorted(found.values(), key=lambda each: each.latest, reverse=True)


def threads_of_class(classroom: Classroom) -> list[Thread]:
    """Return a thread for every pupil of the class, unread ones first and then the latest; two queries."""
    rows = ClassMessage.objects.filter(classroom=classroom).values("learner_id")
    counted = rows.annotate(latest=Max("created_at"), unread=Count("pk", filter=Q(by_learner=True, read_at=None)))
    stats = {row["learner_id"]: row for row in counted.order_by()}
    places = classroom.memberships.filter(role=Membership.Role.LEARNER).select_related("person")
    threads = [
        Thread(
            classroom=classroom,
            learner_id=place.person_id,
            name=str(place.person),
            latest=stats[place.person_id]["latest"] if place.person_id in stats else place.joined_at,
            unread=stats[place.person_id]["unread"] if place.person_id in stats else 0,
        )
        for place in places
    ]
    threads.sort(key=lambda each: each.latest, reverse=True)
    return sorted(threads, key=lambda each: not each.unread)


def home_card(person: Person, *, is_pupil: bool) -> dict[str, int] | None:
    """Return how many messages of teachers the person has not read; None for somebody without class and messages."""
    rows = ClassMessage.objects.filter(learner_id=person.pk)
    found = rows.aggregate(every=Count("pk"), unread=Count("pk", filter=Q(by_learner=False, read_at=None)))
    return {"unread": found["unread"]} if found["every"] or is_pupil else None


def own_thread(person: Person, code: str) -> tuple[Classroom, Membership | None]:
    """Return the class of one of the pupil's threads, and their place in it; None after they left.

    Raises Http404 for a class in which they neither are nor have messages.
    """
    places = Membership.objects.filter(person_id=person.pk, role=Membership.Role.LEARNER, classroom__code=code)
    place = places.select_related("classroom__policy", "person").first()
    if place is not None:
        return place.classroom, place
    left = Classroom.objects.filter(code=code, messages__learner_id=person.pk).first()
    if left is None:
        raise Http404(not_found_text())
    return left, None


def is_teacher(person: Person, classroom: Classroom) -> bool:
    """Tell whether the person teaches the class: messages and notes are theirs, and not an admin's."""
    taught = Membership.objects.filter(classroom=classroom, person_id=person.pk, role=Membership.Role.TEACHER)
    return person.role == "teacher" and taught.exists()


def _own_thread(person: Person, classroom: Classroom, stats: Mapping[str, object] | None, *, is_open: bool) -> Thread:
    latest, unread = (stats["latest"], stats["unread"]) if stats else (getattr(classroom, "joined", None), 0)
    assert isinstance(latest, datetime)
    assert isinstance(unread, int)
    return Thread(
        classroom=classroom, learner_id=person.pk, name=classroom.name, latest=latest, unread=unread, is_open=is_open
    )


def _checked(text: str) -> str:
    words = text.replace("\r\n", "\n").strip()
    if not words:
        raise rejections.invalid("text", _("Write a message first."))
    if len(words) > TEXT_MAX_LENGTH:
        raise rejections.invalid(
            "text", _("That is too long. Write at most %(limit)d characters.") % {"limit": TEXT_MAX_LENGTH}
        )
    if not is_storable(words):
        raise rejections.invalid(
            "text", _("This contains characters that can’t be stored. Type it again without them.")
        )
    return words


def _refuse_too_many(author: Person) -> None:
    since = timezone.now() - timedelta(hours=1)
    if ClassMessage.objects.filter(author_id=author.pk, created_at__gt=since).count() >= MOST_AN_HOUR:
        words = _("You have sent many messages. Wait an hour, then try again.")
        raise Rejection("rate_limited", words, status=429, retry_after_s=3600)
