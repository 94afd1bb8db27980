"""The writer of questions on a passage of a person's own document: works in the background while a course is drafted."""

from pathlib import Path

from django.utils.translation import gettext_lazy

from agents.engine.roles import Plan, Request, Role
from agents.llm.prompt import read_prompt
from tutoring.document_courses.model_drafts import PassageFacts, PassageQuestions, passage_material


def plan(request: Request) -> Plan:
    """Have questions written on the passage."""
    facts: PassageFacts = request.facts
    return Plan(background=passage_material(facts))


ROLE = Role(
    name="passage_questions",
    label=gettext_lazy("Passage questions"),
    purpose=gettext_lazy("Drafts questions on a passage of a person’s own document."),
    plan=plan,
    prompt=read_prompt(Path(__file__).parents[1] / "prompts" / "passage_questions.md"),
    result=PassageQuestions,
    tier="strong",
    timeout_s=60.0,
    on_failure="abort",
)
