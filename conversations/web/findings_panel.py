"""Findings of a conversation as shown to its learner: each once, with its history, and contestable."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conversations.drawing.interpretation import CLEAR_CONFIDENCE
from conversations.models import SELF_REPORT, Finding, Session
from conversations.turns.handler import turn_handler
from conversations.turns.side_agents import registered_listener

SHOWN = 5
"""Number of findings shown at first; the rest can be expanded."""
MOST = 100
"""Maximum number of findings read, latest first."""
FAIRLY_SURE, PERHAPS = 0.8, 0.5
"""Minimum confidence (0–1) for using these words."""
IN_REACH = 30
"""Number of latest turns that are on the page itself."""

_KINDS: Mapping[str, tuple[str, str | Promise]] = {
    "misconception": ("circle-help", gettext_lazy("Something I noticed")),
    "idea": ("lightbulb", gettext_lazy("Your idea")),
    "milestone": ("flag", gettext_lazy("A milestone")),
    "vision": ("pencil", gettext_lazy("Your drawing")),
    "emotion": ("arrow-right", gettext_lazy("Your pace")),
}
"""Kind of finding → its icon and heading."""
QUOTED_KINDS = ("misconception", "idea")
"""Kinds whose evidence is the learner's own words or answer; the evidence of others is a sign or a description."""
MOOD_KIND = "emotion"
"""The kind whose evidence is not shown to the learner: nobody wants to read why they seemed upset."""
_EMPHASIS = re.compile(r"\*(\S(?:[^*]*\S)?)\*")
"""A title as the tutor's replies show it: the panel shows plain text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingStep:
    """What happened to a finding in one turn."""

    number: int
    words: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingView:
    """One finding, noticed once or several times."""

    id: int
    kind: str
    icon: str
    heading: str
    words: str
    quote: str
    """The learner's own words or answer."""
    basis: str
    """Other evidence."""
    sure: str
    """How certain the finding is, or what happened to it, in a few words."""
    steps: tuple[FindingStep, ...]
    """Oldest first."""
    set_aside: str
    """Why the tutor decided otherwise; empty if it did not."""
    resolved: bool
    contested: bool
    still_shown: bool
    """Whether answers, which stay, point to the same after it was contested."""
    contest_url: str
    """Empty for what the learner said themselves."""


def finding_views(session: Session, *, on_page: bool = True) -> list[FindingView]:
    """Return the findings, newest first; three queries. `on_page`: the latest turns are on the same page."""
    alike = _shown_findings(session)
    if not alike:
        return []
    is_to_test = any(kind == "misconception" for kind, _name in alike)
    tested = turn_handler().tested(session) if is_to_test else ()
    near = session.turns.filter(replaced_by=None).order_by("-number").values_list("number", "pk")
    on_it = dict(near[:IN_REACH]) if on_page else {}
    return [_finding_view(session, found[::-1], tested, on_it) for found in alike.values()]


def _shown_findings(session: Session) -> dict[tuple[str, str], list[Finding]]:
    """Return the findings that are shown as one by their kind and name, newest first."""
    rows = (
        Finding.objects.filter(session=session, turn__replaced_by=None)
        .exclude(words="")  # Only for the tutor: a guess at the learner's mood.
        .select_related("turn", "resolved_turn", "overridden_turn")
        .order_by("-pk")[:MOST]
    )
    alike: dict[tuple[str, str], list[Finding]] = {}
    for row in rows:
        alike.setdefault((row.kind, row.words if row.kind == "emotion" else row.name or str(row.pk)), []).append(row)
    return alike


@transaction.atomic
def contest(session: Session, finding: int, *, is_so: bool) -> bool:
    """Store the learner's opinion of a finding; return whether the finding exists. Repeating it changes nothing."""
    rows = Finding.objects.select_for_update(of=("self",)).filter(session=session, turn__replaced_by=None)
    row = rows.filter(pk=finding).first()
    if row is None:
        return False
    if (row.contested_at is None) != is_so:
        row.contested_at = None if is_so else timezone.now()
        if listener := registered_listener():
            listener.contested(row, is_so=is_so)
        row.save(update_fields=["contested_at", "content"])
    return True


