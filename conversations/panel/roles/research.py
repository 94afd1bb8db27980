"""The research agent: looks a question up with the tools, and keeps the sentences that answer it, with their sources."""

from pathlib import Path

from django.utils.translation import gettext_lazy as _

from agents.engine.roles import Plan, Request, Role
from agents.llm.prompt import read_prompt
from conversations.panel.facts import PanelFacts
from conversations.panel.research import plan_research
from conversations.panel.results import ResearchResult


def plan(request: Request) -> Plan:
    facts: PanelFacts = request.facts
    return Plan(say=plan_research(facts))


ROLE = Role(
    name="research",
    purpose=_("Looks things up, calculates, and runs programs."),
    label=_("Research"),
    plan=plan,
    prompt=read_prompt(Path(__file__).parent.parent / "prompts" / "research.md"),
    result=ResearchResult,
    tools=("library", "calculator", "code_executor", "fetch_page", "wikipedia", "web_search", "arxiv"),
    timeout_s=5.0,
    flag="research_agent",
)
