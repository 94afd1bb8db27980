"""Drill: round tables whose agents fail, loop, write too much or give orders; that are killed in round two; and bad requests."""

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Final

from drills import storage_checks
from drills.data_folder import PreparedFolder
from drills.model_connection import ledger_faults, secrets_shown
from drills.result import DrillResult
from drills.server import Server
from drills.server import run as run_command
from drills.tables.bad_requests import bad_requests
from drills.tables.checks import table_faults
from drills.tables.folder import FILL, SECRET, make_outside_database, outside_database, variables
from drills.tables.kills import kills
from drills.tables.models import (
    MARK,
    ORDER,
    QUESTION,
    STEWARD,
    VOICES,
    Strike,
    TableModels,
    TableRequests,
    round_of,
    tools_asked,
)
from drills.tables.queries import own_data_queries, queries
from drills.tables.reading import HeldTable, hold, refusal
from tests.provider import Answer, Provider
from tests.provider.model_request import ProviderRequest

STRUCK: Final = "sceptic"
ROUNDS: Final = 3
ATTEMPTS: Final = 3
"""Of an agent at one model for one answer."""
MOST_USES: Final = 8
"""Of tools, by an agent in one round."""
STORE_CHARACTERS: Final = 60_000
HUGE: Final = "x" * 1_000_000
OWN_QUESTION: Final = "How many answers did I give, and how many were right?"
_DOWN: Final = Answer(status=500, text="down")

