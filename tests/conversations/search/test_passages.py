"""Texts cut into passages: nothing lost, nothing doubled, no word cut."""

from hypothesis import given, settings
from hypothesis import strategies as st

from conversations.readers import Page
from conversations.search.passages import WORDS, split_pages, split_text, word_count

WORD = st.text(alphabet="abcÄß字。.?!:;-\"'", min_size=1, max_size=12)
TEXT = st.lists(st.tuples(WORD, st.sampled_from([" ", "\n", "\n\n", "  ", "\t", ". ", "\n \n"])), max_size=400).map(
    lambda words: "".join(word + blank for word, blank in words)
)


@settings(max_examples=60, deadline=None)
@given(TEXT)
def test_joined_they_are_the_text(text):
    parts = list(split_text(text))
    assert "".join(parts) == (text if text.strip() else "")
    assert all(part.strip() for part in parts) or not text.strip()


@settings(max_examples=60, deadline=None)
@given(TEXT)
def test_none_is_too_long_and_no_word_is_cut(text):
    parts = list(split_text(text))
    assert all(word_count(part) <= WORDS or len(part.split()) == 1 for part in parts)
    if "。" not in text:
        assert [word for part in parts for word in part.split()] == text.split()


def paragraph(words, name="w"):
    return " ".join(f"{name}{number}" for number in range(words)) + "."


def test_paragraphs_stay_whole_where_they_can():
    text = "\n\n".join(paragraph(words) for words in (30, 60, 40, 55))
    assert [part.count("\n\n") for part in split_text(text)] == [2, 1]


def test_what_is_a_little_too_long_is_cut_into_halves():
    text = " ".join(paragraph(10) for _ in range(11))
    assert [len(part.split()) for part in split_text(text)] == [60, 50]


def test_lines_of_code_stay_whole():
    text = "\n".join(f"value_{number} = compute(value_{number - 1}, {number})" for number in range(60))
    assert all(part.endswith((")", ")\n")) for part in split_text(text))


def test_a_word_without_end_stays_one():
    assert list(split_text("x" * 5_000)) == ["x" * 5_000]


def test_each_has_its_place_and_a_glossary_is_not_found():
    pages = [
        Page(number=3, heading="A › B", text="One."),
        Page(number=4, heading="", text=" \n"),
        Page(number=5, heading="Terms", text="half: one of two", glossary=True),
    ]
    assert [(piece.page, piece.heading, piece.text, piece.indexed) for piece in split_pages(pages)] == [
        (3, "A › B", "One.", True),
        (5, "Terms", "half: one of two", False),
    ]
