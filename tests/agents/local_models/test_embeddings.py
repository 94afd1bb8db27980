"""The embedded sentence model: rows of length 1, the same each time, and a clear error where it is missing."""

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from agents.errors import EmbeddingModelMissing
from agents.local_models import embeddings


@pytest.fixture
def loaded_anew() -> Iterator[None]:
    embeddings._load_model.cache_clear()
    embeddings._embed_one.cache_clear()
    embeddings._embed_by_length.cache_clear()
    embeddings._embed_batch.cache_clear()
    yield
    embeddings._load_model.cache_clear()


def test_it_is_installed() -> None:
    assert embeddings.is_available()


def test_a_text_is_a_row_of_length_one() -> None:
    rows = embeddings.embed(["quiz me", "", "\ud800", "x" * 10_000, "日本語"])
    assert rows.shape == (5, embeddings.DIMENSIONS)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-4)


def test_no_texts_are_no_rows() -> None:
    assert embeddings.embed([]).shape == (0, embeddings.DIMENSIONS)


def test_what_means_the_same_is_nearer_than_what_shares_a_word() -> None:
    asked, same, other = embeddings.embed(["How far have I got?", "Show me my progress", "How far is the moon?"])
    assert asked @ same > asked @ other


def test_order_and_neighbours_hardly_matter() -> None:
    texts = ["quiz me now", "what should I learn next", "tell me why", "a clue please"]
    together, backwards = embeddings.embed(texts), embeddings.embed(texts[::-1])[::-1]
    alone = np.vstack([embeddings.embed([text]) for text in texts])
    assert np.allclose(together, backwards, atol=1e-5)
    assert ((together * alone).sum(axis=1) > 0.97).all()


def test_clauses_read_at_once_are_as_if_read_alone() -> None:
    texts = ["cut it in two", "", "because there are many more people who want some of it"]
    together, alone = embeddings.embed_clauses(texts), np.vstack([embeddings.embed([text]) for text in texts])
    assert ((together * alone).sum(axis=1) > 0.97).all()


@pytest.mark.usefixtures("loaded_anew")
def test_threads_that_begin_at_once_get_the_same_rows() -> None:
    with ThreadPoolExecutor(4) as threads:
        first, *others = threads.map(lambda _: embeddings.embed(["quiz me"]), range(4))
    assert all((first == other).all() for other in others)


@pytest.mark.usefixtures("loaded_anew")
def test_without_its_package_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embeddings, "PACKAGE", "no_such_package")
    assert not embeddings.is_available()
    with pytest.raises(EmbeddingModelMissing, match="not installed"):
        embeddings.embed(["quiz me"])


@pytest.mark.usefixtures("loaded_anew")
def test_a_damaged_file_is_missing_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("model.onnx", "tokenizer.json"):
        (tmp_path / name).write_text("damaged")
    monkeypatch.setattr(embeddings, "_folder", lambda: tmp_path)
    with pytest.raises(EmbeddingModelMissing, match="does not load"):
        embeddings.embed(["quiz me"])


def test_one_message_is_read_once_whoever_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is given a row may change it: the next one gets it as it was."""
    (first,) = embeddings.embed(["Where would you cut the ribbon?"])
    kept = first.copy()
    first += 1
    monkeypatch.setattr(embeddings, "_rows", None)
    assert np.array_equal(embeddings.embed(["where would you cut the ribbon?"])[0], kept)


def test_runtime_keeps_no_telemetry(tmp_path: Path) -> None:
    """ONNX Runtime would write down below the home folder what it sends to its maker."""
    program = "from agents.local_models import embeddings; embeddings.embed(['a half'])"
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
    assert list(tmp_path.iterdir()) == []
