"""A teacher's home: who needs help and why, one class at a glance, and one thing to teach."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.db.models import Count, F, Max, Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.people import Person
from conversations.timestamps import weekday_date
from tutoring.assignments.summaries import due_this_week
from tutoring.classes.class_misconceptions import ClassMisconception
from tutoring.classes.concerns import LearnerConcern
from tutoring.classes.contested import open_contests
from tutoring.classes.help_rules import HelpReason
from tutoring.classes.mastery_board import ClassBoard, LearnerRow, class_board, shown_course
from tutoring.classes.mini_lessons import mini_lesson_of
from tutoring.classes.teach_next import idea_to_teach
from tutoring.classes.teacher_access import classes_for
from tutoring.models import Attempt, Classroom, Course, Mastery, Membership
from tutoring.pages.cards.question_context import Context

IN_NEED_SHOWN = 5
WEEK = timedelta(days=7)


def teacher_home_context(
    person: Person, *, chosen: str = "", concerns: Sequence[LearnerConcern] = (), now: datetime | None = None
) -> Context:
    """Return what a teacher's home shows: everything urgent of all classes, and the rest of one of them.

    The rest is of the chosen class, otherwise of the one that worked last. The number of queries depends on nothing.
    """
    now = now or timezone.now()
    classrooms = _active_classes(person)
    classroom = next((each for each in classrooms if each.code == chosen), classrooms[0] if classrooms else None)
    return {
        "today": weekday_date(timezone.localdate(now)),
        "classes": classrooms,
        "concerns": [each for each in concerns if not each.is_archived],
        "contested": open_contests(classrooms) if classrooms else [],
        **(_class_context(classroom, now=now) if classroom else {}),
    }


def _active_classes(person: Person) -> list[Classroom]:
    """Return the classes that are not archived, the one that worked last first."""
    own = classes_for(person).filter(archived_at=None).values("pk")
    at_work = Max("memberships__person__masteries__last_at", filter=Q(memberships__role=Membership.Role.LEARNER))
    rows = Classroom.objects.filter(pk__in=own).select_related("policy").annotate(last=at_work)
    return list(rows.order_by(F("last").desc(nulls_last=True), "-pk"))


def _class_context(classroom: Classroom, *, now: datetime) -> Context:
    course = shown_course(classroom, list(Course.objects.listed_in(classroom)))
    board = class_board(classroom, course, now=now) if course else None
    seen = {each.id: each for each in board.seen} if board else {}
    needing = board.needing if board else []
    return {
        "classroom": classroom,
        "policy": classroom.policy,
        "board": board,
        "due": due_this_week(classroom, now=now),
        "needing": [_need(row, board, seen, now=now) for row in needing[:IN_NEED_SHOWN] if board],
        "others": max(0, len(needing) - IN_NEED_SHOWN),
        "teach": (teach := idea_to_teach(board) if board else None),
        "mini_lesson": mini_lesson_of(course, teach.id) if course and teach else None,
        "figures": _figures(board, now=now) if board and board.rows and classroom.policy.shows_levels else [],
    }


def _need(row: LearnerRow, board: ClassBoard, seen: Mapping[str, ClassMisconception], *, now: datetime) -> Context:
    """Return who needs help, why, since when, and one thing to do."""
    first = row.need.reasons[0]
    idea = seen.get(first.about) if first.kind == "misconception" else None
    return {
        "pk": row.pk,
        "name": row.name,
        "url": row.url,
        "since": since_words(first, now=now),
        "is_calm": first.kind in ("quiet", "not_begun"),
        "lines": row.need.shown,
        "advice": row.need.advice,
        "reasons": [f"{line.name} {line.evidence}" for line in row.need.lines],
        "idea": idea,
        "answers_url": row.need.answers_url or _latest_url(row, board),
    }


def _latest_url(row: LearnerRow, board: ClassBoard) -> str:
    """Return where the learner's latest answers are; empty if there are none, or the class does not show them."""
    answered = [
        (cell.last_at, concept.slug)
        for concept, cell in zip(board.concepts, row.cells, strict=True)
        if cell.last_at is not None
    ]
    if not answered or not board.shows_answers:
        return ""
    _at, slug = max(answered)
    return f"{row.url}{board.course.slug}/{slug}/"


def since_words(reason: HelpReason, *, now: datetime) -> str:
    """Return how it stands with the learner, and since when."""
    if reason.kind == "quiet":
        return ngettext("quiet for %(days)d day", "quiet for %(days)d days", reason.number) % {"days": reason.number}
    if reason.kind == "not_begun" or reason.since is None:
        return _("not started")
    day, today = timezone.localdate(reason.since), timezone.localdate(now)
    is_stuck = reason.kind in ("stuck", "misses")
    if day == today:
        return _("got stuck today") if is_stuck else _("seen today")
    when = date_format(day, "l" if today - day < WEEK else "MONTH_DAY_FORMAT")
    return (_("stuck since %(day)s") if is_stuck else _("first seen on %(day)s")) % {"day": when}


def _figures(board: ClassBoard, *, now: datetime) -> Sequence[Context]:
    """Return the class in figures: the last seven days, and the seven before. Two queries."""
    people = [row.pk for row in board.rows]
    lately, before = Q(created_at__gte=now - WEEK), Q(created_at__lt=now - WEEK)
    answers = Attempt.objects.filter(
        learner_id__in=people, created_at__gte=now - 2 * WEEK, question__concept__course__is_personal=False
    ).aggregate(
        people=Count("learner_id", distinct=True, filter=lately),
        people_before=Count("learner_id", distinct=True, filter=before),
        answers=Count("pk", filter=lately),
        answers_before=Count("pk", filter=before),
    )
    mastered = Mastery.objects.filter(
        learner_id__in=people, mastered_at__gte=now - 2 * WEEK, concept__course__is_personal=False
    ).aggregate(
        now=Count("pk", filter=Q(mastered_at__gte=now - WEEK)), before=Count("pk", filter=Q(mastered_at__lt=now - WEEK))
    )
    fading = sum(cell.due for row in board.rows for cell in row.cells)
    of_all = _("%(count)d of %(all)d")
    return [
        {
            "number": of_all % {"count": answers["people"], "all": len(people)},
            "words": _("active in the last 7 days"),
            "before": answers["people_before"],
        },
        {"number": answers["answers"], "words": _("answers"), "before": answers["answers_before"]},
        {"number": mastered["now"], "words": _("topics newly mastered"), "before": mastered["before"]},
        {"number": fading, "words": _("mastered, now fading"), "before": None},
    ]
