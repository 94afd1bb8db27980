"""A learner's path as a list: each step with its reason and effort, what is put aside, and alternatives."""

from collections import Counter
from collections.abc import Collection
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from conversations.web.markup import to_html
from tutoring.mastery.learning_path import PathStep
from tutoring.mastery.planned_path import PlannedPath
from tutoring.pages.cards.question_context import Context
from tutoring.roles.path_planner import reason_of

SHARED_BY: Final = 3
"""Steps from which a reason that they have in common is said once, above the list."""


def path_context(path: PlannedPath, *, known: Collection[str] = (), here: str = "") -> Context:
    """Return the path's steps and what the learner can change about them.

    `known` are concepts that look known to the page, such as those that a mastered one builds on. If the next step is
    among them, the learner is at `here`.
    """
    following = path.following
    if following is not None and following.kind == "learn" and following.concept in known:
        following = next((step for step in path.steps if step.concept == here), following)
    steps = [
        _step(step, path, known=known, following=following)
        for step in sorted(path.steps, key=lambda step: step != following)
    ]
    reasons = Counter(step["reason_html"] for step in steps if step["kind"] == "learn" and not step["is_goal"])
    shared, count = reasons.most_common(1)[0] if reasons else ("", 0)
    return {
        "goals": [{"slug": goal.id, "title": goal.title, "url": _url(path, goal.id)} for goal in path.goals],
        "next": _step(following, path, known=known, following=following) if following else None,
        "steps": steps,
        "shared_reason": shared if count >= SHARED_BY else "",
        "others": [{"title": _title(path, step.concept), "url": _url(path, step.concept)} for step in path.others],
        "behind": [{"title": concept.title, "url": _url(path, concept.id)} for concept in path.known],
        "aside": [{"slug": concept.id, "title": concept.title} for concept in path.put_aside],
        "reordered": path.reordered,
    }


def _step(step: PathStep, path: PlannedPath, *, known: Collection[str], following: PathStep | None) -> Context:
    goals = {goal.id for goal in path.goals}
    looks_known = step.kind == "check" or (step.kind == "learn" and step.concept in known)
    words = _("you may already know this, and a quiz will check that") if looks_known else reason_of(step, path)
    return {
        "slug": step.concept,
        "is_next": step == following,
        "title": _title(path, step.concept),
        "url": reverse("review") if step.kind == "review" else _url(path, step.concept),
        "kind": "check" if looks_known else step.kind,
        "ready": step.ready,
        "is_goal": step.concept in goals,
        "reason_html": to_html(f"{words[:1].upper()}{words[1:]}."),
        "minutes": path.course.concept(step.concept).minutes,
        "may_lead": step.kind == "learn" and {step.concept} != goals,
        "may_wait": step.kind != "review" and step.concept not in goals,
    }


def _title(path: PlannedPath, slug: str) -> str:
    return path.course.concept(slug).title


def _url(path: PlannedPath, slug: str) -> str:
    return reverse("concept", args=[path.course.id, slug])
