"""`POST /api/conversation/smart` while the models fail in every known way: there is always an answer, and only one."""

import json
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import count
from threading import Lock
from time import monotonic
from typing import Any, Final
from uuid import UUID

from drills import storage_checks
from drills.data_folder import PreparedFolder
from drills.model_connection import FLAVOURS, KEY, WORDS, connected
from drills.result import DrillResult
from drills.server import Server
from tests.provider import Answer, Provider
from tests.provider.answers import sensible_answer
from tests.provider.faults import all_faults
from tests.provider.model_request import ProviderRequest

TURN_S: Final = 60.0
"""What an answer may take: the panel's steps, each with the longest time limit of its agents, and one agent after it."""
MARK: Final = "Why is fault"
"""Begins every question of these learners; a number follows, by which the provider knows the fault."""
VARIABLES: Final = {"WIKIPEDIA_URL": "off", "ARXIV_URL": "off", "DRILL_NO_BREAKER": "1"}
"""No circuit opens, as no fault would strike after the first."""


def run(base: PreparedFolder) -> Iterator[DrillResult]:
    with ThreadPoolExecutor() as pool:
        for group in [pool.submit(played, base, speaks) for speaks in FLAVOURS]:
            yield from group.result()


def played(base: PreparedFolder, speaks: str) -> list[DrillResult]:
    """Ask while each fault strikes, each learner in a conversation of their own; return a line for each fault."""
    data = base.copy(f"smart-{speaks}")
    with Provider() as provider, ExitStack() as stack:
        faulty = Faulty()
        provider.otherwise(faulty)
        server = stack.enter_context(Server(data, variables=connected(speaks, provider.url) | VARIABLES))
        server.wait_until_ready()
        asking = Asking(server, faulty, base.tokens)
        results = [asking.strike(speaks, fault) for fault in all_faults()]
        server.end()
    return results


class Faulty:
    """Fails as the learner's message says, whichever agent asks."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.faults: dict[str, str] = {}
        self.struck: Counter[str] = Counter()
        """Message → the requests that its fault has struck."""

    def __call__(self, asked: ProviderRequest) -> Answer:
        heard = "\n".join((asked.system, *asked.history, asked.last))
        with self.lock:
            text = next((each for each in reversed(self.faults) if each in heard), None)
            if text is None:
                return sensible_answer(asked) if asked.schema is not None else Answer(text=WORDS)
            self.struck[text] += 1
            return Answer(text=WORDS, fault=self.faults[text])


class Asking:
    """The learners, who ask at the same time."""

    def __init__(self, server: Server, faulty: Faulty, tokens: Sequence[str]) -> None:
        self.server, self.faulty, self.tokens = server, faulty, tokens
        self.numbers = count(1)

    def strike(self, speaks: str, fault: str) -> DrillResult:
        """Have two learners ask while the fault strikes."""
        texts = [f"{MARK} {next(self.numbers)} so salty, and how does it work?" for _ in self.tokens[:2]]
        with self.faulty.lock:
            self.faulty.faults |= dict.fromkeys(texts, fault)
        started = monotonic()
        with ThreadPoolExecutor(len(texts)) as pool:
            answers = list(pool.map(self.ask, self.tokens, texts))
        took_s = monotonic() - started
        faults = [
            problem for text, answer in zip(texts, answers, strict=True) for problem in self.faults_of(text, answer)
        ]
        if took_s > TURN_S:
            faults.append("an answer took longer than it may")
        struck = sum(self.faulty.struck[text] for text in texts)
        if not struck:
            faults.append("no request was struck")
        served = "/".join(answer.get("served_by", "-") for answer in answers)
        note = f"served by {served}, {struck} requests struck"
        return DrillResult(
            name=f"{speaks} {fault}", faults=tuple(faults), seconds=took_s, measured="answers took", note=note
        )

    def ask(self, token: str, text: str) -> dict[str, Any]:
        """Return the answer, or the error's body with its status."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.server.port}/api/conversation/smart",
            data=json.dumps({"text": text}).encode(),
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=3 * TURN_S) as response:
                answer: dict[str, Any] = json.load(response)
                return answer
        except urllib.error.HTTPError as error:
            return {"status": error.code} | json.load(error)

    def faults_of(self, text: str, answer: dict[str, Any]) -> Iterator[str]:
        """Yield where there is no answer, another one on record, or more than one."""
        said = answer.get("agent_text", "")
        if not said.strip():
            yield f"{text!r} was answered with {str(answer)[:200]}"
            return
        if KEY in said or "Traceback" in said:
            yield f"{text!r} was answered with {said[:200]!r}"
        if (answer["v2"] is not None) != (answer["served_by"] == "v2"):
            yield f"served by {answer['served_by']}, and v2 is {str(answer['v2'])[:100]}"
        stored = storage_checks.rows(
            self.server.data,
            "SELECT turn_id, SUM(author = 'team') FROM conversations_message WHERE turn_id IN "
            "(SELECT turn_id FROM conversations_message WHERE author = 'learner' AND text = ?) GROUP BY turn_id",
            text,
        )
        if [replies for _turn, replies in stored] != [1]:
            yield f"{text!r} has these replies: {stored}"
            return
        turn_id = str(UUID(str(stored[0][0])))
        if answer["v2"] is not None and answer["v2"]["turn_id"] != turn_id:
            yield f"the answer is of another turn than {turn_id}"
