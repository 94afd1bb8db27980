"""The vision agent of the panel: reads the text in a picture, and has a connected model describe it."""

from functools import partial
from pathlib import Path

from django.utils.translation import gettext_lazy as _

from agents.engine.roles import Decided, Plan, PlannedToolUse, PlanPart, Request, Role
from agents.llm.prompt import read_prompt
from agents.tools import ToolResult
from conversations.panel.facts import PanelFacts
from conversations.panel.results import VisionResult
from conversations.panel.vision import choose_analysis_type, merge_descriptions, read_picture
from conversations.tools.library import QUERY_CHARACTERS, LibraryArguments

NAME = "panel_vision"
"""The side agent that looks at drawings is the role `vision`. In events and answers, both have that name."""


def plan(request: Request) -> Plan:
    """Read the picture's text; show it to a model too, if one may see it."""
    facts: PanelFacts = request.facts
    if facts.picture is None:
        return Plan(result=VisionResult())
    query = LibraryArguments(query=facts.text[:QUERY_CHARACTERS], document=facts.picture.document_id)
    reads = PlannedToolUse(tool="library", arguments=query, then=partial(_described, facts))
    if facts.picture.image is None:
        return Plan(say=(reads,))
    return Plan(
        say=(reads,),
        images=(facts.picture.image,),
        background=f"Analysis type: {choose_analysis_type(facts.text)}.",
        refine=partial(merge_descriptions, guard=facts.guard),
    )


def _described(facts: PanelFacts, found: ToolResult | str) -> tuple[PlanPart, ...]:
    return (Decided(result=read_picture(facts.text, found, own_terms=facts.terms)),)


ROLE = Role(
    name=NAME,
    known_as="vision",
    purpose=_("Reads the text in a picture and describes what the picture shows."),
    label=_("Vision"),
    plan=plan,
    prompt=read_prompt(Path(__file__).parent.parent / "prompts" / "panel_vision.md"),
    result=VisionResult,
    tools=("library",),
    tier="vision",
    timeout_s=8.0,
    flag="vision_agent",
)
