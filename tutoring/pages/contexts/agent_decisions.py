"""What an agent decided in a turn, in a sentence for the learner; never what an answer is."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

MOVE_SENTENCES = {
    "ask_attempt": _("It wanted to see you try first."),
    "probe_reasoning": _("It asked how you got there, to understand your thinking first."),
    "focus_step": _("It showed you where to look again."),
    "hint_principle": _("It named the idea behind the question."),
    "hint_substep": _("It asked a smaller question first."),
    "worked_twin": _("It solved a similar question with different numbers."),
    "bottom_out": _("It showed the solution, and a similar question comes next."),
    "contrast_case": _("It showed you a case where your idea does not work."),
    "self_explain": _("It asked you to say why your answer is right."),
    "affirm_specific": _("It told you what was right in your answer."),
    "prereq_drop": _("It went back to an idea that this topic builds on."),
    "simplify": _("It made the step smaller."),
    "represent": _("It showed the same thing in another way."),
    "break_choice": _("It offered a break or another way to continue."),
    "summarise_retrieve": _("It asked you to say the idea again from memory."),
    "decline_answer": _("It did not tell you the answer, so that you could find it yourself."),
    "ask_form": _("Your value was right, so it asked you to write the answer in another form."),
    "farewell": _("It said goodbye."),
    "retype": _("It could not read the answer and asked you to write it another way. That answer does not count."),
    "not_yet": _("It asked again because part of the idea was missing."),
    "answer_question": _("It answered your question."),
    "continue_lesson": _("It continued the lesson."),
    "begin_quiz": _("It started the quiz."),
    "quiz_is_over": _("It had no more questions for now."),
    "resume_quiz": _("It went back to your open question."),
    "converse": _("It replied to what you said and did not change the question."),
    "welcome": _("It started the conversation."),
}
"""Moves by their names in `tutoring.lesson.moves` and the roles; a move without a sentence is not shown."""


def describe_decision(result: Mapping[str, Any]) -> str:
    """Return a sentence on what an agent's result decided; empty if there is nothing to tell."""
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
        "It looked back at %(count)d question (%(right)d right on the first try).",
        "It looked back at %(count)d questions (%(right)d right on the first try).",
        asked,
    ) % {"count": asked, "right": right}
    over = gettext("Your answers show that you can do this.") if result["mastered"] else gettext("There is more to do.")
    return " ".join(filter(None, (told, over, str(MOVE_SENTENCES.get(result.get("asks", ""), "")))))


def _path_sentence(result: Mapping[str, Any]) -> str:
    if reason := str(result.get("reason", "")).replace("*", ""):
        return gettext("It planned what comes next (%(reason)s).") % {"reason": reason}
    return gettext("It told you what could come next.") if result["next_topic"] else ""


def _placement_sentence(result: Mapping[str, Any]) -> str:
    if not result["ended"]:
        return gettext("It asked the question most likely to show where to start.")
    asked = int(result.get("asked", 0))
    return ngettext(
        "It found out where to start after %(count)d question.",
        "It found out where to start after %(count)d questions.",
        asked,
    ) % {"count": asked}
