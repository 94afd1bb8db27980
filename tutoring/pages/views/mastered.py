"""The page after mastery."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tutoring.access import concept_for
from tutoring.pages.contexts.mastered import mastered_context
from tutoring.pages.views.requests import LearnerRequest


@login_required
@require_safe
def mastered(request: LearnerRequest, course: str, concept: str) -> HttpResponse:
    """Show what the learner can do now; who has not mastered the topic is led to their answers."""
    found = concept_for(request.user, course, concept)
    context = mastered_context(request.user, found)
    if context is None:
        messages.info(request, _("You have not mastered %(title)s yet.") % {"title": found.title})
        return redirect("evidence", course=course, concept=concept)
    return render(request, "tutoring/mastered.html", context)
