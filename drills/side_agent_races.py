"""What overtakes side agents that are slow: the end of their process, another tab, a message said anew, a deletion.

And a provider that allows few calls at once: the tutor's come first.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from time import monotonic, sleep
from urllib.parse import urlencode
from urllib.request import Request, urlopen
from uuid import UUID

from drills import storage_checks
from drills.client import Client, ClientTranscript, by_browser, get
from drills.data_folder import PreparedFolder
from drills.faulty_side_agents import DETECTING, TUTOR, Listeners, tagged
from drills.message_kills import wait_until_settled
from drills.model_connection import FLAVOURS, QUESTION, connected, ledger_faults
from drills.result import DrillResult
from drills.server import Server
from drills.side_agent_faults import SAID, SideAgentLesson, analysed_twice

SLOW_S = 2.5
"""Of all side agents: longer than a turn."""
PACE_S = 0.15
"""Between two words of a tutor whose process ends."""
STEPS = ("mid_stream", "mid_finish")
SOON_S = 15.0
AT_ONCE = 2
"""Calls that a crowded provider allows."""
REFUSED_AT_MOST = 2
"""Calls of the tutor's that it refuses before side agents hold back."""


def run(base: PreparedFolder) -> Iterator[DrillResult]:
    for speaks in FLAVOURS:
        for step in STEPS:
            yield killed(base, speaks=speaks, step=step)
    yield from overtaken(base)
    yield crowded(base)


def _begin_lesson(base: PreparedFolder, data: Path, listeners: Listeners, variables: dict[str, str]) -> SideAgentLesson:
    with Server(data, variables=variables) as server:
        server.wait_until_ready()
        lesson = SideAgentLesson(base, server, listeners, number=0)
        with lesson.client() as client:
            lesson.begin(client, "misconception")
        server.end()
    return lesson


def _say_until_killed(server: Server, lesson: SideAgentLesson, reading: ClientTranscript) -> None:
    server.wait_until_ready()
    with Client(server.port, lesson.token, session=lesson.session) as client:
        client.say(reading)
        client.read(reading)
    server.wait_until_killed()


def killed(base: PreparedFolder, *, speaks: str, step: str) -> DrillResult:
    """Kill the server while side agents listen: the turn is taken up again, and heard once."""
    data = base.copy(f"hub-{step}-{speaks}")
    listeners = Listeners()
    with listeners.provider(pace_s=PACE_S) as provider:
        variables = connected(speaks, provider.url)
        lesson = _begin_lesson(base, data, listeners, variables)
        listeners.side_s = SLOW_S if step == "mid_stream" else 0.0
        reading = ClientTranscript(
            text=tagged(QUESTION, listeners.expect(DETECTING, agent="misconception")), client_id="killed"
        )
        lesson.said.append(reading.text)
        with Server(data, kill_at=step, variables=variables) as server:
            _say_until_killed(server, lesson, reading)
        with Server(data, variables=variables) as server:
            server.wait_until_ready()
            wait_until_settled(data, reading.client_id)
            settled_s = server.age_s()
            heard = wait_for_analyses(data, reading.turn_id)
            starting_s = server.starting_s
            server.end()
    note = f"{len(heard)} analyses, {len(findings_of(data, reading.turn_id))} findings"
    return DrillResult(
        name=f"{speaks} listening, killed {step}",
        faults=tuple(_lost_or_doubled(data, lesson, reading, heard)),
        seconds=settled_s,
        starting_s=starting_s,
        note=note,
    )


def _lost_or_doubled(
    data: Path, lesson: SideAgentLesson, reading: ClientTranscript, heard: Sequence[tuple[str, str]]
) -> Iterator[str]:
    """Yield what is wrong with the record of a turn that was taken up again."""
    yield from reading.faults
    yield from storage_checks.faults(data, said=lesson.said, session=lesson.session, attempts=_answers(data))
    yield from analysed_twice(data)
    yield from ledger_faults(data)
    ((status, attempt),) = storage_checks.rows(
        data, "SELECT status, attempt FROM conversations_turn WHERE client_id = ?", reading.client_id
    )
    if (status, attempt) != ("done", 2):
        yield f"the turn is {status} after {attempt} attempts"
    if not heard:
        yield "nobody listened to the turn that was taken up again"


