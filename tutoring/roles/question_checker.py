"""The checker of written questions: solves one as a learner would see it, without its key."""

from pathlib import Path

from django.utils.translation import gettext_lazy

from agents.engine.roles import Plan, Request, Role
from agents.llm.prompt import read_prompt
from tutoring.writing.drafts import CheckerAnswer, DraftQuestion, exercise_of
from tutoring.writing.judging import problem_in
from tutoring.writing.material import WritingFacts, question_as_seen


def plan(request: Request) -> Plan:
    """Have the question solved, unless code alone has found it wanting: then nobody need be asked."""
    facts: WritingFacts = request.facts
    draft = request.results["question_writer"]
    assert isinstance(draft, DraftQuestion)
    if problem_in(draft, facts):
        return Plan(result=CheckerAnswer(working="", answer=""))
    exercise = exercise_of(draft, order=facts.order, concept=facts.concept.id)
    return Plan(background=f"The question:\n\n{question_as_seen(exercise)}")


ROLE = Role(
    name="question_checker",
    label=gettext_lazy("Question checker"),
    purpose=gettext_lazy("Solves a written question before anybody is asked it."),
    plan=plan,
    prompt=read_prompt(Path(__file__).parents[1] / "prompts" / "question_checker.md"),
    result=CheckerAnswer,
    tier="strong",
    timeout_s=60.0,
    on_failure="abort",
)
