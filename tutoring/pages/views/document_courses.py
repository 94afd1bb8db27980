"""Views of courses that a person makes from a document: the draft, its questions, the passages, and the way to a class."""

from dataclasses import replace
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import ProtectedError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from conversations import access
from conversations.models import Document, Passage
from conversations.web.request_lookup import missing_is_404
from tutoring.access import not_found_text
from tutoring.course_imports.questions import ImportRefused
from tutoring.document_courses import records
from tutoring.document_courses.course_files import is_gradable
from tutoring.document_courses.drafted_questions import DraftedQuestion
from tutoring.document_courses.drafts import DocumentDraft, changed_draft
from tutoring.document_courses.jobs import draft_again, order_draft
from tutoring.document_courses.publishing import publish_document_course
from tutoring.models import Course, DocumentCourse
from tutoring.pages.contexts.document_courses import draft_context, problem_words
from tutoring.pages.forms.document_course_form import DocumentDraftForm, DraftedQuestionForm
from tutoring.pages.views.requests import LearnerRequest
from tutoring.pages.views.taught_courses import exported

MAX_DRAFTS = 30
"""Courses from documents that a person can have at a time."""


@login_required
@require_POST
@missing_is_404
def learn(request: LearnerRequest, document: UUID) -> HttpResponse:
    """Order a course from the person's own document, or open the one that there is."""
    own = access.own_document(request.user, document)
    known = DocumentCourse.objects.filter(owner_id=request.user.pk, document=own).first()
    if known is not None:
        return redirect(known)
    if own.status != Document.Status.READY:
        messages.error(request, _("This document has not been read yet. Try again when its text is here."))
        return redirect(own)
    if DocumentCourse.objects.filter(owner_id=request.user.pk).count() >= MAX_DRAFTS:
        messages.error(
            request, _("You have %(count)d courses from documents. Delete one first.") % {"count": MAX_DRAFTS}
        )
        return redirect("document-courses")
    return redirect(order_draft(own))


@login_required
@require_safe
def listing(request: LearnerRequest) -> HttpResponse:
    """List the person's courses from documents, and how to make one."""
    made = DocumentCourse.objects.filter(owner_id=request.user.pk).defer("draft").select_related("course")
    return render(request, "tutoring/document_courses.html", {"courses": made.defer("course__content", "draft")})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def document_course(request: LearnerRequest, made: int) -> HttpResponse:
    """Show the progress, or the draft with its questions; a POST saves the owner's changes and starts the course."""
    found = records.readable_document_course(request.user, made)
    is_own = found.owner_id == request.user.pk
    if found.status != DocumentCourse.Status.READY:
        if not is_own:
            raise Http404(not_found_text())
        return _unready(request, found)
    value = found.value()
    if request.method != "POST":
        return _draft_page(request, found, DocumentDraftForm(draft=value), is_own=is_own)
    if not is_own:
        raise Http404(not_found_text())
    form = DocumentDraftForm(request.POST, draft=value)
    if form.is_valid() and (answer := _saved(request, found, form)):
        return answer
    return _draft_page(request, found, form, is_own=is_own, status=422)


def _unready(request: LearnerRequest, made: DocumentCourse) -> HttpResponse:
    if request.method == "POST":
        if request.POST.get("action") == "again":
            draft_again(made)
        return redirect(made)
    context = {"made": made, "problem": problem_words(made)}
    return render(request, "tutoring/document_course_progress.html", context)


def _saved(request: LearnerRequest, made: DocumentCourse, form: DocumentDraftForm) -> HttpResponse | None:
    """Save the draft, and with it the course if there is one or it starts now; None if the form has an error."""
    draft = changed_draft(form.draft, **form.changes())
    starts = request.POST.get("action") == "start"
    try:
        course = _store(made, draft, starts=starts)
    except ImportRefused as refused:
        form.add_error(None, str(refused))
        return None
    if starts and course is not None:
        return redirect(course)
    messages.success(request, _("Your changes were saved."))
    return redirect(made)


def _store(made: DocumentCourse, draft: DocumentDraft, *, starts: bool) -> Course | None:
    if starts or made.course is not None:
        return publish_document_course(made, draft)
    made.title = draft.title
    made.keep(draft)
    return None


