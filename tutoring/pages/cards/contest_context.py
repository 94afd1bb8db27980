"""Template contexts of what a learner says is wrong, and of what came of it."""

from collections.abc import Mapping

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from agents.people import Person
from conversations.web.markup import inline_to_html
from tutoring.classes import contested
from tutoring.courses.exercises.sample_answers import right_answers
from tutoring.mastery.records import contests
from tutoring.models import Attempt, Concept, Contest, MisconceptionState, Question

type Context = dict[str, object]

WRITTEN_KINDS = ("numeric", "set", "expression", "order", "match")
"""Kinds whose right answer is told in words; the others show it in their choices, or in the solution."""


def contest_context(attempt: Attempt, *, question: Question, is_told: bool | None = None) -> Context:
    """Return what the card and the evidence show below a verdict.

    The attempt comes with its contest, the question with its concept. `is_told` tells whether a teacher sees it; it is
    looked up if needed.
    """
    contest: Contest | None = getattr(attempt, "contest", None)
    shown: Context = {}
    if contest is not None:
        attempt.question = question
        contest.attempt = attempt
        told = contested.is_told(contest.learner, of_answers=True) if is_told is None else is_told
        # Until a teacher looks, nothing but the right answer explains a verdict that stays.
        explains = not told and not contest.decision and not attempt.correct
        shown = {"right_html": right_answer_html(question) if explains else ""}
        if not question.is_open:
            shown |= another_context(question.concept, like=attempt)
        shown = _shown(contest, is_told=told) | shown
    return (shown or _shown(None)) | {
        "id": f"answer-{attempt.pk}",
        "url": reverse("contest-answer", args=[attempt.pk]),
    }


def number_context(
    concept: Concept, contest: Contest | None, *, is_told: bool, refused: Mapping[str, str] | None = None
) -> Context:
    """Return the same of a mastery number; after a decision it may be contested again."""
    url = reverse("contest-mastery", args=[concept.course.slug, concept.slug])
    another = another_context(concept) if contest is not None else {}
    return _shown(contest, is_told=is_told) | another | {"id": "number", "url": url, "refused": refused or {}}


def idea_context(state: MisconceptionState, contest: Contest | None, *, is_told: bool) -> Context:
    """Return the same of an idea to check; the state comes with its course, the contest with its concept."""
    url = reverse("contest-idea", args=[state.course.slug, state.misconception])
    if contest is not None:
        contest.concept.course = state.course
    another = another_context(contest.concept) if contest is not None and not contest.decision else {}
    return _shown(contest, is_told=is_told) | another | {"id": f"idea-{state.pk}", "url": url, "refused": {}}


def contest_news(person: Person) -> list[Context]:
    """Return what teachers decided about what the person reported, until they have seen it, the latest first; one query."""
    return [
        {
            "title": row.concept.title,
            "words": contest_words(row, is_told=True),
            "note": row.note,
            "url": reverse("progress") + "#misconceptions-title"
            if row.about == Contest.About.IDEA
            else row.concept.evidence_url(answer=row.attempt_id),
        }
        for row in contests.news_for(person)
    ]


def another_context(concept: Concept, *, like: Attempt | None = None) -> Context:
    """Return where another question is asked, whose answer changes the score; the concept comes with its course."""
    return {
        "another_url": reverse("another-question", args=[concept.course.slug, concept.slug]),
        "another_like": like.pk if like is not None else "",
    }


def right_answer(question: Question) -> str:
    """Return the right answer as it may be shown in words; empty while the question is open, and for other kinds."""
    if question.status != Question.Status.ANSWERED or question.kind not in WRITTEN_KINDS:
        return ""
    return question.shown(next(iter(right_answers(question.instance())), ""))


