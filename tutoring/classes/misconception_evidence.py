"""The evidence of a misconception that a class's teachers may see, by its policy."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from tutoring.models import Membership, MisconceptionState

ANSWER_SOURCES = ("malrule", "distractor", "likeness")
WORD_SOURCES = ("utterance", "classified")


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibleEvidence:
    """An answer or a statement that is evidence for a misconception."""

    quote: str
    when: datetime
    picked: bool
    """Whether it is a choice's letter, which says little without the question."""
    is_said: bool
    """Whether it was said in a conversation; otherwise it is an answer."""


def visible_evidence(
    state: MisconceptionState, place: Membership, *, since: datetime | None = None
) -> Sequence[VisibleEvidence]:
    """Return the visible evidence for the misconception from `since` on, the latest first.

    The place comes with its class and policy. Words said in a conversation follow the rule for conversations.
    """
    policy = place.classroom.policy
    words_from = policy.readable_since(place.joined_at)
    found: list[VisibleEvidence] = []
    for piece in reversed(state.evidence) if policy.shows_answers else ():
        when = datetime.fromisoformat(piece["at"])
        if since is not None and when < since:
            break
        source, is_said = piece["source"], piece["source"] in WORD_SOURCES
        if source in ANSWER_SOURCES or (is_said and words_from is not None and when >= words_from):
            found.append(
                VisibleEvidence(quote=piece["quote"], when=when, picked=source == "distractor", is_said=is_said)
            )
    return found
