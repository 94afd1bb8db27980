"""Updates the translations of the interface: `python -m tests.translations`, or `--check` to only compare.

Reads the marked texts of the code and the templates, without GNU gettext, and writes `locale/*/LC_MESSAGES/django.po`
(entries that are no longer used are removed, new ones are empty) and the compiled `django.mo`.
"""

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_python
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation import templatize

ROOT = Path(__file__).parents[1]
APPS = ("learnagent", "tutoring", "conversations", "agents")
SPOKEN = (
    "conversations/panel", "conversations/round_table/voices", "tutoring/dialogue", "tutoring/lesson", "tutoring/roles",
    "tutoring/understanding", "tutoring/planner/requests", "tutoring/planner/roles", "tutoring/planner/tools",
    "tutoring/learning_data", "tutoring/pages/cards/speech.py", "tutoring/pages/cards/texts.py", "conversations/phone",
    "conversations/speech",
)  # fmt: skip
"""What is said in conversations: in the language of the courses, which is English."""
KEYWORDS = DEFAULT_KEYWORDS | {f"{name}_lazy": DEFAULT_KEYWORDS[name] for name in ("gettext", "ngettext", "pgettext")}
KEYWORDS |= {"gettext_noop": None}
_CALL = re.compile(r"\b(gettext|ngettext|pgettext|npgettext|_)\(")

type Found = tuple[str, str | tuple[str, ...], str | None]
"""The place, the text (with its plural), and the context."""


def texts() -> Iterator[Found]:
    """Yield the marked texts of the interface."""
    for path in sorted(ROOT.joinpath("templates").rglob("*.html")):
        yield from _template_texts(path)
    for path in sorted(path for app in APPS for path in ROOT.joinpath(app).rglob("*.py")):
        if not path.relative_to(ROOT).as_posix().startswith(SPOKEN):
            yield from _python_texts(path.read_bytes(), _place(path))


def _template_texts(path: Path) -> Iterator[Found]:
    source = templatize(path.read_text(encoding="utf-8"), origin=str(path))
    for match in _CALL.finditer(source):
        yield from _python_texts(_call_at(source, match.start()).encode(), _place(path))


def _call_at(source: str, start: int) -> str:
    """Return the call that begins at a place, up to its closing parenthesis."""
    lines, depth = io.StringIO(source[start:]), 0
    for token in tokenize.generate_tokens(lines.readline):
        depth += {"(": 1, ")": -1}.get(token.string, 0) if token.type == tokenize.OP else 0
        if token.string == ")" and not depth:
            return "".join(source[start:].splitlines(keepends=True)[: token.end[0] - 1]) + token.line[: token.end[1]]
    raise SyntaxError(source[start : start + 80])


def _python_texts(source: bytes, place: str) -> Iterator[Found]:
    for _line, name, words, _comments in extract_python(io.BytesIO(source), list(KEYWORDS), (), {}):
        spec = KEYWORDS[str(name)] or (1,)
        given = words if isinstance(words, tuple) else (words,)
        context = next((given[number - 1] for number, kind in filter(_is_pair, spec) if kind == "c"), None)
        said = [given[number - 1] for number in spec if isinstance(number, int) and number <= len(given)]
        if all(said):
            yield place, said[0] if len(said) == 1 else tuple(said), context


def _is_pair(part: object) -> bool:
    return isinstance(part, tuple)


def _place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def catalog_path(language: str) -> Path:
    return ROOT / "locale" / language / "LC_MESSAGES" / "django.po"


def read_catalog(language: str) -> Catalog:
    """Return the stored catalog of a language; an empty one if there is none."""
    path = catalog_path(language)
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def updated_catalog(language: str) -> Catalog:
    """Return the catalog with exactly the texts that the code has now, each with its stored translation if it has one."""
    stored = read_catalog(language)
    catalog = Catalog(
        locale=language,
        project="learnagent",
        header_comment="",
        creation_date=stored.creation_date,
        revision_date=stored.creation_date,
        fuzzy=False,
    )
    for place, text, context in texts():
        kept = stored.get(text, context)
        catalog.add(text, kept.string if kept else "", locations=[(place, None)], context=context)
    return catalog


def compiled(catalog: Catalog) -> bytes:
    file = io.BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def as_text(catalog: Catalog) -> bytes:
    file = io.BytesIO()
    write_po(file, catalog, width=110, sort_output=True, omit_header=False)
    return file.getvalue()


def languages() -> list[str]:
    """Return the languages that need a catalog: all but that of the texts themselves."""
    return [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def update() -> None:
    for language in languages():
        path, catalog = catalog_path(language), updated_catalog(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(as_text(catalog))
        path.with_suffix(".mo").write_bytes(compiled(catalog))
        print(
            f"{language}: {len(catalog)} texts, {sum(not _is_translated(each) for each in catalog if each.id)} without"
        )


def _is_translated(message: object) -> bool:
    string = message.string  # type: ignore[attr-defined]
    return bool(string) and (not isinstance(string, tuple) or all(string))


if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "learnagent.settings")
    django.setup()
    update()
