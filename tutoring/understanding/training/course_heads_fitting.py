"""Fits a course's classifiers to its wordings: ridge regressions with leave-one-out scores."""

import contextlib
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from agents.local_models import embeddings
from tutoring.understanding.classifiers import encoder, misconceptions
from tutoring.understanding.classifiers.course_heads import (
    VERDICTS,
    CourseHeads,
    LinearScores,
    QuestionReplies,
    heads_key,
    kept_at,
    load_course_heads,
    loaded_heads,
    save_heads,
    shipped_at,
)
from tutoring.understanding.classifiers.features import meaning_vector, piece_vector
from tutoring.understanding.classifiers.heads import Head
from tutoring.understanding.classifiers.labelled_sentences import (
    LabelledQuestion,
    LabelledSentence,
    labelled_questions,
    labelled_sentences,
)
from tutoring.understanding.parsing.assertions import plain_text
from tutoring.understanding.parsing.claim_descriptions import describe_text
from tutoring.understanding.parsing.spelling_cleanup import tidy_text
from tutoring.understanding.replies.signs import distinctive_meaning, numbers_in_reply, reply_signs, reply_vector
from tutoring.understanding.training import head_fitting, tuning_examples
from tutoring.understanding.training.question_heads_fitting import fit_question_head, fit_request_head

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tutoring.courses.catalogue import CourseContent

    type Matrix = NDArray[np.floating]

# Ridge penalty of milestones and verdicts; chosen by hand (2026-11-23). The thresholds of both were fitted after it.
DECAY: Final = 1.0
# L2 penalty and steps of the head on the encoder's vectors. Chosen by hand with the development set in view
# (2026-11-24); the runs are not on record.
DECAY_OF_MISCONCEPTIONS: Final = 2e-5
STEPS_OF_MISCONCEPTIONS: Final = 250
FOLDS: Final = 3
# Chosen by hand (2026-11-29): about four times as many are then asked whether they mean a misconception. To name one with
# the same odds was tried, and contradicted learners who were right in played lessons.
FALSE_ALARMS: Final = 0.005
"""The share of sentences without a misconception in which one would be named, in a lesson that it belongs to."""
MOST_ADDED: Final = 3.0
"""The most that is added to the log odds, for a course with few harmless sentences."""
# The wordings of Fractions aim at 8 right, 4 partly and 6 wrong replies a question (on average 7.5, 3.7 and 5.8).
PRIOR: Final = (8 / 18, 4 / 18, 6 / 18)
"""Prior of the verdicts, in the order of VERDICTS."""
UNKNOWN: Final = "?"
"""Label of a row that the head is not fitted on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedCourseHeads:
    """Heads, the rows they were fitted on, and the rows' leave-one-out scores [n, k]."""

    heads: CourseHeads
    rows: Sequence[LabelledSentence]
    milestones: "Matrix"
    replies: Sequence[LabelledSentence]
    verdicts: "Matrix"


def fit_shipped(course: "CourseContent") -> str:
    """Fit the heads of a shipped course, store them next to the general ones, and return a line about them.

    Raises EmbeddingModelMissing, OSError.
    """
    path = shipped_at(course)
    save_heads(fit_course_heads(course).heads, path, key=heads_key(course))
    return f"{path.name}: {path.stat().st_size / 1000:.0f} kB"


def fit_course_heads(course: "CourseContent") -> FittedCourseHeads:
    """Return the heads of a course with wordings. Takes 4 ms a sentence, plus half a minute for 9,000."""
    import numpy as np

    rows, asked = labelled_sentences(course), labelled_questions(course)
    meanings = {text: meaning_vector(tidy_text(text)) for text in dict.fromkeys(each.text for each in rows)}
    said = np.stack([np.hstack([meanings[each.text], piece_vector(describe_text(each.text))]) for each in rows])
    reached, reached_left = _ridge(said, [_reached_by(each) for each in rows])
    replies = [_as_reply(each) for each in rows if each.kind in ("reply", "milestone")]
    verdicts, replied, verdicts_left = _fit_verdicts(replies, asked, meanings)
    named, own_odds = fit_misconceptions(course)
    return FittedCourseHeads(
        heads=CourseHeads(
            misconceptions=named,
            own_odds=own_odds,
            questions=fit_question_head(course),
            requests=fit_request_head(course),
            milestones=reached,
            verdicts=verdicts,
            replied=replied,
        ),
        rows=rows,
        milestones=reached_left,
        replies=replies,
        verdicts=verdicts_left,
    )


