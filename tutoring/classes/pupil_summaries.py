"""Summaries of a pupil's conversations, for the teachers of a class that agreed to summaries and to nothing more."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse

from conversations.models import ConversationSummary
from conversations.web.markup import to_html
from tutoring.access import TOO_LARGE, not_found_text
from tutoring.models import Membership

SHOWN: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedSummary:
    """A conversation with a summary. Its name is left out: it may be the pupil's own words."""

    topic: str
    when: datetime
    url: str


def readable_summaries(place: Membership) -> list[ListedSummary]:
    """Return the latest stored summary of each conversation, the latest first; none where the class shows none."""
    latest: dict[int, ConversationSummary] = {}
    for row in _rows(place).select_related("session__lesson__concept").order_by("-turn__number")[: 4 * SHOWN]:
        latest.setdefault(row.session_id, row)
    shown = sorted(latest.values(), key=lambda row: row.created_at, reverse=True)
    return [_listed(place, row) for row in shown[:SHOWN]]


def readable_summary(place: Membership, session: int) -> ConversationSummary:
    """Return the latest stored summary of one of those conversations. Raises Http404 for any other."""
    rows = _rows(place).select_related("session").order_by("-turn__number")
    found = rows.filter(session_id=session).first() if session < TOO_LARGE else None
    if found is None:
        raise Http404(not_found_text())
    return found


def summary_html(summary: ConversationSummary) -> str:
    """Return the sentences as HTML."""
    return to_html(summary.text)


def _rows(place: Membership) -> QuerySet[ConversationSummary]:
    """Return the summaries of conversations that began after the agreement: one is of the whole conversation."""
    since = place.classroom.policy.summarized_since(place.joined_at)
    rows = ConversationSummary.objects.filter(
        session__owner_id=place.person_id, session__deleted_at=None, turn__replaced_by=None
    ).exclude(text="")
    return rows.filter(session__created_at__gte=since) if since is not None else rows.none()


def _listed(place: Membership, row: ConversationSummary) -> ListedSummary:
    lesson = getattr(row.session, "lesson", None)
    where: Sequence[object] = [place.classroom.code, place.person_id, row.session_id]
    return ListedSummary(
        topic=lesson.concept.title if lesson is not None else "",
        when=row.created_at,
        url=reverse("class-summary", args=where),
    )
