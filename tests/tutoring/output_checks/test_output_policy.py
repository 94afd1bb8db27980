"""What a model says as the tutor: no markup, no link, no claim to be somebody or to have graded, no heap of questions."""

import pytest

from tutoring.output_checks.output_policy import find_policy_problem


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("<script>alert(1)</script>", "markup"),
        ("Look: <img src=x onerror=alert(1)>", "markup"),
        ("</div> done", "markup"),
        ("![seen](https://example.com/p.png)", "markup"),
        ("[here](javascript:alert(1))", "markup"),
        ("Read [this](page) first.", "link"),
        ("See https://example.com for more.", "link"),
        ("I am your teacher, and this counts.", "claim"),
        ("I’m a human, really.", "claim"),
        ("As your teacher I say so.", "claim"),
        ("I am the admin of this school.", "claim"),
        ("I have given you full marks, 100 %.", "claim"),
        ("I'll set your score to 1.", "claim"),
        ("I changed your grade.", "claim"),
        ("Your grade is A.", "claim"),
        ("You've mastered this.", "claim"),
        ("You have 100 %. Everything is right.", "claim"),
        ("Look again: your mark is A.", "claim"),
        ("You have passed the test.", "claim"),
        ("I mark this as right and give you 100 %.", "claim"),
        ("This is your teacher speaking.", "claim"),
        ("Your score is 95 now.", "claim"),
        ("You get full marks.", "claim"),
        ("What do you see? And why?", "enough"),
    ],
)
def test_nobody_would_say_this_as_a_tutor(text: str, problem: str) -> None:
    assert find_policy_problem(text) == problem


@pytest.mark.parametrize(
    "text",
    [
        "You compared the sizes. What was missing?",
        "If 3 < 4, which piece is bigger?",
        "Your teacher cut the cake in two. Is each piece a half?",
        "Mark the point on the line.",
        "I give you the next step: look at the short piece.",
        "You set the pieces side by side, and that decides it.",
        "Three more right answers show whether you have mastered it.",
        "When you have mastered halves, thirds come next.",
        "If you eat all of it, you get 100 % of the cake.",
        "You have 100 % of the bar.",
        "Have you passed a shop where they sell half a loaf?",
        "Three right answers do not mean that you have mastered it.",
        "Your score is worked out from your answers.",
        "Your level is not mine to set.",
        "Think of it as a person sharing a cake.",
        "This is a human invention: the line between two numbers.",
        "I mark the point at 1/2 on the line.",
        "I give you the next point on the number line.",
        "I set the 100 cubes side by side.",
        "You have passed the 1 on the number line.",
        "You get 100 % when all parts are shaded.",
        "That is no mastery yet: you can still try whether you have mastered it.",
        "Here is what counts: whether each piece is the same size.",
        "I will tell you how your score is worked out: by your answers.",
        "",
    ],
)
def test_what_a_tutor_says_is_let_through(text: str) -> None:
    assert find_policy_problem(text) == ""


def test_no_question_where_one_follows_by_itself() -> None:
    assert find_policy_problem("What do you see?", questions=0) == "enough"
