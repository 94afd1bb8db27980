"""The words themselves: every kind and age, with and without a class."""

import pytest

from tutoring.safety.fixed_replies import AGES, age_of, concern_words
from tutoring.understanding.concerns.detector import KINDS

BLAMING = (
    "you should have",
    "why did",
    "your fault for",
    "!",
    "I understand how",
    "depress",
    "suicid",
    "abuse",
    "trauma",
)
MOST_WORDS = 100


@pytest.mark.parametrize("age", AGES)
@pytest.mark.parametrize("kind", KINDS)
def test_words_are_short_and_name_where_help_is(kind, age):
    """P5: it is taken seriously, nobody is blamed or diagnosed, help has a number, and one can go on."""
    said = concern_words(kind, age, told=False, contacts=[])
    text = "\n".join(said)
    assert len(text.split()) <= MOST_WORDS
    assert not [each for each in BLAMING if each in text.replace("not your fault", "")]
    assert "The lesson will wait for you" in said[-1]
    assert ("112 or 911" in text) is (kind != "unsafe_request")
    assert ("learning program" in text) is (kind != "unsafe_request")
    assert "teacher will be told" not in text


def test_danger_begins_with_the_number():
    assert "112 or 911" in concern_words("danger_now", "child", told=False, contacts=[])[0]


@pytest.mark.parametrize(("kind", "shown"), [("harm_to_self", True), ("unsafe_request", False)])
def test_whom_a_class_names_is_named_where_it_helps(kind, shown):
    text = " ".join(concern_words(kind, "teen", told=True, contacts=[("4b", "Ms Reed, room 12")]))
    assert ("Who you can talk to in 4b: Ms Reed, room 12" in text) is shown
    assert "Your teacher will be told that you may need help, but not what you wrote." in text


def test_an_account_without_an_age_is_spoken_to_as_a_child():
    assert age_of(object()) == "child"
