"""What an agent decided in a turn, in a sentence that a learner may read: never what an answer is."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

MOVE_SENTENCES = {
    "ask_attempt": _("It wanted to see your own try first."),
    "probe_reasoning": _("It asked how you came to that, to see your thinking before saying more."),
    "focus_step": _("It pointed to the place worth a second look."),
    "hint_principle": _("It named the idea behind the question."),
    "hint_substep": _("It asked something smaller on the way there."),
    "worked_twin": _("It solved the same kind of thing with other numbers."),
    "bottom_out": _("It showed the solution; a question of the same kind follows."),
    "contrast_case": _("It tested the idea you used on a case where it breaks."),
    "self_explain": _("It asked you to say why your answer is right."),
    "affirm_specific": _("It said what was right in what you wrote."),
    "prereq_drop": _("It went back to an idea that this one rests on."),
    "simplify": _("It made the step smaller."),
    "represent": _("It showed the same thing in another way."),
    "break_choice": _("It offered a pause, or another way to go on."),
    "summarise_retrieve": _("It asked you to say the idea once more from memory."),
    "decline_answer": _("It kept the answer back, so that you can find it."),
    "ask_form": _("The value was right; it asked you to write it in the form that is wanted."),
    "farewell": _("It said goodbye."),
    "retype": _("It could not read the answer, and asked you to write it another way. That counts for nothing."),
    "not_yet": _("It asked once more, since part of the idea was still missing."),
    "answer_question": _("It answered what you asked."),
    "continue_lesson": _("It went on with the lesson."),
    "begin_quiz": _("It began the questions."),
    "quiz_is_over": _("It had no more questions for now."),
    "resume_quiz": _("It came back to the question that waits."),
    "converse": _("It replied to what you said, and left the question as it was."),
    "welcome": _("It opened the conversation."),
}
"""Moves as `tutoring.lesson.moves` and the roles name them; one without words here is not told."""


def describe_decision(result: Mapping[str, Any]) -> str:
    """Return what the result of an agent says it decided; empty where that is nothing to tell."""
    if "mastered" in result:
        return _feedback_sentence(result)
    if "ended" in result:
        return _placement_sentence(result)
    if "next_topic" in result:
        return _path_sentence(result)
    return str(MOVE_SENTENCES.get(result.get("move", ""), ""))


def _feedback_sentence(result: Mapping[str, Any]) -> str:
    asked, right = int(result.get("asked", 0)), int(result.get("right", 0))
    told = ngettext(
        "It looked back on %(count)d question; %(right)d was right at the first try.",
        "It looked back on %(count)d questions; %(right)d were right at the first try.",
        asked,
    ) % {"count": asked, "right": right}
    over = gettext("Your answers show that you can do this.") if result["mastered"] else gettext("There is more to do.")
    return " ".join(filter(None, (told, over, str(MOVE_SENTENCES.get(result.get("asks", ""), "")))))


def _path_sentence(result: Mapping[str, Any]) -> str:
    if reason := str(result.get("reason", "")).replace("*", ""):
        return gettext("It planned what comes next, %(reason)s.") % {"reason": reason}
    return gettext("It said what could come next.") if result["next_topic"] else ""


def _placement_sentence(result: Mapping[str, Any]) -> str:
    if not result["ended"]:
        return gettext("It asked the question that tells most about where to begin.")
    asked = int(result.get("asked", 0))
    return ngettext(
        "It found where to begin, after %(count)d question.",
        "It found where to begin, after %(count)d questions.",
        asked,
    ) % {"count": asked}
