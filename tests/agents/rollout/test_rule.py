"""Who is in: exact at both ends, the same answer every time, and never back out when a share grows."""

from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.rollout.rule import RolloutRule, bucket_of, explain, find_overlap, is_included

EVERYBODY = [f"person-{number}" for number in range(10_000)]


@dataclass(frozen=True)
class Somebody:
    username: str
    audiences: frozenset[str] = field(default_factory=frozenset)


def rule(percent="0", **more):
    return RolloutRule(salt=more.pop("salt", "multi_agent"), percent=Decimal(percent), **more)


percents = st.decimals(0, 100, places=2)
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=150)
codes = st.sampled_from(["4a", "4b", "5c"])
audiences = st.frozensets(codes.map(lambda code: f"class:{code}"))


@pytest.mark.parametrize(
    ("percent", "low", "high"),
    [
        ("0", 0, 0),
        ("1", 60, 140),
        ("5", 412, 588),
        ("25", 2_326, 2_674),
        ("50", 4800, 5200),
        ("75", 7_326, 7_674),
        ("99", 9860, 9940),
        ("100", 10_000, 10_000),
    ],
)
def test_a_share_of_ten_thousand_people_is_that_share(percent, low, high):
    """R1, D1."""
    inside = sum(is_included(rule(percent), Somebody(name)) for name in EVERYBODY)
    assert low <= inside <= high


def test_nobody_of_ten_thousand_people_moves_back_on_the_way_up():
    """R1, D2. At each step of the rollout plan."""
    before: set[str] = set()
    for percent in ("0", "5", "25", "50", "75", "100"):
        inside = {name for name in EVERYBODY if is_included(rule(percent), Somebody(name))}
        assert before <= inside
        before = inside
    assert before == set(EVERYBODY)


@given(names, st.text(max_size=20))
def test_zero_takes_in_nobody_and_a_hundred_everybody(name, salt):
    """R1, D1."""
    assert not is_included(rule("0", salt=salt), Somebody(name))
    assert is_included(rule("100", salt=salt), Somebody(name))


@given(names, percents)
def test_the_answer_stays_the_same(name, percent):
    """R1, D2."""
    assert len({is_included(rule(percent), Somebody(name)) for _ in range(3)}) == 1


@given(names, audiences, percents, percents, st.dictionaries(codes, percents), st.frozensets(names, max_size=3))
def test_raising_a_share_sends_nobody_back(name, groups, one, other, class_percents, allowed):
    """R1, D2."""
    person = Somebody(name, groups)
    low = rule(min(one, other), class_percents=class_percents, allowed=allowed)
    high = replace(low, percent=max(one, other))
    assert is_included(high, person) >= is_included(low, person)


@given(names, audiences, percents, st.dictionaries(codes, percents), codes, percents)
def test_raising_a_classs_share_sends_nobody_back(name, groups, percent, class_percents, code, more):
    person = Somebody(name, groups)
    before = rule(percent, class_percents=class_percents)
    raised = {**class_percents, code: max(more, class_percents.get(code, Decimal(0)))}
    assert is_included(replace(before, class_percents=raised), person) >= is_included(before, person)


@given(names, percents, st.frozensets(names, max_size=3))
def test_who_is_named_is_in_whatever_the_share(name, percent, others):
    """R1."""
    assert is_included(rule(percent, allowed=others | {name}), Somebody(name))


@given(names, audiences, st.frozensets(names, max_size=3))
def test_the_kill_switch_beats_everything(name, groups, others):
    """R1."""
    all_in = dict.fromkeys(("4a", "4b", "5c"), Decimal(100))
    assert not is_included(
        rule("100", killed=True, allowed=others | {name}, class_percents=all_in), Somebody(name, groups)
    )


@given(names, audiences, st.frozensets(names, max_size=3), st.none() | st.dates())
def test_who_is_never_in_is_out_whatever_else_the_rule_says(name, groups, others, end):
    all_in = dict.fromkeys(("4a", "4b", "5c"), Decimal(100))
    person = Somebody(name, groups)
    open_to_all = rule("100", allowed=others | {name}, class_percents=all_in)
    assert not is_included(replace(open_to_all, never={f"person:{name}": end}), person)
    for group in groups:
        assert not is_included(replace(open_to_all, never={group.upper().replace("CLASS:", "class:"): end}), person)


