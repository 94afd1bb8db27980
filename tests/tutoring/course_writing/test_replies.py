"""Replies in words to the parts of a teacher's lesson, which come without labelled examples."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.people import make_person
from tests.tutoring.class_helpers import make_class
from tests.tutoring.course_writing.draft_helpers import small_course
from tests.tutoring.lessons.lesson_player import Stage, unhurried
from tutoring.course_writing import lessons
from tutoring.course_writing.publishing import publish_course
from tutoring.course_writing.versions import create_draft
from tutoring.models import Concept
from tutoring.roles.wording.phrases import TAKEN_REPLIES

pytestmark = pytest.mark.django_db


def begun(words: str, settings: Any, tmp_path: Path) -> Stage:
    """Return a lesson whose first part asks why rock melts, and whose second part follows."""
    settings.DATA_DIR = tmp_path
    grace, ada = make_person("grace", role="teacher"), make_person("ada")
    make_class(grace, ada)
    files = small_course()
    first = lessons.draft_piece(files, "doubling", "doubling-p1")
    assert first is not None
    heard, not_yet = ("Yes, it is the heat.", "Think of ice in the sun.") if words else ("", "")
    asks = replace(first, text="Deep down, rock melts.", question="Why does the rock melt?", words=words)
    asks = replace(asks, heard=heard, not_yet=not_yet)
    files = lessons.put_piece(files, "doubling", asks)
    more = replace(asks, id="doubling-p2", text="Melted rock is magma.", question="What is magma?", words="rock")
    more = replace(more, heard="It is rock.", not_yet="Read it again.")
    publish_course(create_draft(grace, lessons.put_piece(files, "doubling", more), message="New"), by=grace)
    stage = Stage(ada, Concept.objects.select_related("course").get(slug="doubling"))
    stage.open()
    return stage


@pytest.mark.parametrize(
    ("said", "reply"),
    [
        ("because it is so hot down there", "Yes, it is the heat."),
        ("the heat", "Yes, it is the heat."),
        ("because it is old", "Think of ice in the sun."),
    ],
)
def test_listed_words_decide(settings: Any, tmp_path: Path, said: str, reply: str) -> None:
    with unhurried():
        assert reply in begun("hot / heat", settings, tmp_path).say(said).reply


def test_without_words_every_reply_is_taken_and_not_called_right(settings: Any, tmp_path: Path) -> None:
    with unhurried():
        stage = begun("", settings, tmp_path)
        said = stage.say("because it is so hot down there").reply
    assert any(each in said for each in TAKEN_REPLIES)
    assert "magma" in said


def test_parts_of_two_topics_have_different_ids() -> None:
    files = small_course()
    pieces = [piece.id for name in ("doubling", "even-numbers") for piece in lessons.draft_pieces(files, name)]
    assert pieces == ["doubling-p1", "even-numbers-p1"]
