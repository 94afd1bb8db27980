"""The articles that come with the program: for everybody signed in, so that a first question finds something to read."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

import yaml
from django.conf import settings
from django.urls import reverse
from django.utils.text import slugify

from conversations.search.publications import PublishedSection, PublishedText

KIND: Final = "article"
FOLDER: Final = Path(settings.BASE_DIR) / "courses" / "library"
_FILE = re.compile(r"---\n(?P<head>.*?)\n---\n(?P<text>.*)", re.DOTALL)
_HEADING = re.compile(r"^## +(.+)$", re.MULTILINE)
# The articles have neither lists nor code blocks; a test keeps it so.
_LINE_BREAK = re.compile(r"(?<!\n)\n(?!\n)")
_CODE_MARKS = re.compile(r"(\*+|`)(\S(?:[^*`\n]*\S)?)\1")


class BadArticle(ValueError):
    """An article's file cannot be read; the message names the file and the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleSection:
    heading: str
    """Empty for the opening."""
    anchor: str
    text: str
    """Markdown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    id: str
    title: str
    topic: str
    sections: tuple[ArticleSection, ...]
    version: str
    """Changes with the file."""


def read_article(path: Path) -> Article:
    """Read an article from its file. Raises BadArticle."""
    text = path.read_text(encoding="utf-8")
    found = _FILE.fullmatch(text)
    if found is None:
        raise BadArticle(f"{path.name}: begins with no head between two lines of ---")
    try:
        head = yaml.safe_load(found["head"])
        title, topic = str(head["title"]), str(head["topic"])
    except (yaml.YAMLError, KeyError, TypeError) as error:
        raise BadArticle(f"{path.name}: the head needs title and topic") from error
    opening, *rest = _HEADING.split(found["text"].strip())
    sections = [ArticleSection(heading="", anchor="", text=opening.strip())]
    for heading, body in zip(rest[::2], rest[1::2], strict=True):
        sections.append(ArticleSection(heading=heading.strip(), anchor=slugify(heading), text=body.strip()))
    if not all(each.text for each in sections):
        raise BadArticle(f"{path.name}: a section has no text")
    version = hashlib.sha256(text.encode()).hexdigest()[:32]
    return Article(id=path.stem, title=title, topic=topic, sections=tuple(sections), version=version)


@lru_cache(maxsize=1)
def shipped_articles() -> dict[str, Article]:
    """Return the articles by id, in the order of their topics and titles. Read once: they come with the program."""
    found = [read_article(path) for path in FOLDER.glob("*.md")]
    return {each.id: each for each in sorted(found, key=lambda each: (each.topic, each.title))}


def published_articles() -> Iterator[PublishedText]:
    for article in shipped_articles().values():
        yield PublishedText(
            key=article.id,
            title=article.title,
            version=article.version,
            sections=partial(_sections, article),
        )


def _sections(article: Article) -> Iterator[PublishedSection]:
    address = reverse("article", args=[article.id])
    for each in article.sections:
        link = f"{address}#{each.anchor}" if each.anchor else address
        yield PublishedSection(heading=each.heading or article.title, text=_plain_text(each.text), link=link)


def _plain_text(markdown: str) -> str:
    """Return an article's text without marks, a paragraph on one line: a sentence that is wrapped cannot be quoted."""
    return _CODE_MARKS.sub(r"\2", _LINE_BREAK.sub(" ", markdown))
