"""A lesson in a browser while one of the two processes is killed every 20 seconds: the page finds the other one."""

import os
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import count, cycle
from shutil import which
from threading import Event, Thread
from time import monotonic
from typing import Final

from playwright.sync_api import Browser, Error, Locator, Page, expect, sync_playwright

from drills import storage_checks
from drills.data_folder import PreparedFolder
from drills.result import DrillResult
from drills.server import Server, free_port
from drills.two_processes import site
from drills.two_processes.site import Pupil, Site

KILLS: Final = 6
EVERY_S: Final = 20.0
COURSES: Final = ("fractions", "algebra-foundations", "thinking-with-data", "how-neural-networks-learn")
STEPS: Final = 4
"""Steps taken in each lesson, fewer than the shortest has; none is begun twice, since it might be over."""
PATIENCE_MS: Final = 15_000
"""After so long without a change, a learner presses again."""
TRIES: Final = 12
"""Presses of one button after which the page has not recovered."""
_CHUNK: Final = 65_536


class Proxy:
    """Passes each connection on to a process that takes it, in turn, as a load balancer does."""

    def __init__(self, servers: Sequence[Server]) -> None:
        self.port = free_port()
        self._servers = servers
        self._next = count()
        self._listener = socket.create_server(("127.0.0.1", self.port), backlog=128)

    def run(self) -> None:
        with suppress(OSError):  # Closed.
            while True:
                connection, _address = self._listener.accept()
                Thread(target=self._serve, args=(connection,), daemon=True).start()

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _serve(self, browser: socket.socket) -> None:
        with closing(browser):
            if (server := self._connected()) is None:
                return
            with closing(server):
                back = Thread(target=_copy, args=(server, browser), daemon=True)
                back.start()
                _copy(browser, server)
                back.join()

    def _connected(self) -> socket.socket | None:
        first = next(self._next)
        for offset in range(len(self._servers)):
            server = self._servers[(first + offset) % len(self._servers)]
            with suppress(OSError):
                return socket.create_connection(("127.0.0.1", server.port))
        return None


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(_CHUNK):
            target.sendall(data)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


class Killer(Thread):
    """Kills one process after the other, each after the same time, and starts it again."""

    def __init__(self, servers: Sequence[Server]) -> None:
        super().__init__(daemon=True)
        self.kills = 0
        self._servers = servers
        self._ends = Event()

    @property
    def is_over(self) -> bool:
        return self.kills >= KILLS

    def run(self) -> None:
        for victim in cycle(self._servers):
            if self.is_over or self._ends.wait(EVERY_S):
                return
            victim.kill()
            victim.start()
            victim.wait_until_ready()
            self.kills += 1

    def end(self) -> None:
        self._ends.set()
        self.join()


class Learner:
    """Works through cards and asks questions in a browser, and presses again where nothing happens."""

    def __init__(self, page: Page, place: Site, url: str) -> None:
        self.page, self.place, self.url = page, place, url
        self.said: list[str] = []
        self.steps = 0
        self.pressed_again = 0

    def take_lesson(self, path: str, *, killer: Killer) -> None:
        """Begin a lesson, ask something, and take some steps."""
        self._until(lambda: self._open(path), self._card)
        self._ask(f"is {len(self.said) + 3} more than {len(self.said) + 2}?")
        for _ in range(STEPS):
            self._take_step()
            if killer.is_over:
                return

    def _open(self, path: str) -> None:
        self.page.goto(f"{self.url}{path}")

    def _ask(self, text: str) -> None:
        ask = self.page.get_by_role("button", name="Ask", exact=True)
        if ask.is_visible() and ask.get_attribute("aria-expanded") == "false":
            ask.click()
        box = self.page.get_by_role("textbox", name="Message")
        box.fill(text)
        box.press("Enter")
        self.said.append(text)
        expect(self.page.locator(".turn").last).to_contain_text(text, timeout=PATIENCE_MS)
        expect(self.page.locator(".say[aria-busy]")).to_have_count(0, timeout=PATIENCE_MS * TRIES)
        expect(self.page.locator("#composer")).to_have_attribute("data-state", "ready", timeout=PATIENCE_MS * TRIES)

    def _take_step(self) -> None:
        """Close the open card, with its right answer if it is a choice, and go on to the next."""
        resume = self.page.get_by_role("button", name="Resume", exact=True)
        if resume.is_visible():
            resume.click()
        expect(self._card).to_be_visible(timeout=PATIENCE_MS)
        id_ = self._card.get_attribute("id") or ""
        answer = self._right_choice(id_.removeprefix("question-"))
        self._until(lambda: self._close(answer), self.page.locator(f"#{id_}:not([data-state=open])"))
        self.steps += 1
        self._until(self._go_on, self._card)

    @property
    def _card(self) -> Locator:
        return self.page.locator(".question[data-state=open]:visible").first

    def _close(self, answer: str) -> None:
        if answer:
            self._card.locator(f"[value={answer}]").check(timeout=PATIENCE_MS)
        self._press("Check" if answer else "Show me")

    def _go_on(self) -> None:
        following = self.page.locator("#bar").get_by_role("button", name="Next", exact=True)
        expect(following.or_(self._card).first).to_be_visible(timeout=PATIENCE_MS)
        if following.is_visible():
            following.click()

    def _press(self, name: str) -> None:
        self.page.locator("#bar").get_by_role("button", name=name, exact=True).click(timeout=PATIENCE_MS)

    def _until(self, act: Callable[[], None], seen: Locator) -> None:
        """Act, again after a while if what should be seen is not there."""
        for attempt in range(TRIES):
            self.pressed_again += attempt > 0
            with suppress(Error, AssertionError):  # A connection that breaks, or nothing to press yet.
                act()
                expect(seen).to_be_visible(timeout=PATIENCE_MS)
                return
        expect(seen).to_be_visible(timeout=PATIENCE_MS)

    def _right_choice(self, question: str) -> str:
        """Return the letter that is right, if the question is a choice; else empty."""
        query = "SELECT key->'answer'->>'right' FROM tutoring_question WHERE id = ? AND kind = 'choice'"
        found = self.place.rows(query, question)
        return found[0][0] if found else ""


