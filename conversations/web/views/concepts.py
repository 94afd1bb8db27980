"""View of what a person asked about: the concepts of their messages, as a picture and as a list."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from conversations.concepts.graph import group_by_topic, merge_messages
from conversations.concepts.lesson_links import lesson_links
from conversations.concepts.mentions import asked_messages
from conversations.concepts.picture import draw_concepts


@login_required
@require_safe
def concepts(request: HttpRequest) -> HttpResponse:
    """Show the person's own concepts; nobody else has a page of them."""
    messages = asked_messages(request.user)
    found = merge_messages(messages, lessons=lesson_links() if messages else None)
    topics = group_by_topic(found, messages)
    context = {"topics": topics, "picture": draw_concepts(topics) if topics else None}
    return render(request, "conversations/concepts.html", context)
