"""What learners say in one tap about how it is going: for ten minutes it overrides every estimate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agents.wire import rejections
from conversations.models import SELF_REPORT as AGENT
from conversations.models import Analysis, Finding, Session
from tutoring.side_agents import emotion
from tutoring.side_agents.affect import estimate_affect

# After ten minutes the step that was hard is over; a longer one would hold back later work. Chosen by hand.
VALID_FOR: Final = timedelta(minutes=10)
# Against a held key or a script; nobody changes their mind more often.
A_MINUTE: Final = 12
"""How many times it can be said per minute."""
FEELINGS: Mapping[str, str | Promise] = {
    "fine": gettext_lazy("Just right"),
    "confused": gettext_lazy("Hard to follow"),
    "frustrated": gettext_lazy("Too much at once"),
    "bored": gettext_lazy("Too easy"),
}
_WHAT_COMES: Mapping[str, str | Promise] = {
    "confused": gettext_lazy("You said it’s hard to follow, so I’ll show it another way."),
    "frustrated": gettext_lazy("You said it’s too much at once, so I’ll make the next step smaller."),
    "bored": gettext_lazy("You said it’s too easy, so I’ll ask something harder."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfReport:
    """The current self-report."""

    feeling: str
    until: datetime


def current_self_report(session: Session) -> SelfReport | None:
    """Return what the learner said about how it is going; None if they said nothing lately, or undid it. One query."""
    now = timezone.now()
    rows = Analysis.objects.filter(session=session, agent=AGENT, created_at__range=(now - VALID_FOR, now)).order_by(
        "-pk"
    )
    row = rows.only("output", "created_at").first()
    feeling = row.output.get("feeling", "") if row else ""
    return SelfReport(feeling=feeling, until=row.created_at + VALID_FOR) if row and feeling in FEELINGS else None


@transaction.atomic
def save_self_report(session: Session, feeling: str) -> None:
    """Save what the learner says about how it is going; an empty `feeling` undoes it.

    It belongs to the latest turn, so that the next one already acts on it. Raise Rejection 422 for anything that
    `FEELINGS` does not have, 429 for too many in a minute.
    """
    if feeling and feeling not in FEELINGS:
        raise rejections.invalid("feeling", _("That isn’t one of the choices. Nothing was changed."))
    now = timezone.now()
    own = Analysis.objects.filter(session__owner=session.owner_id, agent=AGENT, created_at__lte=now)
    if own.filter(created_at__gt=now - timedelta(minutes=1)).count() >= A_MINUTE:
        raise rejections.rate_limited(
            _("Too many changes in the last minute. Wait a moment, then try again."), retry_after_s=30
        )
    key = sha256(f"{AGENT} {session.pk} {now.isoformat()}".encode()).hexdigest()
    Analysis.objects.create(
        session=session, person_id=session.owner_id, agent=AGENT, key=key, output={"feeling": feeling}
    )
    Finding.objects.filter(session=session, agent=AGENT, contested_at=None).update(contested_at=now)
    latest = session.turns.filter(replaced_by=None).order_by("-number").first()
    if not feeling or latest is None:
        return
    # Estimates from earlier messages are not acted on any more.
    others = Finding.objects.filter(
        session=session, kind="emotion", told_turn=None, contested_at=None, overridden_turn=None, resolved_turn=None
    ).exclude(agent=AGENT)
    others.update(overridden_turn=latest, overridden_why=_("You told me how it’s going."))
    content = emotion.output_of(estimate_affect((), self_report=feeling)).model_dump(mode="json")
    Finding.objects.create(
        session=session,
        turn=latest,
        agent=AGENT,
        kind="emotion",
        name=content["current_state"],
        words=str(_WHAT_COMES.get(feeling, "")),
        confidence=content["confidence"],
        content=content | {"turn": latest.number},
    )


def without_overridden(rows: Sequence[Mapping[str, Any]], *, at: datetime) -> list[Mapping[str, Any]]:
    """Return findings without those about the pace that the learner's self-report overrides, and without expired ones."""
    own = [
        row
        for row in rows
        if row["agent"] == AGENT and row["contested_at"] is None and row["created_at"] > at - VALID_FOR
    ]
    said = own[-1] if own else None
    return [
        row
        for row in rows
        if row is said
        or (row["agent"] != AGENT and (said is None or row["kind"] != "emotion" or row["name"] == said["name"]))
    ]
