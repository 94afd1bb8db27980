"""Decides by code whether a written question may be asked, from the draft and from the checker's solution."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import combinations
from typing import Final, Literal

from tutoring.courses.catalogue import CourseContent
from tutoring.courses.checks.exercise_trials import find_exercise_problems
from tutoring.courses.checks.style import MAX_GRADE, reading_grade, word_count
from tutoring.courses.exercises.exercise import Exercise
from tutoring.grading import grade, numbers_in
from tutoring.grading.parsing.normalization import normalize_answer
from tutoring.grading.parsing.number_finder import number_spans
from tutoring.output_checks import output_policy
from tutoring.output_checks.answer_disclosure import discloses_answer
from tutoring.question_writing.drafts import CheckerAnswer, DraftQuestion, UnusableDraft, draft_to_exercise
from tutoring.question_writing.prompt_material import WritingFacts, comparison_key

ProblemReason = Literal[
    "shape", "length", "markup", "language", "wording", "key", "two_right", "misconception", "leak", "solution",
    "repeats", "checker",
]  # fmt: skip

LONGEST_STEM, LONGEST_HINT, LONGEST_LINE, LONGEST_CHOICE = 70, 60, 40, 25
"""In words."""
LONGEST_TEXT = 800
"""In characters, for text that is all one word."""
MOST_LINES = 12
SIMILARITY_LIMIT = 0.85
"""Share of common words from which two questions are the same: numbers do not count, another one makes no new question."""
FOREIGN = 0.1
"""Share of letters outside the language's alphabet from which a text is not in it."""

