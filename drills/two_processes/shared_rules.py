"""What admins and people change at one process, and how soon it counts at the other: flags, and who may use a socket."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
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


Answers = list[tuple[datetime, int]]
"""Statuses of the requests to one process, and when each was asked."""


def flag_changes(site: Site, servers: Servers) -> DrillResult:
    """Switch the team off and on beside the processes: both act on it within five seconds, and never fall back."""
    started = monotonic()
    [pupil] = site.pupils(1)
    seen_s, before, faults = [], 0, []
    with ThreadPoolExecutor(len(servers) + 1) as pool:
        for number in range(CHANGES):
            expected, switch = (ON, "--no-kill") if number % 2 else (OFF, "--kill")
            changing = pool.submit(_change_flag, site, switch)
            polled = list(pool.map(partial(_poll, pupil=pupil, changing=changing), servers))
            changed_at = site.rows("SELECT MAX(at) FROM agents_flagchange")[0][0]
            for answers in polled:
                since = [(asked_at, status == expected) for asked_at, status in answers if asked_at > changed_at]
                wrong = [asked_at for asked_at, is_right in since if not is_right]
                took_s = max(((asked_at - changed_at).total_seconds() for asked_at in wrong), default=0.0)
                if took_s > SEEN_WITHIN_S:
                    faults.append(f"a request was served wrongly {took_s:.1f} s after the change")
                if [is_right for _, is_right in since] != [False] * len(wrong) + [True] * (len(since) - len(wrong)):
                    faults.append("a process went back to the old value")
                seen_s.append(took_s)
                before += len(wrong)
    return DrillResult(
        name="flag changed beside the processes",
        faults=tuple(faults),
        seconds=monotonic() - started,
        measured="took",
        note=f"{CHANGES} changes, seen after {max(seen_s):.1f} s at most; {before} requests before that",
    )


def _change_flag(site: Site, switch: str) -> datetime:
    """Change the flag; return when it was certainly changed."""
    site.manage("flag", "multi_agent", switch)
    return datetime.now(UTC)


def _poll(server: Server, *, pupil: Pupil, changing: "Future[datetime]") -> Answers:
    """Ask until the process has had its time and was asked some more."""
    answers: Answers = []
    afterwards = 0
    while afterwards < AFTERWARDS:
        asked_at = datetime.now(UTC)
        answers.append(
            (asked_at, call(server.port, pupil.token, "/v2/search", {"query": "half", "mode": "keyword"})[0])
        )
        afterwards += changing.done() and asked_at > changing.result() + timedelta(seconds=SEEN_WITHIN_S)
    return answers


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
