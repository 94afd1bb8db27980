"""Turns imported questions into exercises of the course format, if the program grades them correctly."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import ValidationError

from tutoring.course_imports.numbers import decimal_of
from tutoring.course_imports.questions import UNREADABLE, ImportedQuestion, Option, QuestionRefused, Scaffold
from tutoring.courses.catalogue import CourseContent, TemplateKind
from tutoring.courses.checks.exercise_trials import find_exercise_problems, tells_answer
from tutoring.courses.exercises.exercise import Exercise
from tutoring.courses.exercises.generator import make_exercise
from tutoring.courses.files.default_texts import default_hints
from tutoring.courses.files.exercise_schema import TemplateEntry
from tutoring.courses.files.template_builder import TemplateBuilder

LETTERS: Final = "ABCDEFGH"
MAX_TEXT: Final = 3_000
MAX_ENTRIES: Final = 6
MIN_ENTRIES: Final = 3
MAX_SPARE: Final = 2
MAX_SHOWN: Final = 80
"""Characters of an answer that a message shows."""
_TRIALS: Final = 2
_FORMS: Final = ("any", "expanded", "factored", "simplified")
_IMAGE: Final = re.compile(r"!\[[^\]]*\]\s*[(\[]")
_EMPTY_COURSE: Final = CourseContent(
    id="import", title="", summary="", language="en", license="", version="", threshold=0.85, concepts=(),
    misconceptions={},
)  # fmt: skip

type Entry = dict[str, Any]
"""An exercise as in items.yaml."""
type Hints = tuple[str | Scaffold, ...]


def exercise_entry(question: ImportedQuestion, *, exercise: str, concept: str) -> Entry:
    """Return the question as an exercise that passes the checks of a course. Raises QuestionRefused."""
    _question, entry = _graded(question)
    return {"id": exercise, "concept": concept} | entry


def with_usable_hints(question: ImportedQuestion) -> ImportedQuestion:
    """Return the question with the hints that its exercise has. Raises QuestionRefused if it cannot be an exercise."""
    return _graded(question)[0]


def _graded(question: ImportedQuestion) -> tuple[ImportedQuestion, Entry]:
    _check_texts(question)
    problems: dict[str, str] = {}
    for answer in _answers(question):
        problems, made = _tried(_entry(question, answer, hints=(), late=(), explains=False))
        if problems or made is None:
            continue
        late = tuple(hint for hint in question.hints if _gives_answer(hint, question, made))
        hints = tuple(hint for hint in question.hints if hint not in late)
        for first, last, explains in (
            (hints, late, True), (hints, (), True), (hints, (), False), ((), (), False),
        ):  # fmt: skip
            entry = _entry(question, answer, hints=first, late=last, explains=explains)
            problems, _made = _tried(entry)
            if not problems:
                return replace(question, hints=first + last), entry
    raise QuestionRefused(_told(problems, question))


def _gives_answer(hint: str | Scaffold, question: ImportedQuestion, made: Exercise) -> bool:
    text = f"{hint.ask} {hint.answer}" if isinstance(hint, Scaffold) else hint
    typed = question.accepted if question.kind == "text" else ()
    words = [rf"(?<!\w){re.escape(each)}(?!\w)" for each in typed]
    return tells_answer(text, made) or any(
        re.search(word, text, re.IGNORECASE) and not re.search(word, question.stem, re.IGNORECASE) for word in words
    )


def _check_texts(question: ImportedQuestion) -> None:
    options = [option.text for option in question.options]
    texts = [
        question.stem,
        *options,
        *question.accepted,
        *question.spare,
        *(one for pair in question.pairs for one in pair),
    ]
    if question.kind in ("numeric", "expression", "text") and not question.accepted:
        raise QuestionRefused(_("It has no right answer."))
    if any(UNREADABLE in text for text in texts):
        raise QuestionRefused(_("One of its texts has a damaged character: “%(sign)s”.") % {"sign": UNREADABLE})
    if any(_IMAGE.search(text) for text in texts):
        raise QuestionRefused(_("It shows a picture, a sound or another object, which a course cannot hold."))
    if any(len(text) > MAX_TEXT for text in texts):
        raise QuestionRefused(_("One of its texts has more than %(limit)d characters.") % {"limit": MAX_TEXT})
    if not all(
        text.strip() for text in (*options, *question.accepted, *(one for pair in question.pairs for one in pair))
    ):
        raise QuestionRefused(_("One of its answers is empty."))
    if len(set(options)) < len(options):
        raise QuestionRefused(_("Two of its options are the same."))


def _answers(question: ImportedQuestion) -> Iterator[Entry]:
    """Yield the fields that hold the answer, in the order in which to try them. Raises QuestionRefused."""
    match question.kind:
        case "choice" | "multi":
            yield _choice(question)
        case "numeric":
            yield _numeric(question.accepted[0], question.tolerance)
        case "expression":
            for form in _FORMS:
                yield {"type": "expression", "answer": {"value": question.accepted[0], "form": form}}
        case "text":
            yield from _typed(question)
        case "match":
            yield _match(question)
        case "order":
            yield _order(question)


def _choice(question: ImportedQuestion) -> Entry:
    options = dict(zip(LETTERS, question.options, strict=False))
    right = [letter for letter, option in options.items() if option.is_right]
    if not 2 <= len(question.options) <= len(LETTERS):
        raise QuestionRefused(
            ngettext(
                "It has %(count)d option; from 2 to %(limit)d are possible.",
                "It has %(count)d options; from 2 to %(limit)d are possible.",
                len(question.options),
            )
            % {"count": len(question.options), "limit": len(LETTERS)}
        )
    if not right or (question.kind == "choice" and len(right) > 1):
        raise QuestionRefused(
            _("None of its options is right.") if not right else _("Several of its options are right.")
        )
    return {
        "type": question.kind,
        "answer": {"value": right[0]} if question.kind == "choice" else {"values": right},
        "choices": {letter: _choice_text(option) for letter, option in options.items()},
        "misconceptions": {letter: "other" for letter in options if letter not in right},
    } | ({} if question.shuffle else {"shuffle": False})


def _choice_text(option: Option) -> str | Entry:
    """Return an option, with what those are told who choose it if it is wrong."""
    says = "" if option.is_right else option.feedback[:MAX_TEXT]
    return {"text": option.text, "says": says} if says else option.text


def _numeric(value: str, tolerance: str) -> Entry:
    answer = {"value": value} | ({"form": "decimal", "tolerance": tolerance} if tolerance else {})
    return {"type": "numeric", "answer": answer}


def _typed(question: ImportedQuestion) -> Iterator[Entry]:
    """Yield a number if that is the only accepted answer, else the accepted texts and nothing else."""
    if len(question.accepted) == 1 and decimal_of(question.accepted[0]) is not None:
        yield _numeric(question.accepted[0], "")
        return
    patterns = [_pattern(text) for text in dict.fromkeys(question.accepted)]
    idea = {"name": _("the expected answer"), "any": patterns[:40]}
    yield {"type": "text", "answer": {"ideas": [idea], "references": _without_wildcards(question.accepted)[:40]}}


def _pattern(text: str) -> str:
    r"""Return a pattern that a whole answer must match: any case and spacing, `*` stands for any text."""
    parts = [_spaced(part) for part in text.replace(r"\*", "\ue300").split("*")]
    pattern = ".*".join(parts).replace("\ue300", r"\*")
    if not pattern.strip(".*"):
        raise QuestionRefused(_("Any text would be a right answer."))
    # Quotation marks and a full stop do not matter, a minus does: -5 is not 5.
    return rf"^[\s\"'“”]*{pattern.replace('’', "'")}[\s\"'“”.!]*$" if re.search(r"\w", text) else rf"^\s*{pattern}\s*$"


def _spaced(text: str) -> str:
    """Return a pattern of a text that may have other spaces around its signs: "(2,-1)" and "(2, -1)"."""
    words = re.findall(r"\w+|[^\w\s]", text)
    gaps = [r"\s+" if one[-1].isalnum() and other[0].isalnum() else r"\s*" for one, other in pairwise(words)]
    return "".join(re.escape(word) + gap for word, gap in zip(words, [*gaps, ""], strict=False))


def _without_wildcards(texts: tuple[str, ...]) -> list[str]:
    return [" ".join(text.replace(r"\*", "\ue300").replace("*", "").split()).replace("\ue300", "*") for text in texts]


def _match(question: ImportedQuestion) -> Entry:
    if not MIN_ENTRIES <= len(question.pairs) <= MAX_ENTRIES or len(question.spare) > MAX_SPARE:
        raise QuestionRefused(
            _(
                "A matching question needs from %(least)d to %(most)d rows, and at most %(extra)d partners that belong to no row; this one has %(count)d and %(spare)d."
            )
            % {
                "count": len(question.pairs),
                "spare": len(question.spare),
                "least": MIN_ENTRIES,
                "most": MAX_ENTRIES,
                "extra": MAX_SPARE,
            }
        )
    answer: Entry = {"pairs": [list(pair) for pair in question.pairs]}
    return {"type": "match", "answer": answer | ({"spare": list(question.spare)} if question.spare else {})}


def _order(question: ImportedQuestion) -> Entry:
    if not MIN_ENTRIES <= len(question.options) <= MAX_ENTRIES:
        raise QuestionRefused(
            ngettext(
                "It has %(count)d entry; from %(least)d to %(most)d are possible.",
                "It has %(count)d entries; from %(least)d to %(most)d are possible.",
                len(question.options),
            )
            % {"count": len(question.options), "least": MIN_ENTRIES, "most": MAX_ENTRIES}
        )
    return {"type": "order", "answer": {"order": [option.text for option in question.options]}}


def _entry(question: ImportedQuestion, answer: Entry, *, hints: Hints, late: Hints, explains: bool) -> Entry:
    return {
        "type": answer["type"], "difficulty": "medium", "verbatim": True, "stem": question.stem,
        **{name: value for name, value in answer.items() if name != "type"},
        "hints": _ladder(hints, answer["type"]),
        "solution": list(_solution(question, late=late, explains=explains)),
    }  # fmt: skip


def _ladder(hints: Hints, kind: TemplateKind) -> list[Entry]:
    """Return the rungs in the order of the hints; a smaller question is the third rung if at most one comes after it."""
    default = default_hints(kind)
    asked = max((at for at, hint in enumerate(hints[:3]) if isinstance(hint, Scaffold)), default=2)
    gap = 2 - asked if len(hints) <= asked + 2 else 0
    rungs: Hints = (*hints[:asked], *("",) * gap, *hints[asked:], "", "", "")
    focus, principle, ask = rungs[:3]
    answered = ask.answer if isinstance(ask, Scaffold) else _("Now try the question again.") if ask else ""
    return [
        {"rung": 1, "focus": str(focus) or default.focus},
        {"rung": 2, "principle": str(principle) or default.principle},
        {"rung": 3, "ask": str(ask) or default.ask, "answer": answered or default.ask_answer},
        {"rung": 4, "example": "\n\n".join(filter(None, map(str, rungs[3:])))[:4000] or default.example},
        {"rung": 5, "solution": "auto"},
    ]


def _solution(question: ImportedQuestion, *, late: Hints, explains: bool) -> Iterator[str]:
    """Yield the right answer, the hints that give it away, and what the author says about it."""
    yield _("The right answer: %(answer)s") % {"answer": _right_answer(question)}
    yield from (str(hint) for hint in late)
    if explains and question.explanation:
        yield question.explanation[:4000]
    # What those are told who choose a wrong option stands at the option.
    for option in question.options if explains else ():
        if option.feedback and option.is_right:
            yield f"{option.text}: {option.feedback}"[:4000]


def _right_answer(question: ImportedQuestion) -> str:
    match question.kind:
        case "choice" | "multi":
            return "; ".join(option.text for option in question.options if option.is_right)
        case "order":
            return " → ".join(option.text for option in question.options)
        case "match":
            return "; ".join(f"{row} → {partner}" for row, partner in question.pairs)
        case "expression":
            return f"${question.accepted[0]}$"
        case "text":
            return _without_wildcards(question.accepted)[0]
        case _:
            return question.accepted[0]


def _tried(entry: Entry) -> tuple[dict[str, str], Exercise | None]:
    """Return what the checks of a course say against an exercise, by kind of problem, and the exercise."""
    try:
        named = entry | {"id": "question", "concept": "topic"}
        builder = TemplateBuilder(entry=TemplateEntry.model_validate(named), pictures={}, misconceptions={})
    except ValidationError as error:
        return {"form": str(error)}, None
    if faults := dict(builder.problems()):
        return {"form": next(iter(faults.values()))}, None
    problems: dict[str, str] = {}
    made = None
    for seed in range(_TRIALS):
        try:
            made = make_exercise(builder.built(), seed=seed, course=_EMPTY_COURSE)
            problems |= dict(find_exercise_problems(made))
        except ValueError as error:
            problems["form"] = str(error)
    return problems, made


def _told(problems: Mapping[str, str], question: ImportedQuestion) -> str:
    if problems and problems.keys().isdisjoint(("own", "form")):
        return _("The question shows its own answer.") if "shown" in problems else next(iter(problems.values()))
    answer = question.accepted[0] if question.accepted else _right_answer(question)
    return _("The program cannot grade its answer “%(answer)s”.") % {"answer": answer[:MAX_SHOWN]}
