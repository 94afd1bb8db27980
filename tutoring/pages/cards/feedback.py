"""Feedback on a question's card: short, specific, and never the answer itself."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tutoring.courses.catalogue import Misconception
from tutoring.courses.exercises.solution_steps import step_with_result
from tutoring.grading import numbers_in
from tutoring.models import Attempt, Question
from tutoring.output_checks.answer_disclosure import discloses_answer
from tutoring.pages.cards.arrangements import judged_working
from tutoring.pages.cards.construction_feedback import construction_look
from tutoring.pages.cards.program_feedback import KINDS as PROGRAM_KINDS
from tutoring.pages.cards.program_feedback import program_look, program_title
from tutoring.pages.cards.right_parts import right_parts

RECENT = 8
"""How many answers count as recent, so that no sentence comes again soon."""
UNEVALUATED = "unevaluated"
"""The grader's reason for an answer that has the right value but is not worked out."""
_TITLES = {
    "correct": gettext_lazy("Right."),
    "equivalent_not_in_form": gettext_lazy("The value is right, but the question asks for a different form."),
    "sign_error": gettext_lazy("Almost. Check the sign again."),
    "partial": gettext_lazy("Partly right."),
}
_FORMS_ASKED = {
    "simplified": gettext_lazy("Write it in lowest terms: can you divide the top and the bottom by the same number?"),
    "fraction": gettext_lazy("Write it as a fraction."),
    "decimal": gettext_lazy("Write it as a decimal."),
    "whole": gettext_lazy("Write it as a whole number."),
    "exact": gettext_lazy("Give the exact answer, without rounding."),
    "expanded": gettext_lazy("Multiply out all parentheses and combine like terms."),
    "factored": gettext_lazy("Write it as a product."),
}


def verdict_title(attempt: Attempt, kind: str = "") -> str:
    """Return the verdict in a few words; `kind` is the question's."""
    if attempt.gave_up:
        return _("That’s okay. Here is one way to do it.")
    if title := program_title(attempt, kind):
        return title
    if attempt.verdict == "equivalent_not_in_form" and attempt.judgement.get("reason") == UNEVALUATED:
        return _("You haven’t worked it out yet.")
    return str(_TITLES.get(attempt.verdict, _("Not yet.")))


def next_look(attempt: Attempt, *, key: Mapping[str, Any]) -> str:
    """Return which parts of a wrong answer are right or where to look next, or nothing: the tutor's words follow."""
    missing = [name for name in attempt.judgement.get("missing", []) if name]
    if key["type"] == "steps" and not attempt.gave_up and not attempt.correct:
        return _of_working(attempt, key=key)
    if key["type"] in PROGRAM_KINDS and not attempt.gave_up and not attempt.correct:
        return program_look(attempt, key["type"])
    if "board" in key and not attempt.gave_up and not attempt.correct:
        return construction_look(key, attempt.answer, reason=attempt.judgement.get("reason", ""))
    if attempt.verdict == "equivalent_not_in_form":
        if attempt.judgement.get("reason") == UNEVALUATED:
            return _("You still need to work that out. Give one number.")
        return _form_asked(key.get("form", "any"))
    if attempt.verdict == "partial" and missing:
        return _("Still missing: %(ideas)s.") % {"ideas": ", ".join(missing)}
    if attempt.gave_up or attempt.correct:
        return ""
    return right_parts(key, answer=attempt.answer, chosen=attempt.judgement.get("chosen", ()))


def step_text(attempt: Attempt, question: Question) -> str:
    """Return the calculation of the solution that has the wrong answer as its result; empty for none."""
    numbers = numbers_in(attempt.answer)
    if question.kind != "numeric" or len(numbers) != 1:
        return ""
    answer = str(question.key["answer"].get("value", ""))
    step = step_with_result(numbers[0], solution=question.key["solution"], question=question.stem, answer=answer)
    return _("You’re on the way: %(step)s. What comes next?") % {"step": step} if step else ""


def choice_reply(attempt: Attempt, question: Question) -> str:
    """Return what the course says to those who choose these options; empty if it gives the open answer away."""
    said = question.key.get("said", {})
    if attempt.correct or attempt.gave_up or not said:
        return ""
    text = " ".join(said[letter] for letter in attempt.answer.replace(",", " ").split() if letter in said)
    gives_away = question.is_open and discloses_answer(text, question.instance(), [attempt.answer])
    return "" if gives_away else text


