"""The tutor in a conversation without a topic: invites to a lesson."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from agents.engine.events import Card
from agents.engine.roles import Plan, PlanPart, Request, Wording
from conversations.cards import reply_buttons
from tutoring.courses.catalogue import ConceptContent, CourseContent
from tutoring.lesson.facts import LobbyFacts
from tutoring.lesson.response_plan import Act
from tutoring.lesson.turn_results import TutorTurn
from tutoring.output_checks.output_policy import find_policy_problem
from tutoring.roles.explanation import conversation_replies, lookup_answers
from tutoring.roles.speech import prompt_background
from tutoring.roles.speech.composition import compose_speech
from tutoring.roles.speech.farewell import farewell_wording
from tutoring.roles.speech.reply_instructions import reply_wording, reword_reply
from tutoring.roles.wording import phrases, renderer

NAMED_AT_MOST = 6
"""How many courses or lessons the invitation names and shows as cards."""
SHOWN_AT_MOST = 10
"""How many of the latest messages are checked so that the invitation is not repeated."""
ACTS_WITHOUT_OFFERS: frozenset[Act] = frozenset({"feeling", "insult", "system"})
"""Acts that get a reply and no invitation."""
COMPUTED_ACTS: frozenset[Act] = frozenset({"calculation", "claim"})
"""Acts whose reply is computed line by line: no model words it."""
SUGGESTIONS: tuple[str, ...] = (
    gettext_noop("Shall we start with *%(title)s*? The other lessons build on it."),
    gettext_noop("Choose a lesson to begin. If you’re not sure, start with *%(title)s*."),
    gettext_noop("*%(title)s* is a good place to start. Press it, or tell me what you’d like to be able to do."),
)
LESSON_OFFERS: tuple[str, ...] = (
    gettext_noop("There is a lesson on this, with pictures and questions: *%(title)s*. Shall we start it?"),
    gettext_noop("The lesson *%(title)s* shows this step by step. Would you like to start it?"),
    gettext_noop("The lesson *%(title)s* shows this with pictures. Shall we begin?"),
)
NO_ANSWERS: tuple[str, ...] = (
    gettext_noop("I don’t have a good answer to that. Here is what I can teach you."),
    gettext_noop("I can’t answer that one. This is what you can learn here."),
    gettext_noop("I don’t know enough about that to answer. Here is what we can do instead."),
)
UNDECIDED_ACTS: frozenset[Act] = frozenset({"go_on", "does_not_know", "resume"})
"""Acts that leave it to the team where to start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """Something to learn: a lesson, or a course if there are several."""

    key: str
    """Identifies its card among those of a message."""
    title: str
    summary: str
    url: str
    go: str = ""


def plan(request: Request) -> Plan:
    """Offer what there is to learn, or what the message may mean; the learner names one or uses its card."""
    facts: LobbyFacts = request.facts
    turn_id = facts.turn_id
    offers = _offers(facts)[:NAMED_AT_MOST]
    parts: tuple[PlanPart, ...]
    if facts.served.act == "goodbye":
        parts = (farewell_wording(facts, _("Goodbye. Everything is saved.")),)
    elif facts.offered:
        parts = _chosen_from([concept.title for _course, concept in facts.offered], facts)
    elif facts.wants_quiz and offers:
        parts = _chosen_from([each.title for each in offers], facts)
    elif not offers:
        parts = (_("There are no courses here yet. An admin can load one."),)
    else:
        parts = _replied(request, facts, offers)
    said = compose_speech(*parts, turn_id=turn_id)
    move = "farewell" if facts.served.act == "goodbye" else "welcome"
    return Plan(say=said, background=prompt_background.lobby_background(facts), result=TutorTurn(move=move), waits=True)


def _offers(facts: LobbyFacts) -> list[Offer]:
    """Return the courses; of the only one its lessons."""
    courses = [course for course in facts.courses if course.concepts]
    if len(courses) == 1:
        return [_concept_offer(courses[0], concept) for concept in courses[0].taught]
    return [_course_offer(course) for course in courses]


def _course_offer(course: CourseContent) -> Offer:
    """Return a course to look at."""
    url = f"/learn/{course.id}/"
    return Offer(key=f"course-{course.id}", title=course.title, summary=course.summary, url=url, go=_("Look inside"))


def _concept_offer(course: CourseContent, concept: ConceptContent) -> Offer:
    """Return the lesson on a concept."""
    url = f"/learn/{course.id}/{concept.id}/"
    return Offer(key=f"concept-{concept.id}", title=concept.title, summary=concept.summary, url=url)


def _first_lesson(facts: LobbyFacts) -> str:
    """Return the title of the lesson to begin with."""
    return next(each.title for course in facts.courses for each in course.taught)