def right_answer_html(question: Question) -> SafeString:
    """Return the right answer of a closed question, of a choice too; empty where only its picture shows it."""
    if question.status == Question.Status.ANSWERED and question.kind in ("choice", "multi"):
        right = question.key["answer"].get("right", ())
        texts = [each["text"] for each in question.public["choices"] if each["letter"] in right]
        return inline_to_html("; ".join(texts), stacks=True) if all(texts) else mark_safe("")
    return inline_to_html(right_answer(question), stacks=True)


def _shown(contest: Contest | None, *, is_told: bool = False) -> Context:
    if contest is None:
        return {"state": "none", "words": "", "reason": "", "note": "", "is_decided": False, "again": True}
    is_decided = contest.decided_at is not None
    return {
        "pk": contest.pk,
        "state": contest.decision or "said",
        "words": contest_words(contest, is_told=is_told),
        "reason": contest.reason,
        "note": contest.note,
        "is_decided": is_decided,
        "again": is_decided and contest.about != Contest.About.VERDICT,
    }


def contest_words(contest: Contest, *, is_told: bool) -> str:
    """Return to the learner what became of it; one about a verdict comes with its answer."""
    if contest.decision == Contest.Decision.LEFT_OUT:
        return _left_out_words(contest)
    if contest.decision == Contest.Decision.KEPT:
        return _kept_words(contest)
    if is_told:
        return _("You said this is wrong. A teacher can see your report.")
    return _alone_words(contest)


def _left_out_words(contest: Contest) -> str:
    if contest.about == Contest.About.IDEA:
        return _("A teacher agreed with you. This idea is no longer on your list.")
    if contest.decided_by_id is None:
        if contest.recounted:
            return _("We checked your answer again, and it is right. It no longer counts as wrong.")
        return _(
            "We checked your answer again, and it is right. Your score stays the same. Either this answer never counted toward it, or it can’t be recalculated without this answer."
        )
    if contest.attempt is not None and contest.attempt.correct:
        return _("A teacher agreed with you. This answer now counts as right.")
    if contest.recounted:
        return _("A teacher agreed with you. This answer no longer counts.")
    return _(
        "A teacher agreed with you, but your score stays the same. Either this answer never counted toward it, or it can’t be recalculated without this answer."
    )


def _kept_words(contest: Contest) -> str:
    if contest.about == Contest.About.IDEA:
        return _(
            "You said this isn’t what you think. A teacher has looked at your report. Right answers will take this idea off the list."
        )
    if contest.attempt is None:
        return _("You said this is wrong. A teacher has looked at it. Your next answers can change your score.")
    if contest.attempt.correct:
        return _("You said this is wrong. A teacher has looked at it. Your answer still counts as right.")
    return _("You said this is wrong. A teacher has looked at it, and the result stays the same.")


def _alone_words(contest: Contest) -> str:
    """Return what happens where no teacher sees it: code has checked what it can, and new answers count."""
    if contest.about == Contest.About.IDEA:
        return _(
            "You said this isn’t what you think. No teacher can see your answers. Two right answers without help "
            "will take this idea off the list."
        )
    if contest.about == Contest.About.SCORE:
        if contest.unfaded is not None:
            return _(
                "You said this is wrong. No teacher can see your score. It went down because it has been a while since "
                "your last answers. A right answer brings it back up."
            )
        return _(
            "You said this is wrong. No teacher can see your score. It comes from your answers alone, so a new answer "
            "changes it."
        )
    attempt = contest.attempt
    if attempt is None or not contests.can_grade_again(attempt):
        return _("You said this is wrong. No teacher can see your answers, so the result stays the same.")
    if attempt.correct:
        return _(
            "You said this is wrong. No teacher can see your answers, so we checked it again. Your answer is right."
        )
    if attempt.question.is_open:
        return _(
            "You said this is wrong. No teacher can see your answers, so we checked it again. The result stays "
            "the same. You can try once more."
        )
    return _(
        "You said this is wrong. No teacher can see your answers, so we checked it again. The result stays the same."
    )
