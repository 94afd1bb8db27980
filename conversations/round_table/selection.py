"""Chooses collaborators for a question when nobody is named: by their capabilities, with the reason for each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from conversations.models import Collaborator
from conversations.search.word_stems import stem, words_of

CHOSEN_AT_MOST: Final = 3
"""Of themselves: each costs time and money in every round. Chosen by hand."""
CHOSEN_AT_LEAST: Final = 2
"""One alone has nobody to discuss with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """A collaborator that fits a question, and why."""

    collaborator: Collaborator
    matched: tuple[str, ...]
    """The words of the question that it is good at, as they stand there; empty if it only fills the table."""
    reason: str
    """In words, for the learner."""


def select(question: str, roster: Sequence[Collaborator], *, most: int = CHOSEN_AT_MOST) -> list[Selection]:
    """Return the collaborators that fit a question best, in the roster's order; two at least if there are two."""
    words = dict.fromkeys(words_of(question))
    matches = {each.name: matched_words(each.capabilities, words) for each in roster}
    ranked = sorted(roster, key=lambda each: -len(matches[each.name]))
    fitting = [each for each in ranked if matches[each.name]][:most]
    rest = [each for each in ranked if each not in fitting]
    chosen = [*fitting, *rest[: max(0, min(most, CHOSEN_AT_LEAST) - len(fitting))]]
    return [
        Selection(collaborator=each, matched=matches[each.name], reason=reason_for(each, matches[each.name]))
        for each in roster
        if each in chosen
    ]


def reason_for(collaborator: Collaborator, matched: Sequence[str]) -> str:
    """Return why a collaborator was chosen, as a sentence."""
    if not matched:
        return _("%(agent)s: none of its capabilities match the question; it was added to fill the table.") % {
            "agent": collaborator.title
        }
    listed = ", ".join(f"“{word}”" for word in matched)
    return _("%(agent)s: the question contains %(words)s.") % {"agent": collaborator.title, "words": listed}


def matched_words(capabilities: Iterable[str], words: Iterable[str]) -> tuple[str, ...]:
    """Return the words that are among the capabilities of a collaborator."""
    able = {stem(part) for each in capabilities for part in words_of(each)}
    return tuple(word for word in words if stem(word) in able)