def _replied(request: Request, facts: LobbyFacts, offers: Sequence[Offer]) -> tuple[PlanPart, ...]:
    """Return the reply, and an invitation to learn if it was not shown just now; a learner in grief is shown none."""
    act, invitation = facts.served.act, _invitation(facts, [each.title for each in offers])
    if "lists_lessons" in facts.served.commands:
        return (invitation, *_cards(offers, facts))
    is_shown = any(invitation in each.text for each in request.history[-SHOWN_AT_MOST:])
    invites = () if is_shown or act in ACTS_WITHOUT_OFFERS else (invitation,)
    shown = () if not invites or facts.off_topic or facts.unsure else offers
    cards = _cards(shown, facts)
    if act in conversation_replies.TALK_ACTS:
        said = conversation_replies.reply(facts)
        options = [] if invites else conversation_replies.reply_options(facts)
        ways = [reply_buttons(options, turn_id=facts.turn_id)] if options else []
        return (*(said if act in COMPUTED_ACTS else reword_reply(facts, said)), *invites, *cards, *ways)
    if act in UNDECIDED_ACTS and not facts.off_topic:
        first = _first_lesson(facts)
        return (_suggestion(facts, first), *(cards or [_wishes([first, *(each.title for each in offers)], facts)]))
    ways = [_wishes([each.title for each in offers], facts)] if is_shown else []
    parts = (_opening(facts), *invites, *cards, *ways)
    if not facts.text or act == "greeting":
        return parts
    asked = lookup_answers.LookupQuestion(
        text=facts.text,
        turn_id=facts.turn_id,
        otherwise=parts,
        attached=facts.attached,
        in_own_files=facts.served.asks_own_files,
    )
    return lookup_answers.answer_question(asked)


def _cards(shown: Sequence[Offer], facts: LobbyFacts) -> list[Card]:
    return [_card(each, turn_id=facts.turn_id) for each in shown]


def _wishes(titles: Sequence[str], facts: LobbyFacts) -> Card:
    """Return what is offered as buttons: the next step where its cards were shown a moment ago."""
    return _buttons(_("I want to learn: %(title)s"), list(dict.fromkeys(titles)), facts)


def _buttons(wish: str, titles: Sequence[str], facts: LobbyFacts) -> Card:
    """Return buttons that say a wish with each title. Several show only their titles: the sentence before them asks."""
    wishes = [wish % {"title": each} for each in titles]
    return reply_buttons(wishes, labels=titles if len(titles) > 1 else (), turn_id=facts.turn_id)


def _suggestion(facts: LobbyFacts, first: str) -> Wording:
    """Return where to start, for a learner who leaves that to the team."""
    return reply_wording(facts, renderer.pick_wording(SUGGESTIONS, facts, title=first), act="go_on")


def _chosen_from(titles: Sequence[str], facts: LobbyFacts) -> tuple[PlanPart, ...]:
    """Return the question which of several is meant, where to start a course, or the next step after an answer."""
    wish = _("Quiz me on: %(title)s") if facts.wants_quiz else _("I want to learn: %(title)s")
    wants = _buttons(wish, titles, facts)
    if facts.answer:
        return (
            renderer.unless_told(facts.answer, facts),
            renderer.pick_wording(LESSON_OFFERS, facts, title=titles[0]),
            wants,
        )
    if facts.offered_course is not None and not facts.wants_quiz:
        begins = _(
            "*%(course)s* begins with *%(first)s*. Start there, or choose where you want to get to, and I’ll find the "
            "right place for you to start."
        )
        said = begins % {"course": facts.offered_course.title, "first": titles[0]}
        return (said, wants)
    if len(titles) == 1 and not facts.wants_quiz:
        said = (
            _("I don’t have a good answer to that, but there is a lesson on it: *%(title)s*. Shall we start it?")
            if facts.text.rstrip().endswith("?")
            else _("Do you mean *%(title)s*? Press the button to do it now, or tell me what you’d like to do instead.")
        )
        return (said % {"title": titles[0]}, wants)
    ask = _("Sure. What should I ask you about?") if facts.wants_quiz else _("Sure. What would you like to learn?")
    return (ask, wants)


def _opening(facts: LobbyFacts) -> str | Wording:
    """Return what comes before the invitation: a greeting, or an answer if a model can give one."""
    if facts.off_topic:
        return renderer.pick_wording(phrases.OUT_OF_SCOPE, facts)
    if not facts.text or facts.served.act == "greeting":
        words, task = _("Hello, good to see you."), "Greet the learner in one sentence. Ask nothing."
    elif facts.unsure:
        words = _("I’m not sure what you’d like to do.")
        task = "Say in one sentence that you are not sure what the learner would like to do. Ask nothing."
    else:
        words = renderer.pick_wording(NO_ANSWERS, facts)
        task = "Answer the learner in at most three sentences; say where you are not sure. Ask nothing."
    return Wording(words=words, task=task, guard=partial(find_policy_problem, questions=0), may_use_tools=True)


def _invitation(facts: LobbyFacts, offered: Sequence[str]) -> str:
    titles = ", ".join(f"*{each}*" for each in offered)
    text = _(
        "What would you like to learn? There are courses on %(titles)s. Choose one, or tell me what you’d like to be "
        "able to do, and I’ll find the right place to start."
    )
    if len(facts.courses) > 1:
        return text % {"titles": titles}
    text = _(
        "Here is what you can learn: %(titles)s. Each lesson starts with pictures and then asks you questions, and "
        "you can go at your own pace. Or tell me what you’d like to be able to do, and I’ll find the right place to "
        "start."
    )
    return text % {"titles": titles}


def concept_card(course: CourseContent, concept: ConceptContent, *, turn_id: str) -> Card:
    """Return a card that links to a concept's lesson."""
    return _card(_concept_offer(course, concept), turn_id=turn_id)


def course_card(course: CourseContent, *, turn_id: str) -> Card:
    """Return a card that links to a course."""
    return _card(_course_offer(course), turn_id=turn_id)


def _card(offer: Offer, *, turn_id: str) -> Card:
    """Return a card that links to what is offered."""
    content = {
        "title": offer.title,
        "summary": offer.summary,
        "url": offer.url,
        **({"go": offer.go} if offer.go else {}),
    }
    return Card(kind="concept", id=str(uuid.uuid5(uuid.UUID(turn_id), offer.key)), content=content)
