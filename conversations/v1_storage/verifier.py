"""Compares a v1 file with both storages: row by row, and each conversation by number and SHA-256."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import batched
from typing import Any

from django.db.models import Q
from django.utils import timezone

from conversations.models import Capture, Message, Turn, V1Import, V1RowProblem
from conversations.v1_storage.exchanges import ConversationChecksum
from conversations.v1_storage.row_cleaning import NEIGHBOURS, CleanRow, clean_row
from conversations.v1_storage.v1_file import FileSummary, V1File

AT_ONCE = 500
LISTED = 100
"""Differences listed at most; all are counted."""


@dataclass(slots=True, kw_only=True)
class Verification:
    """The result of a comparison."""

    rows: int = 0
    conversations: int = 0
    equal: int = 0
    """Rows that both storages have, unchanged."""
    orphaned: int = 0
    """Rows that v1's storage has, unchanged, without an owner."""
    rejected: int = 0
    """Rows that could not be stored, each reported with its reason."""
    different: int = 0
    """Rows that a storage lacks or has differently, and rejected ones that were not reported."""
    different_conversations: int = 0
    differences: list[str] = field(default_factory=list)
    """The first of them, in words; without what people wrote."""

    @property
    def is_equal(self) -> bool:
        return self.different == self.different_conversations == 0

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "is_equal": self.is_equal}


@dataclass(slots=True)
class _Conversation:
    """A conversation's checksums: of the file, and of both storages."""

    file: ConversationChecksum = field(default_factory=ConversationChecksum)
    captures: ConversationChecksum = field(default_factory=ConversationChecksum)
    turns: ConversationChecksum = field(default_factory=ConversationChecksum)

    def is_equal(self) -> bool:
        return self.file == self.captures == self.turns


def verify_file(file: V1File, summary: FileSummary) -> Verification:
    """Compare every row of the file with what is stored, and store the result with the file's import, if it has one."""
    run = V1Import.objects.filter(digest=summary.digest).first()
    result, conversations = Verification(), defaultdict[str, _Conversation](_Conversation)
    around = partial(file.timestamps_around, at_most=NEIGHBOURS)
    rows = (
        clean_row(row, encoding=file.encoding, timestamps_around=around) for row in file.rows(upto=summary.last_row)
    )
    for portion in batched(rows, AT_ONCE, strict=False):
        _compare(portion, run, result, conversations)
    unequal = sorted(name for name, each in conversations.items() if not each.is_equal())
    result.conversations, result.different_conversations = len(conversations), len(unequal)
    _list(result, (f"session {name!r}: count or SHA-256 differs" for name in unequal))
    if run is not None:
        V1Import.objects.filter(pk=run.pk).update(verification=result.as_json(), verified_at=timezone.now())
    return result


def _compare(
    portion: Sequence[CleanRow],
    run: V1Import | None,
    result: Verification,
    conversations: dict[str, _Conversation],
) -> None:
    captures, reported = _captures(portion, run), _reported(portion, run)
    stored = _turn_texts([each.turn_id for each in captures.values() if each.turn_id])
    for row in portion:
        result.rows += 1
        if row.is_rejected:
            result.rejected += 1
            if row.row not in reported:
                _differ(result, row, "it cannot be stored, and that is not reported")
            continue
        conversation, capture = conversations[row.session_id], captures.get(row.origin)
        conversation.file.add(_time(row.timestamp), row.user_text, row.agent_text)
        if capture is None:
            _differ(result, row, "v1's storage lacks it")
            continue
        found = (_time(capture.timestamp), capture.user_text, capture.agent_text)
        conversation.captures.add(*found)
        if capture.owner_id is None:
            # v2's storage cannot have it.
            conversation.turns.add(*found)
            result.orphaned += 1
        elif (turn := stored.get(capture.turn_id)) is None:
            _differ(result, row, "v2's storage lacks it")
            continue
        else:
            conversation.turns.add(*turn)
        if fault := _fault(row, found, stored.get(capture.turn_id, found)):
            _differ(result, row, fault)
        elif capture.owner_id is not None:
            result.equal += 1


def _fault(row: CleanRow, capture: Sequence[str], turn: Sequence[str]) -> str:
    expected = (_time(row.timestamp), row.user_text, row.agent_text)
    names = ("timestamp", "user_text", "agent_text")
    faults = [
        f"{name} differs in {storage}"
        for storage, found in (("v1's storage", capture), ("v2's storage", turn))
        for name, wanted, there in zip(names, expected, found, strict=True)
        if wanted != there
    ]
    return ", ".join(faults)


def _captures(portion: Sequence[CleanRow], run: V1Import | None) -> dict[str, Capture]:
    rows = Capture.objects.filter(origin__in=[each.origin for each in portion])
    # The same row may have been imported for several people; that of this file's import counts.
    return {each.origin: each for each in sorted(rows, key=lambda each: run is not None and each.source_id == run.pk)}


def _reported(portion: Sequence[CleanRow], run: V1Import | None) -> set[int]:
    numbers = [each.row for each in portion if each.is_rejected]
    found = V1RowProblem.objects.filter(Q(source=run), row__in=numbers, is_rejected=True)
    return set(found.values_list("row", flat=True))


def _turn_texts(keys: Sequence[Any]) -> dict[Any, tuple[str, str, str]]:
    """Return the time, the person's text and the reply of each turn, by key."""
    texts: dict[Any, dict[str, str]] = {}
    for turn, author, text in Message.objects.filter(turn__in=keys).values_list("turn", "author", "text"):
        texts.setdefault(turn, {})[author] = text
    return {
        key: (
            _time(at),
            texts.get(key, {}).get(Message.Author.LEARNER, ""),
            texts.get(key, {}).get(Message.Author.TEAM, ""),
        )
        for key, at in Turn.objects.filter(pk__in=keys).values_list("pk", "created_at")
    }


def _time(at: Any) -> str:
    return str(at.isoformat(timespec="microseconds"))


def _differ(result: Verification, row: CleanRow, why: str) -> None:
    result.different += 1
    _list(result, [f"row {row.row} (id {row.v1_id!r}): {why}"])


def _list(result: Verification, differences: Iterable[str]) -> None:
    for each in differences:
        if len(result.differences) >= LISTED:
            return
        result.differences.append(each)
