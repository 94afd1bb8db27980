"""Template contexts of what a learner says is wrong, and of what came of it."""

from collections.abc import Mapping

from django.urls import reverse
from django.utils.translation import gettext as _

from tutoring.classes import contested
from tutoring.mastery.records.contests import can_contest
from tutoring.models import Attempt, Concept, Contest, Question

type Context = dict[str, object]


def contest_context(attempt: Attempt, *, question: Question, is_told: bool | None = None) -> Context:
    """Return what the card and the evidence show below a verdict; empty where there is none.

    The attempt comes with its contest. `is_told` tells whether a teacher sees it; it is looked up if needed.
    """
    if not can_contest(question):
        return {}
    contest: Contest | None = getattr(attempt, "contest", None)
    if contest is not None and is_told is None:
        is_told = contested.is_told(contest.learner, of_answers=True)
    shown = _shown(contest, is_told=bool(is_told))
    return shown | {"id": f"answer-{attempt.pk}", "url": reverse("contest-answer", args=[attempt.pk])}


def number_context(concept: Concept, contest: Contest | None, *, is_told: bool, refused: Mapping[str, str]) -> Context:
    """Return the same of a mastery number; after a decision it may be contested again."""
    url = reverse("contest-mastery", args=[concept.course.slug, concept.slug])
    return _shown(contest, is_told=is_told) | {"id": "number", "url": url, "refused": refused}


def _shown(contest: Contest | None, *, is_told: bool) -> Context:
    if contest is None:
        return {"state": "none", "words": "", "reason": "", "is_decided": False, "again": True}
    is_decided = contest.decided_at is not None
    return {
        "pk": contest.pk,
        "state": contest.decision or "said",
        "words": contest_words(contest, is_told=is_told),
        "reason": contest.reason,
        "is_decided": is_decided,
        "again": is_decided and contest.attempt_id is None,
    }


def contest_words(contest: Contest, *, is_told: bool) -> str:
    """Return to the learner what became of it."""
    if contest.decision == Contest.Decision.LEFT_OUT:
        if contest.recounted:
            return _("A teacher agreed with you. This answer no longer counts.")
        return _("A teacher agreed with you. Your score stays the same.")
    if contest.decision == Contest.Decision.KEPT:
        if contest.attempt_id is None:
            return _("You said this is wrong. A teacher has looked at it. Your next answers can change your score.")
        return _("You said this is wrong. A teacher has looked at it, and the result stays the same.")
    if is_told:
        return _("You said this is wrong. A teacher can see it.")
    return _(
        "You said this is wrong. No teacher can see your answers, so the result stays the same. "
        "Your next answers still count."
    )
