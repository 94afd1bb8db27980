"""Pages of the articles that come with the program."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from conversations.library.articles import shipped_articles
from conversations.web.markup import to_html


@login_required
@require_safe
def articles(request: HttpRequest) -> HttpResponse:
    """List all articles by topic."""
    return render(request, "conversations/articles.html", {"articles": list(shipped_articles().values())})


@login_required
@require_safe
def article(request: HttpRequest, article: str) -> HttpResponse:
    """Show one article."""
    if (found := shipped_articles().get(article)) is None:
        raise Http404
    sections = [
        {"heading": each.heading, "anchor": each.anchor, "html": to_html(each.text, stacks=True)}
        for each in found.sections
    ]
    return render(request, "conversations/article.html", {"article": found, "sections": sections})
