"""The analysis agent: what a message is about. It announces the concepts it finds to the other agents."""

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from agents.engine.bus import AgentMessage, make_event
from agents.engine.roles import Plan, Request, Role
from conversations.panel.facts import PanelFacts
from conversations.panel.research import CONCEPT_EVENT
from conversations.panel.results import AnalysisResult
from conversations.panel.text_analysis import analyse_text

NAME = "analysis"


def plan(request: Request) -> Plan:
    facts: PanelFacts = request.facts
    return Plan(result=analyse_text(facts.text, own_terms=facts.terms))


def announce_concepts(found: AnalysisResult) -> Iterable[AgentMessage]:
    """Tell the others which concepts the message is about, the most important first; also if there are none."""
    concepts = [each.name for each in found.concepts]
    yield make_event(CONCEPT_EVENT, sender=NAME, data={"concepts": concepts, "confidence": found.confidence})


ROLE = Role(
    name=NAME,
    purpose=_("Finds what your message is about."),
    label=_("Analysis"),
    plan=plan,
    result=AnalysisResult,
    timeout_s=2.0,
    announces=announce_concepts,
)
