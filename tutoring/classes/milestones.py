"""Milestones that a learner has reached, with the evidence that a teacher may see, and those that a teacher withdrew."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils import timezone

from agents.people import Person
from conversations.models import Finding
from tutoring.access import TOO_LARGE, not_found_text
from tutoring.classes.answer_links import answers_url
from tutoring.models import Course, Membership, MilestoneWithdrawal

SHOWN: Final = 50
TOLD_FOR: Final = timedelta(days=14)
"""How long the learner's home tells of a withdrawal."""
COURSE_OF: Final = "session__lesson__concept__course_id"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachedMilestone:
    """A milestone of a learner for the teachers of a class."""

    pk: int
    """Of the finding that it was reached."""
    title: str
    concept: str
    when: datetime
    quote: str
    """The words or the answer it rests on; empty where the class does not show them."""
    answers_url: str
    conversation_url: str
    withdrawal: MilestoneWithdrawal | None


@dataclass(frozen=True, slots=True)
class _Named:
    concept: str
    slug: str
    course: str
    title: str


def reached_milestones(place: Membership, courses: Iterable[Course]) -> list[ReachedMilestone]:
    """Return the milestones of these courses that the learner has reached in lessons, the latest first. Two queries."""
    names = _names(courses)
    withdrawn = {(row.course_id, row.milestone): row for row in withdrawals_of(place.person)}
    found: dict[tuple[int, str], ReachedMilestone] = {}
    fields = (COURSE_OF, "pk", "content", "created_at", "evidence", "session_id")
    for row in _findings(place.person_id).order_by("-pk").values(*fields):
        key = (row[COURSE_OF], row["content"].get("milestone", ""))
        if key in names and key not in found:
            found[key] = _reached(place, names[key], row, withdrawn.get(key))
    return list(found.values())[:SHOWN]


def withdrawals_of(person: Person) -> list[MilestoneWithdrawal]:
    """Return the learner's withdrawn milestones, the latest first, each with its teacher and course."""
    rows = MilestoneWithdrawal.objects.filter(learner_id=person.pk).select_related("by", "course")
    return list(rows.order_by("-pk"))


def has_new_withdrawal(person: Person, *, at: datetime) -> bool:
    """Tell whether a milestone was withdrawn lately and the learner has not answered; one query."""
    rows = MilestoneWithdrawal.objects.filter(learner_id=person.pk, objected_at=None)
    return rows.filter(created_at__gt=at - TOLD_FOR).exists()


def withdrawn_titles(person: Person) -> list[tuple[MilestoneWithdrawal, str]]:
    """Return them with the milestones' titles, for the learner; those that a course no longer has are left out."""
    rows = withdrawals_of(person)
    names = _names({row.course for row in rows})
    keyed = ((row, names.get((row.course_id, row.milestone))) for row in rows)
    return [(row, named.title) for row, named in keyed if named is not None]


def withdraw_milestone(place: Membership, pk: int, *, by: Person, reason: str) -> None:
    """Withdraw the milestone that this finding is about; once: a second reason changes nothing."""
    finding = _finding(place, pk)
    MilestoneWithdrawal.objects.get_or_create(
        learner_id=place.person_id,
        course_id=finding.session.lesson.concept.course_id,
        milestone=finding.content["milestone"],
        defaults={"reason": reason, "by_id": by.pk},
    )


def restore_milestone(place: Membership, pk: int) -> None:
    """Count the milestone as reached again; nothing if it was not withdrawn."""
    finding = _finding(place, pk)
    rows = MilestoneWithdrawal.objects.filter(learner_id=place.person_id, milestone=finding.content["milestone"])
    rows.filter(course_id=finding.session.lesson.concept.course_id).delete()


def withdrawal_for(person: Person, pk: int) -> MilestoneWithdrawal:
    """Return the withdrawal of one of the learner's own milestones. Raises Http404 for anybody else's."""
    rows = MilestoneWithdrawal.objects.filter(learner_id=person.pk)
    found = rows.filter(pk=pk).first() if pk < TOO_LARGE else None
    if found is None:
        raise Http404(not_found_text())
    return found


def object_to_withdrawal(withdrawal: MilestoneWithdrawal, *, reason: str) -> None:
    """Store that the learner disagrees with the withdrawal."""
    rows = MilestoneWithdrawal.objects.filter(pk=withdrawal.pk)
    rows.update(objection=reason, objected_at=timezone.now())


def _finding(place: Membership, pk: int) -> Finding:
    rows = _findings(place.person_id).select_related("session__lesson__concept")
    finding = rows.filter(pk=pk).exclude(session__lesson=None).first() if pk < TOO_LARGE else None
    if finding is None or not place.classroom.policy.shows_levels or not finding.content.get("milestone"):
        raise Http404(not_found_text())
    return finding


def _findings(learner_id: int) -> QuerySet[Finding]:
    return Finding.objects.filter(
        session__owner_id=learner_id,
        session__deleted_at=None,
        kind="milestone",
        content__reached=True,
        turn__replaced_by=None,
        contested_at=None,
    )


def _names(courses: Iterable[Course]) -> dict[tuple[int, str], _Named]:
    return {
        (course.pk, milestone.id): _Named(concept.title, concept.id, course.slug, milestone.title)
        for course in courses
        for concept in course.catalogue().concepts
        for milestone in concept.milestones
    }


def _reached(
    place: Membership, named: _Named, row: Mapping[str, object], withdrawal: MilestoneWithdrawal | None
) -> ReachedMilestone:
    """Return the milestone; the words it rests on were said in a conversation, and follow the rule for those."""
    policy, when = place.classroom.policy, row["created_at"]
    assert isinstance(when, datetime)
    since = policy.readable_since(place.joined_at)
    reads = since is not None and when >= since
    where = [place.classroom.code, place.person_id, row["session_id"]]
    return ReachedMilestone(
        pk=int(str(row["pk"])),
        title=named.title,
        concept=named.concept,
        when=when,
        quote=str(row["evidence"]) if reads and policy.shows_answers else "",
        answers_url=answers_url(place, named.course, named.slug),
        conversation_url=reverse("class-conversation", args=where) if reads else "",
        withdrawal=withdrawal,
    )
