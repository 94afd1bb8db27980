"""Where neither rule nor classifier can tell whose a message is, a model says; without one the tutor asks."""

from collections.abc import Iterator
from typing import Any

import pytest

from agents.roles import Request
from agents.routing import deciding
from agents.routing.classifier import Guess
from conversations.models import Transition
from tests import people
from tests.provider import Answer, Provider
from tests.tutoring.lessons.learners import solve
from tests.tutoring.lessons.stage import Stage, counted_turns
from tests.tutoring.modelled import WIRES, connected
from tutoring import graphs
from tutoring.models import Concept, Goal
from tutoring.records.goals import set_goal
from tutoring.roles import coordinator
from tutoring.roles.coordinator import Coordinated, choice, one_line
from tutoring.roles.facts import LobbyFacts
from tutoring.roles.undecided import UndecidedFacts
from tutoring.rules import phrases

pytestmark = pytest.mark.django_db
COORDINATOR = "You decide which member of a teaching team"
VAGUE = "so where does all of this go?"


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider(beat_s=0.01) as provider:
        yield provider


@pytest.fixture
def wire() -> str:
    return "openai"


@pytest.fixture
def stage(wire: str, monkeypatch: Any, provider: Provider, kept_fractions: None) -> Any:
    """A lesson with a question open, in which the classifier is sure of nothing, and a model is at hand."""

    guesses(monkeypatch, "quiz", 0.2)
    concept = Concept.objects.select_related("course").get(slug="one-half")
    with connected(provider, wire, outside=False) as by_model, counted_turns(seed=3):
        stage = Stage(people.make_person("ada", level="beginner"), concept, walk=by_model.walk)
        stage.open()
        stage.say("quiz me")
        while stage.question.kind != "numeric":
            solve(stage)
        stage.speakers = by_model.speakers
        yield stage


class Guesses:
    """A classifier that says the same of everything."""

    def __init__(self, label: str | None, confidence: float) -> None:
        self.guess = Guess(label=label, confidence=confidence)

    def classify(self, text: str) -> Guess:
        return self.guess


def guesses(monkeypatch: Any, label: str | None, confidence: float) -> None:
    monkeypatch.setattr(deciding, "classifier_of", lambda path: Guesses(label, confidence))


def asked(provider: Provider) -> int:
    """Return how often a model was asked whose a message is."""
    return sum(COORDINATOR in each.asked.system for each in provider.requests)


def says(provider: Provider, agent: str, reason: str = "Asks about the way ahead.") -> None:
    provider.script(COORDINATOR, Answer(object={"agent": agent, "reason": reason}))


def told(exchange: Any) -> list[tuple[str, str, str]]:
    rows = Transition.objects.filter(turn=exchange.turn).order_by("pk")
    return [(row.to_agent, row.strategy, row.reason) for row in rows if row.strategy != "handoff"]


@pytest.mark.parametrize("wire", WIRES)
def test_model_decides_and_its_reason_is_kept(stage: Any, provider: Provider) -> None:
    question, cycle = stage.question, stage.standing.cycle
    for agent in ("tutor", "pathplanner", "feedback"):
        says(provider, agent)
        exchange = stage.say(VAGUE)
        assert [wire["agent"] for wire in exchange.events("agent_started")] == ["coordinator", agent]
        assert told(exchange) == [
            ("coordinator", "classifier", "Not clear what is wanted: a model says."),
            (agent, "llm", "Asks about the way ahead."),
        ]
        state = stage.state
        assert (state["last_routed_to"], state["routing_reason"]) == (agent, "Asks about the way ahead.")
        served = "plan" if agent == "pathplanner" else "learn"
        assert exchange.routing == ["classify_intent", served, "awaiting_input"]
        assert "coordinating" not in stage.session.positions
    # The quiz stands where it stood, and goes on.
    assert (stage.question, stage.standing.cycle.asked) == (question, cycle.asked)
    solve(stage)
    assert question.attempts.get().correct


@pytest.mark.parametrize("wire", WIRES)
def test_model_sends_back_to_the_quiz_that_waits(stage: Any, provider: Provider) -> None:
    question, asked_before = stage.question, stage.standing.cycle.asked
    says(provider, "quiz", "Wants to go on with the questions.")
    exchange = stage.say(VAGUE)
    assert told(exchange)[-1] == ("quiz", "llm", "Wants to go on with the questions.")
    assert exchange.moves == ["", "resume_quiz"]
    assert (stage.question, stage.standing.cycle.asked) == (question, asked_before)
    solve(stage)
    assert question.attempts.get().correct


