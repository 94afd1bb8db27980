"""Side agents at fault while a lesson goes on: killed, hanging, lying, late. No reply waits for them, and none is lost.

Each learner's lesson has one side agent at fault, in every way there is; the others are well, and so is the tutor's model.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import monotonic, sleep
from urllib.error import HTTPError
from uuid import UUID

from drills import storage_checks
from drills.client import REPLIES, Client, ClientTranscript, get, post
from drills.data_folder import LEARNERS, OPENING, PreparedFolder
from drills.faulty_side_agents import FAULTS, MARK, REFUSAL, Fault, Listeners, drawing, tagged
from drills.model_connection import FLAVOURS, LISTENING, WORDS, connected, ledger_faults
from drills.result import DrillResult
from drills.scripted_learners.card_answers import right_answer
from drills.scripted_learners.records import Records
from drills.server import Server

FIRST_WITHIN = 4.0
"""Times of a well turn to the first words, for 95 in 100 turns: a busy machine is slow with both."""
WAITED_S = 3.0
"""More than without faults: whoever waited for a side agent that hangs or is late waited longer."""
KEPT_WITHIN_S = 20.0
EXIT_WITHIN_S = 10.0
TOO_MANY, DRAW_AGAIN_S = 429, 2.0
"""Drawings in a minute; nobody draws as fast as a drill."""
GROWTH_MB = 60.0
SAID = (
    "each part is a half because there are two parts",
    "I think a half is one of two parts",
    "it does not matter where I cut it, both are halves",
    "two pieces are always two halves",
)
"""The turns of a case; what comes two turns late comes among them, or in the next case."""
SAID_IN_PART = (
    "for one half the whole is cut into two parts",
    "one half is one of the two parts of the whole",
    "one half and the other half make one whole",
    "there are two halves in one whole",
)
"""Of a milestone's ideas one, so that a model is asked whether it is all of them."""
RIGHT_ANSWERS = 3
"""Enough in a row for a milestone to be worth asking a model about."""


@dataclass(slots=True, kw_only=True)
class PlayedTurn:
    """The turns of a case."""

    readings: list[ClientTranscript] = field(default_factory=list)
    first_s: list[float] = field(default_factory=list)
    whole_s: list[float] = field(default_factory=list)


class SideAgentLesson:
    """One learner's lesson, in which one side agent is at fault."""

    def __init__(self, base: PreparedFolder, server: Server, listeners: Listeners, *, number: int) -> None:
        self.token, self.browser = base.tokens[number], base.browsers[number]
        self.server, self.listeners = server, listeners
        self.session = f"hub-{number}"
        self.said: list[str] = []
        self._records = Records(data=server.data, learner=LEARNERS[number])

    def client(self) -> Client:
        return Client(self.server.port, self.token, session=self.session)

    def begin(self, client: Client, agent: str) -> PlayedTurn:
        """Open the lesson, and play turns in which all are well."""
        self._say(client, OPENING)
        if agent == "milestone":
            self._say(client, "Quiz me")
            self._answer_rightly(client)
        self.play(client, None, agent=agent)
        return self.play(client, None, agent=agent)

    def _answer_rightly(self, client: Client) -> None:
        for _ in range(RIGHT_ANSWERS):
            exercise = self._records.open_exercise()
            self._say(client, right_answer(exercise) if exercise else "Next")

    def _say(self, client: Client, text: str) -> None:
        self.said.append(text)
        reading = ClientTranscript(text=text, client_id=f"said-{len(self.said)}")
        client.say(reading)
        client.read(reading)

    def play(self, client: Client, fault: Fault | None, *, agent: str) -> PlayedTurn:
        """Say some things while this agent is at fault; with a drawing, where it is the one that looks."""
        played = PlayedTurn()
        for words in SAID_IN_PART if agent == "milestone" else SAID:
            tag = self.listeners.expect(fault, agent=agent)
            text = tagged(words, tag)
            self.said.append(text)
            drawing = self.draw(len(self.said)) if agent == "vision" else ""
            reading = ClientTranscript(text=text, client_id=f"said-{len(self.said)}")
            began = monotonic()
            client.say(reading, **({"board": drawing} if drawing else {}))
            client.read(reading, until=REPLIES)
            played.first_s.append(monotonic() - began)
            client.read(reading)
            played.whole_s.append(monotonic() - began)
            played.readings.append(reading)
        return played

    def draw(self, number: int) -> str:
        """Take a snapshot of two unequal parts, with an order written beside them; return its id."""
        while True:
            try:
                answer = post(self.server.port, self.browser, f"/c/{self.session}/board/", drawing(number))
            except HTTPError as error:
                if error.code != TOO_MANY:
                    raise
                sleep(DRAW_AGAIN_S)
            else:
                return str(answer["id"]) if answer else ""

    def page(self) -> str:
        return get(self.server.port, self.browser, f"/c/{self.session}/")


