"""The signs in a window of turns for the sums in affect.py, as numbers and in words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _

from tutoring.mastery.turn_evidence import LearnerTurn

type Signs = Mapping[str, float]

# Five turns are about one exercise with its talk; with more, an old mood outlives its reason. Chosen by hand.
WINDOW: Final = 5
# Nobody reads a question and types an answer in 2 s; chosen by hand, real latencies were never measured.
RAPID_S: Final = 2.0
# A tenth of one's own median, since fast readers differ. Chosen by hand.
RAPID_SHARE: Final = 0.1
"""Share of the median answer time: below it, nothing was read."""
# Time to read a question once and press the button without trying. Chosen by hand.
HINT_FAST_S: Final = 8.0
# Used only for answers without a stored prediction. Chosen by hand; no data.
USUAL_CHANCE: Final = 0.65
"""Chance that an answer is right, if nobody predicted it."""
# A word two turns ago counts half. Chosen by hand, with affect_dev.jsonl in view.
FADE: Final = 0.7
"""Weight of words one turn later."""
# "1/2" after one second is no failed try; at 1 a guesser would look as frustrated as a learner who tries.
EFFORTLESS: Final = 0.4
"""Weight of a wrong answer that was given too quickly to have been tried."""
# Caps every sign, so that ten wrong answers weigh like three and words can still outweigh them.
MOST: Final = 3.0
# A milestone usually takes up to three attempts; only more than that is a sign.
SPARED: Final = 3
"""Attempts on a milestone that are nothing out of the way."""
# One quick guess happens; two in five turns together with instant hints are a pattern. Chosen by hand.
GUESSES_OF_GAMING: Final = 2
# One right answer may be luck, and something harder after luck frustrates. Chosen by hand.
RIGHT_ALONE: Final = 2
"""Right answers in a row without help, from which something harder may come."""
MOODS: Final = ("frustrated", "confused", "bored")
# "i'm so stupid" counts half: sadness by itself should not make the step smaller. Chosen by hand.
SAD: Final = 0.5
"""Weight of sad words, above all hard ones about oneself, as frustrated ones."""
INDICATORS: Final = 6
QUOTED: Final = 80
"""Characters of a message that are quoted at most."""


def window_signs(turns: Sequence[LearnerTurn], place: int, *, mastery: float | None, attempts: int) -> Signs:
    """Return the signs in the window that ends with the turn at `place`; 0 for signs that do not show."""
    places = range(max(0, place - WINDOW + 1), place + 1)
    window = [turns[index] for index in places]
    rapid = [is_rapid(turns, index) for index in places]
    guessed = (quick and turn.correct is False for turn, quick in zip(window, rapid, strict=True))
    return {
        **{mood: _faded([_says(turn, mood) for turn in window]) for mood in MOODS},
        "wrong_streak": wrong_streak(turns, place),
        "surprise": negative_surprise(window, rapid),
        "hints_fast": min(MOST, float(sum(map(took_hints_fast, window)))),
        "repeats": float(repeats_wrong_answer(window)),
        "guesses": _faded(list(map(float, guessed))),
        "known": known_chance(window, mastery),
        "attempts": float(max(0, min(attempts, 10) - SPARED)),
    }


def _says(turn: LearnerTurn, mood: str) -> float:
    """Return how strongly a turn's words express a mood (0–1)."""
    if turn.mood == "sad" and mood == "frustrated":
        return SAD * turn.sure
    return turn.sure if turn.mood == mood else 0.0


def _faded(values: Sequence[float]) -> float:
    """Return the weighted sum of the window's values: the last in full, each earlier one less."""
    return min(MOST, sum(value * FADE**age for age, value in enumerate(reversed(values))))


def wrong_streak(turns: Sequence[LearnerTurn], place: int) -> float:
    """Return the wrong answers in a row up to `place`, up to 3; one that was not tried counts less."""
    streak = 0.0
    for index in range(place, max(-1, place - 2 * WINDOW), -1):
        if turns[index].correct:
            break
        if turns[index].correct is False:
            streak += EFFORTLESS if is_rapid(turns, index) else 1
    return min(MOST, streak)


