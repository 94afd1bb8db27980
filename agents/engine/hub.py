"""Hub for side agents' findings: they wait here for the next turn, are ranked, and expire soon.

A turn never waits for them: findings about one turn go into the instructions of the next.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from agents.values import value

MAX_LINES = 6
"""Lines of findings in one turn's instructions, at most."""
MAX_AGE_TURNS = 3
"""How many turns a finding stays useful after the one it was made in."""


@value
class Finding:
    """A side agent's finding, worded for a model's instructions."""

    kind: str
    """The section it belongs to."""
    name: str
    """What was noticed; a later finding with the same kind and name replaces it."""
    turn: int
    """The number of the turn it was made in."""
    lines: tuple[str, ...]
    """The most important line first; later ones are dropped if there are too many."""
    priority: int = 0
    """0 to 10."""
    confidence: float = 0.0
    told_turn: int | None = None
    """The latest turn whose instructions contained it."""
    is_alone: bool = False
    """Only one finding of its kind holds at a time; a second one contradicts it."""


@value
class Section:
    """A section of a model's instructions, with its own lines and lines from findings. Empty sections are left out."""

    title: str
    kind: str = ""
    """The kind of findings listed here; empty for none."""
    source: str = ""
    """Who reports it."""
    lines: tuple[str, ...] = ()


def select_findings(findings: Iterable[Finding], *, turn: int) -> tuple[Finding, ...]:
    """Return the findings to include in this turn, most important first, cut to six lines.

    Drops what is older than three turns, all but the latest of a name, what the turn before contained, and what
    contradicts it: a tutor that is told the same or the opposite twice in a row handles neither well.
    """
    every = list(findings)
    latest = {(each.kind, each.name): each for each in sorted(every, key=lambda each: each.turn)}
    contradicted = {each.kind for each in every if each.is_alone and each.told_turn == turn - 1}
    fresh = [
        each
        for each in latest.values()
        if 0 < turn - each.turn <= MAX_AGE_TURNS and each.told_turn != turn - 1 and each.kind not in contradicted
    ]
    fresh.sort(key=lambda each: (-each.priority, -each.confidence, -each.turn, each.name))
    return tuple(_trim_to_lines(_without_contradictions(fresh)))


def _without_contradictions(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings, without those that contradict the first of their kind."""
    alone: set[str] = set()
    for each in findings:
        if each.kind in alone:
            continue
        if each.is_alone:
            alone.add(each.kind)
        yield each


def _trim_to_lines(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings that fit: each with at least its first line, later ones with fewer of the rest."""
    ranked = list(findings)[:MAX_LINES]
    room = MAX_LINES - len(ranked)
    for each in ranked:
        lines = each.lines[: 1 + room]
        room -= len(lines) - 1
        yield replace(each, lines=lines)


def format_instructions(sections: Sequence[Section], findings: Sequence[Finding], *, goal: str) -> str:
    """Return the sections that have lines, and the goal, in the layout of docs/explanation/side-agents.md."""
    blocks = ["# CURRENT CONTEXT (updated each turn)"]
    for section in sections:
        found = chain.from_iterable(each.lines for each in findings if each.kind == section.kind)
        # Each on one line, whatever a model derived from a drawing or message: it must not start a section of its own.
        lines = [*section.lines, *(" ".join(line.splitlines()) for line in found)]
        if not lines:
            continue
        head = [f"## {section.title}", *([f"[From {section.source}]"] if section.source else [])]
        blocks.append("\n".join([*head, *lines]))
    return "\n\n".join([*blocks, f"# YOUR GOAL FOR THIS TURN\n\n{goal}"])
