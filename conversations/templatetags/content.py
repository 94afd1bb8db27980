"""Template tag `{% content_lang %}`: marks text of courses and replies, where the page is in another language."""

from django import template
from django.conf import settings
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

register = template.Library()


@register.simple_tag
def content_lang() -> SafeString:
    """Return a `lang` attribute with the language of courses and replies; nothing if the page has the same."""
    is_same = get_language() == settings.LANGUAGE_CODE
    return mark_safe("" if is_same else f' lang="{settings.LANGUAGE_CODE}" dir="ltr"')
