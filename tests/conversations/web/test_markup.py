"""What the page makes of Markdown, formulas and hostile text."""

from html.parser import HTMLParser

import pytest
from django.utils.html import strip_tags
from hypothesis import given
from hypothesis import strategies as st

from conversations.web.markup import ATTRIBUTES, TAGS, formulas, inline_to_html, to_html

PAYLOADS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<a href='javascript:alert(1)'>x</a>",
    "<div hx-get='/accounts/sign-out' hx-trigger='load'></div>",
    "<form action='/admin/'><input name=x></form>",
    "<style>*{display:none}</style>",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<math><annotation-xml encoding='text/html'><script>alert(1)</script></annotation-xml></math>",
    "<details open ontoggle=alert(1)>",
    "<base href='//evil.example/'>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "<!--><script>alert(1)</script>-->",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\nscript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:msgbox(1))",
    "[x](file:///etc/passwd)",
    '[x](https://a.example "onmouseover=alert(1)")',
    '[x](https://a.example/" onmouseover="alert(1))',
    "![x](https://evil.example/leak.png)",
    "![x](data:image/svg+xml;base64,PHN2Zz4=)",
    "[x]: javascript:alert(1)\n\n[x]",
    "<javascript:alert(1)>",
    "```\n</code></pre><script>alert(1)</script>\n```",
    "`</code><script>alert(1)</script>`",
    '```"><script>alert(1)</script>\nx\n```',
    "|<script>|\n|-|\n|<img src=x onerror=alert(1)>|",
    r"$\text{</math><script>alert(1)</script>}$",
    r"$\text{<img src=x onerror=alert(1)>}$",
    r"\(\href{javascript:alert(1)}{x}\)",
    r"\[\style{background:url(//evil.example)}{x}\]",
    r"$\class{evil}{x}$ $\cssId{evil}{x}$",
    '$"><script>alert(1)</script>$',
    r'$\mathrm{" onload="alert(1)}$',
]


