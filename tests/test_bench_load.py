"""The load benchmark: what it calls answered, queued, refused and lost; its sums, its pictures, and its pages."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from bench import report
from bench.benchmarks import load
from bench.live_server.load_generator import PING, PONG, SocketClient
from bench.load import pages
from bench.load.learners import Learner, Offered
from bench.load.lesson_models import FAULTS, REPLY, SHOWN_WORDS, FaultyModels
from bench.load.measures import Stage, Use, error_percent, turn_figures
from bench.load.pages import BEGIN, BLOCKS, END, FIGURES, keep, number, pictures, with_blocks
from bench.load.plots import Line, Scale, line_plot, nice_step
from bench.load.saturation import STEP_S, at_once, served_a_second
from bench.load.scaling import Costs, needs, predict, processes_for
from bench.load.soak import Sample, growth
from bench.report import Gate
from tests.provider.faults import Fault
from tests.provider.openai_wire import read

KEPT = json.loads(FIGURES.read_text(encoding="utf-8"))
COSTS = Costs(
    web_cpu_ms=60.0, database_cpu_ms=20.0, redis_cpu_ms=1.0, rows_inserted=20.0, rows_updated=10.0, logged_kb=40.0,
    stored_kb=30.0, events=15.0, redis_commands=5.0, model_calls=3.0, idle_cpu_percent=1.0, base_mb=300.0, socket_kb=40.0,
    turn_s=2.0, page_cpu_ms=90.0,
)  # fmt: skip
STARTED = {"type": "turn_started"}
SAID = {"type": "reply_text", "text": "One half."}
DONE = {"type": "turn_finished", "reply": "One half.", "status": "done"}


async def heard(*frames: dict[str, Any]) -> Offered:
    """Return what a message came to whose learner got these frames; events without a number are numbered."""
    learner = Learner(b"")
    learner.first_shown = b"reply_text"
    learner.transport = type("Transport", (), {"write": lambda self, data: None})()
    offered = Offered(due=0.0, text="hello")
    learner.begin(offered)
    for number_, frame in enumerate(frames, start=1):
        wire = frame if frame["type"] == "error" else {"seq": number_, "turn_id": "t"} | frame
        learner.frame(json.dumps(wire, separators=(",", ":")).encode())
    return offered


@pytest.mark.parametrize(
    ("frames", "outcome"),
    [
        ([STARTED, SAID, DONE], "served"),
        ([STARTED, {"type": "queued", "position": 3}, SAID, DONE], "queued"),
        ([{"type": "error", "error": {"code": "unavailable"}}], "refused"),
        ([STARTED, SAID], "lost"),
    ],
)
async def test_outcome_of_a_message(frames: list[dict[str, Any]], outcome: str) -> None:
    found = await heard(*frames)
    assert (found.outcome, found.faults) == (outcome, [])


async def test_message_knows_its_place_and_its_refusal() -> None:
    assert (await heard(STARTED, {"type": "queued", "position": 3})).place == 3
    assert (await heard({"type": "error", "error": {"code": "unavailable"}})).refusal == "unavailable"


async def test_missing_event_and_reply_that_was_not_streamed_are_faults() -> None:
    found = await heard(STARTED, DONE | {"seq": 3})
    assert found.faults == ["event 3 after 1", "the reply is not what was streamed"]


async def test_turn_that_is_resumed_begins_its_reply_anew() -> None:
    found = await heard(STARTED, SAID, {"type": "turn_resumed", "seq": 2}, SAID | {"seq": 3}, DONE | {"seq": 4})
    assert (found.outcome, found.faults) == ("served", [])


def test_figures_count_every_message_once() -> None:
    offered = [
        Offered(due=0.0, text="", shown=1.5, ended=2.0, status="done"),
        Offered(due=0.0, text="", place=1, shown=2.5, ended=3.0, status="degraded"),
        Offered(due=0.0, text="", refusal="unavailable"),
        Offered(due=0.0, text=""),
    ]
    row = turn_figures(offered, Use(cpu_s={"web": 0.1}), model_first_s=1.0)
    assert [row[name] for name in ("offered", "served", "queued", "refused", "lost", "done")] == [4, 1, 1, 1, 1, 1]
    assert (row["first_p50_ms"], row["web_cpu_ms"]) == (1000.0, 50.0)
    assert error_percent(offered) == 75.0


def test_rate_and_most_at_once_of_turns() -> None:
    offered = [Offered(due=start, text="", ended=start + 2.0, status="done") for start in (0.0, 1.0, 2.5)]
    assert at_once(offered) == 2
    assert served_a_second(offered, since=2.0) == 3 / STEP_S
    late = Offered(due=3.0, text="", ended=42.0, status="done")
    assert served_a_second([*offered, late], since=2.0) == 4 / 40


def test_growth_is_the_slope_of_a_line() -> None:
    samples = [Sample(at_s=at, memory_mb=300 + at / 3600, files=50) for at in (600.0, 660.0, 720.0)]
    warming = [Sample(at_s=at, memory_mb=100 + at, files=50) for at in (0.0, 300.0)]
    samples = [*warming, *samples]
    assert growth(samples)["mb_an_hour"] == pytest.approx(1.0)
    assert growth(samples)["files_an_hour"] == 0


def test_growth_leaves_out_a_step_that_does_not_repeat() -> None:
    times = [600.0 + 5 * number for number in range(240)]
    step = [Sample(at_s=at, memory_mb=440 + 20 * (at > 1150), files=50) for at in times]
    assert growth(step)["mb_an_hour"] == pytest.approx(0.0, abs=0.01)
    leak = [Sample(at_s=at, memory_mb=440 + at / 60 + 20 * (at > 1150), files=50) for at in times]
    assert growth(leak)["mb_an_hour"] > 50
    steps = [Sample(at_s=at, memory_mb=440 + 5 * (at // 240), files=50) for at in times]
    assert growth(steps)["mb_an_hour"] > 50


def test_models_answer_in_40_words_and_fail_as_often_as_told() -> None:
    assert len(REPLY.split()) == 40
    assert len(REPLY.split(".")[0].split()) + 1 == SHOWN_WORDS
    asked = read({"messages": [{"role": "user", "content": "why?"}], "stream": True})
    models = FaultyModels(gap_s=0.0, fault_percent=10.0)
    faults = [answer.fault for answer in (models(asked) for _ in range(1_000)) if answer.fault]
    assert 70 <= len(faults) <= 130
    assert all(Fault.parse(fault) for fault in FAULTS)


def test_twice_as_many_learners_use_twice_as_much_beyond_what_a_process_needs() -> None:
    one, two = (predict(COSTS, learners=learners, turns_an_hour=60) for learners in (60, 120))
    assert one["turns_per_s"] == 1.0
    assert one["web_cores"] == pytest.approx(0.07)
    assert two["web_cores"] - one["web_cores"] == pytest.approx(0.06)
    assert two["memory_mb"] - one["memory_mb"] == pytest.approx(60 * 40 / 1024)
    assert one["rows_per_s"] == 30.0


def test_pages_are_paid_for_too() -> None:
    without, with_pages = (predict(COSTS, learners=60, turns_an_hour=60, pages_an_hour=pages) for pages in (0, 20))
    assert with_pages["web_cores"] - without["web_cores"] == pytest.approx(0.03)


@pytest.mark.parametrize(("cores", "processes"), [(0.1, 2), (1.18, 2), (1.2, 3), (5.9, 10), (6.0, 11)])
def test_processes_leave_cores_some_rest_and_one_may_fail(cores: float, processes: int) -> None:
    assert processes_for(COSTS, cores) == processes


def test_needs_of_a_million_learners() -> None:
    found = needs(COSTS, learners=1_000_000)
    assert found["online"] == 100_000
    assert found["turns_per_s"] == pytest.approx(1666.7, abs=0.1)
    assert found["running_turns"] == pytest.approx(3333.3, abs=0.1)
    assert found["stored_gb_a_year"] == pytest.approx(1e6 * 100 * 60 * 30 / 1024**2)


@pytest.mark.parametrize(("step", "nice"), [(0.7, 1), (1.0, 1), (1.2, 2), (30, 50), (0.03, 0.05), (80, 100)])
def test_steps_of_an_axis_are_round(step: float, nice: float) -> None:
    assert nice_step(step) == pytest.approx(nice)


def test_scale_by_powers_of_ten() -> None:
    scale = Scale(low=1, high=100, start=200, end=0, is_log=True)
    assert [scale.at(value) for value in (1, 10, 100)] == [200, 100, 0]
    assert scale.ticks() == [1, 10, 100]


def test_picture_has_every_line_with_its_name() -> None:
    lines = [Line(name="a < b", points=[(0, 0), (10, 5)]), Line(name="c", points=[(0, 1), (10, 5)], is_dashed=True)]
    root = ET.fromstring(line_plot("A & B", lines, across="messages", up="turns"))
    texts = {each.text: each for each in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"A & B", "a < b", "c", "messages", "turns"} <= texts.keys()
    assert abs(float(texts["a < b"].get("y", 0)) - float(texts["c"].get("y", 0))) >= 16


def test_run_replaces_the_parts_that_it_measured() -> None:
    limit = {"claim": "T1: lost", "seen": 0, "at_most": 0, "held": True}
    run = {"rows": {"T1: a": {"cpu_ms": 1.0}}, "gates": [limit], "goals": []}
    kept = keep(run, {"T1": {"date": "then"}, "T2": {"date": "then"}}, date="now")
    assert kept == {"T1": {"date": "now", "rows": run["rows"], "limits": [limit]}, "T2": {"date": "then"}}


@pytest.mark.parametrize(
    ("value", "words"), [(0, "0"), (12_345.6, "12,346"), (0.1234, "0.123"), (42.0, "42"), (99.96, "100")]
)
def test_number_has_three_digits_that_matter(value: float, words: str) -> None:
    assert number(value) == words


@pytest.mark.parametrize("page", pages.PAGES)
def test_page_shows_the_kept_figures(page: str) -> None:
    text = (pages.DOCS / page).read_text(encoding="utf-8")
    assert with_blocks(text, KEPT) == text


def test_every_block_is_on_a_page_and_every_picture_is_kept() -> None:
    text = "".join((pages.DOCS / page).read_text(encoding="utf-8") for page in pages.PAGES)
    assert [name for name in BLOCKS if BEGIN.format(name=name) not in text] == []
    assert text.count(END) == len(BLOCKS)
    for name, picture in pictures(KEPT).items():
        assert (pages.PICTURES / f"{name}.svg").read_text(encoding="utf-8") == picture
        assert f"load/{name}.svg" in text


def test_unknown_part_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCH_LOAD", "T1,T9")
    with pytest.raises(ValueError, match="no part T9; there are T1, T2"):
        load.run()


def test_part_that_breaks_leaves_the_figures_of_those_before(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def works() -> Stage:
        return Stage(rows={"T1: a": {"cpu_ms": 1.0}}, gates=[Gate(claim="T1: lost", seen=0, at_most=0)])

    def breaks() -> Stage:
        raise KeyboardInterrupt

    monkeypatch.setattr(load, "STAGES", {"T1": works, "T2": breaks})
    monkeypatch.setattr(report, "RESULTS", tmp_path / "bench" / "results")
    monkeypatch.setenv("BENCH_LOAD", "all")
    with pytest.raises(KeyboardInterrupt):
        load.run()
    written = json.loads((tmp_path / "bench" / "results" / "load.json").read_text())
    assert written["rows"] == {"T1: a": {"cpu_ms": 1.0}}
    assert [gate["claim"] for gate in written["gates"]] == ["T1: lost"]


def test_parts_that_take_long_run_only_when_they_are_named() -> None:
    assert not load.LONG & set(load.wanted_parts(""))
    assert load.wanted_parts("costs") == ["costs"]
    assert load.wanted_parts("all") == list(load.STAGES)


def test_part_that_was_not_measured_has_no_figures() -> None:
    text = with_blocks(f"{BEGIN.format(name='T1')}\n{END}\n", {})
    assert pages.NOT_MEASURED in text


async def test_ping_of_the_server_is_answered() -> None:
    client, sent = SocketClient(b""), list[bytes]()
    client.is_open.set_result(True)
    client.transport = type("Transport", (), {"write": lambda self, data: sent.append(data)})()
    client.data_received(bytes((0x80 | PING, 2)) + b"hi")
    assert sent == [bytes((0x80 | PONG, 0x80 | 2)) + bytes(4) + b"hi"]
