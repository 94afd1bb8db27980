"""All answers of a class as rows for a spreadsheet, read in pieces: a year of a class is half a million."""

from collections.abc import AsyncIterator, Iterator, Sequence

from asgiref.sync import sync_to_async
from django.utils import timezone
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from agents.wire.csv_export import csv_lines
from tutoring.classes.answer_links import question_words
from tutoring.classes.mastery_board import learners_of
from tutoring.models import Attempt, Classroom, Membership

ROWS_AT_ONCE = 2000
BYTE_ORDER_MARK = "\ufeff"
"""Tells a spreadsheet program that this is UTF-8."""


async def stream_answers(classroom: Classroom) -> AsyncIterator[str]:
    """Yield the table in pieces: a header, then the answers of each learner in the order they were given."""
    language = get_language()
    pieces = await sync_to_async(answer_pieces)(classroom)
    while piece := await sync_to_async(_next_piece)(pieces, language):
        yield piece


def _next_piece(pieces: Iterator[str], language: str | None) -> str:
    """Return the next piece, in the language of the request, which may be over."""
    with override(language):
        return next(pieces, "")


def answer_pieces(classroom: Classroom) -> Iterator[str]:
    """Yield the same without waiting, for one thread."""
    yield BYTE_ORDER_MARK + csv_lines([_head()])
    places = sorted(learners_of(classroom), key=lambda place: (str(place.person).casefold(), place.pk))
    for place in places if classroom.policy.shows_answers else ():
        last = 0
        while rows := _answers_after(place, last):
            last = rows[-1].pk
            yield csv_lines(_row(place, each) for each in rows)


def _answers_after(place: Membership, last: int) -> list[Attempt]:
    """Return the next answers of a learner; by key, so that no place in the list has to be kept."""
    rows = Attempt.objects.filter(
        learner_id=place.person_id, pk__gt=last, question__concept__course__is_personal=False
    ).order_by("pk")
    rows = rows.select_related("question__concept__course").only(
        "learner_id", "answer", "gave_up", "verdict", "correct", "assisted", "number", "time_taken_s", "judgement",
        "misconceptions", "left_out", "created_at", "question__kind", "question__stem", "question__template",
        "question__purpose", "question__hints_used", "question__concept__slug", "question__concept__course__slug",
    )  # fmt: skip
    return list(rows[:ROWS_AT_ONCE])


def _head() -> Sequence[str]:
    return [
        _("Pupil"), _("Username"), _("Time"), _("Course"), _("Topic"), _("Question template"), _("Question"),
        _("Purpose"), _("Kind"), _("Try"), _("Answer"), _("Result"), _("Right"), _("With help"), _("Hints"),
        _("Seconds"), _("Misconceptions"), _("Counts"),
    ]  # fmt: skip


def _row(place: Membership, answer: Attempt) -> Sequence[object]:
    question = answer.question
    return [
        str(place.person), place.person.get_username(), timezone.localtime(answer.created_at).isoformat(" ", "seconds"),
        question.concept.course.slug, question.concept.slug, question.template, question_words(question.stem),
        question.get_purpose_display(), question.kind, answer.number, _said(place, answer),
        _("gave up") if answer.gave_up else answer.verdict, int(answer.correct), int(answer.assisted),
        question.hints_used, round(answer.time_taken_s) if answer.time_taken_s is not None else "",
        " ".join(answer.misconceptions), int(not answer.left_out),
    ]  # fmt: skip


def _said(place: Membership, answer: Attempt) -> str:
    """Return the answer as it was given; own words in place of a choice only where conversations may be read."""
    since = place.classroom.policy.readable_since(place.joined_at)
    if answer.is_in_words and (since is None or answer.created_at < since):
        return ""
    return answer.answer
