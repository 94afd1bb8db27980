"""Rows put to `manage.py understand`, one after another in this process, so that the CPU of each can be told."""

import io
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from time import process_time
from typing import Any

from bench.contenders import temporary_django
from bench.harness import ROOT

COURSE = "fractions"
FIELDS = ("course", "concept", "text", "history")
ASKED = ("text", "piece", "template", "answer")
WARM_UP = ("so it is a half then", "why is that?", "I do not know, 3/4 maybe")
"""Said first, so that no row pays for loading the models."""

type Answered = tuple[dict[str, Any], float]
"""What was said of a row, and the milliseconds of CPU that took."""


def analyze_rows(rows: Sequence[Mapping[str, Any]]) -> list[Answered]:
    """Return what the command says of each row. Raises RuntimeError where it answers another number of lines."""
    prepare_course()
    from django.core.management import CommandError, call_command

    given = [*({"course": COURSE, "text": text} for text in WARM_UP), *map(request_fields, rows)]
    exchange = _Exchange(given)
    with _stdin(exchange), redirect_stdout(exchange.told):
        try:
            call_command("understand", stdout=exchange.told)
        except CommandError as error:
            print(f"understand: {error}", file=sys.stderr)
    if len(exchange.answers) != len(given):
        raise RuntimeError(f"{len(exchange.answers)} answers to {len(given)} lines")
    return exchange.answers[len(WARM_UP) :]


def request_fields(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a line may hold of a labelled row: none of its labels."""
    line = {"course": COURSE} | {name: row[name] for name in FIELDS if row.get(name)}
    if asked := row.get("asked"):
        line["asked"] = {name: asked[name] for name in ASKED if asked.get(name)}
    return line


def prepare_course() -> None:
    """Set Django up on a database of its own that holds the shipped courses, with no provider."""
    os.environ["LLM_PROVIDER"] = "offline"
    temporary_django.prepare_django()
    from tutoring.courses.files.loader import read_course
    from tutoring.management.commands.load_courses import store_course
    from tutoring.models import Course

    if not Course.objects.exists():
        for position, path in enumerate(sorted((ROOT / "courses").glob("*/course.yaml"))):
            store_course(read_course(path.parent), position=position)


class _Exchange:
    """Lines that are given one by one, each when it is asked for; what comes back, and the CPU between."""

    def __init__(self, lines: Iterable[Mapping[str, Any]]) -> None:
        self.answers: list[Answered] = []
        self.asked = _RequestStream(self, iter(lines))
        self.told = _ResponseStream(self)
        self.started = 0.0

    def take(self, line: str) -> None:
        self.answers.append((json.loads(line), (process_time() - self.started) * 1000))


class _RequestStream(io.RawIOBase):
    """Gives one line at a time, however much is asked for: who reads ahead would be timed wrongly."""

    def __init__(self, exchange: _Exchange, lines: Iterator[Mapping[str, Any]]) -> None:
        self._exchange, self._lines, self._rest = exchange, lines, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._rest and (line := next(self._lines, None)) is not None:
            self._rest = json.dumps(line).encode() + b"\n"
            self._exchange.started = process_time()
        given, self._rest = self._rest[: len(buffer)], self._rest[len(buffer) :]
        buffer[: len(given)] = given
        return len(given)


class _ResponseStream(io.TextIOBase):
    def __init__(self, exchange: _Exchange) -> None:
        self._exchange, self._begun = exchange, ""

    def write(self, text: str) -> int:
        *lines, self._begun = (self._begun + text).split("\n")
        for line in filter(str.strip, lines):
            self._exchange.take(line)
        return len(text)


@contextmanager
def _stdin(exchange: _Exchange) -> Iterator[None]:
    kept, sys.stdin = sys.stdin, io.TextIOWrapper(io.BufferedReader(exchange.asked), encoding="utf-8")
    try:
        yield
    finally:
        sys.stdin = kept