def idea_behind(attempt: Attempt, question: Question, *, alone: bool = False) -> str:
    """Return in the course's words what a wrong answer shows; empty if nothing explains it, or more than one idea does.

    `alone`: no tutor tests the idea, so what holds instead is said as well, unless it gives the open answer away.
    """
    if attempt.correct or attempt.gave_up or not (found := _single_misconception(attempt, question)):
        return ""
    noticed = found.noticed or _("Maybe you thought: %(idea)s") % {"idea": found.says}
    if times := _times_behind(attempt, question, found.id):
        again = (
            _("It’s the same idea as before, and it isn’t true: *%(idea)s*"),
            _("This mistaken idea came up again: *%(idea)s*"),
            _("Your answer would be right if this were true, but it isn’t: *%(idea)s*"),
            _("Check this idea again, because it isn’t true: *%(idea)s*"),
            _("This answer, too, comes from an idea that isn’t true: *%(idea)s*"),
        )
        noticed = again[(times - 1) % len(again)] % {"idea": found.says}
    if not alone or (question.is_open and discloses_answer(found.correct_idea, question.instance(), [attempt.answer])):
        return noticed
    return f"{noticed} {found.correct_idea}"


def _times_behind(attempt: Attempt, question: Question, misconception_id: str) -> int:
    """Return behind how many earlier answers of the conversation the idea was, too; 0 if behind none of the last few."""
    if question.session_id is None or not question.is_open:
        return 0  # A page shows many closed cards: they cost no query each.
    behind = [misconception_id in each for each in _before(attempt, question).values_list("misconceptions", flat=True)]
    return sum(behind) if any(behind[:RECENT]) else 0


def _before(attempt: Attempt, question: Question) -> QuerySet[Attempt]:
    """Return the earlier answers of the conversation, the latest first."""
    return Attempt.objects.filter(question__session=question.session_id, pk__lt=attempt.pk).order_by("-pk")


def _single_misconception(attempt: Attempt, question: Question) -> Misconception | None:
    # Each wrong choice of several shows its own; otherwise two mean that either may be behind the answer.
    if not attempt.misconceptions or (len(attempt.misconceptions) > 1 and question.kind != "multi"):
        return None
    return question.concept.course.catalogue().misconceptions.get(attempt.misconceptions[0])


def is_repeated(attempts: Sequence[Attempt]) -> bool:
    """Tell whether the last of a question's attempts gives an answer that was given before."""
    *before, last = attempts
    return not last.gave_up and any(each.answer == last.answer for each in before)


def repeated_text(attempt: Attempt, question: Question) -> str:
    """Return that the answer was given before, worded differently each time in a conversation."""
    said = (
        _("That’s the same answer as before. Use the hint on the card and change something."),
        _("You tried that one already. Look at the hint, then try something different."),
        _("That’s still not it. If you’re stuck, I can show you one like it."),
        _("You gave that answer a moment ago. The hint says where to look."),
        _("You gave the same answer again, and it still isn’t right. What could you change?"),
    )
    if question.session_id is None:
        return said[attempt.number % len(said)]
    given = [(each.question_id, str(each.answer)) for each in _before(attempt, question)]
    return said[(len(given) - len(set(given))) % len(said)]


def abandoned_text() -> str:
    """Return the words for a question that was tried and then left for something else."""
    return _(
        "Let’s move on from this question. See below for what comes next. The idea will come back in another question."
    )


def _of_working(attempt: Attempt, *, key: Mapping[str, Any]) -> str:
    """Return the first line that does not follow, or what the end still needs."""
    lines = judged_working(key, attempt.answer)
    broken = next((number for number, line in enumerate(lines, start=1) if line.standing == "breaks"), 0)
    if broken == 1:
        return _("Line 1 does not follow from the question. Check it again.")
    if broken:
        return _("Line %(number)d does not follow from the line before it. Check it again.") % {"number": broken}
    if attempt.verdict == "equivalent_not_in_form":
        return _form_asked(key.get("form", "any"))
    return _("What you wrote is true, but it doesn’t answer the question yet.")


def _form_asked(form: str) -> str:
    return str(_FORMS_ASKED.get(form, _("Look at how the question asks you to write your answer.")))
