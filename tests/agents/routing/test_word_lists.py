"""Word lists as people write them: what is read, what is refused and why, and that nothing is lost on the way back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.routing.word_lists import WordListError, format_words, parse_words


def test_a_line_is_a_word_or_phrase_with_a_weight() -> None:
    lines = ["Homework", "", "hand  in = 2", "remind*", "late = 0", "don’t forget = 0,5"]
    assert parse_words(lines) == {"homework": 1, "hand in": 2, "remind*": 1, "late": 0, "don't forget": 0.5}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("a", "short"),
        ("7", "short"),
        ("a*", "short"),
        ("ab*", "stem"),
        ("re*mind", "form"),
        ("hand in*", "form"),
        ("=", "form"),
        ("word = much", "form"),
        ("word = 2 = 3", "form"),
        ("word = -1", "form"),
        ("!!!", "form"),
        ("word = 6", "weight"),
        ("x" * 61, "long"),
    ],
)
def test_a_line_that_cannot_be_used_says_why(line: str, code: str) -> None:
    with pytest.raises(WordListError) as raised:
        parse_words(["homework", line])
    assert (raised.value.code, raised.value.line) == (code, line)


def test_a_word_twice_is_refused_however_it_is_written() -> None:
    with pytest.raises(WordListError) as raised:
        parse_words(["to do", "To-Do = 2"])
    assert raised.value.code == "twice"


def test_a_list_has_an_end() -> None:
    with pytest.raises(WordListError) as raised:
        parse_words([f"word{number}" for number in range(301)])
    assert raised.value.code == "many"


@given(st.lists(st.text(max_size=70), max_size=20))
def test_any_lines_are_read_or_refused_and_what_is_read_stays_the_same(lines: list[str]) -> None:
    try:
        words = parse_words(lines)
    except WordListError:
        return
    assert all(len(word) > 1 and 0 <= weight <= 5 for word, weight in words.items())
    assert parse_words(format_words(words).splitlines()) == words


@given(st.dictionaries(st.from_regex(r"[a-z]{2,9}( [a-z]{2,9})?", fullmatch=True), st.integers(0, 5), max_size=9))
def test_a_list_of_any_words_is_read_as_it_was_written(words: dict[str, int]) -> None:
    assert parse_words(format_words(words).splitlines()) == words
