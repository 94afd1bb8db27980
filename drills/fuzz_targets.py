"""What the fuzzer tries, and one run of it: `python -m drills.fuzz_targets TARGET [options of libFuzzer]`.

Atheris gives a target bytes and learns from the code that they reach. A target may refuse its input with the errors that
its readers promise; every other error is a fault, as is an input that takes too long.
"""

import sys
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from typing import Final

import atheris

with atheris.instrument_imports(include=["agents", "conversations", "tutoring"]):
    import django

    django.setup()

    from agents.sockets.frames import parse_frame, parse_json
    from agents.tools.arithmetic import CannotCalculate
    from agents.tools.calculator import calculate
    from agents.tools.sql import QueryRefused
    from agents.tools.sql.statements import checked_select
    from agents.wire.rejections import Rejection
    from conversations.readers import cnxml
    from conversations.readers.document import Unreadable
    from conversations.web.markup import to_html
    from tutoring.course_imports.files import read_file
    from tutoring.course_imports.questions import ImportRefused
    from tutoring.courses.files.faults import CourseFaults
    from tutoring.courses.files.yaml_documents import read_yaml
    from tutoring.grading import ChoiceKey, NumericKey, TextKey
    from tutoring.grading.grader import grade
    from tutoring.grading.keys import Idea

LONGEST: Final = 2_000
"""Characters of an answer; the pages take no longer ones."""
KEYS: Final = (
    NumericKey(value="1/2"),
    ChoiceKey(right="B", options=(("A", "Both"), ("B", "Neither"))),
    TextKey(ideas=(Idea(any=("equal",), name="equal parts"),)),
)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def fuzz_answer(data: bytes) -> None:
    for key in KEYS:
        grade(key, _text(data)[:LONGEST])


def fuzz_calculation(data: bytes) -> None:
    calculate(_text(data))


def fuzz_frame(data: bytes) -> None:
    parse_frame(parse_json(_text(data)))


def fuzz_sql(data: bytes) -> None:
    checked_select(_text(data))


def fuzz_markdown(data: bytes) -> None:
    shown = to_html(_text(data)[:LONGEST]).casefold()
    assert "<script" not in shown
    assert "<img" not in shown


def fuzz_questions(data: bytes) -> None:
    """Questions of another system, in whichever format they seem to be."""
    read_file("questions.txt", data)


def fuzz_yaml(data: bytes) -> None:
    read_yaml(_text(data), file="course.yaml")


def fuzz_textbook(data: bytes) -> None:
    list(cnxml.parts(BytesIO(data)))


TARGETS: Final[dict[str, tuple[Callable[[bytes], None], tuple[type[Exception], ...]]]] = {
    "answer": (fuzz_answer, ()),
    "calculation": (fuzz_calculation, (CannotCalculate,)),
    "frame": (fuzz_frame, (Rejection,)),
    "sql": (fuzz_sql, (QueryRefused,)),
    "markdown": (fuzz_markdown, ()),
    "questions": (fuzz_questions, (ImportRefused,)),
    "yaml": (fuzz_yaml, (CourseFaults,)),
    "textbook": (fuzz_textbook, (Unreadable,)),
}
"""By name: what is tried, and with which errors it may refuse its input."""


def main(name: str, options: list[str]) -> None:
    attempt, refusals = TARGETS[name]

    def one_input(data: bytes) -> None:
        with suppress(*refusals):
            attempt(data)

    atheris.Setup([name, *options], one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
