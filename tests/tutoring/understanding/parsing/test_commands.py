"""Commands: what a message wants in certain words, and words that only look like it."""

import pytest

from tutoring.understanding.parsing.commands import Command, commands_in


@pytest.mark.parametrize(
    "words",
    [
        "next",
        "ok next one",
        "can we do the next one",
        "skip this",
        "next please",
        "move on",
        "ugh fine next",
        "get it over with",
    ],
)
def test_words_that_leave_a_step(words: str) -> None:
    assert "leave_step" in commands_in(words)


@pytest.mark.parametrize(
    "words", ["my stop is next", "what should i do next time", "the one next to it", "let's go on"]
)
def test_words_that_leave_no_step(words: str) -> None:
    assert "leave_step" not in commands_in(words)


@pytest.mark.parametrize(("words", "looks"), [("look at my picture", True), ("i can't see the picture well", False)])
def test_who_cannot_see_the_picture_asks_for_no_look_at_a_drawing(words: str, looks: bool) -> None:
    assert ("look" in commands_in(words)) is looks


@pytest.mark.parametrize(
    ("words", "blames"), [("am i dumb", True), ("i'm so bad at this", True), ("i hate this it's stupid", False)]
)
def test_who_calls_the_lesson_stupid_does_not_blame_themselves(words: str, blames: bool) -> None:
    assert ("self_blame" in commands_in(words)) is blames


@pytest.mark.parametrize(
    ("words", "says"), [("im going", True), ("ok i'm off now", True), ("i'm going to cut it", False)]
)
def test_goodbye(words: str, says: bool) -> None:
    assert ("bye" in commands_in(words)) is says


@pytest.mark.parametrize(
    ("words", "command", "says"),
    [
        ("i know all this its baby stuff", "known", True),
        ("i know all the numbers", "known", False),
        ("that's not fair i was right", "misjudged", True),
        ("was i right?", "misjudged", False),
        ("is this right?", "asks_verdict", True),
        ("so is that correct", "asks_verdict", True),
        ("am i right?", "asks_verdict", True),
        ("is it 2 parts?", "asks_verdict", True),
        ("is it right to cut it twice", "asks_verdict", False),
        ("is this right or left", "asks_verdict", False),
    ],
)
def test_protest_or_question_about_a_verdict(words: str, command: Command, says: bool) -> None:
    assert (command in commands_in(words)) is says


@pytest.mark.parametrize("words", ["is it d", "is it 9", "could it be 3/4?"])
def test_answer_that_is_asked_about(words: str) -> None:
    assert "ventured" in commands_in(words)


@pytest.mark.parametrize(
    ("words", "lists"),
    [("what can i learn here?", True), ("which topics are there", True), ("what can i learn from this answer", False)],
)
def test_question_for_the_lessons(words: str, lists: bool) -> None:
    assert ("lists_lessons" in commands_in(words)) is lists


@pytest.mark.parametrize(
    ("words", "asks"),
    [("can you see what i write", True), ("can you read it again", False), ("can you read that out", False)],
)
def test_who_wants_the_question_read_does_not_ask_who_reads_along(words: str, asks: bool) -> None:
    assert ("who_sees" in commands_in(words)) is asks


@pytest.mark.parametrize(
    ("words", "leaves"),
    [
        ("can i skip simplest form", True),
        ("do i have to do halves", True),
        ("can i skip the easy part and start with comparing", False),
        ("skip the intro, then go to halves", False),
    ],
)
def test_what_is_named_after_a_start_is_not_to_be_left_out(words: str, leaves: bool) -> None:
    assert ("leave_out" in commands_in(words)) is leaves


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("ok we go", "agree"),
        ("something less trivial", "harder"),
        ("ok i hate it slightly less", "eased"),
        ("everyone else finds this easy", "ashamed"),
        ("im so thick", "self_blame"),
        ("ugh just skip this one", "skip"),
        ("that is enough testing for me. could we just start the lesson now?", "begin"),
        ("can we just start the lesson? i want to start at the beginning even if i know some of it", "begin"),
        ("hm so why is that?", "why_asked"),
        ("why not 5", "why_asked"),
        ("are you a neural network yourself", "robot"),
    ],
)
def test_words_of_learners_have_their_command(words: str, command: str) -> None:
    assert command in commands_in(words)


@pytest.mark.parametrize("words", ["start with halves", "the first part starts at 0", "begin with the 7"])
def test_beginning_with_something_is_no_wish_to_begin(words: str) -> None:
    assert "begin" not in commands_in(words)


@pytest.mark.parametrize(
    ("words", "stuck"), [("i give up", True), ("ok i give up on this one", True), ("i give up on the last two", False)]
)
def test_who_gives_up_on_a_question_is_stuck(words: str, stuck: bool) -> None:
    assert ("stuck" in commands_in(words)) is stuck


@pytest.mark.parametrize(
    ("words", "skips"),
    [
        ("ugh, cutting again. skip pls", True),
        ("its too hard to drag the lines, can i skip", True),
        ("i skip lunch. is it 4", False),
    ],
)
def test_the_end_of_a_message_may_skip(words: str, skips: bool) -> None:
    assert ("skip" in commands_in(words)) is skips


@pytest.mark.parametrize(("words", "wanted"), [("skip halves", True), ("halves, skip the questions i know it", False)])
def test_who_skips_questions_does_without_no_lesson(words: str, wanted: bool) -> None:
    assert ("leave_out" in commands_in(words)) is wanted


@pytest.mark.parametrize("words", ["something easier please", "can i have something easier, this is too much"])
def test_something_easier_is_wanted(words: str) -> None:
    assert "simplify" in commands_in(words)


@pytest.mark.parametrize(
    ("words", "asks"), [("why not", True), ("but why", True), ("why not start with halves", False)]
)
def test_a_bare_why_asks_for_the_reason(words: str, asks: bool) -> None:
    assert ("why_asked" in commands_in(words)) is asks


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("this is too easy. can i jump to adding fractions", "switch"),
        ("i dont feel i have mastered it", "doubts_mastery"),
        ("i havent really mastered this", "doubts_mastery"),
        ("neither of them", "not_quite"),
    ],
)
def test_words_that_command(words: str, command: str) -> None:
    assert command in commands_in(words)


@pytest.mark.parametrize(
    ("words", "command"), [("i mastered it", "doubts_mastery"), ("neither is bigger", "not_quite")]
)
def test_words_that_only_look_like_it(words: str, command: str) -> None:
    assert command not in commands_in(words)
