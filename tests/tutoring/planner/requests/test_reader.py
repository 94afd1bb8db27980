"""Which requests are read in a message, and what they hold. The day is Friday 27 November 2026, in Vienna."""

import itertools
from dataclasses import replace
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutoring.planner.requests.clauses import split_clauses, straightened
from tutoring.planner.requests.patterns import request_patterns
from tutoring.planner.requests.reader import read_requests, unread_clauses
from tutoring.planner.times.values import TimePhrase
from tutoring.planner.values import (
    AskedBack,
    CompanionContext,
    PlannerRequest,
    RowRef,
    requests_from_json,
    requests_to_json,
)

NOW = datetime(2026, 11, 27, 15, 0, tzinfo=ZoneInfo("Europe/Vienna"))
LOBBY = CompanionContext(now=NOW)
LESSON = CompanionContext(now=NOW, only_clear=True)
SHOWN_BY_1 = (
    "I have a fractions test next Friday, plan my week around football on Tuesday and Thursday at five, and remind me to "
    "eat before"
)


def read(text: str, context: CompanionContext = LOBBY) -> list[tuple[str, str]]:
    return [(each.agent, each.action) for each in read_requests(text, context)]


def only(text: str, context: CompanionContext = LOBBY) -> PlannerRequest:
    (found,) = read_requests(text, context)
    return found


@pytest.mark.parametrize(
    ("text", "agent", "action", "fields"),
    [
        ("remind me to bring my ruler tomorrow", "task", "create", {"kind": "reminder", "title": "Bring my ruler"}),
        ("math homework is due tomorrow", "task", "create", {"kind": "homework", "title": "Math homework"}),
        ("add buy milk to my list", "task", "create", {"title": "Buy milk"}),
        ("I need to hand in my science project by Monday", "task", "create", {"title": "Hand in my science project"}),
        (
            "make a checklist for the trip: tent, food and a torch",
            "task",
            "create",
            {"parts": ("Tent", "Food", "Torch")},
        ),
        ("I finished my math homework", "task", "complete", {"target": "Math homework"}),
        ("mark the essay as done", "task", "complete", {"target": "Essay"}),
        ("mark the essay as not done", "task", "reopen", {"target": "Essay"}),
        ("make the essay high priority", "task", "change", {"target": "Essay", "priority": 3}),
        ("rename essay to history essay", "task", "change", {"target": "Essay", "title": "History essay"}),
        ("delete the reminder about milk", "task", "delete", {"target": "Milk"}),
        ("what's due this week?", "task", "list", {}),
        ("what homework is due on Friday", "task", "list", {}),
        ("I have a fractions test next Friday", "event", "create", {"kind": "test", "title": "Fractions test"}),
        ("dentist appointment tomorrow at 3pm", "event", "create", {"title": "Dentist appointment", "missing": ()}),
        ("dentist appointment tomorrow", "event", "create", {"missing": ("when",)}),
        ("add football on Friday at 5 to my calendar", "event", "create", {"title": "Football"}),
        ("move the dentist to Friday at 3", "event", "move", {"target": "Dentist"}),
        ("cancel football on Thursday", "event", "delete", {"target": "Football"}),
        ("what do I have tomorrow?", "event", "list", {}),
        ("when is my dentist appointment?", "event", "list", {"target": "Dentist appointment"}),
        ("am I free on Friday afternoon?", "event", "free", {}),
        ("do I have any conflicts next week?", "event", "conflicts", {}),
        ("plan study sessions for my fractions test", "event", "plan_study", {"target": "Fractions test"}),
        ("had pasta for lunch", "food", "log", {"kind": "lunch", "foods": ("pasta",)}),
        (
            "I had pasta and salad for lunch, it was delicious",
            "food",
            "log",
            {"foods": ("pasta", "salad"), "rating": 5},
        ),
        ("plan pasta for dinner tomorrow", "food", "plan_meal", {"kind": "dinner", "foods": ("pasta",)}),
        ("what did I eat yesterday?", "food", "list", {}),
        ("what do I usually eat for breakfast?", "food", "patterns", {"kind": "breakfast"}),
        ("what should I eat for dinner?", "food", "suggest", {"kind": "dinner"}),
        ("rate my lunch 4 stars", "food", "rate", {"kind": "lunch", "rating": 4}),
        ("is pizza healthy?", "food", "advice", {}),
        ("remember that my locker code is 4512", "memory", "remember", {"note": "My locker code is 4512"}),
        ("what's my locker code?", "memory", "recall", {"target": "Locker code"}),
        ("show my notes", "memory", "list", {}),
        ("forget what I told you about my locker", "memory", "forget", {"target": "Locker"}),
    ],
)
def test_request_is_read(text: str, agent: str, action: str, fields: dict[str, Any]) -> None:
    found = only(text)
    assert (found.agent, found.action, found.quote) == (agent, action, text.rstrip("?"))
    assert {name: getattr(found, name) for name in fields} == fields


