"""What the planner's tools return, and what they know of who uses them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from functools import wraps
from typing import Literal

from django.contrib.auth import get_user_model
from django.utils import timezone
from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field, field_serializer

from agents.people import Person, zone_named
from agents.storage.threads import in_orm_thread
from agents.tools import ToolFailed, ToolResult, ToolUse
from conversations.models import Turn
from tutoring.models import CalendarEvent, PlannerSettings, Workspace
from tutoring.planner.records.changes import TooManyRows
from tutoring.planner.records.limits import MOST_ROWS
from tutoring.planner.records.workspaces import shown_workspace, workspace_for
from tutoring.planner.values import AgentName

COMPANION_KEY = "companion"
"""The key in the session's state under which the planner's agents keep theirs."""


class FoundRow(BaseModel):
    """A row of the planner, as a model and the page get it."""

    model_config = ConfigDict(frozen=True)

    agent: AgentName
    id: int
    title: str
    words: str = ""
    """The row in words, with its times."""
    by_others: bool = Field(default=False, exclude=True)
    """It comes from another calendar."""

    @field_serializer("title", "words")
    def _own_words(self, words: str) -> str:
        # What others wrote reaches no model: a title could tell it to use the tools.
        return "(from another calendar)" if self.by_others and words else words


class PlannerResult(ToolResult):
    """What a tool of the planner did or found."""

    status: Literal["done", "found", "choose", "none"] = "found"
    """`choose`: several rows match, and nothing was changed; `none`: nothing matches."""
    words: str = ""
    """For the person: what was done or found, in sentences."""
    rows: list[FoundRow] = Field(default_factory=list)
    change: str = ""
    """The change that can be undone; empty for none."""
    elsewhere: AgentName | Literal[""] = ""
    """With `none`: another agent has a row of this name."""
    options: list[str] = Field(default_factory=list, exclude=True)
    """What the person may want to answer."""
    quotes_others: bool = Field(default=False, exclude=True)
    """The words contain the title of an event from another calendar."""

    @field_serializer("words")
    def _words_for_models(self, words: str) -> str:
        return "" if self.quotes_others or any(row.by_others for row in self.rows) else words

    @property
    def summary(self) -> str:
        return self.words.partition("\n")[0] or self.status


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerUse:
    """Whose planner a tool works on, and when."""

    person: Person
    workspace: Workspace
    now: datetime
    """In the person's zone; the turn's, so that a turn that runs again means the same times."""
    use_key: str

    @property
    def zone(self) -> tzinfo:
        zone = self.now.tzinfo
        assert zone is not None
        return zone

    def local(self, value: datetime) -> datetime:
        """Return a time in the person's zone; one without a zone is meant there."""
        return value.replace(tzinfo=self.zone) if value.tzinfo is None else value.astimezone(self.zone)

    def midnight(self, day: date) -> datetime:
        return datetime(day.year, day.month, day.day, tzinfo=self.zone)

    def settings(self) -> PlannerSettings:
        """Return the person's planner settings; those by default are not stored."""
        found = PlannerSettings.objects.filter(owner_id=self.person.pk).first()
        return found or PlannerSettings(owner_id=self.person.pk)


def planner_use(use: ToolUse) -> PlannerUse:
    """Return whose planner a tool use works on, in the conversation's workspace, else in the one that the pages show.

    Raises ToolFailed without a person.
    """
    if use.person_id is None:
        raise ToolFailed("The planner needs a person whose planner it is.")
    person = get_user_model()._base_manager.get(pk=use.person_id)
    turn = (
        Turn.objects.select_related("session").filter(pk=use.turn_id, owner_id=person.pk).first()
        if use.turn_id is not None
        else None
    )
    held = turn.session.state.get(COMPANION_KEY, {}) if turn is not None else {}
    key = str(held.get("workspace", "")) or shown_workspace(person)
    try:
        workspace = workspace_for(person, key)
    except Workspace.DoesNotExist:
        raise ToolFailed(_("This workspace no longer exists. Choose another one.")) from None
    at = turn.created_at if turn is not None else timezone.now()
    # Without a turn there is nothing that could run again.
    return PlannerUse(
        person=person,
        workspace=workspace,
        now=at.astimezone(zone_named(person.zone)),
        use_key=use.idempotency_key if use.turn_id else "",
    )


def planner_tool[A: BaseModel](
    work: Callable[[PlannerUse, A], PlannerResult],
) -> Callable[[A, ToolUse], Awaitable[PlannerResult]]:
    """Return a tool's `run` that calls `work` in a thread, in the person's time zone."""

    @wraps(work)
    def worked(arguments: A, use: ToolUse) -> PlannerResult:
        return do_work(work, planner_use(use), arguments)

    return in_orm_thread(worked)


def do_work[A: BaseModel](
    work: Callable[[PlannerUse, A], PlannerResult], use: PlannerUse, arguments: A
) -> PlannerResult:
    """Return what `work` returns, with what others wrote marked. Raises ToolFailed, without what others wrote."""
    with timezone.override(use.zone):
        try:
            found = work(use, arguments)
        except TooManyRows:
            words = _("Your planner is full: it holds %(count)d entries of a kind. Delete some first.")
            raise ToolFailed(words % {"count": MOST_ROWS}) from None
        except ToolFailed as failure:
            if _quotes_others(use)(str(failure)):
                raise ToolFailed(_("This does not work with this event from another calendar.")) from None
            raise
    # The words about a row may name others: an event that overlaps, or one that a task or a meal comes before.
    quotes = _quotes_others(use)
    rows = [row.model_copy(update={"by_others": row.by_others or quotes(row.title)}) for row in found.rows]
    return found.model_copy(update={"rows": rows, "quotes_others": quotes(found.words)})


def _quotes_others(use: PlannerUse) -> Callable[[str], bool]:
    """Return a function that tells whether a text contains the title of an event from another calendar."""
    imported = CalendarEvent.objects.filter(owner_id=use.person.pk, kind=CalendarEvent.Kind.IMPORTED)
    # A single word, such as "Maths", gives no order, and people's own rows have it, too.
    titles = {
        title.casefold()
        for title in imported.values_list("title", flat=True)
        if title and not (title.isascii() and title.isalnum())
    }
    return lambda text: any(title in text.casefold() for title in titles)


class PlannerArguments(BaseModel):
    """Arguments of the planner's tools: no others are accepted, and white space around words is dropped."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


def storable(text: str) -> str:
    """Return text without NUL, which PostgreSQL cannot store."""
    return text.replace("\x00", " ")
