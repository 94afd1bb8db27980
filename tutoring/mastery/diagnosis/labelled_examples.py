"""What learners say and answer when they hold a course's wrong ideas: examples that code goes by.

`courses/COURSE/sayings.yaml` has what is said, `examples/COURSE_answers.yaml` has wrong answers; a course may have neither.
After a change of the first: python -m tutoring.mastery.diagnosis.labelled_examples
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

from agents.routing.classifier import load_classifier
from agents.routing.features import OUT_OF_SCOPE, read_examples
from tutoring.mastery.diagnosis.similar_answers import WrongAnswer
from tutoring.understanding.parsing.arithmetic import describe_claims
from tutoring.understanding.parsing.assertions import plain_text

FOLDER = Path(__file__).parent / "examples"
COURSES = Path(__file__).parents[3] / "courses"
BETWEEN = " | "
"""Stands between a question and its answer."""


@lru_cache(maxsize=512)
def misconception_scores(text: str, course: str) -> Mapping[str, float]:
    """Return how much a text speaks for each wrong idea of a course, from about 0 to about 1; empty without examples.

    Under `none` it is how much speaks for something else. Takes a few milliseconds; the first time loads the model.
    """
    path = COURSES / course / "sayings.yaml"
    return load_classifier(path, prepared=describe_text).scores(describe_text(text)) if path in _files() else {}


@cache
def labelled_answers(course: str) -> Mapping[str, Sequence[WrongAnswer]]:
    """Return by wrong idea the answers that show it."""
    path = FOLDER / f"{course}_answers.yaml"
    found = read_examples(path) if path in _files() else {}
    return {idea: tuple(map(_wrong_answer, texts)) for idea, texts in found.items()}


def describe_text(text: str) -> str:
    """Return a text in plain words, with what it claims in numbers described."""
    return describe_claims(" ".join(plain_text(text).split()))


@cache
def _files() -> frozenset[Path]:
    """Return the files there are: a course's id never makes a path of its own."""
    return frozenset((*FOLDER.glob("*.yaml"), *COURSES.glob("*/sayings.yaml")))


def _wrong_answer(text: str) -> WrongAnswer:
    question, _, answer = text.partition(BETWEEN)
    return WrongAnswer(question=question, answer=answer)


def example_files() -> list[Path]:
    """Return the files of what is said."""
    return [path for path in sorted(_files()) if path.stem == "sayings"]


NONE = OUT_OF_SCOPE

if __name__ == "__main__":
    from agents.routing.training import save_weights
    from tutoring.mastery.diagnosis import labelled_examples

    for file in example_files():
        save_weights(file, prepared=labelled_examples.describe_text)
