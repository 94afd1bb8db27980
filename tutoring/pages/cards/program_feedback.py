"""What the card says about answers to questions about programs: the first failing case, in plain words."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tutoring.grading.programs.answer_text import code_block, code_span
from tutoring.grading.verdicts import CaseFailure, failure_from_json
from tutoring.models import Attempt
from tutoring.roles.wording.python_errors import STOPPED, error_meaning

KINDS = ("trace", "code", "lines")


def program_title(attempt: Attempt, kind: str) -> str:
    """Return the verdict in a few words where the usual ones do not fit; empty elsewhere."""
    if attempt.verdict != "equivalent_not_in_form":
        return ""
    if kind == "trace":
        return _("Almost.")
    return _("Your program works, but the question asks for another way.") if kind == "code" else ""


def program_look(attempt: Attempt, kind: str) -> str:
    """Return what is wrong with an answer, and where to look; empty for a right one."""
    reason = attempt.judgement.get("reason", "")
    failure = failure_from_json(attempt.judgement)
    match kind:
        case "trace":
            return _of_output(reason)
        case "lines":
            told = failure is not None and failure.reason not in ("syntax", "missing", "not_run")
            return " ".join(filter(None, [_of_lines(reason), failure_text(failure) if failure and told else ""]))
        case _:
            return failure_text(failure) if failure else _of_words(reason)


def _of_words(reason: str) -> str:
    asked, _space, word = reason.partition(" ")
    if asked == "needs":
        return _("Use %(word)s in your program.") % {"word": code_span(word)}
    return _("Do it without %(word)s.") % {"word": code_span(word)} if asked == "without" else ""


def _of_output(reason: str) -> str:
    match reason.partition(" "):
        case "quotes", _, _:
            return _("Look at the quotation marks: does Python print them here?")
        case "case", _, _:
            return _("Check which letters are capitals.")
        case "spacing", _, _:
            return _("The spaces are not where Python puts them.")
        case "one_line", _, _:
            return _("Each print begins a new line.")
        case "line", _, "1":
            return _("Look at line 1 again.")
        case "line", _, number:
            before = int(number) - 1
            return ngettext(
                "The first line is right. Look at line %(number)s again.",
                "The first %(before)d lines are right. Look at line %(number)s again.",
                before,
            ) % {"before": before, "number": number}
        case _:
            return ""


def _of_lines(reason: str) -> str:
    match reason.partition(" "):
        case "indent", _, number:
            return _("The lines are in the right order. Look at how far line %(number)s is indented.") % {
                "number": number
            }
        case "spare", _, _:
            return _("One of the lines does not belong in the program.")
        case "missing", _, _:
            return _("Something is still missing.")
        case "order", _, "1":
            return _("Which line must come first?")
        case "order", _, number:
            return _("Look at what comes in line %(number)s.") % {"number": number}
        case _:
            return ""


def failure_text(failure: CaseFailure) -> str:
    """Return the first failing case as Markdown: the call, what was expected, and what came."""
    return "\n\n".join(filter(None, (" ".join(_sentences(failure)), failure.says)))


def _sentences(failure: CaseFailure) -> Iterator[str]:
    names = {
        "call": code_span(failure.call),
        "expected": code_span(failure.expected_value or ""),
        "value": code_span(failure.value),
        "error": code_span(failure.error),
        "line": failure.line,
    }
    match failure.reason:
        case "timeout" | "memory" | "output":
            if failure.call:
                yield _("I tried %(call)s.") % names
            yield str(STOPPED[failure.reason])
        case "error" | "syntax" | "missing":
            yield _stopped(failure) % names
            yield error_meaning(failure.error, failure.hint)
        case "returns_nothing":
            yield _("%(call)s should return %(expected)s, but it returned nothing. Is there a return?") % names
        case "prints_instead":
            yield _("%(call)s should return %(expected)s. It printed the value instead of returning it.") % names
        case "quotes":
            yield _("%(call)s should return %(expected)s, but it returned %(value)s.") % names
            yield _("With quotation marks, a value is a text. Without them, it is a number or a name.")
        case "value":
            yield _("%(call)s should return %(expected)s, but it returned %(value)s.") % names
        case _:
            yield from _of_printed(failure)
    if failure.passed:
        yield ngettext("%(passed)d of %(of)d checks passes.", "%(passed)d of %(of)d checks pass.", failure.passed) % {
            "passed": failure.passed, "of": failure.of,
        }  # fmt: skip


def _stopped(failure: CaseFailure) -> str:
    if failure.call:
        return _("%(call)s stopped in line %(line)s: %(error)s.") if failure.line else _("%(call)s stopped: %(error)s.")
    return (
        _("Your program stopped in line %(line)s: %(error)s.")
        if failure.line
        else _("Your program stopped: %(error)s.")
    )


def _of_printed(failure: CaseFailure) -> Iterator[str]:
    expected, printed = failure.expected_output or "", failure.output
    names: Mapping[str, Any] = {
        "call": code_span(failure.call), "expected": code_span(expected), "printed": code_span(printed),
    }  # fmt: skip
    if "\n" in expected + printed:  # Blocks end no sentence.
        yield (_("%(call)s should print:") if failure.call else _("Your program should print:")) % names
        yield _block(expected)
        yield _("It printed:") + _block(printed) if printed else _("It printed nothing.")
    elif printed:
        should = (
            _("%(call)s should print %(expected)s, but it printed %(printed)s.")
            if failure.call
            else _("Your program should print %(expected)s, but it printed %(printed)s.")
        )
        yield should % names
    else:
        should = (
            _("%(call)s should print %(expected)s, but it printed nothing.")
            if failure.call
            else _("Your program should print %(expected)s, but it printed nothing.")
        )
        yield should % names
    match failure.reason:
        case "prints_quotes":
            yield _("Only the quotation marks differ.")
        case "prints_case":
            yield _("Only capitals and small letters differ.")
        case "prints_spacing":
            yield _("Only the spaces differ.")


def _block(text: str) -> str:
    return f"\n\n{code_block(text, language='')}\n\n"
