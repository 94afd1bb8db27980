"""What admins and people change at one process, and how soon it counts at the other: flags, and who may use a socket."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Final

from drills.client import Client, ClientTranscript, call, submit
from drills.data_folder import SPOKEN
from drills.result import DrillResult
from drills.server import Server
from drills.two_processes.handovers import Servers
from drills.two_processes.site import Pupil, Site

SEEN_WITHIN_S: Final = 5.0
CHANGES: Final = 4
AFTERWARDS: Final = 20
"""Requests to each process after the time within which it has to know."""
ON, OFF = 200, 501
CLOSED_WITHIN_S: Final = 30.0
SIGNED_OUT: Final = "signed out"
RIGHTS_WITHDRAWN: Final = frozenset({4401, 4403})


@dataclass(slots=True)
class Polled:
    """The requests to one process while a flag changes."""

    wrong: int = 0
    wrong_afterwards: int = 0
    last_wrong_at: float = 0.0
    afterwards: int = 0


def flag_changes(site: Site, servers: Servers) -> DrillResult:
    """Switch the team off and on beside the processes: both act on it within five seconds, and never fall back (R1)."""
    started = monotonic()
    [pupil] = site.pupils(1)
    seen_s, wrong, faults = [], 0, []
    with ThreadPoolExecutor(len(servers) + 1) as pool:
        for number in range(CHANGES):
            expected, switch = (ON, "--no-kill") if number % 2 else (OFF, "--kill")
            changing = pool.submit(_changed, site, switch)
            polled = list(pool.map(partial(_poll, pupil=pupil, expected=expected, changing=changing), servers))
            changed_at = changing.result()
            seen_s += [max(0.0, each.last_wrong_at - changed_at) for each in polled]
            wrong += sum(each.wrong for each in polled)
            faults += [
                f"{each.wrong_afterwards} of {each.afterwards} requests were served wrongly {SEEN_WITHIN_S:g} s after"
                for each in polled
                if each.wrong_afterwards
            ]
    return DrillResult(
        name="flag changed beside the processes",
        faults=tuple(faults),
        seconds=monotonic() - started,
        measured="took",
        note=f"{CHANGES} changes, seen after {max(seen_s):.1f} s at most; {wrong} requests before that",
    )


def _changed(site: Site, switch: str) -> float:
    """Change the flag; return when it was certainly changed."""
    site.manage("flag", "multi_agent", switch)
    return monotonic()


def _poll(server: Server, *, pupil: Pupil, expected: int, changing: "Future[float]") -> Polled:
    """Ask until the process has had its time and was asked some more."""
    polled = Polled()
    while polled.afterwards < AFTERWARDS:
        asked_at = monotonic()
        status, _ = call(server.port, pupil.token, "/v2/search", {"query": "half", "mode": "keyword"})
        if not changing.done():
            continue
        is_late = asked_at > changing.result() + SEEN_WITHIN_S
        polled.afterwards += is_late
        if status != expected and asked_at > changing.result():
            polled.wrong += 1
            polled.wrong_afterwards += is_late
            polled.last_wrong_at = asked_at
    return polled


def rights_withdrawn(site: Site, servers: Servers) -> DrillResult:
    """Withdraw people's rights at one process while their sockets are open at the other (A7): who acts is refused at once,
    who does nothing is closed soon.
    """
    started = monotonic()
    here, there = servers
    everybody = site.pupils(3)
    ways: dict[str, Callable[[Pupil], object]] = {
        "token revoked": lambda pupil: submit(
            there.port, pupil.browser, f"/accounts/tokens/{_token_of(site, pupil)}/revoke/"
        ),
        SIGNED_OUT: lambda pupil: submit(there.port, pupil.browser, "/accounts/sign-out/"),
        "deactivated": lambda pupil: site.manage(
            "shell",
            "-v0",
            "-c",
            "from learnagent.accounts.models import Person; "
            f"Person.objects.filter(username={pupil.name!r}).update(is_active=False)",
        ),
    }
    with ThreadPoolExecutor(len(ways)) as pool:
        ends = list(pool.map(lambda way, pupil: _withdrawn(site, here, way, ways[way], pupil), ways, everybody))
    faults = [fault for _, found in ends for fault in found]
    return DrillResult(
        name="rights withdrawn at the other process",
        faults=tuple(faults),
        seconds=monotonic() - started,
        measured="took",
        note=f"idle sockets closed after {max(closed_s for closed_s, _ in ends):.1f} s at most",
    )


def _withdrawn(
    site: Site, server: Server, way: str, withdraw: Callable[[Pupil], object], pupil: Pupil
) -> tuple[float, list[str]]:
    """Return the seconds until an idle socket was closed, and what went wrong."""
    session = f"rights-{pupil.name}"
    browser = pupil.browser if way == SIGNED_OUT else ""
    with (
        Client(server.port, pupil.token, session=session, browser=browser) as idle,
        Client(server.port, pupil.token, session=session, browser=browser) as active,
    ):
        for client in (idle, active):
            client.wait_until_listening()
        withdraw(pupil)
        withdrawn_at = monotonic()
        active.say(ClientTranscript(text=SPOKEN, client_id=session))
        codes = [client.wait_until_closed(within_s=CLOSED_WITHIN_S) for client in (active, idle)]
        closed_s = monotonic() - withdrawn_at
    faults = []
    if not set(codes) <= RIGHTS_WITHDRAWN:
        faults.append(f"{way}: the sockets were closed with {codes}")
    if site.rows("SELECT COUNT(*) FROM conversations_turn WHERE client_id = ?", session)[0][0]:
        faults.append(f"{way}: a message was accepted afterwards")
    return closed_s, faults


def _token_of(site: Site, pupil: Pupil) -> int:
    query = "SELECT t.id FROM accounts_apitoken t JOIN accounts_person p ON p.id = t.owner_id WHERE p.username = ?"
    key: int = site.rows(query, pupil.name)[0][0]
    return key
