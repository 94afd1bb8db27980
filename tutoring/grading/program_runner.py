"""Runs the programs of answers in the sandbox, outside event loops and transactions, before they are graded."""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain

from agents.conf import sandbox
from agents.local_models import inference
from agents.sandbox.blocking import run_programs
from agents.sandbox.program import ProgramNotRun, ProgramRun
from tutoring.grading.programs.outcomes import ENDLESS, NONE, NOT_RUN, Outcome, Outcomes

REMEMBERED = 2_000
"""Programs whose outcome is cached, the latest ones, mostly those of misconceptions."""

_known: OrderedDict[str, Outcome] = OrderedDict()
_locked = threading.Lock()


def can_run() -> bool:
    """Tell whether programs can be run on this site."""
    place = sandbox()
    return place is not None and not place.problem()


def run_outcomes(*groups: Sequence[str]) -> Outcomes:
    """Return the outcomes of programs, cached by their text; a group are the programs of one answer, in order.

    After one that fails to run alone, or that never ends, the rest of its group is not run but has the same outcome.
    A program that the sandbox failed to run is NOT_RUN, once. Within a transaction, raises InferenceNeeded unless all
    are cached (`agents.storage.transactions`). Blocks up to some seconds: never call it on an event loop.
    """
    wanted = tuple(dict.fromkeys(chain.from_iterable(groups)))
    found = _recall(wanted)
    if len(found) < len(wanted):
        if inference.is_forbidden():
            raise inference.InferenceNeeded(partial(_run, groups))
        found = _run(groups)
    _forget_failures(found)
    return found


def _run(groups: Sequence[Sequence[str]]) -> dict[str, Outcome]:
    """Run what is not cached and cache it, also failures: the transaction that needs them reads them next."""
    ran = _recall(dict.fromkeys(chain.from_iterable(groups)))
    for phase in (slice(0, 1), slice(1, 2), slice(2, None)):
        for group in groups:
            _copy_endless(group[: phase.start], group[phase.start :], ran)
        ran |= _run_now(
            [each for each in dict.fromkeys(chain.from_iterable(g[phase] for g in groups)) if each not in ran]
        )
    with _locked:
        _known.update(ran)
        while len(_known) > REMEMBERED + len(ran):
            _known.popitem(last=False)
    return ran


def _copy_endless(done: Sequence[str], left: Sequence[str], ran: dict[str, Outcome]) -> None:
    for place, program in enumerate(done):
        outcome = ran[program]
        if outcome.problem in ENDLESS or (outcome.problem and place == 0):
            ran |= {each: outcome for each in left if each not in ran}


def _run_now(programs: Sequence[str]) -> dict[str, Outcome]:
    place = sandbox()
    if not programs or place is None or place.problem():
        return dict.fromkeys(programs, NOT_RUN)
    return dict(zip(programs, map(_outcome, run_programs(place, programs)), strict=True))


def _recall(programs: Iterable[str]) -> dict[str, Outcome]:
    with _locked:
        found = {program: _known[program] for program in programs if program in _known}
        for program in found:
            _known.move_to_end(program)
    return found


def _forget_failures(found: Outcomes) -> None:
    with _locked:
        for program, outcome in found.items():
            if outcome.problem == NOT_RUN.problem:
                _known.pop(program, None)


def _outcome(run: ProgramRun | ProgramNotRun) -> Outcome:
    if isinstance(run, ProgramNotRun):
        return NOT_RUN
    if run.error is None:
        return Outcome(value=run.value if run.value is not None else NONE, output=run.output)
    error = run.error
    return Outcome(problem=error.kind, error=error.message, hint=error.hint, line=error.line, output=run.output[:2_000])


def forget_outcomes() -> None:
    """Empty the cache."""
    with _locked:
        _known.clear()
