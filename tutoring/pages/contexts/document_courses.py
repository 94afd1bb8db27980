"""Template contexts of courses that a person makes from a document."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agents.people import Person
from tutoring.document_courses import records
from tutoring.document_courses.drafts import DraftProblem
from tutoring.models import DocumentCourse
from tutoring.pages.forms.document_course_form import DocumentDraftForm

HOME_COURSES = 3
KINDS = {
    "choice": gettext_lazy("one right answer"),
    "text": gettext_lazy("written answer"),
    "match": gettext_lazy("matching"),
    "order": gettext_lazy("ordering"),
}
SOURCES = {
    "model": gettext_lazy("drafted by a language model and checked by the program"),
    "person": gettext_lazy("changed by you"),
}
_PROBLEMS = {
    DraftProblem.NO_TEXT: gettext_lazy(
        "There is no text in this document that could be read, only pictures. Try a version with text that you can select."
    ),
    DraftProblem.TOO_SHORT: gettext_lazy(
        "This document is too short. A course needs at least a few paragraphs that explain something."
    ),
    DraftProblem.NO_SENTENCES: gettext_lazy(
        "This document has no whole sentences, only lists, tables, code or headings. A course needs text that explains something."
    ),
    DraftProblem.OTHER_LANGUAGE: gettext_lazy(
        "This document does not seem to be in English. Questions can only be made from English text so far. You can still search the document and ask the team about it."
    ),
    DraftProblem.NO_TERMS: gettext_lazy(
        "Fewer than three good questions could be made from this document. They are made from sentences that say what something is or does, such as “A cell is …”, from lists of terms, and from numbered steps; wrong answers come from the same text. Try more of it at once, such as several chapters of a textbook, or your notes with definitions."
    ),
    DraftProblem.CRASHED: gettext_lazy("Something went wrong while the course was made. You can try again."),
}


def own_course_links(person: Person) -> list[dict[str, str]]:
    """Return the person's latest courses from documents, for home: to learn, or to look through first."""
    rows = DocumentCourse.objects.filter(owner_id=person.pk).exclude(status=DocumentCourse.Status.FAILED)
    latest = rows.select_related("course").only("title", "course__slug")[:HOME_COURSES]
    return [
        {"title": made.title, "url": made.course.get_absolute_url() if made.course else made.get_absolute_url()}
        for made in latest
    ]


def problem_words(made: DocumentCourse) -> str:
    """Return why no course was made, and what to do, in a few sentences; empty if there is no problem."""
    try:
        return str(_PROBLEMS[DraftProblem(made.problem)])
    except ValueError:
        return ""


def draft_context(person: Person, made: DocumentCourse, form: DocumentDraftForm, *, is_own: bool) -> dict[str, Any]:
    """Return what the page of a draft shows: to its owner as a form, to a teacher for reading."""
    rows = form.rows()
    for row in rows:
        for one in row["questions"]:
            one["kind"] = KINDS[one["question"].kind]
            one["source"] = SOURCES.get(one["question"].source, "")
    asks = is_own and made.course is not None and made.course.is_personal
    return {
        "made": made,
        "form": form,
        "rows": rows,
        "is_own": is_own,
        "kept": form.draft.questions,
        "classes": records.classes_to_offer(person) if asks and person.role != "teacher" else [],
        "may_use": asks and person.role == "teacher",
        "is_offered": made.offered_to_id is not None and not is_own,
        "state": _state_words(made),
    }


def _state_words(made: DocumentCourse) -> str:
    if made.course is None:
        return _("This is a draft. Look through it, untick what does not fit, then start.")
    if made.course.is_personal:
        return _("Only you can see this course. It does not count for any class.")
    return _("A teacher has accepted this course, and it counts for the class.")
