"""How content is marked: the language of courses and replies, and programs in what people write."""

import re

from django import template
from django.conf import settings
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

register = template.Library()

_FENCED = re.compile(r"(^[ \t]*```[^\n`]*\n)(.*?)(\n[ \t]*```[ \t]*$\n?)", re.DOTALL | re.MULTILINE)


@register.simple_tag
def content_lang() -> SafeString:
    """Return a `lang` attribute with the language of courses and replies; nothing if the page has the same."""
    is_same = get_language() == settings.LANGUAGE_CODE
    return mark_safe("" if is_same else f' lang="{settings.LANGUAGE_CODE}" dir="ltr"')


@register.filter
def fenced_code(text: str) -> SafeString:
    """Return a person's text with what stands between fences as code; the fences are hidden but stay in the text."""
    pieces, position = [], 0
    for found in _FENCED.finditer(text):
        hidden = format_html(
            '<span class="fence">{}</span><code class="fenced">{}</code><span class="fence">{}</span>', *found.groups()
        )
        pieces += [(text[position : found.start()],), (hidden,)]
        position = found.end()
    return format_html_join("", "{}", [*pieces, (text[position:],)])
