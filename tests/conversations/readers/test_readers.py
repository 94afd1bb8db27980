"""What is in a document comes out as pages, in its order, under its headings."""

import io
import re

import pytest
from docx.enum.style import WD_STYLE_TYPE
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from pypdf import PdfReader, PdfWriter

from conversations.readers import Page, Problem, Unreadable, cnxml, docx, markdown, ocr, pdf, sandbox_child, text
from conversations.readers.document import MAX_CHARACTERS, PAGE_CHARACTERS, Progress, Title
from conversations.readers.images import KEPT_PIXELS, normalize_frame
from conversations.readers.sandbox_child import deliver
from tests.conversations.readers.sample_files import MODULE, image, pages_pdf, tar_of, word, zip_of
from tests.conversations.readers.sample_files import pdf as pdf_of

SECTION = b'<section xmlns="http://cnx.rice.edu/cnxml"><title>%s</title>%s</section>'


def pages(reader, content):
    """Return the pages that a reader finds, without the process around it."""
    return [part for part in reader.parts(io.BytesIO(content)) if isinstance(part, Page)]


def told(reader, content):
    return [(page.number, page.heading, page.text.strip()) for page in pages(reader, content)]


def title(reader, content):
    return [part.title for part in reader.parts(io.BytesIO(content)) if isinstance(part, Title)]


def only(reader, content):
    (page,) = pages(reader, content)
    return page.text


def module(content):
    return MODULE.replace(b'<para id="p">%s</para>', b"%s") % (b"Halves", content)


# PDF


def test_pdf_has_its_pages_under_the_outlines_headings():
    outline = [("First", 1), ("Second", 3), ("Also second", 3)]
    found = pages(pdf, pages_pdf(["cover", "a half", "more", "a third"], outline=outline))
    assert [(page.number, page.heading) for page in found] == [(1, ""), (2, "First"), (3, "First"), (4, "Second")]
    assert [page.text for page in found] == ["cover", "a half", "more", "a third"]


def test_words_divided_at_a_lines_end_are_whole():
    assert only(pdf, pages_pdf(["a frac-\ntion (one half) of 3-\n4"])) == "a fraction (one half) of 3-\n4"


def test_title_of_a_pdf_is_its_own():
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pages_pdf(["one"]))))
    writer.add_metadata({"/Title": "Fractions"})
    out = io.BytesIO()
    writer.write(out)
    assert title(pdf, out.getvalue()) == ["Fractions"]


def test_page_that_is_broken_does_not_cost_the_others():
    whole = pages_pdf(["one", "two"])
    one_broken = whole.replace(b"/FlateDecode", b"/NoSuchCoder", 1)
    assert told(pdf, one_broken) == [(2, "", "two")]
    with pytest.raises(Unreadable) as refusal:
        pages(pdf, whole.replace(b"/FlateDecode", b"/NoSuchCoder"))
    assert refusal.value.problem == Problem.DAMAGED


def test_progress_counts_the_pages():
    parts = pdf.parts(io.BytesIO(pages_pdf(["one", "two"])))
    assert [part for part in parts if isinstance(part, Progress)] == [Progress(page=1, of=2), Progress(page=2, of=2)]


