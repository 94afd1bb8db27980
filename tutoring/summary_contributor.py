"""What tutoring knows of a conversation, for its summary: topics, graded answers, what is open and what comes next."""

from collections.abc import Collection

from django.db.models import Count, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conversations.models import Session
from conversations.search.quoted_sources import emphasize
from conversations.summaries.contributors import Contribution
from tutoring.dialogue.queries.following_topic import following_title
from tutoring.dialogue.queries.turn_rows import lesson_of, taught_concept
from tutoring.lesson.placement import placement_of
from tutoring.lesson.state import lesson_state
from tutoring.models import Attempt, Cycle, Question


def contribute(session: Session) -> Contribution:
    """Return what was taught in the conversation, how it went, and what comes next."""
    cycles = Cycle.objects.filter(session=session).order_by("pk")
    taught = list(cycles.values_list("concept__title", "mastery_achieved"))
    topics = tuple(dict.fromkeys(title for title, _mastered in taught))
    open_point = _open_point(session)
    return Contribution(
        topics=topics,
        learned=tuple(dict.fromkeys(title for title, mastered in taught if mastered)),
        result=_result(session),
        open_points=(open_point,) if open_point else (),
        next_step=_next_step(session, topics),
    )


def _result(session: Session) -> str:
    """Return how many questions were answered, and how many right on the first try; empty for none.

    One that is still open does not count yet. Whether an answer of a placement is right is not told before it ends, so
    those are only counted.
    """
    answered = Question.objects.filter(session=session, status=Question.Status.ANSWERED)
    firsts = Attempt.objects.filter(question__in=answered, number=1, gave_up=False)
    counted = firsts.exclude(change__left_out=True).exclude(question__purpose=Question.Purpose.PLACEMENT)
    found = counted.aggregate(asked=Count("pk"), right=Count("pk", filter=Q(correct=True)))
    if found["asked"]:
        return _answered_sentence(asked=found["asked"], right=found["right"])
    placed = len(placement_of(session.state).answers)
    return _placement_sentence(placed) if placed else ""


def _placement_sentence(placed: int) -> str:
    said = ngettext(
        "You answered %(count)d question to find your starting point.",
        "You answered %(count)d questions to find your starting point.",
        placed,
    )
    return said % {"count": placed}


def _answered_sentence(*, asked: int, right: int) -> str:
    if right == asked:
        said = ngettext(
            "You answered %(asked)d question and got it right on the first try.",
            "You answered %(asked)d questions and got them all right on the first try.",
            asked,
        )
    elif right:
        said = _("You answered %(asked)d questions and got %(right)d of them right on the first try.")
    else:
        said = ngettext("You answered %(asked)d question.", "You answered %(asked)d questions.", asked)
    return said % {"asked": asked, "right": right}


def _open_point(session: Session) -> str:
    """Return which question waits for an answer; empty if none does."""
    waiting = Question.objects.open().filter(session=session).latest_first()
    purpose, title = waiting.values_list("purpose", "concept__title").first() or ("", "")
    if purpose == Question.Purpose.PLACEMENT:
        return _("You haven’t finished the questions that find your starting point.")
    return _("Your question on %(concept)s is still open.") % {"concept": emphasize(title)} if title else ""


def _next_step(session: Session, topics: Collection[str]) -> str:
    """Return what comes next; empty without a lesson, and while a learner is being placed."""
    lesson, held = lesson_of(session), lesson_state(session.state)
    if lesson is None or placement_of(session.state).under_way:
        return ""
    concept = taught_concept(lesson, held)
    if not held.cycle.is_over and concept.title in topics:
        return _("This lesson isn’t finished yet.")
    if not held.cycle.is_over:
        return _("Next, we’ll start %(concept)s.") % {"concept": emphasize(concept.title)}
    following = following_title(session, concept)
    return _("%(concept)s comes next.") % {"concept": emphasize(following)} if following else ""
