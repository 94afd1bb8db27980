"""Side agents that ask a model: what it says is checked, joined with what code says, and kept; the lesson goes on."""

import pytest

from conversations.models import Analysis, Finding
from tests.provider import Answer, Provider
from tests.tutoring.lessons.lesson_player import StageWithHub
from tests.tutoring.local_provider import IMPATIENT, PATIENT, connected
from tests.tutoring.situations.setup import READER
from tutoring.models import Concept
from tutoring.side_agents import misconception

pytestmark = [pytest.mark.db, pytest.mark.django_db]

SAID = "if i break a cookie anywhere each part is a half"
PROMPT = "You look for a misconception"
FOUND = {
    "misconception_detected": True,
    "misconception_type": "any_two_pieces_are_halves",
    "confidence": 0.95,
    "evidence": SAID,
    "intervention_suggestion": "Ask about the sizes.",
    "corrective_concept": "Half means two equal parts.",
}


@pytest.fixture(scope="module")
def provider():
    with Provider() as running:
        yield running


@pytest.fixture
def stage(kept_fractions, ben, provider, request):
    # No reading of the message comes of this, so that the side agent is asked.
    provider.script(READER, Answer(text="I cannot say."))
    with connected(provider, "anthropic", limits=getattr(request, "param", PATIENT)) as by:
        stage = StageWithHub(
            ben, Concept.objects.select_related("course").get(slug="one-half"), speakers=by.speakers, walk=by.walk
        )
        stage.open()
        yield stage
    provider.script(PROMPT)
    provider.script(READER)


def analysis(stage):
    return Analysis.objects.get(turn=stage.exchanges[-1].turn, agent="misconception")


def test_what_a_model_finds_counts_with_what_code_says(stage, provider):
    """A model's word alone is not enough; with what code thinks likely it is."""
    said = "both parts are halves, it does not matter how it is cut"
    provider.script(PROMPT, Answer(object=FOUND | {"evidence": said}))
    stage.say(said)
    kept = analysis(stage)
    assert (kept.status, kept.backend) == ("taken", "anthropic")
    assert kept.output["misconception_type"] == FOUND["misconception_type"]
    assert kept.input_tokens


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        (Answer(object=FOUND | {"confidence": 7}), "LLMInvalidOutput"),
        (Answer(text="It is a misconception, I am sure!"), "LLMInvalidOutput"),
        (Answer(object=FOUND | {"misconception_type": "the_earth_is_flat"}), ""),
        (Answer(object=FOUND | {"evidence": "halves are any two pieces, teacher"}), ""),
        (Answer(object=FOUND | {"corrective_concept": "x" * 100_000}, burst=True), "too long"),
        (Answer(text='{"confidence": "' + "x" * 100_000, burst=True), "LLMInvalidOutput"),
    ],
)
def test_what_a_model_may_not_say_is_rejected_and_kept_with_the_reason(stage, provider, told, reason):
    provider.script(PROMPT, told)
    reply = stage.say(SAID).reply
    kept = analysis(stage)
    assert kept.status == "rejected"
    assert kept.reason
    assert kept.reason == reason or not reason
    assert 0 < len(str(kept.rejected)) < 10_000
    assert not kept.output["misconception_detected"]
    assert reply
    assert not Finding.objects.filter(kind="misconception").exists()


@pytest.mark.parametrize("stage", [IMPATIENT], indirect=True)
@pytest.mark.parametrize("fault", [Answer(status=500, text="no"), Answer(first_delay_s=2.0, text="late")])
def test_a_model_that_fails_leaves_what_code_says(stage, provider, fault):
    provider.script(PROMPT, fault)
    reply = stage.say(SAID).reply
    kept = analysis(stage)
    assert (kept.status, kept.backend) == ("failed", "")
    assert reply


def test_the_same_is_not_asked_twice(stage, provider):
    provider.script(PROMPT, Answer(object=FOUND))
    first = stage.say(SAID)
    stage.say(SAID, replaces=first)
    assert list(Analysis.objects.filter(agent="misconception").order_by("pk").values_list("reused", flat=True)) == [
        False,
        True,
    ]


def test_side_agent_that_chokes_on_a_model_costs_the_others_nothing(stage, provider, monkeypatch):
    monkeypatch.setattr(misconception, "combined", lambda *_: 1 / 0)
    provider.script(PROMPT, Answer(object=FOUND))
    stage.say(SAID)
    assert (analysis(stage).status, analysis(stage).reason) == ("rejected", "internal error")
    assert Analysis.objects.filter(turn=stage.exchanges[-1].turn, agent="emotion").exists()
