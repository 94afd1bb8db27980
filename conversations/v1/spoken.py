"""Messages that are spoken: a recording in base64 becomes the text of a message."""

from django.utils.translation import gettext as _

from agents.wire import rejections
from conversations import validators
from conversations.owners import Owner
from conversations.web import transcription


async def spoken_text(person: Owner, recording: str, *, field: str) -> str:
    """Return what a recording says. Raises Rejection: as `transcription` does, and 422 if it says nothing."""
    text = await transcription.transcribe(person, transcription.sound_from_base64(recording, field=field))
    if not text.strip():
        raise rejections.invalid(field, _("I could not hear any words in this recording."))
    return validators.validate_text(text)
