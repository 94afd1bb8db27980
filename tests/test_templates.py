"""What every template keeps to: the content policy, and the house's voice."""

import re
from pathlib import Path

from django.conf import settings
from django.template import TemplateDoesNotExist, TemplateSyntaxError
from django.template.loader import get_template

ROOT = Path(settings.BASE_DIR) / "templates"
SOURCES = {str(path.relative_to(ROOT)): path.read_text() for path in sorted(ROOT.rglob("*.html"))}
PARTIAL = re.compile(r"{% partialdef (\w+)")
WORDS = re.compile(r"""{% translate (["'])(.*?)\1|{% blocktranslate[^%]*%}(.*?){% endblocktranslate""", re.DOTALL)
FORBIDDEN = re.compile(r"""\sstyle=|\son[a-z]+=|hx-on|<style|<script(?![^>]*\ssrc=)|javascript:|\|\s*safe\b""")
EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf]")


def compile_error(name: str) -> str:
    try:
        get_template(name)
    except (TemplateDoesNotExist, TemplateSyntaxError) as error:
        return repr(error)
    return ""


def test_templates_and_their_parts_compile() -> None:
    parts = [f"{name}#{part}" for name, source in SOURCES.items() for part in PARTIAL.findall(source)]
    assert len(parts) > 100
    assert {name: error for name in (*SOURCES, *parts) if (error := compile_error(name))} == {}


def test_templates_have_nothing_the_content_policy_blocks() -> None:
    assert {name: found for name, source in SOURCES.items() if (found := FORBIDDEN.findall(source))} == {}


def test_templates_speak_calmly() -> None:
    said = [(name, line + block) for name, source in SOURCES.items() for _, line, block in WORDS.findall(source)]
    assert len(said) > 1000
    assert [(name, words) for name, words in said if "!" in words or EMOJI.search(words)] == []
