"""The articles that come with the program: each can be read, is listed, and answers a question."""

import re
from pathlib import Path

import pytest
from django.test import Client

from conversations.library.articles import BadArticle, published_articles, read_article, shipped_articles
from tests import people

ARTICLES = shipped_articles()


@pytest.mark.parametrize("name", ARTICLES)
def test_article_is_complete(name: str) -> None:
    article = ARTICLES[name]
    text = "\n".join(each.text for each in article.sections)
    assert 3 <= len(article.sections) - 1 <= 6
    assert 150 <= len(text.split()) <= 550
    assert len({each.anchor for each in article.sections}) == len(article.sections)
    assert not re.search(r"https?://|<\w+>|\?\s*$", text)
    # Lines of a paragraph are joined when it is published.
    assert not re.search(r"^(?:[-*|>]|```| {4}|\d+\. )", text, re.MULTILINE)


def test_sections_are_published_at_their_places() -> None:
    published = {each.key: each for each in published_articles()}
    assert published.keys() == ARTICLES.keys()
    links = [each.link for each in published["how-transformers-work"].sections()]
    assert links[:2] == [
        "/library/articles/how-transformers-work/",
        "/library/articles/how-transformers-work/#from-words-to-vectors",
    ]


def test_published_sentences_are_whole() -> None:
    for article in published_articles():
        for section in article.sections():
            assert not re.search(r"(?<!\n)\n(?!\n)|\*\w|`", section.text), section.heading


@pytest.mark.parametrize(
    "text",
    ["no head", "---\ntitle: A\n---\ntext", "---\ntitle: A\ntopic: b\n---\nopening\n\n## Empty\n", "---\n: [\n---\nx"],
)
def test_bad_file_is_named(text: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.md"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadArticle, match=r"bad\.md"):
        read_article(path)


@pytest.mark.django_db
class TestPages:
    def test_everybody_signed_in_reads_them(self, client: Client) -> None:
        client.force_login(people.make_person("ada"))
        listed = client.get("/library/articles/").content.decode()
        assert all(f"/library/articles/{name}/" in listed for name in ARTICLES)
        page = client.get("/library/articles/how-transformers-work/").content.decode()
        assert '<section id="attention">' in page
        assert "Attention is the step" in page

    def test_unknown_one_is_404(self, client: Client) -> None:
        client.force_login(people.make_person("ada"))
        assert client.get("/library/articles/nothing/").status_code == 404

    def test_strangers_sign_in_first(self, client: Client) -> None:
        assert client.get("/library/articles/how-transformers-work/")["location"].startswith("/accounts/")
