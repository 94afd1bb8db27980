"""A file is opened in a process of its own, which has little, and is ended when it is late or not wanted."""

import importlib.util
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from conversations.readers import Page, Problem, ReadDocument, Unreadable, media_type_of, read, reencode, sandbox
from conversations.readers.sandbox_child import MEMORY
from tests.conversations.readers import hostile_files
from tests.conversations.readers.sample_files import image, pages_pdf, scanned_pdf, zip_of

ROOT = Path(sandbox.__file__).parents[2]
PDF = "application/pdf"
LONG = pages_pdf(["\n".join(["a half is one of two equal parts"] * 60)] * 40)
"""More text than a pipe holds: the child waits until it is heard."""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "random-name"


def children():
    """Return the ids of this process's children that read and still run; other tests' servers are children too."""
    found = [int(pid) for task in Path("/proc/self/task").iterdir() for pid in (task / "children").read_text().split()]
    # One that has ended and was not waited for has no command line any more.
    return [pid for pid in found if "readers.sandbox_child" in Path(f"/proc/{pid}/cmdline").read_text()]


def test_document_is_read_with_its_progress(path):
    path.write_bytes(pages_pdf(["one", "two"], outline=[("First", 0)]))
    heard = []
    found = read(path, media_type=media_type_of(path), on_progress=lambda page, of: heard.append((page, of)))
    pages = Page(number=1, heading="First", text="one"), Page(number=2, heading="First", text="two")
    assert found == ReadDocument(pages=pages)
    assert heard == [(1, 2), (2, 2)]