def run(base: PreparedFolder) -> Iterator[DrillResult]:
    for speaks in FLAVOURS:
        yield from listened(base, speaks=speaks)


def listened(base: PreparedFolder, *, speaks: str) -> list[DrillResult]:
    """Play every fault of every side agent on one server, each agent in a lesson of its own."""
    data = base.copy(f"hub-{speaks}")
    listeners, started = Listeners(), monotonic()
    with listeners.provider() as provider, Server(data, variables=connected(speaks, provider.url)) as server:
        server.wait_until_ready()
        with ExitStack() as stack, ThreadPoolExecutor(len(LISTENING)) as pool:
            lessons = [SideAgentLesson(base, server, listeners, number=number) for number in range(len(LISTENING))]
            clients = [stack.enter_context(lesson.client()) for lesson in lessons]
            well = list(pool.map(SideAgentLesson.begin, lessons, clients, LISTENING))
            before_mb = resident_mb(server)
            cases = list(_play_all(pool, lessons, clients))
            grown_mb = resident_mb(server) - before_mb
            pages = [lesson.page() for lesson in lessons]
        _hang_all(lessons[0], listeners)
        closing_s = server.end()
    usual_s = {agent: median(each.first_s) for agent, each in zip(LISTENING, well, strict=True)}
    results = [_result(data, listeners, each, speaks=speaks, usual_s=usual_s[each.agent]) for each in cases]
    firsts = sorted(first for each in cases for first in each.played.first_s)
    p95_s = firsts[round(0.95 * (len(firsts) - 1))]
    faults = [*ledger_faults(data), *_told(listeners, pages), *_stored(data, lessons)]
    faults += _slow_or_large(p95=p95_s / median(usual_s.values()), closing_s=closing_s, grown_mb=grown_mb)
    note = (
        f"first words {median(usual_s.values()):.2f} s well, {median(firsts):.2f} s at fault, p95 {p95_s:.2f} s; "
        f"grown by {grown_mb:.0f} MB; ended in {closing_s:.1f} s"
    )
    whole = DrillResult(
        name=f"{speaks} side agents", faults=tuple(faults), seconds=monotonic() - started, measured="all in", note=note
    )
    return [*results, whole]


def _slow_or_large(*, p95: float, closing_s: float, grown_mb: float) -> Iterator[str]:
    if p95 > FIRST_WITHIN:
        yield f"the first words took {p95:.1f} times as long as in well turns (p95)"
    if closing_s > EXIT_WITHIN_S:
        yield f"with hanging side agents the server took {closing_s:.1f} s to end"
    if grown_mb > GROWTH_MB:
        yield f"the server grew by {grown_mb:.0f} MB"


@dataclass(frozen=True, slots=True, kw_only=True)
class SideAgentCase:
    """One fault of one agent, as it was played."""

    agent: str
    fault: Fault
    played: PlayedTurn


def _cases(lesson: SideAgentLesson, client: Client, agent: str, faults: Sequence[Fault]) -> list[SideAgentCase]:
    cases = [SideAgentCase(agent=agent, fault=each, played=lesson.play(client, each, agent=agent)) for each in faults]
    _wait_until_kept(lesson, cases)
    return cases


def _wait_until_kept(lesson: SideAgentLesson, cases: Sequence[SideAgentCase]) -> None:
    """Wait for what comes late, so that it is there, or never will be."""
    turns = {UUID(reading.turn_id).hex for case in cases for reading in case.played.readings}
    ends = monotonic() + KEPT_WITHIN_S
    while monotonic() < ends:
        rows = storage_checks.rows(
            lesson.server.data, "SELECT DISTINCT turn_id FROM conversations_analysis WHERE turn_id IS NOT NULL"
        )
        if turns <= {turn for (turn,) in rows}:
            return
        sleep(0.2)


