"""Views of home, courses, progress and evidence."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from tutoring.classes import milestones, teacher_home
from tutoring.models import Course, Lesson
from tutoring.pages.context_processors import concerns_of
from tutoring.pages.contexts import home as home_page
from tutoring.pages.contexts import insights as insights_page
from tutoring.pages.contexts import overviews
from tutoring.pages.views.requests import LearnerRequest


@login_required
@require_safe
def home(request: LearnerRequest) -> HttpResponse:
    if request.user.role == "teacher":
        shown = teacher_home.teacher_home_context(
            request.user, chosen=request.GET.get("class", ""), concerns=concerns_of(request)
        )
        return render(request, "tutoring/home_teacher.html", shown)
    return render(request, "tutoring/home.html", home_page.home_context(request.user))


@login_required
@require_POST
def level(request: LearnerRequest) -> HttpResponse:
    """Save where a new learner wants to start."""
    chosen = request.POST.get("level")
    if chosen in Lesson.Level.values:
        request.user.level = chosen
        request.user.save(update_fields=["level"])
    return redirect("home")


@login_required
@require_safe
def learn(request: LearnerRequest) -> HttpResponse:
    courses = list(Course.objects.listed_for(request.user))
    return render(request, "tutoring/learn.html", {"courses": overviews.course_list(request.user, courses)})


@login_required
@require_safe
def progress(request: LearnerRequest) -> HttpResponse:
    shown = overviews.progress_context(request.user) | {"withdrawn": milestones.withdrawn_titles(request.user)}
    return render(request, "tutoring/progress.html", shown)


@login_required
@require_safe
def insights(request: LearnerRequest) -> HttpResponse:
    return render(request, "tutoring/insights.html", insights_page.insights_context(request.user))