def test_page_of_one_picture_says_that_nothing_can_be_read_off_it_here(monkeypatch):
    """U6: not the same as a page without anything on it."""
    monkeypatch.setattr(ocr, "is_installed", lambda: False)
    picture = b"<</Type/XObject/Subtype/Image/Width 600/Height 800/Length 0>>stream\n\nendstream"
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</XObject<</I 4 0 R>>>>>>"
    scan = pdf_of([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 1/Kids[3 0 R]>>", page, picture])
    with pytest.raises(Unreadable) as refusal:
        pages(pdf, scan)
    assert refusal.value.problem == Problem.NO_EYES


# DOCX


def test_document_has_a_page_for_each_heading():
    content = word(
        ("Normal", "before"),
        ("Heading 1", "Fractions"),
        ("Normal", "one"),
        ("List Bullet", "a"),
        ("List Bullet", "b"),
        ("Heading 2", "Adding"),
        ("Normal", "two\tthree"),
        ("Heading 1", "Decimals"),
        ("Heading 2", "Tenths"),
        ("Normal", "four"),
    )
    assert told(docx, content) == [
        (1, "", "before"),
        (2, "Fractions", "one\n\n- a\n- b"),
        (3, "Fractions › Adding", "two\tthree"),
        (4, "Decimals › Tenths", "four"),
    ]


def test_style_that_rests_on_a_heading_is_one():
    import docx as library

    document = library.Document()
    own = document.styles.add_style("Chapter", WD_STYLE_TYPE.PARAGRAPH)
    own.base_style = document.styles["Heading 1"]
    document.add_paragraph("Fractions", style="Chapter")
    document.add_paragraph("one")
    out = io.BytesIO()
    document.save(out)
    assert told(docx, out.getvalue()) == [(1, "Fractions", "one")]


def test_tables_and_formulas_of_a_document_are_read():
    import docx as library

    document = library.Document()
    table = document.add_table(2, 2)
    for cell, words in zip(table._cells, ["n", "half", "2", ""], strict=True):
        cell.text = words
    formula = document.add_paragraph("so ")._p
    formula.append(
        library.oxml.parse_xml(
            '<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:f><m:num><m:r><m:t>1</m:t>'
            "</m:r></m:num><m:den><m:r><m:t>n+1</m:t></m:r></m:den></m:f></m:oMath>"
        )
    )
    out = io.BytesIO()
    document.save(out)
    assert only(docx, out.getvalue()) == "n | half\n2\n\nso 1/(n+1)"


# Markdown and text


def test_markdown_has_a_page_for_each_heading():
    content = (
        b"intro\n\n# Fractions\n\none\n\n```\n# no heading\n```\n\n## Adding ##\ntwo\n\nDecimals\n========\nthree\n"
    )
    assert told(markdown, content) == [
        (1, "", "intro"),
        (2, "Fractions", "one\n\n```\n# no heading\n```"),
        (3, "Fractions › Adding", "two"),
        (4, "Decimals", "three"),
    ]
    assert title(markdown, content) == ["Fractions"]


def test_text_is_divided_between_paragraphs_and_loses_none():
    content = "\n\n".join(f"paragraph {number} " + "word " * 100 for number in range(40))
    found = pages(text, content.encode())
    assert "\n\n".join(page.text for page in found) == content
    assert [page.number for page in found] == list(range(1, len(found) + 1))
    assert len(found) > 2


def test_page_breaks_of_a_text_are_its_pages():
    assert told(text, "one\ftwo\f\fthree".encode("utf-16")) == [(1, "", "one"), (2, "", "two"), (3, "", "three")]


# CNXML


def test_module_has_a_page_for_each_section():
    inner = SECTION % (b"Thirds", b"<para>three</para>")
    content = module(b"<para>one</para>" + SECTION % (b"Parts", b"<para>two</para>" + inner))
    assert told(cnxml, content) == [(1, "", "one"), (2, "Parts", "two"), (3, "Parts › Thirds", "three")]
    assert title(cnxml, content) == ["Halves"]


def test_collection_is_read_in_the_order_of_its_contents():
    contents = (
        b'<col:collection xmlns:col="http://cnx.rice.edu/collxml" xmlns:md="http://cnx.rice.edu/mdml"><metadata>'
        b'<md:title>Book</md:title></metadata><col:content><col:module document="m3"/><col:subcollection>'
        b'<md:title>Chapter</md:title><col:content><col:module document="m1"/><col:module document="absent"/>'
        b"</col:content></col:subcollection></col:content></col:collection>"
    )
    files = {f"modules/m{n}/index.cnxml": MODULE % (b"Module %d" % n, b"text %d" % n) for n in (1, 2, 3)}
    expected = [(1, "Module 3", "text 3"), (2, "Chapter › Module 1", "text 1")]
    for content in (tar_of({**files, "c/b.collection.xml": contents}), zip_of({"collection.xml": contents, **files})):
        assert told(cnxml, content) == expected
        assert title(cnxml, content) == ["Book"]
    assert [heading for _, heading, _ in told(cnxml, zip_of(files))] == ["Module 1", "Module 2", "Module 3"]


def test_cnxml_ends_with_the_license_that_it_names():
    said = b"""<metadata xmlns:md="http://cnx.rice.edu/mdml"><md:license url="http://creativecommons.org/licenses/by/4.0/"/>
    </metadata><content>"""
    content = (MODULE % (b"Halves", b"one")).replace(b"<content>", said)
    assert told(cnxml, content)[-1] == (2, "License", "http://creativecommons.org/licenses/by/4.0/")


def test_glossary_is_kept_apart():
    words = b"<definition><term>half</term><meaning>one of two</meaning></definition>"
    content = module(b"<para>one</para>").replace(b"</document>", b"<glossary>%s</glossary></document>" % words)
    assert [(page.heading, page.text, page.glossary) for page in pages(cnxml, content)] == [
        ("", "one", False),
        ("Glossary", "half: one of two", True),
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"<para>a  <emphasis>b</emphasis>\n c<newline/>d</para>", "a b c\nd"),
        (b"<list><item>a</item><item>b</item></list>", "- a\n- b"),
        (b'<list list-type="enumerated"><item>a</item><item><para>b</para></item></list>', "1. a\n2. b"),
        (b"<para>x<list><item>a</item></list>y</para>", "x\n\n- a\n\ny"),
        (b'<code display="block">if a:\n    b()\n\nc()</code>', "if a:\n    b()\n\nc()"),
        (b"<code>\n    a\n      b</code>", "a\n  b"),
        (b"<para>call <code>len()</code></para>", "call len()"),
        (b"<note><title>Tip</title><para>a</para></note>", "Tip\n\na"),
        (b"<note><title>Elsewhere</title><media alt='slides'><iframe/></media></note><para>a</para>", "a"),
        (b"<exercise><problem><para>1?</para></problem><solution><para>2</para></solution></exercise>", "1?\n\nSolution:\n\n2"),
        (
            b"<table><tgroup><thead><row><entry>a</entry><entry>b</entry></row></thead>"
            b"<tbody><row><entry><para>1</para></entry><entry>2</entry></row></tbody></tgroup></table>",
            "a | b\n1 | 2",
        ),
        (b"<figure><media alt='A circle in two parts'><image/></media><caption>Halves</caption></figure>",
         "(A circle in two parts)\n\nHalves"),
    ],
)  # fmt: skip
def test_prose_reads_as_it_is_seen(content, expected):
    assert only(cnxml, module(content)) == expected


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("<m:mfrac><m:mn>3</m:mn><m:mn>4</m:mn></m:mfrac>", "3/4"),
        ("<m:mn>2</m:mn><m:mfrac><m:mn>3</m:mn><m:mn>4</m:mn></m:mfrac>", "2 3/4"),
        ("<m:mfrac><m:mrow><m:mi>a</m:mi><m:mo>+</m:mo><m:mn>1</m:mn></m:mrow><m:mi>b</m:mi></m:mfrac>", "(a + 1)/b"),
        ("<m:mo>−</m:mo><m:mn>3</m:mn><m:mo>−</m:mo><m:mo>−</m:mo><m:mn>1</m:mn>", "−3 − −1"),
        ("<m:msup><m:mi>x</m:mi><m:mn>2</m:mn></m:msup><m:mo>=</m:mo><m:mn>4</m:mn>", "x^2 = 4"),
        ("<m:msup><m:mn>90</m:mn><m:mo>°</m:mo></m:msup>", "90°"),
        ("<m:msqrt><m:mi>a</m:mi><m:mo>+</m:mo><m:mi>b</m:mi></m:msqrt>", "√(a + b)"),
        ("<m:mroot><m:mn>8</m:mn><m:mn>3</m:mn></m:mroot>", "root 3 of 8"),
        ("<m:msub><m:mi>a</m:mi><m:mi>n</m:mi></m:msub>", "a_n"),
        ("<m:mfenced><m:mi>x</m:mi><m:mi>y</m:mi></m:mfenced>", "(x, y)"),
        ("<m:mi>f</m:mi><m:mo>\u2061</m:mo><m:mo>(</m:mo><m:mi>x</m:mi><m:mo>)</m:mo>", "f(x)"),
        ("<m:mtable><m:mtr><m:mtd><m:mn>1</m:mn></m:mtd></m:mtr><m:mtr><m:mtd><m:mn>2</m:mn></m:mtd></m:mtr></m:mtable>", "1; 2"),
        ("<m:mfrac><m:mn>3</m:mn></m:mfrac>", "3"),
        ("<m:semantics><m:mi>x</m:mi><m:annotation>\\x</m:annotation></m:semantics>", "x"),
    ],
)  # fmt: skip
def test_formula_reads_as_it_is_said(formula, expected):
    assert only(cnxml, module(b"<para><m:math>%s</m:math></para>" % formula.encode())) == expected


