"""The site's own name in the titles of pages."""

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from learnagent.site.look import site_look

DEFAULT = "learnagent"
register = template.Library()


@register.filter
def with_site_name(title: str) -> SafeString:
    """Return a page's title, already escaped, with the site's name in place of the default one at its end."""
    title = title.strip()
    if title.endswith(DEFAULT):
        title = title.removesuffix(DEFAULT) + escape(site_look().name)
    return mark_safe(title)  # The template has escaped it.
