"""A learner's path as a list: each step with its reason and effort, what is put aside, and alternatives."""

from django.urls import reverse
from django.utils.translation import gettext as _

from conversations.web.markup import to_html
from tutoring.mastery.learning_path import PathStep
from tutoring.mastery.planned_path import PlannedPath
from tutoring.pages.cards.question_context import Context
from tutoring.roles.path_planner import reason_of


def path_context(path: PlannedPath) -> Context:
    """Return the path's steps and what the learner can change about them."""
    return {
        "goals": [{"slug": goal.id, "title": goal.title, "url": _url(path, goal.id)} for goal in path.goals],
        "next": _step(path.following, path) if path.following else None,
        "steps": [_step(step, path) for step in sorted(path.steps, key=lambda step: step != path.following)],
        "others": [{"title": _title(path, step.concept), "url": _url(path, step.concept)} for step in path.others],
        "behind": [{"title": concept.title, "url": _url(path, concept.id)} for concept in path.known],
        "aside": [{"slug": concept.id, "title": concept.title} for concept in path.put_aside],
        "reordered": path.reordered,
    }


def _step(step: PathStep, path: PlannedPath) -> Context:
    goals = {goal.id for goal in path.goals}
    words = _("you may know this already, and a quiz will check") if step.kind == "check" else reason_of(step, path)
    return {
        "slug": step.concept,
        "is_next": step == path.following,
        "title": _title(path, step.concept),
        "url": reverse("review") if step.kind == "review" else _url(path, step.concept),
        "kind": step.kind,
        "ready": step.ready,
        "is_goal": step.concept in goals,
        "reason_html": to_html(f"{words[:1].upper()}{words[1:]}."),
        "least": step.least,
        "most": step.most,
        "may_lead": step.kind == "learn" and {step.concept} != goals,
        "may_wait": step.kind != "review" and step.concept not in goals,
    }


def _title(path: PlannedPath, slug: str) -> str:
    return path.course.concept(slug).title


def _url(path: PlannedPath, slug: str) -> str:
    return reverse("concept", args=[path.course.id, slug])
