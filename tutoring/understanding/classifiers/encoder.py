"""The encoder of messages: a small transformer, tuned on all labelled rows (docs/explanation/understanding.md).

For danger and misconceptions it encodes the message alone; for the verdict on a reply, also the question and a right
reply.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final
from zipfile import BadZipFile

from agents.errors import EmbeddingModelMissing
from agents.local_models import embeddings
from agents.local_models.inference import cached_inference
from tutoring.understanding.classifiers.heads import Head, from_arrays

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession

    type Vector = NDArray[np.float32]

FILE: Final = Path(__file__).parents[1] / "weights" / "encoder.onnx"
HEADS: Final = FILE.with_suffix(".npz")
"""The classifiers that were tuned with it: `danger` and `verdict`."""
# Bump it with new tuned weights: heads fitted on their vectors are fitted again.
VERSION: Final = 2
DIMENSIONS: Final = 384
# The tuning rows are cut to the same lengths (`tuning_examples.write_examples`): change them only with a new tuning.
MESSAGE_CHARACTERS: Final = 300
"""Characters of a message that are encoded, the first ones."""
QUESTION_CHARACTERS: Final = 200
"""Characters of a question that are encoded, the last ones."""
REPLY_CHARACTERS: Final = 70
"""Characters of a right reply that are encoded, the first ones."""
# A resumed turn and a side agent read the same message again. The size is a guess.
REMEMBERED: Final = 64
"""Vectors that are cached, the latest ones."""


def is_available() -> bool:
    """Tell whether the encoder can be loaded. Loads nothing."""
    return FILE.is_file() and embeddings.is_available()


def is_ready() -> bool:
    """Tell whether the encoder loads and has its classifiers. Loads it."""
    return bool(tuned_heads()) and not isinstance(_session(), EmbeddingModelMissing)


def encode(said: str, asked: str = "") -> "Vector":
    """Return the vector [384] of a message that replies to `asked`. Takes 2 to 5 ms; cached.

    Raises EmbeddingModelMissing if the encoder or its runtime is not installed.
    """
    return _read(said[:MESSAGE_CHARACTERS].strip(), asked)


def question_with_reply(question: str, good: str) -> str:
    """Return a question with a right reply, in the form the encoder was tuned on: "question = reply"."""
    return f"{question[-QUESTION_CHARACTERS:]} = {good[:REPLY_CHARACTERS]}"


def load() -> None:
    """Load the encoder, if installed, so that the first message need not wait for it."""
    if is_available():
        _session()


@lru_cache(maxsize=1)
def tuned_heads() -> Mapping[str, Head]:
    """Return the classifiers that were tuned with the encoder; empty if they are missing or damaged."""
    import numpy as np

    try:
        with np.load(HEADS, allow_pickle=False) as kept:
            return from_arrays({name: kept[name] for name in kept.files})
    except (OSError, KeyError, ValueError, EOFError, BadZipFile):
        return {}


@cached_inference(remembered=REMEMBERED)
def _read(said: str, asked: str) -> "Vector":
    import numpy as np

    session = _session()
    if isinstance(session, EmbeddingModelMissing):
        raise EmbeddingModelMissing(*session.args)
    tokens = embeddings.tokenize_pair(asked, said)
    parts = {"input_ids": tokens.ids, "attention_mask": tokens.attention_mask, "token_type_ids": tokens.type_ids}
    vector: Vector = session.run(None, {name: np.array([part], dtype=np.int64) for name, part in parts.items()})[0][0]
    return vector


@cached_inference(remembered=None)
def _session() -> "InferenceSession | EmbeddingModelMissing":
    """Return the model, or the exception that says why there is none; both are cached."""
    if not is_available():
        return EmbeddingModelMissing(f"{FILE.name}, or what runs it, is not installed")
    return embeddings.load_session(FILE)
