"""Show what a refit of the mastery parameters would change, and why it is or is not accepted."""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tutoring.management.commands.replay_responses import answers_in
from tutoring.mastery.knowledge_tracing import DEFAULT_SKILL, SkillParameters
from tutoring.mastery.parameter_fitting import refit_decision
from tutoring.mastery.parameter_fitting.answer_history import WeighedAnswer
from tutoring.mastery.parameter_fitting.refit_decision import (
    ANSWERS_NEEDED,
    LEARNERS_NEEDED,
    MAX_CALIBRATION_LOSS,
    MIN_GAIN,
    Refit,
)
from tutoring.mastery.parameter_fitting.replay import LOGGED_PARAMETERS
from tutoring.mastery.records import parameter_refits
from tutoring.models import Course

_SHOWN = {"initial": "initial", "learn": "learn", "forget": "forget", "known_base": "known", "unknown_shift": "shift"}
_SHARED = {
    "known_by_item": "item slope, known", "unknown_by_item": "unknown", "known_by_ability": "ability slope, known",
    "unknown_by_ability": "unknown", "prior_by_ability": "of the prior",
}  # fmt: skip
"""Slopes shared by the concepts that are fitted together."""
_TOO_FEW = f"too few answers: a concept needs {ANSWERS_NEEDED} first attempts by {LEARNERS_NEEDED} learners"


class Command(BaseCommand):
    help = (
        "Refits the mastery parameters of the loaded courses, or of a log, and compares them with the active "
        "ones on the answers of every fifth learner, who are held out. Shows the log-loss and AUC of both, why "
        "the refit is or is not accepted, and for each concept with enough answers its calibration error and "
        "parameters. A log has the columns of replay_responses. Changes nothing without --apply."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--from", dest="log", type=Path, metavar="FILE", help="a log of answers instead of the courses'"
        )
        parser.add_argument("--course", metavar="ID", help="only this course")
        parser.add_argument("--apply", action="store_true", help="store the refit, and activate it if accepted")

    def handle(self, *args: Any, log: Path | None, course: str | None, apply: bool, **options: Any) -> None:
        if log is not None:
            if apply or course:
                raise CommandError(
                    "A log says nothing about a course's own questions: do not combine --from with --apply or --course."
                )
            self._show_log(log)
            return
        courses = Course.objects.order_by("position", "title")
        if course is not None and not (courses := courses.filter(slug=course)):
            raise CommandError(f"There is no course {course!r}.")
        for each in courses:
            self._show_course(each, apply=apply)

    def _show_log(self, path: Path) -> None:
        learners: dict[str, int] = {}
        history = [
            WeighedAnswer(
                learner=learners.setdefault(each.user, len(learners)),
                concept=each.skill,
                item=each.item,
                kind="constructed",  # LOGGED stands in for the question kinds that a log does not name.
                offset=0.0,
                correct=each.correct,
            )
            for each in answers_in(path)
        ]
        in_force = dict.fromkeys((each.concept for each in history), LOGGED_PARAMETERS)
        self._show(path.name, refit_decision.refit(history, in_force), in_force)

    def _show_course(self, course: Course, *, apply: bool) -> None:
        found = parameter_refits.refit_of(course)
        self._show(course.slug, found, course.skills())
        if not (apply and found):
            return
        row = parameter_refits.store(course, found)
        course.refresh_from_db(fields=["parameters"])
        if course.parameters_id == row.pk:
            self.stdout.write(f"  active as version {row.version}")
        elif row.accepted:
            self.stdout.write(
                f"  stored as version {row.version}: the active parameters were chosen by hand in the admin"
            )
        else:
            self.stdout.write(f"  stored as version {row.version}, not active")

    def _show(self, name: str, found: Refit | None, in_force: Mapping[str, SkillParameters]) -> None:
        for line in [f"{name}: {_TOO_FEW}"] if found is None else describe_refit(name, found, in_force):
            self.stdout.write(line)


def describe_refit(name: str, found: Refit, in_force: Mapping[str, SkillParameters]) -> Iterator[str]:
    """Yield lines on what a refit found, how it compares, and what it would change for each concept."""
    yield f"{name}: {found.answers:,} first attempts by {found.learners:,} learners; compared on {found.held_out:,}"
    gain, noise = (value / found.loss_before for value in (found.loss_before - found.loss_after, found.noise))
    yield (
        f"  log-loss {found.loss_before:.4f} → {found.loss_after:.4f}, gain {gain:.2%} ± {noise:.2%};"
        f" auc {_number(found.auc_before)} → {_number(found.auc_after)}"
    )
    yield f"  {_verdict(found)}"
    calibration = {each.concept: each for each in found.changes}
    pairs = {concept: (in_force.get(concept, DEFAULT_SKILL), skill) for concept, skill in found.parameters.items()}
    changed = {concept: pair for concept, pair in sorted(pairs.items()) if pair[0] != pair[1]}
    if changed:
        yield f"  shared by all: {_changes(*next(iter(changed.values())), _SHARED)}"
    for concept, (old, skill) in changed.items():
        seen = calibration.get(concept)
        shown = (
            f"calibration error {seen.before:.3f} → {seen.after:.3f} on {seen.answers}"
            if seen
            else "too few held-out answers"
        )
        yield f"  {concept}: {_changes(old, skill, _SHOWN)}; {shown}"
    for each in found.kept:
        yield (
            f"  {each.concept} keeps the active parameters: calibration error {each.before:.3f} → {each.after:.3f}"
            f" (noise {each.noise:.3f}) on {each.answers}"
        )


def _verdict(found: Refit) -> str:
    match found.refusal:
        case "nothing new":
            return f"not accepted: calibration would get worse by more than {MAX_CALIBRATION_LOSS} on every concept"
        case "too little gain":
            return f"not accepted: the log-loss must fall by at least {MIN_GAIN:.1%}"
        case "gain by chance":
            return "not accepted: with so few held-out learners the gain may be due to chance"
        case None:
            return "accepted"


def _changes(old: SkillParameters, new: SkillParameters, names: Mapping[str, str]) -> str:
    return ", ".join(f"{shown} {getattr(old, name):.2f} → {getattr(new, name):.2f}" for name, shown in names.items())


def _number(value: float | None) -> str:
    return "n/a" if value is None or math.isnan(value) else f"{value:.3f}"
