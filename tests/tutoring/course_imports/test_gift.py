"""GIFT files: each kind of question, what is left out, and any text at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutoring.course_imports.gift import read_gift
from tutoring.course_imports.questions import ImportedQuestion, ImportRefused, Option


def only(text: str) -> ImportedQuestion:
    read = read_gift(text)
    assert not read.skipped
    (question,) = read.questions
    return question


def test_a_choice_has_its_right_option_and_what_each_option_is_told() -> None:
    question = only("::Q::Who? {=Ada#Yes. ~Ben#No, look again. ~Eve}")

    assert question.kind == "choice"
    assert question.options == (
        Option(text="Ada", is_right=True, feedback="Yes."),
        Option(text="Ben", feedback="No, look again."),
        Option(text="Eve"),
    )


def test_a_part_of_the_credit_makes_no_second_right_option() -> None:
    question = only("What do plants give off by day? {=oxygen ~%50%water vapour ~soil}")

    assert question.kind == "choice"
    assert [option.is_right for option in question.options] == [True, False, False]


def test_weights_make_several_options_right() -> None:
    question = only("Which? {~%50%pea ~%50%bean ~%-100%pebble}")

    assert question.kind == "multi"
    assert [option.is_right for option in question.options] == [True, True, False]


@pytest.mark.parametrize(
    ("answers", "accepted", "tolerance"),
    [
        ("#3.1415:0.0005", "3.1415", "0.0005"),
        ("#1..5", "3", "2"),
        ("#\n=%50%7:2\n=1822:0", "1822", ""),
        ("#-1", "-1", ""),
    ],
)
def test_a_number_has_its_tolerance(answers: str, accepted: str, tolerance: str) -> None:
    question = only(f"How many? {{{answers}}}")

    assert (question.kind, question.accepted, question.tolerance) == ("numeric", (accepted,), tolerance)


def test_a_missing_word_leaves_a_blank_and_all_accepted_words() -> None:
    question = only("Two plus two is {=four =4} today.")

    assert question.stem == r"Two plus two is \_\_\_\_\_ today."
    assert question.accepted == ("four", "4")


def test_a_match_keeps_the_partner_that_belongs_to_no_row() -> None:
    question = only("Match. {=cat -> meow =dog -> woof =cow -> moo = -> quack}")

    assert question.pairs == (("cat", "meow"), ("dog", "woof"), ("cow", "moo"))
    assert question.spare == ("quack",)


def test_escaped_signs_are_plain_characters() -> None:
    assert [option.text for option in only(r"Which? {~\=\{x\}#no =\~\: }").options] == ["={x}", "~:"]


def test_a_title_is_the_name_of_its_question() -> None:
    read = read_gift("::EE_mod\\:1::Fine? {T}\n\nFine? {T}", name="a.gift")

    assert [(each.name, each.place) for each in read.questions] == [
        ("EE_mod:1", "a.gift, line 1"),
        ("a.gift, line 3", "a.gift, line 3"),
    ]


@pytest.mark.parametrize(
    ("option", "shown"),
    [
        (r"$$\$5$$", r"$\$5$"), ("$$x-$$", r"\(x-\)"), ("a$$x$$", r"a\(x\)"), ("$$x$$2", r"\(x\)2"), ("[2,4]", "[2,4\\]"),
        ("\\#", "\\#"), (">", "\\>"),
    ],
)  # fmt: skip
def test_plain_signs_stay_plain_and_formulas_are_formulas(option: str, shown: str) -> None:
    assert only(f"Which? {{={option} ~no}}").options[0].text == shown


def test_html_becomes_markdown_without_scripts() -> None:
    question = only("[html]<p>A <b>bold</b> <script>alert(1)</script>word</p>{TRUE}")

    assert question.stem == "A **bold** word"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Write an essay. {}", "essay"),
        ("Just a text.", "description"),
        ("[html]<img src=x>What? {=a ~b}", "picture"),
        ("What? {=a ~b", "no “}” ends them"),
        ("What? {=a} {=b}", "braces"),
        ("What? {#soon}", "not a number"),
        ("What? {#3:-1}", "“-1” is not a tolerance."),
        ("What? {=%50%half}", "fully right"),
        (f"What? {{=y {'~n' * 300}}}", "more than 200 answers"),
    ],
)
def test_what_cannot_be_taken_is_listed_with_its_line_and_reason(text: str, reason: str) -> None:
    read = read_gift(f"Fine? {{T}}\n\n{text}")

    assert len(read.questions) == 1
    assert reason in read.skipped[0].reason
    assert "3" in read.skipped[0].name


@pytest.mark.parametrize("following", ["Next? {T}", "The\nnext? {T}", "::Name::Next? {T}"])
def test_an_unclosed_brace_costs_only_its_own_question(following: str) -> None:
    read = read_gift(f"::A::Open {{=a ~b\n\nMore\n\n{following}\n\nLast? {{F}}", name="loop.gift")

    assert [question.place for question in read.questions] == [
        "loop.gift, line 5",
        f"loop.gift, line {following.count(chr(10)) + 7}",
    ]
    assert [(each.name, each.reason) for each in read.skipped] == [
        ("loop.gift, line 1", "Its answers begin with “{”, but no “}” ends them.")
    ]


@given(st.text(alphabet=st.sampled_from("ab {}=~#:%\\\n->[]$/1.5<p&;"), max_size=120))
def test_any_text_is_read_or_listed(text: str) -> None:
    read = read_gift(text)

    assert all(question.stem for question in read.questions)
    assert all(skipped.reason for skipped in read.skipped)


def test_a_file_of_too_many_questions_is_refused_before_all_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tutoring.course_imports.questions.MAX_QUESTIONS", 2)
    with pytest.raises(ImportRefused, match=r"^long.gift has more than 2 questions. Split it.$"):
        read_gift("A? {T}\n\nB? {}\n\nC? {T}\n\n" + "{" * 1000, name="long.gift")
