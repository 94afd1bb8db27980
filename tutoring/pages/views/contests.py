"""Views of the evidence behind a mastery, and of what a learner says is wrong in it."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from agents.wire.rejections import Rejection
from tutoring.access import attempt_for, concept_for
from tutoring.mastery.records import contests
from tutoring.models import Attempt, Concept, Contest
from tutoring.pages.cards.contest_context import contest_context
from tutoring.pages.contexts.evidence import Refused, evidence_context
from tutoring.pages.forms.contest_form import ContestForm
from tutoring.pages.views.requests import LearnerRequest, answer_from

TAKE_BACK = "take_back"
CARD = "tutoring/question.html#contest"


@login_required
@require_safe
def evidence(request: LearnerRequest, course: str, concept: str) -> HttpResponse:
    found = concept_for(request.user, course, concept)
    return _evidence_page(request, found, upto=answer_from(request))


@login_required
@require_POST
def contest_answer(request: LearnerRequest, attempt: int) -> HttpResponse:
    """Record that an answer's verdict is wrong, or take that back; a card gets back the piece that says so."""
    found = attempt_for(request.user, attempt)
    concept, is_card = found.question.concept, bool(request.headers.get("HX-Request"))
    if not contests.can_contest(found.question):
        return redirect(concept.evidence_url(answer=found.pk))
    form = ContestForm(request.POST)
    if not form.is_valid():
        return _refused(request, form, concept, found, is_card=is_card)
    contest: Contest | None = getattr(found, "contest", None)
    _contest_or_take_back(
        request, contest, say=lambda: contests.contest_verdict(found, reason=form.cleaned_data["reason"])
    )
    if not is_card:
        return redirect(concept.evidence_url(answer=found.pk))
    return _card(request, attempt_for(request.user, attempt))


@login_required
@require_POST
def contest_mastery(request: LearnerRequest, course: str, concept: str) -> HttpResponse:
    """Record that a mastery number is wrong, or take that back."""
    found = concept_for(request.user, course, concept)
    form = ContestForm(request.POST)
    if not form.is_valid():
        return _refused(request, form, found, None, is_card=False)
    rows = Contest.objects.open().filter(learner_id=request.user.pk, concept=found, attempt=None)
    _contest_or_take_back(
        request,
        rows.first(),
        say=lambda: contests.contest_mastery(request.user, found, reason=form.cleaned_data["reason"]),
    )
    return redirect(found.evidence_url())


def _contest_or_take_back(request: LearnerRequest, contest: Contest | None, *, say: Callable[[], object]) -> None:
    if request.POST.get("action") != TAKE_BACK:
        say()
        return
    try:
        if contest is not None:
            contests.take_back(contest)
    except Rejection as rejection:
        messages.info(request, rejection.message)


def _refused(
    request: LearnerRequest, form: ContestForm, concept: Concept, attempt: Attempt | None, *, is_card: bool
) -> HttpResponse:
    """Return the form with what was typed and why it cannot be stored."""
    error, typed = " ".join(map(str, form.errors["reason"])), request.POST.get("reason", "")
    if is_card and attempt is not None:
        return _card(request, attempt, refused={"typed": typed, "error": error}, status=422)
    about = attempt.pk if attempt else None
    refused = Refused(attempt=about, typed=typed, error=error)
    return _evidence_page(request, concept, upto=about, refused=refused, status=422)


def _card(
    request: LearnerRequest, attempt: Attempt, *, refused: dict[str, str] | None = None, status: int = 200
) -> HttpResponse:
    contest = contest_context(attempt, question=attempt.question) | {"refused": refused or {}, "is_fresh": True}
    return render(request, CARD, {"question": {"contest": contest}}, status=status)


def _evidence_page(
    request: LearnerRequest, concept: Concept, *, upto: int | None, refused: Refused | None = None, status: int = 200
) -> HttpResponse:
    context = evidence_context(request.user, concept, upto=upto, refused=refused)
    return render(request, "tutoring/evidence.html", context, status=status)