def fit_misconceptions(course: "CourseContent") -> tuple[Head, float]:
    """Return the head of misconceptions, and what is added to the log odds of those of the concept that is taught.

    It is fitted on the course's sentences and those of other writers. Most of them show no misconception; of what is said
    in a lesson, more does. What is added is the most with which few enough sentences of held-out folds that show none
    would be named.
    """
    import numpy as np

    known = {
        each.said: each.labels["misconception"]
        for each in tuning_examples.course_examples(course)
        if "misconception" in each.labels
    }
    rows = np.stack([misconceptions.sentence_vector(each) for each in known]).astype(np.float32)
    labels = list(known.values())
    folds = np.array([int(sha256(each.casefold().encode()).hexdigest(), 16) % FOLDS for each in known])
    odds = [each for fold in range(FOLDS) for each in _odds_of_harmless(course, rows, labels, folds == fold)]
    named = math.log(misconceptions.HELD / (1 - misconceptions.HELD))
    # What each would need to be named.
    reached = sorted(named - each for each in odds)
    alarms = int(FALSE_ALARMS * len(reached))
    own_odds = min(MOST_ADDED, max(0.0, reached[alarms])) if reached else 0.0
    return _fit_sentences(rows, labels), round(own_odds, 2)


def _odds_of_harmless(
    course: "CourseContent", rows: "Matrix", labels: Sequence[str], held: "NDArray[np.bool_]"
) -> Iterator[float]:
    """Yield the log odds of the likeliest misconception of each concept, for held-out sentences that show none."""
    import numpy as np

    kept = np.flatnonzero(~held)
    if "" not in {labels[at] for at in kept.tolist()}:
        return
    head = _fit_sentences(rows[kept], [labels[at] for at in kept.tolist()])
    taught = [
        [at for at, idea in enumerate(head.labels) if idea and concept.id in course.misconceptions[idea].concepts]
        for concept in course.concepts
    ]
    none = head.labels.index("")
    for at in np.flatnonzero(held).tolist():
        if labels[at] == "":
            chances = head.probabilities(rows[at])
            logs = np.log(np.maximum([chances[each] for each in head.labels], 1e-9))
            for own in filter(None, taught):
                yield float(logs[own].max() - logs[none])


def _fit_sentences(rows: "Matrix", labels: Sequence[str]) -> Head:
    return head_fitting.fit_head(rows, labels, decay=DECAY_OF_MISCONCEPTIONS, steps=STEPS_OF_MISCONCEPTIONS)


def _reached_by(row: LabelledSentence) -> str:
    """Return the milestone of a row; unknown for a right reply, which may state one."""
    return UNKNOWN if row.kind == "reply" and row.label != "wrong" else row.milestone


def _as_reply(row: LabelledSentence) -> LabelledSentence:
    """Return a row as a reply to its question; a sentence that only resembles a milestone is a wrong reply to it."""
    if row.kind == "milestone":
        return replace(row, label="right" if row.milestone else "wrong")
    return row


def _ridge(vectors: "Matrix", labels: Sequence[str]) -> "tuple[LinearScores, Matrix]":
    """Return ridge scores fitted to rows [n, d], and leave-one-out scores [n, k]; unknown rows are only scored."""
    import numpy as np

    told = np.array([label != UNKNOWN for label in labels])
    names = tuple(sorted({*labels} - {UNKNOWN}))
    data = np.hstack([vectors, np.ones((len(vectors), 1))]).astype(np.float64)
    truth = np.array([[label == name for name in names] for label in labels], dtype=np.float64)
    moments = data[told].T @ data[told]
    # The bias is all but free of the penalty.
    moments[np.diag_indices(len(moments))] += [*[DECAY] * (len(moments) - 1), 1e-6]
    inverse = np.linalg.inv(moments)
    weights = inverse @ (data[told].T @ truth[told])
    pull = np.where(told, np.einsum("ij,ij->i", data @ inverse, data), 0.0)[:, None]
    left = (data @ weights - pull * truth) / (1 - pull)
    return LinearScores(labels=names, weights=weights.astype(np.float32)), left


