"""The course-independent heads (intent, mood): fitted by `manage.py fit_understanding`, stored in weights/."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal
from zipfile import BadZipFile

import yaml

from agents.local_models import embeddings
from tutoring.understanding.classifiers import features, heads, message_signs
from tutoring.understanding.message import MessageText

if TYPE_CHECKING:
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
# Bump it if the features change: stored weights of another version are not used.
VERSION: Final = 2


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
    # intent and also are .5, a plain majority. mood is .7 (2026-11-27: on the folds 1.7 % of calm rows come to it), so that
    # hardly an "ok" message is called sad. From asides .6 on, 91 % of the rows that no intent is likely for are remarks
    # (2026-11-27, on the folds). The sharpness values calibrate the folds, see cross_validation.py.
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