def test_child_has_no_secret_and_little_of_everything(path, monkeypatch):
    """U6, K1: no environment but ours; memory, time, files and core dumps bound; a group of its own."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-canary")
    path.write_bytes(LONG)
    seen = {}

    def look(page, of):
        (child,) = children()
        seen["environment"] = Path(f"/proc/{child}/environ").read_text()
        seen["limits"] = Path(f"/proc/{child}/limits").read_text()
        seen["group"] = os.getpgid(child) == child
        seen["oom_score"] = Path(f"/proc/{child}/oom_score_adj").read_text().strip()
        seen["sockets"] = [link for link in links(child) if "socket" in link]

    def links(child):
        for descriptor in Path(f"/proc/{child}/fd").iterdir():
            with suppress(OSError):
                yield os.readlink(descriptor)

    read(path, media_type=PDF, on_progress=look, stop=lambda: bool(seen))
    names = {entry.partition("=")[0] for entry in seen["environment"].split("\0") if entry}
    assert names == set(sandbox.ENVIRONMENT)
    assert seen["group"]
    assert seen["oom_score"] == "1000"
    assert seen["sockets"] == []
    for limit, most in [("data size", MEMORY), ("address space", MEMORY), ("core file size", 0), ("processes", 0)]:
        assert re.search(rf"Max {limit} +{most} ", seen["limits"]), limit
    soft = re.search(r"Max cpu time +(\d+) ", seen["limits"])
    assert soft
    assert int(soft[1]) < 20


def test_document_that_nobody_wants_any_more_is_not_read_on(path):
    """E1 of the library: deletion while it is being read."""
    path.write_bytes(LONG)
    heard = []
    found = read(path, media_type=PDF, on_progress=lambda page, of: heard.append(page), stop=lambda: bool(heard))
    assert (found.problem, found.pages) == (Problem.STOPPED, ())
    assert heard[-1] < 40
    assert children() == []


def test_child_that_says_nothing_is_given_up(path, monkeypatch):
    """U6: no longer than the limit, and nothing runs on afterwards."""
    monkeypatch.setattr(sandbox, "STALL_S", 0)
    monkeypatch.setattr(sandbox, "LOOK_S", 0.01)
    path.write_bytes(LONG)
    assert read(path, media_type=PDF).problem == Problem.TOO_SLOW
    assert children() == []


def test_child_that_talks_for_ever_is_given_up(path, monkeypatch):
    """U6: the whole has a limit too, however many pages come."""
    monkeypatch.setattr(sandbox, "TOTAL_S", 0)
    path.write_bytes(LONG)
    assert read(path, media_type=PDF).problem == Problem.TOO_SLOW


@pytest.mark.parametrize(("by", "problem"), [(signal.SIGKILL, Problem.DAMAGED), (signal.SIGXCPU, Problem.TOO_SLOW)])
def test_child_that_dies_leaves_a_problem(path, by, problem):
    """U6: by its own time limit, or by whatever a file did to it."""
    path.write_bytes(LONG)
    found = read(path, media_type=PDF, on_progress=lambda page, of: [os.kill(child, by) for child in children()])
    assert found == ReadDocument(problem=problem)


@pytest.mark.parametrize(
    ("make", "media_type", "problem"),
    [
        (lambda: hostile_files.flate_pdf(80 * hostile_files.MB), PDF, Problem.TOO_LARGE),
        (hostile_files.looping_pdf, PDF, Problem.DAMAGED),
        (hostile_files.lying_pdf, PDF, Problem.TOO_MANY_PAGES),
        (lambda: pages_pdf([""] * 301), PDF, Problem.TOO_MANY_PAGES),
        (hostile_files.encrypted_pdf, PDF, Problem.ENCRYPTED),
        (lambda: pages_pdf([""]), PDF, Problem.NO_TEXT),
        (lambda: b"%PDF-1.7 and nothing else", PDF, Problem.DAMAGED),
        (lambda: zip_of({"[Content_Types].xml": b"<x", "word/document.xml": b"<x"}), None, Problem.DAMAGED),
        (hostile_files.laughing_word, None, Problem.ENTITIES),
        (hostile_files.deep_cnxml, None, Problem.DAMAGED),
    ],
)
def test_hostile_document_ends_in_a_problem(path, make, media_type, problem):
    """U5, U6: typed, and never an exception in the server."""
    path.write_bytes(make())
    assert read(path, media_type=media_type or media_type_of(path)) == ReadDocument(problem=problem)


def test_picture_is_written_anew_without_what_hid_in_it(path, tmp_path):
    """U2: a picture that is a page too is only a picture afterwards."""
    path.write_bytes(hostile_files.polyglot_jpeg())
    new = tmp_path / "new"
    reencode(path, new)
    assert media_type_of(new) == "image/webp"
    assert b"script" in path.read_bytes()
    assert b"script" not in new.read_bytes()
    with pytest.raises(FileExistsError):
        reencode(path, new)


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: hostile_files.png(hostile_files.header(30_000, 30_000), (b"IDAT", b"")), Problem.TOO_LARGE),
        (hostile_files.long_png, Problem.TOO_LARGE),
        (lambda: image((12_001, 2)), Problem.TOO_LARGE),
        (hostile_files.long_gif, Problem.TOO_LARGE),
        (hostile_files.truncated_jpeg, Problem.DAMAGED),
        (lambda: b"8BPS\0\x01" + b"\0" * 40, Problem.UNSUPPORTED),
    ],
)
def test_hostile_picture_is_not_written_anew(path, tmp_path, make, problem):
    """U2: refused, and no half of it is left."""
    path.write_bytes(make())
    with pytest.raises(Unreadable) as refusal:
        reencode(path, tmp_path / "new")
    assert refusal.value.problem == problem
    assert not (tmp_path / "new").exists()


@pytest.mark.skipif(importlib.util.find_spec("rapidocr") is None, reason="needs the extra `vision`")
def test_scanned_page_that_lies_on_its_side_is_read(path):
    """The page of the PDF is a picture turned by a quarter, and its only text is the scanner's."""
    words = ["A half is one of two equal parts.", "Two halves make a whole."]
    page = Image.new("RGB", (620, 200), "white")
    ImageDraw.Draw(page).text((40, 40), "\n".join(words), fill="black", font=ImageFont.load_default(28), spacing=20)
    path.write_bytes(scanned_pdf(page.rotate(90, expand=True), stamp="Made by a scanner"))
    (found,) = read(path, media_type=PDF).pages
    assert re.sub(r"\s", "", found.text) == re.sub(r"\s", "", "".join(["Made by a scanner", *words]))


def test_child_starts_without_django():
    folder = Path(sandbox.__file__).parent
    modules = [f"conversations.readers.{file.stem}" for file in folder.glob("*.py") if file.stem != "__init__"]
    program = f"import sys, {', '.join(modules)}; sys.exit('django' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


def test_reading_is_imported_without_its_libraries():
    """The server starts no slower for it."""
    heavy = {"pypdf", "docx", "lxml", "PIL", "markdown_it", "numpy", "defusedxml", "rapidocr"}
    program = f"import sys, conversations.readers; sys.exit(len({heavy} & set(sys.modules)))"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)
