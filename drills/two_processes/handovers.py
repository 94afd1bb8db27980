"""Turns that one process runs while their learner is at the other: stopped, edited, taken over, and watched in two tabs."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import monotonic

from redis import Redis

from drills.client import Client, ClientTranscript, get
from drills.data_folder import SPOKEN
from drills.result import DrillResult
from drills.server import Server
from drills.two_processes.site import Pupil, Site, tabs

STOPPED_WITHIN_S = 5.0
"""The next sign of life of the process that runs the turn; with Redis it hears of it at once."""
SETTLED_WITHIN_S = 60.0
PACE_S = 0.3
"""Slow enough for a turn to be interrupted from the other process."""
LATER = "What is a half?"
ROUNDS = 10
STOPPED = 3
"""Which version of a message is stopped and edited while its turn runs."""

Servers = tuple[Server, Server]


def transcript(text: str, client_id: str, *, is_asked_for: bool = False) -> ClientTranscript:
    return ClientTranscript(text=text, client_id=client_id, is_asked_for=is_asked_for)


def differences(here: ClientTranscript, there: ClientTranscript, *, status: str = "done") -> Iterator[str]:
    """Yield where two clients did not read the same whole turn, or where it did not end with this status."""
    for place, reading in (("here", here), ("there", there)):
        yield from (f"{place}: {fault}" for fault in reading.faults)
        if reading.finished is None:
            yield f"{reading.client_id} has no end {place}"
        elif reading.finished["status"] != status:
            yield f"{reading.client_id} ended as {reading.finished['status']} {place}"
    if (here.turn_id, here.seq, here.reply) != (there.turn_id, there.seq, there.reply):
        yield f"{here.client_id}: {here.seq} events here, {there.seq} there"


def read_both(here: Client, there: Client, readings: Sequence[ClientTranscript]) -> None:
    """Read a turn to its end on both servers."""
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda client, reading: client.read(reading), (here, there), readings))


def begin(here: Client, there: Client, text: str, client_id: str, **more: str) -> list[ClientTranscript]:
    """Send a message here; return its turn as it is read here and there, once it has begun to speak at both."""
    readings = [transcript(text, client_id) for _ in range(2)]
    here.say(readings[0], **more)
    for client, reading in zip((here, there), readings, strict=True):
        client.read(reading, until="reply_text")
    return readings


def stopped_elsewhere(site: Site, servers: Servers, *, pupils: int = 5) -> DrillResult:
    """Stop turns of one process from the other."""

    def stop(pupil: Pupil) -> tuple[float, list[str]]:
        session = f"stopped-{pupil.name}"
        with tabs(servers, pupil, session=session) as (here, there):
            readings = begin(here, there, SPOKEN, session)
            asked_at = monotonic()
            there.stop(readings[1])
            read_both(here, there, readings)
            took_s = monotonic() - asked_at
        return took_s, list(differences(*readings, status="stopped"))

    started = monotonic()
    everybody = site.pupils(pupils)
    with ThreadPoolExecutor(pupils) as pool:
        stops = list(pool.map(stop, everybody))
    took = sorted(took_s for took_s, _ in stops)
    faults = [fault for _, found in stops for fault in found]
    faults += [f"a turn ended {took_s:.1f} s after it was stopped" for took_s in took if took_s > STOPPED_WITHIN_S]
    faults += site.faults({f"stopped-{pupil.name}": [SPOKEN] for pupil in everybody})
    note = f"{pupils} turns, each ended after {took[len(took) // 2]:.2f} s (p50), {took[-1]:.2f} s at most"
    return DrillResult(
        name="stopped from the other process",
        faults=tuple(faults),
        seconds=monotonic() - started,
        measured="took",
        note=note,
    )


def edited_elsewhere(site: Site, servers: Servers) -> DrillResult:
    """Edit a message at the other process, ask for another answer, then stop and edit a turn that runs elsewhere."""
    started = monotonic()
    [pupil] = site.pupils(1)
    session = "edited"
    faults: list[str] = []
    said = [SPOKEN, LATER, LATER, SPOKEN, SPOKEN]
    with tabs(servers, pupil, session=session) as (first, second):
        replaces: dict[str, str] = {}
        for number, text in enumerate(said):
            here, there = (second, first) if number % 2 else (first, second)
            readings = begin(here, there, text, f"edited-{number}", **replaces)
            # A turn that runs is stopped before its message is edited, as the page does.
            is_stopped = number == STOPPED
            if is_stopped:
                there.stop(readings[1])
            read_both(here, there, readings)
            faults += differences(*readings, status="stopped" if is_stopped else "done")
            replaces = {"replaces": readings[0].turn_id}
    faults += site.faults({session: said})
    standing = site.rows(
        "SELECT COUNT(*) FROM conversations_turn t JOIN conversations_session s ON s.id = t.session_id "
        "WHERE s.key = ? AND NOT EXISTS (SELECT 1 FROM conversations_turn r WHERE r.replaces_id = t.id)",
        session,
    )[0][0]
    if standing != 1:
        faults.append(f"{standing} versions of the message stand")
    return DrillResult(
        name="edited at the other process", faults=tuple(faults), seconds=monotonic() - started, measured="took"
    )


def killed_while_watched(site: Site, servers: Servers) -> DrillResult:
    """Kill the process of a turn with `kill -9` while the other one shows it: it goes on there, and here after a return."""
    owner, other = servers
    [pupil] = site.pupils(1)
    session = "taken-over"
    with tabs(servers, pupil, session=session) as (here, there):
        readings = begin(here, there, SPOKEN, session)
        killed_at = monotonic()
        owner.kill()
        there.read(readings[1])
        took_s = monotonic() - killed_at
    owner.start()
    with Client(other.port, pupil.token, session=session) as back:
        back.resume(readings[0])
        back.read(readings[0])
    owner.wait_until_ready()
    faults = list(differences(*readings))
    if readings[1].resumptions != 1:
        faults.append(f"the watcher was told of {readings[1].resumptions} resumptions")
    if took_s > SETTLED_WITHIN_S:
        faults.append("the turn took too long to end")
    faults += site.faults({session: [SPOKEN]})
    return DrillResult(
        name="owner killed, watched elsewhere", faults=tuple(faults), seconds=took_s, measured="went on after"
    )


def two_tabs(site: Site, servers: Servers) -> DrillResult:
    """Two tabs of a conversation, one on each process, that send at the same moment: one turn, and both show it."""
    started = monotonic()
    [pupil] = site.pupils(1)
    session, said, faults, refused = "tabs", [], [], 0
    with tabs(servers, pupil, session=session) as clients:
        for number in range(ROUNDS):
            # In every second round both send the same message, as a page does that doubts whether it arrived.
            is_same = number % 2 == 1
            ids = [f"tab-{number}"] * 2 if is_same else [f"tab-{number}-{place}" for place in "ab"]
            readings = [transcript(SPOKEN, client_id) for client_id in ids]
            with ThreadPoolExecutor(2) as pool:
                accepted = list(pool.map(_said, clients, readings))
            said.append(SPOKEN)
            if accepted.count(True) != (2 if is_same else 1):
                faults.append(f"round {number}: {accepted.count(True)} messages were accepted")
                break
            winner = accepted.index(True)
            for place in range(2):
                if not accepted[place]:
                    refused += 1
                    readings[place] = transcript(SPOKEN, ids[winner], is_asked_for=True)
                    readings[place].turn_id = readings[winner].turn_id
                    clients[place].resume(readings[place])
            here, there = clients
            read_both(here, there, readings)
            faults += differences(*readings)
    faults += site.faults({session: said})
    return DrillResult(
        name="two tabs on two processes",
        faults=tuple(faults),
        seconds=monotonic() - started,
        measured="took",
        note=f"{ROUNDS} rounds, {refused} messages refused because the other tab was first",
    )


def _said(client: Client, reading: ClientTranscript) -> bool:
    """Send a message; tell whether its turn began, and not refused because another one runs."""
    client.say(reading)
    try:
        return client.read(reading, until="turn_started")
    except RuntimeError as refusal:
        if "turn_in_progress" not in str(refusal):
            raise
        return False


def redis_flushed(site: Site, servers: Servers) -> DrillResult:
    """Empty Redis while turns run that are watched elsewhere: nothing is lost, and who is signed in stays so."""
    started = monotonic()
    everybody = site.pupils(3)

    def watch(pupil: Pupil) -> list[str]:
        session = f"flushed-{pupil.name}"
        with tabs(servers, pupil, session=session) as (here, there):
            readings = begin(here, there, SPOKEN, session)
            with Redis.from_url(site.redis_url) as redis:
                redis.flushall()
            read_both(here, there, readings)
            faults = list(differences(*readings))
            again = begin(there, here, LATER, f"{session}-later")
            read_both(there, here, again)
        return faults + list(differences(*again))

    with ThreadPoolExecutor(len(everybody)) as pool:
        faults = [fault for found in pool.map(watch, everybody) for fault in found]
    for pupil in everybody:
        for place, server in zip(("first", "second"), servers, strict=True):
            if f"flushed-{pupil.name}" not in get(server.port, pupil.browser, "/c/"):
                faults.append(f"{pupil.name} is signed out at the {place} process, or their conversations are gone")
    faults += site.faults({f"flushed-{pupil.name}": [SPOKEN, LATER] for pupil in everybody})
    return DrillResult(
        name="Redis emptied, turns running", faults=tuple(faults), seconds=monotonic() - started, measured="took"
    )