@given(names, audiences, percents, st.frozensets(names | codes, max_size=2), st.frozensets(names | codes, max_size=2))
def test_lists_that_do_not_overlap_never_both_name_the_same_person_by_name(name, groups, percent, allowed, never):
    """A person of a class that is always in may be on the other list, and the other way round."""
    person = Somebody(name)
    if find_overlap(allowed, never):
        return
    its_rule = rule(percent, allowed=allowed, never=dict.fromkeys(never))
    assert not (name in its_rule.allowed and explain(its_rule, person).reason == "never person")


@pytest.mark.parametrize(
    ("always", "never", "overlaps"),
    [
        ("ada", "ada", True),
        ("ada", "person:ada", True),
        ("person:ada", "ada", True),
        ("ada", "Ada", True),  # Both may be codes of the same class.
        ("person:ada", "person:Ada", False),
        ("4b", "class:4B", True),
        ("Class:4b", "4B", True),
        ("class:4b", "person:4b", False),
        ("person:4b", "class:4b", False),
        ("4b", "4c", False),
    ],
)
def test_lists_overlap_where_they_may_name_the_same(always, never, overlaps):
    assert find_overlap([always, "ben"], ["eve", never]) == ([(always, never)] if overlaps else [])


def test_one_pupil_is_left_out_of_a_class_that_is_always_in():
    its_rule = rule(allowed=frozenset({"class:4b"}), never={"ada": date(2026, 9, 21)})
    group = frozenset({"class:4b"})
    assert [is_included(its_rule, Somebody(name, group)) for name in ("ada", "ben")] == [False, True]


@given(st.text(max_size=20), names)
def test_a_bucket_is_one_of_ten_thousand(salt, name):
    assert 0 <= bucket_of(salt, name) < 10_000


@given(
    names,
    audiences,
    percents,
    st.dictionaries(codes, percents),
    st.frozensets(names | codes, max_size=3),
    st.dictionaries(names | codes, st.none() | st.dates(), max_size=3),
    st.booleans(),
)
def test_the_reason_given_is_the_one_that_decides(name, groups, percent, class_percents, allowed, never, killed):
    person = Somebody(name, groups)
    its_rule = rule(percent, class_percents=class_percents, allowed=allowed, never=never, killed=killed)
    found = explain(its_rule, person)
    assert found.is_in is is_included(its_rule, person)
    match found.reason:
        case "killed":
            assert killed
        case "never person" | "never class":
            assert found.until == never[found.entry]
            assert not found.is_in
            assert (found.entry in (name, f"person:{name}")) is (found.reason == "never person")
        case "person":
            assert found.entry in (name, f"person:{name}")
        case "class":
            assert found.entry in allowed
            assert f"class:{found.entry.lower().removeprefix('class:')}" in groups
        case "share":
            assert found.is_in is (found.place < found.percent)


def test_flags_do_not_all_begin_with_the_same_people():
    assert [bucket_of("one", name) for name in EVERYBODY[:20]] != [bucket_of("two", name) for name in EVERYBODY[:20]]


def test_the_finest_share_is_a_hundredth_of_a_percent():
    first = next(name for name in map(str, range(10**6)) if bucket_of("multi_agent", name) == 0)
    second = next(name for name in map(str, range(10**6)) if bucket_of("multi_agent", name) == 1)
    assert is_included(rule("0.01"), Somebody(first))
    assert not is_included(rule("0.01"), Somebody(second))
    assert is_included(rule("0.02"), Somebody(second))


@pytest.mark.parametrize(
    ("entry", "who", "inside"),
    [
        ("ada", "ada", True),
        ("person:ada", "ada", True),
        ("Ada", "ada", False),
        ("4b", "ada", True),
        ("class:4b", "ada", True),
        ("4B", "ada", True),
        ("4a", "ada", False),
        ("person:4b", "ada", False),
        ("class:4b", "eve", False),
    ],
)
def test_people_and_classes_are_named_as_written_or_with_their_kind(entry, who, inside):
    groups = {"ada": frozenset({"class:4b"}), "eve": frozenset()}[who]
    assert is_included(rule(allowed=frozenset({entry})), Somebody(who, groups)) is inside


def test_whoever_is_in_several_classes_takes_the_highest_share():
    both = Somebody("ada", frozenset({"class:4a", "class:4b"}))
    assert is_included(rule(class_percents={"4a": Decimal(0), "4b": Decimal(100)}), both)


def test_classes_are_not_looked_up_when_none_is_named():
    class Unasked:
        username = "ada"

        @property
        def audiences(self):
            raise AssertionError("asked")

    assert is_included(rule("100"), Unasked())
