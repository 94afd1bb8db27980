"""Facts: which sentences say what a term is, and which do not stand alone."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutoring.document_courses.facts import find_facts
from tutoring.document_courses.questions import draft_questions
from tutoring.document_courses.source_text import SourcePassage, read_sections
from tutoring.document_courses.terms import roots_of, shown_roots, stem


def facts_of(text, *, layout="blocks", heading=""):
    passage = SourcePassage(number=1, page=1, heading=heading, text=text)
    return find_facts(read_sections([passage], layout=layout))


def test_a_definition_gives_the_term_and_what_is_said():
    (fact,) = facts_of("A loop is a part of a program that repeats statements. Every loop ends.")
    assert (fact.term, fact.verb, fact.said) == ("loop", "is", "a part of a program that repeats statements")
    assert fact.defines


def test_a_second_clause_is_left_out():
    (fact,) = facts_of("A loop is a part of a program that repeats statements, and the body is indented. A loop ends.")
    assert fact.said == "a part of a program that repeats statements"


def test_a_name_after_which_comes_a_definition():
    text = (
        "Calls use positional arguments, which are arguments that are assigned in order. The positional arguments end."
    )
    (fact,) = facts_of(text)
    assert fact.term == "positional arguments"


def test_entries_of_a_glossary_are_definitions():
    section = SourcePassage(
        number=1, page=1, heading="Fractions › Glossary", is_glossary=True,
        text="reciprocal: The reciprocal of a number is one divided by the number.\nmixed number: a whole number and a fraction",
    )  # fmt: skip
    assert {fact.term for fact in find_facts(read_sections([section], layout="blocks"))} == {
        "reciprocal",
        "mixed number",
    }


@pytest.mark.parametrize(
    "sentence",
    [
        "It is a part of a program that repeats statements.",
        "This loop is a part of the program above.",
        "A loop is a good way to learn.",
        "The following loop is a part of a program.",
        "A loop is a part of the figure shown here.",
        "Figure 3: A loop is a part of a program.",
        "- A loop is a part of a program",
        "A loop is a construct like for (i = 0; i < 3.",
        "(A loop is a part of a program that repeats statements.)",
        "Is a loop a part of a program?",
    ],
)
def test_a_sentence_that_does_not_stand_alone_gives_nothing(sentence):
    assert not facts_of(f"{sentence}\n\nEvery loop ends. No loop lasts.")


@pytest.mark.parametrize("heading", ["Chapter 1 › Exercises", "References", "Preface › About the authors", "Contents"])
def test_exercises_and_references_give_nothing(heading):
    assert not facts_of("A loop is a part of a program that repeats statements. A loop ends.", heading=heading)


@pytest.mark.parametrize(("taught", "count"), [("A loop ends.", 0), ("A round loop ends.", 1)])
def test_a_summary_gives_only_what_a_section_before_it_mentions(taught, count):
    summed_up = "A round loop is a part of a program that repeats statements. A round loop ends."
    sections = read_sections(
        [
            SourcePassage(number=1, page=1, heading="Loops › Repeating", text=taught),
            SourcePassage(number=2, page=2, heading="Loops › Chapter summary", text=summed_up),
        ],
        layout="blocks",
    )
    assert [fact.section for fact in find_facts(sections)] == [0] * count


@pytest.mark.parametrize(
    ("term", "said", "shown"),
    [
        ("upper()", "Returns uppercase characters", {"upper"}),
        ("comparison", "compares two values", {"compar"}),
        ("set", "settles it", set()),
    ],
)
def test_a_term_is_shown_by_forms_of_its_word_and_by_longer_words(term, said, shown):
    assert shown_roots(term, said) == shown


def test_wrapped_lines_are_joined():
    text = "A loop is a part of a program that re-\npeats statements\nuntil a condition is false. Every loop\nends."
    (fact,) = facts_of(text, layout="lines")
    assert fact.said == "a part of a program that repeats statements until a condition is false"


def test_a_condition_belongs_to_the_definition():
    text = (
        "A while loop is a construct that runs statements, known as the body, while a condition is true. "
        "Each while loop ends. No while loop lasts."
    )
    assert facts_of(text)[0].said.endswith("while a condition is true")


def test_code_of_markdown_is_no_sentence():
    text = "```\nA loop is a part of a program that repeats.\n```\n\nEvery loop ends. No loop lasts."
    assert not facts_of(text, layout="markdown")


@pytest.mark.parametrize(
    ("word", "is_stem"), [("libraries", "library"), ("branches", "branch"), ("class", "class"), ("loops", "loop")]
)
def test_stems(word, is_stem):
    assert stem(word) == is_stem


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=400), st.sampled_from(["blocks", "lines", "markdown"]))
def test_any_text_can_be_read(text, layout):
    for fact in facts_of(text, layout=layout):
        assert fact.term
        assert fact.said


TABLE = """Function | Description
len() | Returns the number of characters in the text
count() | Counts how often a shorter text occurs
"""
REST = """upper() | Returns the text in large letters
lower() | Returns the text in small letters"""


def test_each_row_of_a_table_rests_on_the_passage_that_it_stands_in():
    passages = [SourcePassage(number=at, page=1, heading="Text", text=text) for at, text in ((4, TABLE), (5, REST))]
    rows = find_facts(read_sections(passages, layout="blocks"))
    assert {fact.term: fact.passage for fact in rows} == {"len()": 4, "count()": 4, "upper()": 5, "lower()": 5}


def test_what_is_said_of_two_terms_is_asked_of_neither():
    text = (
        TABLE
        + REST
        + "\nmin(list) | Returns the greatest element of a list\nmax(list) | Returns the greatest element of a list"
    )
    assert {fact.term for fact in facts_of(text)} == {"len()", "count()", "upper()", "lower()"}


def test_a_row_that_needs_another_row_is_no_fact():
    text = TABLE + REST + "\nmy_list[0] | Gets the first element of the short my_tuple"
    assert {fact.term for fact in facts_of(text)} == {"len()", "count()", "upper()", "lower()"}


CODES = """Code | Description
d | Writes a date with the month before the day
head | Shows a few rows from the top
sort | Puts names into the order of the alphabet
df.head | Counts the people who waited in a queue
"""


def test_a_letter_is_not_asked_without_its_table_and_a_name_not_beside_a_use_of_it():
    sections = read_sections([SourcePassage(number=1, page=1, heading="Text", text=CODES)], layout="blocks")
    questions = draft_questions(sections, find_facts(sections))
    asked = {question.stem for question in questions if question.stem.startswith("What does")}
    assert {stem for stem in asked if "sort" in stem}
    assert not {stem for stem in asked if "“d”" in stem}
    assert not [each for each in questions if {"head", "df.head"} <= {*each.options, *(term for term, _ in each.pairs)}]


@pytest.mark.parametrize(
    "sentence",
    [
        "The width field refers to the minimum length of the string. The width field is optional.",
        "Python has many useful methods for texts. Python is free. Python grows.",
    ],
)
def test_what_fits_many_things_or_points_into_an_example_is_no_fact(sentence):
    assert facts_of(sentence) == []


def test_forms_of_one_word_share_its_root():
    assert roots_of("comparison operators") & roots_of("used to compare values")
    assert not roots_of("loop") & roots_of("string")


def test_one_term_in_two_forms_is_one_fact():
    text = (
        "A Python dictionary is a structure that keeps a value for each key. Each Python dictionary is fast. "
        "A dictionary in Python is a collection of pairs that can be changed. The dictionary grows."
    )
    assert [fact.said for fact in facts_of(text)] == ["a structure that keeps a value for each key"]
