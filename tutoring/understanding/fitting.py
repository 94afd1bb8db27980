"""What is known of messages in general: fitted on the labelled rows by `manage.py fit_understanding`, kept in weights/."""

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
from tutoring.routing.spelling import tidy
from tutoring.understanding import features, heads, safety, signs
from tutoring.understanding.message import Message

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tutoring.understanding.features import Vector

State = Literal["ready", "no_model", "no_weights"]

HERE: Final = Path(__file__).parent
DATA: Final = HERE / "data"
WEIGHTS: Final = HERE / "weights" / "general.npz"
THRESHOLDS: Final = HERE / "thresholds.yaml"
MEANING_SHARE: Final = 1.4
SIGNS_SHARE: Final = 0.3
"""What the parts of a row count, where its words and its letters are of length 1 each."""
DECAYS: Final[Mapping[str, float]] = {"intent": 2e-4, "mood": 1e-4}
STEPS: Final = 300
VERSION: Final = 2
"""Of how rows are made: what another has fitted is fitted anew."""
CALM: Final = (
    "answer", "idea", "go_on", "calculate", "greeting", "thanks", "plan", "progress", "goal", "ask_quiz", "emotion_positive",
    "question_content", "small_talk", "resume", "tool_request", "off_topic", "change_topic", "question_meta", "disagree",
    "correction_of_tutor",
)  # fmt: skip
"""Intents whose rows show no mood; every fourth is enough."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A message that somebody has labelled."""

    text: str
    label: str
    asked: str = ""
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class General:
    """What is fitted: the heads by what they tell, and the centre [384] of all meanings."""

    heads: Mapping[str, heads.Head]
    centre: "Vector"


def state() -> State:
    """Tell whether messages are understood by the heads; by exact words alone where the model or the weights are missing."""
    if not embeddings.is_available():
        return "no_model"
    return "ready" if general() else "no_weights"


@lru_cache(maxsize=1)
def general() -> General | None:
    """Return what is kept; None where it is missing, damaged, or made by another version. Reads 0.3 MB, once."""
    import numpy as np

    try:
        with np.load(WEIGHTS, allow_pickle=False) as kept:
            arrays = {name: kept[name] for name in kept.files}
        if int(arrays.pop("version")) != VERSION or str(arrays.pop("model")) != embeddings.model_id:
            return None
        return General(centre=arrays.pop("centre").astype(np.float32), heads=heads.from_arrays(arrays))
    except (OSError, KeyError, ValueError, EOFError, BadZipFile):
        return None


@lru_cache(maxsize=1)
def thresholds() -> Mapping[str, float]:
    """Return each field's threshold, or the sharpness of its head, by its name in thresholds.yaml."""
    return {name: float(each["value"]) for name, each in yaml.safe_load(THRESHOLDS.read_text(encoding="utf-8")).items()}


def vector_of(message: Message, asked: str, centre: "Vector", meaning: "Vector | None" = None) -> "Vector":
    """Return the row of a message that was said to `asked`. Raises EmbeddingsMissing.

    `meaning` is the vector of its tidied text, where that is known. Takes about a millisecond, and 4 ms for a meaning.
    """
    import numpy as np

    plain = message.tidied
    own = (features.meaning(plain) if meaning is None else meaning) - centre
    own = own * np.float32(MEANING_SHARE / max(float(np.linalg.norm(own)), 1e-6)) if plain else np.zeros_like(own)
    seen = signs.signs(plain, asked, typed=message.typed) * np.float32(SIGNS_SHARE)
    row: Vector = np.concatenate([own, features.words_and_letters(plain), seen])
    return row


def chances(head: str, row: "Vector", known: General) -> dict[str, float]:
    """Return how likely each label of a head is of a row, made as sharp as the folds have shown it to be right."""
    found = known.heads[head].probabilities(row)
    sharp = {label: max(chance, 1e-9) ** thresholds()[f"{head}_sharpness"] for label, chance in found.items()}
    total = sum(sharp.values())
    return {label: chance / total for label, chance in sharp.items()}