def _finding_view(
    session: Session, rows: Sequence[Finding], tested: Iterable[tuple[int, str]], on_it: Mapping[int, Any]
) -> FindingView:
    """Return findings of one name as one view; `rows` are oldest first, `on_it` are the turns on the page by number."""
    last = rows[-1]
    icon, heading = _KINDS.get(last.kind, ("info", gettext_lazy("Noticed")))
    tests = _tests_of(rows, tested) if last.kind == "misconception" else []
    is_quoted = last.kind in QUOTED_KINDS
    return FindingView(
        id=last.pk,
        kind=last.kind,
        icon=icon,
        heading=_("Corrected") if last.resolved_turn and last.kind == "misconception" else str(heading),
        words=_EMPHASIS.sub(r"\1", last.words),
        quote=last.evidence if is_quoted else "",
        basis="" if is_quoted or last.kind == MOOD_KIND else last.evidence,
        sure=_confidence_words(last, is_tested=bool(tests)),
        steps=tuple(
            FindingStep(number=number, words=", ".join(words), url=_turn_url(session, rows, on_it, number))
            for number, words in sorted(_course(rows, tests).items())
        ),
        set_aside=last.overridden_why if last.overridden_turn else "",
        resolved=last.resolved_turn is not None,
        contested=last.contested_at is not None,
        still_shown=last.kind == "misconception" and not last.content.get("taken_back"),
        contest_url="" if last.agent == SELF_REPORT else reverse("contest-finding", args=[session.key, last.pk]),
    )


def _turn_url(session: Session, rows: Sequence[Finding], on_it: Mapping[int, Any], number: int) -> str:
    """Return the address of a turn: on this page, or on the page around it."""
    if number in on_it:
        return f"#turn-{on_it[number]}"
    turns = (turn for row in rows for turn in (row.turn, row.resolved_turn, row.overridden_turn) if turn)
    pk = {turn.number: turn.pk for turn in turns}.get(number, "")
    return f"{session.get_absolute_url()}?at={number}#turn-{pk}"


def _tests_of(rows: Sequence[Finding], tested: Iterable[tuple[int, str]]) -> list[int]:
    """Return the turns in which it was tested; a test without a name tests findings of its own turn."""
    noticed_in = {row.turn.number for row in rows}
    return [
        number
        for number, name in tested
        if number >= rows[0].turn.number and (name == rows[0].name or (not name and number in noticed_in))
    ]


def _course(rows: Sequence[Finding], tests: Sequence[int]) -> dict[int, list[str]]:
    """Return turn number → what happened to the finding there."""
    course: dict[int, list[str]] = {}
    for row in rows:
        words = _("noticed again") if course else _("noticed")
        course.setdefault(row.turn.number, []).append(words)
    for number in tests:
        course.setdefault(number, []).append(_("tested"))
    for row in rows:
        if row.overridden_turn:
            course.setdefault(row.overridden_turn.number, []).append(_("set aside"))
        if row.resolved_turn:
            course.setdefault(row.resolved_turn.number, []).append(_("corrected"))
    return {number: list(dict.fromkeys(words)) for number, words in course.items()}


def _confidence_words(row: Finding, *, is_tested: bool) -> str:
    if row.contested_at or row.overridden_turn or row.resolved_turn:
        return ""
    sure = row.confidence
    if row.kind == "vision":
        return _("I couldn’t see the drawing clearly.") if sure is not None and sure < CLEAR_CONFIDENCE else ""
    if row.kind != "misconception":
        return ""
    if is_tested:
        return _("We’re still checking this.")
    if sure is None or sure < PERHAPS:
        return _("I’m not sure about this.")
    return _("I’m fairly sure about this.") if sure >= FAIRLY_SURE else _("This may be right. We will check it.")
