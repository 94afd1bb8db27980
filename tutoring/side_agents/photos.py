"""A photo sent with a message instead of a drawing. Its strokes are unknown: a model sees it, or the learner describes it."""

from dataclasses import replace
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _

from conversations.library import document_files
from conversations.library.attached_documents import attachments_of
from conversations.library.document_text import text_beginning
from conversations.models import Document, Turn
from tutoring.lesson.drawing_facts import DrawingFacts

FEW: Final = 80
"""Characters on it: with more, it is a page of text, and is looked up like any other document."""
UNSURE: Final = 0.3


def photo_with(turn: Turn) -> DrawingFacts | None:
    """Return what is known about the photo of a turn; no query if there is none."""
    documents = attachments_of([turn]).get(turn.pk, [])
    photo = next((each for each in documents if each.is_picture and not each.is_unread), None)
    text = " ".join(text_beginning(photo).split()) if photo else ""
    if photo is None or len(text) > FEW:
        return None
    return DrawingFacts(
        snapshot=str(photo.pk),
        description="",
        text=text,
        question=_question_about(text),
        confidence=UNSURE,
        seconds_ago=max(0.0, (timezone.now() - photo.created_at).total_seconds()),
        photo=True,
    )


def _question_about(text: str) -> str:
    if not text:
        return _("I can’t make out what’s in your photo. Can you tell me what it shows?")
    question = _("In your photo, I can read “%(text)s”. Is that right, and what else does the photo show?")
    return question % {"text": text}


def load_photo(seen: DrawingFacts) -> DrawingFacts:
    """Return it with the image itself, as it was re-encoded on arrival; one query."""
    photo = Document.objects.filter(pk=seen.snapshot).first()
    return replace(seen, picture=document_files.content_of(photo)) if photo else seen
