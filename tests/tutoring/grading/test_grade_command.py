"""`manage.py grade`: a line in, a line out, whatever the line."""

import io
import json
from typing import Any

import pytest
from django.core.management import call_command


def rows_for(lines: bytes, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines), encoding="utf-8"))
    out = io.StringIO()
    call_command("grade", stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def line(**row: object) -> bytes:
    return json.dumps(row).encode() + b"\n"


def test_every_line_gets_its_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        line(expected="1/2", answer="0.5"),
        line(expected="1/2", answer="2/4", type="numeric", form="simplified"),
        line(expected=3, answer=-3, type="numeric"),
        line(expected="A", answer="a", type="choice"),
        line(expected=["A", "C"], answer="A", type="multi"),
        line(expected="1, 2", answer="2, 1", type="set"),
        line(expected=["They are the same size."], answer="same size", type="text", question="What about the parts?"),
        line(expected="x", answer="equal parts", type="text", ideas=[{"any": ["equal"], "w": 1}]),
    ]
    verdicts = [row["verdict"] for row in rows_for(b"".join(lines), monkeypatch)]
    assert verdicts == [
        "correct", "equivalent_not_in_form", "sign_error", "correct", "partial", "correct", "correct", "correct",
    ]  # fmt: skip


def test_a_line_has_verdict_score_and_milliseconds(monkeypatch: pytest.MonkeyPatch) -> None:
    (row,) = rows_for(line(expected="1/2", answer="1/2"), monkeypatch)
    assert set(row) == {"verdict", "score", "ms"}
    assert row["score"] == 1.0


@pytest.mark.parametrize(
    "bad",
    [b"garbage", b"[]", b"{}", b"null", b'{"expected": null, "answer": "1"}', b'{"expected": "1", "answer": {}}', b"\xff\xfe",
     b'{"expected": "1", "answer": "1", "type": "essay"}', b'{"expected": "1", "answer": "1", "form": "pretty"}',
     b'{"expected": "x", "answer": "y", "type": "text", "ideas": 5}', b"[" * 20_000, b'{"expected": "1", "answer": true}'],
)  # fmt: skip
def test_a_bad_line_never_stops_the_stream(bad: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_for(bad + b"\n" + line(expected="1", answer="1"), monkeypatch)
    assert [row["verdict"] for row in rows] == ["unparsable", "correct"]


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        ({"type": "order", "expected": ["1/4", "1/3", "1/2"], "answer": ["1/4", "1/3", "1/2"]}, "correct"),
        ({"type": "order", "expected": "C A B", "answer": "C, B, A"}, "wrong"),
        ({"type": "order", "expected": ["C", "A", "B"], "answer": ["C", "A"]}, "unparsable"),
        ({"type": "match", "expected": {"A": "2", "B": "1"}, "answer": "A=2 B=1"}, "correct"),
        ({"type": "match", "expected": {"half": "2/4", "third": "2/6"}, "answer": {"half": "2/4", "third": "2/6"}}, "correct"),
        ({"type": "match", "expected": {"half": "2/4", "third": "2/6"}, "answer": {"half": "2/6", "third": "2/4"}}, "wrong"),
        ({"type": "match", "expected": "junk", "answer": "A=1"}, "unparsable"),
        ({"type": "steps", "expected": ["1/2 + 1/3", "5/6"], "answer": ["3/6 + 2/6", "5/6"]}, "correct"),
        ({"type": "steps", "expected": "5/6", "answer": "3/6 + 2/6\n5/12"}, "partial"),
        ({"type": "steps", "expected": "", "answer": "1\n2"}, "unparsable"),
        ({"type": "set", "expected": ["2/4"], "answer": ["1/2"], "form": "as_written"}, "wrong"),
        ({"type": "expression", "expected": "2x + 2", "answer": "2(x + 1)", "form": "expanded"}, "equivalent_not_in_form"),
        ({"type": "choice", "expected": "no", "answer": "no", "choices": ["yes", "no"]}, "correct"),
        ({"type": "choice", "expected": "no", "answer": "yes", "choices": ["yes", "no"]}, "wrong"),
        ({"type": "multi", "expected": ["x", "z"], "answer": ["z", "x"], "choices": ["x", "y", "z"]}, "correct"),
    ],
)  # fmt: skip
def test_every_kind_has_its_shape(row: dict[str, Any], verdict: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [judged["verdict"] for judged in rows_for(line(**row), monkeypatch)] == [verdict]
