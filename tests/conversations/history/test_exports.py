"""Conversations as files."""

import json
import unicodedata
from html.parser import HTMLParser

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from conversations.history import exports
from conversations.history.safe_markdown import disarm_markdown, escape_text
from conversations.models import Message, Session
from tests.conversations.web.test_markup import PAYLOADS, Seen
from tests.conversations.web.test_pages import said
from tests.tutoring.small_course import ask

PERMISSIVE = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough")
"""A reader that lets everything through, as somebody's may."""
PERMISSIVE.validateLink = lambda url: True
SECOND_ORDER = ["\\" + payload for payload in PAYLOADS] + [f"&{payload}" for payload in PAYLOADS]
SECOND_ORDER += [
    "[x\\](javascript:a)",
    "[a][b]\n\n[b]\\: javascript:a",
    "\\[b]: javascript:a\n\n[b]",
    "> [b]: data:a\n\n[b]",
]
SAFE = ("http:", "https:", "mailto:")


def alive(markdown):
    """Return what a browser would do by itself, or on a click, with the rendered Markdown."""
    seen = Seen(PERMISSIVE.render(markdown))
    tags = seen.tags - {"p", "blockquote", "em", "strong", "a", "code", "pre", "br", "hr", "ul", "ol", "li", "s", "del"}
    tags -= {"table", "thead", "tbody", "tr", "th", "td", *(f"h{number}" for number in range(1, 7))}
    links = {link for link in seen.links if not link.startswith(SAFE)}
    return tags | links | {name for _, name in seen.attributes if name.startswith(("on", "hx-"))}


def text_of(html):
    """Return what a browser would show of some HTML, as text."""
    pieces = []
    reading = HTMLParser()
    reading.handle_data = pieces.append
    reading.feed(html)
    return "".join(pieces)


def test_hostile_words_stay_words():
    """X1–X6"""

    def quoted(payload):
        return exports._quoted(disarm_markdown(payload))

    ways = (disarm_markdown, escape_text, quoted)
    written = [as_text(payload) for payload in PAYLOADS + SECOND_ORDER for as_text in ways]
    assert [text for text in written if alive(text)] == []


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=st.sampled_from("<>[]()!&#\\:`~*_ \n\"'ajsx/?1;"), max_size=60))
@example("<script>")
def test_nothing_written_comes_alive(text):
    """X1–X6"""
    assert not alive(disarm_markdown(text))
    assert not alive(escape_text(text))


@settings(max_examples=40, deadline=None)
@given(st.text(alphabet=st.sampled_from("<>[]()!&#\\:`~*_-+=|.1 \nab\"'"), max_size=40))
def test_what_a_learner_typed_reads_as_typed(text):
    rendered = PERMISSIVE.render(f"> {escape_text(text)}".replace("\n", "\n> "))
    assert text_of(rendered).split() == text.split()


def test_emphasis_formulas_and_links_to_the_web_stay():
    markdown = "**Half** of $\\frac{1}{2}$, see [this](https://example.org/a?b=c) & 1 < 2\n\n- one"
    assert disarm_markdown(markdown) == markdown


def test_open_block_of_code_ends_with_its_reply():
    assert disarm_markdown("look:\n```\nx") == "look:\n```\nx\n```"
    assert disarm_markdown("```\nx\n```") == "```\nx\n```"


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Halves & thirds", "Halves thirds"),
        ("../../etc/passwd", "etc passwd"),
        ('a"b\r\nSet-Cookie: x', "a b Set-Cookie x"),
        ("\u202egnp.exe", "gnp exe"),
        ("Über Brüche", "Über Brüche"),
        ("", "conversation"),
        ("...", "conversation"),
        ("CON", "CON"),
        ("x" * 200, "x" * 60),
    ],
)
def test_file_name_is_one_everywhere(title, name):
    """X1–X6"""
    made = exports.file_name(Session(title=title), "md")
    assert made.startswith(f"{name} 20")
    assert made.endswith(".md")
    assert not any(unicodedata.category(character).startswith("C") for character in made)


class TestFiles:
    pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("host"), pytest.mark.db]

    @pytest.fixture
    async def read(self, ada, monkeypatch):
        """Return a function that reads an address of Ada's to its end."""
        monkeypatch.setattr(exports, "PAGE", 2)
        browser = AsyncClient()
        await sync_to_async(browser.force_login)(ada)

        async def get(path):
            response = await browser.get(path)
            return response, b"".join([piece async for piece in response.streaming_content]).decode()

        return get

    async def test_markdown_has_everything_in_order(self, read, ada):
        for number in range(5):
            await sync_to_async(said)(ada, f"question {number} <b>", reply=f"**answer** {number}")
        response, text = await read("/c/s/export.md")
        assert response["Content-Type"] == "text/markdown; charset=utf-8"
        assert response["Content-Disposition"].startswith("attachment; filename=")
        assert text.startswith("# question 0 \\<b\\>\n")
        places = [
            text.index(f"> question {number} \\<b\\>\n\n**The team**\n\n**answer** {number}") for number in range(5)
        ]
        assert places == sorted(places)

    async def test_json_is_one_object_with_all_turns(self, read, ada):
        for number in range(5):
            await sync_to_async(said)(ada, f"question {number} </script>\u2028\x1b", reply="answer")
        response, text = await read("/c/s/export.json")
        assert response["Content-Type"] == "application/json; charset=utf-8"
        content = json.loads(text)
        assert content["session_id"] == "s"
        assert [turn["number"] for turn in content["turns"]] == [1, 2, 3, 4, 5]
        assert content["turns"][4]["user_text"] == "question 4 </script>\u2028\x1b"

    async def test_questions_are_in_words_where_they_stood(self, read, ada):
        question = await sync_to_async(ask)(ada)
        card = {"kind": "question", "id": str(question.pk), "at": 7}
        await Message.objects.acreate(
            session_id=question.session_id,
            turn_id=question.turn_id,
            author="team",
            text="Before.\n\nAfter.",
            cards=[card],
        )
        again = await sync_to_async(said)(ada, "997", key=question.session.key, reply="Not yet.")
        await Message.objects.filter(turn=again, author="team").aupdate(cards=[card])
        _, text = await read("/c/lesson/export.md")
        before, after = text.split(question.stem)
        assert before.endswith("**The team**\n\nBefore.\n\n> **Question.** ")
        assert "After." in after

    async def test_empty_conversation_is_a_file_too(self, read, ada):
        await Session.objects.acreate(owner=ada, key="s")
        assert json.loads((await read("/c/s/export.json"))[1])["turns"] == []
