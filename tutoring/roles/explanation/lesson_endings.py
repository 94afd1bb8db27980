"""Replies at the end of a lesson: mastered, all cycles used, or asked about afterwards."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conversations.cards import reply_buttons
from tutoring.courses.catalogue import Milestone
from tutoring.lesson.facts import LessonFacts
from tutoring.lesson.moves import Move
from tutoring.mastery import knowledge_tracing, learning_path, milestones
from tutoring.roles import lobby
from tutoring.roles.speech.answer_guard import guarded_wording
from tutoring.roles.speech.composition import SpeechPart
from tutoring.roles.wording.renderer import WordingParts, unless_told
from tutoring.understanding.parsing import quoting


def mastery_reached(facts: LessonFacts, move: Move) -> tuple[SpeechPart, ...]:
    """Say what the mastery is based on, and ask for an unsaid idea, or for a summary in one sentence.

    The planner says what comes next, after the learner has said it or skipped it.
    """
    unsaid = milestones.unsaid_milestones(facts.concept.milestones, said=facts.lesson.said)
    if not unsaid:
        return (_evidence(facts), guarded_wording(facts, move, WordingParts(concept=facts.concept.title)))
    text = ngettext(
        "Your answers show that you’ve mastered *%(concept)s*, with a score of %(score)s after "
        "%(answers)s. [See where this score comes from](%(url)s). Now explain one idea in your own words.",
        "Your answers show that you’ve mastered *%(concept)s*, with a score of %(score)s after "
        "%(answers)s. [See where this score comes from](%(url)s). Now explain %(count)d ideas in your own words, "
        "one at a time.",
        len(unsaid),
    )
    shown = text % {**_numbers(facts), "count": len(unsaid)}
    return (_found_on_the_way(facts), shown, milestone_question(unsaid[0]))


def mastery_told(facts: LessonFacts) -> tuple[SpeechPart, ...]:
    """Say what the mastery is based on, and what the learner found out on the way."""
    return (_evidence(facts), _found_on_the_way(facts))


def summary_reply(facts: LessonFacts, now: str) -> tuple[SpeechPart, ...]:
    """Compare what the learner says `now` about the whole with their words in the lesson, if they say anything."""
    return (_beside(facts, now), all_ideas_said(facts) if facts.concept.milestones else "")


def _beside(facts: LessonFacts, now: str) -> str:
    if not now:
        return _found_on_the_way(facts)
    words = {"now": quoting.quote_words(now), "then": quoting.quote_words(facts.lesson.insight, words=20)}
    if not facts.lesson.insight:
        return _("Remember what you said: “%(now)s”.") % words
    return _("This time, you said “%(now)s”. In the lesson, you said “%(then)s”.") % words


def all_ideas_said(facts: LessonFacts) -> str:
    """Say that all ideas were explained."""
    return _("You’ve now explained every idea in *%(concept)s*.") % {"concept": facts.concept.title}


def milestone_question(milestone: Milestone) -> str:
    """Return the question that asks for a milestone's idea."""
    asked = _("The next idea is *%(title)s*. How would you explain it to a friend?")
    return milestone.ask or asked % {"title": milestone.title}


def return_from_detour(facts: LessonFacts, *, mastered: bool) -> tuple[SpeechPart, ...]:
    """Lead from a detour back to the lesson."""
    own = facts.detour_from
    assert own is not None
    titles = {"concept": facts.concept.title, "own": own.title}
    if mastered:
        return (_("You’ve mastered *%(concept)s*. Now back to *%(own)s*, where we left off. Ready?") % titles,)
    said = _(
        "You may need more time on *%(concept)s*, which has its own lesson. For now, let’s go back to *%(own)s*. Ready?"
    )
    return (said % titles, lobby.concept_card(facts.course, facts.concept, turn_id=facts.turn_id))


def prerequisite_to_visit(facts: LessonFacts) -> str:
    """Return the least practiced prerequisite that the lesson has not visited yet; empty on a detour, or without one."""
    if facts.cycle.detour:
        return ""
    visited = facts.cycle.detours
    found = learning_path.least_practised_prerequisite(
        facts.course.requires, facts.standings, facts.concept.id, visited=visited
    )
    return found or ""


