"""The checker of written questions: solves one as a learner would see it, without its key."""

from pathlib import Path

from django.utils.translation import gettext_lazy

from agents.engine.roles import Plan, Request, Role
from agents.llm.prompt import read_prompt
from tutoring.question_writing.drafts import CheckerAnswer, DraftQuestion, draft_to_exercise
from tutoring.question_writing.prompt_material import WritingFacts, question_text
from tutoring.question_writing.quality_checks import find_problem


def plan(request: Request) -> Plan:
    """Have the question solved, unless code alone has already found a problem."""
    facts: WritingFacts = request.facts
    draft = request.results["question_writer"]
    assert isinstance(draft, DraftQuestion)
    if find_problem(draft, facts):
        return Plan(result=CheckerAnswer(working="", answer=""))
    exercise = draft_to_exercise(draft, order=facts.order, concept=facts.concept.id)
    return Plan(background=f"The question:\n\n{question_text(exercise)}")


ROLE = Role(
    name="question_checker",
    label=gettext_lazy("Question checker"),
    purpose=gettext_lazy("Solves each new question before a learner sees it."),
    plan=plan,
    prompt=read_prompt(Path(__file__).parents[1] / "prompts" / "question_checker.md"),
    result=CheckerAnswer,
    tier="strong",
    timeout_s=60.0,
    on_failure="abort",
)
