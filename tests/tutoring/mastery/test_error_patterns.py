"""What lies behind the mistakes of a quiz."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tutoring.mastery.error_patterns import Mistake, MistakeCause, group_mistakes, is_one_slip_apart

PLAIN = Mistake(question_id="q1", concept="add", template="t1", knew=0.4, expected=0.9, next_right=True)
KNOWN = replace(PLAIN, knew=0.9)
ADDS_BOTTOMS = MistakeCause(id="adds_bottoms", kind="conceptual", active=True)


def types(*mistakes):
    return [(pattern.type, pattern.cause) for pattern in group_mistakes(mistakes)]


def test_active_misconception_is_the_cause_whatever_else_may_be():
    assert types(replace(KNOWN, behind=(ADDS_BOTTOMS,), one_slip_away=True)) == [("conceptual", "adds_bottoms")]


def test_slip_needs_knowledge_a_sign_of_haste_and_the_next_one_right():
    slip = replace(KNOWN, one_slip_away=True)
    assert types(slip) == [("careless", "add")]
    assert types(replace(KNOWN, seconds=3.0, usual_seconds=10.0)) == [("careless", "add")]
    assert types(replace(slip, next_right=False)) == types(replace(slip, knew=0.6)) == types(KNOWN) == []


def test_first_wrong_line_of_a_working_is_a_procedure_gone_wrong():
    assert types(replace(KNOWN, in_working=True)) == [("procedural", "add")]


def test_mistakes_on_two_templates_of_what_is_not_known_speak_of_the_concept():
    other = replace(PLAIN, question_id="q2", template="t2")
    assert types(PLAIN) == []
    assert types(PLAIN, other) == [("conceptual", "add")]


def test_three_of_one_kind_are_one_gap():
    found = group_mistakes([replace(PLAIN, question_id=f"q{n}", behind=(ADDS_BOTTOMS,)) for n in range(3)])
    assert [pattern.is_gap for pattern in found] == [True]
    assert found[0].questions == ("q0", "q1", "q2")
    assert not group_mistakes([replace(PLAIN, behind=(ADDS_BOTTOMS,))])[0].is_gap


def test_one_stroke_apart():
    assert is_one_slip_apart("-3/4", "3/4")
    assert is_one_slip_apart("12/7", "21/7")
    assert is_one_slip_apart("5/8", "5/9")
    assert not is_one_slip_apart("5/8", "5 / 8")
    assert not is_one_slip_apart("5/8", "9/12")


@given(st.text(max_size=6), st.text(max_size=6))
def test_stroke_by_stroke_is_the_same_from_both_sides(one, other):
    assert is_one_slip_apart(one, other) == is_one_slip_apart(other, one)
