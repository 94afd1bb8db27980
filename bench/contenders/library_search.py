"""A textbook in the library, searched by its terms: alone, six times over, and a hundred times with random vectors.

A term's definition is the sentence in which the authors mark it; its section, the one that the sentence stands in.
"""

import os
import random
import re
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any
from xml.etree import ElementTree

from bench.contenders import temporary_django

NAMED_BY = "BOOK"
BOOK = Path(os.environ.get(NAMED_BY, "no-book"))
"""A collection of CNXML in whose texts terms are marked."""
MODES = ("keyword", "semantic", "hybrid")
FIRST = 5
ASKED = 60
"""Queries of which each kind is timed."""
CNXML, COLLECTION, METADATA = (
    f"{{http://{name}}}" for name in ("cnx.rice.edu/cnxml", "cnx.rice.edu/collxml", "cnx.rice.edu/mdml")
)
WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    text: str
    sections: frozenset[str]
    """Headings that the answer may stand under."""


def sample_recall() -> dict[str, float]:
    """How often the section is among the first five passages found."""
    person = _library(1)
    figures = {}
    for name, questions in (("definition", by_definition()), ("name", by_name())):
        for mode in MODES:
            found = [_is_found(person, question, mode) for question in questions]
            figures[f"{mode}_by_{name}"] = sum(found) / len(found)
    return figures | {"questions": len(by_definition()) + len(by_name())}


def sample_thousands() -> dict[str, float]:
    return _times(_library(6))


def sample_hundred_thousand() -> dict[str, float]:
    return _times(_library(125, random_vectors=True))


def _is_found(person: Any, question: Question, mode: Any) -> bool:
    from conversations.search.engine import search

    found = search(person, question.text, mode=mode, limit=FIRST).found
    return any(each.heading.startswith(section) for each in found for section in question.sections)


def _times(person: Any) -> dict[str, float]:
    """Return milliseconds of a query, its embedding included, and of an embedding alone."""
    from agents.local_models import embeddings
    from conversations.models import Passage
    from conversations.search.engine import search

    questions = [each.text for each in random.Random(1).sample([*by_definition(), *by_name()], ASKED)]
    search(person, questions[0])
    figures: dict[str, float] = {"passages": Passage.objects.count()}
    figures["embed_cpu_ms"], _wall = _p95([partial(embeddings.embed, [text]) for text in questions], at=0.5)
    for mode in ("keyword", "semantic", "hybrid"):
        asked = [partial(search, person, text, mode=mode) for text in questions]
        figures[f"{mode}_p95_cpu_ms"], figures[f"{mode}_p95_ms"] = _p95(asked)
    return figures


def _p95(calls: Sequence[Any], *, at: float = 0.95) -> tuple[float, float]:
    cpu, wall = [], []
    for call in calls:
        started, began = process_time(), perf_counter()
        call()
        cpu.append((process_time() - started) * 1e3)
        wall.append((perf_counter() - began) * 1e3)
    place = int(at * len(calls))
    return sorted(cpu)[place], sorted(wall)[place]


@cache
def by_name() -> list[Question]:
    return [Question(text=f"What is {term}?", sections=sections) for term, sections in _introduced().items()]


@cache
def by_definition() -> list[Question]:
    """Return each definition without its term, as a question."""
    questions = []
    for term, sentence, _section in _terms():
        rest = " ".join(re.sub(re.escape(term), "", sentence, flags=re.IGNORECASE).split()).strip(" .,")
        if len(WORD.findall(rest)) >= 3:
            questions.append(Question(text=f"What is called this: {rest}?", sections=_introduced()[term.lower()]))
    return list(dict.fromkeys(questions))


@cache
def _introduced() -> dict[str, frozenset[str]]:
    """Return the sections that mark each term."""
    terms = _terms()
    return {term.lower(): frozenset(s for t, _, s in terms if t.lower() == term.lower()) for term, _, _ in terms}


@cache
def _trees() -> dict[str, ElementTree.Element]:
    with tarfile.open(BOOK) as archive:
        return {
            name: ElementTree.parse(file).getroot()
            for name in archive.getnames()
            if name.endswith((".xml", ".cnxml")) and (file := archive.extractfile(name))
        }


def _terms() -> list[tuple[str, str, str]]:
    """Return what authors mark as terms, each with its sentence and the heading of its section."""
    found, trees = [], _trees()
    headings = _headings(trees)
    for name, tree in trees.items():
        section = headings.get(Path(name).parent.name)
        paragraphs = [each for tag in ("para", "item", "entry") for each in tree.iter(CNXML + tag)] if section else []
        for paragraph in paragraphs:
            for term in map(_text, paragraph.iter(CNXML + "term")):
                sentences = re.split(r"(?<=[.?!])\s+", _text(paragraph))
                if WORD.search(term):
                    found.append((term, next(each for each in sentences if term in each), str(section)))
    return found


def _headings(trees: dict[str, Any]) -> dict[str, str]:
    """Return the heading of each module: chapter and title, as reading makes it."""
    titles = {
        Path(name).parent.name: _text(tree.find(CNXML + "title"))
        for name, tree in trees.items()
        if tree.tag == f"{CNXML}document"
    }
    (collection,) = (tree for tree in trees.values() if tree.tag == f"{COLLECTION}collection")
    headings = dict(titles)
    for chapter in collection.iter(f"{COLLECTION}subcollection"):
        for module in chapter.iter(f"{COLLECTION}module"):
            key = module.get("document", "")
            headings[key] = f"{_text(chapter.find(f'{METADATA}title'))} › {titles[key]}"
    return headings


def _text(element: Any) -> str:
    return " ".join("".join(element.itertext()).split())


@cache
def _library(copies: int, *, random_vectors: bool = False) -> Any:
    """Store the book so many times for one person, embedded once or at random; return whose it is."""
    temporary_django.prepare_django()
    from django.contrib.auth import get_user_model
    from django.db import connection

    from conversations.models import Document
    from conversations.readers import read
    from conversations.search.index import store_passages

    book = read(BOOK, media_type="application/gzip")
    pages = [page for page in book.pages if not page.glossary]
    person, _ = get_user_model().objects.get_or_create(username="ada")
    for number in range(copies):
        digest = f"{copies}-{number}"
        document = Document.objects.create(
            owner=person, name=book.title, media_type="application/gzip", size=1, digest=digest, stored_as=digest
        )
        store_passages(document, pages)
        _embed(document, seed=number if random_vectors else None)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return person


def _embed(document: Any, *, seed: int | None) -> None:
    import numpy as np

    from agents.local_models import embeddings
    from conversations.search import vectors

    rows = list(document.passages.order_by("number"))
    if seed is None:
        found = _meanings(tuple(f"{row.heading}\n{row.text}" for row in rows))
    else:
        drawn = np.random.default_rng(seed).standard_normal((len(rows), embeddings.DIMENSIONS), dtype=np.float32)
        found = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    vectors.store([(row.pk, str(document.pk), vector) for row, vector in zip(rows, found, strict=True)])


@cache
def _meanings(texts: tuple[str, ...]) -> Any:
    """Return what the passages of the book mean: the same in each copy."""
    from agents.local_models import embeddings

    return embeddings.embed(texts)
