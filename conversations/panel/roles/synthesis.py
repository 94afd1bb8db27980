"""The synthesis agent: says the final answer, from what the others found."""

from pathlib import Path

from django.utils.translation import gettext_lazy as _

from agents.engine.roles import Plan, Request, Role
from agents.llm.prompt import read_prompt
from conversations.panel.results import SynthesisResult
from conversations.panel.synthesis import compose


def plan(request: Request) -> Plan:
    parts, result = compose(request)
    return Plan(say=parts, result=result)


ROLE = Role(
    name="synthesis",
    purpose=_("Puts together what the other agents found."),
    label=_("Team"),
    plan=plan,
    prompt=read_prompt(Path(__file__).parent.parent / "prompts" / "synthesis.md"),
    result=SynthesisResult,
    tier="strong",
    timeout_s=2.0,
    flag="synthesis_agent",
    speaks=True,
)
