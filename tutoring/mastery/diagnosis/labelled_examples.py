"""Labelled examples of a course's misconceptions: utterances and wrong answers.

`courses/COURSE/sayings.yaml` has utterances, `examples/COURSE_answers.yaml` wrong answers; a course may have neither.
After a change of the first: python -m tutoring.mastery.diagnosis.labelled_examples
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

from agents.routing.classifier import load_classifier
from agents.routing.features import OUT_OF_SCOPE, read_examples
from tutoring.courses.wrong_answers import WrongAnswer
from tutoring.understanding.parsing.claim_descriptions import describe_text

FOLDER = Path(__file__).parent / "examples"
COURSES = Path(__file__).parents[3] / "courses"
BETWEEN = " | "
"""Separates a question from its answer."""


@lru_cache(maxsize=512)
def misconception_scores(text: str, course: str) -> Mapping[str, float]:
    """Return the score of each misconception of a course for a text, from about 0 to about 1; empty without examples.

    `none` is the score of something else. Takes a few milliseconds; the first call loads the model.
    """
    path = COURSES / course / "sayings.yaml"
    return load_classifier(path, prepared=describe_text).scores(describe_text(text)) if path in _files() else {}


@cache
def labelled_answers(course: str) -> Mapping[str, Sequence[WrongAnswer]]:
    """Return the labelled wrong answers of each misconception."""
    path = FOLDER / f"{course}_answers.yaml"
    found = read_examples(path) if path in _files() else {}
    return {idea: tuple(map(_wrong_answer, texts)) for idea, texts in found.items()}


@cache
def _files() -> frozenset[Path]:
    """Return the existing files; a course id is only compared with them, never used as a path."""
    return frozenset((*FOLDER.glob("*.yaml"), *COURSES.glob("*/sayings.yaml")))


def _wrong_answer(text: str) -> WrongAnswer:
    question, _, answer = text.partition(BETWEEN)
    return WrongAnswer(question=question, answer=answer)


def example_files() -> list[Path]:
    """Return the files of utterances."""
    return [path for path in sorted(_files()) if path.stem == "sayings"]


NONE = OUT_OF_SCOPE

if __name__ == "__main__":
    from agents.routing.training import save_weights
    from tutoring.understanding.parsing import claim_descriptions

    for file in example_files():
        # Prepared as in `misconception_scores`: weights fit only texts of the same form.
        save_weights(file, prepared=claim_descriptions.describe_text)
