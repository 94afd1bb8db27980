"""Patterns behind the mistakes of a quiz: conceptual, procedural or careless."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

PatternType = Literal["conceptual", "procedural", "careless"]

# The default mastery threshold. Lower, mistakes of learners who are still learning would pass as slips.
SURELY_KNOWN: Final = 0.85
"""Probability (0–1) of knowing, and of a right answer if known, from which a mistake may be a slip."""
# Even odds. All thresholds here are chosen by hand; no data.
NOT_KNOWN: Final = 0.5
"""Probability (0–1) of knowing below which mistakes on several templates point to the concept itself."""
# Half of one's own median time is too short to read and work out. Chosen by hand.
HASTY_BELOW_SHARE: Final = 0.5
"""Share of the learner's usual time below which an answer was hurried."""
# Two can be chance; three of one kind are worth a lesson. Chosen by hand.
MISTAKES_FOR_GAP: Final = 3
"""Mistakes of one pattern that count as a gap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MistakeCause:
    """A misconception that gives exactly this wrong answer."""

    id: str
    kind: PatternType
    active: bool
    """The misconception is active by all evidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """A question missed at the first try."""

    question_id: str
    concept: str
    template: str
    behind: tuple[MistakeCause, ...] = ()
    in_working: bool = False
    """A working's first wrong line was found."""
    knew: float | None = None
    """P (0–1) before the answer; None where the answer was no evidence."""
    expected: float | None = None
    """Probability (0–1) of a right answer if known; None if it was not computed."""
    seconds: float | None = None
    usual_seconds: float | None = None
    one_slip_away: bool = False
    """One stroke from the right answer: a sign, a digit, or two swapped digits."""
    next_right: bool | None = None
    """Whether the next question was right; None without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MistakePattern:
    """Mistakes of one kind and cause."""

    type: PatternType
    cause: str
    """A misconception's id, or the concept's if none explains the mistakes."""
    is_misconception: bool
    questions: tuple[str, ...]

    @property
    def is_gap(self) -> bool:
        """Whether there are enough mistakes to count as a gap."""
        return len(self.questions) >= MISTAKES_FOR_GAP


def group_mistakes(mistakes: Sequence[Mistake]) -> tuple[MistakePattern, ...]:
    """Return the patterns behind the mistakes, the most frequent first; an unexplained mistake is in none."""
    found: dict[tuple[PatternType, str, bool], list[str]] = {}
    for mistake in mistakes:
        if cause := _cause(mistake, mistakes):
            found.setdefault(cause, []).append(mistake.question_id)
    shown = [
        MistakePattern(type=kind, cause=cause, is_misconception=named, questions=tuple(questions))
        for (kind, cause, named), questions in found.items()
    ]
    return tuple(sorted(shown, key=lambda pattern: -len(pattern.questions)))


def is_one_slip_apart(one: str, other: str) -> bool:
    """Tell whether two answers differ in one character, or in two swapped neighbors."""
    one, other = "".join(one.split()), "".join(other.split())
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    if len(one) == len(other):
        differ = [place for place in range(len(one)) if one[place] != other[place]]
        if len(differ) == 1:
            return True
        first, last = differ[0], differ[-1]
        return len(differ) == 2 and last == first + 1 and one[first] == other[last] and one[last] == other[first]
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    return any(longer[:place] + longer[place + 1 :] == shorter for place in range(len(longer)))


def _cause(mistake: Mistake, mistakes: Sequence[Mistake]) -> tuple[PatternType, str, bool] | None:
    """Return type and cause: an active misconception, a slip, a wrong procedure, or the concept itself."""
    if active := next((each for each in mistake.behind if each.active), None):
        return active.kind, active.id, True
    if _is_careless(mistake):
        return "careless", mistake.concept, False
    if mistake.behind:
        return mistake.behind[0].kind, mistake.behind[0].id, True
    if mistake.in_working:
        return "procedural", mistake.concept, False
    templates = {each.template for each in mistakes if each.concept == mistake.concept}
    if len(templates) >= 2 and mistake.knew is not None and mistake.knew < NOT_KNOWN:
        return "conceptual", mistake.concept, False
    return None


def _is_careless(mistake: Mistake) -> bool:
    if mistake.knew is None or mistake.expected is None or not mistake.next_right:
        return False
    sure = mistake.knew >= SURELY_KNOWN and mistake.expected >= SURELY_KNOWN
    usual = mistake.usual_seconds
    hasty = mistake.seconds is not None and usual is not None and mistake.seconds < HASTY_BELOW_SHARE * usual
    return sure and (hasty or mistake.one_slip_away)
