"""Rows of the trial: an open question and whoever asks elsewhere for its answer."""

import re
from collections.abc import Callable
from fractions import Fraction
from http import HTTPStatus
from time import sleep
from urllib.error import HTTPError

from drills.client import Client, ClientTranscript, post
from drills.data_folder import PreparedFolder
from drills.regressions.visitor import TrialChecks, served
from drills.result import DrillResult
from drills.server import Server

WISH = "Quiz me on adding unlike fractions"
SUM = re.compile(r"Work out (\d+/\d+) \+ (\d+/\d+)\.$")
SKIPPED_AT_MOST = 8
TRIED_AT_MOST = 100
"""Times that an answer is sent while the team still replies to the one before it."""


def open_sum(base: PreparedFolder) -> DrillResult:
    """The sum that is asked is computed nowhere, another one everywhere; and it is no answer to itself."""
    row = TrialChecks("an open sum asked elsewhere")
    with served(base, "sum") as server:
        found = _asked_sum(server, base.tokens[1])
        if found is None:
            row.faults.append("no question was a plain sum")
            return row.result()
        (first, second), url = found
        value = str(Fraction(first) + Fraction(second))
        with Client(server.port, base.tokens[1], session="elsewhere") as client:
            for number, text in enumerate((f"calculate {first}+{second}", f"What is {second} + {first}?")):
                reply = _said(client, text, number=number).reply
                row.expect(value not in reply, f"{text!r} was answered {reply!r}")
            other = _said(client, "calculate 3/7 + 1/5", number=9).reply
            row.expect("22/35" in other, f"another sum was answered {other!r}")
        for number, answer in enumerate((f"{first}+{second}", f"sqrt(({first}+{second})^2)")):
            verdict = _judged(server, base.browsers[1], url, answer, key=f"restated-{number}")
            row.expect(verdict not in {"correct", ""}, f"{answer!r} was judged {verdict!r}")
        row.note(f"{first} + {second}")
    return row.result()


ROWS: tuple[Callable[[PreparedFolder], DrillResult], ...] = (open_sum,)


def _asked_sum(server: Server, token: str) -> tuple[tuple[str, str], str] | None:
    """Have oneself asked until the question is a plain sum; return its two numbers and where it is answered."""
    with Client(server.port, token, session="sums") as client:
        for number in range(SKIPPED_AT_MOST):
            for card in _said(client, "skip this question" if number else WISH, number=number).cards:
                if card["kind"] == "question" and (sum_of := SUM.match(card["stem"])):
                    return (sum_of[1], sum_of[2]), card["answer_url"]
    return None


def _judged(server: Server, browser: str, url: str, answer: str, *, key: str) -> str:
    """Answer on the card; return the verdict, empty where the turn before it never ended."""
    body = {"action": "check", "answer": answer, "idempotency_key": key}
    for _ in range(TRIED_AT_MOST):
        try:
            return str((post(server.port, browser, url, body) or {}).get("verdict", ""))
        except HTTPError as error:
            if error.code != HTTPStatus.CONFLICT:
                raise
            sleep(0.1)
    return ""


def _said(client: Client, text: str, *, number: int) -> ClientTranscript:
    reading = ClientTranscript(text=text, client_id=f"{text[:8]}-{number}")
    client.say(reading)
    client.read(reading)
    return reading
