"""Values with names: a mean and a median, x and y."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutoring.grading import SetKey, grade, key_from_json, key_to_json
from tutoring.grading.judges.sets import contains_values, gives_values, right_names

CENTER = SetKey(values=("11", "7"), names=("mean", "median"))
SOLUTION = SetKey(values=("2", "-3"), names=("x", "y"))
SPREAD = SetKey(values=("9", "9/2"), names=("range", "interquartile range"))
QUARTILES = SetKey(values=("3", "12"), names=("Q1", "Q3"))
BARS = SetKey(values=("14", "3"), names=("left bar", "right bar"))
EQUAL = SetKey(values=("5", "5"), names=("mean", "median"))
THREE = SetKey(values=("4", "5", "6"), names=("mean", "median", "mode"))
WRITTEN = SetKey(values=("2/4", "3/6"), names=("x", "y"), form="as_written")


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (CENTER, "11, 7"),
        (CENTER, "11 and 7"),
        (CENTER, "11\n7"),
        (CENTER, "mean 11 median 7"),
        (CENTER, "the median is 7 and the mean is 11"),
        (CENTER, "MEAN: 11, Median: 7."),
        (CENTER, "mean - 11; median - 7"),
        (CENTER, "I think mean = 22/2 and median = seven"),
        (CENTER, "mean is 55/5 = 11, median 7"),
        (CENTER, "7 is the median and 11 is the mean"),
        (CENTER, "7 (median), 11 (mean)"),
        (CENTER, "the median and the mean are 7 and 11"),
        (CENTER, "11 and 7 are the mean and the median"),
        (SOLUTION, "x = 2, y = -3"),
        (SOLUTION, "y=-3,x=2"),
        (SOLUTION, "(2, -3)"),
        (SOLUTION, "(x, y) = (2, -3)"),
        (SOLUTION, "$x = 2$ and $y = −3$"),
        (SPREAD, "Interquartile  range: 4.5, range: 9"),
        (SPREAD, "range 9; interquartile range 4,5"),
        (QUARTILES, "q1 is 3 and q3 is 12"),
        (BARS, "right 3, left 14"),
        (BARS, "the left bar is 14 and the right bar is 3"),
        (EQUAL, "5, 5"),
        (EQUAL, "median 5, mean 5"),
        (THREE, "mode 6, mean 4, median 5"),
        (WRITTEN, "y = 3/6, x = 2/4"),
    ],
)
def test_values_are_right_by_their_names_or_in_the_order_of_the_names(key: SetKey, answer: str) -> None:
    assert grade(key, answer).verdict == "correct"


@pytest.mark.parametrize(
    ("key", "answer", "verdict", "reason"),
    [
        (CENTER, "7, 11", "partial", "swapped"),
        (CENTER, "mean 7, median 11", "partial", "swapped"),
        (CENTER, "median and mean are 11 and 7", "partial", "swapped"),
        (SOLUTION, "(-3, 2)", "partial", "swapped"),
        (WRITTEN, "3/6, 2/4", "partial", "swapped"),
        (THREE, "5, 4, 6", "partial", "swapped"),
        (CENTER, "11, 8", "partial", ""),
        (CENTER, "median 7", "partial", ""),
        (CENTER, "11", "partial", ""),
        (CENTER, "11, 7, 3", "partial", ""),
        (EQUAL, "5", "partial", ""),
        (CENTER, "7, 12", "wrong", ""),
        (CENTER, "mean 7", "wrong", ""),
        (WRITTEN, "1/2, 1/2", "wrong", ""),
        (CENTER, "mean 11, 7", "unparsable", "labels"),
        (CENTER, "7, mean 11", "unparsable", "labels"),
        (CENTER, "mean 11, mean 12, median 7", "unparsable", "labels"),
        (CENTER, "why is the mean 11", "unparsable", "labels"),
        (CENTER, "the mean isn't 11 and the median is 7", "unparsable", "words"),
        (CENTER, "maen 11, medain 7", "unparsable", "words"),
        (CENTER, "range 11, IQR 7", "unparsable", "labels"),
        (CENTER, "11 for range, 7 for IQR", "unparsable", "labels"),
        (CENTER, "x = 11, x = 7", "unparsable", "labels"),
        (CENTER, "mean", "unparsable", "labels"),
        (CENTER, "", "unparsable", "empty"),
    ],
)
def test_swapped_missing_and_unclear_values_are_told_apart(key: SetKey, answer: str, verdict: str, reason: str) -> None:
    judgement = grade(key, answer)
    assert (judgement.verdict, judgement.reason) == (verdict, reason)


def test_form_applies_to_each_value() -> None:
    key = SetKey(values=("1/2", "2/3"), names=("x", "y"), form="simplified")
    assert grade(key, "y = 4/6, x = 1/2").verdict == "equivalent_not_in_form"


@given(
    values=st.lists(st.integers(-99, 99), min_size=3, max_size=3),
    order=st.permutations(range(3)),
    joint=st.sampled_from([", ", " and ", "; ", " "]),
    sign=st.sampled_from([" ", " = ", ": ", " is "]),
)
def test_labels_may_come_in_any_order(values: list[int], order: list[int], joint: str, sign: str) -> None:
    names = ("range", "new range", "Q1")
    key = SetKey(values=tuple(map(str, values)), names=names)
    assert grade(key, joint.join(f"{names[place]}{sign}{values[place]}" for place in order)).verdict == "correct"


@given(values=st.lists(st.integers(-99, 99), min_size=2, max_size=4, unique=True), data=st.data())
def test_only_one_order_is_right_without_labels(values: list[int], data: st.DataObject) -> None:
    key = SetKey(values=tuple(map(str, values)), names=("a", "b", "c", "d")[: len(values)])
    said = data.draw(st.sampled_from(sorted(permutations(values))))
    judgement = grade(key, ", ".join(map(str, said)))
    assert judgement.is_correct == (list(said) == values)
    assert judgement.is_correct or judgement.reason == "swapped"


def test_mistakes_are_compared_in_order() -> None:
    assert contains_values(CENTER, "median 11, mean 7", ("7", "11"))
    assert not contains_values(CENTER, "11, 7", ("7", "11"))
    assert contains_values(CENTER, "mean 3, median 7", ("3",))
    assert not contains_values(CENTER, "banana", ("7", "11"))


def test_names_with_a_right_value_are_known() -> None:
    assert right_names(CENTER, "median 7, mean 12") == ("median",)
    assert right_names(CENTER, "7, 11") == ()
    assert right_names(CENTER, "11") == ()


@pytest.mark.parametrize(
    ("answer", "gives"),
    [("mean 11", True), ("12 and 9", True), ("11", False), ("why is the mean 11", False), ("5 minutes left", False)],
)
def test_what_gives_values_for_the_names(answer: str, gives: bool) -> None:
    assert gives_values(CENTER, answer) == gives


def test_key_comes_back_from_json_and_older_keys_have_no_names() -> None:
    assert key_from_json(key_to_json(CENTER)) == CENTER
    assert key_from_json({"type": "set", "values": ["11", "7"], "form": "any"}) == SetKey(values=("11", "7"))