type Check = Callable[[HeldTable, TableRequests], Iterator[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A table of five voices, one of which is struck."""

    name: str
    strike: Strike
    strategy: str = "skip"
    silent: tuple[tuple[int, str], ...] = ()
    rounds: int = ROUNDS
    """That are held."""
    check: Check = lambda _held, _asked: iter(())


class TableDrill:
    """One server that holds one table after the other."""

    def __init__(self, server: Server, models: TableModels, *, token: str, data: Path) -> None:
        self.server, self.models, self.token, self.data = server, models, token, data
        self.tables = 0

    def play(self, case: Case) -> DrillResult:
        began = monotonic()
        asked = self.models.begin(case.strike)
        held = self.hold(failure_strategy=case.strategy)
        faults = [
            *table_faults(held, voices=VOICES, rounds=case.rounds, silent=case.silent, strategy=case.strategy),
            *case.check(held, asked),
        ]
        return _result(case.name, faults, began, note=f"{len(held.events)} events, {len(asked.requests)} requests")

    def hold(self, **changes: Any) -> HeldTable:
        self.tables += 1
        return hold(self.server.port, self.token, self.data, **changes)

    def query(self, name: str, call: tuple[str, Mapping[str, Any]], *, may_answer: bool) -> DrillResult:
        """Let the data steward's model ask for a tool; nothing that it may not read may reach it or the learner."""
        began, outside = monotonic(), outside_database(self.data)
        before = hashlib.sha256(outside.read_bytes()).digest()
        asked = self.models.begin(Strike(agent=STEWARD, round=1, answer=tools_asked(call)))
        # Its rule asks `learning_data` first; a question about learning data is what it goes on with.
        messages = [{"role": "user", "content": OWN_QUESTION}]
        held = self.hold(agents=[STEWARD, "explainer"], rounds=1, messages=messages)
        returned = [each for each in held.events if each["type"] == "tool_returned" and each["agent"] == STEWARD][-1:]
        faults = list(table_faults(held, voices=(STEWARD, "explainer"), rounds=1))
        if [(each["tool"], each["ok"]) for each in returned] != [(call[0], may_answer)]:
            faults.append(f"the tool returned {[(each['tool'], each['ok'], each['summary']) for each in returned]}")
        if hashlib.sha256(outside.read_bytes()).digest() != before:
            faults.append("the connected database was changed")
        told = "".join(each.told for each in asked.requests) + json.dumps([held.stream, held.events])
        # Where the data is, a model may know only if it named the place itself.
        place = [] if str(self.data) in json.dumps(call) else [str(self.data.parent)]
        faults += [f"shown: {each!r}" for each in (SECRET, "SQLite format 3", *place) if each in told]
        note = returned[0]["summary"][:80] if returned else ""
        return _result(name, faults, began, note=note)

    def refuse(self, name: str, body: Any, status: int) -> DrillResult:
        """Send a bad request: it is refused with words, and nothing is stored."""
        began, before = monotonic(), storage_checks.count(self.data, "conversations_turn")
        found, words = refusal(self.server.port, self.token, body)
        faults = [] if found == status else [f"status {found} for {status}"]
        if found != 200 and not _problem_of(words):
            faults.append(f"it says {words[:200]!r}")
        if (after := storage_checks.count(self.data, "conversations_turn")) != before:
            faults.append(f"{after - before} turns stored")
        return _result(f"round_table, {name}", faults, began, note=_problem_of(words)[:90])


def run(base: PreparedFolder) -> Iterator[DrillResult]:
    filled = base.copy("round-table")
    run_command([sys.executable, "manage.py", "shell", "-v0", "-c", FILL], filled)
    make_outside_database(outside_database(filled))
    yield from kills(base, filled)
    yield from _held_in_turn(base, filled)


def _held_in_turn(base: PreparedFolder, data: Path) -> Iterator[DrillResult]:
    """Hold one table after the other on one server."""
    began, models = monotonic(), TableModels()
    with ExitStack() as stack:
        provider = stack.enter_context(Provider())
        provider.otherwise(models)
        server = stack.enter_context(Server(data, pace_s=0, variables=variables(provider, data)))
        server.wait_until_ready()
        drill = TableDrill(server, models, token=base.tokens[0], data=data)
        for case in cases():
            yield drill.play(case)
        for name, sql, may_answer in queries(data):
            yield drill.query(
                f"round_table, SQL that {name}", ("outside_database", {"sql": sql}), may_answer=may_answer
            )
        for name, arguments in own_data_queries():
            yield drill.query(f"round_table, data of {name}", ("learning_data", arguments), may_answer=False)
        for name, body, status in bad_requests():
            yield drill.refuse(name, body, status)
        last = drill.hold()
        server.end()
    faults = [*ledger_faults(data), *secrets_shown(data)]
    faults += storage_checks.faults(data, said=[QUESTION], session=last.session, attempts=0)
    yield _result("round_table, the record", faults, began, note=f"{drill.tables} tables")


def _result(name: str, faults: Sequence[str], began: float, *, note: str = "") -> DrillResult:
    return DrillResult(name=name, faults=tuple(faults), seconds=monotonic() - began, measured="held in", note=note)


def _problem_of(words: str) -> str:
    """Return what a refusal tells a person; empty if it is none of the API's."""
    try:
        error = json.loads(words)["error"]
    except (ValueError, KeyError, TypeError):
        return ""
    return str(error.get("message", "")) if isinstance(error, dict) else str(error)


# --- Tables with one struck voice ---


def cases() -> Iterator[Case]:
    """Yield the tables in which one voice fails or is hostile."""
    two = ((2, STRUCK),)
    gone = Strike(agent=STRUCK, round=2, answer=lambda _before, _asked: _DOWN)
    once = Strike(agent=STRUCK, round=2, answer=lambda before, _asked: _DOWN if before < ATTEMPTS else None)
    yield Case(name="round_table, skip", strike=gone, silent=two)
    yield Case(name="round_table, retry a voice that is back", strategy="retry", strike=once)
    yield Case(name="round_table, retry a voice that is gone", strategy="retry", strike=gone, silent=two)
    yield Case(name="round_table, abort", strategy="abort", strike=gone, silent=two, rounds=2)
    yield Case(
        name="round_table, a voice loops over tools",
        strike=Strike(agent=STRUCK, answer=lambda _before, _asked: Answer(tools=(("table_read", {}),))),
        silent=tuple((number, STRUCK) for number in range(1, ROUNDS + 1)),
        check=_looped,
    )
    yield Case(
        name="round_table, a voice asks for 100 tools at once",
        strike=Strike(agent=STRUCK, answer=tools_asked(*[("table_read", {})] * 100)),
        check=_looped,
    )
    yield Case(
        name="round_table, a voice stores 1 MB",
        strike=Strike(agent=STRUCK, answer=tools_asked(_note(HUGE))),
        check=_stored_nothing,
    )
    yield Case(
        name="round_table, a voice stores 100 KB",
        strike=Strike(agent=STRUCK, answer=tools_asked(_note(HUGE[:100_000]))),
        check=_stored_nothing,
    )
    yield Case(
        name="round_table, a voice fills the store",
        strike=Strike(agent=STRUCK, answer=_fills),
        check=_stored_little,
    )
    yield Case(
        name="round_table, a voice says 1 MB",
        strike=Strike(agent=STRUCK, round=2, answer=lambda _before, _asked: Answer(text=HUGE, burst=True)),
        silent=two,
    )
    yield Case(
        name="round_table, a voice orders the others about",
        strike=Strike(agent=STRUCK, answer=_orders),
        check=_obeyed,
    )


def _fills(before: int, asked: ProviderRequest) -> Answer | None:
    """Write as many full entries as there may be, with new keys in each round."""
    keys = [f"round {round_of(asked)}, {number}" for number in range(40)]
    return Answer(tools=tuple(_note("y" * 4000, key=key) for key in keys)) if before == 0 else None


def _note(value: str, *, key: str = "note") -> tuple[str, Mapping[str, str]]:
    return "table_write", {"kind": "collaborationNotes", "key": key, "value": value}


def _looped(held: HeldTable, asked: TableRequests) -> Iterator[str]:
    # The searches by rule count too.
    uses = Counter[int]()
    number = 0
    for each in held.events:
        number = each["round"] if each["type"] == "round_started" else number
        uses[number] += each["type"] == "tool_returned" and each["ok"] and each["agent"] == STRUCK
    for number, times in uses.items():
        if times > MOST_USES:
            yield f"{times} uses of tools in round {number}"
    for (number, agent), times in asked.asked.items():
        if times > MOST_USES + 1:
            yield f"{agent} asked {times} times in round {number}"


def _stored(held: HeldTable) -> int:
    """Return how many characters the store holds; an entry takes the place of an earlier one with its key."""
    sent = [each["payload"] for each in held.events if each["type"] == "message_sent" and not each["dropped"]]
    entries = {(each["data"]["kind"], each["data"]["key"]): each["data"]["value"] for each in sent}
    return sum(map(len, entries.values()))


def _stored_nothing(held: HeldTable, asked: TableRequests) -> Iterator[str]:
    if size := _stored(held):
        yield f"{size} characters in the store"
    if any(asked.asked[number, STRUCK] < 2 for number in range(1, ROUNDS + 1)):
        yield "it was not asked again"


def _stored_little(held: HeldTable, _asked: TableRequests) -> Iterator[str]:
    if not 0 < (size := _stored(held)) <= STORE_CHARACTERS:
        yield f"{size} characters in the store"
    if not any(each["type"] == "tool_returned" and not each["ok"] for each in held.events):
        yield "nothing was refused"


def _orders(before: int, asked: ProviderRequest) -> Answer | None:
    """Order the others about in every way there is: the store, a question, and words."""
    if before == 0:
        question = ("table_ask", {"agent": "historian", "question": ORDER})
        return Answer(tools=(_note(ORDER), question))
    return Answer(text=f"{ORDER} This is what I say in request {len(asked.history)}.") if before == 1 else None


def _obeyed(held: HeldTable, asked: TableRequests) -> Iterator[str]:
    if asked.orders:
        yield f"an order reached {sorted(set(asked.orders))} as an instruction"
    if not any(MARK in each.told for each in asked.requests if each.agent != STRUCK):
        yield "nobody was told the order, not even as a quotation"
    if MARK in "".join(said for _number, agent, said in held.responses if agent != STRUCK):
        yield "another voice said it"