def overtaken(base: PreparedFolder) -> Iterator[DrillResult]:
    data = base.copy("hub-overtaken")
    listeners, started = Listeners(), monotonic()
    with listeners.provider() as provider, Server(data, variables=connected("openai", provider.url)) as server:
        server.wait_until_ready()
        lessons = [SideAgentLesson(base, server, listeners, number=number) for number in range(3)]
        for lesson in lessons:
            with lesson.client() as client:
                lesson.begin(client, "misconception")
        listeners.side_s = SLOW_S
        yield two_tabs(lessons[0])
        yield said_anew(lessons[1])
        yield deleted(lessons[2], lessons[0])
        server.end()
    yield DrillResult(
        name="listening, the record",
        faults=(*analysed_twice(data), *ledger_faults(data)),
        seconds=monotonic() - started,
        measured="all in",
    )


def two_tabs(lesson: SideAgentLesson) -> DrillResult:
    """Follow a turn in two tabs, and speak in the other one while its side agents are at work."""
    data, started = lesson.server.data, monotonic()
    with ExitStack() as stack:
        tabs = [stack.enter_context(lesson.client()) for _ in range(2)]
        readings = [_said(lesson, speaking, tabs) for speaking in tabs]
    faults = [fault for seen in readings for reading in seen for fault in reading.faults]
    for seen in readings:
        if len({reading.reply for reading in seen}) != 1 or any(reading.finished is None for reading in seen):
            faults.append(f"the tabs have read {[reading.reply for reading in seen]}")
        if not wait_for_analyses(data, seen[0].turn_id):
            faults.append("nobody listened")
    return DrillResult(
        name="listening, two tabs", faults=tuple(faults), seconds=monotonic() - started, measured="heard after"
    )


def _said(lesson: SideAgentLesson, speaking: Client, tabs: list[Client]) -> list[ClientTranscript]:
    text = tagged(SAID[1], lesson.listeners.expect(DETECTING, agent="misconception"))
    seen = [ClientTranscript(text=text, client_id=f"tabs-{len(lesson.said)}") for _ in tabs]
    lesson.said.append(text)
    speaking.say(seen[0])
    for tab, reading in zip(tabs, seen, strict=True):
        tab.read(reading)
    return seen


def said_anew(lesson: SideAgentLesson) -> DrillResult:
    """Say a message anew while its side agents are at work: what they find of it reaches nobody."""
    data, started, listeners = lesson.server.data, monotonic(), lesson.listeners
    tag = listeners.expect(DETECTING, agent="misconception")
    first = ClientTranscript(text=tagged(SAID[0], tag), client_id="first")
    anew = ClientTranscript(text="both parts have to be of the same size", client_id="anew")
    with lesson.client() as client:
        client.say(first)
        client.read(first)
        client.say(anew, replaces=first.turn_id)
        client.read(anew)
        listeners.forbidden = f"#{tag}"
        heard = wait_for_analyses(data, first.turn_id)
        lesson.play(client, None, agent="misconception")
    faults = [*first.faults, *anew.faults]
    if not any(agent == "misconception" and status == "taken" for agent, status in heard):
        faults.append(f"the side agent has not found anything: {heard}")
    if found := findings_of(data, first.turn_id):
        faults.append(f"of the message that is no more was found {found}")
    evidence = storage_checks.rows(data, "SELECT evidence FROM tutoring_misconceptionstate")
    if any(first.turn_id in str(row) for row in evidence):
        faults.append("it counts for a misconception")
    if listeners.told:
        faults.append(f"a prompt of the tutor's holds it: {listeners.told[0]!r}")
    if f"#{tag}" in get(lesson.server.port, lesson.browser, f"/c/{lesson.session}/"):
        faults.append("the page shows it")
    listeners.forbidden = ""
    return DrillResult(
        name="listening, said anew", faults=tuple(faults), seconds=monotonic() - started, measured="heard after"
    )


