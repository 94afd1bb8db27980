"""What was seen of how it goes for the learner, in words: what they did or said, and never what they are."""

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _

from tutoring.rules.affect_signs import WINDOW, Signs, slowness
from tutoring.rules.affect_words import QUOTED, Words
from tutoring.rules.exchanges import Exchange

MOST: Final = 6
LONG_PAUSE: Final = 1.0
"""Standard deviations beyond the usual."""
PAUSE_TURNS: Final = 3
SAYING: Final = 0.5


def indications(turns: Sequence[Exchange], words: Sequence[Words], signs: Signs) -> tuple[str, ...]:
    """Return what the latest window shows, in a few words each."""
    seen = (
        (signs["wrong_streak"] >= 2, _streak(turns)),
        (_has_paused(turns), _("long pause")),
        (signs["gap"] >= 0.5, _("away for more than a minute and a half")),
        (signs["rapid"] >= 1, _("several quick replies")),
        (signs["hints_fast"] > 0, _("hints asked for at once")),
        (signs["repeats"] > 0, _("the same answer again")),
        (signs["same"] > 0, _("three times the same words")),
        (signs["shorter"] >= 0.5, _("messages getting shorter")),
        (signs["question"] >= 1.5, _("several questions in a row")),
        (signs["shouting"] >= 0.5, _("capitals or exclamation marks")),
    )
    return (*(phrase for is_seen, phrase in seen if is_seen and phrase), *_said(words))[:MOST]


def _has_paused(turns: Sequence[Exchange]) -> bool:
    latest = range(max(0, len(turns) - PAUSE_TURNS), len(turns))
    return any(slowness(turns, place) >= LONG_PAUSE for place in latest)


def _streak(turns: Sequence[Exchange]) -> str:
    count = 0
    for turn in reversed(turns):
        if turn.correct:
            break
        count += turn.correct is False
    words = {2: _("two wrong in a row"), 3: _("three wrong in a row"), 4: _("four wrong in a row")}
    return words.get(count, _("five or more wrong in a row") if count > 4 else "")


def _said(words: Sequence[Words]) -> list[str]:
    """Return what was said that tells most, the latest first; each once, and hard words about oneself never again."""
    window = reversed(words[-WINDOW:])
    telling = [each for each in window if max(each.frustrated, each.confused, each.bored) >= SAYING and each.says]
    return list(dict.fromkeys(map(_told, telling)))


def _told(words: Words) -> str:
    return (
        _("hard words about yourself") if words.of_oneself else _("said “%(words)s”") % {"words": _clipped(words.says)}
    )


def _clipped(words: str) -> str:
    return words if len(words) <= QUOTED else f"{words[: QUOTED - 1]}…"