def _fit_verdicts(
    replies: Sequence[LabelledSentence], asked: Mapping[str, LabelledQuestion], meanings: "Mapping[str, Matrix]"
) -> "tuple[LinearScores, dict[str, QuestionReplies], Matrix]":
    """Return the verdict head shared by all questions, the parameters of each question, and leave-one-out scores.

    One ridge regression in dual form: the kernel compares embedding, n-grams and features, and adds the centered
    embeddings for replies to the same question.
    """
    import numpy as np

    said, places = _numbers(replies), _places(replies)
    means = np.stack([meanings[each.text] for each in replies])
    centres = {prompt: means[found].mean(axis=0) for prompt, found in places.items()}
    apart = np.stack(
        [distinctive_meaning(centres[each.prompt], mean) for each, mean in zip(replies, means, strict=True)]
    )
    shared = np.stack(
        [
            reply_vector(mean, plain_text(each.text), _signs(each, asked[each.prompt], said), away)
            for each, mean, away in zip(replies, means, apart, strict=True)
        ]
    )
    alike = shared @ shared.T
    for found in places.values():
        alike[np.ix_(found, found)] += apart[found] @ apart[found].T
    prior = np.array(PRIOR, dtype=np.float32)
    truth = np.array([[each.label == name for name in VERDICTS] for each in replies], dtype=np.float32) - prior
    inverse = np.linalg.inv(alike + DECAY * np.eye(len(alike), dtype=np.float32))
    duals = inverse @ truth
    left = truth - duals / np.diag(inverse)[:, None] + prior
    replied = {
        prompt: QuestionReplies(
            centre=centres[prompt],
            weights=apart[found].T @ duals[found],
            right=frozenset(said[prompt, "right"]),
            wrong=frozenset(said[prompt, "wrong"]),
            good=next((replies[each].text for each in found if replies[each].label == "right"), ""),
        )
        for prompt, found in places.items()
    }
    return LinearScores(labels=VERDICTS, weights=np.vstack([shared.T @ duals, prior])), replied, left


def _places(replies: Sequence[LabelledSentence]) -> dict[str, list[int]]:
    places = defaultdict(list)
    for place, each in enumerate(replies):
        places[each.prompt].append(place)
    return dict(places)


def _numbers(replies: Sequence[LabelledSentence]) -> Mapping[tuple[str, str], Counter[str]]:
    """Return by question and verdict how many replies contain each number."""
    found: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for each in replies:
        found[each.prompt, each.label].update(numbers_in_reply(plain_text(each.text)))
    return found


def _signs(row: LabelledSentence, asked: LabelledQuestion, said: Mapping[tuple[str, str], Counter[str]]) -> list[float]:
    """Return a labelled reply's features, with the numbers of the other replies to its question."""
    own = Counter(numbers_in_reply(plain_text(row.text)))
    others = {
        label: said[row.prompt, label] - own if row.label == label else said[row.prompt, label]
        for label in ("right", "wrong")
    }
    return reply_signs(
        plain_text(row.text),
        ideas=asked.ideas,
        question=asked.question,
        right=others["right"].keys(),
        wrong=others["wrong"].keys(),
    )


def prepare_course_heads(course: "CourseContent") -> CourseHeads | None:
    """Return the heads of a course with wordings: those kept, else fitted now, in seconds, and kept. For a thread.

    None without wordings, without the sentence model or without the encoder. Where the data folder cannot be written they stay in memory.
    """
    from tutoring.understanding.training.course_heads_fitting import fit_course_heads

    if not course.wordings_key or not embeddings.is_available() or not encoder.is_available():
        return None
    if (found := load_course_heads(course)) is not None:
        return found
    key = heads_key(course)
    found = loaded_heads[key] = fit_course_heads(course).heads
    with contextlib.suppress(OSError):
        save_heads(found, kept_at(key), key=key)
    return found
