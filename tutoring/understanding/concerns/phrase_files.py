"""Phrase files: `[sections]` of lines, each a regular expression over lower-case words with single blanks.

`A & B & !C` matches A and B in any order, without C. `{name}` inserts a line `name = …` of the section [words]; `<3>`
allows up to three words, none of them a negation (`{not}`).
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from tutoring.understanding.concerns.section_files import read_sections

NEVER: Final = re.compile(r"(?!)")
_NAME: Final = re.compile(r"\{([a-z]+)\}")
_GAP: Final = re.compile(r"<(\d)>")


@cache
def compile_phrases(name: str) -> Mapping[str, re.Pattern[str]]:
    """Return one pattern per section of a file; NEVER for a section it lacks. Raises KeyError for an unknown {name}."""
    # Messages are folded before matching, so the phrases are folded as well.
    from tutoring.understanding.concerns.disguises import fold_letters

    sections = {section: [fold_letters(line) for line in lines] for section, lines in read_sections(name).items()}
    words = dict(line.split(" = ", 1) for line in sections.pop("words"))
    patterns = {section: _pattern(section, lines, words) for section, lines in sections.items()}
    return defaultdict(lambda: NEVER, patterns)


def _together(line: str) -> str:
    """Return a pattern for `A & B & !C`: a clause with A and B in any order, and without C."""
    parts = [(part[0] == "!", part.removeprefix("!")) for part in line.split(" & ")]
    return "^" + "".join(rf"(?{'!' if absent else '='}.*(?<!\w)(?:{part})(?!\w))" for absent, part in parts) + ".*"


def _pattern(section: str, lines: Sequence[str], words: Mapping[str, str]) -> re.Pattern[str]:
    text = "|".join(_together(line) if " & " in line else line for line in lines)
    # A denial counts only right before the match.
    end = " ?$" if section.startswith("denied") else r"(?!\w)"
    text = _GAP.sub(lambda found: rf"(?:(?!{{not}} )\w+ ){{0,{found[1]}}}", rf"(?<!\w)(?:{text}){end}")
    while _NAME.search(text):
        text = _NAME.sub(lambda found: words[found[1]], text)
    return re.compile(text)
