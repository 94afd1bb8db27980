"""`manage.py analyse emotion`: a session a line in, how it goes a line out, whatever the line."""

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tutoring.side_agents.analyse_command import emotion
from tutoring.understanding.context import Context
from tutoring.understanding.message_analysis import MessageAnalysis

FIELDS = {
    "current_state", "engagement_level", "frustration_level", "confusion_level", "boredom_level",
    "confusion_indicators", "trend", "recommendation", "confidence", "wanted", "ms",
}  # fmt: skip


def analysed(text: str, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8"))
    out = io.StringIO()
    try:
        call_command("analyse", "emotion", stdout=out)
    except CommandError:
        assert "error" in out.getvalue()
    return [json.loads(line) for line in out.getvalue().splitlines()]


def is_upset_by_hate(text: str, context: Context) -> MessageAnalysis:
    """Stand for the analysis: it hears one word."""
    assert len(context.history) == 1 or "hate" not in text
    upset = "hate" in text
    return MessageAnalysis(mood="frustrated" if upset else "ok", mood_probability=0.9 if upset else 0.0)


def test_a_session_is_told_in_the_documents_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = [
        {"text": "7", "latency_s": 9, "correct": False},
        {"text": "ugh, I hate this"},
        {"text": 8, "correct": False},
    ]
    monkeypatch.setattr(emotion, "analyse", is_upset_by_hate)
    (row,) = analysed(json.dumps({"turns": turns}), monkeypatch)
    assert set(row) == FIELDS
    assert row["frustration_level"] > max(row["confusion_level"], row["boredom_level"])
    assert "two wrong answers in a row" in row["confusion_indicators"]
    assert row["trend"] == "worsening"


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("nonsense", "Expecting value"),
        ("[]", "object"),
        ("{}", "turns"),
        ('{"turns": []}', "turns"),
        ('{"turns": [1]}', "a turn"),
        ('{"turns": [{"latency_s": 1}]}', "text"),
        ('{"turns": [{"text": "a", "latency_s": -1}]}', "latency_s"),
        ('{"turns": [{"text": "a", "latency_s": NaN}]}', "latency_s"),
        ('{"turns": [{"text": "a", "latency_s": true}]}', "latency_s"),
        ('{"turns": [{"text": "a", "latency_s": 1%s}]}' % ("0" * 400), "latency_s"),
        ('{"turns": [{"text": "a", "correct": "yes"}]}', "correct"),
        ('{"turns": [{"text": "%s"}]}' % ("a" * 10_001), "text"),
    ],
)
def test_a_line_that_cannot_be_read_says_why(line: str, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    unreadable, good = analysed(f'{line}\n{{"turns": [{{"text": "1/2"}}]}}', monkeypatch)
    assert list(unreadable) == ["error"]
    assert fault in unreadable["error"]
    assert good["current_state"] == "engaged"
