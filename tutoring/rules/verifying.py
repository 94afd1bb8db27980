"""Whether a milestone is reached: said in one's own words, used without help, and not held against by a wrong idea.

A cheap trigger says when to look closely; what decides is the evidence (design document 004, option C).
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import lru_cache
from math import prod
from operator import itemgetter
from typing import Final, Literal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tutoring.courses.catalogue import Milestone, Misconception
from tutoring.grading.keys import Idea
from tutoring.grading.patterns import says
from tutoring.grading.texts import COVERED
from tutoring.rules import meanings
from tutoring.rules.claims import compile_pattern, plain
from tutoring.rules.exchanges import Use
from tutoring.rules.misconceptions import SUSPECTED
from tutoring.rules.own_words import own_claims, words_of
from tutoring.rules.wording import quoted

FEWEST_WORDS: Final = 6
"""Fewer may be right, and show no understanding."""
FEWEST_WORDS_BESIDE: Final = 4
"""The same of a message that adds something to another one."""
TOGETHER: Final = 6
"""Messages in a row over which an idea may be said bit by bit."""
MEANT, NOT_MEANT = 1.5, -2.0
"""Log odds by meaning from which an idea is said though no pattern finds it, and below which it is not, though one does. Of 373
ideas in replies (tests/tutoring/hub/milestone_ideas.jsonl), weights fitted to other milestones, 46 % of those that are said lie above
1.5 and 6 % of the others; 2 % and 16 % lie below -2."""
REMEMBERED: Final = 40
"""Texts, latest first, that a learner may be repeating."""
LOOKED_BACK: Final = 20
"""Messages of the learner's, latest first, that are judged."""
RECENT: Final = 5
"""Messages, latest first, in which a wrong idea counts against the milestone."""

TRIGGER_MASTERY: Final = 0.80
TRIGGER_STREAK: Final = 2
SURE: Final = 0.939
"""Probability that the concept is known, from which answers show the milestone in use whatever they were to."""
SURE_ANSWERS: Final = 3

WEIGHTS: Final = (0.55, 0.60, 0.40)
"""How far articulation, application and the absence of a contradiction each carry."""
UNTESTED: Final = 0.5
"""What absence is worth where no answer resisted the wrong idea."""
MOST_CONFIDENT: Final = 0.95

QUOTES: Final = 2
QUOTED_WORDS: Final = 24

type Missing = Literal["articulation", "application", "misconception", ""]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Something said in a conversation."""

    by_learner: bool
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Articulation:
    """How much of a milestone was said in words of one's own."""

    share: float = 0.0
    """Of its ideas, by weight (0–1)."""
    quotes: tuple[str, ...] = ()
    """The learner's messages that said it, as they typed them, oldest first."""
    wrong_idea: str = ""
    """The id of a misconception that one of the latest messages claims; empty without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Message:
    typed: str
    own: str
    """What it says in words of one's own."""
    said: frozenset[int]
    """The places of the ideas that it says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """How often a milestone was shown in use."""

    right: int = 0
    """Right answers without help, to exercises that show it and were not solved with help before."""
    needed: int = 1
    sure: float = 0.0
    """Probability that the concept is known where that stands in for them, else 0."""
    tempted: bool = False
    """One of them resisted a wrong idea that contradicts the milestone."""

    @property
    def is_shown(self) -> bool:
        return self.right >= self.needed or self.sure > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether a milestone is reached, what that rests on, and what is missing first."""

    mastery_achieved: bool
    confidence: float
    """0–.95: halved for each part that is missing."""
    evidence: tuple[str, ...]
    """Sentences for people, with the learner's own words and answers."""
    missing: Missing = ""


def is_triggered(milestone: Milestone, text: str, *, mastery: float | None = None, streak: int = 0) -> bool:
    """Tell whether a milestone is worth a close look: one of its phrases fell, or the answers are promising."""
    words = plain(text)
    promising = streak >= TRIGGER_STREAK or (mastery is not None and mastery >= TRIGGER_MASTERY)
    return promising or any(compile_pattern(trigger).search(words) for trigger in milestone.triggers)


def articulation(
    milestone: Milestone, lines: Sequence[Line], *, wrong_idea: Callable[[str], str] | None = None
) -> Articulation:
    """Return how much of the milestone's ideas the learner says in their own words, the most that a few messages in a row do.

    `lines` are in order, the learner's and what was said to them; what stands before a message is what it may repeat.
    `wrong_idea` tells of a message which misconception it claims; empty for none.
    """
    ideas = milestone.ideas
    messages = tuple(_own_messages(lines, milestone))
    windows = (messages[max(0, end - TOGETHER) : end] for end in range(1, len(messages) + 1))
    share, window = max(((_share(ideas, each), each) for each in windows), key=itemgetter(0), default=(0.0, ()))
    recent = messages[-RECENT:] if wrong_idea else ()
    claims = (wrong_idea(each.typed) for each in recent if wrong_idea)
    quotes = tuple(each.typed.strip() for each in window if each.said) if share else ()
    return Articulation(share=share, quotes=quotes, wrong_idea=next(filter(None, claims), ""))


def is_articulated(milestone: Milestone, lines: Sequence[Line]) -> bool:
    """Tell whether the learner's own words say the milestone's ideas."""
    return articulation(milestone, lines).share >= COVERED


