"""Views of the evidence behind a mastery, and of what a learner says is wrong in their record."""

import re
from collections.abc import Callable
from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from agents.wire.rejections import Rejection
from tutoring.access import attempt_for, concept_for, course_for, not_found_text
from tutoring.assignments.quiz_work import held_back
from tutoring.classes import contested
from tutoring.mastery.records import contests, grade_changes, known_starts, review_questions
from tutoring.models import Attempt, Concept, Contest, MisconceptionState
from tutoring.pages.cards.contest_context import contest_context, idea_context, number_context
from tutoring.pages.cards.question_context import Context
from tutoring.pages.contexts.evidence import Refused, evidence_context, latest_score_contest
from tutoring.pages.forms.contest_form import ContestForm
from tutoring.pages.views.requests import LearnerRequest, answer_from

TAKE_BACK = "take_back"
CARD = "tutoring/question.html#contest"


@login_required
@require_safe
def evidence(request: LearnerRequest, course: str, concept: str) -> HttpResponse:
    found = concept_for(request.user, course, concept)
    page = _evidence_page(request, found, upto=answer_from(request))
    contests.mark_seen(
        request.user, [each.pk for each in contests.news_for(request.user) if each.concept_id == found.pk]
    )
    return page


@login_required
@require_POST
def contest_answer(request: LearnerRequest, attempt: int) -> HttpResponse:
    """Record that an answer's verdict is wrong, or take that back; a card gets back the piece that says so."""
    found = attempt_for(request.user, attempt)
    if held_back(request.user.pk).filter(question=found.question_id).exists():
        raise Http404(not_found_text())
    concept, is_card = found.question.concept, _is_piece(request)
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
    """Record that a mastery number is wrong, or take that back; a page with scripts gets back the piece that says so."""
    found = concept_for(request.user, course, concept)
    form = ContestForm(request.POST)
    if not form.is_valid():
        return _refused(request, form, found, None, is_card=_is_piece(request))
    rows = Contest.objects.open().filter(learner_id=request.user.pk, concept=found, about=Contest.About.SCORE)
    _contest_or_take_back(
        request,
        rows.first(),
        say=lambda: contests.contest_mastery(request.user, found, reason=form.cleaned_data["reason"]),
    )
    return _number(request, found) if _is_piece(request) else redirect(found.evidence_url())


@login_required
@require_POST
def contest_idea(request: LearnerRequest, course: str, misconception: str) -> HttpResponse:
    """Record that a mistaken idea is not the learner's, or take that back."""
    found = course_for(request.user, course)
    rows = MisconceptionState.objects.filter(learner_id=request.user.pk, course=found, misconception=misconception)
    state = rows.exclude(status=MisconceptionState.Status.NONE).first()
    if state is None:
        raise Http404(not_found_text())
    state.course = found
    form = ContestForm(request.POST)
    if not form.is_valid():
        typed, error = request.POST.get("reason", ""), " ".join(map(str, form.errors["reason"]))
        return _idea(request, state, refused={"typed": typed, "error": error}, status=422)
    _contest_or_take_back(
        request,
        Contest.objects.open()
        .filter(learner_id=request.user.pk, concept__course=found, misconception=misconception)
        .first(),
        say=lambda: contests.contest_idea(request.user, found, misconception, reason=form.cleaned_data["reason"]),
    )
    return _idea(request, state) if _is_piece(request) else redirect(f"{reverse('progress')}#misconceptions-title")


@login_required
@require_POST
def change_start(request: LearnerRequest, course: str, concept: str) -> HttpResponse:
    """Record that the learner does not know a topic that the placement took as known, or that they do after all."""
    found = concept_for(request.user, course, concept)
    named = {"title": found.title}
    if request.POST.get("action") == "known":
        is_done = known_starts.own_again(request.user, found)
        said = _("%(title)s is marked as known again. The quizzes will check whether you know it.")
    else:
        is_done = known_starts.disown(request.user, found)
        said = _("%(title)s is now a lesson on your path.")
    messages.success(request, (said if is_done else _("Nothing was changed for %(title)s.")) % named)
    back = request.POST.get("next", "")
    is_own = url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    return redirect(back if is_own else found.evidence_url())


@login_required
@require_POST
def ask_another(request: LearnerRequest, course: str, concept: str) -> HttpResponse:
    """Ask a question whose answer changes the score; one like a contested one, if that is named."""
    found = concept_for(request.user, course, concept)
    like = request.POST.get("like", "")
    attempt = attempt_for(request.user, int(like)) if re.fullmatch(r"[0-9]{1,18}", like) else None
    question = review_questions.ask_another(request.user, found, like=attempt.question if attempt else None)
    if question is None:
        messages.info(request, _("There are no questions on this topic right now."))
        return redirect(found.evidence_url())
    return redirect("review-question", pk=question.pk)


@login_required
@require_POST
def see_news(request: LearnerRequest) -> HttpResponse:
    """Store that the learner has read what a teacher decided."""
    contests.mark_seen(request.user, [each.pk for each in contests.news_for(request.user)])
    grade_changes.mark_seen(request.user)
    return redirect("home")


def _is_piece(request: LearnerRequest) -> bool:
    """Tell whether only a piece of the page is to be exchanged."""
    return bool(request.headers.get("HX-Request"))


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
    if is_card:
        refused_as = {"typed": typed, "error": error}
        if attempt is not None:
            return _card(request, attempt, refused=refused_as, status=422)
        return _number(request, concept, refused=refused_as, status=422)
    about = attempt.pk if attempt else None
    refused = Refused(attempt=about, typed=typed, error=error)
    return _evidence_page(request, concept, upto=about, refused=refused, status=422)


def _card(
    request: LearnerRequest, attempt: Attempt, *, refused: dict[str, str] | None = None, status: int = 200
) -> HttpResponse:
    contest = contest_context(attempt, question=attempt.question) | {"refused": refused or {}, "is_fresh": True}
    return render(request, CARD, {"question": {"contest": contest}}, status=status)


def _number(
    request: LearnerRequest, concept: Concept, *, refused: dict[str, str] | None = None, status: int = 200
) -> HttpResponse:
    told = contested.is_told(request.user, of_answers=False)
    own = latest_score_contest(request.user, concept)
    contest = number_context(concept, own, is_told=told, refused=refused) | {"is_fresh": True}
    return render(request, CARD, {"question": {"contest": contest}}, status=status)


def _idea(
    request: LearnerRequest, state: MisconceptionState, *, refused: dict[str, str] | None = None, status: int = 200
) -> HttpResponse:
    told = contested.is_told(request.user, of_answers=True)
    own = contests.contested_ideas([request.user.pk], state.course).get((request.user.pk, state.misconception))
    contest = idea_context(state, own, is_told=told) | {"refused": refused or {}, "is_fresh": True}
    return render(request, CARD, {"question": {"contest": contest}}, status=status)


def _evidence_page(
    request: LearnerRequest, concept: Concept, *, upto: int | None, refused: Refused | None = None, status: int = 200
) -> HttpResponse:
    context = evidence_context(request.user, concept, upto=upto, refused=refused)
    if any(each["grade_change"] for each in cast("list[Context]", context["answers"])):
        grade_changes.mark_seen(request.user, concept)
    return render(request, "tutoring/evidence.html", context, status=status)
