"""The classifiers of one course: their weights, and how they are stored and loaded under the key of its wordings."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from agents.local_models import embeddings
from tutoring.understanding.classifiers import encoder
from tutoring.understanding.classifiers.heads import Head

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tutoring.courses.catalogue import CourseContent

    type Matrix = NDArray[np.floating]

SHIPPED: Final = Path(__file__).parents[1] / "weights"
# Bump it if features or fitting change: stored heads of another version are fitted again.
VERSION: Final = 5
VERDICTS: Final = ("right", "partly", "wrong")
SOFTMAX_HEADS: Final = ("misconceptions", "questions", "requests")
"""Names of the heads that give probabilities."""

loaded_heads: dict[str, "CourseHeads"] = {}
"""By key: heads loaded or fitted in this process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearScores:
    """Linear scores: `weights` [d + 1, k], the last row is the bias. About 1 for the label that holds, 0 for others."""

    labels: tuple[str, ...]
    weights: "Matrix"

    def of(self, vector: "Matrix") -> "Matrix":
        """Return a score for each label [k]."""
        import numpy as np

        # Not `@`: BLAS threads wait for each other on a busy machine.
        found: Matrix = np.einsum("i,ij->j", vector, self.weights[:-1]) + self.weights[-1]
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionReplies:
    """Parameters fitted to the labelled replies to one question."""

    centre: "Matrix"
    """Their mean embedding [384]."""
    weights: "Matrix"
    """Weights of the centered embedding [384, 3]."""
    right: frozenset[str]
    """The numbers in right replies."""
    wrong: frozenset[str]
    good: str
    """A right reply; empty if none is labelled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseHeads:
    misconceptions: Head
    own_odds: float
    """Added to the log odds of a misconception of the concept that is taught, to ask whether it is meant."""
    questions: Head
    """Which frequent question a message asks, see `question_label`; "" for none."""
    requests: Head
    """Which concept a message asks for, by id; "" for none."""
    milestones: LinearScores
    verdicts: LinearScores
    replied: Mapping[str, QuestionReplies]
    """By question, see `labelled_sentences.question_key`."""


def question_label(concept: str, place: int) -> str:
    """Return the label of a frequent question: its concept, and the place of its answer among the concept's."""
    return f"{concept} {place}"


def read_question_label(label: str) -> tuple[str, int]:
    """Return the concept and the place that `question_label` wrote."""
    concept, place = label.split()
    return concept, int(place)


def load_course_heads(course: "CourseContent") -> CourseHeads | None:
    """Return the course's heads; None without wordings, or if none are stored. Reads a file once."""
    if not course.wordings_key:
        return None
    key = heads_key(course)
    if (known := loaded_heads.get(key)) is not None:
        return known
    for path in (shipped_at(course), kept_at(key)):
        if (found := read_heads(path, key=key)) is not None:
            return loaded_heads.setdefault(key, found)
    return None


def heads_key(course: "CourseContent") -> str:
    """Return a hash of everything the heads depend on."""
    return sha256(f"{VERSION} {embeddings.model_id} {encoder.VERSION} {course.wordings_key}".encode()).hexdigest()


def is_shipped(course: "CourseContent") -> bool:
    """Tell whether the shipped heads were fitted on the course's present wordings."""
    return read_heads(shipped_at(course), key=heads_key(course)) is not None


def shipped_at(course: "CourseContent") -> Path:
    return SHIPPED / f"{course.id}.npz"


def kept_at(key: str) -> Path:
    from django.conf import settings

    return Path(settings.DATA_DIR) / "understanding" / f"{key}.npz"


def save_heads(heads: CourseHeads, path: Path, *, key: str) -> None:
    """Write heads to a file atomically. Raises OSError."""
    import numpy as np

    prompts = sorted(heads.replied)
    arrays: dict[str, Any] = {
        "key": np.array(key),
        "prompts": np.array(prompts),
        "own_odds": np.array(heads.own_odds),
    }
    for name in (*SOFTMAX_HEADS, "milestones", "verdicts"):
        scores: LinearScores | Head = getattr(heads, name)
        arrays[f"{name}.labels"] = np.array(scores.labels)
        arrays[f"{name}.weights"] = scores.weights.astype(np.float16)
    if prompts:
        arrays["centres"] = np.stack([heads.replied[each].centre for each in prompts]).astype(np.float16)
        arrays["weights"] = np.stack([heads.replied[each].weights for each in prompts]).astype(np.float16)
        for name in ("right", "wrong"):
            arrays[name] = np.array([" ".join(sorted(getattr(heads.replied[each], name))) for each in prompts])
        arrays["good"] = np.array([heads.replied[each].good for each in prompts])
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # A name of this process alone; `np.savez` appends .npz to any other ending.
    begun = path.with_suffix(f".{os.getpid()}.npz")
    np.savez_compressed(begun, **arrays)
    begun.replace(path)


def read_heads(path: Path, *, key: str) -> CourseHeads | None:
    """Return the heads in a file; None if it is missing, unreadable, or stored under another key."""
    import numpy as np

    try:
        with np.load(path, allow_pickle=False) as arrays:
            return _heads(arrays) if str(arrays["key"]) == key else None
    except (OSError, KeyError, ValueError):
        return None


def _heads(arrays: "Mapping[str, Any]") -> CourseHeads:
    import numpy as np

    prompts = [str(each) for each in arrays["prompts"]]
    replied: dict[str, QuestionReplies] = {}
    if prompts:
        centres, weights = arrays["centres"].astype(np.float32), arrays["weights"].astype(np.float32)
        right, wrong = arrays["right"], arrays["wrong"]
        for place, prompt in enumerate(prompts):
            replied[prompt] = QuestionReplies(
                centre=centres[place],
                weights=weights[place],
                right=frozenset(str(right[place]).split()),
                wrong=frozenset(str(wrong[place]).split()),
                good=str(arrays["good"][place]),
            )
    found = {name: _scores(arrays, name) for name in SOFTMAX_HEADS}
    return CourseHeads(
        **{name: Head(labels=each.labels, weights=each.weights) for name, each in found.items()},
        own_odds=float(arrays["own_odds"]),
        milestones=_scores(arrays, "milestones"),
        verdicts=_scores(arrays, "verdicts"),
        replied=replied,
    )


def _scores(arrays: "Mapping[str, Any]", name: str) -> LinearScores:
    import numpy as np

    labels = tuple(str(each) for each in arrays[f"{name}.labels"])
    return LinearScores(labels=labels, weights=arrays[f"{name}.weights"].astype(np.float32))