def deleted(lesson: SideAgentLesson, other: SideAgentLesson) -> DrillResult:
    """Delete the conversation while its side agents are at work: nothing breaks, and another lesson goes on."""
    data, started = lesson.server.data, monotonic()
    reading = ClientTranscript(
        text=tagged(SAID[0], lesson.listeners.expect(DETECTING, agent="misconception")), client_id="deleted"
    )
    with lesson.client() as client:
        client.say(reading)
        client.read(reading)
    address = f"http://127.0.0.1:{lesson.server.port}/c/{lesson.session}/delete/"
    request = Request(address, urlencode({"yes": "1"}).encode(), by_browser(lesson.browser))
    urlopen(request, timeout=SOON_S).close()
    sleep(SLOW_S)
    with other.client() as client:
        played = other.play(client, None, agent="misconception")
    faults = [fault for each in (reading, *played.readings) for fault in each.faults]
    if any(each.finished is None or each.finished["status"] != "done" for each in played.readings):
        faults.append("another lesson does not go on")
    if "Traceback" in (data / "server.log").read_text():
        faults.append("the server's log has an error in it")
    return DrillResult(
        name="listening, deleted", faults=tuple(faults), seconds=monotonic() - started, measured="went on after"
    )


def crowded(base: PreparedFolder) -> DrillResult:
    """Let the provider take two calls at once: side agents hold back, and the tutor's model answers."""
    data = base.copy("hub-crowded")
    listeners, started = Listeners(), monotonic()
    with listeners.provider() as provider, Server(data, variables=connected("anthropic", provider.url)) as server:
        server.wait_until_ready()
        lesson = SideAgentLesson(base, server, listeners, number=0)
        with lesson.client() as client:
            usual = lesson.begin(client, "misconception")
            listeners.at_once = AT_ONCE
            turns = [lesson.play(client, None, agent="misconception") for _ in range(3)]
        server.end()
    first_s = [each for played in turns for each in played.first_s]
    readings = [reading for played in turns for reading in played.readings]
    faults = [fault for reading in readings for fault in reading.faults]
    faults += [f"a turn is {each.finished}" for each in readings if (each.finished or {}).get("status") != "done"]
    refused = listeners.refused[TUTOR]
    if refused > REFUSED_AT_MOST:
        faults.append(f"{refused} calls of the tutor's were refused")
    note = (
        f"{len(readings)} turns; refused: {refused} of the tutor's, {sum(listeners.refused.values()) - refused} others; "
        f"first words {median(usual.first_s):.2f} s with room, {median(first_s):.2f} s without, {max(first_s):.2f} s at most"
    )
    return DrillResult(
        name=f"listening, {AT_ONCE} calls at once",
        faults=tuple(faults),
        seconds=monotonic() - started,
        measured="played in",
        note=note,
    )


def wait_for_analyses(data: Path, turn_id: str) -> list[tuple[str, str]]:
    """Return agent and status of what was made of a turn, once it is there; nothing where it never comes."""
    ends = monotonic() + SOON_S
    found: list[tuple[str, str]] = []
    while not found and monotonic() < ends:
        sleep(0.1)
        rows = storage_checks.rows(
            data, "SELECT agent, status FROM conversations_analysis WHERE turn_id = ?", UUID(turn_id).hex
        )
        found = [(agent, status) for agent, status in rows]
    return found


def findings_of(data: Path, turn_id: str) -> list[str]:
    rows = storage_checks.rows(data, "SELECT name FROM conversations_finding WHERE turn_id = ?", UUID(turn_id).hex)
    return [name for (name,) in rows]


def _answers(data: Path) -> int:
    return storage_checks.count(data, "tutoring_attempt")
