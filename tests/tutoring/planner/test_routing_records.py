"""What is recorded of a message that an agent of the companion gets: what every step said, and not the message."""

import pytest

from agents.models import RoutedMessage
from conversations.companion.state import KEY
from tests.conversations.turn_helpers import begun
from tutoring.planner import routing_records
from tutoring.planner.routing import classify
from tutoring.planner.routing_records import prepare_record, record_companion_turn

pytestmark = pytest.mark.django_db

TEXT = "breakfast lunch dinner snacks"


def told(to, strategy="keyword", confidence=0.97):
    routed = {"type": "routed", "from": "", "to": to, "strategy": strategy, "confidence": confidence, "reason": "So."}
    return [routed, {"type": "handed_off", "from": to, "to": "task", "reason": "Also."}]


@pytest.fixture
def record(django_capture_on_commit_callbacks):
    """Return a function that settles a turn with these transitions."""

    def settled(turn, transitions):
        with django_capture_on_commit_callbacks(execute=True):
            record_companion_turn(turn, transitions)

    return settled


def test_every_step_is_recorded_once_and_the_message_is_not(ada, record):
    turn = begun(ada, text=TEXT)
    turn.session.state = {KEY: {"workspace": "class-4b"}}
    record(turn, told("food"))
    record(turn, told("event"))
    row = RoutedMessage.objects.get()
    assert (row.surface, row.space, row.owner, row.turn_id) == ("companion", "class-4b", ada, turn.pk)
    assert (row.agent, row.strategy, row.by_keyword, row.by_classifier, row.by_model) == (
        "food", "keyword", "food", "food", "",
    )  # fmt: skip
    assert row.words == ["breakfast", "lunch", "dinner", "snack*"]
    assert TEXT not in str(vars(row))


def test_a_models_choice_is_its_own(ada, record):
    record(begun(ada, text=TEXT), told("event", "llm", None))
    row = RoutedMessage.objects.get()
    assert (row.agent, row.by_model, row.by_keyword, row.confidence) == ("event", "event", "food", None)


def test_what_the_tutor_gets_is_not_recorded(ada, record):
    record(begun(ada, text=TEXT), told("tutor", "rule", None))
    record(begun(ada, key="t", text=TEXT), [])
    assert not RoutedMessage.objects.exists()


def test_a_message_deleted_in_the_meantime_is_not_recorded(ada, record):
    turn = begun(ada, text=TEXT)
    turn.messages.all().delete()
    record(turn, told("food"))
    assert not RoutedMessage.objects.exists()


def test_the_classifier_judges_before_the_transaction_what_the_companion_gets(monkeypatch):
    judged = []
    monkeypatch.setattr(routing_records, "classify", lambda text: judged.append(text) or classify(text))
    prepare_record("tutor", TEXT)
    prepare_record("food", TEXT)
    assert judged == [TEXT]
