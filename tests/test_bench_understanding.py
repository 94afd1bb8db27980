"""How message analysis is scored, on rows made up here; the frozen ones are nobody's to look at."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from bench.understanding import scoring
from bench.understanding.__main__ import FROZEN, is_frozen, main
from bench.understanding.analysis_client import _Exchange, _stdin, request_fields
from bench.understanding.gates import GateFigure, figures
from bench.understanding.result_files import BEGIN, END, with_figures
from bench.understanding.tables import as_markdown, as_text


def situation(intent: str, *, also: tuple[str, ...] = (), verdict: str = "none", answer: str = "") -> scoring.Row:
    asked = {"text": "How much is shaded?", "answer": answer or None}
    return {"intent": intent, "also": list(also), "verdict": verdict, "group": "child", "asked": asked, "value": None}


def told(intent: str, verdict: str = "none") -> scoring.Told:
    return {"intent": intent, "verdict": verdict}


def test_one_of_a_rows_other_intents_is_right_but_not_strictly() -> None:
    pairs = [(situation("answer", also=("idea",)), told("idea")), (situation("idea"), told("answer"))]
    found = scoring.situations(pairs)
    assert found["intent"] == {"count": 1, "of": 2, "share": 0.5}
    assert found["intent_strict"]["count"] == 0
    assert found["intents"]["answer"]["recall"]["count"] == 1
    assert found["intents"]["answer"]["precision"]["count"] == 0
    assert found["intents"]["idea"]["taken_for"] == {"answer": 1}


def test_macro_f1_counts_a_rare_intent_as_much_as_a_frequent_one() -> None:
    pairs = [(situation("answer"), told("answer"))] * 9 + [(situation("goal"), told("plan"))]
    assert scoring.macro_f1(scoring.per_intent(pairs)) == 0.5


def test_every_intent_is_of_one_group() -> None:
    names = [name for group in scoring.INTENTS.values() for name in group]
    assert len(names) == len(set(names)) == 29


@pytest.mark.parametrize(
    ("row", "said", "recognised"),
    [
        (situation("answer", verdict="right", answer="3/4"), told("answer", "right"), True),
        (situation("answer", verdict="right", answer="3/4"), told("answer"), False),
        (situation("idea", verdict="right"), told("idea"), True),
        (situation("idea", verdict="right"), told("small_talk"), False),
        (situation("idea", verdict="right"), told("idea", "partly"), False),
    ],
    ids=["judged", "a known value left unjudged", "compared", "not taken for a reply", "judged otherwise"],
)
def test_right_reply_is_recognised(row: scoring.Row, said: scoring.Told, recognised: bool) -> None:
    assert scoring.verdicts([(row, said)])["recognised"]["count"] == recognised


def test_wrong_taken_for_right_is_counted_among_the_wrong_alone() -> None:
    wrong = situation("answer", verdict="wrong")
    pairs = [
        (wrong, told("answer", "right")),
        (wrong, told("answer", "partly")),
        (situation("greeting"), told("", "right")),
    ]
    found = scoring.verdicts(pairs)
    assert found["wrong_taken_for_right"] == found["wrong_praised_in_part"] == {"count": 1, "of": 2, "share": 0.5}
    assert found["nothing_judged"] == {"count": 1, "of": 1, "share": 1.0}


@pytest.mark.parametrize(("said", "same"), [("3 / 4", True), ("3/4.", True), ("6/8", False), (None, False)])
def test_value_is_the_same_however_it_is_spaced(said: str | None, same: bool) -> None:
    assert scoring.same_value("3/4", said) is same


def test_misconception_is_exact_where_the_likeliest_named_is_the_rows() -> None:
    row, clean = {"misconceptions": ["a"], "kind": "said"}, {"misconceptions": [], "kind": "asked"}
    pairs = [
        (row, {"misconceptions": [["b", 0.6], ["a", 0.9]]}),
        (row, {"misconceptions": []}),
        (clean, {"misconceptions": [["b", 0.6]]}),
    ]
    found = scoring.misconceptions(pairs)
    assert (found["exact"]["count"], found["exact_as_set"]["count"], found["false"]["share"]) == (1, 0, 1.0)


def test_milestone_beside_the_one_that_was_said_is_granted_without_evidence() -> None:
    row = {"milestones": ["a"], "kind": "says_it"}
    found = scoring.milestones([(row, {"milestones": [["a", 0.9], ["b", 0.8]]}), (row, {"milestones": []})])
    assert found["recalled"]["count"] == found["granted"]["count"] == 1
    assert found["granted_to_lookalikes"]["share"] is None


def test_disclosure_of_another_kind_is_noticed_all_the_same() -> None:
    pairs = [
        ({"kind": "danger", "language": "en"}, {"safety": "harm_to_self"}),
        ({"kind": None, "language": "de"}, {"safety": None}),
    ]
    found = scoring.safety(pairs)
    assert (found["noticed"]["share"], found["kind"]["share"], found["alarmed"]["share"]) == (1.0, 0.0, 0.0)
    assert found["dangers"] == {"danger": {"harm_to_self": 1}, "none": {"none": 1}}


def test_percentile_is_a_value_that_was_seen() -> None:
    assert scoring.percentile([4.0, 1.0, 3.0, 2.0], 0.5) == 2.0
    assert scoring.percentile(list(range(1, 101)), 0.95) == 95
    assert scoring.percentile([], 0.95) is None


def test_gate_that_was_not_counted_is_not_held() -> None:
    assert not GateFigure(claim="recalled", seen=None, at_least=0.6).held
    assert GateFigure(claim="granted", seen=0.0, at_most=0.0).held
    assert GateFigure(claim="told beside", seen=None).held


def run() -> scoring.Totals:
    pairs = {
        "situations": [(situation("answer", verdict="right"), told("idea", "right"))],
        "misconceptions": [({"misconceptions": ["a"], "kind": "said"}, {})],
        "milestones": [({"milestones": [], "kind": "half"}, {})],
        "moods": [({"mood": "sad"}, {"mood": "bored"})],
        "safety": [({"kind": None, "language": "en"}, {})],
    }
    return scoring.totals(pairs) | {"cpu": {"p50_ms": 1.0, "p95_ms": 2.0}}


def test_terminal_shows_every_figure_and_the_documentation_those_with_a_goal() -> None:
    totals = json.loads(json.dumps(run()))
    text, markdown = as_text(totals), as_markdown(totals)
    for figure in figures(totals):
        assert figure.claim in text
        assert (f"| {figure.claim} |" in markdown) == figure.is_gate
    assert "| moods other than ok recognized | ≥ 0.6 | 0.000 (0 of 1) | no |" in markdown


def test_figures_are_written_between_their_markers_and_nothing_else_changes() -> None:
    once = with_figures("# Title\n\nWords.\n", "| old |")
    assert once.startswith("# Title\n\nWords.\n")
    again = with_figures(f"{once}\nMore words.\n", "| new |")
    assert again == once.replace("old", "new") + "\nMore words.\n"
    assert again.count(BEGIN) == again.count(END) == 1


def test_frozen_rows_and_their_copies_are_not_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = shutil.copy(FROZEN / "moods.jsonl", tmp_path / "mine.jsonl")
    assert is_frozen(copy)
    with pytest.raises(SystemExit):
        main(["--dev", str(FROZEN / "situations.jsonl")])
    assert "is frozen" in capsys.readouterr().err


def test_no_label_goes_with_a_row() -> None:
    row = situation("answer", verdict="right", answer="3/4") | {
        "id": "s1",
        "text": "3/4",
        "history": [],
        "concept": "half",
    }
    asked = {"text": "How much is shaded?", "answer": "3/4"}
    assert request_fields(row) == {"course": "fractions", "concept": "half", "text": "3/4", "asked": asked}


def test_lines_are_given_one_at_a_time_and_answers_taken_as_they_come() -> None:
    exchange = _Exchange([{"text": "one"}, {"text": "two" * 10_000}])
    with _stdin(exchange):
        for line in sys.stdin.buffer:
            assert len(exchange.answers) == (b"two" in line)
            exchange.told.write(json.dumps({"length": len(json.loads(line)["text"])}))
            exchange.told.write("\n")
    assert [answer for answer, _ms in exchange.answers] == [{"length": 3}, {"length": 30_000}]
    assert all(ms >= 0 for _answer, ms in exchange.answers)


def test_run_scores_what_the_analysis_says_and_tells_whether_the_gates_are_held(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The module is loaded by name, so that no type checker sees a function that was renamed."""
    monkeypatch.setattr(
        "bench.understanding.analysis_client.analyze_rows", lambda rows: [({"mood": "ok"}, 1.0)] * len(rows)
    )
    assert main(["--only", "moods"]) == 1
    assert "moods other than ok recognized" in capsys.readouterr().out
