"""Which written questions may be asked, and why the others may not."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from tests.tutoring.question_writing.drafts import CHOICE, NUMERIC, choices, draft, facts, hint, solved
from tutoring.grading import grade
from tutoring.models import WrittenQuestion
from tutoring.question_writing.drafts import CheckerAnswer, DraftQuestion, UnusableDraft, draft_to_exercise
from tutoring.question_writing.quality_checks import ProblemReason, find_disagreement, find_problem

FACTS = facts()
SPOILT = {
    "three hints": ("shape", draft(hints=NUMERIC["hints"][:3])),
    "an empty hint": ("shape", draft(hints=hint(2, " "))),
    "no solution": ("shape", draft(solution=[])),
    "no number": ("shape", draft(answer="nine or so")),
    "a root": ("shape", draft(answer="sqrt(2)")),
    "a number too long": ("shape", draft(answer="123456789/987654321")),
    "choices of a number": ("shape", draft(choices=CHOICE["choices"])),
    "two choices": ("shape", draft(CHOICE, choices=CHOICE["choices"][:2])),
    "an empty choice": ("shape", draft(CHOICE, choices=choices(("", "other"), ("No.", "other")), answer="A")),
    "a letter too far": ("shape", draft(CHOICE, answer="D")),
    "an answer in words": ("shape", draft(CHOICE, answer="the second")),
    "a long stem": ("length", draft(stem="How many cups are left of the soup " * 12)),
    "a long hint": ("length", draft(hints=hint(1, "Look at the pot. " * 20))),
    "a word without end": ("length", draft(hints=hint(1, "po" * 500))),
    "many lines": ("length", draft(solution=["One half is left."] * 12 + ["18 / 2 = 9"])),
    "a script": ("markup", draft(stem="What is one half of 18? <script>alert(1)</script>")),
    "a link": ("markup", draft(hints=hint(1, "See [this](https://evil.example)."))),
    "a bare address": ("wording", draft(hints=hint(1, "See https://evil.example of course."))),
    "a list": ("markup", draft(hints=hint(1, "- Look at the pot.\n- Look at it again."))),
    "a formula": ("markup", draft(stem="What is $\\frac{1}{2}$ of 18?")),
    "an unseen mark": ("markup", draft(stem="What is one half\u202e of 18?")),
    "a lone surrogate": ("markup", draft().model_copy(update={"stem": "What is half\ud800 of 18?"})),
    "a NUL": ("markup", draft(stem="What is one half\x00 of 18?")),
    "a shout": ("wording", draft(hints=hint(1, "Look at the pot!"))),
    "a claim": ("wording", draft(hints=hint(2, "I am your teacher, and this is how it goes."))),
    "a letter named": ("wording", draft(CHOICE, hints=hint(1, "Leave out option C first.", CHOICE))),
    "a picture unseen": ("wording", draft(stem="Look at the picture above. How many cups are left of the 18?")),
    "another language": ("language", draft(stem="Wie viele Tassen bleiben von 18 Tassen Suppe?")),
    "another script": ("language", draft(hints=hint(1, "Сколько супа было в кастрюле сначала и кто его съел. " * 4))),
    "a key of another form": ("key", draft(answer="19/2")),
    "two choices of one value": (
        "two_right",
        draft(
            CHOICE,
            stem="Which is one half of a cup?",
            answer="A",
            choices=[
                {"text": "1/2 cup", "misconception": ""},
                {"text": "2/4 cup", "misconception": "other"},
                {"text": "1/4 cup", "misconception": "other"},
            ],
        ),
    ),
    "the right choice twice": (
        "two_right",
        draft(CHOICE, answer="A", choices=choices((CHOICE["choices"][1]["text"].upper(), "other"), ("No.", "other"))),
    ),
    "an idea nobody knows": (
        "misconception",
        draft(CHOICE, answer="A", choices=choices(("Never at all.", "made_up"), ("Always, of course.", "other"))),
    ),
    "hint 1 with the answer": ("leak", draft(hints=hint(1, "It is more than 8, and 9 is not far."))),
    "hint 2 with the answer in words": ("leak", draft(hints=hint(2, "Half of eighteen is nine."))),
    "hint 3 with the answer as a sum": ("leak", draft(hints=hint(3, "What is 3 * 3?"))),
    "hint 4 with the answer": ("leak", draft(hints=hint(4, "A jug of 9 cups is half full."))),
    "a hint with the right choice": ("leak", draft(CHOICE, hints=hint(2, CHOICE["choices"][1]["text"], CHOICE))),
    "a false sum": ("solution", draft(solution=["18 / 2 = 8", "So 9 cups are left."])),
    "a solution without its answer": ("solution", draft(solution=["One half of the pot is left."])),
    "a question of the course": ("repeats", draft(stem="What is one half of 18 plums?")),
}


@pytest.mark.parametrize("good", [draft(), draft(CHOICE), draft(answer="9.0"), draft(CHOICE, answer="b)")])
def test_good_question_is_found_good_whatever_its_order(good):
    for order in range(10):
        assert find_problem(good, facts(order=order)) is None


@pytest.mark.parametrize(("reason", "spoilt"), SPOILT.values(), ids=SPOILT.keys())
def test_spoilt_question_is_rejected_for_its_reason(reason, spoilt):
    problem = find_problem(spoilt, FACTS)
    assert problem is not None
    assert problem.reason == reason
    json.dumps(problem.detail, ensure_ascii=False).encode()


def test_every_reason_of_the_draft_itself_has_a_case_here():
    assert {reason for reason, _ in SPOILT.values()} == set(ProblemReason.__args__) - {"checker"}
    assert set(ProblemReason.__args__) < set(WrittenQuestion.Reason.values)


def test_question_like_an_earlier_one_is_a_repetition_whatever_its_numbers():
    earlier = draft_to_exercise(draft(), order=1, concept="one-half")
    again = draft(
        stem=NUMERIC["stem"].replace("18", "24"), answer="12", solution=["24 / 2 = 12"], hints=hint(4, "30 / 2 = 15")
    )
    assert find_problem(again, facts(written=(earlier,))).reason == "repeats"
    assert find_problem(again, FACTS) is None
    assert find_problem(draft(CHOICE), facts(written=(earlier,))) is None


@pytest.mark.parametrize(
    ("answer", "agrees"), [("9", True), ("nine", True), ("18/2", False), ("8", False), ("none", False), ("", False)]
)
def test_checker_that_comes_to_another_number_disagrees(answer, agrees):
    exercise = draft_to_exercise(draft(), order=1, concept="one-half")
    problem = find_disagreement(exercise, solved(answer))
    assert (problem is None) == agrees
    assert agrees or problem.reason == "checker"


def test_checker_answers_by_the_letters_as_they_are_shown():
    for order in range(20):
        exercise = draft_to_exercise(draft(CHOICE), order=order, concept="one-half")
        right = next(each.letter for each in exercise.choices if "weigh" in each.text)
        for choice in exercise.choices:
            assert (find_disagreement(exercise, solved(choice.letter)) is None) == (choice.letter == right)
        assert grade(exercise.key, right).is_correct
        held = {exercise.wrong[letter] for letter in exercise.wrong}
        assert held == {("any_two_pieces_are_halves",)}


def test_right_choice_stands_anywhere():
    places = Counter(draft_to_exercise(draft(CHOICE), order=order, concept="one-half").key.right for order in range(60))
    assert set(places) == {"A", "B", "C"}


words = st.text(st.characters(codec=None), max_size=40) | st.sampled_from(
    ["9", "1/2", "A", "(", "1/0", "9^9^9^9", "$", "sqrt(", "one half", "<b>", "…", "0.5", "-", "\ud800", "other"]
)
texts = st.lists(words, max_size=6)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)
drafts = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(["numeric", "choice"]),
        "stem": words,
        "choices": st.lists(st.fixed_dictionaries({"text": words, "misconception": words}), max_size=6),
        "answer": words,
        "form": st.sampled_from(["any", "simplified", "fraction", "exact", "whole"]),
        "solution": st.lists(words, min_size=1, max_size=3),
        "hints": st.lists(words, min_size=4, max_size=4) | texts,
        "difficulty": st.sampled_from(["easy", "medium", "hard"]),
    }
)


@given(drafts | st.dictionaries(st.sampled_from(list(NUMERIC)), anything) | anything, words)
def test_whatever_a_model_writes_is_judged_without_a_crash(data, answer):
    """V15: any JSON is a question that may be asked, or a reason why not."""
    try:
        written = DraftQuestion.model_validate(data)
    except ValidationError:
        return
    problem = find_problem(written, FACTS)
    try:
        exercise = draft_to_exercise(written, order=FACTS.order, concept="one-half")
    except UnusableDraft:
        assert problem is not None
        return
    find_disagreement(exercise, CheckerAnswer.model_construct(working="", answer=answer))
