"""The writer of quiz questions: works in the background, before any learner is asked."""

from pathlib import Path

from django.utils.translation import gettext_lazy

from agents.engine.roles import Plan, Request, Role
from agents.llm.prompt import read_prompt
from tutoring.question_writing.drafts import DraftQuestion
from tutoring.question_writing.prompt_material import WritingFacts, writer_material


def plan(request: Request) -> Plan:
    """Have one question written from the concept's own material."""
    facts: WritingFacts = request.facts
    return Plan(background=writer_material(facts))


ROLE = Role(
    name="question_writer",
    label=gettext_lazy("Question writer"),
    purpose=gettext_lazy("Writes more quiz questions from a concept’s own material."),
    plan=plan,
    prompt=read_prompt(Path(__file__).parents[1] / "prompts" / "question_writer.md"),
    result=DraftQuestion,
    tier="strong",
    timeout_s=60.0,
    on_failure="abort",
)
