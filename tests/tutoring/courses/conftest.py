"""A tiny course, as it is and with a line changed."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tutoring.courses.catalogue import CourseContent
from tutoring.courses.files.loader import parse_course

TINY = Path(__file__).parent / "data" / "tiny"


@pytest.fixture(scope="session")
def tiny() -> CourseContent:
    return parse_course(TINY)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the tiny course that a test may spoil."""
    return Path(shutil.copytree(TINY, tmp_path / "tiny"))


@pytest.fixture
def spoil(folder: Path) -> Callable[[str, str, str], Path]:
    def spoilt(file: str, before: str, after: str) -> Path:
        path = folder / file
        text = path.read_text(encoding="utf-8")
        assert before in text
        path.write_text(text.replace(before, after, 1), encoding="utf-8")
        return folder

    return spoilt
