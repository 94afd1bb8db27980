"""What the teaching roles notice, worded for the learner and resting on their own words."""

from django.utils.translation import gettext as _

from agents.events import FindingMade
from tutoring.courses.catalogue import Misconception
from tutoring.facts import LessonFacts
from tutoring.wording import quoted


def misconception_found(facts: LessonFacts, misconception: Misconception, *, agent: str, evidence: str) -> FindingMade:
    """Return that the learner's words or answer follow from a misconception."""
    suspicion = facts.suspicions.get(misconception.id)
    return FindingMade(
        agent=agent,
        kind="misconception",
        name=misconception.id,
        words=_("An idea to test: %(idea)s") % {"idea": misconception.says},
        confidence=round(suspicion.confidence, 3) if suspicion else None,
        evidence=evidence,
    )


def misconception_resolved(facts: LessonFacts, misconception: Misconception, *, agent: str) -> FindingMade:
    """Return that the learner has put the idea right in their own words."""
    suspicion = facts.suspicions.get(misconception.id)
    return FindingMade(
        agent=agent,
        kind="misconception",
        name=misconception.id,
        words=_("Put right: %(idea)s") % {"idea": misconception.correct_idea},
        confidence=round(suspicion.confidence, 3) if suspicion else None,
        evidence=quoted(facts.text),
        resolved=True,
    )


def idea_found(facts: LessonFacts, *, words: str, name: str, agent: str) -> FindingMade:
    """Return that the learner said what a piece of the lesson hoped to hear."""
    return FindingMade(agent=agent, kind="idea", name=name, words=words, confidence=None, evidence=quoted(facts.text))
