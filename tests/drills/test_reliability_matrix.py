"""The reliability matrix: every row is tried by something that exists, and the page shows what came of it."""

import json

import pytest

from drills.__main__ import DRILLS
from drills.reliability import evidence, outcomes
from drills.reliability.evidence import ROOT, file_of
from drills.reliability.matrix import RowResult, as_page
from drills.reliability.rows import SECTIONS, Row

ROWS = [row for section in SECTIONS.values() for row in section]
BENCHMARKS = {path.stem for path in (ROOT / "bench" / "benchmarks").glob("[!_]*.py")}
TEST = ("tests.drills.test_reliability_matrix", "test_rows_have_names_of_their_own")


def result(**changes):
    row = Row(id="F1", fault="killed", holds="nothing is lost")
    return RowResult(**{"row": row, "tests": {TEST: "held"}, "drills": {}, "benchmarks": {}} | changes)


def test_rows_have_names_of_their_own():
    assert len({row.id for row in ROWS}) == len(ROWS)


def test_every_row_is_tried_by_something_that_exists():
    tests = evidence.tests_by_row()
    assert [row.id for row in ROWS if not (tests.get(row.id) or row.drills or row.benchmarks)] == []
    assert {name for row in ROWS for name in row.drills} <= DRILLS.keys()
    assert {name.partition(":")[0] for row in ROWS for name in row.benchmarks} <= BENCHMARKS


def test_a_docstring_names_the_row_of_a_test():
    orphan = ("tests.conversations.turns.test_recovery", "test_orphan_is_taken_up_and_answered")
    assert orphan in evidence.tests_by_row()["F3"]


def test_tests_in_classes_are_in_a_file():
    assert file_of(("tests.agents.test_x.TestY.TestZ", "test_that")) == "tests/agents/test_x.py"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, []),
        ({"tests": {TEST: "skipped"}}, []),
        ({"tests": {TEST: "failed"}}, [f"test {TEST[1]}"]),
        ({"drills": {"kills": "failed"}}, ["drill kills failed"]),
        ({"benchmarks": {"load": "not run"}}, ["benchmark load not run"]),
        ({"tests": {}}, ["nothing tries it"]),
    ],
)
def test_a_row_holds_only_if_everything_that_tries_it_held(changes, told):
    assert result(**changes).faults == told


def test_results_of_drills_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(outcomes, "DRILL_RESULTS", tmp_path / "results")
    monkeypatch.setattr(outcomes, "BENCHMARK_RESULTS", tmp_path / "bench")
    monkeypatch.setattr(outcomes, "KNOWN", tmp_path / "outcomes.json")
    assert outcomes.drill_outcome("kills").verdict == "not run"
    outcomes.store_drill("kills", held=True)
    assert outcomes.drill_outcome("kills").verdict == "held"
    outcomes.store_drill("kills", held=False)
    assert outcomes.drill_outcome("kills").verdict == "failed"


def test_part_of_a_benchmark_is_judged_by_its_own_limits_and_one_that_did_not_run_as_known(tmp_path, monkeypatch):
    monkeypatch.setattr(outcomes, "BENCHMARK_RESULTS", tmp_path)
    monkeypatch.setattr(outcomes, "KNOWN", tmp_path / "outcomes.json")
    gates = [{"claim": "T1: lost", "held": True}, {"claim": "T10: lost", "held": False}]
    # On a busy machine, limits in milliseconds are goals.
    goals = [{"claim": "T1: ms", "held": False}, {"claim": "T7: ms", "held": True}, {"claim": "T8: ms", "held": False}]
    (tmp_path / "load.json").write_text(json.dumps({"gates": gates, "goals": goals}))
    names = ("load", "load:T1", "load:T10", "load:T7", "load:T8", "load:T2")
    verdicts = [outcomes.benchmark_outcome(name).verdict for name in names]
    assert verdicts == ["failed", "held", "failed", "held", "failed", "not run"]


def test_outcomes_are_known_on_another_machine(tmp_path, monkeypatch):
    monkeypatch.setattr(outcomes, "DRILL_RESULTS", tmp_path / "results")
    monkeypatch.setattr(outcomes, "BENCHMARK_RESULTS", tmp_path / "bench")
    monkeypatch.setattr(outcomes, "KNOWN", tmp_path / "outcomes.json")
    outcomes.store_drill("kills", held=True)
    outcomes.store_known(["kills", "jobs"], ["load"])
    (tmp_path / "results" / "kills.json").unlink()
    assert outcomes.drill_outcome("kills").verdict == "held"
    assert outcomes.drill_outcome("kills").day
    assert (outcomes.drill_outcome("jobs").verdict, outcomes.benchmark_outcome("load").verdict) == (
        "not run",
        "not run",
    )


def test_tests_are_run_and_each_told(tmp_path, monkeypatch):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_small.py").write_text(
        "import pytest\n"
        "@pytest.mark.parametrize('number', [1, 2])\n"
        "def test_one_fails(number):\n    assert number == 1\n"
        "def test_holds():\n    pass\n"
        "def test_is_skipped():\n    pytest.skip('not here')\n"
    )
    (tmp_path / "tests" / "test_elsewhere.py").write_text(
        "import pytest\npytest.skip('not here', allow_module_level=True)\ndef test_there():\n    pass\n"
    )
    monkeypatch.setattr(outcomes, "ROOT", tmp_path)
    # The process inherits the name of the settings, which are not in its folder.
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    names = ("test_one_fails", "test_holds", "test_is_skipped")
    elsewhere = ("tests.test_elsewhere", "test_there")
    found = outcomes.run_tests([elsewhere, *(("tests.test_small", name) for name in names)])
    assert found[elsewhere] == "skipped"
    assert [found["tests.test_small", name] for name in names] == ["failed", "held", "skipped"]


def test_page_has_every_row():
    page = as_page({row.id: result(row=row) for row in ROWS})
    assert all(f"| {row.id} | {row.fault} | {row.holds} | 1 test | holds |" in page for row in ROWS)
