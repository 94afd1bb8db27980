"""A played lesson as one reads it."""

from collections.abc import Iterator

from conversations.turns.feed import Wire
from tests.tutoring.lessons.lesson_player import Exchange, Stage
from tutoring.pages.cards import feedback


def transcript(stage: Stage) -> str:
    """Return the lesson in the order in which it was seen: `>` the learner, `[…]` cards, `~` what the rail notes."""
    return "\n".join(line for exchange in stage.exchanges for line in _lines(exchange))


def _lines(exchange: Exchange) -> Iterator[str]:
    number = exchange.turn.number
    if exchange.answered is not None:
        yield f"\n{number:>3} > ({feedback.verdict_title(exchange.answered)}) {exchange.said}"
    elif exchange.said:
        yield f"\n{number:>3} > {exchange.said}"
    text = ""
    for wire in exchange.wires:
        if wire["type"] == "reply_text":
            text += wire["text"]
            continue
        shown = _shown(wire)
        if shown and text.strip():
            yield f"    {text.strip()}"
            text = ""
        if shown:
            yield shown
    if text.strip():
        yield f"    {text.strip()}"


def _shown(wire: Wire) -> str:
    match wire["type"]:
        case "card" if wire["kind"] == "picture":
            return f"    [picture: {wire['alt']}]"
        case "card" if wire["kind"] == "question":
            options = " ".join(f"{each['letter']}) {each['text']}" for each in wire["choices"])
            return f"    [question {wire['number']} of {wire['total']}: {wire['stem']} {options}]"
        case "card":
            return f"    [{wire['kind']}: {wire.get('title', '')}]"
        case "finding":
            mark = "put right" if wire["resolved"] else "noticed"
            return f"    ~ {mark}: {wire['words']} “{wire['evidence']}”"
        case "handed_off" | "routed":
            return f"    ~ {wire['from']} → {wire['to']}: {wire['reason']}"
        case "agent_finished":
            return f"    ~ {wire['agent']}: {wire['result'].get('move', '')}"
        case _:
            return ""
