"""Verifies milestones: stated in the learner's own words, used without help, not contradicted by a misconception.

Statements are found in each turn's analysis; here the evidence is combined.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from math import prod
from typing import Final, Literal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tutoring.courses.catalogue import Milestone, Misconception
from tutoring.mastery.misconception_evidence import SUSPECTED
from tutoring.mastery.turn_evidence import MilestoneUse
from tutoring.understanding.parsing.quoting import quote_words

# A close look (and a model) only when the answers are good; before that the words would be repetition. Chosen by hand.
TRIGGER_MASTERY: Final = 0.80
TRIGGER_STREAK: Final = 2
# The mastery threshold .85 as a probability (knowledge_tracing).
SURE: Final = 0.939
"""Probability that the concept is known from which any answers show the milestone in use."""
# As ENOUGH_ANSWERS: a placement alone does not show a milestone in use.
SURE_ANSWERS: Final = 3

# Chosen by hand: words and use must both be there for a high confidence, and no part alone reaches .8.
WEIGHTS: Final = (0.55, 0.60, 0.40)
"""Weights of articulation, application and absence of a contradiction in 1 − Π(1 − w·s)."""
ABSENCE_WEIGHT: Final = 0.5
"""Strength of the absence of a contradiction if no answer resisted the misconception."""
# Never certain: people can repeat what they do not understand.
MOST_CONFIDENT: Final = 0.95

# The latest two statements, cut to a sentence or so, for the evidence shown to people.
QUOTES: Final = 2
QUOTED_WORDS: Final = 24

type Missing = Literal["articulation", "application", "misconception", ""]


@dataclass(frozen=True, slots=True, kw_only=True)
class Articulation:
    """Whether a milestone was stated in the learner's own words."""

    is_said: bool = False
    quotes: tuple[str, ...] = ()
    """The learner's words that stated it, as typed, oldest first."""
    wrong_idea: str = ""
    """The id of a misconception that one of the latest messages asserts; else empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MilestoneApplication:
    """The evidence of a milestone in use."""

    right: int = 0
    """Right answers without help, to exercises that show it and were not solved with help before."""
    needed: int = 1
    sure: float = 0.0
    """Probability that the concept is known, if that replaces them, else 0."""
    tempted: bool = False
    """One of them resisted a wrong idea that contradicts the milestone."""

    @property
    def is_shown(self) -> bool:
        return self.right >= self.needed or self.sure > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MilestoneVerdict:
    """Whether a milestone is reached, the evidence, and the first missing part."""

    mastery_achieved: bool
    confidence: float
    """0–.95: halved for each part that is missing."""
    evidence: tuple[str, ...]
    """Sentences for people, with the learner's own words and answers."""
    missing: Missing = ""


def is_promising(*, mastery: float | None = None, streak: int = 0) -> bool:
    """Tell whether the answers make a milestone worth checking."""
    return streak >= TRIGGER_STREAK or (mastery is not None and mastery >= TRIGGER_MASTERY)


def assess_application(
    milestone: Milestone, uses: Sequence[MilestoneUse], *, mastery: float | None = None, tempting: Collection[str] = ()
) -> MilestoneApplication:
    """Return the evidence in the answers of a milestone in use.

    `uses` are in order, `mastery` is the probability (0–1) that the concept is known, `tempting` are templates on which
    a contradicting misconception would fail.
    """
    right: list[str] = []
    helped: set[str] = set()
    for use in uses:
        if use.assisted:
            helped.add(use.template)
        elif use.correct and use.template not in helped and is_shown_by(use.template, milestone):
            right.append(use.template)
    is_sure = mastery is not None and mastery >= SURE and len(uses) >= SURE_ANSWERS
    return MilestoneApplication(
        right=len(right),
        needed=milestone.apply.unassisted,
        sure=mastery if is_sure and mastery is not None else 0.0,
        tempted=any(template in tempting for template in right),
    )


def verify_milestone(
    milestone: Milestone,
    *,
    words: Articulation,
    use: MilestoneApplication,
    suspicions: Mapping[str, float],
    misconceptions: Mapping[str, Misconception],
) -> MilestoneVerdict:
    """Return whether the milestone is reached; `suspicions` are how likely (0–1) the learner holds each misconception."""
    likely = {each: suspicions.get(each, 0.0) for each in milestone.contradicts}
    if words.wrong_idea:
        likely[words.wrong_idea] = max(SUSPECTED, likely.get(words.wrong_idea, 0.0))
    held = max(likely, key=lambda each: likely[each], default="")
    doubt = likely.get(held, 0.0)
    lacking: tuple[tuple[Missing, bool], ...] = (
        ("misconception", doubt >= SUSPECTED),
        ("articulation", not words.is_said),
        ("application", not use.is_shown),
    )
    missing = [part for part, is_missing in lacking if is_missing]
    shown = 1.0 if use.right >= use.needed else use.sure
    strengths = (float(words.is_said), shown, (1 - doubt) * (1.0 if use.tempted else ABSENCE_WEIGHT))
    chance = 1 - prod(1 - weight * strength for weight, strength in zip(WEIGHTS, strengths, strict=True))
    known = misconceptions.get(held)
    against = (known.says if known else held) if doubt >= SUSPECTED else ""
    return MilestoneVerdict(
        mastery_achieved=not missing,
        confidence=round(min(MOST_CONFIDENT, chance) * 0.5 ** len(missing), 4),
        evidence=tuple(_evidence(words, use, against)),
        missing=missing[0] if missing else "",
    )


def _evidence(words: Articulation, use: MilestoneApplication, against: str) -> Iterator[str]:
    for quote in words.quotes[-QUOTES:]:
        yield _("Explained in the learner’s own words: “%(words)s”") % {"words": quote_words(quote, words=QUOTED_WORDS)}
    if use.right:
        text = ngettext("%(count)d right answer without help.", "%(count)d right answers without help.", use.right)
        yield text % {"count": use.right}
    elif use.sure:
        yield _("There are enough right answers to count the concept as known (%(percent)d%%).") % {
            "percent": use.sure * 100
        }
    if against:
        yield _("But there are signs of a wrong idea: %(idea)s") % {"idea": against}
    elif words.quotes or use.is_shown:
        yield _("There are no signs of a wrong idea about this concept.")


def is_shown_by(template: str, milestone: Milestone) -> bool:
    """Tell whether a right answer to the template's exercises shows the milestone in use."""
    return any(fnmatch(template, item) for item in milestone.apply.items)
