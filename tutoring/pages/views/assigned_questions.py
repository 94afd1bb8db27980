"""The view of one question of an assigned quiz."""

import uuid
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from agents.wire import rejections
from agents.wire.rejections import Rejection
from tutoring.access import not_found_text
from tutoring.assignments.audiences import assignment_for
from tutoring.assignments.live_quizzes import is_reached
from tutoring.assignments.quiz_work import answer_item, ask_item, next_item
from tutoring.grading.verdicts import unreadable_code
from tutoring.mastery.records import progress
from tutoring.models import Assignment, AssignmentWork, Question, QuizItem
from tutoring.pages.contexts import my_assignments
from tutoring.pages.forms.answer_form import answer_fields
from tutoring.pages.views.answers import refuse_too_many
from tutoring.pages.views.my_assignments import NO_CHANGE, next_question
from tutoring.pages.views.requests import LearnerRequest
from tutoring.roles.wording.unreadable_answers import unreadable_reason
from tutoring.safety import incidents
from tutoring.understanding.concerns import detector

TOO_HIGH = 2**15
"""From this number on, the database has no such item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuizPlace:
    """A pupil at a question of a quiz."""

    request: LearnerRequest
    assignment: Assignment
    work: AssignmentWork
    item: QuizItem
    asked: Question


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def question(request: LearnerRequest, assignment: int, number: int) -> HttpResponse:
    """Show a question of the quiz; a POST answers it, once, or takes a hint."""
    found = assignment_for(request.user, assignment)
    items = found.items.select_related("concept", "assignment")
    item = items.filter(number=number).first() if number < TOO_HIGH else None
    # A question that a quiz taken together comes to later is not shown before.
    if item is None or (found.is_live and not is_reached(item)):
        raise Http404(not_found_text())
    works = AssignmentWork.objects.filter(assignment=found, learner_id=request.user.pk)
    work = works.exclude(started_at=None).first()
    if work is None or (found.is_live and request.method != "POST"):
        return redirect(found)
    place = QuizPlace(request=request, assignment=found, work=work, item=item, asked=ask_item(work, item, found))
    return _post(place) if request.method == "POST" else _question_page(place)


def _question_page(place: QuizPlace) -> HttpResponse:
    if not place.asked.is_open and not place.assignment.explains_at_once:
        return next_question(place.assignment, place.work)
    progress.note_shown([place.asked])
    return _card(place)


def _card(place: QuizPlace, *, typed: str | None = None, error: str = "", status: int = 200) -> HttpResponse:
    """Return the question's page; for a script, its card."""
    found, item, asked = place.assignment, place.item, place.asked
    context = {
        "assignment": found,
        "question": my_assignments.quiz_question_context(found, item, asked, typed=typed, error=error),
        "number": item.number,
        "total": len(found.items.all()),
        "next": None if asked.is_open else next_item(place.work),
    }
    is_part = bool(place.request.headers.get("HX-Request"))
    template = "tutoring/question.html#question" if is_part else "tutoring/assignment_question.html"
    return render(place.request, template, context, status=status)


def _post(place: QuizPlace) -> HttpResponse:
    typed = None
    try:
        fields = answer_fields(place.request)
        typed = fields["answer"]
        if fields["action"] == "hint":
            return _hint(place, typed=typed)
        return _answer(place, typed, gives_up=fields["action"] == "give_up", key=fields["idempotency_key"])
    except Rejection as rejection:
        return _refused(place, typed=typed, rejection=rejection)


def _answer(place: QuizPlace, typed: str, *, gives_up: bool, key: str) -> HttpResponse:
    person = place.request.user
    if concern := None if gives_up else detector.find_concern(typed):
        reply = incidents.reply_to_answer(person, concern, said_in=uuid.uuid5(place.asked.pk, key))
        return _card(place, typed=typed, error=reply)
    refuse_too_many(place.request)
    recorded = answer_item(place.work, place.item, place.asked, person=person, answer=typed, gives_up=gives_up, key=key)
    if recorded.attempt is None:
        raise rejections.invalid("answer", unreadable_reason(unreadable_code(recorded.judgement), place.asked.kind))
    return _as_page(place, _after_answer(place))


def _after_answer(place: QuizPlace) -> HttpResponseRedirect:
    """Lead on: to the page of a quiz taken together, to what is said about the answer, or to the next question."""
    if place.assignment.is_live:
        return redirect(place.assignment)
    if place.assignment.explains_at_once:
        return redirect("assignment-question", place.assignment.pk, place.item.number)
    return next_question(place.assignment, place.work)


def _as_page(place: QuizPlace, response: HttpResponseRedirect) -> HttpResponse:
    """Let a script load the whole page that the response leads to, instead of a part of this one."""
    if not place.request.headers.get("HX-Request"):
        return response
    return HttpResponse(status=NO_CHANGE, headers={"HX-Redirect": response.url})


def _hint(place: QuizPlace, *, typed: str) -> HttpResponse:
    # The last rung is the solution itself.
    has_more = place.asked.hints_used < len(place.asked.key["hints"]) - 1
    if not place.assignment.gives_hints or not has_more:
        raise rejections.invalid("action", _("There are no more hints for this question."))
    progress.take_hint(place.asked, tried=True)
    return _card(place, typed=typed)


def _refused(place: QuizPlace, *, typed: str | None, rejection: Rejection) -> HttpResponse:
    """Say why an answer was not taken: on the card if it can be changed, else on the page that comes next."""
    if rejection.status != 409:
        return _card(place, typed=typed, error=rejection.message, status=rejection.status)
    given = _("You wrote: %(answer)s") % {"answer": place.asked.shown(typed)} if typed else ""
    messages.error(place.request, f"{rejection.message} {given}".strip())
    found = place.assignment
    return _as_page(place, redirect(found) if found.is_live else next_question(found, place.work))
