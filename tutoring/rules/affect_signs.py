"""What a window of turns shows of how it goes for the learner: numbers for the sums in affect.yaml."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from tutoring.rules.affect_words import Words, settings
from tutoring.rules.exchanges import Exchange

type Signs = Mapping[str, float]
"""The sign's name in affect.yaml → how much of it there is; 0 for none."""

WINDOW: Final = 5
OWN_TURNS: Final = 10
"""Measured turns from which a learner's latency is compared with their own."""
GAP_S: Final = 90.0
RAPID_S: Final = 2.0
RAPID_SHARE: Final = 0.1
"""Of the median time between question and answer: less than that, and nothing was read."""
HINT_FAST_S: Final = 8.0
USUAL_CHANCE: Final = 0.65
"""That an answer is right, where nobody predicted it."""
FADE: Final = 0.7
"""What words count a turn later."""
EFFORTLESS: Final = 0.4
"""What a wrong answer counts that was given too quickly to have been tried."""
MOST: Final = 3.0
SPARED: Final = 3
"""Attempts on a milestone that are nothing out of the way."""


def signs_at(
    turns: Sequence[Exchange], place: int, heard: Sequence[Words], *, mastery: float | None, attempts: int
) -> Signs:
    """Return the signs in the window that ends with the turn at `place`; `heard` are each turn's words."""
    first = max(0, place - WINDOW + 1)
    window, places = turns[first : place + 1], range(first, place + 1)
    rapid = [is_rapid(turns, index) for index in places]
    words = [_thrown_in(said) if quick else said for said, quick in zip(heard[first : place + 1], rapid, strict=True)]
    return {
        "wrong_streak": wrong_streak(turns, place),
        "surprise": surprise(window, rapid),
        "hints_fast": min(MOST, float(sum(map(hints_fast, window)))),
        "words_frustrated": _faded([each.frustrated for each in words]),
        "words_confused": _faded([each.confused for each in words]),
        "words_bored": _faded([each.bored for each in words]),
        "bright": _faded([each.bright for each in words], fade=FADE / 2),
        "shouting": _faded([float(_shouts(turn, said)) for turn, said in zip(window, words, strict=True)]),
        "question": _faded([float(each.asks) for each in words]),
        "repeats": float(repeats(window)),
        "same": float(same_letters(window)),
        "slow": _faded([max(0.0, slowness(turns, index)) for index in places]),
        "quick": quickness(turns, places),
        "rapid": _faded([float(each) for each in rapid]),
        "shorter": shortening(window),
        "known": known(window, mastery),
        "gap": _faded([float(has_gap(turn)) for turn in window]),
        "attempts": float(max(0, min(attempts, 10) - SPARED)),
    }


def _thrown_in(said: Words) -> Words:
    """Return what words say that came too quickly to have been thought about: "idk" then is no question."""
    return replace(said, confused=0.0, bored=max(said.bored, said.confused / 2))


def _faded(values: Sequence[float], *, fade: float = FADE) -> float:
    """Return the sum of the window's values, the last in full, each before it less."""
    return min(MOST, sum(value * fade**age for age, value in enumerate(reversed(values))))


def wrong_streak(turns: Sequence[Exchange], place: int) -> float:
    """Return the wrong answers in a row up to `place`, up to 3; one that was not tried counts less."""
    streak = 0.0
    for index in range(place, max(-1, place - 2 * WINDOW), -1):
        if turns[index].correct:
            break
        if turns[index].correct is False:
            streak += EFFORTLESS if is_rapid(turns, index) else 1
    return min(MOST, streak)


def surprise(window: Sequence[Exchange], rapid: Sequence[bool]) -> float:
    """Return by how much the answers were worse than predicted, 0 where they were better."""
    fallen = (
        (USUAL_CHANCE if turn.expected is None else turn.expected) * (EFFORTLESS if quick and not turn.correct else 1)
        - turn.correct
        for turn, quick in zip(window, rapid, strict=True)
        if turn.correct is not None
    )
    return max(0.0, min(MOST, sum(fallen)))


