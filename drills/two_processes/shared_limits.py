"""Limits and budgets of a person and of the site, asked for at both processes at once."""

import json
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from time import monotonic
from typing import Any, Final

from drills.client import Client, ClientTranscript, call, submit
from drills.model_connection import NANO, QUESTIONS, ledger_faults
from drills.result import DrillResult, summarize
from drills.two_processes.handovers import Servers
from drills.two_processes.site import Pupil, Site
from tests.provider import Provider

MINUTE_S: Final = 60.0
TOO_SLOW: Final = "it took longer than a minute: the drill says nothing"
TURNS_A_MINUTE: Final = 6
PANELS_A_MINUTE: Final = 3
LIMITS: Final[Mapping[str, str]] = {
    "TURN_RATE_LIMIT": str(TURNS_A_MINUTE),
    "MULTI_AGENT_RATE_LIMIT": str(PANELS_A_MINUTE),
}
SIGN_INS: Final = 10
"""Wrong passwords for one name from one address in ten minutes."""
TRIES: Final = 30
PANEL_QUESTIONS: Final = 5
"""One less than the turns of a minute."""
PANEL_QUESTION: Final = "How do volcanoes erupt and why?"
BUDGET_USD: Final = 0.01
TURNS_AT_ONCE: Final = 20
PRICE: Final = (0.5, 2.0, "2026-11-01")
PRICES: Final[Mapping[str, str]] = {"LLM_PRICES": json.dumps(dict.fromkeys(("fake-strong", "fake-fast"), PRICE))}
"""At these a few calls fit into the budget at once, and twenty do not."""


def turns_a_minute(site: Site, servers: Servers) -> DrillResult:
    """Send messages at both processes, in both versions of the API, until one minute's turns are used up many times (L1, L4)."""
    started = monotonic()
    [pupil] = site.pupils(1)

    def send(number: int) -> str:
        server = servers[number % 2]
        path = "/v2/conversation" if number // 2 % 2 else "/api/conversation"
        body = {"session_id": f"minute-{number}", "text": "Thank you"}
        return _ending(call(server.port, pupil.token, path, body))

    with ThreadPoolExecutor(2) as pool:
        endings = Counter(pool.map(send, range(TRIES)))
    took_s = monotonic() - started
    faults = []
    if endings != {"accepted": TURNS_A_MINUTE, "rate_limited": TRIES - TURNS_A_MINUTE}:
        faults.append(f"{summarize(endings)}, and {TURNS_A_MINUTE} may be accepted")
    if took_s > MINUTE_S:
        faults.append(TOO_SLOW)
    return DrillResult(
        name="turns of a minute", faults=tuple(faults), seconds=took_s, measured="took", note=summarize(endings)
    )


def panels_a_minute(site: Site, servers: Servers) -> DrillResult:
    """Ask for the panel at both processes, two questions at a time: beyond the limit, the tutor alone answers (L1)."""
    started = monotonic()
    [pupil] = site.pupils(1)

    def ask(number: int) -> str:
        body = {"session_id": f"panel-{number}", "text": PANEL_QUESTION}
        status, answer = call(servers[number % 2].port, pupil.token, "/v2/conversation", body)
        if status != 200:
            return _ending((status, answer))
        return "by the panel" if answer["classification"] else "by the tutor"

    with ThreadPoolExecutor(2) as pool:
        endings = Counter(pool.map(ask, range(PANEL_QUESTIONS)))
    took_s = monotonic() - started
    faults = []
    if endings != {"by the panel": PANELS_A_MINUTE, "by the tutor": PANEL_QUESTIONS - PANELS_A_MINUTE}:
        faults.append(f"{summarize(endings)}, and {PANELS_A_MINUTE} panels may answer")
    if took_s > MINUTE_S:
        faults.append(TOO_SLOW)
    return DrillResult(
        name="panels of a minute", faults=tuple(faults), seconds=took_s, measured="took", note=summarize(endings)
    )


def sign_in_tries(servers: Servers) -> DrillResult:
    """Guess a password at both processes in turn: the tries are counted together (W2)."""
    started = monotonic()
    form = {"username": "somebody", "password": "guessed"}
    statuses = [submit(server.port, "", "/accounts/sign-in/", form) for server in islice(cycle(servers), 2 * SIGN_INS)]
    faults = []
    if statuses.count(429) != SIGN_INS or 429 in statuses[:SIGN_INS]:
        faults.append(f"the tries ended {statuses}")
    return DrillResult(
        name="tries to sign in",
        faults=tuple(faults),
        seconds=monotonic() - started,
        measured="took",
        note=f"{len(statuses) - statuses.count(429)} of {len(statuses)} tries were taken",
    )


def budget(site: Site, servers: Servers, provider: Provider) -> DrillResult:
    """Begin twenty turns at both processes with one cent left of the site's budget: no more is spent (L2)."""
    started = monotonic()
    everybody = site.pupils(TURNS_AT_ONCE)
    site.manage("budget", "site", "--per-day", str(BUDGET_USD))

    def ask(numbered: tuple[int, Pupil]) -> dict[str, Any]:
        number, pupil = numbered
        reading = ClientTranscript(text=QUESTIONS[number], client_id=f"budget-{number}")
        with Client(servers[number % 2].port, pupil.token, session=reading.client_id) as client:
            client.say(reading)
            client.read(reading)
        return reading.finished or {}

    with ThreadPoolExecutor(TURNS_AT_ONCE) as pool:
        ends = list(pool.map(ask, enumerate(everybody)))
    shortfalls = Counter(end.get("metadata", {}).get("shortfall") or end.get("status", "no end") for end in ends)
    calls, spent = site.rows("SELECT COUNT(*), COALESCE(SUM(spent_usd), 0) FROM agents_modelcall")[0]
    faults = [*ledger_faults(site.data)]
    if spent > BUDGET_USD + NANO:
        faults.append(f"{spent} dollars were spent, {BUDGET_USD} were left")
    if calls != provider.attempts:
        faults.append(f"{provider.attempts} requests were made, and {calls} calls are on record")
    if not shortfalls["budget"] or not shortfalls["done"]:
        faults.append("everybody had a model, or nobody: the drill says nothing")
    faults += site.faults({f"budget-{number}": [QUESTIONS[number]] for number in range(TURNS_AT_ONCE)})
    return DrillResult(
        name="budget, twenty turns at once",
        faults=tuple(faults),
        seconds=monotonic() - started,
        measured="took",
        note=f"overspent by {float(spent) - BUDGET_USD:.6f} dollars; {calls} calls; {summarize(shortfalls)}",
    )


def _ending(answered: tuple[int, Any]) -> str:
    status, body = answered
    return "accepted" if status == 200 else body["error"]["code"]
