"""Costs of model calls in a period: by agent, class, model, conversation and time."""

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from django.core.cache import cache
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Sum
from django.utils import formats, timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from agents.models import ModelCall
from agents.wire.csv_export import csv_lines
from conversations.charts.figures import ChartCard, ChartPoint, value_words
from conversations.models import Session, Turn
from conversations.speakers import agent_label
from learnagent.ops.figures import CACHED_S, CACHED_TIMES
from learnagent.ops.periods import Period
from tutoring.models import Classroom

MOST_CONVERSATIONS: Final = 20
CLASS_PREFIX: Final = "class:"
Group = Literal["time", "agent", "model", "class", "conversation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CostRow:
    """What one agent, class, model, conversation or step of time cost."""

    name: str
    short: str = ""
    """What stands below the chart instead of the name; the name if empty."""
    calls: int = 0
    tokens: int = 0
    usd: float = 0.0
    unknown: int = 0
    """Calls that used tokens and whose cost is not known."""

    def plus(self, other: "CostRow") -> "CostRow":
        return CostRow(
            name=self.name,
            short=self.short,
            calls=self.calls + other.calls,
            tokens=self.tokens + other.tokens,
            usd=self.usd + other.usd,
            unknown=self.unknown + other.unknown,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """All costs of a period."""

    groups: dict[Group, Sequence[CostRow]]
    total: CostRow = field(default_factory=lambda: CostRow(name=""))


def costs_of(period: Period) -> Costs:
    """Return the costs as of a short time ago, as for the live figures."""
    key = f"costs-{period.days}-{period.since.timestamp():.0f}-{get_language()}"
    found: Costs | None = cache.get(key)
    if found is None:
        began = time.monotonic()
        found = compute_costs(period)
        cache.set(key, found, max(CACHED_S, CACHED_TIMES * (time.monotonic() - began)))
    return found


def compute_costs(period: Period) -> Costs:
    """Return the costs as of now. 7 queries."""
    calls = ModelCall.objects.filter(started_at__gte=period.since).order_by()
    by_step = {int(row.name): row for row in _summed(calls, period.step_of("started_at"))}
    over_time = [
        _named(by_step.get(number), period.label(number), short=period.short_label(number))
        for number in range(period.count)
    ]
    agents = [_named(row, agent_label(row.name)) for row in _summed(calls, "agent")]
    total = CostRow(name="")
    for row in over_time:
        total = total.plus(row)
    return Costs(
        groups={
            "time": over_time,
            "agent": _dearest_first(agents),
            "model": _dearest_first(_summed(calls, "model")),
            "class": _dearest_first(_by_class(calls)),
            "conversation": _by_conversation(calls),
        },
        total=total,
    )


def cost_charts(costs: Costs) -> list[ChartCard]:
    """Return a chart with its table for each group that has rows."""
    titles: dict[Group, str] = {
        "time": _("Over time"),
        "agent": _("By agent"),
        "model": _("By model"),
        "class": _("By class"),
        "conversation": _("Most expensive conversations"),
    }
    return [
        ChartCard(
            title=title,
            columns=[title, _("Calls"), _("Tokens"), _("Cost")],
            rows=[[row.name, row.calls, row.tokens, _money(row)] for row in costs.groups[group]],
            shape="line" if group == "time" else "bar",
            unit="$",
            points=[ChartPoint(label=row.short or row.name, value=row.usd) for row in costs.groups[group]],
        )
        for group, title in titles.items()
        if any(row.calls for row in costs.groups[group])
    ]


def costs_csv(costs: Costs) -> str:
    """Return all groups as CSV."""
    head = ("by", "name", "calls", "tokens", "usd", "calls_with_unknown_cost")
    rows = (
        (group, row.name, row.calls, row.tokens, round(row.usd, 6), row.unknown)
        for group, found in costs.groups.items()
        for row in found
    )
    return csv_lines([head, *rows])


def _summed(calls: QuerySet[Any], by: Any, *, most: int | None = None) -> list[CostRow]:
    """Return the sums of calls that have the same `by`; only the `most` expensive ones if given."""
    sums = calls.values_list(by).annotate(
        count=Count("pk"), tokens=Sum("spent_tokens"), usd=Sum("cost_usd"), unknown=Count("pk", filter=_COST_UNKNOWN)
    )
    found = sums.order_by("-usd")[:most] if most else sums
    return [
        CostRow(
            name=name if isinstance(name, str) else str(name),
            calls=count,
            tokens=tokens or 0,
            usd=usd or 0.0,
            unknown=unknown,
        )
        for name, count, tokens, usd, unknown in found
    ]


_COST_UNKNOWN = Q(spent_tokens__gt=0, cost_usd=None) & (Q(spent_usd=None) | Q(spent_usd__gt=0))


def _by_class(calls: QuerySet[Any]) -> list[CostRow]:
    """Return the costs of each class; a call for a person in two classes counts in both, as for budgets."""
    found: defaultdict[str, CostRow] = defaultdict(lambda: CostRow(name=""))
    # Summed here for each list of accounts: SQLite cannot query inside a list.
    sums = calls.values_list("accounts").annotate(
        count=Count("pk"), tokens=Sum("spent_tokens"), usd=Sum("cost_usd"), unknown=Count("pk", filter=_COST_UNKNOWN)
    )
    for accounts, count, tokens, usd, unknown in sums:
        row = CostRow(name="", calls=count, tokens=tokens or 0, usd=usd or 0.0, unknown=unknown)
        for code in _class_codes(accounts):
            found[code] = found[code].plus(row)
    names = dict(Classroom.objects.filter(code__in=found).values_list("code", "name"))
    return [_named(row, names.get(code, code)) for code, row in found.items()]


def _class_codes(accounts: Sequence[str]) -> Iterator[str]:
    return (each.removeprefix(CLASS_PREFIX) for each in accounts if each.startswith(CLASS_PREFIX))


def _by_conversation(calls: QuerySet[Any]) -> list[CostRow]:
    """Return the most expensive conversations, named by their owner and first day: their titles are the owner's own."""
    session = Subquery(Turn.objects.filter(pk=OuterRef("turn_id")).values("session_id")[:1])
    in_turns = calls.exclude(turn_id=None).filter(cost_usd__gt=0)
    rows = [row for row in _summed(in_turns, session, most=MOST_CONVERSATIONS) if row.name != "None"]
    sessions = Session.with_deleted.select_related("owner").defer("title", "state", "positions")
    found = {str(each.pk): each for each in sessions.filter(pk__in=[row.name for row in rows])}
    return [_named(row, _conversation_name(found[row.name])) for row in rows if row.name in found]


def _conversation_name(session: Session) -> str:
    return f"{session.owner}, {formats.date_format(timezone.localtime(session.created_at), 'j M')}"


def _named(row: CostRow | None, name: str, *, short: str = "") -> CostRow:
    named = CostRow(name=name, short=short)
    return named.plus(row) if row is not None else named


def _dearest_first(rows: Sequence[CostRow]) -> list[CostRow]:
    return sorted(rows, key=lambda row: (-row.usd, -row.tokens, row.name))


def _money(row: CostRow) -> str:
    words = value_words(row.usd, "$")
    return _("at least %(usd)s") % {"usd": words} if row.unknown else words
