"""What a learner has said to a table, at its place between the rounds, with who takes it up."""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from django.utils.translation import gettext as _

from conversations.models import TAKEN_BY_SUMMARY, TableRemark, Turn
from conversations.round_table.names import PAYLOAD_KEY
from conversations.round_table.record import TableRecord

AFTER_ROUNDS: Final = 0
"""The place of what was said after the last round had begun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemarkView:
    """One remark as the page shows it."""

    place: int
    """The round before which it stands, or AFTER_ROUNDS."""
    text: str
    note: str = ""
    """Who takes it up, while nobody has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemarksView:
    """The remarks at one place: an element of the page."""

    place: int
    remarks: tuple[RemarkView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableStage:
    """How far a table is, as its open page knows it."""

    record: TableRecord
    last_round: int
    """The last round that the page shows."""
    is_summarizing: bool
    is_over: bool


def remark_rows(turns: Sequence[Turn]) -> list[TableRemark]:
    """Return what was said at these tables, in order."""
    return list(TableRemark.objects.filter(turn__in=turns))


def rounds_after(turns: Sequence[Turn]) -> dict[uuid.UUID, int]:
    """Return, for each table that another one continues, the first round of the next one."""
    return {turn.pk: following.payload[PAYLOAD_KEY]["rounds"] for turn, following in pairwise(turns)}


def placed(rows: Sequence[TableRemark], stage: TableStage, later: Mapping[uuid.UUID, int]) -> Iterator[RemarkView]:
    """Yield the remarks with their places; `later` as from `rounds_after`."""
    for row in rows:
        if row.round is None:
            yield _waiting(row, stage)
        elif row.round == TAKEN_BY_SUMMARY:
            yield RemarkView(place=later.get(row.turn_id, AFTER_ROUNDS), text=row.text)
        else:
            # A round that was not held, because the time was up, shows nothing.
            yield RemarkView(place=row.round if row.round <= stage.last_round else AFTER_ROUNDS, text=row.text)


def _waiting(row: TableRemark, stage: TableStage) -> RemarkView:
    following = stage.record.round + 1
    if stage.is_over:
        note = _("Nobody has taken this up yet. Start one more round to have it discussed.")
    elif stage.is_summarizing:
        note = _("The summary had already begun. Your words will be used if you hold one more round.")
    elif following > stage.last_round:
        note = _("The last round has begun, so the summary will take this up.")
    else:
        note = _("Round %(round)s takes this up.") % {"round": following}
        return RemarkView(place=following, text=row.text, note=note)
    return RemarkView(place=AFTER_ROUNDS, text=row.text, note=note)