def test_model_begins_the_quiz_in_the_middle_of_an_explanation(stage: Any, provider: Provider) -> None:
    """What comes next is the quiz's, as if the tutor had handed over."""
    lesson = Stage(people.make_person("bob", level="beginner"), stage.concept, walk=stage.walk)
    lesson.open()
    lesson.say("quiz me")
    begun_by_tutor = lesson.session.positions
    lesson = Stage(people.make_person("eve", level="beginner"), stage.concept, walk=stage.walk)
    lesson.speakers = stage.speakers
    lesson.open()
    says(provider, "quiz", "Wants to be asked something.")
    exchange = lesson.say(VAGUE)
    assert told(exchange)[-1] == ("quiz", "llm", "Wants to be asked something.")
    assert exchange.moves == ["", "begin_quiz"]
    assert lesson.session.positions == begun_by_tutor == {"learning": list(graphs.AT_QUIZ)}
    assert (lesson.standing.cycle.state, lesson.standing.piece) == ("quiz_active", "")
    first = lesson.question
    while lesson.question == first:
        solve(lesson)
    assert first.attempts.exists()
    assert lesson.question.cycle == first.cycle


def test_model_takes_a_message_for_a_new_topic(stage: Any, provider: Provider) -> None:
    says(provider, "diagnostic", "Brings up subtracting.")
    exchange = stage.say("could subtracting fractions be our thing today?")
    assert told(exchange)[-1] == ("diagnostic", "llm", "Brings up subtracting.")
    assert exchange.routing == ["classify_intent", "diagnose", "awaiting_input"]
    state = stage.state
    assert (state["current_topic"], state["goals"]) == ("subtract-unlike", ["subtract-unlike"])
    assert Goal.objects.get().words == "could subtracting fractions be our thing today?"
    assert stage.question.purpose == "placement"
    stage.give_up()
    assert stage.exchanges[-1].moves == [""]


def test_model_finds_a_message_out_of_scope(stage: Any, provider: Provider) -> None:
    question = stage.question
    says(provider, "none", "Asks for something outside of learning.")
    exchange = stage.say(VAGUE)
    assert told(exchange)[-1] == ("tutor", "llm", "Asks for something outside of learning.")
    assert any(each in exchange.reply for each in map(str, phrases.OFF_TOPIC))
    assert stage.question == question


USELESS = (
    Answer(object={"agent": "admin", "reason": "Because I say so."}),
    Answer(object={"reason": "no agent"}),
    Answer(text="the path planner, I think"),
    Answer(fault="V6"),
    Answer(fault="V13"),
    Answer(status=500),
)


def test_answer_that_is_none_leaves_it_to_the_tutor(stage: Any, provider: Provider) -> None:
    """V6, V13: a coordinator that fails costs its word, never the turn."""
    for answer in USELESS:
        provider.script(COORDINATOR, answer)
        exchange = stage.say(VAGUE)
        assert [wire["agent"] for wire in exchange.events("agent_failed")] == ["coordinator"]
        assert told(exchange)[-1] == ("tutor", "rule", "Nobody could tell what is wanted: the tutor asks.")
        assert exchange.reply
        assert exchange.cards("question")


def test_reason_that_gives_the_answer_away_is_not_told(stage: Any, provider: Provider) -> None:
    """P1: neither in the transition nor in any event."""
    answer = stage.question.instance().key.value
    says(provider, "tutor", f"Wants to hear that it is {answer}.")
    exchange = stage.say(VAGUE)
    assert told(exchange)[-1] == ("tutor", "llm", "A language model reads the message so.")
    assert f"it is {answer}" not in str(exchange.wires)


def test_model_is_not_asked_where_a_rule_knows_or_without_consent(
    stage: Any, provider: Provider, settings: Any
) -> None:
    """K: a child's words reach no model outside."""
    stage.say("what's next?")
    assert not any(COORDINATOR in each.asked.system for each in provider.requests)
    for options in settings.LLMS.values():
        options["OPTIONS"]["outside"] = True
    settings.LLMS = dict(settings.LLMS)
    before = provider.attempts
    exchange = stage.say(VAGUE)
    assert [wire["agent"] for wire in exchange.events("agent_started")] == ["tutor"]
    assert not any(COORDINATOR in each.asked.system for each in list(provider.requests)[before - provider.attempts :])


