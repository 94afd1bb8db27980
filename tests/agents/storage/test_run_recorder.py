"""A run's outcomes become rows of figures."""

import uuid

import pytest

from agents.engine.outcomes import Answered, Failed, Refused, TimedOut
from agents.engine.runner import RunResult
from agents.errors import LLMTimeout
from agents.llm.token_usage import Usage
from agents.models import AgentCall, Run
from agents.storage.run_recorder import record_run

pytestmark = [pytest.mark.db, pytest.mark.django_db]

SAID = {"agent": "tutor", "text": "One half.", "ms": 12.5}
OUTCOMES = [
    (Answered(result=None, **SAID), "answered", ""),
    (Answered(result=None, failure=LLMTimeout, **SAID), "answered", "timeout"),
    (TimedOut(after_s=1.0, **SAID), "timed_out", "timeout"),
    (Failed(error_type="validation", message="", recoverable=True, **SAID), "failed", "validation"),
    (Refused(**SAID), "refused", "api_error"),
]


def recorded(*outcomes, person=None, **result):
    return record_run(
        turn_id=uuid.uuid4(),
        graph="learning",
        result=RunResult(**{"outcomes": outcomes, "state": {}, "position": None, **result}),
        person_id=person.pk if person else None,
    )


@pytest.mark.parametrize(("outcome", "ending", "error"), OUTCOMES)
def test_every_ending_is_a_row_of_its_own_kind(outcome, ending, error):
    call = AgentCall.objects.get(run_id=recorded(outcome))
    assert (call.ending, call.error_type, call.agent, call.ms, call.characters) == (ending, error, "tutor", 12.5, 9)


def test_tokens_nobody_counted_stay_unknown():
    recorded(Answered(result=None, **SAID))
    call = AgentCall.objects.get()
    assert (call.input_tokens, call.output_tokens, call.backend) == (None, None, "offline")


def test_tokens_counted_are_kept():
    usage = Usage(backend="anthropic", model="m", input_tokens=3, output_tokens=0)
    recorded(Answered(result=None, usage=usage, **SAID))
    call = AgentCall.objects.get()
    assert (call.backend, call.model, call.input_tokens, call.output_tokens) == ("anthropic", "m", 3, 0)


def test_agents_are_numbered_in_the_order_of_their_endings():
    recorded(*(outcome for outcome, _, _ in OUTCOMES))
    assert [*AgentCall.objects.order_by("number").values_list("number", "ending")] == [
        (number, ending) for number, (_, ending, _) in enumerate(OUTCOMES, 1)
    ]


def test_run_says_whose_it_was_and_how_it_ended(ada):
    run = Run.objects.get(pk=recorded(person=ada, position=(0,), aborted=True))
    assert (run.person_id, run.graph, run.waits, run.aborted) == (ada.pk, "learning", True, True)


def test_run_without_a_person_is_recorded_too():
    assert Run.objects.get(pk=recorded()).person_id is None
