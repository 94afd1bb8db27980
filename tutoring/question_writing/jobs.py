"""The job that writes an ordered question: a model writes it, another call solves it, code decides."""

from typing import Any

from asgiref.sync import async_to_sync
from django.db import transaction
from django.tasks import task

from agents.engine.outcomes import Answered, Failed, Outcome, Refused
from agents.engine.roles import Request
from agents.engine.runner import RunResult
from agents.event_log import get_logger
from agents.limits import RunLimits
from agents.prompts.versions import prompts_in_force
from agents.runtime.model_connection import current_connection
from agents.runtime.site_runs import run_for_site
from conversations.processes.identity import PROCESS
from tutoring.dialogue.graphs import QUESTION_WRITING
from tutoring.models import Concept, WrittenQuestion
from tutoring.question_writing import orders
from tutoring.question_writing.drafts import CheckerAnswer, DraftQuestion, draft_to_exercise
from tutoring.question_writing.prompt_material import WritingFacts
from tutoring.question_writing.quality_checks import QuestionProblem, find_disagreement, find_problem

logger = get_logger(__name__)

LIMITS = RunLimits(turn_timeout_s=150.0)
"""Well within an order's lease."""
TASK = "Do your part now."
"""Stands in for the learner, who is not involved."""
Status, Reason = WrittenQuestion.Status, WrittenQuestion.Reason


@task
def write_question(order_id: int) -> None:
    """Write one ordered question. If run twice, or for an order that another process holds, it does nothing."""
    if current_connection().state == "none":
        return
    order = orders.claim_order(order_id)
    if order is None:
        return
    facts = orders.gather_facts(order)
    # It contains nobody's words, so nobody's consent is needed.
    request = Request(text=TASK, facts=facts)
    result = async_to_sync(run_for_site)(
        QUESTION_WRITING, request, tier="strong", holder=PROCESS, prompts=prompts_in_force(), limits=LIMITS
    )
    _settle(order, facts, result)


def _settle(order: WrittenQuestion, facts: WritingFacts, result: RunResult) -> None:
    outcomes = {outcome.agent: outcome for outcome in result.outcomes}
    written, checked = outcomes.get("question_writer"), outcomes.get("question_checker")
    match written, checked:
        case Answered(result=DraftQuestion() as draft), Answered(result=CheckerAnswer() as answer):
            _decide(order, facts, draft, answer, _run_details(result))
        case (Failed(error_type="validation") | Refused(), _) | (_, Failed(error_type="validation") | Refused()):
            _reject(order, Reason.UNREADABLE, result)
        case _ if order.tries < orders.MAX_TRIES:
            logger.info("question_order_unanswered", order=order.pk, result=_describe_result(result))
            orders.release_order(order)
        case _:
            _reject(order, Reason.NO_ANSWER, result)


def _reject(order: WrittenQuestion, reason: str, result: RunResult) -> None:
    details = {"detail": _describe_result(result), **_run_details(result)}
    orders.settle_order(order, status=Status.REJECTED, reason=reason, **details)


def _decide(
    order: WrittenQuestion, facts: WritingFacts, draft: DraftQuestion, answer: CheckerAnswer, known: dict[str, Any]
) -> None:
    with transaction.atomic():
        # Locked, so that no two orders settle at once with the same question; newer questions are checked again.
        Concept.objects.select_for_update(of=("self",), no_key=True).get(pk=order.concept_id)
        facts = orders.gather_facts(order)
        problem = find_problem(draft, facts)
        if problem is None:
            problem = find_disagreement(draft_to_exercise(draft, order=order.pk, concept=facts.concept.id), answer)
        orders.settle_order(
            order,
            status=Status.REJECTED if problem else Status.CHECKED,
            item=draft.model_dump(mode="json"),
            checking=answer.model_dump(mode="json"),
            **_reasons(problem),
            **known,
        )
    logger.info("question_order_checked", order=order.pk, result=problem.reason if problem else "checked")


def _reasons(problem: QuestionProblem | None) -> dict[str, str]:
    return {"reason": problem.reason, "detail": problem.detail} if problem else {}


def _run_details(result: RunResult) -> dict[str, Any]:
    """Return which model wrote it, and with which prompts."""
    models = [each.usage.model for each in result.outcomes if isinstance(each, Answered) and each.usage.model]
    return {
        "model": models[0] if models else "",
        "prompts": {each.agent: each.prompt_version for each in result.outcomes},
    }


def _describe_result(result: RunResult) -> str:
    return "; ".join(f"{each.agent}: {_ending(each)}" for each in result.outcomes)


def _ending(outcome: Outcome) -> str:
    return "answered" if isinstance(outcome, Answered) else outcome.message