def hints_fast(turn: Exchange) -> bool:
    """Tell whether hints were taken before anything can have been tried: one at once, or two."""
    soon = turn.latency_s if turn.first_hint_s is None else turn.first_hint_s
    return turn.hints > 1 or (turn.hints > 0 and soon is not None and soon < HINT_FAST_S)


def is_rapid(turns: Sequence[Exchange], index: int) -> bool:
    """Tell whether a turn came too quickly for what was said before it to have been read."""
    latency = turns[index].latency_s
    if latency is None:
        return False
    measured = [turn.latency_s for turn in turns[: index + 1] if turn.latency_s is not None]
    return latency < max(RAPID_S, RAPID_SHARE * sorted(measured)[len(measured) // 2])


def slowness(turns: Sequence[Exchange], place: int) -> float:
    """Return the latency in standard deviations of the learner's own, or of most people's before there are ten turns.

    Latencies spread by factors, and typing takes its time: logarithms of what is left beside it. 0 without a latency.
    """
    here = _thinking(turns[place])
    if here is None:
        return 0.0
    prior: Mapping[str, float] = settings()["latency"]
    own = [known for turn in turns[:place] if (known := _thinking(turn)) is not None]
    if len(own) >= OWN_TURNS:
        usual = sum(own) / len(own)
        spread = max(prior["spread"] / 2, math.sqrt(sum((each - usual) ** 2 for each in own) / len(own)))
    else:
        usual, spread = math.log(prior["median_s"]), prior["spread"]
    return max(-MOST, min(MOST, (here - usual) / spread))


def quickness(turns: Sequence[Exchange], window: range) -> float:
    """Return by how much the window's turns were quicker than half a standard deviation below the usual, on average."""
    return sum(max(0.0, -0.5 - slowness(turns, place)) for place in window) / len(window)


def _thinking(turn: Exchange) -> float | None:
    """Return the logarithm of the seconds that were not typing; None where nobody measured or nobody was there."""
    if turn.latency_s is None or not 0 <= turn.latency_s <= GAP_S:
        return None
    return math.log(max(1.0, turn.latency_s - settings()["latency"]["typing_s"] * len(turn.text[:400])))


def has_gap(turn: Exchange) -> bool:
    """Tell whether the learner was away, rather than at work on something long or right."""
    return turn.latency_s is not None and turn.latency_s > GAP_S and not turn.correct and len(turn.text) < 80


def shortening(window: Sequence[Exchange]) -> float:
    """Return how much shorter messages get: minus the slope of their length's logarithm a turn, from three turns on."""
    if len(window) < 3:
        return 0.0
    return max(0.0, min(1.0, -slope([math.log(1 + len(turn.text[:400])) for turn in window])))


def slope(values: Sequence[float]) -> float:
    """Return the slope of the values a step, by least squares; 0 for less than two."""
    if len(values) < 2:
        return 0.0
    middle = (len(values) - 1) / 2
    return sum((place - middle) * value for place, value in enumerate(values)) / sum(
        (place - middle) ** 2 for place in range(len(values))
    )


def repeats(window: Sequence[Exchange]) -> bool:
    """Tell whether the last answer is one that was wrong before."""
    last = window[-1]
    before = {_same(turn.text) for turn in window[:-1] if turn.correct is False}
    return last.correct is False and _same(last.text) in before


def same_letters(window: Sequence[Exchange]) -> bool:
    """Tell whether the last three turns or more say the same, whatever was asked."""
    last = [_same(turn.text) for turn in window[-3:]]
    return len(last) == 3 and len(set(last)) == 1 and bool(last[0])


def _same(text: str) -> str:
    return " ".join(text[:400].casefold().split())


def known(window: Sequence[Exchange], mastery: float | None) -> float:
    """Return how likely the concept is known, or else the share of right answers, from three answers on."""
    if mastery is not None:
        return mastery
    judged = [turn.correct for turn in window if turn.correct is not None]
    return sum(judged) / len(judged) if len(judged) > 2 else 0.0


def _shouts(turn: Exchange, words: Words) -> bool:
    """Tell whether it was shouted, and not for joy."""
    return words.shouts and not turn.correct and not words.bright
