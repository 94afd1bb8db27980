"""The catalogs of the interface: complete, compiled, and with the placeholders of the texts they translate."""

import re
from collections import Counter
from typing import Any

import pytest
from babel.messages.catalog import Message

from tests import translations

PLACEHOLDER = re.compile(r"%(?:\(\w+\)[sd]|%|[sd])|\{\w*\}|</?\w+[^>]*>")


def forms(text: Any) -> tuple[str, ...]:
    return tuple(text) if isinstance(text, tuple | list) else (text,)


@pytest.fixture(scope="module", params=translations.languages())
def language(request: Any) -> str:
    return str(request.param)


def test_catalog_has_exactly_the_texts_of_the_interface(language: str) -> None:
    stored, now = translations.read_catalog(language), translations.updated_catalog(language)
    assert {each.id for each in stored} == {each.id for each in now}, "run python -m tests.translations"


def test_every_text_is_translated(language: str) -> None:
    assert [each.id for each in translations.read_catalog(language) if each.id and not all(forms(each.string))] == []


def test_compiled_catalog_is_up_to_date(language: str) -> None:
    compiled = translations.catalog_path(language).with_suffix(".mo").read_bytes()
    assert compiled == translations.compiled(translations.read_catalog(language)), "run python -m tests.translations"


def test_translations_keep_placeholders_and_tags(language: str) -> None:
    assert [each.id for each in translations.read_catalog(language) if each.id and not keeps_placeholders(each)] == []


def keeps_placeholders(message: Message) -> bool:
    """Tell whether each form has the placeholders of the text; a singular may leave out the number."""
    said = [Counter(PLACEHOLDER.findall(each)) for each in forms(message.id)]
    return all(Counter(PLACEHOLDER.findall(each)) in said for each in forms(message.string))


def test_missing_placeholder_is_found() -> None:
    assert keeps_placeholders(Message("%(count)d of <b>5</b>", "<b>5</b>: %(count)d"))
    assert not keeps_placeholders(Message("%(count)d of <b>5</b>", "%(count)d de 5"))


def test_marked_texts_are_found_in_code_and_templates(tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(translations, "ROOT", tmp_path)
    (tmp_path / "templates").mkdir()
    (tmp_path / "agents").mkdir()
    page = '{% load i18n %}{% translate "50% (done)" %}{% blocktranslate count n=n %}{{ n }} cat{% plural %}{{ n }} cats{% endblocktranslate %}'
    (tmp_path / "templates" / "page.html").write_text(page)
    (tmp_path / "agents" / "code.py").write_text(
        'A = _("One "\n  "text")\nB = ngettext("a %d", "b %d", 2)\nC = _(unmarked)\n'
    )
    assert [text for _place, text, _context in translations.texts()] == [
        "50%% (done)", ("%(n)s cat", "%(n)s cats"), "One text", ("a %d", "b %d"),
    ]  # fmt: skip
