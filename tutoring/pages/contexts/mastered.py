"""The context of the page after mastery: what the learner can do, how that is known, and what it opens."""

import textwrap
from typing import Any, Final

from django.db.models import Count
from django.db.models.functions import TruncDate
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.people import Person
from tutoring.lesson.state import lesson_state
from tutoring.models import Attempt, Concept, Goal, Lesson, Mastery, Question
from tutoring.pages.cards.question_context import Context, picture_to_svg
from tutoring.pages.contexts.course_map import MapConcept
from tutoring.pages.contexts.lesson_pictures import first_picture
from tutoring.pages.contexts.reviews import review_offer
from tutoring.pages.contexts.road import Road, road_of

BEFORE_X, AFTER_X = (195, 70), (520, 640)
"""Where stops stand in the drawing, the nearest first."""
SINGLE_LINE_BELOW: Final = 100
NAME_LINE: Final = 16
"""Letters of a stop's name next to each other."""
OPENED_SHOWN: Final = 2
INSIGHT_MAX_LENGTH: Final = 240
ANSWERS_READ: Final = 20
"""Latest right answers among which a sentence of the learner's own is looked for."""
SENTENCE_WORDS: Final = 4


def mastered_context(person: Person, concept: Concept) -> Context | None:
    """Return what the page shows; None if the person never mastered the concept. The concept comes with its course."""
    row = Mastery.objects.filter(learner_id=person.pk, concept=concept, mastered_at__isnull=False).first()
    road = road_of(person, concept.course, after=concept.slug) if row is not None else None
    if row is None or road is None:
        return None
    row.concept = concept
    value = concept.value()
    reached = _reached(person, row)
    opened = _opened(road, concept)
    return {
        "title": concept.title,
        "heading": _goal_heading(reached) if reached else _heading(value.can, held=row.is_mastered),
        "goal_reached": reached is not None,
        "ability": _heading(value.can, held=True) if reached else "",
        "on_the_way": "" if reached else _on_the_way(road),
        "goals_url": f"{concept.course.get_absolute_url()}#ideas-title",
        "chooses_goal": reached is not None and not road.own,
        "held": row.is_mastered,
        "mastered_at": row.mastered_at,
        "tasks": _tasks(person, concept) or (value.summary,),
        "insight": _insight(person, concept),
        "proof": _proof(person, row),
        "evidence_url": reverse("evidence", args=[concept.course.slug, concept.slug]),
        "lesson_url": concept.get_absolute_url(),
        "opened": opened,
        "before": _passed(road, concept),
        "after": [_named(each["title"], x) for each, x in zip(opened, AFTER_X, strict=False)],
        "following": road.place if road.place and road.place.slug != concept.slug else None,
        "reviews": review_offer(person),
    }


def _heading(can: str, *, held: bool) -> str:
    if not held:
        return _("You mastered this before, and it’s due for review")
    return _("Now you can %(ability)s") % {"ability": can} if can else _("Now you can do this")


def _tasks(person: Person, concept: Concept) -> tuple[str, ...]:
    """Return what the learner has shown to be able to do: by right answers, or by saying it in a lesson."""
    value = concept.value()
    right = Attempt.objects.filter(learner_id=person.pk, question__concept=concept, correct=True)
    lessons = Lesson.objects.filter(learner_id=person.pk, concept=concept).select_related("session")
    said = {each for lesson in lessons for each in lesson_state(lesson.session.state).said}
    return value.tasks_shown(said | set(right.values_list("question__template", flat=True)))


def _reached(person: Person, mastery: Mastery) -> Goal | None:
    """Return the learner's goal that the concept was, if it is mastered now; None if it was none."""
    if not mastery.is_mastered:
        return None
    goals = Goal.objects.filter(learner_id=person.pk, concept=mastery.concept, dropped_at=None)
    goal = goals.order_by("-pk").first()
    if goal is not None:
        goal.concept = mastery.concept
    return goal


def _goal_heading(goal: Goal) -> str:
    return _("Goal reached: %(goal)s") % {"goal": goal.wish}