def test_without_a_topic_the_way_to_the_goal_may_be_meant(stage: Any, provider: Provider) -> None:
    set_goal(stage.person, Concept.objects.get(slug="add-like"))
    stage.key = "another"
    says(provider, "pathplanner")
    assert stage.say(VAGUE).cards("path")
    provider.script(COORDINATOR, Answer(status=500))
    stage.say(VAGUE)
    assert "you are not sure what the learner would like" in provider.requests[-1].asked.system


LOBBY = {
    "tutor": ("Asks something.", "at most three sentences"),
    "diagnostic": ("No topic is chosen yet.", "at most three sentences"),
    "quiz": ("Wants to be questioned; on what is still to say.", ""),
    "feedback": ("No topic is chosen yet.", "at most three sentences"),
    "pathplanner": ("No topic is chosen yet.", "at most three sentences"),
    "none": ("Asks something.", ""),
}
"""Agent that a model names in a conversation without a topic → the reason told, and what the tutor's model is told."""


def test_without_topic_and_goal_the_tutor_serves_whatever_the_model_says(stage: Any, provider: Provider) -> None:
    stage.key = "another"
    for agent, (reason, task) in LOBBY.items():
        says(provider, agent, "Asks something.")
        exchange = stage.say(VAGUE)
        assert told(exchange)[-1] == ("tutor", "llm", reason), agent
        assert task in provider.requests[-1].asked.system, agent
        if agent == "quiz":
            assert exchange.reply == "Gladly. What shall the questions be on?"
        assert ("outside of what I can help with" in exchange.reply) == (agent == "none")


@pytest.mark.parametrize(
    ("label", "confidence", "asks"),
    [("quiz", 0.6, True), (None, 0.6, True), ("tutor", 0.6, False), ("pathplanner", 0.96, False), ("tutor", 0.2, True)],
)
def test_in_a_lesson_a_model_is_asked_where_the_classifier_points_elsewhere_or_nowhere(
    stage: Any, provider: Provider, monkeypatch: Any, label: str | None, confidence: float, asks: bool
) -> None:
    guesses(monkeypatch, label, confidence)
    says(provider, "tutor")
    stage.say(VAGUE)
    assert asked(provider) == asks


def test_without_the_models_word_the_classifiers_counts_as_it_does_without_a_model(
    stage: Any, provider: Provider, monkeypatch: Any
) -> None:
    set_goal(stage.person, Concept.objects.get(slug="add-like"))
    stage.key = "another"
    guesses(monkeypatch, "pathplanner", 0.6)
    provider.script(COORDINATOR, Answer(status=500))
    exchange = stage.say(VAGUE)
    assert exchange.cards("path")
    assert told(exchange)[-1] == ("pathplanner", "classifier", "Sounds like a question about the way ahead.")
    guesses(monkeypatch, None, 0.6)
    provider.script(COORDINATOR, Answer(object={"agent": "nobody"}))
    exchange = stage.say(VAGUE)
    assert "outside of what I can help with" in exchange.reply
    assert told(exchange)[-1] == ("tutor", "classifier", "Sounds like nothing the team does.")


@pytest.mark.parametrize(
    ("reason", "shown"),
    [
        ("  asks\nfor\tthe way\x00 ", "asks for the way"),
        ("word " * 100, "word " * 23 + "word…"),
        ("", "A language model reads the message so."),
        ("<b>asks</b>", "A language model reads the message so."),
        ("see https://example.com", "A language model reads the message so."),
        ("You have mastered this.", "A language model reads the message so."),
        (coordinator.ROLE.prompt.text[:100], "A language model reads the message so."),
    ],
)
def test_reason_is_one_plain_line(reason: str, shown: str) -> None:
    facts = UndecidedFacts(tutor=LobbyFacts(turn_id="", courses=()), others={})
    results = {"coordinator": Coordinated(agent="tutor", reason=reason)}
    made = choice(Request(facts=facts, results=results))
    assert (made.to, made.reason) == ("tutor", shown)
    assert one_line(one_line(reason)) == one_line(reason)


def test_agent_that_cannot_serve_here_is_not_chosen() -> None:
    facts = UndecidedFacts(tutor=LobbyFacts(turn_id="", courses=()), others={})
    made = choice(Request(facts=facts, results={"coordinator": Coordinated(agent="feedback", reason="why")}))
    assert (made.to, made.strategy) == ("tutor", "rule")
