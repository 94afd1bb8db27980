"""The rows of the reliability matrix: each fault or bad input, what must hold, and which drills and benchmarks try it.

Tests name the rows that they try at the beginning of their docstrings.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One fault or bad input."""

    id: str
    fault: str
    holds: str
    drills: tuple[str, ...] = ()
    """Names of drills that try it."""
    benchmarks: tuple[str, ...] = ()
    """Names of benchmarks that measure it."""


def _row(name: str, fault: str, holds: str, *, drills: str = "", benchmarks: str = "") -> Row:
    return Row(id=name, fault=fault, holds=holds, drills=tuple(drills.split()), benchmarks=tuple(benchmarks.split()))


SECTIONS: Final[dict[str, tuple[Row, ...]]] = {
    "A process is killed": (
        _row("F1", "killed before a message is stored", "sent again, it is one turn", drills="kills"),
        _row("F2", "killed while a message is being stored", "as F1", drills="kills"),
        _row("F3", "killed between storing and acknowledging", "the turn is answered without its client", drills="kills"),
        _row("F4", "killed after the acknowledgement", "another process answers the turn once", drills="kills"),
        _row("F5", "killed after a lease was taken", "the lease ends, another process goes on", drills="kills answers"),
        _row("F6", "killed between a tool's effect and its record", "the repeated call has the same idempotency key", drills="kills models"),
        _row("F7", "killed in the middle of a reply", "what was shown is stored, and the turn ends", drills="kills models two_processes browser"),
        _row("F8", "killed while a turn is being finished", "reply, costs and state are all stored or none", drills="kills answers"),
        _row("F9", "killed after a turn was finished", "a client that returns reads the whole turn", drills="kills answers"),
        _row("F10", "killed during an import or an erasure", "it goes on after the last portion", drills="v1"),
        _row("F11", "killed during a backup", "no half file has the backup's name", drills="backup"),
        _row("F12", "killed while a document is read", "it is read again; no half of it is found", drills="hands"),
        _row("F13", "told to stop while twenty replies stream", "ends within 10 s; the next process goes on", drills="endings"),
        _row("F14", "killed three times in one turn", "the turn fails, and each model call costs once", drills="endings"),
    ),
    "A language model fails": (
        _row("V1", "429, to be tried again in 1 s", "waits, at most three attempts", drills="faults"),
        _row("V2", "429, to be tried again in an hour", "another model answers at once", drills="faults"),
        _row("V3", "spending limit reached", "no more attempts; admins are told", drills="faults"),
        _row("V4", "500 or 529", "pauses, then falls back; the turn is marked", drills="faults"),
        _row("V5", "401 or 400", "no more attempts; the key is shown nowhere", drills="faults"),
        _row("V6", "a stream without a stop reason", "counts as cut off, and its text is kept", drills="faults"),
        _row("V7", "the connection breaks in a stream", "as V6", drills="faults"),
        _row("V8", "an error event in a stream", "as V6", drills="faults"),
        _row("V9", "an event that is not JSON", "as V6", drills="faults"),
        _row("V10", "a web page instead of an answer", "an error, and the fallback answers", drills="faults"),
        _row("V11", "one word a second", "time limits end it", drills="faults"),
        _row("V12", "nothing but keep-alive events", "a time limit ends it", drills="faults"),
        _row("V13", "silence before the answer begins", "a time limit ends it", drills="faults"),
        _row("V14", "20 MB of text, or one line of 50 MB", "cut off at 200 KB", drills="faults"),
        _row("V15", "tool calls that are wrong, or too many", "the model is told; at most eight calls", drills="faults round_table"),
        _row("V16", "an agent fails, hangs, or returns nonsense", "the other agents' results are used", drills="panel hub team"),
        _row("V17", "no model can be reached for minutes", "built-in text answers; few attempts; recovers alone", drills="outage"),
    ),
    "Storage and infrastructure fail": (
        _row("G1", "eight writers on one conversation", "none is locked out"),
        _row("G2", "a reader that holds a transaction for long", "the write-ahead log stays bounded"),
        _row("G3", "the database is locked for 10 s", "503 with Retry-After; the text stays with the person", drills="trial two_faults"),
        _row("G4", "disk full, or database read-only", "nothing is acknowledged; the process lives; health says so"),
        _row("G5", "a backup while people write", "restores complete and intact", drills="backup"),
        _row("G6", "Redis dies, forgets, or is slow", "turns go on", drills="foreign jobs two_processes"),
        _row("G7", "more unread events than a channel holds", "a watcher notices the gap and loses nothing", benchmarks="event_loss"),
        _row("G8", "a worker is killed in a job", "another worker does the job", drills="jobs"),
        _row("G9", "a job longer than its broker waits", "its effects come once", drills="jobs"),
        _row("G10", "PostgreSQL restarts", "connections come back; every turn ends", drills="restarts"),
        _row("G11", "the clock is set back or ahead", "order, leases and sign-ins stay right"),
        _row("G12", "a client that reads nothing", "asked to fetch again after 256 KB", benchmarks="slow_reader"),
        _row("G13", "a client that floods", "its socket is closed; memory stays bounded", drills="trial"),
        _row("G14", "a client leaves in a turn and returns", "finds the whole reply", drills="endings"),
        _row("G15", "two tabs, double clicks, repeated frames", "one turn, seen in both tabs", drills="two_processes"),
    ),
    "A release is rolled out, or data are moved": (
        _row("R1", "a flag at 0, 1, 50, 99 and 100 percent", "exact, sticky, monotonous; off within 5 s everywhere", drills="two_processes", benchmarks="flag_check"),
        _row("R2", "v2 fails before or after its first word", "one answer, never two", drills="smart"),
        _row("R3", "v2 and v1 both fail", "an error that keeps the text", drills="smart"),
        _row("R4", "the second store fails during dual writing", "repaired later, and counted"),
        _row("R5", "v2 has none, some or old messages", "never fewer messages than v1"),
        _row("R6", "a damaged v1 file of 100,000 rows, killed twice", "every row is imported once or reported", drills="v1"),
        _row("R7", "two admins edit one flag; wrong values", "the second is told; nothing wrong is stored"),
        _row("R8", "the release is rolled back after its migrations", "the older program reads everything", drills="upgrade"),
    ),
    "Bad input": (
        _row("B1", "empty, too long, or unprintable text", "422 or 413 naming the limit, or stored as it is", drills="trial"),
        _row("B2", "no JSON, deep JSON, wrong fields", "an error; the socket stays", drills="trial"),
        _row("B3", "binary, broken or oversized frames", "the close code of the contract"),
        _row("B4", "frames about unknown, foreign or finished turns", "an error, and nothing changes"),
        _row("B5", "ids that are no ids", "404, as for what does not exist"),
        _row("B6", "one client id twice", "the same turn, a conflict, or a turn of its own"),
        _row("B7", "numbers, dates and agents out of range", "an error that names the field"),
        _row("B8", "fields that only the server may set", "422"),
        _row("B9", "wrong lengths, too many headers or fields", "the status of the contract"),
        _row("Q1", "SQL that writes, reads others' rows, or never ends", "refused or stopped", drills="round_table"),
        _row("E1", "calculations that never end", "a message at once", benchmarks="sandbox"),
        _row("C1", "a fork bomb", "contained", drills="sandbox"),
        _row("C2", "a memory bomb", "contained", drills="sandbox"),
        _row("C3", "an endless loop", "stopped", drills="sandbox"),
        _row("C4", "reads files", "contained", drills="sandbox"),
        _row("C5", "opens connections", "contained", drills="sandbox"),
        _row("C6", "imports the system's modules", "contained", drills="sandbox"),
        _row("C7", "deep recursion", "a message", drills="sandbox"),
        _row("C8", "a huge power", "stopped", drills="sandbox"),
        _row("C9", "a pattern that takes forever", "stopped", drills="sandbox"),
        _row("C10", "a huge text", "stopped", drills="sandbox"),
        _row("C11", "prints without end", "cut at 64 KB", drills="sandbox"),
        _row("C12", "catches everything; the sandbox is killed; fifty at once", "stopped, replaced, queued", drills="sandbox"),
        _row("U1", "uploads with wrong sizes and names", "413 or 400; stored under a name of ours", drills="hands"),
        _row("U2", "hostile pictures", "refused, or written anew", drills="reading hands"),
        _row("U4", "files of other types", "415", drills="reading hands"),
        _row("U5", "archives that inflate, nest, or climb", "refused before they are inflated", drills="reading hands"),
        _row("U6", "hostile PDFs", "refused, in bounded time and memory", drills="reading hands"),
        _row("CSV1", "cells that a spreadsheet would run", "defused"),
    ),
    "Access, injection and abuse": (
        _row("A1", "every address as learner, teacher, admin, nobody", "what the table of rules says"),
        _row("A2", "every address with somebody else's id", "404"),
        _row("A3", "somebody else's socket or group", "404"),
        _row("A4", "what is shared, or was", "never widens, and ends at once"),
        _row("A5", "teachers and other classes", "only own learners, and every read is logged"),
        _row("A6", "export and erasure", "complete, and nothing is left"),
        _row("A7", "rights withdrawn while a socket is open", "closed within 30 s and before the next action", drills="two_processes"),
        _row("W1", "sockets from other origins", "refused"),
        _row("W2", "session fixation, CSRF, guessing, long passwords", "refused", drills="two_processes"),
        _row("X1", "markup in whatever is shown", "stays text"),
        _row("X2", "markup in names and titles", "stays text"),
        _row("X3", "links of sources", "http and https only"),
        _row("X4", "markup that is stored and shown later", "stays text"),
        _row("X5", "markup in exports, mail and lists", "stays text"),
        _row("X6", "private pages in caches", "never stored"),
        _row("P1", "orders in documents, pages, pictures, messages", "obeyed by nobody, with a model that obeys everything"),
        _row("P2", "links and pictures that carry data away", "not shown"),
        _row("P3", "a document of another class", "not found"),
        _row("P4", "orders of one agent to another", "passed on as quoted data", drills="panel round_table"),
        _row("P5", "danger to a child, and attempts to get around rules", "fixed words, and the people whom the policy names"),
        *(_row(f"S{number}", fault, "refused", drills="fetching") for number, fault in enumerate((
            "addresses of this machine and network", "the same in other spellings", "IPv6 forms of them",
            "addresses with users or wrong schemes", "redirects to them", "names with mixed answers",
            "names that change their answer", "large, slow and inflated bodies", "local names and proxies",
        ), start=1)),
        _row("K1", "planted keys, cookies, addresses and names", "in no log, error, export or prompt", drills="faults"),
        _row("K2", "errors that carry secrets", "shown to nobody"),
        _row("K3", "another address for a key", "the key is not sent there"),
        _row("L1", "more than each limit", "429 with Retry-After, over all processes", drills="two_processes"),
        _row("L2", "twenty turns just below the budget", "nothing is overspent", drills="two_processes"),
        _row("L3", "long histories, many tools, the same file again", "cut, limited, counted"),
        _row("L4", "one person on all surfaces", "one limit", drills="two_processes"),
    ),
    "Load": (
        _row("T1", "50 conversations stream", "the first word is soon there", benchmarks="load:T1"),
        _row("T2", "500 sockets stream", "nothing is lost", benchmarks="load:T2"),
        _row("T3", "20 turns a second, and 50", "hardly any error", benchmarks="load:T3 turn_overhead"),
        _row("T4", "2,000 idle sockets", "under 150 MB", benchmarks="load:T4"),
        _row("T5", "a tenth of the calls to models fail, for long", "nothing stuck, nothing lost", benchmarks="load:T5"),
        _row("T6", "eight writers, an export and a backup", "no lock errors", drills="backup", benchmarks="load:T6"),
        _row("T7", "fifty programs at once", "all are answered", benchmarks="load:T7 sandbox"),
    ),
}  # fmt: skip
