"""View that runs the program in a question's field and shows what it prints; it is no try and stores nothing."""

from typing import Final

from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tutoring.access import question_for
from tutoring.grading.program_runner import run_outcomes
from tutoring.grading.programs.answer_text import MAX_CODE, code_in
from tutoring.grading.programs.outcomes import Outcome
from tutoring.pages.views.requests import LearnerRequest
from tutoring.roles.wording.python_errors import STOPPED, error_meaning

RUNS_PER_MINUTE: Final = 30
SHOWN: Final = 4_000
"""Characters of the output that are shown."""


@login_required
@require_POST
def run_program(request: LearnerRequest, pk: str) -> HttpResponse:
    """Return the outcome as a part of the card."""
    question = question_for(request.user, pk)
    code = code_in(request.POST.get("answer", ""))
    if question.kind != "code" or not question.is_open:
        return _said(request, _("This question is closed."), status=422)
    if not code.strip() or len(code) > MAX_CODE:
        return _said(request, _("Write your program first.") if not code.strip() else _("That is too long to run."))
    if _runs_this_minute(request.user.pk) > RUNS_PER_MINUTE:
        return _said(request, _("You ran a lot of programs. Wait a minute, then try again."), status=429)
    outcome = run_outcomes((code,))[code]
    return render(request, "tutoring/program_run.html", {"outcome": outcome, "said": _words(outcome)[:SHOWN]})


def _said(request: LearnerRequest, words: str, *, status: int = 200) -> HttpResponse:
    return render(request, "tutoring/program_run.html", {"said": words}, status=status)


def _runs_this_minute(person: int) -> int:
    key = f"program-runs:{person}"
    cache.add(key, 0, 60)
    try:
        return cache.incr(key)
    except ValueError:  # It expired in between.
        return 1


def _words(outcome: Outcome) -> str:
    """Return what is said besides the output; empty if there is nothing to add."""
    if outcome.problem == "not_run":
        return _("Programs can’t run right now. Try again in a moment.")
    if outcome.problem in STOPPED:
        return str(STOPPED[outcome.problem])
    if outcome.problem:
        line = _("Line %(line)s: %(error)s.") if outcome.line else "%(error)s."
        named = line % {"line": outcome.line, "error": outcome.error}
        return " ".join(filter(None, (named, error_meaning(outcome.error, outcome.hint))))
    return "" if outcome.output else _("It ran and printed nothing.")
