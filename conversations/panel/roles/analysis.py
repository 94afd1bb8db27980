"""The analysis agent: what a message is about. It announces the concepts it finds to the other agents."""

from functools import partial
from pathlib import Path

from django.utils.translation import gettext_lazy as _

from agents.engine.bus import make_event
from agents.engine.roles import Announcement, Plan, Request, Role
from agents.llm.prompt import read_prompt
from conversations.panel.facts import PanelFacts
from conversations.panel.model_analysis import merge_analyses
from conversations.panel.research import CONCEPT_EVENT
from conversations.panel.results import AnalysisResult
from conversations.panel.text_analysis import analyse_text

NAME = "analysis"


def plan(request: Request) -> Plan:
    """Find by rules what the message is about, and tell the others at once; a connected model may add to it."""
    facts: PanelFacts = request.facts
    found = analyse_text(facts.text, own_terms=facts.terms)
    return Plan(say=(_concepts_found(found),), result=found, refine=partial(merge_analyses, text=facts.text))


def _concepts_found(found: AnalysisResult) -> Announcement:
    """Return the message that tells the others the concepts, the most important first; also if there are none."""
    concepts = [each.name for each in found.concepts]
    data = {"concepts": concepts, "confidence": found.confidence}
    return Announcement(message=make_event(CONCEPT_EVENT, sender=NAME, data=data))


ROLE = Role(
    name=NAME,
    purpose=_("Figures out what your message is about."),
    label=_("Analysis"),
    plan=plan,
    prompt=read_prompt(Path(__file__).parent.parent / "prompts" / "analysis.md"),
    result=AnalysisResult,
    timeout_s=2.0,
    flag="analysis_agent",
)
