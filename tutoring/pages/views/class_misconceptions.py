"""Views of a class's misconceptions, and of the lessons on them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import NoReverseMatch, reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from tutoring.access import not_found_text
from tutoring.classes.mastery_board import shown_course
from tutoring.classes.mini_lessons import MiniLesson, mini_lesson_of
from tutoring.classes.misconception_board import HeldIdea, held_idea, held_ideas, holder_rows, make_group
from tutoring.classes.teacher_access import class_for
from tutoring.models import Classroom, Course
from tutoring.pages.views.requests import LearnerRequest

IDEAS_SHOWN = 6
"""The misconceptions of most pupils; the others are folded up."""
NEW_ASSIGNMENT = "class-assignment-new"
"""The page on which a class is given something, where the program has one."""


@login_required
@require_safe
def misconceptions(request: LearnerRequest, code: str) -> HttpResponse:
    """List the misconceptions seen in the class in the last weeks."""
    classroom = class_for(request.user, code)
    courses = list(Course.objects.listed_in(classroom))
    course = shown_course(classroom, courses, chosen=request.GET.get("course", ""))
    ideas = held_ideas(classroom, course) if course else []
    context = {"classroom": classroom, "policy": classroom.policy, "courses": courses, "course": course}
    shown, others = ideas[:IDEAS_SHOWN], ideas[IDEAS_SHOWN:]
    return render(request, "tutoring/class_misconceptions.html", context | {"ideas": shown, "others": others})


@login_required
@require_safe
def misconception(request: LearnerRequest, code: str, misconception: str) -> HttpResponse:
    """Show who has a misconception, with the evidence, and a lesson on it."""
    classroom = class_for(request.user, code)
    course, idea, lesson = _idea(classroom, request, misconception)
    context = {"classroom": classroom, "course": course, "idea": idea, "lesson": lesson, "rows": holder_rows(idea)}
    return render(request, "tutoring/class_misconception.html", context)


@login_required
@require_safe
def mini_lesson(request: LearnerRequest, code: str, misconception: str) -> HttpResponse:
    """Show the lesson for a projector: one part at a time, large, without names."""
    classroom = class_for(request.user, code)
    course, _held, lesson = _idea(classroom, request, misconception)
    context = {"classroom": classroom, "course": course, "lesson": lesson}
    return render(request, "tutoring/mini_lesson.html", context)


@login_required
@require_POST
def group(request: LearnerRequest, code: str, misconception: str) -> HttpResponse:
    """Make a group of those who have the misconception, and go on to give them something to do."""
    classroom = class_for(request.user, code)
    course, idea, lesson = _idea(classroom, request, misconception)
    if not idea.holders:
        raise Http404(not_found_text())
    made = make_group(classroom, idea)
    count = made.members.count()
    said = ngettext("The group has %(count)d pupil.", "The group has %(count)d pupils.", count) % {"count": count}
    messages.success(request, _("Group “%(name)s” is ready.") % {"name": made.name} + f" {said}")
    try:
        address = reverse(NEW_ASSIGNMENT, args=[classroom.code])
        query = {"group": made.pk} | ({"concept": f"{course.slug}/{lesson.concept}"} if lesson.concept else {})
    except NoReverseMatch:
        address, query = classroom.get_absolute_url(), {"group": made.pk, "course": course.slug}
    return redirect(f"{address}?{urlencode(query)}")


def _idea(classroom: Classroom, request: LearnerRequest, misconception: str) -> tuple[Course, HeldIdea, MiniLesson]:
    """Return the course, the misconception and its lesson. Raise Http404 where answers are not shown."""
    asked = request.GET.get("course", "") or request.POST.get("course", "")
    course = shown_course(classroom, list(Course.objects.listed_in(classroom)), chosen=asked)
    idea = held_idea(classroom, course, misconception) if course and classroom.policy.shows_answers else None
    lesson = mini_lesson_of(course, misconception) if course else None
    if course is None or idea is None or lesson is None:
        raise Http404(not_found_text())
    return course, idea, lesson
