"""Records a concern: in whose lesson, and which classes are told, as they have agreed."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from agents.people import Person
from conversations.history.safe_markdown import escape_line
from conversations.models import Session, Turn
from conversations.owners import lock_owner
from tutoring.models import Concern, ConcernNotice, Membership
from tutoring.safety.fixed_replies import age_of, asking_words, concern_words
from tutoring.safety.teacher_mail import mail_teachers
from tutoring.understanding import message_analysis
from tutoring.understanding.concerns.detector import KINDS, parse_kind

CARE = "care"
"""The key in `Turn.payload` of a safety turn: its kind. Nothing else reads what was said in it."""
KINDS_NOT_REPORTED = frozenset({"unsafe_request"})
"""Kinds that nobody else is told about: the request is declined, and that is all."""
REPORT_PAUSE = timedelta(hours=1)
"""Pause after a mail about a learner before another one follows, unless it has become more urgent."""


def record_in_turn(turn: Turn, found: message_analysis.ConcernSignal) -> None:
    """Mark the turn and record the concern; the caller has the transaction, and saves the session."""
    turn.payload[CARE] = found.kind
    turn.save(update_fields=["payload"])
    # Otherwise the message would become its name.
    turn.session.title = turn.session.title or _("Conversation")
    record_concern(turn.owner, found, session=turn.session, said_in=turn.pk)


def record_concern(
    person: Person,
    found: message_analysis.ConcernSignal,
    *,
    session: Session | None = None,
    said_in: UUID | None = None,
) -> Concern:
    """Store that there is a concern, without the words, and tell the classes that have agreed to it; none if it is unsure.

    `said_in` is the turn, or a substitute for an answer on a page of its own: there is one concern for each.
    """
    concern = Concern.objects.create(
        learner_id=person.pk, session=session, turn=said_in, kind=found.kind, is_sure=found.is_sure
    )
    if not found.is_sure or found.kind in KINDS_NOT_REPORTED or found.by_teacher:
        return concern
    for place in _places(person):
        if place.classroom.policy.tells_of_concerns:
            _tell_class(place, concern)
    return concern


def _tell_class(place: Membership, concern: Concern) -> None:
    """Tell the class, by mail if it has not been told of anything as grave lately."""
    lately = ConcernNotice.objects.filter(
        classroom=place.classroom,
        concern__learner_id=concern.learner_id,
        concern__created_at__range=(concern.created_at - REPORT_PAUSE, concern.created_at),
        concern__kind__in=KINDS[: KINDS.index(parse_kind(concern.kind)) + 1],
    )
    is_news = not lately.exists()
    ConcernNotice.objects.create(concern=concern, classroom=place.classroom)
    if is_news:
        mail_teachers.enqueue(place.classroom_id)


def concern_reply(person: Person, concern: Concern) -> tuple[str, ...]:
    """Return the reply in paragraphs; for an unsure concern, one kind question and who to talk to."""
    named = [(each.classroom.name, each.classroom.policy.contact) for each in _places(person)]
    contacts = [(escape_line(name), escape_line(contact)) for name, contact in named if contact]
    if not concern.is_sure and concern.kind not in KINDS_NOT_REPORTED:
        return tuple(asking_words(age_of(person), contacts=contacts))
    return tuple(
        concern_words(parse_kind(concern.kind), age_of(person), told=concern.tellings.exists(), contacts=contacts)
    )


def reply_to_answer(person: Person, found: message_analysis.ConcernSignal, *, said_in: UUID) -> str:
    """Record the concern in an answer on a page of its own, once, and return the reply."""
    with transaction.atomic():
        lock_owner(person)
        before = Concern.objects.filter(turn=said_in).first()
        noted = before or record_concern(person, found, said_in=said_in)
        return " ".join(concern_reply(person, noted))


def _places(person: Person) -> Sequence[Membership]:
    """Return the person's memberships as a learner of active classes."""
    places = Membership.objects.filter(person_id=person.pk, role=Membership.Role.LEARNER)
    in_use = places.filter(classroom__archived_at=None)
    return list(in_use.select_related("classroom__policy").order_by("classroom__name", "pk"))
