"""The labels of the team's own buttons with their intents, so that a pressed button is never misclassified."""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Final

from django.utils.translation import get_language, gettext, gettext_noop

from tutoring.understanding.parsing.assertions import plain_text

if TYPE_CHECKING:
    from tutoring.understanding.message_analysis import Intent

INTENT_BY_LABEL: "Final[Mapping[str, Intent]]" = {
    gettext_noop("Let’s continue"): "go_on",
    gettext_noop("Let’s start"): "go_on",
    # Labels of earlier versions stay: a conversation may still show their buttons.
    "Let’s go on": "go_on",
    "Let us go on": "go_on",
    "Let us start": "go_on",
    gettext_noop("Yes, go there"): "go_on",
    gettext_noop("Continue the explanation"): "go_on",
    "Go on with the explanation": "go_on",
    gettext_noop("Quiz me"): "ask_quiz",
    gettext_noop("Let me try one"): "ask_quiz",
    gettext_noop("Ask me another one"): "ask_quiz",
    gettext_noop("A hint, please"): "ask_hint",
    gettext_noop("Explain it again"): "ask_hint",
    gettext_noop("Explain it differently"): "ask_hint",
    gettext_noop("Show me an example"): "ask_example",
    gettext_noop("Something easier, please"): "ask_example",
    gettext_noop("I don’t know"): "dont_know",
    gettext_noop("What is next?"): "plan",
    gettext_noop("Can I do something else?"): "change_topic",
    gettext_noop("Something else"): "change_topic",
    gettext_noop("Skip this question"): "go_on",
    gettext_noop("What can I learn here?"): "change_topic",
    gettext_noop("How do you know?"): "question_meta",
    gettext_noop("I need a break"): "pause_or_stop",
    gettext_noop("That’s enough for today"): "pause_or_stop",
    gettext_noop("No more questions"): "pause_or_stop",
    "Enough for today": "pause_or_stop",
    "That is enough for today": "pause_or_stop",
    "That is enough questions": "pause_or_stop",
}
"""Label → intent. Replies to a model sentence are the commands `meant_same` and `not_quite`."""


def button_intent(words: str) -> "Intent | None":
    """Return the intent of plain words that are exactly a button's label, or None."""
    return _wishes(get_language() or "").get(_bare(words))


@cache
def _wishes(language: str) -> "Mapping[str, Intent]":
    """Return the intent of each label, in English and in the active language."""
    return {
        _bare(plain_text(said)): wish for label, wish in INTENT_BY_LABEL.items() for said in (label, gettext(label))
    }


def _bare(text: str) -> str:
    return text.strip(" .!?…")
