"""The milestone detector: what code alone grants, and how far a model's word goes beside it."""

import contextlib
import io
import json

import pytest
from django.core.management import CommandError, call_command

from agents.engine.roles import Request
from tests.tutoring.lessons.lesson_player import fractions, load_fractions
from tutoring.mastery.misconception_evidence import Suspicion
from tutoring.mastery.turn_evidence import LearnerTurn, MilestoneUse
from tutoring.side_agents import milestone
from tutoring.side_agents.analyse_command import milestone as analysing
from tutoring.side_agents.milestone import MilestoneOutput, combined, judge
from tutoring.side_agents.utterance_facts import OverheardUtterance
from tutoring.understanding.message_analysis import Evidence, MessageAnalysis

OWN = "when there are two of them and neither is bigger than the other one"
HEAP = "same size, two, both, equal, halves, pieces"
PART = "there are two pieces and my sister gets one of these"
RIGHT = MilestoneUse(template="oh-make-half", correct=True, assisted=False)


NAME = "oh-two-equal-parts"
WRONG = "yes these two pieces are halves because there are two"
TWO_PIECES = "any_two_pieces_are_halves"


def read(text, *, says=False, wrong="", intent="idea", **more):
    """Return the analysis of a message that says the milestone, or a misconception, or neither."""
    said = (Evidence(id=NAME, probability=0.9, quote=text),) if says else ()
    shown = (Evidence(id=wrong, probability=0.95, quote=text),) if wrong else ()
    return MessageAnalysis(intents=((intent, 0.9),), milestones=said, misconceptions=shown, **more)


def overheard(*words, uses=(RIGHT,), told=(), says=False, wrong="", analysis=None, **more):
    course = fractions().course
    concept = course.concept("one-half")
    text = words[-1] if words else ""
    facts = {"milestone": concept.milestones[0], "text": text} | more
    analysis = analysis or read(text, says=says, wrong=wrong)
    return OverheardUtterance(
        turn=3, course=course, concept=concept, own_words=words, told=told, uses=uses, analysis=analysis, **facts
    )


def before(text):
    """Return a turn before this one that said the milestone."""
    return LearnerTurn(text=text, milestones={NAME: text})


def held(confidence):
    odds = confidence / (1 - confidence)
    name = "any_two_pieces_are_halves"
    return {name: Suspicion(id=name, odds=odds, noticed=True)}


@pytest.mark.parametrize(
    ("facts", "missing"),
    [
        (overheard(OWN, says=True), ""),
        (overheard("ok", said=frozenset({NAME})), ""),
        (overheard(OWN), "articulation"),
        (overheard(PART, analysis=read("words of another message", says=True)), "articulation"),
        (overheard("ok", exchanges=(before(OWN),)), "articulation"),
        (overheard(OWN, says=True, uses=()), "application"),
        (overheard(OWN, says=True, suspicions=held(0.6)), "misconception"),
        (overheard(WRONG, wrong=TWO_PIECES, said=frozenset({NAME})), "misconception"),
        (overheard(WRONG, wrong="add_tops_bottoms", said=frozenset({NAME})), ""),
        (overheard(OWN, says=True, suspicions=held(0.1)), ""),
    ],
)
def test_part_that_is_missing_is_named(facts, missing):
    said = judge(facts)
    assert (said.missing, said.mastery_achieved) == (missing, not missing)
    assert said.recommendation


def test_what_was_kept_as_said_is_quoted():
    judged = judge(overheard("ok", said=frozenset({NAME}), exchanges=(before(OWN),)))
    assert judged.mastery_achieved
    assert any(OWN in each for each in judged.evidence)


def test_no_milestone_left_is_no_fault():
    assert judge(overheard(OWN, milestone=None)).milestone_id == ""


def told(*, evidence, missing="", achieved=True, name=NAME):
    return MilestoneOutput(
        milestone_id=name, mastery_achieved=achieved, confidence=0.9, evidence=list(evidence), recommendation="",
        missing=missing,
    )  # fmt: skip


def test_model_raises_what_was_not_heard_by_quoting_the_learner():
    facts = overheard(PART)
    said, rejected = combined(facts, judge(facts), told(evidence=[f'The learner: "{PART}"']))
    assert (said.mastery_achieved, said.missing, rejected) == (True, "", "")
    assert PART in " ".join(said.evidence)


