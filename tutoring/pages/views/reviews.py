"""Views of reviews: one question at a time, outside of any conversation."""

import uuid

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tutoring.access import question_for
from tutoring.mastery.records import progress, review_questions
from tutoring.pages.cards.question_context import question_context
from tutoring.pages.contexts import reviews
from tutoring.pages.views.requests import LearnerRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def review(request: LearnerRequest) -> HttpResponse:
    """Lead to the open question, or ask the next one if requested; otherwise list what is due."""
    asks = request.method == "POST"
    found = review_questions.ask_next(request.user) if asks else review_questions.open_review_question(request.user)
    if found is not None:
        return redirect("review-question", pk=found.pk)
    if asks:
        return redirect("review")
    return render(request, "tutoring/review.html", reviews.review_overview(request.user))


@login_required
@require_safe
def question(request: LearnerRequest, pk: uuid.UUID) -> HttpResponse:
    """Show a question outside of any conversation: of a review, or another one like a contested one."""
    found = question_for(request.user, str(pk))
    if found.session_id is not None:
        raise Http404(_("Page not found."))
    progress.note_shown([found])
    context = {"question": question_context(found), "review": reviews.review_follow_up(request.user, found)}
    return render(request, "tutoring/question_page.html", context | {"concept": found.concept})