def _on_the_way(road: Road) -> str:
    """Return how far it is to the goals that the learner chose; empty without any."""
    if not road.own or not road.left:
        return ""
    words = _("On the way to your goal, %(goal)s: %(done)d of %(total)d topics.")
    return words % {"goal": ", ".join(road.goals), "done": road.done, "total": len(road.stops)}


def _insight(person: Person, concept: Concept) -> str:
    """Return what the learner said that showed the idea best, in the latest lesson in which they did."""
    lessons = Lesson.objects.filter(learner_id=person.pk, concept=concept, session__deleted_at=None)
    lessons = lessons.select_related("session").order_by("-session__updated_at")[:3]
    said = (lesson_state(lesson.session.state).insight for lesson in lessons)
    return next((words[:INSIGHT_MAX_LENGTH] for words in said if words), "") or _own_words(person, concept)


def _own_words(person: Person, concept: Concept) -> str:
    """Return the latest right answer that the learner wrote as a sentence."""
    right = Attempt.objects.filter(learner_id=person.pk, question__concept=concept, correct=True)
    written = right.filter(question__kind__in=("text", "choice")).select_related("question").order_by("-pk")
    sentences = (
        each.answer.strip()
        for each in written[:ANSWERS_READ]
        if each.question.kind == "text" or not each.judgement.get("chosen")
    )
    return next((words[:INSIGHT_MAX_LENGTH] for words in sentences if len(words.split()) >= SENTENCE_WORDS), "")


def _proof(person: Person, mastery: Mastery) -> str:
    """Return how many answers count, how many of them were right without help, and on how many days."""
    concept = mastery.concept
    right = Attempt.objects.filter(learner_id=person.pk, question__concept=concept, correct=True, assisted=False)
    right = right.filter(change__isnull=False, change__left_out=False)
    right = right.exclude(question__purpose=Question.Purpose.PLACEMENT)
    found = right.annotate(day=TruncDate("created_at")).aggregate(answers=Count("pk"), days=Count("day", distinct=True))
    if not found["answers"]:
        return ""
    answers = ngettext("%(count)d answer", "%(count)d answers", mastery.answers) % {"count": mastery.answers}
    days = ngettext("on %(count)d day", "on %(count)d different days", found["days"]) % {"count": found["days"]}
    words = _("How we know: %(answers)s, %(right)d of them right without help, %(days)s.")
    return words % {"answers": answers, "right": found["answers"], "days": days}


def _opened(road: Road, concept: Concept) -> list[dict[str, Any]]:
    """Return the next topics that build on the concept: those of the road first, and those that are open before others."""
    on_road = {stop.slug for stop in road.stops}
    built = [each for each in road.concepts if concept.slug in each.value.requires and each.state != "mastered"]
    on_way = [each for each in built if each.value.id in on_road]
    # With a goal of their own, nothing that leads elsewhere is offered as if it led there.
    built = on_way if road.own and on_way else built
    built.sort(key=lambda each: (each.state == "locked_hint", each.value.id not in on_road))
    return [_opened_topic(each) for each in built[:OPENED_SHOWN]]


def _opened_topic(stop: MapConcept) -> dict[str, Any]:
    return {
        "title": stop.title,
        "url": stop.concept.get_absolute_url(),
        "is_open": stop.state != "locked_hint",
        "summary": stop.summary,
        "minutes": stop.minutes,
        "first": [one.title for one in stop.first],
        "picture_svg": picture_to_svg(first_picture(stop.value)),
    }


def _passed(road: Road, concept: Concept) -> list[Context]:
    """Return the stops mastered before, the nearest first, with their place in the drawing."""
    slugs = [stop.slug for stop in road.stops]
    end = slugs.index(concept.slug) if concept.slug in slugs else len(slugs)
    done = [stop for stop in road.stops[:end] if stop.concept.state == "mastered" and stop.slug != concept.slug]
    return [_named(stop.title, x) for stop, x in zip(reversed(done), BEFORE_X, strict=False)]


def _named(title: str, x: int) -> Context:
    """Return a stop of the drawing; the first has room for a line, the others for two."""
    lines = [title] if x < SINGLE_LINE_BELOW else textwrap.wrap(title, NAME_LINE, max_lines=2, placeholder="…")
    return {"title": title, "x": x, "lines": lines}
