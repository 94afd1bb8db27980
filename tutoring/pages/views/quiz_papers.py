"""Views of quizzes on paper: a page to print, and its key."""

from collections.abc import Mapping

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tutoring.assignments.quiz_items import draw_exercises, exercises_of
from tutoring.assignments.quiz_papers import VERSIONS, paper_key, paper_questions
from tutoring.classes.teacher_access import class_for
from tutoring.courses.exercises.exercise import Exercise
from tutoring.mastery.records.withdrawals import class_content
from tutoring.models import Classroom, Course
from tutoring.pages.forms.paper_form import PaperForm
from tutoring.pages.views.assignments import concepts_to_assign, summary_for
from tutoring.pages.views.requests import LearnerRequest


@login_required
@require_safe
def assignment_paper(request: LearnerRequest, code: str, assignment: int) -> HttpResponse:
    """Show the questions of an assigned quiz for printing."""
    found = summary_for(request, code, assignment).assignment
    version = _version(request)
    exercises = exercises_of(found, version=VERSIONS.index(version))
    context = {"title": found.title, "back": found.teacher_url}
    return _paper(request, found.classroom, found.course, exercises, version=version, context=context)


@login_required
@require_safe
def paper(request: LearnerRequest, code: str) -> HttpResponse:
    """Ask for topics and a number of questions, and show them for printing; the same address prints the same paper."""
    classroom = class_for(request.user, code)
    form = PaperForm(request.GET or None, concepts=concepts_to_assign(classroom))
    if not form.is_valid():
        return render(
            request,
            "tutoring/paper_form.html",
            {"classroom": classroom, "form": form},
            status=422 if form.is_bound else 200,
        )
    course, topics = form.topics()
    version = form.cleaned_data["version"]
    exercises = draw_exercises(
        class_content(course, classroom),
        topics,
        count=form.cleaned_data["questions"],
        seed=form.cleaned_data["seed"],
        version=VERSIONS.index(version),
    )
    context = {"title": form.cleaned_data["title"] or course.title, "form": form}
    return _paper(request, classroom, course, exercises, version=version, context=context)


def _version(request: HttpRequest) -> str:
    named = request.GET.get("version", "")
    return named if named in VERSIONS else VERSIONS[0]


def _paper(
    request: LearnerRequest,
    classroom: Classroom,
    course: Course | None,
    exercises: list[Exercise],
    *,
    version: str,
    context: Mapping[str, object],
) -> HttpResponse:
    query = request.GET.copy()
    query.pop("version", None)
    shown = {
        "classroom": classroom,
        "questions": paper_questions(exercises),
        "answers": paper_key(exercises, course.catalogue().misconceptions if course else {}),
        "version": version,
        "versions": VERSIONS,
        "query": query.urlencode(),
    }
    return render(request, "tutoring/quiz_paper.html", {**shown, **context})
