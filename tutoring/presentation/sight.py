"""What of a misconception's evidence a class's teachers may see, by its policy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tutoring.models import Membership, MisconceptionState

ANSWERS = ("malrule", "distractor")
WORDS = "utterance"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """One answer, or one thing said, that spoke for a misconception."""

    quote: str
    when: datetime


def traces(state: MisconceptionState, place: Membership, *, since: datetime | None = None) -> Sequence[Trace]:
    """Return what spoke for the misconception and may be seen, from `since` on, the latest first.

    The place comes with its class and policy. Words said in a conversation follow the rule for conversations.
    """
    policy = place.classroom.policy
    if not policy.shows_answers:
        return ()
    words_from = policy.readable_since(place.joined_at)
    seen = (_trace(piece) for piece in state.evidence if _may_be_seen(piece, words_from=words_from))
    return [trace for trace in seen if since is None or trace.when >= since][::-1]


def _may_be_seen(piece: Mapping[str, Any], *, words_from: datetime | None) -> bool:
    if piece["source"] in ANSWERS:
        return True
    return piece["source"] == WORDS and words_from is not None and _trace(piece).when >= words_from


def _trace(piece: Mapping[str, Any]) -> Trace:
    return Trace(quote=piece["quote"], when=datetime.fromisoformat(piece["at"]))
