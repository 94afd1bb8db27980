"""Finds misconceptions and milestones of a course whose sentences resemble another's, for the author to separate."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tutoring.understanding.classifiers import encoder
from tutoring.understanding.classifiers.labelled_sentences import labelled_sentences

if TYPE_CHECKING:
    from tutoring.courses.catalogue import CourseContent

# Odd, for a majority; ideas of Fractions have at least 16 sentences. Chosen by hand.
NEAREST: Final = 5
"""Sentences that a sentence is compared with."""
# A third of the wordings on the wrong side is worth an author's time; single ones are noise. Chosen by hand.
CONFUSED: Final = 1 / 3
"""Share of an idea's sentences from which a confusion is reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusion:
    """An idea some of whose sentences have another idea's sentences as nearest neighbors."""

    idea: str
    other: str
    sentences: int
    of: int
    example: str

    def __str__(self) -> str:
        return (
            f"{self.idea} sounds like {self.other}: {self.sentences} of {self.of} sentences, such as “{self.example}”"
        )


def confusions_in(course: "CourseContent") -> list[Confusion]:
    """Return confusions, the worst first; none without wordings. 3 ms a sentence. Raises EmbeddingModelMissing."""
    said = {
        row.text: row.misconception or row.milestone for row in labelled_sentences(course) if row.label == "sayings"
    }
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for text, other in _misplaced(said):
        found[said[text], other].append(text)
    counts = Counter(said.values())
    confused = [
        Confusion(idea=idea, other=other, sentences=len(texts), of=counts[idea], example=min(texts, key=len))
        for (idea, other), texts in found.items()
        if len(texts) >= CONFUSED * counts[idea]
    ]
    return sorted(confused, key=lambda each: each.sentences / each.of, reverse=True)


def _misplaced(said: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield sentences most of whose nearest neighbors belong to another idea, with that idea."""
    import numpy as np

    if len(said) <= NEAREST:
        return
    texts = list(said)
    vectors = np.stack([encoder.encode(text) for text in texts])
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)
    alike = vectors @ vectors.T
    np.fill_diagonal(alike, -1.0)
    for place, nearest in enumerate(np.argpartition(-alike, NEAREST, axis=1)[:, :NEAREST].tolist()):
        idea, count = Counter(said[texts[each]] for each in nearest).most_common(1)[0]
        if idea != said[texts[place]] and count > NEAREST // 2:
            yield texts[place], idea
