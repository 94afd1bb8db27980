"""Analyze messages given as JSON lines on stdin, as a live turn does; one JSON line each on stdout."""

import json
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tutoring.management.commands.analyse import stdin_lines
from tutoring.side_agents.analyse_command.message import analysis_of, analysis_to_row


class Command(BaseCommand):
    help = (
        "Reads JSON lines {course?, concept?, asked?: {text, piece?, template?, answer?}, text, history?: [{author, text}]} on"
        " stdin; writes {intent, intents, verdict, value, claims, misconceptions, milestones, safety, mood, ms} for each, or"
        " {error}; exits 1 if there was an error. Runs the same code as a live turn, without a model."
    )

    requires_system_checks: list[str] = []  # Pages are not used.

    def handle(self, *args: Any, **options: Any) -> None:
        refused = 0
        for line in stdin_lines():
            if not line.strip():
                continue
            try:
                answer = _timed_answer(line)
            except (ValueError, RecursionError) as error:
                refused += 1
                self.stdout.write(json.dumps({"error": str(error)}))
                continue
            self.stdout.write(json.dumps(answer, ensure_ascii=False))
            self.stdout.flush()  # A caller that writes one line and waits for its answer gets it.
        if refused:
            raise CommandError(f"{refused} line{'s' if refused > 1 else ''} could not be read.")


def _timed_answer(line: str) -> dict[str, Any]:
    started = time.perf_counter()
    answer = analysis_to_row(*analysis_of(json.loads(line)))
    return answer | {"ms": round((time.perf_counter() - started) * 1000, 3)}
