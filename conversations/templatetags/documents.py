"""Template filters for a document's state."""

from django import template

from conversations.library import listing
from conversations.models import Document

register = template.Library()


@register.filter
def state_words(document: Document) -> str:
    return listing.state_words(document)


@register.filter
def problem_words(document: Document) -> str:
    return listing.problem_words(document)
