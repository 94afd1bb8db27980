"""The situations as values: contexts, messages, and what a strong model reads in them and says."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.tutoring.understanding.contexts import course
from tutoring.courses.catalogue import ConceptContent, LessonPiece
from tutoring.courses.exercises.generator import make_exercise
from tutoring.courses.pictures import Picture
from tutoring.understanding.context import Context, PastMessage, Prompt
from tutoring.understanding.message_analysis import ArithmeticClaim, MessageAnalysis
from tutoring.understanding.model_reading.schema import AllowedMove, ModelReading

HERE = Path(__file__).parent
STATES: Final = ("lobby", "placement", "lesson", "quiz", "after", "long")
MOVES: Final[dict[str, str]] = json.loads((HERE / "moves.json").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One turn of a situation, with all that was said before."""

    id: str
    """The situation's, and the number of the turn."""
    context: Context
    text: str
    analysis: MessageAnalysis
    """What code alone knows of the message: its arithmetic."""
    moves: tuple[AllowedMove, ...]
    passages: tuple[str, ...]
    reading: ModelReading
    reply: str
    turn: dict[str, Any]
    """As it stands in the file."""
    earlier: tuple[str, ...]
    """The replies before it."""


def situations() -> list[dict[str, Any]]:
    files = (json.loads((HERE / f"{name}.json").read_text(encoding="utf-8")) for name in STATES)
    return [situation for rows in files for situation in rows]


def played(situation: dict[str, Any]) -> Iterator[Played]:
    """Yield the turns of a situation, each with what was said before it, the recorded replies among it."""
    history = [PastMessage(**each) for each in situation["before"]]
    asked, earlier = situation.get("asked"), []
    concept = course().concept(situation["concept"]) if situation["concept"] else None
    for number, turn in enumerate(situation["turns"], start=1):
        asked = turn.get("asked", asked)
        yield Played(
            id=f"{situation['id']}-{number}",
            context=Context(
                course=course() if concept else None,
                concept=concept,
                courses=(course(),),
                prompts=(prompt_of(asked, concept),) if asked and concept else (),
                last_said=history[-1].text if history else "",
                history=tuple(history),
                readers=situation["readers"],
            ),
            text=turn["text"],
            analysis=MessageAnalysis(claims=tuple(ArithmeticClaim(**each) for each in turn.get("claims", ()))),
            moves=tuple(AllowedMove(id=each, line=MOVES[each]) for each in turn["allowed"]),
            passages=tuple(turn.get("passages", ())),
            reading=ModelReading.model_validate(turn["reading"]),
            reply=turn["reply"],
            turn=turn,
            earlier=tuple(earlier),
        )
        history += [PastMessage(author="learner", text=turn["text"]), PastMessage(author="team", text=turn["reply"])]
        earlier.append(turn["reply"])


def prompt_of(asked: dict[str, Any], concept: ConceptContent) -> Prompt:
    if "template" in asked:
        on_card = make_exercise(course().template(asked["template"]), seed=asked["seed"], course=course())
        return Prompt(id=asked["template"], kind="question", text=on_card.stem, instance=on_card)
    if "contrast" in asked:
        case = course().misconceptions[asked["contrast"]].contrast
        return Prompt(id=asked["contrast"], kind="contrast", text=case.question, picture=_seen(case.blocks))
    piece = _piece(concept, asked["piece"])
    return Prompt(id=piece.id, kind="piece", text=piece.question, picture=_seen(piece.blocks))


def _piece(concept: ConceptContent, name: str) -> LessonPiece:
    return next(piece for pieces in concept.pieces.values() for piece in pieces if piece.id == name)


def _seen(blocks: tuple[Any, ...]) -> str:
    return " ".join(block.alt for block in blocks if isinstance(block, Picture))