class Seen(HTMLParser):
    """Every tag, attribute and link a browser would find."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str]] = set()
        self.links: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {(tag, name) for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name == "href"]


ALLOWED = {(tag, name) for tag, names in (ATTRIBUTES | formulas.ATTRIBUTES).items() for name in names} | {("a", "rel")}


def assert_harmless(html: str) -> None:
    seen = Seen(html)
    assert seen.tags <= TAGS
    assert seen.attributes <= ALLOWED
    assert all(link.startswith(("http://", "https://", "mailto:", "/", "#")) for link in seen.links)
    assert not any(link.startswith("//") for link in seen.links)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_hostile_text_comes_out_harmless(payload: str) -> None:
    """X1: no payload is live in a message."""
    for text in (payload, f"Look:\n\n> {payload}", f"- {payload}", f"**{payload}**", f"# {payload}"):
        assert_harmless(to_html(text))
        assert_harmless(inline_to_html(text))


@given(st.text(alphabet="$\\()[]{}<>`*_#|-\n /:\"'=&;!a1\u202e\ue000\ue001", max_size=200))
def test_any_text_comes_out_harmless(text: str) -> None:
    """X1, as a family."""
    assert_harmless(to_html(text))


@pytest.mark.parametrize(
    ("text", "display"),
    [
        (r"$\frac{1}{2}$", "inline"),
        (r"\(\frac{1}{2}\)", "inline"),
        (r"$$\frac{1}{2}$$", "block"),
        (r"\[\frac{1}{2}\]", "block"),
        ("\\[\n\\frac{1}{2}\n\\]", "block"),
        ("$$\n\\frac{1}{2}\n$$", "block"),
        ("Then\n\\(\\frac{1}\n{2}\\)\nof it", "inline"),
    ],
)
def test_each_delimiter_makes_a_formula(text: str, display: str) -> None:
    html = to_html(text)
    assert f'display="{display}"' in html
    assert "<mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac>" in html


@pytest.mark.parametrize("operator", ["=", "-", "+", ">", "#", "1."])
def test_lines_of_a_formula_are_no_lists_or_titles(operator: str) -> None:
    html = to_html(f"So\n\\[\na\n{operator} b\n\\]")
    assert html.startswith("<p>So\n<math")
    assert not Seen(html).tags & {"ul", "ol", "h3", "h4", "blockquote"}


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 and $6.",
        "Between $5 and 6$ a piece.",
        "Was $10 (now $5).",
        "US$5 or CA$6",
        "$5/$6, $5-$6, $1,000.50",
        "It is $5\nand $6 now.",
        "One $ alone",
    ],
)
def test_prices_are_no_formulas(text: str) -> None:
    assert "<math" not in to_html(text)
    assert text in to_html(text)


@pytest.mark.parametrize("text", [r"so \(x", r"so \[ x", "so $x", "so $$x", r"so x\)", "so $$\nx\n\nand $$ more"])
def test_half_a_formula_stays_text(text: str) -> None:
    html = to_html(text)
    assert "<math" not in html
    assert text.split("\n")[0] in html


def test_a_price_before_a_formula_does_not_swallow_it() -> None:
    html = to_html("You pay $5. Call it $x$.")
    assert "You pay $5. Call it <math" in html


@pytest.mark.parametrize("latex", [r"\frac{1}", r"\nonsense{x}", "x^", r"\left( x", r"\text{a<b}", r"\hspace{99em}x"])
def test_a_formula_the_converter_cannot_say_shows_its_source(latex: str) -> None:
    seen = Seen(to_html(f"${latex}$"))
    assert "math" not in seen.tags
    assert "code" in seen.tags


def test_code_keeps_its_dollars() -> None:
    assert to_html("`$x$`") == "<p><code>$x$</code></p>\n"
    assert "<math" not in to_html("```\n$x$\n```\n\n    $y$")


def test_a_formula_in_a_table_is_drawn() -> None:
    html = to_html("| part | of |\n|---|---|\n| $\\frac{1}{2}$ | a bar |")
    assert "<td><math" in html


def test_a_foreign_link_names_its_host() -> None:
    """X3: what is behind a link is said."""
    html = to_html("[read on](https://good.example@evil.example/page)")
    assert '<span class="host">(evil.example)</span>' in html
    assert 'rel="noopener noreferrer nofollow ugc"' in html


def test_a_link_inside_the_house_names_none() -> None:
    assert "host" not in to_html("[your progress](/progress/)")


@pytest.mark.parametrize("address", ["//evil.example/x", "///evil.example", "/\\evil.example", "\\\\evil.example"])
def test_a_link_without_a_scheme_cannot_leave_unseen(address: str) -> None:
    """X3: protocol-relative addresses."""
    for link in Seen(to_html(f"[x]({address})")).links:
        assert not link.startswith(("//", "/\\", "\\"))


def test_a_direction_control_turns_nothing_around_it() -> None:
    """X2: a name written backwards stays in its own box."""
    assert to_html("a \u202egpj.exe") == "<p><bdi>a \u202egpj.exe\u202c</bdi></p>\n"
    assert "\u2069" not in to_html("a \u2069 b")
    assert "\u202e" not in to_html("$x \u202e y$")


def test_text_too_long_or_too_deep_is_shown_as_written() -> None:
    assert to_html("**a**" * 2_001).startswith("<pre>**a**")
    assert to_html("> " * 25 + "deep & down").endswith("deep &amp; down</pre>")


def test_nothing_written_disappears() -> None:
    assert "note" in to_html("[^1]: note")
    assert "1. one" not in to_html("1. one")
    assert "<li>one</li>" in to_html("1. one")


def test_titles_stay_below_the_page_title() -> None:
    assert to_html("# Halves") == "<h3>Halves</h3>\n"


def test_a_line_has_no_paragraph_around_it() -> None:
    assert inline_to_html("*two* parts") == "<em>two</em> parts"


@pytest.mark.parametrize("text", ["on 3/5/2026", "see /1/2", "a1/2", "1.1/2", "1/2.5", "`1/2`", "1/2"])
def test_fractions_are_stacked_where_asked_for_and_nothing_else_is(text):
    is_fraction = text == "1/2"
    assert ('class="frac"' in to_html(text, stacks=True)) == is_fraction
    assert ('class="frac"' in inline_to_html(text, stacks=True)) == is_fraction
    assert 'class="frac"' not in to_html(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("80 - 50 = 30", "80 − 50 = 30"),
        ("-8 is less than -3", "−8 is less than −3"),
        ("(3x - 4) - (-x - y)", "(3x − 4) − (−x − y)"),
        ("on 2026-11-28, pages 3-4", "on 2026-11-28, pages 3-4"),
        ("well-known - or not", "well-known - or not"),
        ("<code>a - 1</code>", "<code>a - 1</code>"),
    ],
)
def test_hyphen_in_a_sum_is_shown_as_a_minus_sign(text: str, shown: str) -> None:
    markdown = text.replace("<code>", "`").replace("</code>", "`")
    assert inline_to_html(markdown, stacks=True) == shown
    assert inline_to_html(markdown) == text


def test_stacked_fraction_keeps_its_text():
    html = inline_to_html("Is *1/4* more than 1/8?", stacks=True)
    assert strip_tags(html) == "Is 1/4 more than 1/8?"
    assert 'data-top="1" data-bottom="8"' in html
