"""What is said where a lesson ends: mastered, spent after five cycles, or asked about afterwards."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tutoring.roles import lobby
from tutoring.roles.facts import LessonFacts
from tutoring.roles.speech import Part
from tutoring.rules import mastery, wording


def mastered(facts: LessonFacts) -> tuple[Part, ...]:
    """Say what the mastery rests on, in the learner's own words where they found some, and offer what comes next."""
    return (_evidence(facts), _found_on_the_way(facts), *_next(facts))


def spent(facts: LessonFacts) -> tuple[Part, ...]:
    """Suggest another plan after five cycles: the weakest prerequisite first."""
    weakest = weakest_prerequisite(facts)
    if weakest is None:
        return (
            _(
                "We have gone round five times, and you kept trying. A night's sleep, and a person to talk it over with, "
                "will help more now than a sixth round. Everything here is kept."
            ),
        )
    concept = facts.course.concept(weakest)
    said = _(
        "We have gone round five times, and you kept trying. This rests on *%(concept)s*; a look back there will help "
        "more now than a sixth round."
    )
    card = lobby.concept_card(facts.course, concept, turn_id=facts.turn_id)
    return (said % {"concept": concept.title}, card)


def afterwards(facts: LessonFacts) -> tuple[Part, ...]:
    """Say where one could go from a lesson that is over."""
    if facts.cycle.needs_plan:
        return spent(facts)
    return (_("This lesson is done; ask me anything about it."), *_next(facts))


def weakest_prerequisite(facts: LessonFacts) -> str | None:
    """Return the prerequisite that is least believed to be known, of those not mastered; None without one."""
    threshold = facts.course.threshold
    open_ones = [
        each for each in facts.concept.requires if not mastery.is_mastered(facts.beliefs[each], threshold=threshold)
    ]
    return min(open_ones, key=lambda each: facts.beliefs[each].probability, default=None)


def _evidence(facts: LessonFacts) -> str:
    own = facts.beliefs[facts.concept.id]
    text = ngettext(
        "*%(concept)s* is yours now. %(answers)d answer carries it, and your score stands at %(score)s.",
        "*%(concept)s* is yours now. %(answers)d answers carry it, and your score stands at %(score)s.",
        own.answers,
    )
    score = f"{mastery.mastery_score(own.probability):.2f}"
    return text % {"concept": facts.concept.title, "answers": own.answers, "score": score}


def _found_on_the_way(facts: LessonFacts) -> str:
    """Return the insight in the learner's own words, or the idea they put right; empty without either."""
    if facts.insight:
        return _("You put it in your own words: “%(words)s”.") % {"words": wording.quoted(facts.insight, words=20)}
    for misconception_id in facts.put_right:
        if misconception := facts.misconception(misconception_id):
            return _("What you found on the way: *%(idea)s*") % {"idea": misconception.correct_idea}
    return ""


def _next(facts: LessonFacts) -> tuple[Part, ...]:
    if facts.next_concept is None:
        return (_("That was the last lesson of this course."),)
    card = lobby.concept_card(facts.course, facts.next_concept, turn_id=facts.turn_id)
    said = _("*%(concept)s* builds on it, if you like to go on.")
    if facts.concept.id not in facts.next_concept.requires:
        said = _("*%(concept)s* is still open, if you like to go on.")
    return (said % {"concept": facts.next_concept.title}, card)