def _draft_page(
    request: LearnerRequest, made: DocumentCourse, form: DocumentDraftForm, *, is_own: bool, status: int = 200
) -> HttpResponse:
    context = draft_context(request.user, made, form, is_own=is_own) | {"opened": request.GET.get("topic", "")}
    return render(request, "tutoring/document_course.html", context, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def question(request: LearnerRequest, made: int, concept: str, number: int) -> HttpResponse:
    """Show a question to change; a POST saves or deletes it."""
    found = records.own_document_course(request.user, made)
    value = found.value() if found.status == DocumentCourse.Status.READY else None
    old = _question(value, concept, number) if value else None
    if value is None or old is None:
        raise Http404(not_found_text())
    form = DraftedQuestionForm(request.POST if request.method == "POST" else None, question=old)
    if request.method == "POST":
        if request.POST.get("action") == "delete" and "confirmed" not in request.POST:
            return render(request, "tutoring/document_question_delete.html", {"made": found, "question": old})
        deletes = request.POST.get("action") == "delete"
        if deletes:
            changed: DraftedQuestion | None = replace(old, is_kept=False, is_deleted=True)
        else:
            changed = _changed(form)
        if changed is not None:
            try:
                _store(found, _with_question(value, concept, number, changed), starts=False)
            except ImportRefused as refused:
                form.add_error(None, str(refused))
            else:
                messages.success(request, _("The question was deleted.") if deletes else _("Your changes were saved."))
                place = f"topic-{concept}" if deletes else f"question-{concept}-{number}"
                return redirect(f"{found.get_absolute_url()}?topic={concept}#{place}")
    context = {"made": found, "form": form, "question": old, "concept": concept}
    return render(request, "tutoring/document_question.html", context, status=422 if form.errors else 200)


def _question(draft: DocumentDraft, concept: str, number: int) -> DraftedQuestion | None:
    found = next((each for each in draft.concepts if each.id == concept), None)
    if found is None or number >= len(found.questions) or found.questions[number].is_deleted:
        return None
    return found.questions[number]


def _changed(form: DraftedQuestionForm) -> DraftedQuestion | None:
    if not form.is_valid():
        return None
    changed = replace(form.question, **form.changed(), source="person", is_kept=True)
    if not is_gradable(changed):
        form.add_error(
            None,
            _(
                "The program could not grade this question. Check that the right answer is clear and not part of the question."
            ),
        )
        return None
    return changed


def _with_question(draft: DocumentDraft, concept: str, number: int, changed: DraftedQuestion) -> DocumentDraft:
    concepts = tuple(
        replace(each, questions=(*each.questions[:number], changed, *each.questions[number + 1 :]))
        if each.id == concept
        else each
        for each in draft.concepts
    )
    return changed_draft(replace(draft, concepts=concepts), title=draft.title, titles={}, left_out=set(), kept={})


@login_required
@require_safe
def passage(request: LearnerRequest, made: int, passage: int) -> HttpResponse:
    """Lead to the passage in the document; without access to it, show the sentences that the course quotes."""
    found = records.readable_document_course(request.user, made)
    if found.document_id is not None and found.owner_id == request.user.pk:
        there = Passage.objects.filter(document_id=found.document_id, number=passage).first()
        if there is not None:
            return redirect(there)
    value = found.value() if found.draft else None
    questions = [each for concept in value.concepts for each in concept.questions] if value else []
    quotes = dict.fromkeys(each.quote for each in questions if each.passage == passage)
    if value is None or not quotes:
        raise Http404(not_found_text())
    said = list(dict.fromkeys(value.contexts.get(quote, quote) for quote in quotes))
    return render(request, "tutoring/document_passage.html", {"made": found, "quotes": said})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: LearnerRequest, made: int) -> HttpResponse:
    """Ask for confirmation, then delete the draft and the course; a draft without a course goes at once."""
    found = records.own_document_course(request.user, made)
    if request.method != "POST":
        return render(request, "tutoring/document_course_delete.html", {"made": found})
    try:
        records.delete_document_course(found)
    except ProtectedError:
        messages.error(request, _("Others in your class have worked on this course, so it cannot be deleted."))
        return redirect(found)
    messages.success(request, _("The course was deleted. Your document is still in your library."))
    return redirect("document-courses")


@login_required
@require_safe
def export(request: LearnerRequest, made: int, kind: str) -> HttpResponse:
    """Return the person's own course as a file to download."""
    found = records.own_document_course(request.user, made)
    if found.course is None:
        raise Http404(not_found_text())
    return exported(found.course, kind)


@login_required
@require_POST
def offer(request: LearnerRequest, made: int) -> HttpResponse:
    """Offer the course to a class of the person, take that back, or let a teacher use their own one."""
    found = records.own_document_course(request.user, made)
    if found.course is None or not found.course.is_personal:
        raise Http404(not_found_text())
    if request.POST.get("action") == "use" and request.user.role == "teacher":
        records.use_in_own_classes(found)
        messages.success(request, _("You can now give this course to your classes."))
        return redirect(found)
    chosen = [each for each in records.classes_to_offer(request.user) if str(each.pk) == request.POST.get("class")]
    found.offered_to = chosen[0] if chosen else None
    found.save(update_fields=["offered_to"])
    messages.success(
        request, _("Your teacher can now look at this course.") if chosen else _("You took your offer back.")
    )
    return redirect(found)


@login_required
@require_POST
def decide(request: LearnerRequest, made: int) -> HttpResponse:
    """Accept a course that is offered to a class of the teacher, or decline it."""
    found = records.offered_document_course(request.user, made)
    if request.POST.get("action") == "accept":
        records.accept(found)
        messages.success(request, _("Your class can now learn this course, and it counts for the class."))
        return redirect(found)
    found.offered_to = None
    found.save(update_fields=["offered_to"])
    messages.success(request, _("You declined the course. Its owner can go on learning it alone."))
    return redirect("taught-courses")
