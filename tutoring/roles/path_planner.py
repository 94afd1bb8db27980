"""The path planner: shows the path to the goal, and says what comes next and why, and what else can be learned."""

import uuid
from pathlib import Path

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from agents.engine.events import Card
from agents.engine.roles import Plan, Request, Role
from agents.llm.prompt import read_prompt
from conversations.cards import reply_buttons
from tutoring.courses.catalogue import ConceptContent
from tutoring.lesson.facts import DiagnosisFacts, LessonFacts, PathFacts
from tutoring.lesson.turn_results import FeedbackTurn, PathTurn, TutorTurn, spoke_before
from tutoring.mastery.learning_path import PathStep
from tutoring.mastery.planned_path import PlannedPath
from tutoring.roles import lobby
from tutoring.roles.explanation import lesson_endings
from tutoring.roles.explanation.system_answers import following_words
from tutoring.roles.speech.composition import SpeechPart, compose_speech, list_titles, open_question_card
from tutoring.roles.wording import phrases, renderer

REVIEW_URL = "/progress/review/"
NAMED_AT_MOST = 3
"""How many known concepts are named."""


def plan(request: Request) -> Plan:
    """Say what comes next: on request, after a placement, or when a lesson is over."""
    match request.facts:
        case DiagnosisFacts() as facts:
            return _planned(request, *_whole(facts), path=facts.path)
        case LessonFacts() as facts:
            return _after_lesson(facts, request)
        case PathFacts(elsewhere=True) as facts:
            return _planned(request, *_elsewhere(facts), path=facts.path)
        case PathFacts(disowned=ConceptContent() as topic) as facts:
            said = _("Thank you for telling me. *%(title)s* is now a lesson on your path.") % {"title": topic.title}
            return _planned(request, said, *_whole(facts, back=_way_back(facts)), path=facts.path)
        case PathFacts() as facts:
            follows = following_words(facts.current, facts.next_concept, facts) if facts.current is not None else ""
            return _planned(request, *_whole(facts, back=_way_back(facts), follows=follows), path=facts.path)
    raise TypeError(request.facts)


def _after_lesson(facts: LessonFacts, request: Request) -> Plan:
    """Say what follows a finished lesson; say nothing while an idea of it is still to be said."""
    feedback, tutor = request.results.get("feedback"), request.results.get("tutor")
    spent = facts.cycle.needs_plan or (isinstance(feedback, FeedbackTurn) and feedback.spent)
    # Feedback that asks for something waits for it to be said.
    over = spent or (isinstance(feedback, FeedbackTurn) and feedback.mastered and not feedback.asks)
    if not (over if isinstance(feedback, FeedbackTurn) else isinstance(tutor, TutorTurn) and tutor.ends):
        return Plan(result=PathTurn())
    if spent:
        return _spent(facts, request, told="feedback" not in request.results)
    arrived = _reached(facts)
    if facts.path is None or (facts.reached_goal and not facts.path.steps):
        following = facts.next_concept.id if facts.next_concept else ""
        return _planned(request, *arrived, *lesson_endings.next_step_offer(facts), to=following)
    return _planned(request, *arrived, *_onwards(facts.path, facts), path=facts.path)


def _spent(facts: LessonFacts, request: Request, *, told: bool) -> Plan:
    """Suggest what to do after the last round; a concept without prerequisites can start again once that was `told`."""
    weakest = lesson_endings.weakest_prerequisite(facts)
    if weakest is not None or not told:
        return _planned(request, *lesson_endings.rounds_spent(facts), to=weakest or "")
    anew = _("You can start *%(concept)s* again from the beginning whenever you like.") % {
        "concept": facts.concept.title
    }
    return _planned(request, anew, reply_buttons([_("Let’s start")], turn_id=facts.turn_id), to=facts.concept.id)


def _reached(facts: LessonFacts) -> tuple[SpeechPart, ...]:
    """Return that the lesson's concept was a goal, if it was one."""
    if not facts.reached_goal:
        return ()
    said = _(
        "You’ve reached your goal: *%(goal)s*. In a few days, a short review will help you remember what you learned."
    )
    return (renderer.unless_told(said % {"goal": facts.concept.title}, facts),)


