"""Texts that a small course can leave out: hints, and the contrast case of a misconception."""

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tutoring.courses.catalogue import ContrastCase, HintLadder, TemplateKind

_KINDS: Final[Mapping[str, object]] = {
    "choice": gettext_lazy("One of the options"),
    "multi": gettext_lazy("One or more of the options"),
    "numeric": gettext_lazy("A number"),
    "expression": gettext_lazy("An expression or an equation"),
    "match": gettext_lazy("A partner for each row"),
    "order": gettext_lazy("All entries in the right order"),
}


def default_hints(kind: TemplateKind) -> HintLadder:
    """Return hints that fit every exercise of the kind."""
    return HintLadder(
        focus=_("Read the question again, and say in your own words what it asks."),
        principle=_advice(kind),
        ask=_("Which kind of answer does the question ask for?"),
        ask_answer=str(_KINDS.get(kind) or _("A word or a short phrase")),
        example=_("Look at your last answer. Which part of the question does it not fit?"),
    )


def _advice(kind: str) -> str:
    match kind:
        case "choice" | "multi":
            return _("Rule out the options that cannot be right, and say why they cannot.")
        case "match" | "order":
            return _("Begin with the entry that you are most sure of.")
        case "numeric" | "expression":
            return _("Write down what is given and what is wanted before you calculate.")
        case _:
            return _("Think of the word or name that fits exactly. Check its spelling.")


def plain_contrast(*, says: str, correct_idea: str) -> ContrastCase:
    """Return a contrast case that sets the wrong idea against the correct one."""
    question = _("How would you explain the difference to a friend?")
    blocks = (_("One could think: %(idea)s") % {"idea": says}, _("But: %(idea)s") % {"idea": correct_idea}, question)
    return ContrastCase(blocks=("\n\n".join(blocks),), question=question)
