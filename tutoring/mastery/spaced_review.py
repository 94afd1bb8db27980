"""Review dates of mastered concepts by FSRS-6: times in, times out.

    R(t) = (1 + FACTOR·t/S)^DECAY                        recall after t days, S being the card's stability in days
    I    = S/FACTOR·(r^(1/DECAY) − 1)                    days until recall falls to r

DECAY is −0.1542 and FACTOR 0.9^(1/DECAY) − 1 with the published weights, which are not refitted. A card is the JSON of
`fsrs.Card.to_dict`. Source: py-fsrs, FSRS-6.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, cast

from tutoring.courses.hint_ladder import LAST_RUNG

if TYPE_CHECKING:
    from fsrs import Scheduler

type Card = Mapping[str, Any]
type Rating = Literal["again", "hard", "good", "easy"]

# FSRS's usual .90; higher for concepts that several goals depend on, at the cost of more reviews. Chosen by hand.
DESIRED_RECALL, DESIRED_RECALL_BELOW_GOALS = 0.90, 0.95
"""Recall (0–1) below which a review is due; and for a concept that several goals depend on."""
SEVERAL_GOALS = 2
# As learning_path.DOUBTED: below mastery, above the prior.
MISSED_REVIEW_CEILING = 0.60
"""Upper bound on the probability (0–1) after a failed review: the concept is practiced again."""
# Twice the usual time is a struggle; half an hour is lunch. Chosen by hand.
SLOW_FACTOR = 2.0
"""Multiple of one's own median time from which an answer is slow."""
AWAY_S = 1800.0
"""Seconds from which the learner was away, not slow."""

_ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewResult:
    """The outcome of a review question."""

    right: bool
    """In the end."""
    tries: int
    hints: int
    ruled_out: bool = False
    """Whether a further try can find the answer by elimination."""
    seconds: float | None = None
    """Seconds of the only try; unknown is None."""
    usual_s: float | None = None
    """The learner's own median for this kind of question; None while too few are known."""
    offset: float = 0.0
    """The item's offset in logits: + is easier than usual, − harder."""


def rate_review(look: ReviewResult) -> Rating:
    """Return the FSRS rating.

    Again: wrong, or only right after the solution. Hard: right after a hint or a further try, or slow. Easy: right at
    once, faster than usual, and harder than most.
    """
    if not look.right or look.hints >= LAST_RUNG or (look.tries > 1 and look.ruled_out):
        return "again"
    if look.tries > 1 or look.hints or _is_slow(look):
        return "hard"
    is_fast = look.seconds is not None and look.usual_s is not None and look.seconds < look.usual_s
    return "easy" if is_fast and look.offset < 0 else "good"


def first_card(at: datetime) -> Card:
    """Return the card of a concept mastered at `at`, rated "good"."""
    from fsrs import Card as FsrsCard

    # Without an id, py-fsrs sleeps to get a unique one from the clock.
    return card_after_review(cast("Card", FsrsCard(card_id=0, due=at.astimezone(UTC)).to_dict()), "good", at=at)


def card_after_review(card: Card, rated: Rating, *, at: datetime) -> Card:
    """Return the card after a review at `at`. A review before the last one counts as one on the same day."""
    from fsrs import Card as FsrsCard
    from fsrs import Rating as FsrsRating

    ratings = {"again": FsrsRating.Again, "hard": FsrsRating.Hard, "good": FsrsRating.Good, "easy": FsrsRating.Easy}
    reviewed, _log = _scheduler().review_card(
        FsrsCard.from_dict(cast("Any", card)), ratings[rated], review_datetime=at.astimezone(UTC)
    )
    return cast("Card", reviewed.to_dict())


def shift_card(card: Card, at: datetime) -> Card:
    """Return the card as if its last review had been at `at`."""
    return {**card, "last_review": at.astimezone(UTC).isoformat()}


def recall(card: Card, at: datetime) -> float:
    """Return the probability (0–1) that the concept is still recalled; 1 at its last review, and before."""
    decay, factor = _curve()
    days = max(0.0, (at - _last_look(card)) / _ONE_DAY)
    return float((1 + factor * days / card["stability"]) ** decay)


def due_at(card: Card, desired: float = DESIRED_RECALL) -> datetime:
    """Return when recall falls to `desired` (0–1), to the day, at least a day after the last review."""
    decay, factor = _curve()
    days = card["stability"] / factor * (desired ** (1 / decay) - 1)
    return _last_look(card) + timedelta(days=min(max(round(days), 1), _scheduler().maximum_interval))


def desired_retention(goals: int) -> float:
    """Return the desired recall (0–1) of a concept that this many goals depend on."""
    return DESIRED_RECALL_BELOW_GOALS if goals >= SEVERAL_GOALS else DESIRED_RECALL


def effective_probability(probability: float, recalled: float) -> float:
    """Return the probability (0–1) that a concept is still known today: P·R."""
    return probability * recalled


def _is_slow(look: ReviewResult) -> bool:
    if look.seconds is None or look.usual_s is None:
        return False
    return SLOW_FACTOR * look.usual_s < look.seconds < AWAY_S


def _last_look(card: Card) -> datetime:
    return datetime.fromisoformat(card["last_review"])


@cache
def _scheduler() -> "Scheduler":
    # Imported late: most processes never use a card.
    from fsrs import Scheduler

    return Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)


@cache
def _curve() -> tuple[float, float]:
    """Return DECAY and FACTOR."""
    decay = -_scheduler().parameters[-1]
    return decay, 0.9 ** (1 / decay) - 1
