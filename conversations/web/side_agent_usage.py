"""Usage of side agents: for a turn, and for a whole conversation."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conversations.models import SELF_REPORT, Analysis, Session, Turn
from conversations.speakers import agent_label

A_SECOND = 1000
"""Times of at least this many milliseconds are shown in seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SideAgentLook:
    """One side agent's look at a turn."""

    agent: str
    label: str
    took: str
    """Time, tokens and cost, as far as they are known."""
    said: str
    """Whether a model's result was used, and if not, why; empty if only code decided."""


def looks_at(turns: Sequence[Turn]) -> dict[uuid.UUID, list[SideAgentLook]]:
    """Return the side agents' looks at each of the turns; one query."""
    found: dict[uuid.UUID, list[SideAgentLook]] = {turn.pk: [] for turn in turns}
    for row in Analysis.objects.filter(turn__in=turns).exclude(agent=SELF_REPORT).order_by("pk"):
        assert row.turn_id is not None
        found[row.turn_id].append(
            SideAgentLook(agent=row.agent, label=agent_label(row.agent), took=_usage_of(row), said=_model_words(row))
        )
    return found


def _usage_of(row: Analysis) -> str:
    if row.reused:
        return _("reused an earlier result at no extra cost")
    return _usage_words(ms=row.ms, tokens=(row.input_tokens or 0) + (row.output_tokens or 0), usd=row.cost_usd or 0.0)


def _model_words(row: Analysis) -> str:
    match row.status:
        case Analysis.Status.REJECTED:
            return _("A model’s answer was not used: %(reason)s.") % {"reason": row.reason.rstrip(".")}
        case Analysis.Status.FAILED:
            return _("A model did not answer (%(reason)s).") % {"reason": row.reason}
    return _("%(model)s was also asked.") % {"model": row.model} if row.model else ""


def usage_line(session: Session) -> str:
    """Return the side agents' usage in a conversation so far, in a line; empty if there was none. One query."""
    looks = Analysis.objects.filter(session=session).exclude(agent=SELF_REPORT)
    sums = looks.aggregate(
        times=Count("pk"),
        refused=Count("pk", filter=~Q(status=Analysis.Status.TAKEN)),
        ms=Sum("ms", default=0.0),
        read=Sum("input_tokens", default=0),
        written=Sum("output_tokens", default=0),
        usd=Sum("cost_usd", default=0.0),
    )
    if not sums["times"]:
        return ""
    looked = ngettext("%(count)s background check", "%(count)s background checks", sums["times"])
    took = _usage_words(ms=sums["ms"], tokens=sums["read"] + sums["written"], usd=sums["usd"])
    line = f"{looked % {'count': sums['times']}}: {took}"
    refused = ngettext("%(count)s not used", "%(count)s not used", sums["refused"]) % {"count": sums["refused"]}
    return f"{line} · {refused}" if sums["refused"] else line


def _usage_words(*, ms: float, tokens: int, usd: float) -> str:
    """Return the time, and tokens and US dollars if there are any."""
    in_ms = _("%(count)s ms") % {"count": max(1, round(ms))}
    parts = [in_ms if ms < A_SECOND else _("%(count)s s") % {"count": f"{ms / A_SECOND:.1f}"}]
    if tokens:
        parts.append(ngettext("%(count)s token", "%(count)s tokens", tokens) % {"count": f"{tokens:,}"})
    if usd:
        parts.append(f"${usd:.4f}")
    return " · ".join(parts)
