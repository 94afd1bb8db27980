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
