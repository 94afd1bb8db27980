"""Reads steps of OATutor: JSON, or JSON Lines with one step a line."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from tutoring.course_imports.html_text import literal
from tutoring.course_imports.numbers import decimal_of
from tutoring.course_imports.questions import (
    UNREADABLE,
    ImportedQuestion,
    ImportRefused,
    Option,
    QuestionRefused,
    ReadFile,
    Scaffold,
    Skipped,
    check_amount,
    check_parts,
)

_MEDIA = re.compile(r"##[\w.\- ]+\.(?:png|jpe?g|gif|svg)##|\.(?:png|jpe?g|gif|svg)\b", re.IGNORECASE)
_DOLLARS = re.compile(r"^\s*\$\$(.+)\$\$\s*$", re.DOTALL)
_BOOK_PAGE = re.compile(r"(openstax\.org/books/[\w-]+)/pages/\S*")
_SPACE = re.compile(r"[ \t\n\r]*")
_NO_CHARACTER = re.compile("[\0\ud800-\udfff\ufffe\uffff]")
_BLANK = re.compile(r"\$\$\s*_{2,}\s*\$\$")


def read_oatutor(text: str, *, name: str = "") -> ReadFile:
    """Return the steps of an OATutor file. Raises ImportRefused for a file that is no JSON, or too large."""
    rows: list[Mapping[str, Any]] = []
    questions: list[ImportedQuestion] = []
    skipped: list[Skipped] = []
    for number, row in enumerate(_steps(_values(text, name=name)), start=1):
        check_amount(number, name=name)
        rows.append(row)
        place = _text(row.get("step_id") or row.get("id")) or _("step %(number)d") % {"number": number}
        try:
            questions.append(_question(row, place))
        except QuestionRefused as refused:
            skipped.append(Skipped(name=place, reason=str(refused)))
    return ReadFile(
        questions=tuple(questions),
        skipped=tuple(skipped),
        title=_common([_text(row.get("course")) for row in rows]),
        licenses=_each([_named(_text(row.get("license"))) for row in rows]),
        sources=_each([_named(_text(row.get("oer"))) for row in rows]),
    )


def _values(text: str, *, name: str) -> list[Any]:
    """Return the values of the file, one or several; those of a list are values of their own. Raises ImportRefused."""
    # Numbers stay as they are written: Python refuses to read very long ones.
    decoder = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
    values: list[Any] = []
    at = _end_of_space(text, 0)
    try:
        while at < len(text):
            value, at = decoder.raw_decode(text, at)
            values += value if isinstance(value, list) else [value]
            at = _end_of_space(text, at)
    except json.JSONDecodeError as error:
        said = _(
            "%(file)s, line %(line)d, character %(column)d: this is not valid JSON. Correct it, or export it again."
        )
        raise ImportRefused(said % {"file": name, "line": error.lineno, "column": error.colno}) from None
    except RecursionError:
        raise ImportRefused(_("The JSON in %(file)s is nested too deeply.") % {"file": name}) from None
    return values


def _end_of_space(text: str, start: int) -> int:
    found = _SPACE.match(text, start)
    return found.end() if found else start


def _steps(values: list[Any]) -> Iterator[Mapping[str, Any]]:
    """Yield flat steps: those of problems get the problem's text, and its lesson as topic."""
    for value in values:
        if not isinstance(value, Mapping):
            continue
        steps = value.get("steps")
        if not isinstance(steps, list):
            yield value
            continue
        shared = {
            "problem_title": value.get("title"), "problem_body": value.get("body"), "course": value.get("courseName"),
            "lesson": value.get("lesson"), "license": value.get("license"), "oer": value.get("oer"),
        }  # fmt: skip
        yield from (shared | _renamed(step) for step in steps if isinstance(step, Mapping))


def _renamed(step: Mapping[str, Any]) -> dict[str, Any]:
    """Return a step of a problem file with the names of the flat form."""
    names = {
        "id": "step_id", "stepTitle": "step_title", "stepBody": "step_body", "problemType": "problem_type",
        "answerType": "answer_type", "stepAnswer": "answers", "knowledgeComponents": "skills",
    }  # fmt: skip
    flat = {names.get(key, key): value for key, value in step.items()}
    pathways = step.get("hints")
    if isinstance(pathways, Mapping):
        flat["hints"] = next((each for each in pathways.values() if isinstance(each, list)), [])
    return flat


