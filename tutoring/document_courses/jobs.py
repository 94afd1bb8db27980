"""The job that drafts a course from a document, with its progress; a person can cancel it by deleting the draft."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from asgiref.sync import async_to_sync
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now
from django.tasks import task
from django.utils import translation

from agents.engine.outcomes import Answered
from agents.engine.roles import Request
from agents.event_log import get_logger
from agents.limits import RunLimits
from agents.people import Person
from agents.prompts.versions import prompts_in_force
from agents.runtime.site_runs import run_for_person
from agents.runtime.speaker_selection import may_ask_model
from conversations.models import Document
from conversations.processes.identity import PROCESS
from tutoring.course_imports.topics import plain_title
from tutoring.dialogue.graphs import PASSAGE_QUESTIONS
from tutoring.document_courses.course_files import is_gradable
from tutoring.document_courses.drafts import (
    DocumentDraft,
    DraftProblem,
    DraftRefused,
    changed_draft,
    draft_document,
    draft_to_json,
)
from tutoring.document_courses.model_drafts import PassageFacts, PassageQuestions
from tutoring.document_courses.source_text import Layout, SourcePassage
from tutoring.models import DocumentCourse

logger = get_logger(__name__)

MAX_ATTEMPTS = 3
LIMITS = RunLimits(turn_timeout_s=90.0)
"""Well below the time after which a draft counts as lost."""
TASK = "Do your part now."
"""Stands in for a learner's message."""
MARKDOWN, CNXML = "text/markdown", "application/cnxml+xml"
_BLOCKS = (
    CNXML,
    "application/zip",
    "application/gzip",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
)
_NO_TITLE = re.compile(r"(?i)^about:|^untitled|^microsoft|^document ?\d*$|\.(?:docx?|pdf|indd|tex|odt|html?)$")
"""Titles that programs write into files by themselves."""
Status = DocumentCourse.Status


class Cancelled(Exception):
    """The draft was deleted while it was made."""


def order_draft(document: Document) -> DocumentCourse:
    """Return the draft of a course from the person's own document; it is made soon, by a worker."""
    made = DocumentCourse.objects.create(
        owner=document.owner, document=document, document_name=document.name, title=title_of(document)
    )
    transaction.on_commit(lambda: draft_course.enqueue(made.pk), robust=True)
    return made


def title_of(document: Document) -> str:
    """Return a title for the course: the document's own, else its name without the ending."""
    stem, dot, ending = document.name.rpartition(".")
    named = stem.removesuffix(".tar").removesuffix(".cnxml") if dot and len(ending) < 6 else document.name
    is_useful = document.title and not _NO_TITLE.search(document.title)
    return plain_title(document.title if is_useful else named.replace("_", " ").replace("-", " "))


def draft_again(made: DocumentCourse) -> None:
    """Order the draft again, after it failed."""
    DocumentCourse.objects.filter(pk=made.pk, status=Status.FAILED).update(
        status=Status.WAITING, problem="", attempt=0, reported_at=Now()
    )
    transaction.on_commit(lambda: draft_course.enqueue(made.pk), robust=True)


@task
def draft_course(pk: int) -> None:
    """Draft one ordered course. If run twice, or for one that another worker reports on, it does nothing."""
    free = DocumentCourse.objects.filter(pk=pk, status=Status.WAITING) | DocumentCourse.objects.lost().filter(pk=pk)
    if not free.update(status=Status.DRAFTING, attempt=F("attempt") + 1, reported_at=Now()):
        return
    made = DocumentCourse.objects.select_related("document").get(pk=pk)
    try:
        # Questions are in the language of the text, as a course is.
        with translation.override("en"):
            _finish(made, _drafted(made))
    except Cancelled:
        return
    except DraftRefused as refused:
        _fail(made, refused.problem)
    except Exception:
        logger.exception("document_course_crashed", course=made.pk, attempt=made.attempt)
        _fail(made, DraftProblem.CRASHED)


def _drafted(made: DocumentCourse) -> DocumentDraft:
    if made.document is None:
        raise Cancelled

    def report(done: int, of: int) -> None:
        held = DocumentCourse.objects.filter(pk=made.pk, status=Status.DRAFTING, attempt=made.attempt)
        if not held.update(steps_done=done, steps=of, reported_at=Now()):
            raise Cancelled

    return draft_document(
        list(passages_of(made.document)), title=made.title, layout=layout_of(made.document), report=report,
        write=partial(_write, made.owner) if may_ask_model(made.owner, "strong") else None,
    )  # fmt: skip


def _write(owner: Person, facts: PassageFacts) -> PassageQuestions | None:
    """Have a model write questions on a passage, as far as the owner agreed to that; None if it gives no answer."""
    result = async_to_sync(run_for_person)(
        PASSAGE_QUESTIONS, Request(text=TASK, facts=facts), person=owner, holder=PROCESS, prompts=prompts_in_force(),
        limits=LIMITS,
    )  # fmt: skip
    answers = [each.result for each in result.outcomes if isinstance(each, Answered)]
    return next((each for each in answers if isinstance(each, PassageQuestions)), None)


def _finish(made: DocumentCourse, draft: DocumentDraft) -> None:
    """Store the draft, without questions that the program could not grade."""
    concepts = tuple(
        replace(concept, questions=tuple(question for question in concept.questions if is_gradable(question)))
        for concept in draft.concepts
    )
    draft = changed_draft(replace(draft, concepts=concepts), title=draft.title, titles={}, left_out=set(), kept={})
    if not draft.questions:
        raise DraftRefused(DraftProblem.NO_TERMS)
    DocumentCourse.objects.filter(pk=made.pk, attempt=made.attempt).update(
        status=Status.READY, draft=draft_to_json(draft), problem=""
    )


def _fail(made: DocumentCourse, problem: DraftProblem) -> None:
    DocumentCourse.objects.filter(pk=made.pk, attempt=made.attempt).update(status=Status.FAILED, problem=problem)


def requeue_lost_drafts() -> None:
    """Order drafts again whose worker is gone; after three attempts, they count as failed."""
    lost = DocumentCourse.objects.lost()
    lost.filter(attempt__gte=MAX_ATTEMPTS).update(status=Status.FAILED, problem=DraftProblem.CRASHED)
    again = list(lost.values_list("pk", flat=True))
    for pk in again:
        draft_course.enqueue(pk)
    if again:
        logger.info("jobs_requeued", job="document_course", jobs=len(again))


def passages_of(document: Document) -> Iterator[SourcePassage]:
    """Yield the passages of a document that was read, in order."""
    for passage in document.passages.order_by("number").iterator(chunk_size=500):
        yield SourcePassage(
            number=passage.number, page=passage.page, heading=passage.heading, text=passage.text,
            is_glossary=not passage.indexed,
        )  # fmt: skip


def layout_of(document: Document) -> Layout:
    if document.media_type == MARKDOWN:
        return "markdown"
    return "blocks" if document.media_type in _BLOCKS else "lines"
