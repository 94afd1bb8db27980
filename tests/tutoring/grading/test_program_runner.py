"""Running the programs of answers: outside of transactions, once, and whatever they do."""

from collections.abc import Iterator

import pytest
from django.conf import settings as django_settings
from django.db import transaction

from agents.conf import agent_settings, sandbox
from agents.sandbox.blocking import run_programs
from agents.sandbox.program import ProgramNotRun, ProgramRun, broke_down
from agents.storage.transactions import rerun_after_inference
from tests.agents.sandbox.hostile_programs import HOSTILE
from tutoring.grading import CodeKey
from tutoring.grading import program_runner as runner
from tutoring.grading.programs.keys import ProgramCase
from tutoring.grading.programs.outcomes import NOT_RUN, programs_of
from tutoring.grading.semantic_grader import grade_by_meaning

KEY = CodeKey(
    solution="def double(n):\n    return 2 * n",
    cases=(ProgramCase(call="double(3)", value="6"), ProgramCase(call="double(0)", value="0")),
)


class CountingSandbox:
    """Counts what is run, and fails at first if told to."""

    def __init__(self, *, failures: int = 0) -> None:
        self.programs: list[str] = []
        self.failures = failures

    async def run(self, code: str) -> ProgramRun:
        self.programs.append(code)
        if self.failures:
            self.failures -= 1
            raise broke_down()
        return ProgramRun(value="6", output="")

    async def close(self) -> None:
        pass

    def problem(self) -> str:
        return ""


@pytest.fixture(autouse=True)
def _nothing_known() -> Iterator[None]:
    runner.forget_outcomes()
    yield
    runner.forget_outcomes()


@pytest.fixture
def counting(monkeypatch) -> CountingSandbox:
    place = CountingSandbox()
    monkeypatch.setattr(runner, "sandbox", lambda: place)
    return place


def test_learner_code_is_graded_by_running_it():
    assert grade_by_meaning(KEY, KEY.solution).is_correct
    assert grade_by_meaning(KEY, "def double(n):\n    return n").reason == "value"


def test_each_program_runs_once_while_it_is_remembered(counting):
    runner.run_outcomes(("a", "b"), ("a", "c"))
    runner.run_outcomes(("a", "b", "c"))
    assert sorted(counting.programs) == ["a", "b", "c"]


def test_program_that_was_not_run_is_told_once_and_then_runs(counting):
    counting.failures = 1
    assert runner.run_outcomes(("a",)) == {"a": NOT_RUN}
    assert runner.run_outcomes(("a",))["a"].value == "6"


@pytest.mark.django_db(transaction=True)
def test_programs_run_before_the_transaction_that_needs_them(counting):
    runs = []

    @rerun_after_inference
    @transaction.atomic
    def graded() -> str:
        runs.append(len(counting.programs))
        return grade_by_meaning(KEY, "def double(n):\n    return n").reason

    assert graded() == "value"
    assert runs == [0, 3]


@pytest.mark.django_db(transaction=True)
def test_failed_sandbox_ends_a_transaction_with_no_try(counting):
    counting.failures = 3

    @rerun_after_inference
    @transaction.atomic
    def graded() -> str:
        return grade_by_meaning(KEY, "def double(n):\n    return n").verdict

    assert graded() == "unparsable"


def test_after_an_endless_loop_the_other_cases_are_not_run():
    code = "def double(n):\n    while True:\n        pass"
    outcomes = runner.run_outcomes(programs_of(code, (*KEY.cases, ProgramCase(call="double(9)", value="1"))))
    assert [each.problem for each in outcomes.values()] == ["", "timeout", "timeout", "timeout"]


@pytest.mark.parametrize("program", [each for each in HOSTILE if not each.spins], ids=lambda each: each.code[:24])
def test_hostile_program_as_an_answer_does_no_harm(program):
    judgement = grade_by_meaning(KEY, program.code)
    assert judgement.verdict in ("wrong", "partial", "unparsable")
    assert judgement.failure is not None
    assert len(judgement.failure.output) <= 600
    assert len(judgement.failure.error) <= 400


def test_where_programs_cannot_run_none_is(settings):
    settings.AGENTS = django_settings.AGENTS | {"sandbox": ""}
    assert (agent_settings().sandbox, sandbox(), runner.can_run()) == ("", None, False)
    assert grade_by_meaning(KEY, KEY.solution).reason == "not_run"


def test_sandbox_that_breaks_down_is_told_in_order():
    place = CountingSandbox(failures=1)
    first, second = run_programs(place, ["a", "b"])
    assert isinstance(first, ProgramNotRun)
    assert isinstance(second, ProgramRun)
