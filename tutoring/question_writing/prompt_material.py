"""The prompt material of the question writer about a concept, and what its checker sees of a question."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tutoring.courses.catalogue import ConceptContent, CourseContent, LessonPiece, Template
from tutoring.courses.exercises.exercise import Exercise
from tutoring.courses.exercises.generator import make_exercise
from tutoring.courses.pictures import Picture

EXAMPLES = 2
_WORDS = re.compile(r"[^\W\d_]+|\d+")
LESSON_CHARACTERS = 3_000
KNOWN_SHOWN = 20
"""Earlier questions that the writer is told not to repeat, latest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WritingFacts:
    """The facts for the writer, the checker and the code check of one ordered question."""

    order: int
    """Its number; also chooses the examples, so that orders differ."""
    course: CourseContent
    concept: ConceptContent
    written: tuple[Exercise, ...] = ()
    """The concept's written questions so far, latest first."""

    @property
    def known(self) -> tuple[str, ...]:
        """Every question already asked on the concept, as `likeness` gives it."""
        exercises = [*self.written, *(self._example(template) for template in self.concept.templates)]
        return tuple(comparison_key(each.stem, (choice.text for choice in each.choices)) for each in exercises)

    @property
    def examples(self) -> tuple[Exercise, ...]:
        fitting = [each for each in self.concept.templates if _stands_without_picture(each)]
        chosen = [fitting[(self.order + place) % len(fitting)] for place in range(min(EXAMPLES, len(fitting)))]
        return tuple(map(self._example, chosen))

    def _example(self, template: Template) -> Exercise:
        return make_exercise(template, seed=self.order, course=self.course)


def _stands_without_picture(template: Template) -> bool:
    drawn = template.picture or any(choice.picture for choice in template.choices)
    return template.kind in ("numeric", "choice") and not drawn


def writer_material(facts: WritingFacts) -> str:
    """Return the material for the writer beside its prompt."""
    blocks = (
        f"Concept: {facts.concept.title}. {facts.concept.summary}",
        f"Language: {facts.course.language}",
        f"The lesson says:\n{_lesson(facts.concept)[:LESSON_CHARACTERS]}",
        _listed("Misconceptions, by id", _misconceptions(facts)),
        _listed("Questions as they should be", map(example_as_text, facts.examples)),
        _listed("Asked already; write another one", [each.stem for each in facts.written[:KNOWN_SHOWN]]),
    )
    return "\n\n".join(filter(None, blocks))


def question_text(exercise: Exercise) -> str:
    """Return a question as a learner sees it, in words."""
    choices = "\n".join(f"{choice.letter}) {choice.text}" for choice in exercise.choices)
    return "\n\n".join(filter(None, (exercise.stem, choices)))


def example_as_text(exercise: Exercise) -> str:
    shown = {
        "stem": exercise.stem,
        "choices": [choice.text for choice in exercise.choices],
        "solution": list(exercise.solution),
        "hints": list(exercise.hints[:-1]),
    }
    return json.dumps(shown, ensure_ascii=False)


def comparison_key(stem: str, choices: Iterable[str]) -> str:
    """Return a question in a form for comparison: its words in order, every number the same, choices sorted."""
    words = [_masked(stem), *sorted(map(_masked, choices))]
    return " ".join(filter(None, words))


def _masked(text: str) -> str:
    return " ".join("#" if word.isdigit() else word for word in _WORDS.findall(text.casefold()))


def _listed(title: str, lines: Iterable[str]) -> str:
    shown = "\n".join(f"- {line}" for line in lines)
    return f"{title}:\n{shown}" if shown else ""


def _lesson(concept: ConceptContent) -> str:
    pieces = (*concept.pieces.get("beginner", ()), *concept.examples)
    return "\n".join(" ".join(_said(piece)) for piece in pieces)


def _said(piece: LessonPiece) -> Iterator[str]:
    for block in piece.blocks:
        yield f"(picture: {block.alt})" if isinstance(block, Picture) else block


def _misconceptions(facts: WritingFacts) -> Iterator[str]:
    for each in facts.course.misconceptions.values():
        if facts.concept.id in each.concepts or any(each.id in one.misconceptions for one in facts.concept.templates):
            yield f"{each.id}: {each.says}"
