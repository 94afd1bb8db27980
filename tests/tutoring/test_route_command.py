"""`manage.py route`: a line in, a line out; what cannot be routed says why, and the end says that it happened."""

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command


def rows_for(lines: bytes, monkeypatch: pytest.MonkeyPatch) -> tuple[list[dict[str, Any]], str]:
    """Return the answers, and the error's words; empty without one."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines), encoding="utf-8"))
    out, error = io.StringIO(), ""
    try:
        call_command("route", stdout=out)
    except CommandError as raised:
        error = str(raised)
    return [json.loads(line) for line in out.getvalue().splitlines()], error


def line(**row: object) -> bytes:
    return json.dumps(row).encode() + b"\n"


def test_each_message_gets_its_agent_and_why(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = line(text="quiz me", surface="team") + b"\n" + line(text="tell me a joke")
    (quiz, nothing), error = rows_for(lines, monkeypatch)
    assert error == ""
    assert quiz == {"agent": "quiz", "strategy": "rule", "confidence": 0.95, "reason": "Wants to be questioned."}
    assert nothing["agent"] is None


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (b"garbage\n", "not a line of JSON"),
        (b"\xff\xfe\n", "not a line of JSON"),
        (b"[" * 20_000 + b"\n", "not a line of JSON"),
        (b"[]\n", "an object with a text is needed"),
        (line(text=7), "an object with a text is needed"),
        (line(text="hi", surface="companion"), 'the only surface there is, is "team"'),
        (line(text="a" * 10_001), "the text is longer than 10000 characters"),
        (line(text="a" * 500_000), "the line is longer than 160000 bytes"),
    ],
)
def test_a_bad_line_says_why_and_stops_nothing(bad: bytes, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (refused, quiz), error = rows_for(bad + line(text="quiz me"), monkeypatch)
    assert refused == {"error": why}
    assert quiz["agent"] == "quiz"
    assert error == "1 lines could not be routed"


def test_the_longest_text_and_the_oddest_are_routed(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, error = rows_for(line(text="😀" * 10_000) + line(text="\ud800\x00"), monkeypatch)
    assert error == ""
    assert all(set(row) == {"agent", "strategy", "confidence", "reason"} for row in rows)
