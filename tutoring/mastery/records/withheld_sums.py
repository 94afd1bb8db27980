"""Calculations and programs that tools leave to the learner: those of their open questions, in any conversation."""

from django.utils.translation import gettext as _

from agents.storage.threads import in_orm_thread
from tutoring.grading import key_from_json
from tutoring.models import Question
from tutoring.output_checks.own_calculation import is_own_calculation
from tutoring.output_checks.own_conversion import is_own_conversion

QUESTIONS_AT_MOST = 100
"""Questions, latest first, that are checked."""


async def withholding_reason_async(expression: str, person_id: int) -> str:
    """Return why the calculator does not compute an expression for this person; empty if it does. One query."""
    return await in_orm_thread(withholding_reason)(expression, person_id)


async def program_reason_async(code: str, person_id: int) -> str:
    """Return why a program is not run for this person: an open question asks what it prints; empty if it is run."""
    return await in_orm_thread(program_reason)(code, person_id)


def program_reason(code: str, person_id: int) -> str:
    mine = Question.objects.open().filter(learner_id=person_id, kind="trace").exclude(session__deleted_at__isnull=False)
    for (key,) in mine.order_by("-opened_at").values_list("key")[:QUESTIONS_AT_MOST]:
        if "".join(key["answer"]["program"].split()) in "".join(code.split()):
            return _("A question on your card asks what this program prints. Work it out first, line by line.")
    return ""


def withholding_reason(expression: str, person_id: int) -> str:
    """Return the reason, in words, why an expression is not computed for this person; empty if it is. One query."""
    mine = Question.objects.open().filter(learner_id=person_id).exclude(session__deleted_at__isnull=False)
    rows = mine.order_by("-opened_at").values_list("stem", "public", "key")[:QUESTIONS_AT_MOST]
    for stem, public, key in rows:
        answer = key_from_json(key["answer"])
        seen = " ".join((stem, *(each["text"] for each in public.get("choices") or ())))
        if is_own_calculation(expression, stem=stem, key=answer) or is_own_conversion(
            expression, seen=seen, key=answer
        ):
            said = _(
                "You still have to answer this question: “%(question)s” Let’s work on that together, one step at a time."
            )
            return said % {"question": stem}
    return ""
