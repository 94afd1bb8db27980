"""Drafts: questions with one right answer, each resting on the text, or a clear reason why there are none."""

import re
from html import unescape

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from conversations.web.markup import inline_to_html
from tests.tutoring.document_courses.document_helpers import TEXT, passages
from tutoring.courses.checks.course_checks import load_checked_course
from tutoring.document_courses.course_files import CourseNames, as_markdown, document_course_files
from tutoring.document_courses.distractors import Meanings
from tutoring.document_courses.drafts import (
    DraftProblem,
    DraftRefused,
    changed_draft,
    draft_document,
    draft_from_json,
    draft_to_json,
)
from tutoring.document_courses.facts import Fact
from tutoring.document_courses.source_text import SourcePassage

NAMES = CourseNames(id="own", key=1, document="memory.md", license="own")
WORDS = ["memory", "chunk", "schema", "cue", "retrieval", "group", "part", "knowledge", "process", "items"]


def draft_of(text=TEXT, *, layout="markdown"):
    return draft_document(passages(text), title="Memory", layout=layout)


def questions_of(draft):
    return [question for concept in draft.concepts for question in concept.questions]


def course_of(draft, folder):
    for name, text in document_course_files(draft, NAMES).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return load_checked_course(folder, seeds=2).course


def test_a_draft_survives_storage():
    draft = draft_of()
    assert draft_from_json(draft_to_json(draft)) == draft


def test_every_question_rests_on_a_sentence_of_the_text():
    text = " ".join(TEXT.split())
    assert all(question.quote in text for question in questions_of(draft_of()))


def test_no_question_has_an_option_twice():
    for question in questions_of(draft_of()):
        assert len(set(question.options)) == len(question.options)


def test_no_question_shows_its_term():
    for question in questions_of(draft_of()):
        if question.kind in ("choice", "text") and question.stem.startswith(("Which term", "Write the term")):
            answer = (question.options or question.accepted)[0]
            assert not re.search(rf"\b{re.escape(answer)}\b", question.stem, re.IGNORECASE)


@pytest.mark.parametrize("name", ["re-cue", "Python"])
def test_a_term_is_not_to_be_written_if_it_is_spelled_in_two_ways_or_is_one_of_many(name):
    def written(text):
        return {each.accepted[0] for each in questions_of(draft_of(text)) if "is described" in each.stem}

    assert "cue" in written(TEXT)
    assert name not in written(TEXT.replace("cue", name))


def test_the_article_stands_before_the_blank():
    acts = (
        "lexer reads the letters of the file",
        "parser builds a tree of all the words",
        "linker joins the parts into one file",
    )
    said = [f"A {act}. Each {act.split()[0]} is fast. Many people wrote a {act.split()[0]}." for act in acts]
    stems = [
        each.stem
        for each in questions_of(draft_of(TEXT + "\n\n## Tools\n\n" + " ".join(said)))
        if "completes" in each.stem
    ]
    assert "“A(n) ____ reads the letters of the file.”" in " ".join(stems)


def test_no_question_comes_twice():
    questions = questions_of(draft_of())
    assert len({(question.stem, question.options, question.pairs) for question in questions}) == len(questions)


def test_the_files_pass_every_check_of_a_course(tmp_path):
    course = course_of(draft_of(), tmp_path)
    assert course.quotes
    assert all(len(concept.templates) >= 3 for concept in course.concepts)


def test_every_exercise_leads_to_its_passage(tmp_path):
    for concept in course_of(draft_of(), tmp_path).concepts:
        for template in (*concept.templates, *concept.steps):
            assert any("/my-courses/1/passages/1/" in line for line in template.solution)


def test_a_topic_with_fewer_than_three_questions_is_left_out(tmp_path):
    draft = draft_of()
    first = draft.concepts[0]
    kept = {(first.id, at): False for at in range(len(first.questions) - 2)}
    changed = changed_draft(draft, title="Mine", titles={}, left_out=set(), kept=kept)
    assert not any(question.is_kept for question in changed.concepts[0].questions)
    assert changed.title == "Mine"


def test_what_required_a_topic_left_out_requires_what_that_one_did():
    draft = draft_of()
    first = draft.concepts[0].id
    changed = changed_draft(draft, title="Mine", titles={}, left_out={first}, kept={})
    assert all(first not in concept.requires for concept in changed.concepts)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1 2 3 … 4", DraftProblem.NO_TEXT),
        ("A chunk is a group of items.", DraftProblem.TOO_SHORT),
        ("Das Gedächtnis ist ein Speicher, der Wissen für lange Zeit hält. " * 20, DraftProblem.OTHER_LANGUAGE),
        ("- the list of what is in the box\n" * 40, DraftProblem.NO_SENTENCES),
        ("We went to the park and it was fun for all of us that day. " * 20, DraftProblem.NO_TERMS),
    ],
)
def test_a_text_that_gives_no_course_is_refused_with_its_reason(text, problem):
    with pytest.raises(DraftRefused) as refused:
        draft_of(text, layout="blocks")
    assert refused.value.problem == problem


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("Memory › Introduction", r"Introduction: \w.*"),
        ("Recall › Introduction", "Recall: Introduction"),
        ("Recall › Chapter 2", "Recall: Chapter 2"),
        ("Recall › Chapter and verse", "Chapter and verse"),
    ],
)
def test_a_heading_that_names_no_topic_is_no_title_by_itself(heading, title):
    prose = "\n\n".join(block for block in TEXT.split("\n\n") if not block.startswith("#"))
    draft = draft_document(
        [SourcePassage(number=1, page=1, heading=heading, text=prose)], title="Memory", layout="lines"
    )
    assert [bool(re.fullmatch(title, concept.title)) for concept in draft.concepts] == [True]


