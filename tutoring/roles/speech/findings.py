"""What the teaching roles notice, worded for the learner and based on their own words."""

from django.utils.translation import gettext as _

from agents.engine.events import FindingMade
from tutoring.courses.catalogue import Misconception
from tutoring.courses.exercises.exercise import Exercise
from tutoring.lesson.facts import JudgedAnswer, LessonFacts
from tutoring.mastery.misconception_evidence import SUSPECTED
from tutoring.roles.wording.renderer import first_sentence, sayable_answer
from tutoring.understanding.parsing.quoting import quote_words

EVIDENCE_WORDS = 24
OWN_WORDS_NEEDED = 4
"""Words from which a reply shows an idea: "two" may be right, but does not say why."""


def misconception_found(
    facts: LessonFacts, misconception: Misconception, *, agent: str, evidence: str
) -> FindingMade | None:
    """Return that the learner's words or answer follow from a misconception; None if that is noted already."""
    if misconception.id in facts.noticed:
        return None
    return FindingMade(
        agent=agent,
        kind="misconception",
        name=misconception.id,
        words=misconception.noticed or _("An idea to test: %(idea)s") % {"idea": misconception.says},
        confidence=_confidence(facts, misconception),
        evidence=evidence,
    )


def misconception_resolved(facts: LessonFacts, misconception: Misconception, *, agent: str) -> FindingMade | None:
    """Return that the learner has corrected the idea; None if it was never noted, or the evidence is not there yet.

    A right explanation is half of it; the other half is an answer that the misconception would have got wrong.
    """
    held = facts.suspicions.get(misconception.id)
    if misconception.id not in facts.noticed or held is None or held.status != "resolved":
        return None
    return FindingMade(
        agent=agent,
        kind="misconception",
        name=misconception.id,
        words=_("You worked this out: %(idea)s") % {"idea": misconception.correct_idea},
        confidence=_confidence(facts, misconception),
        evidence=quoted_words(facts.text),
        resolved=True,
    )


def resolved_misconceptions(facts: LessonFacts, *, agent: str) -> tuple[FindingMade | None, ...]:
    """Return which misconceptions noticed here the answers have resolved."""
    resolved = [each.id for each in facts.suspicions.values() if each.status == "resolved"]
    known = [facts.misconception(each) for each in resolved]
    return tuple(misconception_resolved(facts, each, agent=agent) for each in known if each)


def misconception_behind(facts: LessonFacts, answered: JudgedAnswer) -> Misconception | None:
    """Return the misconception that best explains an answer; None without a likely one."""
    held = [facts.suspicions[each] for each in answered.matched if each in facts.suspicions]
    likely = [suspicion for suspicion in held if suspicion.confidence >= SUSPECTED]
    if not likely:
        return None
    return facts.misconception(max(likely, key=lambda suspicion: suspicion.confidence).id)


def idea_found(facts: LessonFacts, *, words: str, name: str, agent: str) -> FindingMade | None:
    """Return that the learner said what a lesson piece hoped to hear; None for a reply that shows no idea."""
    if name in facts.noticed or len(facts.text.split()) < OWN_WORDS_NEEDED:
        return None
    return FindingMade(
        agent=agent,
        kind="idea",
        name=name,
        words=first_sentence(words),
        confidence=None,
        evidence=quoted_words(facts.text),
    )


def quoted_words(text: str) -> str:
    """Return a learner's words as the evidence of a finding."""
    return quote_words(text, words=EVIDENCE_WORDS)


def answer_evidence(
    instance: Exercise, answered: JudgedAnswer, misconception: Misconception, *, typed: str = ""
) -> str:
    """Return an answer as the evidence of a finding: for choices, the text of the one that shows the misconception.

    `typed` is the message in which the answer came: what it says in words is quoted as it is.
    """
    if len(typed.split()) >= OWN_WORDS_NEEDED:
        return quoted_words(typed)
    for choice in instance.choices:
        if choice.letter in answered.chosen and choice.misconception == misconception.id:
            return quoted_words(choice.text or (choice.picture.alt if choice.picture else choice.letter))
    return sayable_answer(answered.answer) or quoted_words(answered.answer)


def _confidence(facts: LessonFacts, misconception: Misconception) -> float | None:
    suspicion = facts.suspicions.get(misconception.id)
    return round(suspicion.confidence, 3) if suspicion else None
