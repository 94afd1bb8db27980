"""What a message is about: the things it names, its concepts, and how its writer feels."""

import json
import time
from io import StringIO
from unittest.mock import patch

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from conversations.panel.facts import KnownTerm
from conversations.panel.results import AnalysisResult
from conversations.panel.text_analysis import analyse_text, sentiment_of


def named(found: AnalysisResult) -> list[tuple[str, str]]:
    return [(each.text, each.type) for each in found.entities]


@pytest.mark.parametrize(
    ("text", "entities"),
    [
        ("How do transformers work in NLP?", [("transformers", "CONCEPT"), ("NLP", "TOPIC")]),
        ("Who was Ada Lovelace?", [("Ada Lovelace", "PERSON")]),
        ("did Google invent it", [("Google", "ORG")]),
        ("What does the chain rule say?", [("chain rule", "CONCEPT")]),
        ("WHY DOES THIS NEVER WORK", []),
        ("I like it here", []),
        ("thanks, see you on Monday", []),
    ],
)
def test_entities(text: str, entities: list[tuple[str, str]]) -> None:
    assert named(analyse_text(text)) == entities


@pytest.mark.parametrize(
    ("text", "concepts"),
    [
        ("how do dictionaries differ from lists", ["dictionary", "list"]),
        ("why does ice float on water", []),
        ("how does it work", []),
        ("I have a class at nine", []),
        ("what is a class in Python?", ["class", "python"]),
    ],
)
def test_concepts_are_named_in_the_singular(text: str, concepts: list[str]) -> None:
    assert [each.name for each in analyse_text(text).concepts] == concepts


def test_terms_of_a_course_are_known_with_its_title() -> None:
    own = (KnownTerm(name="unit fractions", category="fractions"),)
    (concept,) = analyse_text("tell me about unit fractions", own_terms=own).concepts
    assert (concept.name, concept.category) == ("unit fractions", "fractions")


def test_what_several_methods_find_is_surer() -> None:
    both, one = analyse_text("What is backpropagation?"), analyse_text("we did backpropagation")
    assert (both.entities[0].confidence or 0) > (one.entities[0].confidence or 0)


def test_concepts_of_one_sentence_are_related_and_compared_ones_as_such() -> None:
    (pair,) = analyse_text("What is the difference between a tuple and a dictionary?").relationships
    assert (pair.source, pair.target, pair.type, pair.strength) == ("tuple", "dictionary", "compared_with", 1.0)


def test_entity_stands_with_its_sentence() -> None:
    (entity,) = analyse_text("Hello all. Explain gravity. Thanks.").entities
    assert entity.context == "Explain gravity."


@pytest.mark.parametrize(
    ("text", "sentiment"),
    [
        ("I hate this", "frustrated"),
        ("I don't get why it moves", "confused"),
        ("that was great, thanks", "positive"),
        ("how does it move?", "curious"),
        ("not confused any more, it moves", "neutral"),
        ("it moves", "neutral"),
    ],
)
def test_sentiment(text: str, sentiment: str) -> None:
    assert sentiment_of(text) == sentiment


@given(st.text(max_size=300))
def test_any_text_is_analysed_and_entities_are_quoted_from_it(text: str) -> None:
    found = analyse_text(text)
    assert all(each.text in text for each in found.entities)
    assert all(0 <= (each.importance or 0) <= 1 for each in found.concepts)
    assert found.confidence is None or 0 <= found.confidence <= 1


def test_command_analyses_concepts() -> None:
    lines = StringIO('{"text": "How do transformers work in NLP?"}\n{"no": 1}\n')
    out = StringIO()
    with patch("sys.stdin", lines), pytest.raises(CommandError, match="1 line could not be read"):
        call_command("analyse", "concepts", stdout=out)
    found, refused = map(json.loads, out.getvalue().splitlines())
    assert [each["name"] for each in found["concepts"]] == ["transformer", "nlp"]
    assert found["ms"] >= 0
    assert "text" in refused["error"]


@pytest.mark.parametrize("text", ["Word " * 2_000, "A " * 5_000, "transformer " * 900, "'" * 10_000])
def test_no_message_takes_long_on_the_event_loop(text: str) -> None:
    before = time.thread_time()  # Without what the test's other threads do meanwhile.
    analyse_text(text)
    assert time.thread_time() - before < 0.5


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("when was the Bank of England founded", "Bank of England"),
        ("why did Vincent van Gogh paint it", "Vincent van Gogh"),
        ("what helps against type 2 diabetes", "type 2 diabetes"),
        ("how do you find the vertices of a triangle", "triangle"),
    ],
)
def test_names_and_terms_of_several_words_are_found_whole(text: str, named: str) -> None:
    assert named in {each.text for each in analyse_text(text).entities}


def test_name_over_two_lines_is_one_and_a_blank_line_ends_it() -> None:
    found = analyse_text("How the Water\nCycle works\n\nSolar System").concepts
    assert {each.name for each in found} >= {"water cycle", "solar system"}


def test_letters_and_numbers_of_a_list_are_no_names() -> None:
    assert not {"A", "B2"} & {each.text for each in analyse_text("is it A or B2").entities}
