"""Writes questions as an Anki package: a card for each, with the question in front and the answer behind."""

import hashlib
import json
import sqlite3
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from django.utils.html import escape, strip_tags
from django.utils.translation import gettext as _

from tutoring.course_exports.xhtml import inline_xhtml_of, xhtml_of
from tutoring.course_imports.questions import ImportedQuestion

_MODEL = 1_700_000_000_001
_TIME = 1_700_000_000
"""Of every row: the same course gives the same package, and Anki updates cards instead of adding them twice."""
_SCHEMA = """
CREATE TABLE col (id integer primary key, crt integer, mod integer, scm integer, ver integer, dty integer, usn integer,
  ls integer, conf text, models text, decks text, dconf text, tags text);
CREATE TABLE notes (id integer primary key, guid text, mid integer, mod integer, usn integer, tags text, flds text,
  sfld text, csum integer, flags integer, data text);
CREATE TABLE cards (id integer primary key, nid integer, did integer, ord integer, mod integer, usn integer, type integer,
  queue integer, due integer, ivl integer, factor integer, reps integer, lapses integer, left integer, odue integer,
  odid integer, flags integer, data text);
CREATE TABLE revlog (id integer primary key, cid integer, usn integer, ease integer, ivl integer, lastIvl integer,
  factor integer, time integer, type integer);
CREATE TABLE graves (usn integer, oid integer, type integer);
"""


def write_anki(questions: Iterable[ImportedQuestion], *, title: str, key: str) -> bytes:
    """Return an .apkg of the questions; `key` names the course, so that Anki knows its cards again."""
    deck = 1_000_000_000_000 + int(hashlib.sha256(key.encode()).hexdigest()[:9], 16)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "collection.anki2"
        _write_collection(path, questions, title=title, deck=deck, key=key)
        database = path.read_bytes()
    target = BytesIO()
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        archive.writestr("collection.anki2", database)
        archive.writestr("media", "{}")
    return target.getvalue()


def _write_collection(path: Path, questions: Iterable[ImportedQuestion], *, title: str, deck: int, key: str) -> None:
    connection = sqlite3.connect(path)
    try:
        connection.executescript(_SCHEMA)
        texts = map(json.dumps, (_settings(), _models(deck), _decks(deck, title), _options()))
        connection.execute(
            "INSERT INTO col VALUES (1, ?, ?, ?, 11, 0, 0, 0, ?, ?, ?, ?, '{}')",
            (_TIME, _TIME * 1000, _TIME * 1000, *texts),
        )
        for number, question in enumerate(questions, start=1):
            _insert(connection, question, deck=deck, number=number, key=key)
        connection.commit()
    finally:
        connection.close()


def _insert(connection: sqlite3.Connection, question: ImportedQuestion, *, deck: int, number: int, key: str) -> None:
    front, back = _front(question), _back(question)
    plain = strip_tags(front)
    checksum = int(hashlib.sha1(plain.encode(), usedforsecurity=False).hexdigest()[:8], 16)
    guid = hashlib.sha256(f"{key}\0{front}".encode()).hexdigest()[:16]
    tag = f" {'_'.join(question.topic.split())} " if question.topic else ""
    note = deck + number
    connection.execute(
        "INSERT INTO notes VALUES (?, ?, ?, ?, -1, ?, ?, ?, ?, 0, '')",
        (note, guid, _MODEL, _TIME, tag, f"{front}\x1f{back}", plain, checksum),
    )
    connection.execute(
        "INSERT INTO cards VALUES (?, ?, ?, 0, ?, -1, 0, 0, ?, 0, 0, 0, 0, 0, 0, 0, 0, '')",
        (note, note, deck, _TIME, number),
    )


def _front(question: ImportedQuestion) -> str:
    shown = {one.text for one in question.options} | {partner for _row, partner in question.pairs} | set(question.spare)
    rows = "".join(f"<li>{inline_xhtml_of(row)}</li>" for row, _partner in question.pairs)
    entries = [one.text for one in question.options] if question.kind in ("choice", "multi") else sorted(shown)
    listed = "".join(f"<li>{inline_xhtml_of(text)}</li>" for text in entries)
    return xhtml_of(question.stem) + (f"<ol>{rows}</ol>" if rows else "") + (f"<ul>{listed}</ul>" if listed else "")


def _back(question: ImportedQuestion) -> str:
    match question.kind:
        case "choice" | "multi":
            right = [inline_xhtml_of(one.text) for one in question.options if one.is_right]
        case "order":
            right = [inline_xhtml_of(one.text) for one in question.options]
        case "match":
            right = [f"{inline_xhtml_of(row)} → {inline_xhtml_of(partner)}" for row, partner in question.pairs]
        case "expression":
            right = [f"\\({escape(question.accepted[0])}\\)"]
        case "numeric" if question.tolerance:
            right = [f"{escape(question.accepted[0])} ± {escape(question.tolerance)}"]
        case _:
            right = [_(" or ").join(escape(text) for text in question.accepted)]
    return "".join(f"<p><b>{text}</b></p>" for text in right) + xhtml_of(question.explanation)


def _settings() -> dict[str, Any]:
    return {"nextPos": 1, "estTimes": True, "activeDecks": [1], "sortType": "noteFld", "curDeck": 1, "newSpread": 0}


def _models(deck: int) -> dict[str, Any]:
    fields = [
        {"name": name, "ord": at, "font": "Arial", "size": 20, "media": [], "rtl": False, "sticky": False}
        for at, name in enumerate(("Front", "Back"))
    ]
    card = {
        "name": "Card 1", "ord": 0, "qfmt": "{{Front}}", "afmt": "{{FrontSide}}<hr id=answer>{{Back}}", "did": None,
        "bqfmt": "", "bafmt": "",
    }  # fmt: skip
    model = {
        "id": _MODEL, "name": "learnagent", "type": 0, "mod": _TIME, "usn": -1, "sortf": 0, "did": deck, "tmpls": [card],
        "flds": fields, "css": ".card { font-family: sans-serif; font-size: 20px; }", "latexPre": "", "latexPost": "",
        "req": [[0, "all", [0]]], "tags": [], "vers": [],
    }  # fmt: skip
    return {str(_MODEL): model}


def _decks(deck: int, title: str) -> dict[str, Any]:
    shared = {
        "mod": _TIME, "usn": -1, "lrnToday": [0, 0], "revToday": [0, 0], "newToday": [0, 0], "timeToday": [0, 0],
        "collapsed": False, "desc": "", "dyn": 0, "conf": 1, "extendNew": 10, "extendRev": 50,
    }  # fmt: skip
    return {"1": shared | {"id": 1, "name": "Default"}, str(deck): shared | {"id": deck, "name": title}}


def _options() -> dict[str, Any]:
    new = {"bury": True, "delays": [1, 10], "initialFactor": 2500, "ints": [1, 4, 7], "order": 1, "perDay": 20}
    review = {"bury": True, "ease4": 1.3, "fuzz": 0.05, "ivlFct": 1, "maxIvl": 36500, "minSpace": 1, "perDay": 100}
    lapse = {"delays": [10], "leechAction": 0, "leechFails": 8, "minInt": 1, "mult": 0}
    options = {
        "id": 1, "name": "Default", "mod": 0, "usn": 0, "autoplay": True, "maxTaken": 60, "replayq": True, "timer": 0,
        "new": new | {"separate": True}, "rev": review, "lapse": lapse,
    }  # fmt: skip
    return {"1": options}