@pytest.mark.parametrize("context", [LOBBY, LESSON], ids=["lobby", "lesson"])
@pytest.mark.parametrize(
    "text",
    [
        "Tom eats 3/8 of a pizza at noon. How much is left?",
        "I have 12 apples and give away 3",
        "I cut the cake into 8 and ate 3",
        "Anna has football on Monday and eats 2 apples",
        "what is a numerator?",
        "remind me what a numerator is",
        "remind me how to add fractions",
        "add 1/2 and 1/3",
        "how do I add 1/2 and 1/3",
        "I think it's 3/4",
        "move the 3 to the other side",
        "skip this question",
        "quiz me",
        "can you help me with my homework",
        "what do you think of homework?",
        "Is there anything to practise tomorrow?",
        "I finished the lesson",
        "what is the answer to task 3",
        "do you remember what we did in the last lesson",
        "thanks, see you tomorrow",
        "hello",
        "",
    ],
)
def test_word_problem_subject_and_talk_are_no_requests(text: str, context: CompanionContext) -> None:
    assert read(text, context) == []


def test_message_with_several_requests_is_read_in_its_order() -> None:
    test, football, plan, reminder, meal = read_requests(SHOWN_BY_1, LOBBY)
    assert (test.title, test.kind) == ("Fractions test", "test")
    assert isinstance(test.when, TimePhrase)
    assert test.when.start.date() == date(2026, 12, 4)
    assert isinstance(football.when, TimePhrase)
    assert (football.title, football.when.rule) == ("Football", "FREQ=WEEKLY;BYDAY=TU,TH")
    assert football.when.start == datetime(2026, 12, 1, 17, tzinfo=NOW.tzinfo)
    assert (plan.agent, plan.action) == ("event", "plan_study")
    assert (reminder.title, reminder.before, reminder.missing) == ("Eat", "Football", ())
    assert (meal.agent, meal.action, meal.before, meal.missing) == ("food", "plan_meal", "Football", ("foods",))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("remind me to check the oven and make tea at 6", [("task", "create")]),
        ("remind me to call grandma on Sunday at 10, and add buy milk to my list", [("task", "create")] * 2),
        ("I had pasta for lunch and I have a math test on Monday", [("food", "log"), ("event", "create")]),
        ("Swimming on Monday at 4pm, and homework is due on Tuesday", [("event", "create"), ("task", "create")]),
    ],
)
def test_and_joins_requests_or_words_of_one(text: str, expected: list[tuple[str, str]]) -> None:
    assert read(text) == expected


def test_appointment_on_two_days_is_two_events_and_training_recurs() -> None:
    assert read("I have a dentist appointment on Tuesday at 3 and Thursday at 4") == [("event", "create")] * 2
    training = only("add football on Tuesday and Thursday at 5 to my calendar")
    assert isinstance(training.when, TimePhrase)
    assert training.when.rule == "FREQ=WEEKLY;BYDAY=TU,TH"


def test_in_a_lesson_only_what_is_clear_is_read() -> None:
    assert read("remind me to bring my ruler tomorrow", LESSON) == [("task", "create")]
    assert read("porridge again this morning", LESSON) == []
    assert read("porridge again this morning") == [("food", "log")]


def test_undo_needs_something_to_undo() -> None:
    assert read("undo that") == []
    assert read("undo that", replace(LOBBY, agent="task", can_undo=True)) == [("task", "undo")]


# --- What follows up on the last turn ---

FOOTBALL = RowRef(agent="event", id=7, title="Football")
PIANO = RowRef(agent="event", id=8, title="Piano")
AFTER = replace(LOBBY, agent="event", last=FOOTBALL, listed=(FOOTBALL, PIANO))


@pytest.mark.parametrize(
    ("text", "action", "start"),
    [
        ("make it five instead", "move", (27, 17)),
        ("actually on Saturday at 4pm", "move", (28, 16)),
        ("no, Saturday at 4pm", "move", (28, 16)),
        ("delete it", "delete", None),
        ("cancel that please", "delete", None),
    ],
)
def test_it_means_the_row_of_the_last_turn(text: str, action: str, start: tuple[int, int] | None) -> None:
    found = only(text, AFTER)
    assert (found.agent, found.action, found.row) == ("event", action, FOOTBALL)
    if start is not None:
        assert isinstance(found.when, TimePhrase)
        assert (found.when.start.day, found.when.start.hour) == start


def test_too_repeats_what_was_made_at_its_time_of_day() -> None:
    made = only("dentist on Monday at 3pm")
    again = only("on Thursday too", replace(AFTER, last_request=made))
    assert (again.action, again.title) == ("create", "Dentist")
    assert isinstance(again.when, TimePhrase)
    assert again.when.start == datetime(2026, 12, 3, 15, tzinfo=NOW.tzinfo)


def test_question_is_asked_again_for_another_day() -> None:
    asked = only("what do I have tomorrow?")
    again = only("and on Friday?", replace(AFTER, last=None, last_request=asked))
    assert again.action == "list"
    assert isinstance(again.when, TimePhrase)
    assert again.when.start.date() == date(2026, 12, 4)


