"""Costs of turns: every real call counts once, including attempts that were cut off."""

import uuid
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from agents.models import ModelCall
from agents.usage import raw_sql


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCost:
    """The total of a turn's calls, as shown on the page and in the API."""

    calls: int = 0
    """Number of model requests."""
    provider: str = ""
    """The provider that charged for it; empty if none did."""
    tokens: int = 0
    """Input and output tokens; estimated for calls that were not counted: cut off, or still open."""
    usd: float | None = 0.0
    """Sum of the known costs, in US dollars; None if calls used tokens and no cost is known."""
    is_lower_bound: bool = False
    """A cost is unknown and missing in `usd`: the call has no price, was cut off, or is still open."""
    input_tokens: int | None = None
    """Sum of what providers counted; None if they counted nothing, or no model was asked."""
    output_tokens: int | None = None


def cost_of(turns: uuid.UUID | QuerySet[Any]) -> TurnCost:
    """Return the total of the calls so far, of one turn or of those whose ids a queryset selects."""
    if isinstance(turns, uuid.UUID):
        figures = raw_sql.sum_costs("%s", [ModelCall._meta.get_field("turn_id").get_db_prep_value(turns, connection)])
    else:
        figures = raw_sql.sum_costs(*turns.query.sql_with_params())
    calls, provider, tokens, usd, took, unknown, read, written = figures
    return TurnCost(
        calls=calls,
        provider=provider,
        tokens=tokens,
        usd=None if unknown and unknown == took else usd,
        is_lower_bound=bool(unknown),
        input_tokens=read,
        output_tokens=written,
    )