# Pictures


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "TIFF"])
def test_picture_is_upright_small_and_in_colour(form):
    turned = Image.Exif()
    turned[0x0112] = 6
    with Image.open(io.BytesIO(image((3_000, 2_000), form=form, exif=turned))) as opened:
        found = normalize_frame(opened)
    assert found.width < found.height
    assert found.width * found.height <= KEPT_PIXELS
    assert found.mode == "RGB"


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "YCbCr", "I;16", "I", "F"])
def test_picture_of_any_mode_is_taken(mode):
    assert normalize_frame(Image.new(mode, (30, 20))).mode in {"RGB", "RGBA"}


# What is handed on


def handed_on(*parts):
    said = []
    deliver(iter(parts), say=lambda **line: said.append(line))
    return [line["page"] for line in said if "page" in line]


@given(text=st.text(max_size=300))
def test_nothing_but_blanks_is_lost_where_a_long_page_is_cut(text):
    whole = Page(number=1, heading="", text=text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sandbox_child, "PAGE_CHARACTERS", 20)
        found = [part.text for part in sandbox_child.split_page(whole)]
    assert all(0 < len(part) <= 20 for part in found)
    assert "".join("".join(found).split()) == "".join(sandbox_child.clean_text(text).split())


def page(words):
    return Page(number=7, heading="h", text=words)


