"""What must be true of a round table: by counts, from its stream and its record."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from drills.tables.reading import HeldTable, StreamEvent, contributions

LARGEST_EVENT: Final = 60_000
"""Characters of one event, whatever a model says."""
_SENTENCE = re.compile(r"[^.!?]+[.!?]")


def table_faults(
    held: HeldTable,
    *,
    voices: Sequence[str],
    rounds: int,
    silent: Sequence[tuple[int, str]] = (),
    strategy: str = "skip",
) -> Iterator[str]:
    """Yield where a table is not as it should be: `silent` are those who fail, each in its round."""
    due = [(number, name) for number in range(1, rounds + 1) for name in voices if (number, name) not in silent]
    yield from stream_faults(held.stream, due=due, rounds=rounds, silent=silent, strategy=strategy)
    yield from record_faults(held, due=due)
    yield from _compared(held)


def stream_faults(
    stream: Sequence[StreamEvent],
    *,
    due: Sequence[tuple[int, str]],
    rounds: int,
    silent: Sequence[tuple[int, str]],
    strategy: str,
) -> Iterator[str]:
    """Yield where the stream lacks something, says it twice, or in the wrong order."""
    types = Counter(each["type"] for each in stream)
    if not stream or stream[0]["type"] != "initiator_start" or types["initiator_start"] != 1:
        yield "it does not begin with its one initiator_start"
    marks = [(each["type"], each["data"]["round"]) for each in stream if each["type"] in ("round_start", "round_end")]
    wanted = [(kind, number) for number in range(1, rounds + 1) for kind in ("round_start", "round_end")]
    if marks != wanted:
        yield f"its rounds are {marks}"
    said, now = [], 0
    for each in stream:
        now = each["data"]["round"] if each["type"] == "round_start" else now
        if each["type"] == "agent_response":
            said.append((each["data"]["round"], each["data"]["agent"].replace("-", "_")))
            if each["data"]["round"] != now:
                yield f"{said[-1]} spoke in round {now}"
    if sorted(said) != sorted(due):
        yield f"spoken: {sorted(set(said) ^ set(due)) or 'somebody twice'}"
    errors = [each["data"] for each in stream if each["type"] == "agent_error"]
    named = [(each["round"], each["agent"].replace("-", "_"), each["strategy"]) for each in errors]
    if named != [(*each, strategy) for each in silent]:
        yield f"agent_error names {named}"
    if types["error"] != (strategy == "abort" and bool(silent)):
        yield f"{types['error']} error"
    yield from _summary_faults(stream, is_partial=bool(silent))
    yield from _repeated(stream)


def _summary_faults(stream: Sequence[StreamEvent], *, is_partial: bool) -> Iterator[str]:
    pieces = [each["data"] for each in stream if each["type"] == "summarizer_response"]
    if [each["complete"] for each in pieces].count(True) != 1 or not stream[-1]["data"].get("complete"):
        yield "it does not end with its one summary"
        return
    if "".join(each["content"] for each in pieces[:-1]) != pieces[-1]["content"] or not pieces[-1]["content"].strip():
        yield "the pieces of the summary are not the summary"
    if ("This is a partial result." in pieces[-1]["content"]) != is_partial:
        yield f"the summary {'does not say' if is_partial else 'says'} that it is partial"


def _repeated(stream: Sequence[StreamEvent]) -> Iterator[str]:
    said = [each["data"]["content"] for each in stream if each["type"] == "agent_response"]
    sentences = Counter(sentence.strip() for content in said for sentence in _SENTENCE.findall(content))
    for sentence, times in sentences.items():
        if times > 1:
            yield f"said {times} times: {sentence[:80]!r}"


def record_faults(held: HeldTable, *, due: Sequence[tuple[int, str]]) -> Iterator[str]:
    """Yield what is wrong with the events on record."""
    types = [each["type"] for each in held.events]
    if [each["seq"] for each in held.events] != list(range(1, len(types) + 1)):
        yield "the events are not counted without gaps"
    if types.count("turn_finished") != 1 or types[-1] != "turn_finished":
        yield f"{types.count('turn_finished')} turn_finished"
    on_record = contributions(held.events)
    if sorted(on_record) != sorted(due):
        counted = {each: times for each, times in Counter(on_record).items() if times > 1}
        yield f"on record: {counted or sorted(set(on_record) ^ set(due))}"
    for each in held.events:
        if (size := len(json.dumps(each, ensure_ascii=False))) > LARGEST_EVENT:
            yield f"a {each['type']} has {size} characters"


def _compared(held: HeldTable) -> Iterator[str]:
    """Yield where the stream and the record name different calls of tools."""
    shown = [each["data"]["toolCall"]["name"] for each in held.stream if each["type"] == "agent_tool_call"]
    called = [each["tool"] for each in held.events if each["type"] == "tool_called"]
    if shown != called:
        yield f"{len(called)} calls of tools, {len(shown)} in the stream"