def rounds_spent(facts: LessonFacts) -> tuple[SpeechPart, ...]:
    """Suggest another plan after the last cycle: the weakest prerequisite first."""
    times = _times(facts.cycle.most)
    weakest = weakest_prerequisite(facts)
    if weakest is None:
        return (
            _(
                "We’ve been through this %(times)s, and you’ve kept trying. Getting a good night’s sleep and talking to "
                "someone about it will help more now than going through it again. Everything is saved."
            )
            % {"times": times},
        )
    concept = facts.course.concept(weakest)
    said = _(
        "We’ve been through this %(times)s, and you’ve kept trying. This lesson builds on *%(concept)s*. Going back to "
        "that topic first will help more now than going through this lesson again."
    )
    card = lobby.concept_card(facts.course, concept, turn_id=facts.turn_id)
    return (said % {"concept": concept.title, "times": times}, card)


def _times(rounds: int) -> str:
    """Return in words how many rounds a lesson had."""
    return {1: _("once"), 2: _("twice"), 3: _("three times"), 4: _("four times"), 5: _("five times")}[rounds]


def weakest_prerequisite(facts: LessonFacts) -> str | None:
    """Return the prerequisite least likely to be known among those not mastered; None without one."""
    standings = facts.standings
    weakest_first = learning_path.remediation_concepts(facts.course.requires, standings, facts.concept.id)
    return next(
        (each for each in weakest_first if not standings.get(each, learning_path.NEVER_PRACTISED).mastered), None
    )


def _evidence(facts: LessonFacts) -> str:
    said = _(
        "You’ve mastered *%(concept)s*, with a score of %(score)s after %(answers)s. [See where this score comes "
        "from](%(url)s)."
    )
    return said % _numbers(facts)


def _numbers(facts: LessonFacts) -> dict[str, str]:
    own = facts.beliefs[facts.concept.id]
    answers = ngettext("%(count)d answer", "%(count)d answers", own.answers) % {"count": own.answers}
    score = f"{knowledge_tracing.mastery_score(own.probability):.0%}"
    url = f"/progress/{facts.course.id}/{facts.concept.id}/"
    return {"concept": facts.concept.title, "answers": answers, "score": score, "url": url}


def _found_on_the_way(facts: LessonFacts) -> str:
    """Return the insight in the learner's own words, or the misconception they corrected; empty without either."""
    if facts.lesson.insight:
        words = quoting.quote_words(facts.lesson.insight, words=20)
        return _("You put it in your own words: “%(words)s”.") % {"words": words}
    for misconception_id in facts.put_right:
        misconception = facts.misconception(misconception_id)
        if misconception is not None and facts.concept.id in misconception.concepts:
            return unless_told(_("What you found out: *%(idea)s*") % {"idea": misconception.correct_idea}, facts)
    return ""


def next_step_offer(facts: LessonFacts) -> tuple[SpeechPart, ...]:
    """Return what could follow a lesson when no goal is set: an offer that leads to a lesson of its own."""
    if facts.next_concept is None:
        ways = reply_buttons([_("Quiz me"), _("That’s enough for today")], turn_id=facts.turn_id)
        said = _(
            "That was the last lesson in this course. [See what you can do now](%(url)s), or name a topic to practice."
        )
        return tuple(filter(None, (unless_told(said % {"url": f"/learn/{facts.course.id}/"}, facts), ways)))
    card = lobby.concept_card(facts.course, facts.next_concept, turn_id=facts.turn_id)
    said = _("*%(concept)s* builds on this. You can move on to it now if you like.")
    if facts.concept.id not in facts.next_concept.requires:
        said = _("*%(concept)s* could come next, if you like.")
    ways = reply_buttons([_("Let’s start"), _("That’s enough for today")], turn_id=facts.turn_id)
    offer = unless_told(said % {"concept": facts.next_concept.title}, facts)
    return (offer, card, ways) if offer else (ways,)