def _way_back(facts: PathFacts) -> tuple[SpeechPart, ...]:
    """Return how to go on with what the question about the path interrupted; nothing if that was the path itself."""
    if facts.asked is not None and facts.asked.is_open:
        return (renderer.pick_wording(phrases.RESUME_OFFERS, facts), open_question_card(facts.asked))
    if facts.current is not None and (facts.under_way or not facts.path.goals):
        said = _("We’re working on *%(concept)s* right now. Shall we continue?") % {"concept": facts.current.title}
        ways = [_("Let’s continue")]
        if facts.disowned is not None and facts.disowned.id != facts.current.id:
            ways.append(_("Switch to %(title)s") % {"title": facts.disowned.title})
        return (said, reply_buttons(ways, turn_id=facts.turn_id))
    return ()


def _elsewhere(facts: PathFacts) -> tuple[SpeechPart, ...]:
    """Return the alternatives to the lesson: a pause, other steps that could start now, and the map."""
    path, here = facts.path, facts.current.id if facts.current else ""
    open_ones = [each for each in (path.following, *path.others) if each is not None and each.kind == "learn"]
    titles = [path.course.concept(each.concept).title for each in open_ones if each.concept != here]
    if facts.rivals:
        names = [_("Switch to %(title)s") % {"title": each.title} for each in facts.rivals]
        which = _("Which one do you mean? Your place here is saved.")
        if len(facts.rivals) == 1:
            which = _("Do you mean *%(title)s*? Your place here is saved.") % {"title": facts.rivals[0].title}
        return (which, reply_buttons([*names, _("Let’s continue")], turn_id=facts.turn_id))
    if facts.named_course is not None:
        leads = _("Sure. Your place here is saved. Open *%(course)s* and choose where to start.")
        return (
            leads % {"course": facts.named_course.title},
            lobby.course_card(facts.named_course, turn_id=facts.turn_id),
            reply_buttons([_("Let’s continue")], turn_id=facts.turn_id),
        )
    waits = _("Sure, we can do something else. Your place is saved, so you can come back anytime.")
    if facts.unknown_topic:
        waits = _("I don’t have a lesson on that yet. Your place here is saved.")
    also = _("Here is what else you could learn now: %(titles)s.") % {
        "titles": " · ".join(f"*{each}*" for each in titles)
    }
    ways = [
        _("Let’s continue"),
        *(_("Switch to %(title)s") % {"title": each} for each in titles),
        _("That’s enough for today"),
    ]
    return (
        waits,
        also if titles else None,
        reply_buttons(ways, turn_id=facts.turn_id),
        map_card(path, turn_id=facts.turn_id),
        _courses_card(facts.turn_id) if facts.has_other_courses else None,
    )


def _courses_card(turn_id: str) -> Card:
    """Return a card that links to all courses."""
    content = {
        "title": _("All courses"),
        "summary": _("Other subjects that you can learn here."),
        "go": _("Show the courses"),
        "url": "/learn/",
    }
    return Card(kind="concept", id=str(uuid.uuid5(uuid.UUID(turn_id), "courses")), content=content)


def map_card(path: PlannedPath, *, turn_id: str) -> Card:
    """Return a card that links to the map of the course."""
    content = {
        "title": _("Map of %(course)s") % {"course": path.course.title},
        "summary": _("All the lessons and your path through them."),
        "go": _("Open the map"),
        "url": f"/learn/{path.course.id}/",
    }
    return Card(kind="concept", id=str(uuid.uuid5(uuid.UUID(turn_id), "map")), content=content)