def run(base: PreparedFolder) -> Iterator[DrillResult]:
    if not (chromium := os.environ.get("CHROMIUM") or which("chromium") or which("google-chrome")):
        raise RuntimeError("There is no Chromium here. Install it, or name it in CHROMIUM.")
    with site.running(base.folder.parent / "browser", pupils=1) as place, place.processes() as servers:
        proxy = Proxy(servers)
        Thread(target=proxy.run, daemon=True).start()
        with closing(proxy), _browser(chromium) as browser:
            yield lesson_while_killed(place, servers, browser, port=proxy.port)


def lesson_while_killed(place: Site, servers: Sequence[Server], browser: Browser, *, port: int) -> DrillResult:
    """Let a learner work until there were enough kills; return what was lost, or counted twice."""
    started, (pupil,) = monotonic(), place.pupils(1)
    url = f"http://127.0.0.1:{port}"
    page = _signed_in(browser, pupil, url)
    learner, killer = Learner(page, place, url), Killer(servers)
    faults = []
    killer.start()
    try:
        for path in _lessons(place):
            learner.take_lesson(path, killer=killer)
            if killer.is_over:
                break
    except (Error, AssertionError) as error:
        faults.append(f"the page did not recover after {learner.steps} steps: {str(error).splitlines()[0]}")
    killer.end()
    if not faults and not killer.is_over:
        faults.append(f"no lesson was left after {killer.kills} kills")
    faults += _stored_faults(place, learner)
    return DrillResult(
        name="lesson in a browser while killed",
        faults=tuple(faults),
        seconds=monotonic() - started,
        measured="took",
        note=f"{killer.kills} kills, {learner.steps} steps, {len(learner.said)} questions, {learner.pressed_again} presses again",
    )


def _lessons(place: Site) -> Iterator[str]:
    """Yield the addresses of lessons, each once."""
    query = "SELECT k.slug FROM tutoring_concept k JOIN tutoring_course c ON c.id = k.course_id WHERE c.slug = ? ORDER BY k.id"
    for course in COURSES:
        yield from (f"/learn/{course}/{slug}/" for (slug,) in place.rows(query, course))


def _stored_faults(place: Site, learner: Learner) -> Iterator[str]:
    """Yield what was lost or is there twice."""
    for text in learner.said:
        found = place.rows("SELECT COUNT(*) FROM conversations_message WHERE text = ?", text)[0][0]
        if found != 1:
            yield f"“{text}” is stored {found} times"
    closed = place.rows("SELECT COUNT(*) FROM tutoring_question WHERE closed_at IS NOT NULL")[0][0]
    if closed < learner.steps:
        yield f"{learner.steps} steps were taken, and {closed} questions are closed"
    yield from storage_checks.turn_faults(place.data, attempts=storage_checks.count(place.data, "tutoring_attempt"))


@contextmanager
def _browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield browser
        finally:
            browser.close()


def _signed_in(browser: Browser, pupil: Pupil, url: str) -> Page:
    context = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    context.add_cookies([{"name": "sessionid", "value": pupil.browser, "url": url}])
    return context.new_page()