def test_row_of_a_list_is_named_by_its_place() -> None:
    assert only("cancel the second one", AFTER).row == PIANO
    assert only("cancel the last one", AFTER).row == PIANO
    assert only("move the first one to Monday at 4", AFTER).row == FOOTBALL


DENTIST = PlannerRequest(agent="event", action="delete", quote="cancel the dentist", target="Dentist")
WHICH = AskedBack(
    request=DENTIST, missing="which", options=("Dentist, Monday", "Dentist, Friday"), rows=(FOOTBALL, PIANO)
)


@pytest.mark.parametrize("text", ["the second one", "2", "Dentist, Friday", "second please"])
def test_choice_is_read(text: str) -> None:
    found = only(text, replace(LOBBY, asked=WHICH))
    assert (found.action, found.row, found.missing) == ("delete", PIANO, ())


def test_time_that_was_asked_back_joins_the_day_that_was_known() -> None:
    open_one = only("dentist appointment tomorrow")
    asked = AskedBack(request=open_one, missing="when", options=("All day", "Leave it"))
    at_three = only("at 3pm", replace(LOBBY, asked=asked))
    assert isinstance(at_three.when, TimePhrase)
    assert (at_three.when.start, at_three.missing) == (datetime(2026, 11, 28, 15, tzinfo=NOW.tzinfo), ())
    whole = only("All day", replace(LOBBY, asked=asked))
    assert (whole.all_day, whole.missing) == (True, ())


@pytest.mark.parametrize("text", ["never mind", "no thanks", "Leave it"])
def test_question_can_be_left(text: str) -> None:
    asked = AskedBack(request=DENTIST, missing="when", options=("Leave it",))
    assert only(text, replace(LOBBY, asked=asked)).action == "drop"


def test_question_of_content_answers_nothing_that_was_asked_back() -> None:
    reminder = PlannerRequest(agent="task", action="create", quote="remind me", kind="reminder", missing=("title",))
    asked = AskedBack(request=reminder, missing="title")
    assert read("what is a half?", replace(LOBBY, asked=asked)) == []
    assert only("feed the cat", replace(LOBBY, asked=asked)).title == "Feed the cat"


def test_what_waits_is_asked_back_after_the_answer() -> None:
    waits = PlannerRequest(agent="food", action="plan_meal", quote="eat before", missing=("foods",))
    asked = AskedBack(request=DENTIST, missing="which", options=WHICH.options, rows=WHICH.rows)
    assert read("1", replace(LOBBY, asked=asked, waiting=(waits,))) == [("event", "delete"), ("food", "plan_meal")]


def test_clauses_without_a_request_are_told() -> None:
    text = "remind me to bring my ruler tomorrow. The sky is blue."
    assert unread_clauses(text, read_requests(text, LOBBY)) == ["The sky is blue"]


# --- Properties ---

WORDS = st.sampled_from(
    [
        "remind",
        "me",
        "to",
        "football",
        "test",
        "homework",
        "is",
        "due",
        "tomorrow",
        "at",
        "five",
        "on",
        "Friday",
        "and",
        ",",
        ".",
        "?",
        "had",
        "pasta",
        "for",
        "lunch",
        "remember",
        "that",
        "my",
        "plan",
        "week",
        "around",
        "cancel",
        "move",
        "it",
        "3/8",
        "of",
        "a",
        "pizza",
        "eat",
        "before",
        "the",
        "second",
        "one",
        "’",
        "“x”",
        "every",
        "Tuesday",
        "undo",
        "\n",
        "12:99",
        "31st",
    ]
)
MESSAGES = st.lists(WORDS, max_size=25).map(" ".join) | st.text(max_size=80)
CONTEXTS = st.sampled_from(
    [LOBBY, LESSON, AFTER, replace(LOBBY, asked=WHICH), replace(AFTER, last_request=DENTIST, can_undo=True)]
)


@given(MESSAGES, CONTEXTS)
@settings(max_examples=300, deadline=None)
def test_any_message_is_read_into_requests_that_quote_it_and_survive_storage(
    text: str, context: CompanionContext
) -> None:
    found = read_requests(text, context)
    assert all(each.quote in straightened(text) for each in found)
    assert read_requests(text, context) == found
    again = requests_from_json(requests_to_json(found))
    assert [(each.agent, each.action, each.title, each.missing) for each in again] == [
        (each.agent, each.action, each.title, each.missing) for each in found
    ]


@given(MESSAGES)
@settings(max_examples=200, deadline=None)
def test_clauses_are_spans_in_order_that_do_not_overlap(text: str) -> None:
    clauses = split_clauses(text)
    assert all(each.start < each.end for each in clauses)
    assert all(one.end <= other.start for one, other in itertools.pairwise(clauses))


def test_every_pattern_has_a_known_agent_and_groups() -> None:
    known = {"title", "target", "foods", "kind", "more", "note", "parts", "priority", "rating", "every", "around"}
    for each in request_patterns():
        assert {name.rstrip("0123456789") for name in each.match.groupindex} <= known
        assert each.agent in ("task", "event", "food", "memory") or each.action == "undo"
