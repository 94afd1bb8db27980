"""What is taken is told by content alone, and everything else is turned away before it is opened."""

import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conversations.readers import Problem, Unreadable, media_type_of
from conversations.readers.media_types import CNXML, DOCX, MARKDOWN, MEDIA_TYPES, PDF, TARRED_CNXML, TEXT, ZIPPED_CNXML
from tests.conversations.readers import hostile_files
from tests.conversations.readers.sample_files import MODULE, image, pages_pdf, tar_of, word, zip_of

CNX = MODULE % (b"Halves", b"A half.")
BOOK = {"collections/b.collection.xml": b"<x/>", "modules/m1/index.cnxml": CNX}
HTML = b"<html><body>hello</body></html>"
PAGE_IN_MAIL = b"From: <a@b.example>\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/related\n\nhello"


@pytest.fixture
def path(tmp_path):
    """A name that says something else than what is in it."""
    return tmp_path / "photo.png.html"


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (image(form="PNG"), "image/png"),
        (image(form="JPEG"), "image/jpeg"),
        (image(form="WEBP"), "image/webp"),
        (image(form="GIF"), "image/gif"),
        (image(form="TIFF"), "image/tiff"),
        (pages_pdf(["one"]), PDF),
        (word(("Normal", "one")), DOCX),
        (CNX, CNXML),
        (b'\xef\xbb\xbf<?xml version="1.0"?>\n<!-- made by hand -->\n' + CNX, CNXML),
        ('<?xml version="1.0" encoding="UTF-16"?>'.encode("utf-16") + CNX.decode().encode("utf-16-le"), CNXML),
        (zip_of(BOOK), ZIPPED_CNXML),
        (tar_of(BOOK), TARRED_CNXML),
        (b"# Halves\n\nOne of two.", MARKDOWN),
        (b"Halves\n======\n\n- one\n- two\n", MARKDOWN),
        (b"see [this](https://a.example) and **that**", MARKDOWN),
        (b"A half is one of two equal parts.", TEXT),
        (b"3 < 4, and 4 > 3", TEXT),
        (b"<- this way", TEXT),
        (b"- only\n- a list", TEXT),
        ("½ of a pie".encode(), TEXT),
        ("½ of a pie".encode("latin-1"), TEXT),
        ("½ of a pie".encode("utf-16"), TEXT),
        (b"", TEXT),
    ],
)
def test_kind_is_told_by_content(path, content, kind):
    path.write_bytes(content)
    assert media_type_of(path) == kind


@pytest.mark.parametrize(
    "content",
    [
        b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
        b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
        HTML,
        b"<!-- hello -->\n<!DOCTYPE html><p>hello",
        b"\xef\xbb\xbf  <ScRiPt>alert(1)</script>",
        HTML.decode().encode("utf-16"),
        b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body/></html>',
        PAGE_IN_MAIL,
        b"MIME-Version: 1.0\nContent-Type: multipart/related\n\nhello",
        b"<rss><channel/></rss>",
        b"<document><title>no namespace</title></document>",
        b'<?xml version="1.0"?><broken',
    ],
)
def test_pages_and_other_xml_are_not_taken(path, content):
    """U4: SVG, HTML, XHTML, MHTML and other XML."""
    refused(path, content, Problem.UNSUPPORTED)


@pytest.mark.parametrize("content", [hostile_files.curious_cnxml(), hostile_files.laughing_cnxml()])
def test_cnxml_with_entities_is_not_taken(path, content):
    """U4"""
    refused(path, content, Problem.ENTITIES)


@pytest.mark.parametrize(
    "content",
    [
        b"\x7fELF\x02\x01\x01" + b"\0" * 64,
        b"MZ\x90\0\x03\0\0\0",
        b"#!/bin/sh\nrm -rf /\n",
        b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n",
        b"8BPS\0\x01" + b"\0" * 20,
        b"{\\rtf1 hello}",
        b"plain until here\0and then not",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 64,
        zip_of({"[Content_Types].xml": b"", "xl/workbook.xml": b""}),
        zip_of({"[Content_Types].xml": b"", "word/document.xml": b"", "word/vbaProject.bin": b""}),
    ],
)
def test_programs_and_foreign_files_are_not_taken(path, content):
    """U1, U2: whatever the name says; EPS, PSD and archives that are none of ours among them."""
    refused(path, content, Problem.UNSUPPORTED)


