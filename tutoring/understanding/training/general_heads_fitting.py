"""Fits the course-independent heads (intent, mood) to their labelled rows: `manage.py fit_understanding`."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from zipfile import BadZipFile

from agents.local_models import embeddings
from agents.routing.features import read_examples
from tutoring.understanding.classifiers import features, heads, message_signs
from tutoring.understanding.classifiers.general_heads import (
    DATA,
    MEANING_SHARE,
    SIGNS_SHARE,
    VERSION,
    WEIGHTS,
    GeneralHeads,
    load_general_heads,
    message_vector,
)
from tutoring.understanding.concerns import detector
from tutoring.understanding.message import MessageText
from tutoring.understanding.parsing.spelling_cleanup import tidy_text
from tutoring.understanding.training import head_fitting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tutoring.understanding.classifiers.features import Vector

# L2 penalties; the runs are not on record. Mood was halved when its rows were labelled anew (2026-11-23).
DECAYS: Final[Mapping[str, float]] = {"intent": 2e-4, "mood": 1e-4}
# 300 steps take under a minute; stopping early also keeps rare intents from being learned by heart. No sweep on record.
STEPS: Final = 300
# All of these rows would make `ok` far more frequent than any mood; every third one makes it nine times as frequent.
CALM: Final = (
    "answer", "idea", "go_on", "calculate", "greeting", "thanks", "plan", "progress", "goal", "ask_quiz", "emotion_positive",
    "question_content", "small_talk", "resume", "tool_request", "off_topic", "change_topic", "question_meta", "disagree",
    "correction_of_tutor",
)  # fmt: skip
"""Intents whose rows are used as rows of the mood `ok`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledMessage:
    """A message with its label."""

    text: str
    label: str
    asked: str = ""
    also: tuple[str, ...] = ()


def is_current() -> bool:
    """Tell whether the stored weights were fitted on the present labelled rows."""
    import numpy as np

    try:
        with np.load(WEIGHTS, allow_pickle=False) as kept:
            return str(kept["key"]) == weights_key()
    except (OSError, KeyError, ValueError, EOFError, BadZipFile):
        return False


def fit() -> str:
    """Fit on all labelled rows, store the weights, and return a line about them. Takes under a minute.

    Raises EmbeddingModelMissing.
    """
    import numpy as np

    known = fit_heads({"intent": intent_rows(), "mood": mood_rows()})
    WEIGHTS.parent.mkdir(exist_ok=True)
    arrays: dict[str, Any] = {**head_fitting.as_arrays(known.heads), "centre": known.centre.astype(np.float16)}
    about = {"key": weights_key(), "version": VERSION, "model": embeddings.model_id}
    arrays |= {name: np.array(value) for name, value in about.items()}
    np.savez_compressed(WEIGHTS, **arrays)
    load_general_heads.cache_clear()
    return f"{WEIGHTS.name}: {WEIGHTS.stat().st_size / 1000:.0f} kB"


def fit_heads(rows: Mapping[str, Sequence[LabelledMessage]]) -> GeneralHeads:
    """Return heads fitted to rows. Raises EmbeddingModelMissing."""
    import numpy as np

    centre: Vector = np.mean([features.meaning_vector(tidy_text(row.text)) for row in rows["intent"]], axis=0)
    return GeneralHeads(
        centre=centre, heads={name: fit_one_head(name, rows[name], row_vectors(rows[name], centre)) for name in rows}
    )


def fit_one_head(name: str, rows: Sequence[LabelledMessage], given: "NDArray[np.float32]") -> heads.Head:
    """Return a head fitted to rows with the vectors `given` [n, d]. A row's other labels weigh a third of its own."""
    import numpy as np

    # "ok next, but why" does both: a third lets the head learn it without blurring the main label. Chosen by hand.
    pairs = [(place, label) for place, row in enumerate(rows) for label in (row.label, *row.also)]
    counts = [1.0 if label == rows[place].label else 1 / 3 for place, label in pairs]
    labels = [label for _place, label in pairs]
    return head_fitting.fit_head(
        given[[place for place, _label in pairs]],
        labels,
        decay=DECAYS[name],
        weights=np.array(counts),
        steps=STEPS,
    )


def row_vectors(rows: Sequence[LabelledMessage], centre: "Vector") -> "NDArray[np.float32]":
    """Return the rows' vectors [n, d], embedded one by one: in a batch an embedding differs by a hundredth."""
    import numpy as np

    return np.array([message_vector(MessageText(typed=row.text), row.asked, centre) for row in rows], dtype=np.float32)


def intent_rows() -> list[LabelledMessage]:
    """Return the messages labelled with intents."""
    files = sorted(DATA.glob("intents_*.jsonl"))
    rows = [
        LabelledMessage(text=each["text"], label=each["intent"], asked=each["asked"], also=tuple(each["also"]))
        for path in files
        for each in _lines(path)
    ]
    disclosed = read_examples(detector.EXAMPLES)
    kinds = ("harm_to_self", "harm_by_others", "danger_now")
    return rows + [LabelledMessage(text=text, label="safety") for kind in kinds for text in disclosed[kind]]


def mood_rows() -> list[LabelledMessage]:
    """Return the messages labelled with moods, `ok` for none."""
    own = [LabelledMessage(text=each["text"], label=each["mood"]) for each in _lines(DATA / "moods.jsonl")]
    said = [
        LabelledMessage(text=text, label="ok" if label == "none" else label)
        for label, texts in read_examples(DATA / "moods_said.yaml").items()
        for text in texts
    ]
    calm = [row for row in intent_rows() if row.label in CALM and "emotion_negative" not in row.also]
    # With every third, calm rows outweigh the others: .60 of the moods other than ok were recognized, .65 with every fourth.
    return own + said + [LabelledMessage(text=row.text, label="ok") for row in calm[::4]]


def weights_key() -> str:
    """Return a hash of what the weights depend on: the labelled rows and the settings of their features."""
    settings = (
        VERSION, embeddings.model_id, MEANING_SHARE, SIGNS_SHARE, sorted(DECAYS.items()), STEPS, CALM, features.PIECES,
        *(pattern.pattern for pattern in (*message_signs.OF_TEXT, *message_signs.OF_ASKED)), message_signs.LENGTHS,
    )  # fmt: skip
    rows = [(row.text, row.label, row.asked, row.also) for row in (*intent_rows(), *mood_rows())]
    return hashlib.sha256(repr((settings, rows)).encode()).hexdigest()


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
