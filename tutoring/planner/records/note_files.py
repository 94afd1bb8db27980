"""Notes as a JSON file: exported, and read again."""

import json
from datetime import datetime
from typing import Any, Final

from django.utils.translation import gettext as _

from tutoring.models import Note, Workspace
from tutoring.planner.records.limits import LONGEST_NOTE

VERSION: Final = 1
MOST_BYTES: Final = 2_000_000
MOST_NOTES: Final = 2_000
"""In one file: each is embedded, which takes 1 ms."""


class NotNotes(ValueError):
    """The file holds no notes; the text says why, in words for the person."""


def notes_as_json(workspace: Workspace, *, at: datetime) -> bytes:
    """Return all notes of a workspace, the oldest first: `{version, exported_at, notes: [{text, created_at, updated_at}]}`."""
    rows = Note.objects.inside(workspace).order_by("created_at", "pk")
    notes = [
        {"text": row.text, "created_at": row.created_at.isoformat(), "updated_at": row.updated_at.isoformat()}
        for row in rows.iterator()
    ]
    whole = {"version": VERSION, "exported_at": at.isoformat(timespec="seconds"), "notes": notes}
    return json.dumps(whole, ensure_ascii=False, indent=1).encode()


def read_notes(data: bytes) -> list[str]:
    """Return the texts of an exported file, each once, without empty ones. Raises NotNotes."""
    if len(data) > MOST_BYTES:
        raise NotNotes(_("The file is too large. It can have at most 2 MB."))
    try:
        # A file that is nested too deeply raises RecursionError.
        whole: Any = json.loads(data)
    except (ValueError, RecursionError):
        raise NotNotes(_("This is not a JSON file.")) from None
    listed = whole.get("notes") if isinstance(whole, dict) else whole
    if not isinstance(listed, list):
        raise NotNotes(_("There are no notes in this file. Choose a file that was exported here."))
    given = [each.get("text") if isinstance(each, dict) else each for each in listed]
    texts = [text for text in given if isinstance(text, str)]
    if len(texts) < len(given):
        raise NotNotes(_("Some of the notes in this file have no text. Nothing was imported."))
    # A surrogate on its own is valid in JSON, but cannot be stored; a zero byte is refused by PostgreSQL.
    clean = [text.encode(errors="replace").decode().replace("\x00", "").strip() for text in texts]
    kept = list(dict.fromkeys(text for text in clean if text))
    if len(kept) > MOST_NOTES:
        raise NotNotes(_("There are more than %(count)d notes in this file.") % {"count": MOST_NOTES})
    if any(len(text) > LONGEST_NOTE for text in kept):
        raise NotNotes(_("A note in this file is longer than %(count)d characters.") % {"count": LONGEST_NOTE})
    return kept