_MARKUP = re.compile(r"<[a-zA-Z/!?]|[\[\]`{}|~\\$]|^\s{0,3}(?:#|>|[-+*]\s|\d+[.)]\s)|__|\*\*|&\w+;|&#", re.MULTILINE)
_UNSEEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ue000-\uf8ff\ufeff\ud800-\udfff]"
)
_LETTER = re.compile(
    r"\b(?:[Oo]ption|[Cc]hoice|[Aa]nswer|[Ll]etter)s?\s+\(?[A-H]\b|\([A-Ha-h]\)|^\s*[A-H][).:]", re.MULTILINE
)
_PICTURE = re.compile(
    r"\b(?:picture|drawing|diagram|image|figure)s?\s+(?:above|below|shown|here)|\bshown (?:above|below)\b", re.I
)
_TOKENS = re.compile(r"[\w/]+|[-+=<>]")
_WORDS = re.compile(r"[^\W\d_]+")
_COMMON: Final[Mapping[str, frozenset[str]]] = {
    "en": frozenset(
        [
            "the",
            "a",
            "an",
            "is",
            "are",
            "of",
            "to",
            "in",
            "and",
            "how",
            "what",
            "which",
            "many",
            "much",
            "one",
            "each",
            "does",
            "do",
            "you",
            "it",
            "has",
            "have",
            "with",
            "for",
            "that",
            "at",
            "all",
        ]
    )
}
"""Words of which every question of the language contains one; a language that is missing here is not checked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionProblem:
    """Why a question may not be asked."""

    reason: ProblemReason
    detail: str = ""


def find_problem(draft: DraftQuestion, facts: WritingFacts) -> QuestionProblem | None:
    """Return the first problem of a draft by itself; None for a question worth solving."""
    try:
        exercise = draft_to_exercise(draft, order=facts.order, concept=facts.concept.id)
    except UnusableDraft as error:
        return QuestionProblem(reason="shape", detail=str(error))
    checks: tuple[Callable[[], Iterator[QuestionProblem]], ...] = (
        lambda: _length(exercise),
        lambda: _wording(exercise, facts.course.language),
        lambda: _grading(exercise),
        lambda: _misconceptions(exercise, facts.course),
        lambda: _hints(exercise),
        lambda: _repeats(exercise, facts.known),
    )
    return next((problem for check in checks for problem in check()), None)


def find_disagreement(exercise: Exercise, checked: CheckerAnswer) -> QuestionProblem | None:
    """Return a problem if the checker, who saw only the question, got another answer than its key."""
    judgement = grade(exercise.key, checked.answer[:LONGEST_TEXT])
    if judgement.is_correct:
        return None
    return QuestionProblem(reason="checker", detail=f"{checked.answer[:80]!r} is {judgement.verdict}")


def _length(exercise: Exercise) -> Iterator[QuestionProblem]:
    limits = (
        ("stem", (exercise.stem,), LONGEST_STEM),
        ("hint", exercise.hints[:-1], LONGEST_HINT),
        ("solution", exercise.solution, LONGEST_LINE),
        ("choice", tuple(choice.text for choice in exercise.choices), LONGEST_CHOICE),
    )
    for name, texts, most in limits:
        if any(word_count(text) > most or len(text) > LONGEST_TEXT for text in texts):
            yield QuestionProblem(reason="length", detail=f"{name}: more than {most} words")
    if len(exercise.solution) > MOST_LINES:
        yield QuestionProblem(reason="length", detail=f"solution: more than {MOST_LINES} lines")


def _texts(exercise: Exercise) -> tuple[str, ...]:
    choices = (choice.text for choice in exercise.choices)
    return (exercise.stem, *choices, *exercise.hints[:-1], *exercise.solution)


def _wording(exercise: Exercise, language: str) -> Iterator[QuestionProblem]:
    texts = _texts(exercise)
    for text in texts:
        if _UNSEEN.search(text) or _MARKUP.search(text):
            yield QuestionProblem(reason="markup", detail=repr(text[:80]))
        if problem := output_policy.find_policy_problem(text, questions=3):
            yield QuestionProblem(reason="wording", detail=problem)
        if "!" in text or _LETTER.search(text) or _PICTURE.search(text):
            yield QuestionProblem(reason="wording", detail=repr(text[:80]))
    if (grade_level := reading_grade(exercise.stem)) > MAX_GRADE:
        yield QuestionProblem(reason="wording", detail=f"reads like school grade {grade_level:.1f}")
    if not _is_in(language, exercise.stem, " ".join(texts)):
        yield QuestionProblem(reason="language", detail=f"not in {language!r}")


def _is_in(language: str, stem: str, everything: str) -> bool:
    common = _COMMON.get(language.partition("-")[0])
    if common is None:
        return True
    letters = [letter for letter in everything if letter.isalpha()]
    foreign = sum(not letter.isascii() for letter in letters)
    return foreign <= FOREIGN * len(letters) and bool(common & set(_WORDS.findall(stem.casefold())))


_OF_THE_EXERCISE: Final[Mapping[str, ProblemReason]] = {"own": "key", "wrong": "two_right", "solution": "solution"}


def _grading(exercise: Exercise) -> Iterator[QuestionProblem]:
    """Yield what the course checks find, and choices that mean the same."""
    for kind, detail in find_exercise_problems(exercise):
        yield QuestionProblem(reason=_OF_THE_EXERCISE.get(kind, "leak"), detail=detail)
    for first, second in combinations(exercise.choices, 2):
        if _meaning(first.text) == _meaning(second.text):
            yield QuestionProblem(
                reason="two_right", detail=f"{first.text[:40]!r} and {second.text[:40]!r} say the same"
            )


def _meaning(text: str) -> list[str]:
    """Return a choice's words with every number as its value: "One half." is "1/2"."""
    text = normalize_answer(text).casefold()
    for span in number_spans(text):
        if values := numbers_in(span):
            text = text.replace(span, f" {values[0]} ", 1)
    return _TOKENS.findall(text)


def _misconceptions(exercise: Exercise, course: CourseContent) -> Iterator[QuestionProblem]:
    for ids in exercise.wrong.values():
        for unknown in set(ids) - course.misconceptions.keys():
            yield QuestionProblem(reason="misconception", detail=f"there is no {unknown[:60]!r}")


def _hints(exercise: Exercise) -> Iterator[QuestionProblem]:
    for rung, hint in enumerate(exercise.hints[:-1], start=1):
        if discloses_answer(hint, exercise):
            yield QuestionProblem(reason="leak", detail=f"hint {rung}: {hint[:80]!r}")


def _repeats(exercise: Exercise, known: Iterable[str]) -> Iterator[QuestionProblem]:
    own = comparison_key(exercise.stem, (choice.text for choice in exercise.choices)).split()
    for other in known:
        matcher = SequenceMatcher(None, own, other.split(), autojunk=False)
        if matcher.quick_ratio() >= SIMILARITY_LIMIT and matcher.ratio() >= SIMILARITY_LIMIT:
            yield QuestionProblem(reason="repeats", detail=other[:80])