def negative_surprise(window: Sequence[LearnerTurn], rapid: Sequence[bool]) -> float:
    """Return by how much the answers were worse than predicted, 0 if they were better."""
    fallen = (
        (USUAL_CHANCE if turn.expected is None else turn.expected) * (EFFORTLESS if quick and not turn.correct else 1)
        - turn.correct
        for turn, quick in zip(window, rapid, strict=True)
        if turn.correct is not None
    )
    return max(0.0, min(MOST, sum(fallen)))


def took_hints_fast(turn: LearnerTurn) -> bool:
    """Tell whether hints were taken before anything can have been tried: one at once, or two."""
    return turn.hints > 1 or (turn.hints > 0 and turn.latency_s is not None and turn.latency_s < HINT_FAST_S)


def is_rapid(turns: Sequence[LearnerTurn], index: int) -> bool:
    """Tell whether a turn came too quickly for what was said before it to have been read."""
    latency = turns[index].latency_s
    if latency is None:
        return False
    measured = [turn.latency_s for turn in turns[: index + 1] if turn.latency_s is not None]
    return latency < max(RAPID_S, RAPID_SHARE * sorted(measured)[len(measured) // 2])


def is_gaming(turns: Sequence[LearnerTurn]) -> bool:
    """Tell whether the window shows guesses without reading, and hints without trying."""
    window = range(max(0, len(turns) - WINDOW), len(turns))
    guesses = sum(turns[index].correct is not None and is_rapid(turns, index) for index in window)
    return guesses >= GUESSES_OF_GAMING and any(took_hints_fast(turns[index]) for index in window)


def is_proven(turns: Sequence[LearnerTurn]) -> bool:
    """Tell whether the latest answers were right without help."""
    answers = [turn for turn in turns[-2 * WINDOW :] if turn.correct is not None][-RIGHT_ALONE:]
    return len(answers) == RIGHT_ALONE and all(turn.correct and not (turn.assisted or turn.hints) for turn in answers)


def repeats_wrong_answer(window: Sequence[LearnerTurn]) -> bool:
    """Tell whether the last answer is one that was wrong before."""
    last = window[-1]
    before = {_same(turn.text) for turn in window[:-1] if turn.correct is False}
    return last.correct is False and _same(last.text) in before


def _same(text: str) -> str:
    return " ".join(text[:400].casefold().split())


def known_chance(window: Sequence[LearnerTurn], mastery: float | None) -> float:
    """Return how likely the concept is known, or else the share of right answers, from three answers on."""
    if mastery is not None:
        return mastery
    judged = [turn.correct for turn in window if turn.correct is not None]
    return sum(judged) / len(judged) if len(judged) > 2 else 0.0


def slope(values: Sequence[float]) -> float:
    """Return the slope of the values per step, by least squares; 0 for fewer than two."""
    if len(values) < 2:
        return 0.0
    middle = (len(values) - 1) / 2
    return sum((place - middle) * value for place, value in enumerate(values)) / sum(
        (place - middle) ** 2 for place in range(len(values))
    )


def describe_signs(turns: Sequence[LearnerTurn]) -> tuple[str, ...]:
    """Return what the latest window shows, in a few words each: what they did or said, never what they are."""
    return tuple(dict.fromkeys(filter(None, _indications(turns))))[:INDICATORS]


def _indications(turns: Sequence[LearnerTurn]) -> Iterator[str]:
    window = turns[-WINDOW:]
    if not window:
        return
    yield _streak(turns)
    first = len(turns) - len(window)
    if sum(turns[place].correct is False and is_rapid(turns, place) for place in range(first, len(turns))) > 1:
        yield _("several quick replies")
    if any(map(took_hints_fast, window)):
        yield _("asked for hints right away")
    if repeats_wrong_answer(window):
        yield _("the same answer again")
    for turn in reversed(window):
        if turn.mood in MOODS and turn.text.strip():
            yield _("said “%(words)s”") % {"words": _clipped(" ".join(turn.text.split()))}


def _streak(turns: Sequence[LearnerTurn]) -> str:
    count = 0
    for turn in reversed(turns):
        if turn.correct:
            break
        count += turn.correct is False
    words = {
        2: _("two wrong answers in a row"),
        3: _("three wrong answers in a row"),
        4: _("four wrong answers in a row"),
    }
    return words.get(count, _("five or more wrong answers in a row") if count > 4 else "")


def _clipped(words: str) -> str:
    return words if len(words) <= QUOTED else f"{words[: QUOTED - 1]}…"
