"""Figures for round tables by day or week, of the whole site or of one person: counted from the rows of their turns."""

import uuid
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from itertools import batched
from typing import Final, Literal

from django.db.models import Count, Q, QuerySet, Sum
from django.utils import timezone

from agents.models import ModelCall
from agents.usage.costs import TurnCost, cost_of
from agents.usage.percentiles import percentiles_of
from conversations.models import Event, Turn
from conversations.owners import Owner
from conversations.round_table.names import INITIATOR, PAYLOAD_KEY, SUMMARIZER

type Interval = Literal["day", "week"]

SHOWN: Final[Mapping[Interval, int]] = {"day": 30, "week": 26}
"""How many days or weeks are counted, the present one included."""
BATCH: Final = 500
"""Turns in one query. In one with a join, SQLite would read the whole table of events."""
_UNPRICED: Final = Q(spent_tokens__gt=0, cost_usd=None) & (Q(spent_usd=None) | Q(spent_usd__gt=0))
"""Calls whose cost is unknown; for a free model none has to be known."""


@dataclass(slots=True, kw_only=True)
class AgentTimes:
    """What the collaborators of some tables did, or one of them."""

    ms: list[float] = field(default_factory=list)
    """How long each answer took, in milliseconds."""
    errors: Counter[str] = field(default_factory=Counter)
    """Type of an error → how often it was why an agent failed."""

    @property
    def failures(self) -> int:
        return self.errors.total()

    @property
    def reasons(self) -> list[tuple[str, int]]:
        """Types of errors with how often, the most frequent one first. In a template, a Counter has 0 `items`."""
        return self.errors.most_common()

    @property
    def p50_s(self) -> float | None:
        return self._percentile(50)

    @property
    def p95_s(self) -> float | None:
        return self._percentile(95)

    def _percentile(self, percent: int) -> float | None:
        found = percentiles_of(self.ms)
        return found[percent] / 1000 if found else None

    def take(self, ms: float, *, error: str | None) -> None:
        """Count an answer, or a failure by the type of its error."""
        if error is None:
            self.ms.append(ms)
        else:
            self.errors[error] += 1


@dataclass(slots=True, kw_only=True)
class PeriodFigures:
    """The figures of the tables that began in a day, a week, or the whole time."""

    begins: date
    tables: int = 0
    rounds: int = 0
    """That ended."""
    agents: AgentTimes = field(default_factory=AgentTimes)
    tool_calls: int = 0
    tool_successes: int = 0
    usd: float = 0.0
    """Sum of the known costs, in US dollars."""
    is_lower_bound: bool = False
    """Whether the cost of a call is unknown, and missing in `usd`."""

    @property
    def tool_success(self) -> float | None:
        """The share of the tool calls that succeeded, in percent; None without calls."""
        return 100 * self.tool_successes / self.tool_calls if self.tool_calls else None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFigures:
    """The figures of all the time that is counted."""

    whole: PeriodFigures
    periods: Sequence[PeriodFigures]
    """Oldest first; those without a table too."""
    agents: Mapping[str, AgentTimes]
    """By collaborator, by name."""


def table_figures(person: Owner | None, *, by: Interval, today: date | None = None) -> TableFigures:
    """Return the figures of the person's tables, or of everybody's, up to today in the present time zone."""
    begins = period_begins(today or timezone.localdate(), by=by)
    whole = PeriodFigures(begins=begins[0])
    periods = {each: PeriodFigures(begins=each) for each in begins}
    agents: dict[str, AgentTimes] = defaultdict(AgentTimes)
    since = timezone.make_aware(datetime.combine(begins[0], time.min))
    turns = tables_of(person).filter(created_at__gte=since).order_by("created_at").values_list("pk", "created_at")
    for batch in batched(turns, BATCH, strict=False):
        # A table that begins at midnight, between the two looks at the clock, counts for the last period.
        held = {pk: periods[min(_begin(timezone.localdate(at), by=by), begins[-1])] for pk, at in batch}
        for period in held.values():
            period.tables += 1
            whole.tables += 1
        _count_events(held, whole)
        _count_agents(held, whole, agents)
        _count_costs(held, whole)
    return TableFigures(whole=whole, periods=tuple(periods.values()), agents=dict(sorted(agents.items())))


def tables_of(person: Owner | None) -> QuerySet[Turn]:
    """Return the turns that are the person's round tables, or everybody's."""
    turns = Turn.objects.filter(payload__has_key=PAYLOAD_KEY)
    return turns if person is None else turns.filter(owner=person)


def own_cost(person: Owner) -> tuple[int, TurnCost]:
    """Return how many round tables the person has held, and what they cost together."""
    tables = tables_of(person)
    return tables.count(), cost_of(tables.order_by().values("pk"))


def period_begins(today: date, *, by: Interval) -> list[date]:
    """Return the first days of the periods that are counted, oldest first."""
    last, step = _begin(today, by=by), timedelta(days=7 if by == "week" else 1)
    return [last - step * number for number in reversed(range(SHOWN[by]))]


def _begin(day: date, *, by: Interval) -> date:
    return day - timedelta(days=day.weekday()) if by == "week" else day


def _count_events(held: Mapping[uuid.UUID, PeriodFigures], whole: PeriodFigures) -> None:
    rows = Event.objects.filter(turn__in=list(held), type__in=("round_finished", "tool_returned")).order_by()
    counts = rows.values_list("turn_id", "type").annotate(
        times=Count("pk"), successes=Count("pk", filter=Q(body__ok=True))
    )
    for turn, kind, times, successes in counts:
        for each in (held[turn], whole):
            if kind == "round_finished":
                each.rounds += times
            else:
                each.tool_calls += times
                each.tool_successes += successes


def _count_agents(held: Mapping[uuid.UUID, PeriodFigures], whole: PeriodFigures, agents: dict[str, AgentTimes]) -> None:
    # The events, not the calls of the run: those of a process that died are missing there.
    rows = Event.objects.filter(turn__in=list(held), type__in=("agent_finished", "agent_failed")).order_by()
    for turn, agent, ms, error in rows.values_list("turn_id", "body__agent", "body__ms", "body__error_type"):
        if agent not in (INITIATOR, SUMMARIZER):
            for each in (held[turn].agents, whole.agents, agents[agent]):
                each.take(ms, error=error)


def _count_costs(held: Mapping[uuid.UUID, PeriodFigures], whole: PeriodFigures) -> None:
    rows = ModelCall.objects.filter(turn_id__in=list(held)).order_by().values_list("turn_id")
    for turn, usd, unpriced in rows.annotate(usd=Sum("cost_usd"), unpriced=Count("pk", filter=_UNPRICED)):
        for each in (held[turn], whole):
            each.usd += float(usd or 0)
            each.is_lower_bound |= bool(unpriced)


def newest_first(figures: TableFigures) -> Iterator[PeriodFigures]:
    """Yield the periods in which tables were held, the latest one first."""
    return (each for each in reversed(figures.periods) if each.tables)
