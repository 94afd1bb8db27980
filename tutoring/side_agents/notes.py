"""The hub's notes for a turn: what was noticed before it, for the roles to decide by and for a model."""

from collections.abc import Mapping, Sequence
from typing import Any

from agents.engine.hub import Finding

KIND_PRIORITY: Mapping[str, int] = {"misconception": 9, "vision": 6, "emotion": 4, "milestone": 3}
MISSING: Mapping[str, str] = {
    "articulation": "An idea is not said in the learner's own words yet.",
    "application": "The idea is not used without help yet.",
    "misconception": "A wrong idea stands against it.",
}
"""What is missing for a milestone, in words."""
LEVELS: Mapping[str, str] = {
    "engagement_level": "Engagement",
    "frustration_level": "Frustration",
    "confusion_level": "Confusion",
}
ACTION_BONUS = 2
"""Priority of a finding that calls for something over others of its kind."""


def reached_name(milestone: str) -> str:
    """Return the name of the finding that a milestone is reached."""
    return f"reached:{milestone}"


def finding_lines(
    kind: str, name: str, content: Mapping[str, Any], *, turn: int, words: str, resolved: int | None
) -> tuple[str, ...]:
    """Return a finding as the instructions show it (layout of docs/explanation/side-agents.md), without its recommendation.

    The move was decided with it in view: a second instruction would contradict that.
    """
    if resolved is not None:
        return (f"- Turn {resolved}: Misconception resolved ✓ ({content.get('says') or words or name})",)
    match kind:
        case "misconception":
            return _misconception(words or name, content, turn=turn)
        case "emotion":
            return _emotion(content)
        case "vision":
            return _vision(content, words=words)
        case "milestone" if content.get("missing") in MISSING:
            return (f"- Turn {turn}: {MISSING[content['missing']]}",)
    return ()


def _misconception(words: str, content: Mapping[str, Any], *, turn: int) -> tuple[str, ...]:
    sure = content.get("confidence")
    confidence = f" (confidence: {sure:.2f})" if sure is not None else ""
    return tuple(
        filter(
            None,
            (
                f"- Turn {turn}: “{content.get('says') or words}”{confidence}",
                _arrow("Corrective concept", content.get("corrective_concept")),
            ),
        )
    )


def _emotion(content: Mapping[str, Any]) -> tuple[str, ...]:
    held = {label: content[key] for key, label in LEVELS.items() if content.get(key) is not None}
    levels = " | ".join(f"{label}: {level:.0%}" for label, level in held.items())
    state = str(content.get("current_state", "")).replace("_", " ")
    lines = (
        f"- Current State: {state}" if state else "",
        f"- {levels}" if levels else "",
        f"- Trend: {content['trend']}" if content.get("trend") else "",
    )
    return tuple(filter(None, lines))


def _vision(content: Mapping[str, Any], *, words: str) -> tuple[str, ...]:
    return tuple(
        filter(
            None,
            (
                f"- The learner drew: {content.get('description') or words}",
                _arrow("Interpretation", content.get("interpretation")),
            ),
        )
    )


def _arrow(label: str, text: object) -> str:
    return f"  → {label}: {text}" if text else ""


def pending_findings(rows: Sequence[Mapping[str, Any]], *, turn: int) -> list[tuple[int, Finding]]:
    """Return the findings of the rows that can still be told, each with its row's key."""
    found = []
    for row in rows:
        lines = finding_lines(
            row["kind"],
            row["name"],
            row["content"],
            turn=row["turn__number"],
            words=row["words"],
            resolved=row["resolved_turn__number"],
        )
        if lines and row["contested_at"] is None and row["overridden_turn"] is None:
            found.append((row["pk"], _to_finding(row, lines)))
    return found


def _to_finding(row: Mapping[str, Any], lines: tuple[str, ...]) -> Finding:
    return Finding(
        kind=row["kind"],
        name=row["name"],
        turn=row["resolved_turn__number"] or row["turn__number"],
        lines=lines,
        priority=KIND_PRIORITY.get(row["kind"], 0) + (ACTION_BONUS if row["content"].get("wanted") else 0),
        confidence=row["confidence"] or 0.0,
        told_turn=row["told_turn"],
        is_alone=row["kind"] in ("emotion", "vision"),
    )
