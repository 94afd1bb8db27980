"""The scripts of the learners: what each says, in its own words, and how it answers cards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import yaml

type Kind = Literal["card", "ask", "want", "claim", "feel", "chat"]
"""card: an answer to the open card · ask: a question about the content or the system · want: help, or something to be
done · claim: a statement about the content · feel: a feeling · chat: anything else."""
type Surface = Literal["api", "keyboard", "phone"]
type WrongAnswers = Literal["known", "random", "gives_up"]
"""known: as a usual mistake gives it · random: one of those offered, or any number · gives_up: none."""

FOLDER = Path(__file__).parent / "scripts"
MESSAGES_AT_LEAST = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One message."""

    text: str
    kind: Kind
    about: str = ""
    """A regular expression of words of which a reply that refers to the message has one; required for a question."""
    concept: str = ""
    """The slug of the concept whose lesson it asks for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cards:
    """Answers to the cards that come."""

    at_most: int
    until_mastered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    name: str
    who: str
    age_band: str
    surface: Surface
    right: float
    """Share of cards that are answered right, 0–1."""
    wrong: WrongAnswers
    worded: Sequence[str]
    """How an answer is put, around `{answer}`."""
    go_on: Sequence[str]
    """What is said where no card is open."""
    parts: Sequence[Line | Cards]

    @property
    def answers_rightly(self) -> bool:
        return self.right >= 1

    @property
    def messages(self) -> list[Line]:
        return [part for part in self.parts if isinstance(part, Line)]


def read_scripts(folder: Path = FOLDER) -> list[Script]:
    """Return the scripts of a folder, by name. Raise ValueError where one cannot be played."""
    return [read_script(path.stem, yaml.safe_load(path.read_text())) for path in sorted(folder.glob("*.yaml"))]


def read_script(name: str, data: Mapping[str, Any]) -> Script:
    """Return one script. Raise ValueError where it cannot be played."""
    script = Script(
        name=name.replace("_", " "),
        who=data["who"],
        age_band=data.get("age_band", "adult"),
        surface=data.get("surface", "api"),
        right=data["right"],
        wrong=data.get("wrong", "known"),
        worded=data.get("worded", ["{answer}"]),
        go_on=data["go_on"],
        parts=[_part(name, part) for part in data["parts"]],
    )
    if (number := len({line.text for line in script.messages})) < MESSAGES_AT_LEAST:
        raise ValueError(f"{name} says {number} different things; at least {MESSAGES_AT_LEAST} are needed")
    return script


def _part(name: str, part: Mapping[str, Any]) -> Line | Cards:
    if "cards" in part:
        return Cards(at_most=part["cards"], until_mastered=part.get("until_mastered", False))
    kind = next((kind for kind in get_args(Kind.__value__) if kind in part), None)
    if kind is None:
        raise ValueError(f"{name}: no kind of message in {part}")
    if kind == "ask" and not part.get("about"):
        raise ValueError(f"{name}: the question {part[kind]!r} does not say what a reply to it is about")
    return Line(text=str(part[kind]), kind=kind, about=part.get("about", ""), concept=part.get("concept", ""))
