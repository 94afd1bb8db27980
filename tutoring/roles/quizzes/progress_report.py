"""Progress on request: the last answer and why it was judged so, and the mastery score with its evidence."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from agents.engine.roles import Plan
from conversations.cards import reply_buttons
from tutoring.lesson.facts import LessonFacts
from tutoring.lesson.turn_results import FeedbackTurn
from tutoring.mastery import knowledge_tracing
from tutoring.roles.explanation.system_answers import last_answer_reply
from tutoring.roles.quizzes import error_patterns
from tutoring.roles.speech import prompt_background
from tutoring.roles.speech.composition import SpeechPart, compose_speech, has_text, open_question_card
from tutoring.roles.wording import phrases, renderer

ANSWERS_NEEDED = 3
"""Below this many answers, no score is said."""
MASTERED: Sequence[str] = (
    gettext_noop(
        "You’ve mastered *%(concept)s*, with a score of %(score)s after %(answers)s. [See where this score comes "
        "from](%(url)s)."
    ),
    gettext_noop(
        "Your %(answers)s on *%(concept)s* give you a score of %(score)s, which counts as mastered. [See where this "
        "score comes from](%(url)s)."
    ),
    gettext_noop("You’ve mastered *%(concept)s* with a score of %(score)s. [See your answers](%(url)s)."),
)


def plan(facts: LessonFacts) -> Plan:
    """Report the last answer and the concept's mastery; what was under way waits and is offered again."""
    answers = facts.beliefs[facts.concept.id].answers
    # Those of an earlier conversation count too.
    last = last_answer_reply(facts) if facts.last_answer is not None or not answers else ""
    said = compose_speech(
        last,
        mastery_text(facts) if answers >= ANSWERS_NEEDED or (answers and not last) else "",
        main_obstacle(facts, told=last),
        *resume_offer(facts),
        turn_id=facts.turn_id,
    )
    right, asked = sum(facts.quiz_marks), len(facts.quiz_marks)
    result = FeedbackTurn(mastered=facts.mastered, right=right, asked=asked, cycle=0, spoke=has_text(said))
    return Plan(say=said, background=prompt_background.lesson_background(facts), result=result)


def mastery_text(facts: LessonFacts) -> str:
    """Return the learner's mastery of the concept: number of answers, and a score only if there are enough."""
    own = facts.beliefs[facts.concept.id]
    if own.answers < ANSWERS_NEEDED:
        return _("You haven’t answered enough questions on *%(concept)s* to get a score yet.") % {
            "concept": facts.concept.title
        }
    answers = ngettext("%(count)d answer", "%(count)d answers", own.answers) % {"count": own.answers}
    names = {
        "concept": facts.concept.title,
        "answers": answers,
        "score": f"{knowledge_tracing.mastery_score(own.probability):.0%}",
        "goal": f"{facts.threshold:.0%}",
        "url": f"/progress/{facts.course.id}/{facts.concept.id}/",
    }
    if facts.mastered:
        return renderer.pick_wording(MASTERED, facts, **names)
    said = _(
        "Your score on *%(concept)s* is %(score)s after %(answers)s. A topic counts as mastered at %(goal)s. [See "
        "where this score comes from](%(url)s)."
    )
    return said % names


def main_obstacle(facts: LessonFacts, *, told: str) -> str:
    """Return the idea that helps most with the mistakes so far; empty without mistakes, and for one that was just told."""
    found = [each for each in error_patterns.find_error_patterns(facts) if each.affected_questions]
    if not found or found[0].suggested_remediation in told:
        return ""
    return _("This will help you most: *%(idea)s*") % {"idea": found[0].suggested_remediation}


def resume_offer(facts: LessonFacts) -> tuple[SpeechPart, ...]:
    asked = facts.asked
    if asked is not None and asked.is_open:
        return (renderer.pick_wording(phrases.RESUME_OFFERS, facts), open_question_card(asked))
    return (reply_buttons([_("Let’s continue"), _("That’s enough for today")], turn_id=facts.turn_id),)