def _whole(
    facts: DiagnosisFacts | PathFacts, *, back: tuple[SpeechPart, ...] = (), follows: str = ""
) -> tuple[SpeechPart, ...]:
    """Return the whole path and what comes next on it, or the way `back`; without a path, what `follows` this concept.

    Sentences that were told a moment ago are left out: the card says it all.
    """
    path, turn_id = facts.path, facts.turn_id
    if not path.steps:
        return (_arrived(path, after=follows), *back)
    goals = list_titles(path.goals)
    heading = ngettext("Your goal is %(goals)s.", "Your goals are %(goals)s.", len(path.goals)) % {"goals": goals}
    after = back or (_next_words(path, on_card=True), *_goal_offer(path), *_choices(path, turn_id, goal=True))
    said = (heading, path_card(path, turn_id=turn_id), *after)
    return tuple(renderer.unless_told(each, facts) if isinstance(each, str) else each for each in said)


def _goal_offer(path: PlannedPath) -> tuple[str, ...]:
    """Return the offer to start at the goal, however much comes before it."""
    goal = _distant_goal(path)
    if goal is None:
        return ()
    return (_("You can also start with *%(goal)s* right away.") % {"goal": goal.title},)


def _distant_goal(path: PlannedPath) -> ConceptContent | None:
    """Return the latest goal if something else comes next."""
    goal = path.goals[-1] if path.goals else None
    here = {each.concept for each in (path.following, *path.others) if each is not None}
    return goal if goal is not None and path.following is not None and goal.id not in here else None


def _onwards(path: PlannedPath, facts: LessonFacts) -> tuple[SpeechPart, ...]:
    """Return what comes next, without the whole path; only its buttons, if that was told a moment ago."""
    if not path.steps:
        return (renderer.unless_told(_arrived(path), facts),)
    return (renderer.unless_told(_next_words(path), facts), *_choices(path, facts.turn_id))


def _arrived(path: PlannedPath, *, after: str = "") -> str:
    if not path.goals and after:
        return after
    if not path.goals:
        return _("You have no goal right now. Tell me what you’d like to learn, or pick something on the map.")
    return _("You’ve reached %(goals)s. What would you like to learn next?") % {"goals": list_titles(path.goals)}


def _next_words(path: PlannedPath, *, on_card: bool = False) -> str:
    """Return what comes next and why; also how long it takes, if no card says so."""
    step = path.following
    if step is None:
        return _("Everything that’s left builds on something you put aside. You can bring it back on the map.")
    if step.kind == "review":
        said = _(
            "There’s a review to do first: *%(title)s* (%(reason)s). You can also skip it and continue this lesson."
        )
        if not path.others:
            said = _("Next is a review: *%(title)s* (%(reason)s).")
        return said % {
            "title": path.course.concept(step.concept).title,
            "reason": reason_of(step, path),
        }
    said = (
        _("Next: *%(title)s* (%(reason)s). Shall we start?")
        if on_card
        else _(
            "Next: *%(title)s* (%(reason)s). It takes about %(least)d questions, rarely more than %(most)d. Shall we "
            "start?"
        )
    )
    return said % {
        "title": path.course.concept(step.concept).title,
        "reason": reason_of(step, path),
        "least": step.least,
        "most": step.most,
    }


def _choices(path: PlannedPath, turn_id: str, *, goal: bool = False) -> tuple[Card, ...]:
    """Return buttons for the next lesson and for others that could start now, and for the `goal` itself."""
    if path.following is None:
        return ()
    others = [_("Switch to %(title)s") % {"title": path.course.concept(each.concept).title} for each in path.others]
    if goal and (distant := _distant_goal(path)):
        others.append(_("Start with %(title)s") % {"title": distant.title})
    enough = _("That’s enough for today")
    if path.following.kind != "review":
        return (reply_buttons([_("Let’s start"), *others, enough], turn_id=turn_id),)
    return (review_card(path, turn_id=turn_id), reply_buttons([*others, enough], turn_id=turn_id))


