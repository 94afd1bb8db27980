"""Text files of `[sections]`, one phrase or word per line."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parents[1] / "data" / "danger"


def read_sections(name: str) -> Mapping[str, Sequence[str]]:
    """Return a file's lines by section, without comments. Raises OSError for a file that is not there."""
    sections: dict[str, list[str]] = defaultdict(list)
    section = ""
    for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1]
        elif line and not line.startswith("#"):
            sections[section].append(line)
    return sections
