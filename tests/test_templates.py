"""What every template keeps to: the content policy, and the house's voice."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.template.loader import get_template

ROOT = Path(settings.BASE_DIR) / "templates"
TEMPLATES = sorted(str(path.relative_to(ROOT)) for path in ROOT.rglob("*.html"))
PARTIAL = re.compile(r"{% partialdef (\w+)")
WORDS = re.compile(r"""{% translate (["'])(.*?)\1|{% blocktranslate[^%]*%}(.*?){% endblocktranslate""", re.DOTALL)
FORBIDDEN = re.compile(r"""\sstyle=|\son[a-z]+=|hx-on|<style|<script(?![^>]*\ssrc=)|javascript:|\|\s*safe\b""")
EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf]")


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_and_its_parts_compile(name: str) -> None:
    source = (ROOT / name).read_text()
    for part in ("", *(f"#{partial}" for partial in PARTIAL.findall(source))):
        get_template(f"{name}{part}")


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_has_nothing_the_content_policy_blocks(name: str) -> None:
    assert not FORBIDDEN.findall((ROOT / name).read_text())


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_speaks_calmly(name: str) -> None:
    for _, line, block in WORDS.findall((ROOT / name).read_text()):
        assert "!" not in line + block
        assert not EMOJI.search(line + block)
