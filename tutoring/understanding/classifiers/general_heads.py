"""The course-independent heads (intent, mood): fitted by `manage.py fit_understanding`, stored in weights/."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal
from zipfile import BadZipFile

import yaml

from agents.local_models import embeddings
from agents.routing.features import read_examples
from tutoring.understanding.classifiers import features, heads, message_signs
from tutoring.understanding.concerns import detector
from tutoring.understanding.message import MessageText
from tutoring.understanding.parsing.spelling_cleanup import tidy_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tutoring.understanding.classifiers.features import Vector

State = Literal["ready", "no_model", "no_weights"]

HERE: Final = Path(__file__).parents[1]
DATA: Final = HERE / "data"
WEIGHTS: Final = HERE / "weights" / "general.npz"
THRESHOLDS: Final = HERE / "classifier_thresholds.yaml"
# Chosen with `training.cross_validation` at hand (2026-11-23); the runs are not on record. On its folds signs of form
# add three points of accuracy; embedding the question as well gained nothing over OF_ASKED.
MEANING_SHARE: Final = 1.4
SIGNS_SHARE: Final = 0.3
"""Lengths of the parts of a row, where words and n-grams have length 1 each."""
# L2 penalties; the runs are not on record. Mood was halved when its rows were labelled anew (2026-11-23).
DECAYS: Final[Mapping[str, float]] = {"intent": 2e-4, "mood": 1e-4}
# 300 steps take under a minute; stopping early also keeps rare intents from being learned by heart. No sweep on record.
STEPS: Final = 300
# Bump it if the features change: stored weights of another version are not used.
VERSION: Final = 2
# All of these rows would make `ok` sixteen times as frequent as any mood; every second one makes it nine times.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneralHeads:
    """The fitted heads by name, and the mean embedding [384]."""

    heads: Mapping[str, heads.Head]
    centre: "Vector"


def model_state() -> State:
    """Return whether the heads are usable; without model or weights only exact words are understood."""
    if not embeddings.is_available():
        return "no_model"
    return "ready" if load_general_heads() else "no_weights"


@lru_cache(maxsize=1)
def load_general_heads() -> GeneralHeads | None:
    """Return the stored heads; None if missing, damaged, or of another version. Reads 0.3 MB, once."""
    import numpy as np

    try:
        with np.load(WEIGHTS, allow_pickle=False) as kept:
            arrays = {name: kept[name] for name in kept.files}
        if int(arrays.pop("version")) != VERSION or str(arrays.pop("model")) != embeddings.model_id:
            return None
        return GeneralHeads(centre=arrays.pop("centre").astype(np.float32), heads=heads.from_arrays(arrays))
    except (OSError, KeyError, ValueError, EOFError, BadZipFile):
        return None


@lru_cache(maxsize=1)
def thresholds() -> Mapping[str, float]:
    """Return each field's threshold, or the sharpness of its head, by its name in classifier_thresholds.yaml."""
    # intent and also are .5, a plain majority. mood is .76 (.6 until its rows were labelled anew, 2026-11-23), so that
    # hardly an "ok" message is called sad. The sharpness values calibrate the folds, see cross_validation.py.
    return {name: float(each["value"]) for name, each in yaml.safe_load(THRESHOLDS.read_text(encoding="utf-8")).items()}


def message_vector(message: MessageText, asked: str, centre: "Vector", meaning: "Vector | None" = None) -> "Vector":
    """Return the feature vector of a message that replies to `asked`. Raises EmbeddingModelMissing.

    `meaning` is the embedding of its tidied text, if known. Takes about 1 ms, and 4 ms for an embedding.
    """
    import numpy as np

    plain = message.tidied
    own = (features.meaning_vector(plain) if meaning is None else meaning) - centre
    own = own * np.float32(MEANING_SHARE / max(float(np.linalg.norm(own)), 1e-6)) if plain else np.zeros_like(own)
    seen = message_signs.message_signs(plain, asked, typed=message.typed) * np.float32(SIGNS_SHARE)
    row: Vector = np.concatenate([own, features.word_letter_vector(plain), seen])
    return row


def label_chances(head: str, row: "Vector", known: GeneralHeads) -> dict[str, float]:
    """Return the probability of each label of a head, sharpened by the power that calibrates it on the folds."""
    found = known.heads[head].probabilities(row)
    sharp = {label: max(chance, 1e-9) ** thresholds()[f"{head}_sharpness"] for label, chance in found.items()}
    total = sum(sharp.values())
    return {label: chance / total for label, chance in sharp.items()}


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
    arrays: dict[str, Any] = {**heads.as_arrays(known.heads), "centre": known.centre.astype(np.float16)}
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
    return heads.fit_head(
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
    return own + said + [LabelledMessage(text=row.text, label="ok") for row in calm[::2]]


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