@pytest.mark.parametrize(
    "content",
    [
        zip_of({"holiday.jpg": image(form="JPEG")}),
        zip_of({"inner.zip": zip_of(BOOK)}),
        tar_of({"notes.txt": b"hello"}),
    ],
)
def test_archives_without_cnxml_are_not_taken(path, content):
    refused(path, content, Problem.NO_MODULES)


def refused(path, content, problem):
    path.write_bytes(content)
    with pytest.raises(Unreadable) as refusal:
        media_type_of(path)
    assert refusal.value.problem == problem


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (zip_of({"m1/index.cnxml": b"\0" * hostile_files.MB * 3}), Problem.TOO_LARGE),
        (zip_of({f"{n}/index.cnxml": b"" for n in range(2_001)}), Problem.TOO_LARGE),
        (hostile_files.many_entries(60_000), Problem.TOO_LARGE),
        (hostile_files.many_entries(30_000, said=1), Problem.TOO_LARGE),
        (hostile_files.nested_zip(depth=2), Problem.NO_MODULES),
        (zip_of({"../../etc/index.cnxml": b"x"}), Problem.UNSAFE_NAMES),
        (zip_of({"/etc/index.cnxml": b"x"}), Problem.UNSAFE_NAMES),
        (zip_of({"..\\index.cnxml": b"x"}), Problem.UNSAFE_NAMES),
        (hostile_files.linked_zip(), Problem.UNSAFE_NAMES),
        (tar_of({"m1/index.cnxml": b"\0" * hostile_files.MB * 3}), Problem.TOO_LARGE),
        (tar_of({f"{n}/index.cnxml": b"" for n in range(2_001)}), Problem.TOO_LARGE),
        (tar_of({"../../etc/index.cnxml": b"x"}), Problem.UNSAFE_NAMES),
        (hostile_files.linked_tar(), Problem.UNSAFE_NAMES),
        (zip_of(BOOK)[:-8], Problem.DAMAGED),
        (tar_of(BOOK)[:-200], Problem.DAMAGED),
        (gzip.compress(b"no tar " * 200, mtime=0), Problem.DAMAGED),
    ],
)
def test_archive_is_judged_before_it_is_inflated(path, content, problem):
    """U5: too much, too many, out of its folder, links, and archives cut short."""
    refused(path, content, problem)


def test_what_is_promised_counts_and_not_what_is_there(path):
    """U5: a .tar.gz that says 500 MB is refused at its first header, before anything of it is inflated."""
    member = hostile_files.tarfile.TarInfo("m1/index.cnxml")
    member.size = 500 * hostile_files.MB
    refused(path, gzip.compress(member.tobuf()), Problem.TOO_LARGE)


def kind_or_problem(path):
    try:
        return media_type_of(path)
    except Unreadable as refusal:
        return refusal.problem


@settings(max_examples=60, deadline=None)
@given(content=st.binary(max_size=300), start=st.sampled_from([b"", b"PK\x03\x04", b"\x1f\x8b\x08", b"<", b"\xff\xfe"]))
def test_any_bytes_have_a_kind_or_a_problem(tmp_path_factory, content, start):
    path = tmp_path_factory.getbasetemp() / "any"
    path.write_bytes(start + content)
    assert kind_or_problem(path) in {*MEDIA_TYPES, *Problem}


def test_damaged_archive_has_a_kind_or_a_problem(path):
    """U5: every third byte of a small archive changed in turn; none of it raises anything else."""
    for whole in (zip_of({"m/index.cnxml": b"x"}), tar_of({"m/index.cnxml": b"x"})):
        for place in range(0, len(whole), 3):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
            assert kind_or_problem(path) in {*MEDIA_TYPES, *Problem}