def test_topics_of_one_chapter_are_called_after_their_sections():
    prose = TEXT.split("\n\n")
    parts = {"Memory › Introduction": prose[2], "Memory › Paths of learning": prose[4]}
    draft = draft_document(
        [
            SourcePassage(number=at, page=at, heading=f"Mind › {heading}", text=text)
            for at, (heading, text) in enumerate(parts.items(), start=1)
        ],
        title="Book",
        layout="lines",
    )
    assert draft.concepts[-1].title in ("Paths of learning", "Memory")


CLOZES = """# Lists

## Using lists

A list can hold values of any type and keep them in order. The pop() method removes a value from the end of a list.
A tuple is created with commas between two or more values. Write a program that uses a tuple and a list together.
The pop() method can be called without any argument in parentheses. A tuple is faster. A list is great for beginners of all ages.
"""


def test_a_text_with_few_definitions_asks_for_the_terms_its_sentences_are_about():
    written = {each.accepted[0]: each for each in questions_of(draft_of(CLOZES * 2)) if each.kind == "text"}
    assert set(written) == {"list", "pop()"}
    assert written["list"].stem == (
        "Write the missing term: “A(n) ____ can hold values of any type and keep them in order.” "
        "It begins like this: l____ (letters: 4)."
    )


def test_no_statement_is_made_of_two_terms():
    assert not [each for each in questions_of(draft_of()) if "agrees with the text" in each.stem]


@pytest.mark.parametrize(
    ("heading", "text", "stated"),
    [
        (
            "License",
            "http://creativecommons.org/licenses/by/4.0/",
            "CC BY 4.0 (http://creativecommons.org/licenses/by/4.0/)",
        ),
        ("Preface", "This book is licensed under a Free Art License.", "Free Art License"),
        ("Preface", "Memory is licensed under a Free Art License.", "Free Art License"),
        ("Preface", "The picture of a brain is licensed under a Free Art License.", ""),
    ],
)
def test_the_license_is_the_one_that_the_document_states_for_itself(tmp_path, heading, text, stated):
    sources = [*passages(), SourcePassage(number=2, page=2, heading=heading, text=text)]
    draft = draft_document(sources, title="Memory", layout="markdown")
    assert draft.license == stated
    assert course_of(draft, tmp_path).attribution == "Memory, memory.md"


def test_drafting_can_be_stopped():
    def stop(done, of):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        draft_document(passages(), title="Memory", layout="markdown", report=stop)


sentence = st.builds(
    "{} {} is {} {} that {} {}. ".format,
    st.sampled_from(["A", "The", "Every", "", "An"]),
    st.sampled_from(WORDS),
    st.sampled_from(["a", "the", "not", "one of the"]),
    st.sampled_from(WORDS),
    st.sampled_from(["is in the", "*holds* the", "{braces} the", "$x$ of the", "holds"]),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join),
)


@settings(max_examples=25, deadline=None)
@given(st.lists(sentence, min_size=8, max_size=30).map("".join))
def test_any_text_gives_a_valid_course_or_a_reason(tmp_path_factory, text):
    try:
        draft = draft_of(text + "the of and to in is it for " * 8, layout="blocks")
    except DraftRefused:
        return
    course_of(draft, tmp_path_factory.mktemp("course"))


def facts_apart(*pairs):
    facts = [
        Fact(
            term=term, article="a", verb="is", said=said, sentence=f"A {term} is {said}.", passage=1, section=0,
            defines=True, names=(term,),
        )
        for term, said in pairs
    ]  # fmt: skip
    return Meanings(facts).are_apart(0, 1)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("mean", "the sum of all values divided by their number"), ("average", "a number that stands for the center")),
        (("float", "a number with a decimal point"), ("number", "a value that is used to count or measure")),
        (("loop", "a part of a program that repeats"), ("infinite loop", "a loop without an end")),
        (
            ("chunk", "a group of items that memory treats as one"),
            ("unit", "a group of items that memory treats as one item"),
        ),
    ],
)
def test_terms_that_could_be_taken_for_each_other_are_never_options_together(first, second):
    assert not facts_apart(first, second)


def test_two_kinds_of_one_thing_are_told_apart():
    assert facts_apart(
        ("hierarchical inheritance", "a type of inheritance in which several classes inherit from one class"),
        ("multilevel inheritance", "a type of inheritance in which a subclass becomes the superclass of another class"),
    )


@given(
    st.text(st.sampled_from("ab1 \\[](){}<>&;#$*_`~|!:/-=\"'.,"), max_size=30).map(lambda text: " ".join(text.split()))
)
@example("my_tuple[-1]")
@example("df[condition]")
@example(r"\[x\]")
@example("AT&amp;T")
def test_any_text_is_shown_as_it_is(text):
    assert unescape(re.sub("<[^>]*>", "", inline_to_html(as_markdown(text)))) == text