def _planned(request: Request, *parts: SpeechPart, path: PlannedPath | None = None, to: str = "") -> Plan:
    """Return the turn's plan, with the path in the fields of the API."""
    lesson = _next_lesson(path) if path else None
    reason = reason_of(lesson, path) if path and lesson else ""
    next_topic = to or (lesson.concept if lesson else "")
    steps = path.steps if path else ()
    said = compose_speech(*parts, turn_id=request.facts.turn_id, after=spoke_before(request.results.values()))
    titles = "; ".join(path.course.concept(step.concept).title for step in steps) if path else ""
    return Plan(
        say=said,
        background=f"The learner's path: {titles or 'none is planned'}.",
        result=PathTurn(next_topic=next_topic, reason=reason, spoke=True),
        state={
            "learning_path": [step.concept for step in steps if step.kind != "review"],
            "next_topic": next_topic,
            "path_reasoning": reason,
        },
    )


def _next_lesson(path: PlannedPath) -> PathStep | None:
    """Return the step to continue with in the conversation; a review happens outside of it, or is skipped."""
    if path.following is None or path.following.kind != "review":
        return path.following
    return path.others[0] if path.others else None


def reason_of(step: PathStep, path: PlannedPath) -> str:
    """Return why a step is on the path, in words that fit into a sentence."""
    concept, reason = path.course.concept(step.concept), step.reason
    if step.kind == "review":
        before = reason.before and path.course.concept(reason.before).title
        if before:
            return _("because *%(before)s* builds on it, and it’s been a while") % {"before": before}
        return _("because it’s been a while")
    goal = path.course.concept(reason.goal).title if reason.goal else ""
    if step.kind == "check":
        return _("you may already know this, and a quiz will check that")
    if reason.goal == step.concept:
        known = [path.course.concept(each) for each in reason.known]
        if known and not reason.missing:
            return _("your goal, now that you know %(known)s") % {"known": list_titles(known[-NAMED_AT_MOST:])}
        return _("your goal")
    if not concept.requires:
        return _("the first step toward *%(goal)s*") % {"goal": goal}
    known = [path.course.concept(each) for each in reason.known]
    if known and not reason.missing:
        return _("because you need it for *%(goal)s*, and you already know %(known)s") % {
            "goal": goal,
            "known": list_titles(known[-NAMED_AT_MOST:]),
        }
    return _("because you need it for *%(goal)s*") % {"goal": goal}


def path_card(path: PlannedPath, *, turn_id: str) -> Card:
    """Return the path as a card: each step with its reason and its effort."""
    steps = [
        {
            "concept": step.concept,
            "title": path.course.concept(step.concept).title,
            "kind": step.kind,
            "ready": step.ready,
            "is_next": step == path.following,
            "is_goal": any(step.concept == goal.id for goal in path.goals),
            "reason": reason_of(step, path),
            "least": step.least,
            "most": step.most,
            "minutes": path.course.concept(step.concept).minutes,
            "url": REVIEW_URL if step.kind == "review" else f"/learn/{path.course.id}/{step.concept}/",
        }
        for step in path.steps
    ]
    content = {
        "course": path.course.id,
        "map_url": f"/learn/{path.course.id}/",
        "goals": [goal.title for goal in path.goals],
        "known": [each.title for each in path.known],
        "steps": steps,
    }
    return Card(kind="path", id=str(uuid.uuid5(uuid.UUID(turn_id), "path")), content=content)


def review_card(path: PlannedPath, *, turn_id: str) -> Card:
    """Return a card that links to the reviews that are due."""
    assert path.following is not None
    title = _("Review %(title)s") % {"title": path.course.concept(path.following.concept).title}
    summary = _("One or two questions, about a minute.")
    content = {"title": title, "summary": summary, "url": REVIEW_URL, "go": _("Review")}
    return Card(kind="concept", id=str(uuid.uuid5(uuid.UUID(turn_id), "review")), content=content)


ROLE = Role(
    name="pathplanner",
    label=gettext_lazy("Path planner"),
    purpose=gettext_lazy("says what comes next and why"),
    plan=plan,
    prompt=read_prompt(Path(__file__).parent.parent / "prompts" / "pathplanner.md"),
    result=PathTurn,
    writes=frozenset({"learning_path", "next_topic", "path_reasoning"}),
    speaks=True,
)
