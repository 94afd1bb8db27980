"""A shelf for searches: documents of a few sentences, indexed as the worker would."""

import hashlib
from collections.abc import Sequence
from typing import Any

from conversations.models import Document, Folder
from conversations.readers import Page
from conversations.search.engine import search
from conversations.search.index import embed_passages, store_passages

HALVES = "A half is one of two equal parts of a whole."
RAIN = "Water that falls from clouds is called rain."
ENGINE = "A motor turns fuel into motion."


def index_document(document: Document, pages: Sequence[Page], **options: Any) -> int:
    """Store a document's passages and work out what they mean, as two jobs of the worker do; return how many there are."""
    number = store_passages(document, pages)
    embed_passages(document.passages.all(), **options)
    return number


def shelve(owner: Any, *texts: str, name: str = "notes.txt", **fields: Any) -> Document:
    """Store a document, a page for each text, and index it."""
    digest = hashlib.sha256(f"{owner.pk}{name}".encode()).hexdigest()
    document = Document.objects.create(
        owner=owner,
        name=name,
        media_type="text/plain",
        size=1,
        digest=digest,
        stored_as=digest,
        status="ready",
        **{"in_library": True, **fields},
    )
    index_document(document, [Page(number=number, heading="", text=text) for number, text in enumerate(texts, 1)])
    return document


def shared_folder(owner: Any, audience: str = "class:4b") -> Folder:
    return Folder.objects.create(owner=owner, name="shared", audience=audience)


def found(person: Any, query: str, **options: Any) -> list[str]:
    """Return the texts that a search finds."""
    return [each.text for each in search(person, query, **options).found]
