"""Ideas that sound like a sibling's are named, so that an author can say what tells them apart."""

from dataclasses import replace

import pytest

from agents.errors import EmbeddingModelMissing
from tests.tutoring.understanding.contexts import course
from tutoring.courses.catalogue import CourseContent, LabelledSayings
from tutoring.understanding.classifiers import encoder
from tutoring.understanding.training.confusions import confusions_in

BIGGER = [f"1/{bottom} is more since {bottom} is more than {bottom - 1}" for bottom in range(3, 11)]
UNEQUAL = [
    f"the {number} pieces need not be the same size" for number in ("two", "three", "four", "five", "six", "eight")
]


def with_sayings(**said: list[str]) -> CourseContent:
    """Fractions, whose first concept has these misconceptions and no other labelled sentences."""
    first, *_others = course().concepts
    empty = replace(first.wordings, replies={}, contrasts={}, milestones={}, misconceptions={})
    misconceptions = {name: LabelledSayings(sayings=tuple(texts), against=()) for name, texts in said.items()}
    return replace(
        course(), concepts=(replace(first, wordings=replace(empty, misconceptions=misconceptions)),), sayings={}
    )


def test_an_idea_that_says_what_another_says_is_named_with_a_sentence():
    found = confusions_in(with_sayings(bigger=BIGGER[:6], same_as_bigger=BIGGER[6:], unequal=UNEQUAL))
    assert [(each.idea, each.other) for each in found] == [("same_as_bigger", "bigger")]
    assert str(found[0]).startswith("same_as_bigger sounds like bigger: 2 of 2 sentences, such as “1/")


def test_ideas_that_differ_are_not_named():
    assert confusions_in(with_sayings(bigger=BIGGER, unequal=UNEQUAL)) == []


@pytest.mark.parametrize("said", [{}, {"bigger": BIGGER[:2]}])
def test_few_sentences_are_not_compared(said):
    assert confusions_in(with_sayings(**said)) == []


def test_without_the_encoder_it_is_missing(monkeypatch, tmp_path):
    monkeypatch.setattr(encoder, "FILE", tmp_path / "none.onnx")
    encoder._session.cache_clear()  # type: ignore[attr-defined]
    encoder._read.cache_clear()  # type: ignore[attr-defined]
    with pytest.raises(EmbeddingModelMissing):
        confusions_in(with_sayings(bigger=BIGGER, unequal=UNEQUAL))
    encoder._session.cache_clear()  # type: ignore[attr-defined]
