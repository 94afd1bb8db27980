"""Trials of exercises about programs in the sandbox, all programs of a template together."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from tutoring.courses.exercises.exercise import Exercise, wrong_programs
from tutoring.courses.files.program_checks import syntax_problem
from tutoring.grading.grader import grade, programs_to_run
from tutoring.grading.program_runner import can_run, run_outcomes
from tutoring.grading.programs.keys import CodeKey, LinesKey, TraceKey
from tutoring.grading.programs.outcomes import NOT_RUN, Outcome, Outcomes, comparable_output, programs_of, signature
from tutoring.grading.verdicts import CaseFailure, Judgement

TRIED = 24
"""Exercises of a template whose programs are run: a fault in one of ten is found with probability .92."""
_SHOWN = 60


def program_problems(exercises: Sequence[Exercise]) -> Iterator[tuple[str, str]]:
    """Yield the problems of a template's exercises about programs: kind and reason. None where programs cannot run."""
    if not can_run():
        return
    tried = exercises[:TRIED]
    outcomes = run_outcomes(*(group for made in tried for group in _groups(made)))
    for made in tried:
        for kind, reason in _problems(made, outcomes):
            yield kind, f"seed {made.seed}: {reason}"


def _groups(made: Exercise) -> Iterator[tuple[str, ...]]:
    match made.key:
        case TraceKey(program=program):
            yield (program,)
        case CodeKey(solution=solution, cases=cases, starter=starter):
            yield from (programs_of(program, cases) for program in filter(None, (solution, starter)))
            yield from wrong_programs(made)
        case LinesKey(lines=lines, also=also, cases=cases) if cases:
            right = ("\n".join(each) for each in (lines, *also))
            yield from (programs_of(program, cases) for program in (*right, *made.wrong))


def _problems(made: Exercise, outcomes: Outcomes) -> Iterator[tuple[str, str]]:
    match made.key:
        case TraceKey() as trace:
            yield from _trace_problems(trace, outcomes.get(trace.program, NOT_RUN))
        case CodeKey() as code:
            yield from _code_problems(made, code, outcomes)
        case LinesKey() as lines:
            yield from _lines_problems(made, lines, outcomes)


def _trace_problems(key: TraceKey, outcome: Outcome) -> Iterator[tuple[str, str]]:
    if outcome.problem:
        yield "program", f"its program does not run to its end: {_error(outcome)}"
    elif comparable_output(outcome.output) != comparable_output(key.prints):
        printed = comparable_output(outcome.output)
        yield "prints", f"its program prints {printed[:_SHOWN]!r}, not {comparable_output(key.prints)[:_SHOWN]!r}"


def _code_problems(made: Exercise, key: CodeKey, outcomes: Outcomes) -> Iterator[tuple[str, str]]:
    judged = grade(key, key.solution, outcomes=outcomes)
    if not judged.is_correct:
        yield "solution", f"its own solution is graded {_told(judged)}"
    if key.starter and grade(_bare_key(key), key.starter, outcomes=outcomes).is_correct:
        yield "starter", "the starter passes all cases already"
    for program in made.wrong:
        if problem := syntax_problem(program):
            yield "wrong", f"Python cannot read the wrong program {program[:_SHOWN]!r}: {problem}"
        elif outcomes.get(program, NOT_RUN).problem == "missing":
            yield "wrong", f"the sandbox cannot run the wrong program {program[:_SHOWN]!r}"
        elif grade(_bare_key(key), program, outcomes=outcomes).is_correct:
            yield "wrong", f"the wrong program {program[:_SHOWN]!r} passes all cases"
    for first, second in combinations(made.wrong, 2):
        if set(made.wrong[first]) != set(made.wrong[second]) and signature(first, key.cases, outcomes) == signature(
            second, key.cases, outcomes
        ):
            names = " and ".join(made.wrong[each][0] for each in (first, second))
            yield "alike", f"the programs of {names} do the same in all cases; add a case that tells them apart"


def _bare_key(key: CodeKey) -> CodeKey:
    return CodeKey(solution=key.solution, cases=key.cases)


def _lines_problems(made: Exercise, key: LinesKey, outcomes: Outcomes) -> Iterator[tuple[str, str]]:
    for lines in (key.lines, *key.also):
        program = "\n".join(lines)
        if problem := syntax_problem(program):
            yield "lines", f"Python cannot read the lines: {problem}"
        elif key.cases:
            judged = grade(CodeKey(solution=program, cases=key.cases), program, outcomes=outcomes)
            if not judged.is_correct:
                yield "lines", f"its own lines are graded {_told(judged)}"
    for wrong in made.wrong:
        ran = {each: outcomes[each] for each in programs_to_run(key, wrong) if each in outcomes}
        if grade(key, wrong, outcomes=ran).is_correct:
            yield "wrong", f"the wrong lines {wrong[:_SHOWN]!r} pass all cases"


def _told(judged: Judgement) -> str:
    failure = judged.failure
    return ", ".join(filter(None, [judged.verdict, judged.reason, _failure(failure) if failure else ""]))


def _failure(failure: CaseFailure) -> str:
    where = f"at {failure.call!r}" if failure.call else "the program"
    if failure.error:
        return f"{where}: {failure.error} {failure.hint}".strip()
    if failure.reason.startswith("prints") and failure.expected_output is not None and failure.expected_value is None:
        return f"{where} prints {failure.output[:_SHOWN]!r}, not {failure.expected_output[:_SHOWN]!r}"
    return f"{where} gives {failure.value[:_SHOWN]}, not {failure.expected_value}"


def _error(outcome: Outcome) -> str:
    line = f"line {outcome.line}: " if outcome.line else ""
    return f"{line}{outcome.error or outcome.problem} {outcome.hint}".strip()
