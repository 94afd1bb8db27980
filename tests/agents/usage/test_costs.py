"""What a turn has taken: the ledger's sums, and what stands where some call is missing in them."""

import uuid
from decimal import Decimal
from typing import Any

import pytest

from agents.models import ModelCall
from agents.usage.costs import TurnCost, cost_of
from conversations.turns.summary import _metadata

pytestmark = [pytest.mark.db, pytest.mark.django_db]
TURN = uuid.UUID(int=7)
COUNTED = {"input_tokens": 300, "output_tokens": 20, "cost_usd": 0.5, "spent_tokens": 320, "spent_usd": Decimal("0.5")}
UNPRICED = COUNTED | {"cost_usd": None, "spent_usd": None}
CUT_OFF: dict[str, Any] = {"status": "cancelled", "spent_tokens": 90, "spent_usd": Decimal("0.1")}
FREE_AND_CUT_OFF = CUT_OFF | {"spent_usd": Decimal(0)}
REFUSED = {"status": "failed"}


def told(*calls: dict[str, Any]) -> tuple[int | None, int | None, float | None, bool]:
    """Return a turn's tokens read and written, its cost, and whether that is a lower bound, as its metadata has them."""
    for call in calls:
        given = {"status": "answered", "spent_tokens": 0, "spent_usd": Decimal(0), **call}
        ModelCall.objects.create(turn_id=TURN, agent="tutor", backend="b", model="m", **given)
    figures = _metadata([], cost=cost_of(TURN), total_ms=1.0)
    return *figures["tokens"].values(), figures["cost_usd"], figures["cost_is_lower_bound"]


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ([], (None, None, 0.0, False)),
        ([COUNTED], (300, 20, 0.5, False)),
        ([COUNTED, COUNTED], (600, 40, 1.0, False)),
        ([COUNTED, REFUSED], (300, 20, 0.5, False)),
        ([COUNTED, UNPRICED], (600, 40, 0.5, True)),
        ([COUNTED, CUT_OFF], (300, 20, 0.5, True)),
        ([UNPRICED], (300, 20, None, True)),
        ([CUT_OFF], (None, None, None, True)),
        ([FREE_AND_CUT_OFF], (None, None, 0.0, False)),
        ([COUNTED, FREE_AND_CUT_OFF], (300, 20, 0.5, False)),
        ([FREE_AND_CUT_OFF, UNPRICED], (300, 20, 0.0, True)),
        ([REFUSED], (None, None, 0.0, False)),
    ],
)
def test_metadata_are_the_ledgers_sums(calls: list[dict[str, Any]], expected: tuple[Any, ...]) -> None:
    assert told(*calls) == expected


def test_another_turns_calls_do_not_count() -> None:
    told(COUNTED)
    assert cost_of(uuid.UUID(int=8)) == TurnCost()


def test_calls_of_selected_turns_are_summed() -> None:
    told(COUNTED)
    assert cost_of(ModelCall.objects.filter(turn_id=TURN).values("turn_id")).tokens == 320
    assert cost_of(ModelCall.objects.filter(turn_id=uuid.UUID(int=8)).values("turn_id")) == TurnCost()
