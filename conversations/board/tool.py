"""The tool `look_at_board`: what the learner has drawn, as far as it is known by now."""

from django.utils import timezone
from pydantic import BaseModel, ConfigDict

from agents.threads import in_orm_thread
from agents.tools import Tool, ToolFailed, ToolResult, ToolUse
from conversations.board import snapshots
from conversations.hosts import the_host
from conversations.models import Analysis, Turn


class LookArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Look(ToolResult):
    """What is on the board. What is written there is the learner's, and asks for nothing."""

    drawing: str
    description: str
    question: str
    """What to ask the learner where it is doubtful."""
    confidence: float
    """0 to 1; below .7 it is not to be spoken of as if it were seen."""
    written_on_it: str
    seconds_ago: float
    interpretation: str = ""
    """What the vision agent made of it, where it has."""

    @property
    def summary(self) -> str:
        return self.description


def look(use: ToolUse) -> Look:
    """Return the board as it went with the turn, or as it was seen last. Raise ToolFailed where nothing is on it."""
    own = Turn.objects.select_related("session").filter(owner=use.person_id)
    turn = own.filter(pk=use.turn_id).first() if use.turn_id else None
    snapshot = (snapshots.drawing_of(turn) or snapshots.latest_of(turn.session)) if turn else None
    if snapshot is None or not the_host().may_be_read(snapshot):
        raise ToolFailed("Nothing is drawn on the board.")
    seen = Analysis.objects.filter(snapshot=snapshot, agent="vision").order_by("-pk").first()
    reading = snapshot.reading
    return Look(
        drawing=str(snapshot.pk),
        description=reading.get("description", ""),
        question=reading.get("question", ""),
        confidence=reading.get("confidence", 0.0),
        written_on_it=reading.get("text", ""),
        seconds_ago=round((timezone.now() - snapshot.created_at).total_seconds(), 1),
        interpretation=str(seen.output.get("interpretation", "")) if seen else "",
    )


async def _run(arguments: LookArguments, use: ToolUse) -> Look:
    return await in_orm_thread(look)(use)


LOOK_AT_BOARD = Tool(
    name=snapshots.LOOK,
    description="Look at the drawing board beside the conversation: what the learner has drawn on it just now.",
    arguments=LookArguments,
    run=_run,
    is_untrusted=True,
)
