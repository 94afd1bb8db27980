"""A data folder made once and copied for every drill: people with tokens, and a lesson in which a question is open."""

import json
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from drills.client import Client, ClientTranscript
from drills.server import Server, run

LEARNERS = ("learner1", "learner2", "learner3", "learner4", "learner5")
SESSION = "lesson"
OPENING = "I want to learn one half"
"""Begins a lesson; answered by its first step, which is a card alone."""
SPOKEN = "What can you do?"
"""A message that is answered in words, so that there is something to stream."""
BEFORE_THE_QUESTION = (OPENING, "Quiz me")


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedFolder:
    """The folder, and what a client has to know of it."""

    folder: Path
    tokens: Sequence[str]
    """One per learner; the lesson is the first one's."""
    browsers: Sequence[str]
    """The key of a browser's session per learner."""
    answer_url: str = ""
    """Where an answer to the open question is posted; empty where no lesson has begun."""
    answer: str = ""
    """A readable, wrong answer to it."""

    def copy(self, name: str) -> Path:
        """Return a fresh copy of the folder, for one drill."""
        target = self.folder.parent / name
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(self.folder, target)
        return target


def prepare_folder(parent: Path, *, with_question: bool, empty: Path | None = None) -> PreparedFolder:
    """Make the folder below `parent`. Raise RuntimeError where the lesson asks nothing.

    `empty`: a database with its tables made.
    """
    folder = parent / "prepared"
    folder.mkdir(parents=True, mode=0o700)
    if empty:
        shutil.copy(empty, folder)
    known = json.loads(run([sys.executable, "-m", "drills.learners", *LEARNERS], folder))
    if not with_question:
        return PreparedFolder(folder=folder, **known)
    card = _asked(folder, known["tokens"][0])
    # A number is read as a number everywhere but where letters stand for choices.
    answer = "1/7" if card["question_kind"] == "numeric" else "A"
    return PreparedFolder(folder=folder, **known, answer_url=card["answer_url"], answer=answer)


def _asked(folder: Path, token: str) -> dict[str, str]:
    """Take the lesson to its first question; return the question's card."""
    with Server(folder, pace_s=0) as server:
        server.wait_until_ready()
        with Client(server.port, token, session=SESSION) as client:
            for number, text in enumerate(BEFORE_THE_QUESTION):
                reading = ClientTranscript(text=text, client_id=f"before-{number}")
                client.say(reading)
                client.read(reading)
        server.end()
    for card in reading.cards:
        if card["kind"] == "question":
            return card
    raise RuntimeError(f"the lesson asked nothing, and said {reading.reply!r}")
