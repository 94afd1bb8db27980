"""Tools of all planner agents: undo a change, and start a workflow on the configured server (n8n)."""

from django.db import transaction
from django.utils.translation import gettext as _
from pydantic import Field

from agents.tools import Tool, ToolFailed
from tutoring.models import WebhookDelivery
from tutoring.planner.records.changes import change_of_use, latest_change, note_undo, undo_change
from tutoring.planner.records.limits import LONGEST_NOTE
from tutoring.planner.tools.results import PlannerArguments, PlannerResult, PlannerUse, planner_tool, storable
from tutoring.planner.webhooks import is_set_up, order_webhook
from tutoring.planner.wording import listed


class UndoChange(PlannerArguments):
    changes: list[str] = Field(default_factory=list, max_length=20, description="The changes; empty for the latest.")


class RunWorkflow(PlannerArguments):
    name: str = Field(min_length=1, max_length=40, pattern=r"^[a-z0-9_-]+$", description="The workflow.")
    note: str = Field(default="", max_length=LONGEST_NOTE, description="What it should be told.")


def undo(use: PlannerUse, wanted: UndoChange) -> PlannerResult:
    """Undo changes, the latest first; a turn that runs again undoes nothing more."""
    if (done := change_of_use(use.person, use.use_key)) is not None:
        return PlannerResult(status="done", words=done.words)
    latest = latest_change(use.person, use.workspace) if not wanted.changes else None
    ids = [str(latest.pk)] if latest is not None else list(reversed(wanted.changes))
    with transaction.atomic():
        undone = [each for pk in ids if (each := undo_change(use.person, use.workspace, pk)) is not None]
        if not undone:
            return PlannerResult(status="none", words=_("There is nothing to undo."))
        said = [each.words.partition("\n")[0].rstrip(":") for each in undone]
        words = _("Undone: %(what)s") % {"what": said[0]} if len(said) == 1 else f"{_('Undone:')}\n{listed(said)}"
        note_undo(use.person, use.workspace, words=words, use_key=use.use_key)
    return PlannerResult(status="done", words=words)


def run_workflow(use: PlannerUse, wanted: RunWorkflow) -> PlannerResult:
    """Order a message to the workflow server; the person has to agree that data leaves the site."""
    if not use.person.consent:
        raise ToolFailed(_("Your data stays on this site, so no workflow was started."))
    body = {"workflow": wanted.name, "note": storable(wanted.note), "use": use.use_key}
    with transaction.atomic():
        there = WebhookDelivery.objects.filter(owner_id=use.person.pk, kind="asked", body__use=use.use_key)
        if not (use.use_key and there.exists()):
            order_webhook(use.person, kind="asked", body=body)
    return PlannerResult(status="done", words=_("The workflow %(name)s is on its way.") % {"name": wanted.name})


UNDO_CHANGE = Tool(
    name="undo_change",
    description="Undoes the latest change of the planner, when the person asks for it.",
    arguments=UndoChange,
    run=planner_tool(undo),
    has_effect=True,
)
RUN_WORKFLOW = Tool(
    name="run_workflow",
    description="Starts a workflow on the connected server, when the person asks for it by name.",
    arguments=RunWorkflow,
    run=planner_tool(run_workflow),
    has_effect=True,
    calls_outside=True,
    is_ready=is_set_up,
)
TOOLS = (UNDO_CHANGE, RUN_WORKFLOW)