def _play_all(
    pool: ThreadPoolExecutor, lessons: list[SideAgentLesson], clients: list[Client]
) -> Iterator[SideAgentCase]:
    # All at once, and only then what has all side agents leave their models alone.
    for faults in (FAULTS, (REFUSAL,)):
        for cases in pool.map(_cases, lessons, clients, LISTENING, [faults] * len(lessons)):
            yield from cases


def _reply_faults(reading: ClientTranscript) -> Iterator[str]:
    if reading.finished is None or reading.finished["status"] != "done":
        yield f"a turn is {reading.finished and reading.finished['status']}"
    if not (reading.reply.strip() or reading.cards) or MARK in reading.reply or reading.reply.count(WORDS) > 1:
        yield f"the learner was told {reading.reply!r}"


def _result(data: Path, listeners: Listeners, case: SideAgentCase, *, speaks: str, usual_s: float) -> DrillResult:
    faults = [fault for reading in case.played.readings for fault in (*reading.faults, *_reply_faults(reading))]
    first_s = median(case.played.first_s)
    if first_s > usual_s + WAITED_S:
        faults.append(f"the first words took {first_s:.2f} s, {usual_s:.2f} s without faults")
    struck = listeners.struck(case.agent, case.fault)
    sql = "SELECT status, reason FROM conversations_analysis WHERE turn_id = ? AND agent = ?"
    turns = [UUID(reading.turn_id).hex for reading in case.played.readings]
    rows = [row for turn in turns for row in storage_checks.rows(data, sql, turn, case.agent)]
    if not struck and case.fault is not REFUSAL:
        faults.append("the agent was never asked")
    if len(rows) > len(case.played.readings):
        faults.append(f"{len(rows)} analyses of {len(case.played.readings)} turns")
    ended = [(status, reason) for status, reason in rows if status in case.fault.statuses]
    if len(ended) < struck or any(status != "taken" and not reason for status, reason in ended):
        faults.append(f"the record does not tell what happened: {rows}")
    reasons = sorted({reason for _status, reason in ended if reason})
    note = f"struck {struck}, {first_s:.2f} s to the first words, {max(case.played.whole_s):.2f} s at most"
    return DrillResult(
        name=f"{speaks} {case.agent}: {case.fault.name}",
        faults=tuple(faults),
        seconds=median(case.played.whole_s),
        measured="turn took",
        note=f"{note}; {', '.join(reasons) or 'taken'}",
    )


def _told(listeners: Listeners, pages: Sequence[str]) -> Iterator[str]:
    """Yield where what a side agent at fault said has reached the tutor, or the learner."""
    if listeners.told:
        yield f"{len(listeners.told)} prompts of the tutor's hold it: {listeners.told[0]!r}"
    for page in pages:
        if MARK in page:
            at = page.index(MARK)
            yield f"the page shows it: {page[max(0, at - 80) : at + 40]!r}"


def _stored(data: Path, lessons: Sequence[SideAgentLesson]) -> Iterator[str]:
    attempts = storage_checks.count(data, "tutoring_attempt")
    for lesson in lessons:
        yield from storage_checks.faults(data, said=lesson.said, session=lesson.session, attempts=attempts)
    yield from analysed_twice(data)
    if "Traceback" in (data / "server.log").read_text():
        yield "the server's log has an error in it"


def analysed_twice(data: Path) -> list[str]:
    """Return where a side agent has more than one analysis of a turn."""
    rows = storage_checks.rows(
        data,
        "SELECT turn_id, agent FROM conversations_analysis WHERE turn_id IS NOT NULL "
        "GROUP BY turn_id, agent HAVING COUNT(*) > 1",
    )
    return [f"{agent} has analysed turn {turn} twice" for turn, agent in rows]


def _hang_all(lesson: SideAgentLesson, listeners: Listeners) -> None:
    """Leave side agents of one more turn hanging."""
    with lesson.client() as client:
        listeners.hang = True
        lesson.play(client, None, agent="misconception")


def resident_mb(server: Server) -> float:
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024
