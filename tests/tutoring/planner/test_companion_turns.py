"""Whole turns with the planner's agents: without a topic, in a lesson and in a quiz, run again, undone, and by others."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from conversations.models import Turn
from conversations.turns.handler import turn_handler
from tests import people
from tests.tutoring.lessons.learners import right, solve
from tests.tutoring.lessons.lesson_player import StageWithTools, counted_turns, unhurried
from tutoring.models import CalendarEvent, Concept, Meal, Note, PlannerChange, Task
from tutoring.planner.companion_choice import _routers, register_companion_router
from tutoring.planner.tools.results import COMPANION_KEY

pytestmark = pytest.mark.django_db

SEED = 3
NOW = datetime(2026, 11, 27, 15, 0, tzinfo=ZoneInfo("Europe/Vienna"))
SHOWN_BY_1 = (
    "I have a fractions test next Friday, plan my week around football on Tuesday and Thursday at five, and remind me to "
    "eat before"
)


class DatedStage(StageWithTools):
    """One whose turns begin on Friday 27 November 2026 in the afternoon."""

    def _understand(self, turn: Turn) -> Any:
        Turn.objects.filter(pk=turn.pk).update(created_at=NOW)
        turn.created_at = NOW
        return super()._understand(turn)


@pytest.fixture
def played():
    with unhurried(), counted_turns(SEED):
        yield


@pytest.fixture
def lobby(kept_fractions, played):
    return DatedStage(people.make_person("ada", level="beginner", zone="Europe/Vienna"))


@pytest.fixture
def lesson(kept_fractions, played):
    concept = Concept.objects.select_related("course").get(slug="one-half")
    stage = DatedStage(people.make_person("ada", level="beginner", zone="Europe/Vienna"), concept)
    stage.open()
    return stage


def agents(exchange):
    return [each["agent"] for each in exchange.events("agent_started")]


def buttons(exchange):
    return [option for card in exchange.cards("replies") for option in card["options"]]


def test_a_new_test_is_named_by_what_it_is_about_and_can_be_prepared_for(lobby):
    said = lobby.say("i have a test about fractions on friday and i dont get it")
    assert CalendarEvent.objects.get().title == "Test about fractions"
    assert buttons(said) == ["Help me learn fractions", "Undo that"]
    lobby.say("Help me learn fractions")
    assert CalendarEvent.objects.count() == 1


def test_week_is_planned_by_three_agents_in_one_conversation(lobby):
    said = lobby.say(SHOWN_BY_1)
    assert agents(said) == ["event", "task", "food"]
    assert [(each["from"], each["to"]) for each in said.events("handed_off")] == [("event", "task"), ("task", "food")]
    assert [each["to"] for each in said.events("routed")] == ["event"]
    assert "Football every Tuesday and Thursday at 17:00, until you change it. First: Tuesday 1 December." in said.reply
    assert "What would you like to eat before football?" in said.reply
    assert "Undo that" in buttons(said)
    sessions = CalendarEvent.objects.filter(kind=CalendarEvent.Kind.STUDY)
    assert sessions.exists()
    football = CalendarEvent.objects.get(title="Football")
    assert football.starts_at == datetime(2026, 12, 1, 17, tzinfo=NOW.tzinfo)
    test = CalendarEvent.objects.get(kind=CalendarEvent.Kind.TEST)
    assert all(each.ends_at <= test.starts_at for each in sessions)
    said = lobby.say("a sandwich")
    assert agents(said) == ["food"]
    assert Meal.objects.get().eaten_at == datetime(2026, 12, 1, 16, tzinfo=NOW.tzinfo)


def test_state_tells_who_serves_and_what_was_asked(lobby):
    lobby.say(SHOWN_BY_1)
    held = lobby.state[COMPANION_KEY]
    assert (held["current_agent"], held["previous_agent"], held["turn_count"]) == ("food", "task", 1)
    assert [row["title"] for row in held["contexts"]["task"]["rows"]] == ["Eat before football"]
    assert held["asked"]["missing"] == "foods"
    lobby.say("remember that my locker code is 4512")
    held = lobby.state[COMPANION_KEY]
    assert (held["current_agent"], held["previous_agent"], held["asked"]) == ("memory", "food", None)


def test_whole_turn_is_undone(lobby):
    lobby.say("remind me to bring my ruler tomorrow, and add buy milk to my list")
    assert Task.objects.kept().count() == 2
    said = lobby.say("Undo that")
    assert said.reply.startswith("Undone:")
    assert not Task.objects.kept().exists()


def test_missing_time_is_asked_back_and_only_that(lobby):
    said = lobby.say("dentist appointment tomorrow")
    assert said.reply == "At what time is the dentist appointment tomorrow?"
    assert not CalendarEvent.objects.exists()
    lobby.say("at 3pm")
    event = CalendarEvent.objects.get()
    assert (event.title, event.starts_at) == ("Dentist appointment", datetime(2026, 11, 28, 15, tzinfo=NOW.tzinfo))


def test_correction_keeps_the_day(lobby):
    lobby.say("remind me to bring my ruler tomorrow")
    lobby.say("make it seven instead")
    assert Task.objects.get().remind_at == datetime(2026, 11, 28, 7, tzinfo=NOW.tzinfo)


def test_one_of_two_is_chosen(lobby):
    lobby.say("dentist appointment on Monday at 3pm")
    lobby.say("dentist appointment on Wednesday at 3pm")
    said = lobby.say("cancel the dentist appointment")
    assert said.reply == "Which one do you mean?"
    assert len(buttons(said)) == 2
    lobby.say(buttons(said)[1])
    assert CalendarEvent.objects.kept().count() == 1


def test_what_is_only_close_in_meaning_is_never_cancelled_unasked(lobby):
    lobby.say("dentist on Monday at 3pm")
    lobby.say("cancel the tooth doctor appointment")
    assert CalendarEvent.objects.kept().count() == 1


def test_task_that_is_an_event_is_handed_over_by_name(lobby):
    lobby.say("add guitar lesson on Monday at 4 to my calendar")
    lobby.key = "later"  # A conversation that has not named the event.
    said = lobby.say("delete the guitar lesson task")
    assert agents(said) == ["task", "event"]
    assert [each["reason"] for each in said.events("handed_off")] == ["There is an event of this name."]
    assert not CalendarEvent.objects.kept().exists()


def test_overlap_is_told(lobby):
    lobby.say("add football on Tuesday at 5 to my calendar")
    assert "It overlaps with Football" in lobby.say("add piano on Tuesday at 5:30pm to my calendar").reply


def test_note_is_told_with_who_asked_for_it(lobby):
    lobby.say("remember that my locker code is 4512")
    assert lobby.say("what's my locker code?").reply == "You asked me to remember: “My locker code is 4512”."


def test_nothing_is_remembered_that_was_not_asked_for(lobby):
    lobby.say("my locker is number 12")
    lobby.say("hello, I am Ada and I like horses")
    assert not Note.objects.exists()


def test_who_hates_maths_is_met_and_nothing_is_remembered(lobby):
    said = lobby.say("i hate maths just so you know")
    assert agents(said) == ["tutor"]
    assert "remember" not in said.reply.lower()


def test_health_is_no_business_of_the_planner(lobby):
    said = lobby.say("is pizza healthy?")
    assert "I don’t give advice on health" in said.reply
    assert not Meal.objects.exists()


def test_reminder_in_a_quiz_is_set_and_the_quiz_stands(lesson):
    lesson.say("quiz me")
    question, standing, positions = lesson.question, lesson.standing, lesson.session.positions
    said = lesson.say("remind me to bring my ruler tomorrow")
    assert agents(said) == ["task"]
    assert Task.objects.get().title == "Bring my ruler"
    assert (lesson.question, lesson.standing, lesson.session.positions) == (question, standing, positions)
    assert said.cards("question") == []
    assert turn_handler().is_aside(said.turn)


def test_lesson_goes_on_after_a_request_as_before_it(lesson):
    state = {key: value for key, value in lesson.state.items() if key != COMPANION_KEY}
    lesson.say("I have a math test on Monday")
    assert {key: value for key, value in lesson.state.items() if key != COMPANION_KEY} == state


def test_word_problem_in_a_lesson_stays_there(lesson):
    for text in ("Tom eats 3/8 of a pizza at noon. How much is left?", "is it 1/2?", "I had half of the cake"):
        assert not {"task", "event", "food", "memory"} & set(agents(lesson.say(text)))
    assert not PlannerChange.objects.exists()


def test_answer_to_the_open_card_is_no_answer_to_the_planner(lesson):
    lesson.say("quiz me")
    while lesson.question.kind != "numeric":
        solve(lesson)
    lesson.say("remind me to bring my ruler tomorrow")
    assert lesson.say(right(lesson.question)).answered.correct


def test_turn_that_runs_again_makes_nothing_twice(lobby):
    said = lobby.say(SHOWN_BY_1)
    counts = [model.objects.count() for model in (Task, CalendarEvent, Meal, PlannerChange)]
    turn = Turn.objects.select_related("session", "owner").get(pk=said.turn.pk)
    wires: list[Any] = []

    def emit(event: Any) -> None:
        wires.append(event.as_wire())

    lobby._run(turn, None, emit)  # type: ignore[arg-type]  # The decision is stored: nothing is read again.
    assert [model.objects.count() for model in (Task, CalendarEvent, Meal, PlannerChange)] == counts
    assert "".join(each["text"] for each in wires if each["type"] == "reply_text") == said.reply


def test_edited_message_takes_its_changes_back(lobby):
    first = lobby.say("remind me to bring my ruler tomorrow")
    lobby.say("remind me to bring my atlas tomorrow", replaces=first)
    assert [each.title for each in Task.objects.kept()] == ["Bring my atlas"]


def test_what_others_planned_is_not_seen(lobby):
    lobby.say("remind me to bring my ruler tomorrow")
    eve = DatedStage(people.make_eve(zone="Europe/Vienna"))
    assert eve.say("show my tasks").reply == "There is no open task on your list."
    assert "I found no open task" in eve.say("delete the reminder about my ruler").reply
    assert Task.objects.kept().count() == 1


# --- Messages that go on with an agent, or go back to one ---


def test_what_follows_on_the_tutor_stays_with_the_tutor(lobby):
    lobby.say("tennis on Friday at 4")
    lobby.say("how do plants eat?")
    assert agents(lobby.say("and in the dark?")) == ["tutor"]


def test_row_is_moved_by_the_agent_that_has_it(lobby):
    lobby.say("I need to water the ferns on Friday")
    assert agents(lobby.say("move the ferns to Sunday")) == ["task"]


def test_message_goes_back_to_the_agent_whose_row_it_names(lobby):
    lobby.say("dentist next Wednesday at 3 pm")
    lobby.say("how do plants eat?")
    assert agents(lobby.say("so when was that dentist thing again?")) == ["event"]


def test_question_without_a_time_is_no_search_of_the_calendar_in_a_lesson(lesson):
    assert "event" not in agents(lesson.say("what about 4"))


# --- Messages in which no request was read ---


@pytest.fixture
def routed():
    """A router that is sure of an agent that the message names in brackets."""
    from agents.routing.decision import RoutingDecision

    def route(text, context):
        agent = next((each for each in ("task", "event", "food", "memory") if f"[{each}]" in text), None)
        return RoutingDecision(agent=agent, strategy="rule", confidence=1.0, reason="It says so.") if agent else None

    before = list(_routers)
    register_companion_router(route)
    yield
    _routers[:] = before


def test_agent_asks_what_is_meant_with_buttons_that_are_understood(lobby, routed):
    said = lobby.say("[food] hmm")
    assert said.reply == "What should I do with your meals?"
    for label in buttons(said):
        assert agents(lobby.say(label)) == ["food"]


def test_nothing_is_stored_on_a_guess_without_a_yes(lobby, routed):
    said = lobby.say("[memory] the tent is at the neighbors")
    assert said.reply.startswith("Should I remember")
    assert not Note.objects.exists()
    lobby.say("Yes")
    assert Note.objects.count() == 1


def test_agents_buttons_are_all_understood(lobby, routed):
    for agent in ("task", "event", "memory"):
        lobby.key = agent  # A conversation of its own.
        for label in buttons(lobby.say(f"[{agent}] hmm")):
            assert agents(lobby.say(label)) == [agent]
