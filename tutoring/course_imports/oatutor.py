"""Reads steps of OATutor: JSON, or JSON Lines with one step a line."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from tutoring.course_imports.html_text import literal
from tutoring.course_imports.numbers import decimal_of
from tutoring.course_imports.questions import ImportedQuestion, Option, QuestionRefused, ReadFile, Scaffold, Skipped

_MEDIA = re.compile(r"##[\w.\- ]+\.(?:png|jpe?g|gif|svg)##|\.(?:png|jpe?g|gif|svg)\b", re.IGNORECASE)
_DOLLARS = re.compile(r"^\s*\$\$(.+)\$\$\s*$", re.DOTALL)
_BOOK_PAGE = re.compile(r"(openstax\.org/books/[\w-]+)/pages/\S*")
_BLANK = re.compile(r"\$\$\s*_{2,}\s*\$\$")


def read_oatutor(text: str, *, name: str = "") -> ReadFile:
    """Return the steps of an OATutor file. Raises ValueError if it is no JSON."""
    rows = list(_steps(_values(text)))
    questions: list[ImportedQuestion] = []
    skipped: list[Skipped] = []
    for number, row in enumerate(rows, start=1):
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


def _values(text: str) -> list[Any]:
    try:
        data = json.loads(text)
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except RecursionError:
        raise ValueError(_("It is nested too deeply.")) from None
    return data if isinstance(data, list) else [data]


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
    return str(value).strip() if isinstance(value, (str, int, float)) and not isinstance(value, bool) else ""


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
