"""What a teacher changed in an answer's grade, in words."""

from django.utils.translation import gettext as _

from agents.people import Person
from tutoring.models import Attempt, GradeChange

type Context = dict[str, object]


def change_context(attempt: Attempt) -> Context:
    """Return what was changed last, if it is in force; the attempt comes with `changes_in_force`."""
    changes: list[GradeChange] = getattr(attempt, "changes_in_force", [])
    if not changes:
        return {}
    change = changes[0]
    return {
        "words": change_words(change),
        "score": score_words(change),
        "reason": change.reason,
        "by": str(change.by or ""),
        "at": change.created_at,
    }


def change_words(change: GradeChange) -> str:
    """Return in a sentence what was changed."""
    is_right = bool(change.after["correct"])
    match change.kind:
        case GradeChange.Kind.NOT_COUNTED:
            return _("A teacher decided that this answer does not count.")
        case GradeChange.Kind.REGRADED if is_right:
            return _("This answer was graded again by today’s rules. It was marked wrong, and is now marked right.")
        case GradeChange.Kind.REGRADED:
            return _("This answer was graded again by today’s rules. Its result changed.")
        case _ if is_right:
            return _("A teacher marked this answer right.")
    return _("A teacher marked this answer wrong.")


def score_words(change: GradeChange) -> str:
    """Return what it did to the score."""
    before, after = change.mastery_before, change.mastery_after
    if not change.recounted:
        return _("The score stays the same: this answer never counted toward it, or it can’t be recalculated.")
    if before is None or after is None:
        return (
            _("There are too few answers for a score.")
            if after is None
            else _("There are enough answers for a score now.")
        )
    if percent(before) == percent(after):
        return _("The score was recalculated and stays at %(after)s.") % {"after": percent(after)}
    return _("Score: %(before)s → %(after)s") % {"before": percent(before), "after": percent(after)}


def change_news(person: Person) -> list[Context]:
    """Return the changes that the person has not seen, the latest first, except of what they reported; one query."""
    rows = GradeChange.objects.filter(attempt__learner_id=person.pk, undone_at=None, seen_at=None)
    rows = rows.filter(attempt__contest=None).select_related("attempt__question__concept__course")
    rows = rows.defer("attempt__question__concept__course__content").order_by("-pk")
    return [
        {
            "title": (concept := row.attempt.question.concept).title,
            "words": change_words(row),
            "note": row.reason,
            "url": concept.evidence_url(answer=row.attempt_id),
        }
        for row in rows
    ]


def percent(share: float) -> str:
    """Return a share (0–1) in percent."""
    return f"{round(100 * share)}%"
