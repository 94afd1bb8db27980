"""The benchmarks' own arithmetic: ratios by round, gates that hold or do not."""

import json
from pathlib import Path

import pytest

from bench import report
from bench.__main__ import main
from bench.harness import Samples
from bench.live_server.simulated_team import SimulatedTurnHandler
from bench.report import Gate, Report, as_table, report_of, write_json
from conversations.turns.handler import TurnHandler

SAMPLES = Samples(
    taken={
        "ours": [{"s0_us": 10.0}, {"s0_us": 40.0}, {"s0_us": 12.0}],
        "theirs": [{"s0_us": 100.0}, {"s0_us": 400.0}, {"s0_us": 100.0}],
    },
    pressure=[3.0, 80.0, 4.0],
)


def found(*, at_most: float) -> Report:
    seen = SAMPLES.ratio("s0_us", of="ours", to="theirs")
    return report_of(SAMPLES, title="a run", gates=(Gate(claim="ours to theirs", seen=seen, at_most=at_most),))


def test_ratio_is_the_median_of_the_rounds_own_ratios() -> None:
    assert SAMPLES.ratio("s0_us", of="ours", to="theirs") == pytest.approx(0.1)
    assert SAMPLES.medians() == {"ours": {"s0_us": 12.0}, "theirs": {"s0_us": 100.0}}


def test_report_holds_when_all_its_gates_do() -> None:
    assert found(at_most=0.11).held
    assert not found(at_most=0.09).held


def test_table_names_the_gate_that_does_not_hold() -> None:
    table = as_table(found(at_most=0.09), name="orch")
    assert "NOT HELD: ours to theirs: 0.1 (at most 0.09)" in table
    assert "medians of 3 rounds; CPU pressure 4 %" in table


def test_goal_that_is_not_reached_is_told_and_breaks_nothing() -> None:
    missed = report_of(SAMPLES, title="a run", gates=(), goals=(Gate(claim="a turn, ms", seen=17.6, at_most=8.0),))
    assert missed.held
    assert "goal not reached: a turn, ms: 17.6 (wanted: 8)" in as_table(missed, name="turn")


def test_results_are_written_for_machines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "RESULTS", tmp_path / "bench" / "results")
    path = write_json(found(at_most=1), name="orch")
    content = json.loads((tmp_path / path).read_text())
    assert (content["name"], content["rounds"], content["gates"][0]["held"]) == ("orch", 3, True)


def test_unknown_benchmark_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["no_such_thing"]) == 2
    assert (
        "no benchmark no_such_thing; there are class_page, classifier, companion, drawing, estimator, event_cost,"
        in capsys.readouterr().err
    )


def test_simulated_team_serves_turns_in_every_way_that_a_host_is_asked_to() -> None:
    wanted = {name for name in vars(TurnHandler) if not name.startswith("_")}
    assert wanted - set(dir(SimulatedTurnHandler)) == set()
