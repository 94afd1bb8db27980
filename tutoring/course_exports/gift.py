"""Writes questions as GIFT; texts are marked as Markdown."""

import re
from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _

from tutoring.course_imports.questions import ImportedQuestion, QuestionRefused, Skipped, lines_of

_SIGNS = re.compile(r"[~=#{}:\\]")


def write_gift(
    questions: Iterable[ImportedQuestion], left_out: Iterable[Skipped] = ()
) -> tuple[str, tuple[Skipped, ...]]:
    """Return a GIFT file, and the questions that it cannot hold, with reasons; comments name these and `left_out`."""
    blocks: list[str] = []
    skipped = list(left_out)
    topic = ""
    for question in questions:
        try:
            block = _block(question)
        except QuestionRefused as refused:
            skipped.append(Skipped(name=question.name, reason=str(refused)))
            continue
        if question.topic and question.topic != topic:
            topic = question.topic
            blocks.append(f"$CATEGORY: {' '.join(topic.split()).replace('/', '//')}")
        blocks.append(block)
    comments = "\n".join(f"// {line}" for line in lines_of(skipped))
    return "\n\n".join(filter(None, [*blocks, comments])) + "\n", tuple(skipped)


def _block(question: ImportedQuestion) -> str:
    said = f"####[markdown]{_text(question.explanation)}" if question.explanation else ""
    name = "" if question.name == question.place else f"::{_text(question.name.replace('::', ':'))}::"
    return f"{name}[markdown]{_text(question.stem)}{{{''.join(_answers(question))}{said}}}"


def _answers(question: ImportedQuestion) -> Iterator[str]:
    match question.kind:
        case "choice" if _is_boolean(question):
            wrong, right = (
                next((one.feedback for one in question.options if one.is_right is is_right), "")
                for is_right in (False, True)
            )
            yield "TRUE" if question.options[0].is_right else "FALSE"
            yield f"#{_text(wrong)}#{_text(right)}" if wrong or right else ""
        case "choice":
            yield from (f"{'=' if one.is_right else '~'}{_option(one.text, one.feedback)}" for one in question.options)
        case "multi":
            share = f"{100 / max(1, sum(one.is_right for one in question.options)):.5f}".rstrip("0").rstrip(".")
            for one in question.options:
                yield f"~%{share if one.is_right else -100}%{_option(one.text, one.feedback)}"
        case "numeric":
            yield f"#{question.accepted[0]}{f':{question.tolerance}' if question.tolerance else ''}"
        case "text":
            if any("->" in text for text in question.accepted):
                raise QuestionRefused(_("An answer contains “->”, which GIFT reads as a match."))
            yield from (f"={_text(text)} " for text in question.accepted)
        case "match":
            if any("->" in row for row, _partner in question.pairs):
                raise QuestionRefused(_("An answer contains “->”, which GIFT reads as a match."))
            yield from (f"={_text(row)} -> {_text(partner)} " for row, partner in question.pairs)
            yield from (f"= -> {_text(partner)} " for partner in question.spare)
        case "order" | "expression":
            raise QuestionRefused(_("GIFT has no question of this kind."))


def _is_boolean(question: ImportedQuestion) -> bool:
    return not question.shuffle and tuple(one.text for one in question.options) == (_("True"), _("False"))


def _option(text: str, feedback: str) -> str:
    return f"{_text(text)}{f'#{_text(feedback)}' if feedback else ''} "


def _text(text: str) -> str:
    """Return a text in one line, with the signs escaped that have a meaning."""
    return _SIGNS.sub(r"\\\g<0>", text).replace("\n", "\\n")
