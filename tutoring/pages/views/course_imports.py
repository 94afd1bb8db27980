"""Views for importing a course: choosing files, looking through the draft, and the report."""

from collections import Counter
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from conversations.web.markup import inline_to_html, to_html
from tutoring.classes.teacher_access import import_for, require_teacher
from tutoring.course_imports.drafts import CourseDraft, changed_draft, draft_course, draft_from_json, draft_to_json
from tutoring.course_imports.publishing import publish_draft
from tutoring.course_imports.questions import ImportedQuestion, ImportRefused
from tutoring.course_imports.topics import Topic
from tutoring.course_writing.archives import import_course, is_course_archive
from tutoring.course_writing.draft_files import DraftRefused
from tutoring.models import AuthoredCourse, CourseImport
from tutoring.pages.forms.course_import_form import DraftForm, ImportForm
from tutoring.pages.views.requests import LearnerRequest

SAMPLES = 5
"""Questions of a topic that the preview shows."""
MAX_DRAFTS = 20
"""Drafts that a teacher can have at a time; the oldest are deleted."""
KINDS = {
    "choice": gettext_lazy("one right option"),
    "multi": gettext_lazy("several right options"),
    "numeric": gettext_lazy("number"),
    "expression": gettext_lazy("expression"),
    "text": gettext_lazy("short text"),
    "match": gettext_lazy("matching"),
    "order": gettext_lazy("ordering"),
}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_import(request: LearnerRequest) -> HttpResponse:
    """Ask for files; a POST reads them and leads to the draft."""
    require_teacher(request.user)
    form = ImportForm(request.POST or None, request.FILES or None) if request.method == "POST" else ImportForm()
    if request.method == "POST" and form.is_valid():
        try:
            return redirect(_made_of(form, request))
        except (ImportRefused, DraftRefused) as refused:
            form.add_error("upload", [ValidationError(line) for line in str(refused).splitlines()])
    return render(request, "tutoring/course_import_new.html", {"form": form}, status=422 if form.is_bound else 200)


def _made_of(form: ImportForm, request: LearnerRequest) -> CourseImport | AuthoredCourse:
    """Return the draft of an import, or of a whole course. Raises ImportRefused and DraftRefused."""
    files, title = form.contents(), form.cleaned_data["title"]
    whole = next(((name, data) for name, data in files if is_course_archive(data)), None)
    if whole is not None and len(files) > 1:
        raise ImportRefused(_("%(file)s is a whole course. Choose no other file with it.") % {"file": whole[0]})
    if whole is not None:
        course = import_course(*whole, owner=request.user, title=title)
        messages.success(request, _("The course is now a draft of your own. Look through it, then publish it."))
        return course
    draft = draft_course(files, title=title, language=(get_language() or "en")[:2])
    made = CourseImport.objects.create(owner=request.user, title=draft.title, draft=draft_to_json(draft))
    _forget_old_drafts(request)
    return made


def _forget_old_drafts(request: LearnerRequest) -> None:
    drafts = CourseImport.objects.filter(owner=request.user, course=None).values_list("pk", flat=True)
    CourseImport.objects.filter(pk__in=list(drafts[MAX_DRAFTS:])).delete()


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def course_import(request: LearnerRequest, draft: int) -> HttpResponse:
    """Show the draft, or the report of a finished import; a POST imports the draft with the changes, or deletes it."""
    found = import_for(request.user, draft)
    value = draft_from_json(found.draft)
    if found.course is not None:
        return render(request, "tutoring/course_import_done.html", {"import": found, **_figures(value)})
    if request.method != "POST":
        topic = next((each for each in value.topics if each.id == request.GET.get("topic")), None)
        if topic is not None:
            return _topic_page(request, found, topic)
        return _draft_page(request, found, value, DraftForm(draft=value))
    if request.POST.get("action") == "discard":
        found.delete()
        messages.success(request, _("The draft was deleted. Nothing was imported."))
        return redirect("taught-courses")
    form = DraftForm(request.POST, draft=value)
    if form.is_valid():
        try:
            course, changed = publish_draft(changed_draft(value, **form.changes()), owner=request.user, kept=found)
        except ImportRefused as refused:
            form.add_error(None, str(refused))
        else:
            if not changed:
                messages.success(request, _("You already have this course. Nothing was changed."))
                return redirect("taught-course", course.slug)
            messages.success(request, _("The course was imported."))
            return redirect(found)
    return _draft_page(request, found, value, form, status=422)


def _draft_page(
    request: LearnerRequest, found: CourseImport, value: CourseDraft, form: DraftForm, *, status: int = 200
) -> HttpResponse:
    rows = [row | {"samples": [_shown(each) for each in row["topic"].questions[:SAMPLES]]} for row in form.topic_rows()]
    for row in rows:
        row["more"] = len(row["topic"].questions) - len(row["samples"])
    context = {"import": found, "form": form, "rows": rows, **_figures(value)}
    return render(request, "tutoring/course_import_draft.html", context, status=status)


def _topic_page(request: LearnerRequest, found: CourseImport, topic: Topic) -> HttpResponse:
    """Show all questions of a topic; for htmx only their list, so that the form of the draft stays as it is."""
    name = "tutoring/course_import_topic.html" + ("#questions" if request.headers.get("HX-Request") else "")
    return render(request, name, {"import": found, "topic": topic, "questions": map(_shown, topic.questions)})


def _figures(value: CourseDraft) -> dict[str, Any]:
    kinds = Counter(question.kind for topic in value.topics for question in topic.questions)
    return {
        "draft": value,
        "total": value.questions + len(value.skipped),
        "kinds": [(KINDS[kind], number) for kind, number in kinds.most_common()],
    }


def _shown(question: ImportedQuestion) -> dict[str, Any]:
    """Return a question as its teacher sees it: with the right answers."""
    return {
        "kind": KINDS[question.kind],
        "stem": to_html(question.stem),
        "options": [(inline_to_html(each.text), each.is_right) for each in question.options],
        "pairs": [(inline_to_html(row), inline_to_html(partner)) for row, partner in question.pairs],
        "spare": [inline_to_html(partner) for partner in question.spare],
        "hints": [to_html(str(hint)) for hint in question.hints],
        "accepted": question.accepted,
        "tolerance": question.tolerance,
    }