@pytest.mark.parametrize(
    ("facts", "by_model", "reason"),
    [
        (overheard(PART), told(evidence=['"two parts of just the same size"']), "not the learner's words"),
        (overheard(PART), told(evidence=['"two pieces"']), "too short, or not in their own words"),
        (overheard(PART, told=(f"{PART}.",)), told(evidence=[PART]), "too short, or not in their own words"),
        (overheard(f"is it that {PART}?"), told(evidence=[PART]), "too short, or not in their own words"),
        (overheard(HEAP), told(evidence=[HEAP]), "too short, or not in their own words"),
        (overheard(PART), told(evidence=[]), "no quote of the learner's words"),
        (overheard(PART), told(evidence=[PART], name="oh-many-names"), "it is about another milestone"),
        (overheard(OWN, says=True, uses=()), told(evidence=[OWN]), "the verdict is not the model's"),
        (
            overheard(OWN, says=True),
            told(evidence=[], achieved=False, missing="articulation"),
            "the verdict is not the model's",
        ),
        (overheard(PART), told(evidence=[], achieved=False, missing="articulation"), ""),
    ],
)
def test_model_changes_nothing_else(facts, by_model, reason):
    """A side agent that lies is told apart from the evidence, and rejected with the reason."""
    own = judge(facts)
    assert combined(facts, own, by_model) == (own, reason)


def test_model_that_quotes_still_grants_no_milestone_without_its_use():
    facts = overheard(PART, uses=())
    said, rejected = combined(facts, judge(facts), told(evidence=[PART]))
    assert (said.mastery_achieved, said.missing) == (False, "application")
    assert rejected == "the verdict is not the model's"


@pytest.mark.parametrize(
    ("facts", "asked"),
    [
        (overheard(PART, streak=2), True),
        (overheard(PART), False),
        (overheard(OWN, says=True, streak=2), False),
        (overheard("hello", streak=2, analysis=read("hello", intent="greeting")), False),
        (overheard(PART, streak=2, analysis=read(PART, read_by="model")), False),
        (overheard(PART, streak=2, milestone=None), False),
    ],
)
def test_model_is_asked_only_where_words_are_in_doubt_and_something_triggered_it(facts, asked):
    plan = milestone.ROLE.plan(Request(text=facts.text, facts=facts))
    assert (plan.result is None) is asked
    assert (json.dumps(PART) in plan.background) is asked


def analysed(rows, monkeypatch):
    text = "\n".join(map(json.dumps, rows))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8"))
    out = io.StringIO()
    with contextlib.suppress(CommandError):  # Told on the lines themselves.
        call_command("analyse", "milestone", stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


ENTRY = {
    "id": "same-size", "concept": "halves", "title": "Halves", "contradicts": ["any_two_pieces_are_halves"],
    "ideas": [{"any": ["same size", "neither.*bigger"], "w": 0.7}, {"any": ["two"], "w": 0.3}], "apply": {"items": ["x-*"]},
}  # fmt: skip
TURNS = [{"role": "tutor", "text": "When is it a half?"}, {"role": "learner", "text": OWN}]
ANSWERS = [{"correct": True, "assisted": False}]


@pytest.mark.django_db
def test_command_judges_scripts_by_id_or_entry_and_tells_what_it_cannot_read(monkeypatch):
    load_fractions()
    monkeypatch.setattr(analysing, "analyse", lambda text, context: read(text, says=text == OWN))
    rows = analysed(
        [
            {"milestone": "oh-two-equal-parts", "turns": TURNS, "answers": ANSWERS},
            {"milestone": ENTRY, "turns": TURNS, "answers": ANSWERS},
            {"milestone": ENTRY, "turns": TURNS},
            {"milestone": "nope", "turns": TURNS},
            {"milestone": ENTRY | {"ideas": []}, "turns": TURNS},
            {"milestone": ENTRY, "turns": [{"role": "dog", "text": "wuff"}]},
            {"milestone": ENTRY, "turns": "all"},
            {"milestone": ENTRY, "turns": [], "answers": [{"correct": 1, "assisted": False}]},
        ],
        monkeypatch,
    )
    assert set(rows[0]) == {*MilestoneOutput.model_fields, "ms"}
    assert [row["mastery_achieved"] for row in rows[:3]] == [True, True, False]
    assert [set(row) for row in rows[3:]] == [{"error"}] * 5
