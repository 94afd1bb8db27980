"""Puts a role's reply together: texts separated by blank lines, pictures and questions as cards between them."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from django.utils.translation import gettext as _

from agents.engine.events import Card, Event, HandedOff
from agents.engine.roles import PlannedToolUse, PlanPart, Wording
from agents.tools import ToolResult
from tutoring.courses.catalogue import ConceptContent
from tutoring.courses.exercises.construction_texts import seen_text
from tutoring.courses.exercises.exercise import Exercise, options_of
from tutoring.courses.pictures import Picture, render_svg
from tutoring.lesson.facts import AskedQuestion

type SpeechPart = PlanPart | Picture | None


def compose_speech(*parts: SpeechPart, turn_id: str, after: bool = False) -> tuple[PlanPart, ...]:
    """Return the parts as a plan says them, without empty ones. `after`: another role has spoken before."""
    said: list[PlanPart] = []
    texts = int(after)
    for part in parts:
        match part:
            case str() if part.strip():
                said.append(("\n\n" if texts else "") + part.strip())
                texts += 1
            case Wording(words=words) if words:
                said.append(replace(part, lead="\n\n" if texts else ""))
                texts += 1
            case Wording():
                # Empty without a model: what follows cannot rely on it.
                said.append(replace(part, lead="\n\n" if texts else "", trail="" if texts else "\n\n"))
            case Picture():
                said.append(picture_card(part, turn_id=turn_id, number=len(said)))
            case Event():
                said.append(part)
            case PlannedToolUse():
                said.append(_apart(part, after=texts > 0))
                texts += 1
    return tuple(said)


def _said_there(
    then: Callable[[ToolResult | str], tuple[PlanPart, ...]], found: ToolResult | str, *, after: bool
) -> tuple[PlanPart, ...]:
    """Return the result of a tool, separated by blank lines like everything else."""
    return tuple(_apart(part, after=after or bool(number)) for number, part in enumerate(then(found)))


def _apart(part: PlanPart, *, after: bool) -> PlanPart:
    lead = "\n\n" if after else ""
    match part:
        case str():
            return lead + part.strip()
        case Wording():
            return replace(part, lead=lead)
        case PlannedToolUse():
            return replace(part, then=partial(_said_there, part.then, after=after))
    return part


def has_text(said: tuple[PlanPart, ...]) -> bool:
    """Tell whether any part of it is text, and not only a card."""
    return any(part.words if isinstance(part, Wording) else isinstance(part, str | PlannedToolUse) for part in said)


def picture_card(picture: Picture, *, turn_id: str, number: int) -> Card:
    """Return a picture as a card; the same turn and place give the same id."""
    card_id = uuid.uuid5(uuid.UUID(turn_id), f"picture-{number}")
    return Card(kind="picture", id=str(card_id), content={"alt": picture.alt, "svg": render_svg(picture)})


def question_id(turn_id: str, number: int) -> str:
    """Return the id that `progress.open_question` gives the question asked in this turn."""
    return str(uuid.uuid5(uuid.UUID(turn_id), str(number)))


def question_card(instance: Exercise, *, question: str, number: int, total: int | None) -> Card:
    """Return a question as a card for clients that draw it themselves, without its key."""
    content = {
        "question_kind": instance.kind,
        "lead": "\n\n".join(each if isinstance(each, str) else each.alt for each in instance.lead),
        "stem": instance.stem,
        "number": number,
        "total": total,
        "choices": [{"letter": letter, "text": text} for letter, text in options_of(instance.choices)],
        "rows": [{"letter": letter, "text": text} for letter, text in options_of(instance.rows)],
        "picture": seen_text(instance) or None,
        "starter": instance.starter,
        "answer_url": f"/learn/answers/{question}",
        "again": False,
    }
    return Card(kind="question", id=question, content=content, stands_alone=False)


def open_question_card(asked: AskedQuestion) -> Card:
    """Return the open question as a card again; a page that shows it already leaves it where it is."""
    card = question_card(asked.instance, question=asked.id, number=asked.number, total=asked.total)
    return replace(card, content={**card.content, "again": True})


def hand_to_planner(from_agent: str) -> HandedOff:
    """Hand the learner over to the path planner at the end of a lesson."""
    return HandedOff(from_agent=from_agent, to="pathplanner", reason=_("The lesson is finished. What comes next?"))


def list_titles(concepts: Sequence[ConceptContent]) -> str:
    """Return concepts by title, joined as in a sentence."""
    titles = [f"*{each.title}*" for each in concepts]
    if len(titles) < 2:
        return "".join(titles)
    return _("%(some)s and %(last)s") % {"some": ", ".join(titles[:-1]), "last": titles[-1]}
