"""What a picture shows: its text, read here, and what a model sees where it read the same text."""

from typing import Any

import pytest

from agents.tools import Source
from conversations.panel.results import BoundingBox, DetectedObject, VisionResult
from conversations.panel.vision import choose_analysis_type, merge_descriptions, read_picture
from conversations.tools.library import FoundPassage, LibraryPassages

LABELS = "Sunlight\n\nLeaf\n\nSugar and oxygen"


def passages(text: str, **more: Any) -> LibraryPassages:
    source = Source(id="passage-7", title="leaf.png", url="/library/1/", type="document")
    found = FoundPassage(source=source, heading="", where="", text=text, likeness=None)
    return LibraryPassages(passages=[found] if text else [], **more)


@pytest.mark.parametrize(
    ("question", "text", "kind"),
    [
        ("What does this diagram show?", "", "diagram"),
        ("Read the text, please", "", "ocr"),
        ("what does it say", "", "ocr"),
        ("Can you check my worksheet?", "", "document"),
        ("what is this", "", "general"),
        ("what is this", LABELS, "diagram"),
        ("what is this", "word " * 60, "document"),
        ("what is this", "A cat", "general"),
    ],
)
def test_a_picture_is_looked_at_as_the_question_asks_or_as_its_text_suggests(
    question: str, text: str, kind: str
) -> None:
    assert choose_analysis_type(question, text) == kind


def test_text_in_a_picture_is_read_and_leaves_no_trace_in_the_record() -> None:
    seen = read_picture("What is this?", passages(LABELS))
    assert (seen.extracted_text, seen.analysis_type) == (LABELS, "diagram")
    assert "labels" in seen.description
    assert "Sunlight" not in seen.model_dump_json()
    assert seen.confidence is None


def test_picture_without_text_is_described_by_the_learner() -> None:
    seen = read_picture("What is this?", passages(""))
    assert (seen.extracted_text, seen.source) == (None, None)
    assert "Tell me what the picture shows" in seen.description


def test_picture_that_is_still_being_read_is_asked_for_again() -> None:
    assert "still reading" in read_picture("?", passages("", unread=["leaf.png"])).description


def told(**more: Any) -> VisionResult:
    given: dict[str, Any] = {"description": "A leaf in the sun makes sugar.", "extracted_text": LABELS}
    return VisionResult(**(given | {"confidence": 0.9} | more))


def merged(model: VisionResult, *, guard: Any = lambda text: "") -> VisionResult:
    return merge_descriptions(read_picture("What is this?", passages(LABELS)), model, guard=guard)


def test_models_description_counts_where_it_read_the_same_text() -> None:
    place = BoundingBox(left=0.1, top=0.1, width=0.2, height=0.2)
    thing = DetectedObject(label="leaf", confidence=0.95, location=place)
    seen = merged(told(objects=(thing,), concepts=("Photosynthesis",)))
    assert seen.description == "A leaf in the sun makes sugar."
    assert seen.confidence == 1.0
    assert seen.claimed_confidence == 0.9
    assert "photosynthesis" in seen.concepts
    assert seen.objects == (
        DetectedObject(label="leaf", location=place),
    )  # Nobody has measured the model's own number.


@pytest.mark.parametrize("wrong", [told(extracted_text="Invoice 17"), told(description=" "), told(extracted_text=None)])
def test_model_that_describes_another_picture_is_not_believed(wrong: VisionResult) -> None:
    seen = merged(wrong)
    assert "I can read" in seen.description
    assert seen.objects == ()


def test_words_that_must_not_be_said_are_not_taken_from_a_model() -> None:
    assert "I can read" in merged(told(), guard=lambda text: "leak").description


def test_model_alone_has_no_confidence() -> None:
    own = read_picture("What is this?", passages(""))
    seen = merge_descriptions(own, told(), guard=lambda text: "")
    assert (seen.extracted_text, seen.confidence) == (LABELS, None)
