"""A button's own words do what the button says, whatever they sound like."""

import re
from pathlib import Path

import pytest

from tutoring import roles
from tutoring.understanding.analysis import EXACT_PROBABILITY, analyse
from tutoring.understanding.parsing import button_labels

COMMANDS = {"I meant the same thing", "Not quite", "Not sure"}
_LISTED = re.compile(r'\[((?:\s*_\("[^"%]+"\),?)+)\s*\]')
_LABEL = re.compile(r'_\("([^"%]+)"\)')


@pytest.mark.parametrize("words", ["Continue the explanation", "go on with the explanation.", "LET US GO ON"])
def test_button_is_certain(words):
    assert analyse(words).intents == (("go_on", EXACT_PROBABILITY),)


def test_more_words_are_no_button():
    assert button_labels.button_intent("Quiz me on halves") is None


def test_every_button_that_a_role_shows_is_known():
    """Lists of labels in the roles' own code; those with a title in them are read by what they begin with."""
    sources = [path.read_text(encoding="utf-8") for path in Path(roles.__file__).parent.rglob("*.py")]
    shown = {label for text in sources for found in _LISTED.findall(text) for label in _LABEL.findall(found)}
    assert len(shown) > 10
    assert shown - COMMANDS - button_labels.INTENT_BY_LABEL.keys() == set()
