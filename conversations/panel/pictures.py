"""The picture that was sent with a message."""

from agents.llm.base import Image
from agents.runtime.speaker_selection import may_ask_model
from conversations.library import document_files
from conversations.library.attached_documents import attachments_of
from conversations.library.file_store import StoreUnavailable
from conversations.models import Document, Turn
from conversations.panel.facts import AttachedPicture


def attached_picture(turn: Turn) -> AttachedPicture | None:
    """Return the first picture of a turn; no query if nothing is attached. Its image only if a model may see it."""
    documents = attachments_of([turn]).get(turn.pk, [])
    pictures = [each for each in documents if each.is_picture]
    if not pictures:
        return None
    image = _image_of(pictures[0]) if may_ask_model(turn.owner, "vision") else None
    return AttachedPicture(document_id=pictures[0].pk, image=image, others=len(pictures) - 1)


def _image_of(picture: Document) -> Image | None:
    """Return the stored image, which was converted to WebP on arrival; None if the store does not have it now."""
    try:
        return Image(media_type="image/webp", data=document_files.content_of(picture))
    except (FileNotFoundError, StoreUnavailable):
        return None
