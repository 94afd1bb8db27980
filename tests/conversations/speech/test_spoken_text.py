"""Text and Markdown as they are read aloud."""

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations.speech.spoken_text import speak_formula, speak_markdown, speak_text


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("1/2 + 1/4 = 3/4", "one half plus one quarter equals three quarters"),
        ("7 - 3 = 4", "7 minus 3 equals 4"),
        ("7-3", "7 minus 3"),
        ("n − 1", "n minus 1"),
        ("-3/4", "minus three quarters"),
        ("1/2 < 3/4", "one half is less than three quarters"),
        ("5 > 3", "5 is greater than 3"),
        ("2 × 3 ÷ 4", "2 times 3 divided by 4"),
        ("2x3 * 4", "2 times 3 times 4"),
        ("50% ≠ 1/4", "50 percent is not equal to one quarter"),
        ("½ of 3½", "one half of three and a half"),
        ("____ = 4", "blank equals 4"),
        ("4² at 45°", "4 squared at 45 degrees"),
        ("3–5 tries", "3 to 5 tries"),
    ],
)
def test_signs_are_read_as_words(written: str, said: str) -> None:
    assert speak_text(written) == said


@pytest.mark.parametrize("text", ["a well-known rule", "on 2026-11-27", "I don’t know - well", "555-123-4567"])
def test_hyphens_that_subtract_nothing_stay(text: str) -> None:
    assert speak_text(text) == text


@pytest.mark.parametrize(
    ("latex", "said"),
    [
        (r"\frac{3}{4}", "three quarters"),
        (r"\frac12", "one half"),
        (r"2\frac{1}{3} \times 6", "two and a third times 6"),
        (r"\frac{a+b}{2}", "a plus b over 2"),
        (r"\sqrt{9} \leq 3", "the square root of 9 is at most 3"),
        (r"x^{2} - 1", "x squared minus 1"),
        (r"\text{parts} \ne 3", "parts is not equal to 3"),
    ],
)
def test_formula_is_read_as_words(latex: str, said: str) -> None:
    assert speak_formula(latex) == said


@pytest.mark.parametrize(
    ("markdown", "said"),
    [
        ("**Bold** and *thin*", "Bold and thin."),
        ("See [the lesson](/learn/x/).", "See the lesson."),
        ("![A bar of four](x.png)", "A bar of four."),
        ("- A: $\\frac12$\n- B: `3/4`", "A: one half. B: three quarters."),
        ("1. Cut\n2. Count", "1. Cut. 2. Count."),
        ("> Equal\n> parts", "Equal parts."),
        ("# Title\n\nText?", "Title. Text?"),
        ("| a | b |\n|---|---|\n| 1 | 1/2 |", "a, b. 1, one half."),
        ("```\n1 + 1\n2\n```", "1 plus 1. 2."),
        ("at https://example.com/3/4 now", "at example.com now."),
        ("", ""),
    ],
)
def test_markdown_is_read_without_its_marks(markdown: str, said: str) -> None:
    assert speak_markdown(markdown) == said


@given(st.text())
def test_any_text_becomes_words_that_xml_can_hold(text: str) -> None:
    said = speak_markdown(text)
    element = ElementTree.Element("Say")
    element.text = said
    assert ElementTree.fromstring(ElementTree.tostring(element, encoding="unicode")).text in (said, None)
    assert said == " ".join(said.split())


@given(st.text(alphabet="ab1/2 +-=<>*_`[]()$\\{}|#^%\n", max_size=200))
def test_no_mark_of_markdown_or_latex_is_read(text: str) -> None:
    assert not set("*`$\\{}|#^_<>") & set(speak_markdown(text))


def test_long_text_is_read_too() -> None:
    assert speak_markdown("word " * 3_000 + "3/4").endswith("word three quarters")
