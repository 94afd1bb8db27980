"""What a picture shows: the text in it, read on this machine, and what a model sees, checked against that text."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.tools import ToolResult
from conversations.panel import scores
from conversations.panel.facts import KnownTerm
from conversations.panel.results import AnalysisType, VisionResult
from conversations.panel.text_analysis import analyse_text
from conversations.tools.library import LibraryPassages

MOST_OBJECTS: Final = 12
MOST_CONCEPTS: Final = 8
LONGEST_LABEL: Final = 60
LONGEST_DESCRIPTION: Final = 600
"""Of a model's: objects, concepts, characters of a label, characters of a description. All chosen by hand."""
PAGE_WORDS: Final = 60
"""A picture with this many words is a page of text. Chosen by hand: labels of a diagram are fewer."""
LABELS, LABEL_WORDS = 3, 4
"""A picture with this many lines of at most so many words on average is a diagram with labels. Chosen by hand."""
SAME_TEXT: Final = 0.5
"""A model that has read less of the text does not describe the same picture. Chosen by hand."""
# In this order: "What does this diagram say?" is about a diagram.
_ASKED_FOR: Final[tuple[tuple[AnalysisType, re.Pattern[str]], ...]] = (
    (
        "diagram",
        re.compile(r"\b(?:diagram|chart|graph|plot|flow ?chart|figure|scheme|arrows?|axis|axes|map|table)\b", re.I),
    ),
    (
        "document",
        re.compile(
            r"\b(?:page|document|article|work ?sheet|homework|letter|form|receipt|notes?|chapter|slide)\b", re.I
        ),
    ),
    ("ocr", re.compile(r"\b(?:read|says?|written|writing|transcribe|ocr|text|words?|spell|copy)\b", re.I)),
)


def choose_analysis_type(question: str, text: str = "") -> AnalysisType:
    """Return how to look at a picture: as the question asks, else by how much text is in it."""
    asked = next((kind for kind, words in _ASKED_FOR if words.search(question)), None)
    if asked is not None:
        return asked
    lines = [line for line in text.splitlines() if line.strip()]
    words = len(text.split())
    if words >= PAGE_WORDS:
        return "document"
    return "diagram" if len(lines) >= LABELS and words <= LABEL_WORDS * len(lines) else "general"


def read_picture(question: str, found: ToolResult | str, *, own_terms: tuple[KnownTerm, ...] = ()) -> VisionResult:
    """Return what a picture shows by the text that was found in it."""
    inside = found.passages if isinstance(found, LibraryPassages) else []
    text = "\n".join(each.text for each in inside)
    kind = choose_analysis_type(question, text)
    is_unread = isinstance(found, LibraryPassages) and bool(found.unread)
    return VisionResult(
        description=_describe(text, kind, is_unread=is_unread),
        extracted_text=inside[0].text if inside else None,
        concepts=tuple(each.name for each in analyse_text(text, own_terms=own_terms).concepts),
        analysis_type=kind,
        source=inside[0].source if inside else None,
    )


def _describe(text: str, kind: AnalysisType, *, is_unread: bool) -> str:
    """Return what can be said of a picture without seeing it: how much text is in it."""
    if not text:
        return (
            _("I’m still reading your picture. Ask me again in a moment.")
            if is_unread
            else _(
                "I can only read text in pictures here, and I found none in this one. Tell me what the picture shows."
            )
        )
    words = len(text.split())
    counted = ngettext("%(count)d word", "%(count)d words", words) % {"count": words}
    if kind == "document":
        return _("Your picture is a page of text with about %(words)s. It begins:") % {"words": counted}
    if kind == "diagram":
        return _("I can read the labels in your diagram, but I can’t see what is drawn. They say:")
    return _("Here is the text I can read in your picture:")


def merge_descriptions(own: VisionResult, told: VisionResult, *, guard: Callable[[str], str]) -> VisionResult:
    """Return what was read, with what a model sees; the model's is left out if it read another text, or may not be said."""
    agreement = scores.text_agreement(own.extracted_text or "", told.extracted_text or "")
    described = told.description.strip()[:LONGEST_DESCRIPTION]
    if not described or guard(described) or (agreement is not None and agreement < SAME_TEXT):
        return own.model_copy(update={"claimed_confidence": told.confidence})
    objects = [
        each.model_copy(update={"confidence": None}) for each in told.objects if 0 < len(each.label) <= LONGEST_LABEL
    ]
    return own.model_copy(
        update={
            "description": described,
            "extracted_text": own.extracted_text or told.extracted_text,
            "concepts": tuple(dict.fromkeys((*own.concepts, *_short(told.concepts))))[:MOST_CONCEPTS],
            "objects": tuple(objects[:MOST_OBJECTS]),
            "confidence": agreement,
            "claimed_confidence": told.confidence,
        }
    )


def _short(names: Sequence[str]) -> list[str]:
    return [each.casefold() for each in names if 0 < len(each) <= LONGEST_LABEL]