def is_current() -> bool:
    """Tell whether the kept weights were fitted on the labelled rows as they are now."""
    import numpy as np

    try:
        with np.load(WEIGHTS, allow_pickle=False) as kept:
            return str(kept["key"]) == key()
    except (OSError, KeyError, ValueError, EOFError, BadZipFile):
        return False


def fit() -> str:
    """Fit on all labelled rows, keep the outcome, and return a line that says so. Takes under a minute.

    Raises EmbeddingsMissing.
    """
    import numpy as np

    known = fitted({"intent": intent_rows(), "mood": mood_rows()})
    WEIGHTS.parent.mkdir(exist_ok=True)
    arrays: dict[str, Any] = {**heads.as_arrays(known.heads), "centre": known.centre.astype(np.float16)}
    about = {"key": key(), "version": VERSION, "model": embeddings.model_id}
    arrays |= {name: np.array(value) for name, value in about.items()}
    np.savez_compressed(WEIGHTS, **arrays)
    general.cache_clear()
    return f"{WEIGHTS.name}: {WEIGHTS.stat().st_size / 1000:.0f} kB"


def fitted(rows: Mapping[str, Sequence[Row]]) -> General:
    """Return heads fitted to rows. Raises EmbeddingsMissing."""
    import numpy as np

    centre: Vector = np.mean([features.meaning(tidy(row.text)) for row in rows["intent"]], axis=0)
    return General(centre=centre, heads={name: head_of(name, rows[name], vectors(rows[name], centre)) for name in rows})


def head_of(name: str, rows: Sequence[Row], given: "NDArray[np.float32]") -> heads.Head:
    """Return a head fitted to rows, whose vectors are given [n, d]. A row's other labels count a third beside its own."""
    import numpy as np

    pairs = [(place, label) for place, row in enumerate(rows) for label in (row.label, *row.also)]
    counts = [1.0 if label == rows[place].label else 1 / 3 for place, label in pairs]
    labels = [label for _place, label in pairs]
    return heads.fit(
        given[[place for place, _label in pairs]],
        labels,
        decay=DECAYS[name],
        weights=np.array(counts),
        steps=STEPS,
    )


def vectors(rows: Sequence[Row], centre: "Vector") -> "NDArray[np.float32]":
    """Return the rows' vectors [n, d], one by one: a meaning differs by a hundredth when it is read among others."""
    import numpy as np

    return np.array([vector_of(Message(typed=row.text), row.asked, centre) for row in rows], dtype=np.float32)


def intent_rows() -> list[Row]:
    """Return the messages labelled with what they do."""
    files = sorted(DATA.glob("intents_*.jsonl"))
    rows = [
        Row(text=each["text"], label=each["intent"], asked=each["asked"], also=tuple(each["also"]))
        for path in files
        for each in _lines(path)
    ]
    disclosed = read_examples(safety.EXAMPLES)
    kinds = ("harm_to_self", "harm_by_others", "danger_now")
    return rows + [Row(text=text, label="safety") for kind in kinds for text in disclosed[kind]]


def mood_rows() -> list[Row]:
    """Return the messages labelled with the mood they show, `ok` for none."""
    own = [Row(text=each["text"], label=each["mood"]) for each in _lines(DATA / "moods.jsonl")]
    said = [
        Row(text=text, label="ok" if label == "none" else label)
        for label, texts in read_examples(DATA / "moods_said.yaml").items()
        for text in texts
    ]
    calm = [row for row in intent_rows() if row.label in CALM and "emotion_negative" not in row.also]
    return own + said + [Row(text=row.text, label="ok") for row in calm[::2]]


def key() -> str:
    """Return what the weights depend on, digested: the labelled rows and how vectors are made of them."""
    settings = (
        VERSION, embeddings.model_id, MEANING_SHARE, SIGNS_SHARE, sorted(DECAYS.items()), STEPS, CALM, features.PIECES,
        *(pattern.pattern for pattern in (*signs.OF_TEXT, *signs.OF_ASKED)), signs.LENGTHS,
    )  # fmt: skip
    rows = [(row.text, row.label, row.asked, row.also) for row in (*intent_rows(), *mood_rows())]
    return hashlib.sha256(repr((settings, rows)).encode()).hexdigest()


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
