"""What a model is sent in a lesson, whole, as it arrives at the provider.

`UPDATE_GOLDEN=1` writes the files anew; they are read before they are committed.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests import people
from tests.provider import Provider
from tests.tutoring.lessons.lesson_player import Stage, counted_turns
from tests.tutoring.local_provider import WIRES, Connected, connected
from tests.tutoring.prompts.situations import SITUATIONS
from tutoring.models import Concept
from tutoring.output_checks.output_policy import find_policy_problem
from tutoring.roles import feedback, quiz, tutor
from tutoring.roles.feedback import SUMMARY_EXAMPLES
from tutoring.roles.wording.example_replies import REPLIES_BY_MOVE
from tutoring.roles.wording.move_instructions import INSTRUCTION_BY_MOVE, RUNG_INSTRUCTIONS, move_instruction
from tutoring.roles.wording.renderer import MAXIMUM_WORDS, WordingParts

pytestmark = pytest.mark.django_db
GOLDEN = Path(__file__).parent / "golden"
BEGINS = {
    "You are the tutor": "tutor",
    "You lead the quiz": "quiz",
    "You look back": "feedback",
}
"""How the prompts of those begin that speak by a model."""
HEADING = re.compile(r"(?m)^##+ .*(?:\n\[From .*\])?\n*(?=^#|\Z)|^# .*\n*\Z")
"""A heading with nothing below it before the next one, its source aside."""
ASKS = re.compile(
    r"(?i)(?:^|[.:;!→-]\s*|\bthen |\band )(?:ask (?!nothing)|end on (?:one|this|its) question)", re.MULTILINE
)
ASKS_NOTHING = re.compile(r"(?i)\bask nothing\b")


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with Provider() as running:
        yield running


def played(name: str, by: Connected, provider: Provider) -> list[dict[str, Any]]:
    """Play a situation; return what was sent to the provider for those who speak."""
    provider.requests.clear()
    with counted_turns(seed=3):
        concept = Concept.objects.select_related("course").get(slug="one-half")
        SITUATIONS[name](Stage(people.make_person("ada", level="beginner"), concept, walk=by.walk), by)
    bodies = [request.body for request in provider.requests]
    return [body for body in bodies if role_of(body)]


def system_of(body: dict[str, Any]) -> str:
    if "system" in body:
        return "\n".join(block["text"] for block in body["system"])
    return "\n".join(message["content"] for message in body["messages"] if message["role"] == "system")


def role_of(body: dict[str, Any]) -> str:
    return next((role for words, role in BEGINS.items() if system_of(body).startswith(words)), "")


def said_in(body: dict[str, Any]) -> list[tuple[str, str]]:
    """Return who says what in a request, the system prompt aside."""
    messages = [message for message in body["messages"] if message["role"] != "system"]
    return [(each["role"], words_of(each["content"])) for each in messages]


def words_of(content: Any) -> str:
    return content if isinstance(content, str) else "\n".join(block["text"] for block in content)


def note_of(body: dict[str, Any]) -> str:
    last = said_in(body)[-1][1]
    assert last.endswith("\n</turn_note>")
    return last.split("<turn_note>\n", 1)[1].removesuffix("\n</turn_note>")


def written(bodies: list[dict[str, Any]]) -> str:
    """Return requests as a file holds them, their static part by the name of its role."""
    parts = []
    for body in bodies:
        said = "\n\n".join(f"--- {who}\n{text}" for who, text in said_in(body))
        parts.append(f"=== {role_of(body)}\n\n{said}")
    return "\n\n\n".join(parts) + "\n"


def holds(path: Path, text: str) -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), f"{path.name} differs: read it, then UPDATE_GOLDEN=1"


@pytest.mark.parametrize("name", SITUATIONS)
def test_what_is_sent_is_the_golden_one(name: str, kept_fractions: None, provider: Provider) -> None:
    wire = WIRES[len(name) % 2]
    with connected(provider, wire, outside=False) as by:
        bodies = played(name, by, provider)
    assert bodies, "nobody asked a model"
    for body in bodies:
        holds(GOLDEN / f"system_{role_of(body)}.txt", system_of(body) + "\n")
        assert "turn_note>\n" not in system_of(body)
        assert [who for who, _ in said_in(body)][::2] == ["user"] * -(-len(said_in(body)) // 2)
        assert all(one != other for (one, _), (other, _) in pairwise(said_in(body)))
        assert not HEADING.search(note_of(body))
        assert not (ASKS.search(note_of(body)) and ASKS_NOTHING.search(system_of(body) + note_of(body)))
        if wire == "anthropic":
            assert [block["cache_control"] for block in body["system"]] == [{"type": "ephemeral"}]
    holds(GOLDEN / f"{name}.txt", written(bodies))


PARTS = replace(
    WordingParts(),
    hint="Look at the sizes.",
    answer="3",
    heard="You compared them.",
    not_yet="Try it.",
    reason="They match.",
)


@pytest.mark.parametrize(
    "words", [WordingParts(), PARTS, replace(PARTS, hint="How big is it?"), replace(PARTS, ask="What now?")]
)
@pytest.mark.parametrize("move", INSTRUCTION_BY_MOVE)
def test_task_says_once_whether_to_ask(move: Any, words: WordingParts) -> None:
    asking, telling = move_instruction(move, words, asks=True), move_instruction(move, words, asks=False)
    assert len(ASKS.findall(asking)) == 1
    assert not ASKS_NOTHING.search(asking)
    assert not ASKS.search(telling)
    assert telling.endswith("Ask nothing.")
    assert "?" not in telling


def test_only_a_move_that_affirms_tells_what_was_understood() -> None:
    given = {move for move in INSTRUCTION_BY_MOVE if PARTS.heard in move_instruction(move, PARTS, asks=False)}
    assert given == {"affirm_specific", "self_explain"}


@pytest.mark.parametrize("move", sorted(RUNG_INSTRUCTIONS))
def test_hint_that_the_card_shows_is_not_said_again(move: Any) -> None:
    assert "hint on the card" in move_instruction(move, WordingParts(answer="3"), asks=False)
    assert "hint on the card" not in move_instruction(move, PARTS, asks=False)


@pytest.mark.parametrize("move", INSTRUCTION_BY_MOVE)
def test_example_replies_could_be_shown(move: Any) -> None:
    assert 2 <= len(REPLIES_BY_MOVE[move]) <= 3
    for reply in REPLIES_BY_MOVE[move]:
        assert not find_policy_problem(reply, questions=1)
        assert len(reply.split()) <= MAXIMUM_WORDS // 2
        assert not re.search(r"\d", reply)


def test_every_move_of_a_model_has_examples_with_its_role() -> None:
    shown = {move for role in (tutor, quiz) for move in role.MODEL_MOVES} | {"summarise_retrieve"}
    assert shown == set(INSTRUCTION_BY_MOVE) == set(REPLIES_BY_MOVE)
    assert all(f"- {move}: “" in tutor.ROLE.standing for move in tutor.MODEL_MOVES)
    assert SUMMARY_EXAMPLES in feedback.ROLE.standing
