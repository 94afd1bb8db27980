"""Files of our own making, good ones: PDFs with pages of text, DOCX, CNXML, archives, pictures."""

import gzip
import io
import tarfile
import zipfile
import zlib
from collections.abc import Mapping, Sequence

import docx
from PIL import Image

FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"
MODULE = b"""<document xmlns="http://cnx.rice.edu/cnxml" xmlns:m="http://www.w3.org/1998/Math/MathML">
<title>%s</title><content><para id="p">%s</para></content></document>"""


def pdf(objects: Sequence[bytes]) -> bytes:
    """Return a PDF of these objects, numbered from 1; the first is the catalogue."""
    out, offsets = bytearray(b"%PDF-1.7\n"), []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return bytes(out + b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, start))


def stream(content: bytes, *, more: bytes = b"") -> bytes:
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (more, len(content), content)


def pages_pdf(pages: Sequence[str], *, outline: Sequence[tuple[str, int]] = ()) -> bytes:
    """Return a PDF with a page for each text, line by line, and an outline of titles and page indexes."""
    first = 5
    page_refs = b" ".join(b"%d 0 R" % (first + 2 * index) for index in range(len(pages)))
    after = first + 2 * len(pages)
    items = b"/Outlines %d 0 R" % after if outline else b""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R%s>>" % items,
        b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(pages), page_refs),
        FONT,
        b"<</Producer(learnagent)>>",
    ]
    for index, text in enumerate(pages):
        content = stream(zlib.compress(_shown(text)), more=b"/Filter/FlateDecode")
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F 3 0 R>>>>/Contents %d 0 R>>"
            % (first + 2 * index + 1)
        )
        objects.append(content)
    if outline:
        objects.append(
            b"<</Type/Outlines/First %d 0 R/Last %d 0 R/Count %d>>" % (after + 1, after + len(outline), len(outline))
        )
    for number, (title, index) in enumerate(outline):
        following = b"/Next %d 0 R" % (after + number + 2) if number + 1 < len(outline) else b""
        objects.append(
            b"<</Title(%s)/Parent %d 0 R%s/Dest[%d 0 R/Fit]>>" % (title.encode(), after, following, first + 2 * index)
        )
    return pdf(objects)


def _shown(text: str) -> bytes:
    """Place a text as typesetters do: word by word, with the gaps as numbers."""
    escaped = text.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    lines = (b"-250".join(b"(%s)" % word for word in line.split(b" ")) for line in escaped.split(b"\n"))
    return b"BT /F 11 Tf 14 TL 50 740 Td\n%sET" % b"".join(b"[%s]TJ T*\n" % line for line in lines)


def scanned_pdf(image: Image.Image, *, stamp: str) -> bytes:
    """Return a PDF of one page that is a picture, with a stamp in letters below it."""
    jpeg = io.BytesIO()
    image.convert("RGB").save(jpeg, format="JPEG", quality=90)
    picture = b"/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode"
    return pdf(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</XObject<</I 4 0 R>>/Font<</F 6 0 R>>>>"
            b"/Contents 5 0 R>>",
            stream(jpeg.getvalue(), more=picture % image.size),
            stream(b"q 612 0 0 792 0 0 cm /I Do Q " + _shown(stamp)),
            FONT,
        ]
    )


def word(*blocks: tuple[str, str]) -> bytes:
    """Return a DOCX of paragraphs, each with the name of its style."""
    document = docx.Document()
    for style, text in blocks:
        document.add_paragraph(text, style=style)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def zip_of(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def tar_of(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return gzip.compress(out.getvalue(), 1)


def image(size: tuple[int, int] = (40, 30), *, form: str = "PNG", **options: object) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, "teal").save(out, format=form, **options)
    return out.getvalue()
