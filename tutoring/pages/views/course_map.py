"""A course's map, and its changes by the learner: goals and path."""

import uuid
from collections.abc import Callable, Mapping
from types import MappingProxyType

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from agents.people import Person
from tutoring.access import concept_for, course_for, taught_concept_for
from tutoring.mastery.records import goals
from tutoring.mastery.records.path_planning import plan_path
from tutoring.models import Concept, Course, DocumentCourse, Mastery
from tutoring.pages.contexts.course_map import course_map_context
from tutoring.pages.views.requests import LearnerRequest

type Change = Callable[[Person, Course, str], str]
"""Changes one thing and returns the message; raises Http404 for a concept that the course does not have."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def course(request: LearnerRequest, course: str) -> HttpResponse:
    """Show the map; a POST changes the learner's goals or path, and says what it changed."""
    found = course_for(request.user, course)
    if request.method != "POST":
        context = course_map_context(request.user, found) | {
            "client_id": uuid.uuid4().hex,
            "content": found.catalogue(),
            "readings": found.readings.select_related("course").only("title", "license", "course__slug"),
            "made": DocumentCourse.objects.filter(course=found).only("pk").first() if found.is_personal else None,
        }
        return render(request, "tutoring/course.html", context)
    action, slug = request.POST.get("action", ""), request.POST.get("concept", "")
    change = CHANGES.get(action)
    if change is None:
        raise BadRequest
    messages.success(request, change(request.user, found, slug))
    # The reader stays where they pressed: at the step, wherever it is now, or at the top of a new path.
    place = f"step-{slug}" if action in OF_ONE_STEP else "route-title"
    return redirect(f"{reverse('path', args=[found.slug])}#{place}")


def _set_goal(person: Person, course: Course, slug: str) -> str:
    concept = taught_concept_for(person, course, slug)
    mastery = Mastery.objects.filter(learner_id=person.pk, concept=concept).first()
    if mastery is not None:
        mastery.concept = concept
        if mastery.is_mastered:
            return _("You have already mastered %(title)s. It will come up for review later.") % {
                "title": concept.title
            }
    goals.set_goal(person, concept)
    return _("%(title)s is now your goal. Your path leads there.") % {"title": concept.title}


def _drop_goal(person: Person, course: Course, slug: str) -> str:
    concept = _concept_of_any_version(person, course, slug)
    if goals.drop_goal(person, concept):
        return _("%(title)s is no longer your goal. You keep everything you have learned.") % {"title": concept.title}
    return _("%(title)s was not your goal. Nothing was changed.") % {"title": concept.title}


def _want_first(person: Person, course: Course, slug: str) -> str:
    concept = taught_concept_for(person, course, slug)
    step = plan_path(person.pk, course).step(slug)
    if step is None or step.kind != "learn":
        return _("%(title)s is not a lesson on your path right now. Nothing was changed.") % {"title": concept.title}
    goals.put_first(person, course, slug)
    if step.ready:
        return _("%(title)s now comes first on your path.") % {"title": concept.title}
    return _("%(title)s now comes as early as possible, after the topics it builds on.") % {"title": concept.title}


def _put_aside(person: Person, course: Course, slug: str) -> str:
    concept = taught_concept_for(person, course, slug)
    path = plan_path(person.pk, course)
    if slug in [goal.id for goal in path.goals]:
        return _("%(title)s is your goal, so you can’t put it aside. Use “Remove this goal” instead.") % {
            "title": concept.title
        }
    if path.step(slug) is None:
        return _("%(title)s is not on your path right now. Nothing was changed.") % {"title": concept.title}
    goals.skip_concept(person, course, slug)
    said = _("You put %(title)s aside. You can still learn the topics that build on it. Use “Bring back” to undo this.")
    return said % {"title": concept.title}


def _take_up(person: Person, course: Course, slug: str) -> str:
    concept = taught_concept_for(person, course, slug)
    goals.unskip_concept(person, course, slug)
    return _("%(title)s is back on your path.") % {"title": concept.title}


def _in_planned_order(person: Person, course: Course, slug: str) -> str:
    goals.reset_order(person, course)
    return _("Your path is back in the planned order.")


def _concept_of_any_version(person: Person, course: Course, slug: str) -> Concept:
    """Return the concept, even if the course no longer has it: a goal on it can still be removed."""
    if not slug.isprintable():
        raise Http404
    return concept_for(person, course.slug, slug)


CHANGES: Mapping[str, Change] = MappingProxyType(
    {
        "goal": _set_goal,
        "no_goal": _drop_goal,
        "first": _want_first,
        "aside": _put_aside,
        "take_up": _take_up,
        "planned_order": _in_planned_order,
    }
)
"""The possible changes, by the name of their button."""

OF_ONE_STEP = frozenset({"first", "aside", "take_up"})
"""Changes that only move one step of the path."""