def _question(row: Mapping[str, Any], place: str) -> ImportedQuestion:
    check_parts(sum(len(_list(row.get(key))) for key in ("choices", "answers", "hints")))
    parts = [_text(row.get(key)) for key in ("problem_body", "step_title", "step_body")]
    if not any(parts):
        raise QuestionRefused(_("It has no question text."))
    choices = [_text(each) for each in _list(row.get("choices"))]
    answers = [answer for answer in map(_text, _list(row.get("answers"))) if answer]
    if _MEDIA.search(" ".join([*parts, *choices])):
        raise QuestionRefused(_("It shows a picture, a sound or another object, which a course cannot hold."))
    if not answers:
        raise QuestionRefused(_("It has no right answer."))
    given: dict[str, Any] = {
        "name": place,
        "stem": "\n\n".join(_markdown(part) for part in dict.fromkeys(parts) if part),
        "topic": _text(row.get("lesson")) or next(map(_skill, _list(row.get("skills"))), ""),
        "hints": tuple(_hints(row)),
    }
    if row.get("problem_type") == "MultipleChoice" or choices:
        options = tuple(Option(text=_markdown(each), is_right=each in answers) for each in dict.fromkeys(choices))
        several = sum(option.is_right for option in options) > 1
        return ImportedQuestion(kind="multi" if several else "choice", options=options, **given)
    return _typed(row, answers, given)


def _typed(row: Mapping[str, Any], answers: list[str], given: dict[str, Any]) -> ImportedQuestion:
    bare = [found[1].strip() if (found := _DOLLARS.match(answer)) else " ".join(answer.split()) for answer in answers]
    if nan := next((each for each in bare if each.casefold() == "nan"), ""):
        raise QuestionRefused(_("“%(answer)s” is not a number.") % {"answer": nan})
    number = decimal_of(bare[0].replace(",", "")) if len(bare) == 1 else None
    if number is not None:
        return ImportedQuestion(kind="numeric", accepted=(f"{number:f}",), **given)
    is_formula = row.get("answer_type") != "string" or any(map(_DOLLARS.match, answers))
    if is_formula:
        return ImportedQuestion(kind="expression", accepted=tuple(bare), **given)
    # Only in Moodle's files a star stands for any text.
    return ImportedQuestion(kind="text", accepted=tuple(each.replace("*", r"\*") for each in bare), **given)


def _hints(row: Mapping[str, Any]) -> Iterator[str | Scaffold]:
    for hint in _list(row.get("hints")):
        if not isinstance(hint, Mapping) or not (text := _text(hint.get("text"))):
            continue
        title, choices = _text(hint.get("title")), [_text(each) for each in _list(hint.get("choices"))]
        said = text if text.startswith(title) else f"{title}: {text}"
        if not _MEDIA.search(" ".join([said, *choices])):
            shown = "\n".join(
                [_markdown(said), *(["", *(f"- {_markdown(each)}" for each in choices)] if choices else [])]
            )
            answers = [answer for each in _list(hint.get("hintAnswer")) if (answer := _text(each))]
            yield Scaffold(ask=shown, answer=_markdown(answers[0])) if answers else shown


def _markdown(text: str) -> str:
    """Return an OATutor text as Markdown: `$$x$$` is a formula in a line, `$$___$$` a blank."""
    return literal(_BLANK.sub("_____", text).replace("$$ $$", " "))


def _text(value: Any) -> str:
    return _NO_CHARACTER.sub(UNREADABLE, value).strip() if isinstance(value, str) else ""


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _skill(name: Any) -> str:
    return _text(name).replace("_", " ").strip().capitalize()


def _named(text: str) -> str:
    """Return `<CC BY 4.0>` with its address: "CC BY 4.0 (https://…)"; a book stands for each of its pages."""
    found = re.match(r"(\S+)\s*<([^<>]+)>", text)
    address = _BOOK_PAGE.sub(r"\1", found[1] if found else text)
    return f"{found[2]} ({address})" if found else address


def _each(texts: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, texts)))


def _common(texts: list[str]) -> str:
    """Return the only one of the texts; empty if there are several."""
    found = set(filter(None, texts))
    return found.pop() if len(found) == 1 else ""
