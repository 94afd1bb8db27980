"""The hub: what side agents noticed waits here for the next turn; ranked, worded in a few lines, and soon forgotten.

They are never waited for: what they say of one turn reaches the instructions of the next.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from agents.values import value

MAX_LINES = 6
"""Lines of findings in one turn's instructions, at most."""
MAX_AGE_TURNS = 3
"""How many turns a finding is worth telling after the one it was made in."""


@value
class Finding:
    """What a side agent noticed, as it may stand in the instructions."""

    kind: str
    """The section it stands in."""
    name: str
    """What was noticed; a later finding of the same kind and name takes its place."""
    turn: int
    """The number of the turn in which it was."""
    lines: tuple[str, ...]
    """The most important line first; those after it may be left out for want of room."""
    priority: int = 0
    """0 to 10."""
    confidence: float = 0.0
    told_turn: int | None = None
    """The latest turn in whose instructions it stood."""
    is_alone: bool = False
    """Of its kind only one holds at a time: another one contradicts it."""


@value
class Section:
    """A heading of the instructions, with its own lines and those of findings; it is left out where there are none."""

    title: str
    kind: str = ""
    """The kind of findings told here; empty for none."""
    source: str = ""
    """Who says so."""
    lines: tuple[str, ...] = ()


def select_findings(findings: Iterable[Finding], *, turn: int) -> tuple[Finding, ...]:
    """Return what is worth telling in this turn, the most important first, cut to six lines.

    Nothing older than three turns; of a name the latest alone; nothing that stood in the turn before, and nothing that
    contradicts what stood there: a tutor who is told the same, or the opposite, twice running does neither well.
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
    """Yield the findings without those that the first of their kind contradicts."""
    alone: set[str] = set()
    for each in findings:
        if each.kind in alone:
            continue
        if each.is_alone:
            alone.add(each.kind)
        yield each


def _trim_to_lines(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings for which there is room: each with its first line at least, later ones with less of the rest."""
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
        # One line each, whatever a model made of what somebody drew or said: it must not begin a section of its own.
        lines = [*section.lines, *(" ".join(line.splitlines()) for line in found)]
        if not lines:
            continue
        head = [f"## {section.title}", *([f"[From {section.source}]"] if section.source else [])]
        blocks.append("\n".join([*head, *lines]))
    return "\n\n".join([*blocks, f"# YOUR GOAL FOR THIS TURN\n\n{goal}"])
