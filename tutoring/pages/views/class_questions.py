"""Views of the questions of a class's course: figures, one question, withdrawing it, reporting a problem."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from agents.wire.rejections import Rejection
from tutoring.access import not_found_text
from tutoring.assignments.quiz_items import replace_withdrawn
from tutoring.classes.class_questions import period_start, question_figures, sample_context, wrong_answers
from tutoring.classes.mastery_board import shown_course
from tutoring.classes.teacher_access import class_for
from tutoring.mastery.records import withdrawals
from tutoring.models import Classroom, Concept, Course, QuestionReport
from tutoring.pages.cards.question_context import Context
from tutoring.pages.forms.question_forms import ReportForm, WithdrawForm
from tutoring.pages.views.requests import LearnerRequest

QUESTIONS_SHOWN = 20
"""The hardest ones; the others are one press away."""


@login_required
@require_safe
def questions(request: LearnerRequest, code: str) -> HttpResponse:
    """List the questions that the class answered, the hardest first."""
    classroom = class_for(request.user, code)
    courses = list(Course.objects.listed_in(classroom))
    course = shown_course(classroom, courses, chosen=request.GET.get("course", ""))
    period, is_shown = request.GET.get("period", ""), classroom.policy.shows_answers
    figures = question_figures(classroom, course, since=period_start(period)) if course and is_shown else []
    withdrawn = withdrawals.withdrawn_in(course, classroom) if course else []
    context = {
        "classroom": classroom,
        "policy": classroom.policy,
        "courses": courses,
        "course": course,
        "period": period,
        "figures": figures if "all" in request.GET else figures[:QUESTIONS_SHOWN],
        "total": len(figures),
        "withdrawn": {row.template for row in withdrawn},
    }
    return render(request, "tutoring/class_questions.html", context)


@login_required
@require_safe
def question(request: LearnerRequest, code: str, course: str, template: str) -> HttpResponse:
    """Show a question as pupils see it, what was answered, and what withdrawing it would do."""
    classroom = class_for(request.user, code)
    return _page(request, classroom, _concept(classroom, course, template), template)


@login_required
@require_POST
def withdraw(request: LearnerRequest, code: str, course: str, template: str) -> HttpResponse:
    """Stop asking a question, or undo that."""
    classroom = class_for(request.user, code)
    concept, form = _concept(classroom, course, template), WithdrawForm(request.POST)
    if "restore" in request.POST:
        _restore(request, classroom, concept.course, template)
    elif not form.is_valid():
        return _page(request, classroom, concept, template, withdraw_form=form, status=422)
    else:
        _withdraw(request, classroom, concept.course, template, form)
    return redirect("class-question", code, course, template)


@login_required
@require_POST
def report(request: LearnerRequest, code: str, course: str, template: str) -> HttpResponse:
    """Tell the admins that something is wrong with a question."""
    classroom = class_for(request.user, code)
    concept, form = _concept(classroom, course, template), ReportForm(request.POST)
    if not form.is_valid():
        return _page(request, classroom, concept, template, report_form=form, status=422)
    QuestionReport.objects.create(
        course=concept.course, template=template, words=form.cleaned_data["words"], by_id=request.user.pk
    )
    messages.success(request, _("Thank you. The administrators can read your report."))
    return redirect("class-question", code, course, template)


def _concept(classroom: Classroom, course: str, template: str) -> Concept:
    """Return the concept of a question that the course has now. Raise Http404 where answers are not shown."""
    rows = Concept.objects.select_related("course").defer("course__content").filter(course__slug=course)
    rows = rows.filter(course__in=Course.objects.taught_in(classroom).values("pk"))
    concepts = {row.slug: row for row in rows} if classroom.policy.shows_answers else {}
    first = next(iter(concepts.values()), None)
    contents = first.course.catalogue().concepts if first else ()
    slug = next((each.id for each in contents if any(one.id == template for one in each.templates)), "")
    if slug not in concepts:
        raise Http404(not_found_text())
    return concepts[slug]


def _page(
    request: LearnerRequest,
    classroom: Classroom,
    concept: Concept,
    template: str,
    *,
    withdraw_form: WithdrawForm | None = None,
    report_form: ReportForm | None = None,
    status: int = 200,
) -> HttpResponse:
    since = period_start(request.GET.get("period", ""))
    course = concept.course
    figures = question_figures(classroom, course, since=since, template=template)
    context: Context = {
        "classroom": classroom,
        "course": course,
        "concept": concept,
        "template": template,
        **sample_context(concept, template),
        "figures": figures[0] if figures else None,
        "answers": wrong_answers(classroom, course, template, since=since),
        "withdrawn": [row for row in withdrawals.withdrawn_in(course, classroom) if row.template == template],
        "effects": withdrawals.preview(course, template, classroom)
        if "preview" in request.GET or withdraw_form
        else None,
        "withdraw_form": withdraw_form,
        "report_form": report_form,
        "url": reverse("class-question-withdraw", args=[classroom.code, course.slug, template]),
    }
    return render(request, "tutoring/class_question.html", context, status=status)


def _withdraw(request: LearnerRequest, classroom: Classroom, course: Course, template: str, form: WithdrawForm) -> None:
    """Withdraw it for the class; an admin may do so for the whole site."""
    is_for_all = form.cleaned_data["where"] == "site" and request.user.role == "admin"
    try:
        row = withdrawals.withdraw(
            course,
            template,
            None if is_for_all else classroom,
            with_answers=form.cleaned_data["with_answers"],
            reason=form.cleaned_data["reason"],
            by=request.user,
        )
    except Rejection as rejection:
        messages.error(request, rejection.message)
        return
    replace_withdrawn(row.course, template, row.classroom)
    said = _("This question is not asked any more.")
    if row.left_out:
        said += " " + _("%(answers)d answers no longer count, and %(scores)d scores changed.") % {
            "answers": len(row.left_out),
            "scores": row.scores_changed,
        }
    messages.success(request, said)


def _restore(request: LearnerRequest, classroom: Classroom, course: Course, template: str) -> None:
    """Ask it again; what an admin withdrew for the whole site, only an admin can."""
    for row in withdrawals.withdrawn_in(course, classroom):
        if row.template == template and (row.classroom_id is not None or request.user.role == "admin"):
            withdrawals.restore(row, by=request.user)
            messages.success(request, _("Undone. The question is asked again, and its answers count as before."))