def adds_to(milestone: Milestone, text: str) -> bool:
    """Tell whether a message may say something of the milestone's ideas, whatever was said before it."""
    return bool(_heard(milestone, own_claims(text, told=())))


def _own_messages(lines: Sequence[Line], milestone: Milestone) -> Iterator[_Message]:
    """Yield the learner's latest messages."""
    passed_over = sum(line.by_learner for line in lines) - LOOKED_BACK
    told = [milestone.ask] if milestone.ask else []
    for line in lines:
        if not line.by_learner:
            told.append(line.text)
        elif passed_over > 0:
            passed_over -= 1
        else:
            own = own_claims(line.text, told=tuple(told[-REMEMBERED:]))
            yield _Message(typed=line.text, own=own, said=_heard(milestone, own))


def _share(ideas: Sequence[Idea], messages: Sequence[_Message]) -> float:
    """Return the share of the ideas (0–1, by weight) that some messages say together; 0 where that is too short."""
    telling = [(each, len(words_of(each.own))) for each in messages if each.said]
    said = frozenset[int]().union(*(each.said for each, words in telling if words >= FEWEST_WORDS_BESIDE))
    if not said or max(words for _each, words in telling) < FEWEST_WORDS:
        return 0.0
    return sum(ideas[place].weight for place in said) / sum(idea.weight for idea in ideas)


def _heard(milestone: Milestone, own: str) -> frozenset[int]:
    """Return the places of the ideas that a message says: by patterns, and by what it means where that is clear."""
    said = _said(milestone.ideas, own)
    odds = meanings.log_odds(milestone, own) if len(words_of(own)) >= FEWEST_WORDS else ()
    if not odds:
        return said
    return frozenset(place for place, each in enumerate(odds) if each >= (NOT_MEANT if place in said else MEANT))


@lru_cache(maxsize=1024)
def _said(ideas: tuple[Idea, ...], own: str) -> frozenset[int]:
    return frozenset(
        place for place, idea in enumerate(ideas) if own and any(says(each, own, throughout=True) for each in idea.any)
    )


def application(
    milestone: Milestone, uses: Sequence[Use], *, mastery: float | None = None, tempting: Collection[str] = ()
) -> Application:
    """Return how the answers show the milestone in use.

    `uses` are in order, `mastery` is the probability (0–1) that the concept is known, `tempting` are the templates in
    which a misconception that contradicts the milestone would fail.
    """
    right: list[str] = []
    helped: set[str] = set()
    for use in uses:
        if use.assisted:
            helped.add(use.template)
        elif use.correct and use.template not in helped and is_used_by(use.template, milestone):
            right.append(use.template)
    is_sure = mastery is not None and mastery >= SURE and len(uses) >= SURE_ANSWERS
    return Application(
        right=len(right),
        needed=milestone.apply.unassisted,
        sure=mastery if is_sure and mastery is not None else 0.0,
        tempted=any(template in tempting for template in right),
    )


def verify(
    milestone: Milestone,
    *,
    words: Articulation,
    use: Application,
    suspicions: Mapping[str, float],
    misconceptions: Mapping[str, Misconception],
) -> Verdict:
    """Return whether the milestone is reached; `suspicions` are how likely (0–1) the learner holds each misconception."""
    likely = {each: suspicions.get(each, 0.0) for each in milestone.contradicts}
    if words.wrong_idea:
        likely[words.wrong_idea] = max(SUSPECTED, likely.get(words.wrong_idea, 0.0))
    held = max(likely, key=lambda each: likely[each], default="")
    doubt = likely.get(held, 0.0)
    lacking: tuple[tuple[Missing, bool], ...] = (
        ("misconception", doubt >= SUSPECTED),
        ("articulation", words.share < COVERED),
        ("application", not use.is_shown),
    )
    missing = [part for part, is_missing in lacking if is_missing]
    strengths = (words.share, _strength(use), (1 - doubt) * (1.0 if use.tempted else UNTESTED))
    chance = 1 - prod(1 - weight * strength for weight, strength in zip(WEIGHTS, strengths, strict=True))
    known = misconceptions.get(held)
    against = (known.says if known else held) if doubt >= SUSPECTED else ""
    return Verdict(
        mastery_achieved=not missing,
        confidence=round(min(MOST_CONFIDENT, chance) * 0.5 ** len(missing), 4),
        evidence=tuple(_evidence(words, use, against)),
        missing=missing[0] if missing else "",
    )


def _strength(use: Application) -> float:
    return 1.0 if use.right >= use.needed else use.sure


def _evidence(words: Articulation, use: Application, against: str) -> Iterator[str]:
    said = _("In words of one’s own: “%(words)s”") if words.share >= COVERED else _("Said in part: “%(words)s”")
    for quote in words.quotes[-QUOTES:]:
        yield said % {"words": quoted(quote, words=QUOTED_WORDS)}
    if use.right:
        text = ngettext("%(count)d right answer without help.", "%(count)d right answers without help.", use.right)
        yield text % {"count": use.right}
    elif use.sure:
        yield _("Right so often that the concept counts as known: %(percent)d %%.") % {"percent": use.sure * 100}
    if against:
        yield _("A wrong idea stands against it: %(idea)s") % {"idea": against}
    elif words.quotes or use.is_shown:
        yield _("No wrong idea against it in sight.")


def is_used_by(template: str, milestone: Milestone) -> bool:
    """Tell whether a right answer to the template's exercises shows the milestone in use."""
    return any(fnmatch(template, item) for item in milestone.apply.items)
