"""A short text about memory, its draft, and a stored course of it."""

from django.core.files.uploadedfile import SimpleUploadedFile

from conversations.library import reading_jobs, uploads
from tutoring.courses.catalogue import CourseContent
from tutoring.courses.serialization import course_to_json
from tutoring.document_courses import jobs
from tutoring.document_courses.concepts import DraftedConcept
from tutoring.document_courses.drafted_questions import DraftedQuestion
from tutoring.document_courses.drafts import DocumentDraft, draft_to_json
from tutoring.document_courses.source_text import SourcePassage
from tutoring.models import Course, CourseOwner, DocumentCourse

TEXT = """# Memory and learning

## Two kinds of memory

Working memory is the part of memory that holds the things that you are thinking about at the moment. The capacity of
working memory is small. Without attention, the items fade within seconds. A chunk is a group of items that memory treats as
one item. Experts know many a chunk of their field. A schema is a structure of knowledge that connects facts and steps that
belong together. Each schema grows with practice.

## Paths of learning

Retrieval is the process of finding knowledge and bringing it to mind. After retrieval, what you know lasts longer.
Interleaving is a way of practicing in which different kinds of tasks alternate. Many people avoid interleaving because
it feels slow. A cue is a hint that brings back what you have learned. A good cue is short.

## Exercises

A worksheet is a page of tasks that nobody reads. Write down what a worksheet is.
"""


def passages(text=TEXT):
    return [SourcePassage(number=1, page=1, heading="", text=text)]


def document_of(person, text=TEXT, *, name="memory.md"):
    """Return a document of the person's library that was read."""
    file = SimpleUploadedFile(name, text.encode())
    document = uploads.accept(person, file, in_library=True)
    reading_jobs.read_all()
    document.refresh_from_db()
    return document


def drafted(person, text=TEXT):
    """Return a draft that the job has made of a document."""
    made = jobs.order_draft(document_of(person, text))
    jobs.draft_course.func(made.pk)
    made.refresh_from_db()
    return made


def small_draft():
    """Return a draft with one concept of three questions, of which none rests on a real document."""
    questions = tuple(
        DraftedQuestion(
            kind="choice", stem=f"Which term is number {number}?", options=("chunk", "schema", f"cue {number}"),
            quote="A chunk is a group of items.", passage=1, terms=("chunk",),
        )
        for number in (1, 2, 3)
    )  # fmt: skip
    concept = DraftedConcept(
        id="one_half", title="Chunks", summary="A chunk is a group of items.", first=0, last=0, questions=questions
    )
    return DocumentDraft(title="Memory", concepts=(concept,), contexts={})


def stored_course(person, *, offered_to=None):
    """Return a started course of the person's own."""
    content = CourseContent(
        id="memory-d1", title="Memory", summary="", language="en", license="own", version="1", threshold=0.85,
        concepts=(), misconceptions={},
    )  # fmt: skip
    course = Course.objects.create(
        slug=content.id, title=content.title, content=course_to_json(content), is_public=False, is_personal=True
    )
    CourseOwner.objects.create(course=course, owner=person)
    return DocumentCourse.objects.create(
        owner=person, document_name="memory.md", title="Memory", status="ready", draft=draft_to_json(small_draft()),
        course=course, offered_to=offered_to,
    )  # fmt: skip
