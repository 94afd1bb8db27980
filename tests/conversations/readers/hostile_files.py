"""Files made to break whoever opens them. They are made here, and never shipped."""

import gzip
import io
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable

from PIL import Image
from pypdf import PdfReader, PdfWriter

from tests.conversations.readers.sample_files import FONT, MODULE, image, pages_pdf, pdf, stream, tar_of, word, zip_of

MB = 1024 * 1024
CATALOGUE = b"<</Type/Catalog/Pages 2 0 R>>"
ONE_PAGE = b"<</Type/Pages/Count 1/Kids[3 0 R]>>"
CNX = b'xmlns="http://cnx.rice.edu/cnxml"'
LAUGHTER = b'<!DOCTYPE document [<!ENTITY l0 "ha">%s]>' % b"".join(
    b'<!ENTITY l%d "%s">' % (n + 1, b"&l%d;" % n * 10) for n in range(9)
)


def deflated(amount: int, *, what: bytes = b"\0") -> bytes:
    """Return `what`, over and over up to so many bytes, packed."""
    packer = zlib.compressobj(9)
    mega = what * (MB // len(what))
    return b"".join(packer.compress(mega) for _ in range(amount // MB)) + packer.flush()


def png(*chunks: tuple[bytes, bytes]) -> bytes:
    out = b"\x89PNG\r\n\x1a\n"
    for name, content in chunks:
        out += struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
    return out


def header(width: int, height: int, *, depth: int = 1) -> tuple[bytes, bytes]:
    return b"IHDR", struct.pack(">IIBBBBB", width, height, depth, 0, 0, 0, 0)


def vast_png() -> bytes:
    """30,000 × 30,000 dots in some 100 KB."""
    return png(header(30_000, 30_000), (b"IDAT", deflated(30_000 * 3_751 // MB * MB + MB)), (b"IEND", b""))


def long_png() -> bytes:
    return png(header(1, 65_500, depth=8), (b"IDAT", zlib.compress(b"\0\0" * 65_500)), (b"IEND", b""))


def talking_png() -> bytes:
    """A comment that inflates to 240 MB."""
    comment = (b"zTXt", b"Comment\0\0" + deflated(240 * MB))
    return png(header(8, 8), comment, (b"IDAT", zlib.compress(b"\0\0" * 8)), (b"IEND", b""))


def long_gif() -> bytes:
    frames = [Image.new("RGB", (8, 8), (number, 0, 0)) for number in range(0, 200, 2)]
    out = io.BytesIO()
    frames[0].save(out, format="GIF", save_all=True, append_images=frames[1:], duration=10)
    return out.getvalue()


def truncated_jpeg() -> bytes:
    whole = image((400, 300), form="JPEG")
    return whole[: len(whole) // 2]


def polyglot_jpeg() -> bytes:
    return image(form="JPEG", comment=b"<script>alert(1)</script>") + b"<script>alert(2)</script>"


def word_of_500_mb() -> bytes:
    """500 MB in some 500 KB."""
    out = io.BytesIO(word(("Normal", "hello")))
    with (
        zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED, compresslevel=9) as archive,
        archive.open("word/media/image1.bmp", "w", force_zip64=True) as part,
    ):
        for _ in range(500):
            part.write(b"\0" * MB)
    return out.getvalue()


def word_of_long_text() -> bytes:
    """45 MB of short paragraphs, which is within what may be inflated and far beyond what fits in a tree."""
    start = b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
    words = b"".join(b"<w:p><w:r><w:t>word %x</w:t></w:r></w:p>" % (n * 2654435761 % 2**64) for n in range(900_000))
    return word_with(start + words + b"</w:body></w:document>")


def laughing_word() -> bytes:
    body = b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>'
    return word_with(b'<?xml version="1.0"?>' + LAUGHTER + body + b"&l9;</w:t></w:r></w:p></w:body></w:document>")


def word_with(document: bytes) -> bytes:
    source = zipfile.ZipFile(io.BytesIO(word(("Normal", "hello"))))
    return zip_of({**{name: source.read(name) for name in source.namelist()}, "word/document.xml": document})


def many_entries(count: int, *, said: int | None = None) -> bytes:
    """A zip whose list names `count` entries, all of them the same empty file; `said` is what its end says instead."""
    name = b"a.cnxml"
    local = b"PK\x03\x04" + struct.pack("<5H3I2H", 20, 0, 0, 0, 0, 0, 0, 0, len(name), 0) + name
    listed = b"PK\x01\x02" + struct.pack("<6H3I5H2I", 20, 20, 0, 0, 0, 0, 0, 0, 0, len(name), 0, 0, 0, 0, 0, 0) + name
    short = min(count if said is None else said, 0xFFFF)
    size = len(listed) * count
    end = b"PK\x05\x06" + struct.pack("<4H2IH", 0, 0, short, short, size, len(local), 0)
    return local + listed * count + end


def nested_zip(depth: int = 6) -> bytes:
    inner = zip_of({"zeros": b"\0" * MB})
    for level in range(depth):
        inner = zip_of({f"{level}-{copy}.zip": inner for copy in range(10)})
    return inner


def linked_zip() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("m1/index.cnxml", MODULE % (b"One", b"text"))
        link = zipfile.ZipInfo("m2/index.cnxml")
        link.create_system, link.external_attr = 3, 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    return out.getvalue()


def linked_tar() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        link = tarfile.TarInfo("m1/index.cnxml")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    return out.getvalue()


def vast_tar() -> bytes:
    """A file of 500 MB in a .tar.gz of 500 KB."""
    member = tarfile.TarInfo("m1/index.cnxml")
    member.size = 500 * MB
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb") as archive:
        archive.write(member.tobuf())
        for _ in range(500):
            archive.write(b"\0" * MB)
    return out.getvalue()


def long_name_tar() -> bytes:
    """A name of 40 MB, as GNU tar keeps long names."""
    member = tarfile.TarInfo("././@LongLink")
    member.type, member.size = tarfile.GNUTYPE_LONGNAME, 40 * MB
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb") as archive:
        archive.write(member.tobuf(format=tarfile.GNU_FORMAT) + b"n" * 40 * MB + b"\0" * 1024)
    return out.getvalue()


def page_with(content: bytes) -> bytes:
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F 5 0 R>>>>/Contents 4 0 R>>"
    return pdf([CATALOGUE, ONE_PAGE, page, content, FONT])


def flate_pdf(amount: int = 240 * MB) -> bytes:
    """240 MB of blanks in a page's content of some 250 KB."""
    return page_with(stream(deflated(amount, what=b" "), more=b"/Filter/FlateDecode"))


def double_flate_pdf() -> bytes:
    twice = zlib.compress(deflated(240 * MB, what=b" "), 9)
    return page_with(stream(twice, more=b"/Filter[/FlateDecode/FlateDecode]"))


def endless_pdf() -> bytes:
    """8 MB of words in 20 KB, which take minutes to place."""
    words = deflated(8 * MB, what=b"BT /F 9 Tf (a b c)Tj ET         ")
    return page_with(stream(words, more=b"/Filter/FlateDecode"))


def looping_pdf() -> bytes:
    return pdf([CATALOGUE, b"<</Type/Pages/Count 1/Kids[2 0 R]>>"])


def lying_pdf() -> bytes:
    """Says a thousand million pages; has none."""
    return pdf([CATALOGUE, b"<</Type/Pages/Count 1000000000/Kids[]>>"])


def thick_pdf(*, said: int = 200_000) -> bytes:
    """200,000 pages."""
    kids = b"3 0 R " * 200_000
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>"
    return pdf([CATALOGUE, b"<</Type/Pages/Count %d/Kids[%s]>>" % (said, kids), page])


def encrypted_pdf() -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pages_pdf(["secret"]))))
    writer.encrypt("password", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def deep_cnxml() -> bytes:
    return b"<document %s><content>%s%s</content></document>" % (CNX, b"<section>" * 20_000, b"</section>" * 20_000)


def laughing_cnxml() -> bytes:
    return b'<?xml version="1.0"?>' + LAUGHTER + b"<document %s><title>&l9;</title></document>" % CNX


def curious_cnxml() -> bytes:
    return (
        b'<?xml version="1.0"?><!DOCTYPE document [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
        b"<document %s><title>&x;</title></document>" % CNX
    )


ALL: dict[str, Callable[[], bytes]] = {
    "picture of 30,000² dots": vast_png,
    "picture of 1 × 65,500 dots": long_png,
    "picture with a comment of 240 MB": talking_png,
    "picture of 100 frames": long_gif,
    "picture cut short": truncated_jpeg,
    "DOCX of 500 MB": word_of_500_mb,
    "DOCX of 45 MB of words": word_of_long_text,
    "DOCX that laughs": laughing_word,
    "zip of 1,000,000 entries": lambda: many_entries(1_000_000),
    "zip of 200,000 entries that says 1": lambda: many_entries(200_000, said=1),
    "zip in zip, six deep": nested_zip,
    "zip with a way out": lambda: zip_of({"../../etc/index.cnxml": b"x"}),
    "zip with a link": linked_zip,
    "tar with a file of 500 MB": vast_tar,
    "tar with a name of 40 MB": long_name_tar,
    "tar with a way out": lambda: tar_of({"../../etc/index.cnxml": b"x"}),
    "tar with a link": linked_tar,
    "PDF of 240 MB of blanks": flate_pdf,
    "PDF of 240 MB, packed twice": double_flate_pdf,
    "PDF that takes minutes": endless_pdf,
    "PDF whose pages are their own": looping_pdf,
    "PDF that says 10⁹ pages": lying_pdf,
    "PDF of 200,000 pages": thick_pdf,
    "PDF of 200,000 pages that says 1": lambda: thick_pdf(said=1),
    "PDF with a password": encrypted_pdf,
    "PDF without text": lambda: pages_pdf([""]),
    "CNXML 20,000 deep": deep_cnxml,
    "CNXML that laughs": laughing_cnxml,
    "CNXML that reads files": curious_cnxml,
}