def test_long_page_comes_in_parts_of_one_number():
    lines = "\n".join(f"line {number}" for number in range(5_000))
    found = handed_on(page(lines))
    assert len(found) > 1
    assert {part["number"] for part in found} == {7}
    assert all(len(part["text"]) <= PAGE_CHARACTERS for part in found)
    assert "\n".join(part["text"] for part in found) == lines


def test_what_a_database_cannot_bear_is_left_out():
    (found,) = handed_on(Page(number=1, heading="a\0\nb", text="\x1bone\r\ntwo\ud800\ufffe\x85"))
    assert (found["heading"], found["text"]) == ("a b", "one\ntwo")


def test_too_much_text_is_said_and_not_cut():
    with pytest.raises(Unreadable) as refusal:
        handed_on(page("word " * (MAX_CHARACTERS // 5 + 1)))
    assert refusal.value.problem == Problem.TOO_LONG


def test_blank_pages_are_no_text():
    """U6: "no readable text" is said, not an empty success."""
    with pytest.raises(Unreadable) as refusal:
        handed_on(page(" \n"), page(""))
    assert refusal.value.problem == Problem.NO_TEXT


def test_every_problem_has_a_sentence():
    for problem in Problem:
        assert re.fullmatch(r"[A-Z].*\.", problem.sentence)
