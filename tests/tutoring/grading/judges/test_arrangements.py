"""Orders and matches."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutoring.grading import MatchKey, OrderKey, grade
from tutoring.grading.judges.arrangements import arrangement_text, format_assignments, parse_assignments

ORDER = OrderKey(right=("C", "A", "D", "B"), options=(("A", "1/3"), ("B", "1"), ("C", "1/4"), ("D", "1/2")))
ROWS = (("A", "1/2"), ("B", "1/3"), ("C", "3/4"))
OPTIONS = (("1", "6/8"), ("2", "2/4"), ("3", "2/6"), ("4", "3/8"))
MATCH = MatchKey(right=(("A", "2"), ("B", "3"), ("C", "1")), rows=ROWS, options=OPTIONS)
SORTED = MatchKey(right=(("A", "1"), ("B", "1"), ("C", "2")), rows=ROWS, options=(("1", "small"), ("2", "large")))


@pytest.mark.parametrize(
    "answer",
    [
        "C A D B",
        "c, a, d, b",
        "CADB",
        "1/4, 1/3, 1/2, 1",
        "1/4 < 1/3 < 1/2 < 1",
        "A=2 B=4 C=1 D=3",
        "C then A then D, B",
    ],
)
def test_an_order_is_letters_texts_or_places(answer: str) -> None:
    assert grade(ORDER, answer).verdict == "correct"


def test_an_order_is_scored_by_the_pairs_that_stand_right() -> None:
    scores = {answer: grade(ORDER, answer).score for answer in ("C A B D", "A C B D", "B D A C")}
    assert scores == {"C A B D": pytest.approx(2 / 3), "A C B D": pytest.approx(1 / 3), "B D A C": 0.0}
    assert [grade(ORDER, answer).verdict for answer in scores] == ["partial", "wrong", "wrong"]


@settings(max_examples=30)
@given(st.permutations(["A", "B", "C", "D"]))
def test_places_and_letters_say_the_same_order(letters: list[str]) -> None:
    places = format_assignments({letter: str(place) for place, letter in enumerate(letters, start=1)})
    assert grade(ORDER, places) == grade(ORDER, " ".join(letters))
    assert grade(ORDER, places).chosen == tuple(letters)


def test_one_order_alone_is_right() -> None:
    right = [said for said in permutations("ABCD") if grade(ORDER, " ".join(said)).is_correct]
    assert right == [("C", "A", "D", "B")]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "incomplete"),
        ("C A D", "incomplete"),
        ("A=2 B=- C=1 D=3", "incomplete"),
        ("A=2 B=2 C=1 D=3", "twice"),
        ("C A A B", "twice"),
        ("C A D Z", "no_such_choice"),
        ("A=9 B=1 C=2 D=3", "no_such_choice"),
        ("A=2 B=4 C=1 D=3 E=5", "no_such_choice"),
        ("x" * 10_000, "no_such_choice"),
    ],
)
def test_no_order_of_all_pieces_is_a_free_retry(answer: str, reason: str) -> None:
    judgement = grade(ORDER, answer)
    assert (judgement.verdict, judgement.reason) == ("unparsable", reason)


def test_a_match_is_scored_by_its_rows() -> None:
    judged = [grade(MATCH, answer) for answer in ("A=2 B=3 C=1", "a = 2, b = 3, c = 4", "A=2 B=1 C=3", "A=1 B=2 C=3")]
    assert [one.verdict for one in judged] == ["correct", "partial", "wrong", "wrong"]
    assert [round(one.score, 2) for one in judged] == [1.0, 0.67, 0.33, 0.0]
    assert judged[0].chosen == ("A=2", "B=3", "C=1")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "incomplete"),
        ("A=2 B=3", "incomplete"),
        ("A=2 B=3 C=-", "incomplete"),
        ("A=2 B=2 C=1", "twice"),
        ("A=2 B=3 C=7", "no_such_choice"),
        ("A=2 B=3 C=1 D=4", "no_such_choice"),
        ("A=2" * 3_000, "no_such_choice"),
    ],
)
def test_a_match_that_lacks_a_row_is_a_free_retry(answer: str, reason: str) -> None:
    judgement = grade(MATCH, answer)
    assert (judgement.verdict, judgement.reason) == ("unparsable", reason)


def test_rows_may_share_an_option_where_the_key_says_so() -> None:
    assert [grade(SORTED, answer).verdict for answer in ("A=1 B=1 C=2", "A=2 B=2 C=2")] == ["correct", "wrong"]


@given(st.dictionaries(st.sampled_from("ABCDEF"), st.sampled_from(["", "1", "2", "3"])))
def test_places_come_back_from_their_answer(places: dict[str, str]) -> None:
    assert parse_assignments(format_assignments(places)) == places


def test_answers_are_read_in_words() -> None:
    assert arrangement_text(ORDER, "A=2 B=4 C=1 D=3") == "1/4, 1/3, 1/2, 1"
    assert arrangement_text(MATCH, "A=2 B=3 C=1") == "1/2 → 2/4; 1/3 → 2/6; 3/4 → 6/8"
    assert arrangement_text(MATCH, "A=2") == "A=2"


@pytest.mark.parametrize("answer", ["small 1/2, 1/3 is small", "1/2 is small, 1/3 small", "hello"])
def test_a_match_in_words_needs_every_row(answer: str) -> None:
    assert grade(SORTED, answer).verdict == "unparsable"


@pytest.mark.parametrize(
    "answer", ["1/2 is small, 1/3 small, 3/4 is large", "3/4 large and 1/3 → small and 1/2 goes to small"]
)
def test_a_match_can_be_told_by_the_texts(answer: str) -> None:
    assert grade(SORTED, answer).verdict == "correct"


def test_rows_that_begin_alike_are_told_apart() -> None:
    types = MatchKey(
        right=(("A", "2"), ("B", "1")), rows=(("A", "`7.0`"), ("B", "`7`")), options=(("1", "int"), ("2", "float"))
    )
    for answer in ("7 is an int, 7.0 a float", "7.0 is float 7 is int", "7 int and 7.0 float"):
        assert grade(types, answer).verdict == "correct"


@pytest.mark.parametrize(
    "answer",
    [
        "the one with quotes is str, 7 is int and 7.0 is float",
        "7.0 float, 7 int and the one in quotation marks is str",
    ],
)
def test_the_last_row_has_the_option_that_is_left(answer: str) -> None:
    types = MatchKey(
        right=(("A", "2"), ("B", "1"), ("C", "3")),
        rows=(("A", "`7.0`"), ("B", "`7`"), ("C", '`"7"`')),
        options=(("1", "int"), ("2", "float"), ("3", "str")),
    )
    assert grade(types, answer).verdict == "correct"


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("The age goes in, so it's the feature, and the price it was sold for is the label", "correct"),
        ("age = feature, sold price = label", "correct"),
        ("age = label, sold price = feature", "wrong"),
        ("it is the feature and the label", "unparsable"),
    ],
)
def test_a_match_can_be_told_by_some_words_of_the_texts(answer: str, verdict: str) -> None:
    roles = MatchKey(
        right=(("A", "1"), ("B", "2")),
        rows=(("A", "age of the bike"), ("B", "the price it was sold for")),
        options=(("1", "feature"), ("2", "label")),
    )
    assert grade(roles, answer).verdict == verdict


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("asal then the china one then badwater", "correct"),
        ("badwater, assal, ayding", "wrong"),
        ("a lake, b", "unparsable"),
    ],
)
def test_an_order_can_be_told_by_one_word_of_each_text(answer: str, verdict: str) -> None:
    lakes = OrderKey(
        right=("C", "A", "B"), options=(("A", "Ayding Lake in China"), ("B", "Badwater"), ("C", "Lake Assal"))
    )
    assert grade(lakes, answer).verdict == verdict


def test_a_piece_of_an_order_is_the_one_that_most_words_fit() -> None:
    steps = OrderKey(
        right=("A", "B", "C"),
        options=(
            ("A", "Let a coin choose group 1 or 2"),
            ("B", "Give breakfast to group 1"),
            ("C", "Compare both groups"),
        ),
    )
    assert grade(steps, "first the coin, then breakfast for group 1, then compare grades").verdict == "correct"
    assert grade(steps, "group, breakfast, compare").verdict == "unparsable"


def test_an_order_can_be_told_with_what_each_piece_is_worth() -> None:
    shares = OrderKey(right=("B", "A", "C"), options=(("A", "28 of 80"), ("B", "45 of 300"), ("C", "15 of 20")))
    assert grade(shares, "45 of 300 is 15%, then 28 of 80 35%, then 15 of 20 75%").verdict == "correct"
    floors = OrderKey(right=("A", "B", "C"), options=(("A", "−3"), ("B", "−1"), ("C", "2")))
    assert grade(floors, "i put -3 then -1 and then 2").verdict == "correct"
