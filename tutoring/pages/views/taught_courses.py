"""Views of courses for teachers: the list, one course with its exports, and a summary to print."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import ProtectedError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tutoring.access import not_found_text
from tutoring.assignments.quiz_papers import paper_key, paper_questions
from tutoring.classes.teacher_access import require_teacher, taught_course_for
from tutoring.course_exports.anki import write_anki
from tutoring.course_exports.archives import write_course_archive
from tutoring.course_exports.gift import write_gift
from tutoring.course_exports.qti import write_qti
from tutoring.course_exports.questions import questions_of
from tutoring.course_imports.questions import Skipped
from tutoring.course_storage import delete_imported_course, folder_of
from tutoring.courses.catalogue import ConceptContent, CourseContent
from tutoring.courses.exercises.generator import make_exercise
from tutoring.document_courses.records import offers_to
from tutoring.models import AuthoredCourse, Course, CourseImport
from tutoring.pages.cards.question_context import block_html
from tutoring.pages.views.requests import LearnerRequest


@login_required
@require_safe
def courses(request: LearnerRequest) -> HttpResponse:
    """List the courses that the teacher can give to classes, and the drafts of imports."""
    require_teacher(request.user)
    rows = (
        Course.objects.taught_by(request.user)
        .defer("content")
        .order_by("position", "title")
        .select_related("ownership__owner")
    )
    drafts = CourseImport.objects.filter(owner_id=request.user.pk, course=None).defer("draft")
    offers = offers_to(request.user).select_related("owner", "offered_to").defer("draft")
    written = AuthoredCourse.objects.filter(owner_id=request.user.pk).defer("files").select_related("course")
    return render(
        request,
        "tutoring/taught_courses.html",
        {"courses": rows, "drafts": drafts, "written": written.defer("course__content"), "offers": offers},
    )


@login_required
@require_safe
def course(request: LearnerRequest, course: str) -> HttpResponse:
    """Show one course: where it comes from, who can learn it, its topics, and its exports."""
    found = taught_course_for(request.user, course)
    context = _course_context(found) | {
        "may_delete": _may_delete(request, found),
        "may_publish": request.user.role == "admin" and found.owner_id is not None,
        "may_add_texts": request.user.role == "admin" or found.owner_id == request.user.pk,
        "has_files": folder_of(found) is not None,
        "left_out": _left_out(found),
    }
    return render(request, "tutoring/taught_course.html", context)


def _left_out(found: Course) -> dict[str, tuple[Skipped, ...]]:
    """Return the questions that each kind of export cannot hold."""
    questions, everywhere = questions_of(found)
    return {
        "gift": write_gift(questions, everywhere)[1],
        "qti": write_qti(questions, everywhere, title=found.title)[1],
        "anki": everywhere,
    }


@login_required
@require_safe
def summary(request: LearnerRequest, course: str) -> HttpResponse:
    """Show the course's topics, with what one learns in each, for printing; of a teacher's course all that it contains."""
    found = taught_course_for(request.user, course)
    context = _course_context(found)
    if found.owner_id is not None:
        context["printed"] = [_add_texts(topic, found.catalogue()) for topic in context["topics"]]
    return render(request, "tutoring/course_summary.html", context)


def _add_texts(topic: dict[str, Any], content: CourseContent) -> dict[str, Any]:
    """Add the lesson of a topic and its exercises with their answers, each once."""
    concept: ConceptContent = topic["concept"]
    exercises = [make_exercise(template, seed=1, course=content) for template in concept.templates]
    topic["lesson"] = [
        [block_html(block) for block in (*piece.blocks, *([piece.step.stem] if piece.step else []))]
        for piece in concept.every_piece
    ]
    topic |= {"paper": paper_questions(exercises), "answers": paper_key(exercises, content.misconceptions)}
    return topic


def _course_context(found: Course) -> dict[str, Any]:
    content = found.catalogue()
    titles = {concept.id: concept.title for concept in content.concepts}
    topics = [
        {
            "concept": concept,
            "after": [titles[name] for name in concept.requires],
            "questions": len(concept.templates),
            "ideas": [each for each in content.misconceptions.values() if concept.id in each.concepts],
        }
        for concept in content.concepts
    ]
    total = sum(len(concept.templates) for concept in content.concepts)
    return {"course": found, "content": content, "topics": topics, "questions": total}


@login_required
@require_safe
def export(request: LearnerRequest, course: str, kind: str) -> HttpResponse:
    """Return the course as a file to download."""
    return exported(taught_course_for(request.user, course), kind)


def exported(found: Course, kind: str) -> HttpResponse:
    """Return the response with a course as a file. Raises Http404 for a kind that there is not."""
    write = _EXPORTS.get(kind)
    if write is None:
        raise Http404(not_found_text())
    name, media_type, content = write(found)
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "X-Content-Type-Options": "nosniff"}
    return HttpResponse(content, content_type=media_type, headers=headers)


type File = tuple[str, str, bytes]
"""The name, media type and content of a file."""


def _archive(found: Course) -> File:
    folder = folder_of(found)
    if folder is None:
        raise Http404(not_found_text())
    return f"{found.slug}.zip", "application/zip", write_course_archive(folder)


def _gift(found: Course) -> File:
    text, _skipped = write_gift(*questions_of(found))
    return f"{found.slug}.gift", "text/plain; charset=utf-8", text.encode()


def _qti(found: Course) -> File:
    content = found.catalogue()
    rights = " · ".join(filter(None, [content.license, content.attribution]))
    data, _skipped = write_qti(*questions_of(found), title=found.title, rights=rights)
    return f"{found.slug}-qti.zip", "application/zip", data


def _anki(found: Course) -> File:
    return (
        f"{found.slug}.apkg",
        "application/octet-stream",
        write_anki(questions_of(found)[0], title=found.title, key=found.slug),
    )


_EXPORTS: dict[str, Callable[[Course], File]] = {"files": _archive, "gift": _gift, "qti": _qti, "anki": _anki}


@login_required
@require_POST
def change(request: LearnerRequest, course: str) -> HttpResponse:
    """Publish the course for everybody, take that back, or delete it once this is confirmed."""
    found = taught_course_for(request.user, course)
    action = request.POST.get("action")
    if action in ("publish", "withdraw") and request.user.role == "admin" and found.owner_id is not None:
        Course.objects.filter(pk=found.pk).update(is_public=action == "publish")
        said = (
            _("Everybody can learn this course now.")
            if action == "publish"
            else _("Only its owner and their classes can learn this course now.")
        )
        messages.success(request, said)
    elif action == "delete" and _may_delete(request, found):
        return _delete(request, found)
    else:
        raise Http404(not_found_text())
    return redirect("taught-course", found.slug)


def _may_delete(request: LearnerRequest, found: Course) -> bool:
    return found.owner_id is not None and (found.owner_id == request.user.pk or request.user.role == "admin")


def _delete(request: LearnerRequest, found: Course) -> HttpResponse:
    if "confirmed" not in request.POST:
        return render(request, "tutoring/taught_course_delete.html", {"course": found})
    try:
        delete_imported_course(found)
    except ProtectedError:
        messages.error(request, _("Learners have worked on this course, so it cannot be deleted."))
        return redirect("taught-course", found.slug)
    messages.success(request, _("The course was deleted."))
    return redirect("taught-courses")
