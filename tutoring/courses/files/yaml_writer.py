"""Writes plain data as the YAML of course files: `read_yaml` gives equal data."""

import re
from typing import Any

import yaml

WIDTH = 110
# Longer words could be read as constants or numbers.
_PLAIN = re.compile(r"[A-Za-z]{3,}(?:[_-][A-Za-z]+)*")


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]  # the C version is optional
    def ignore_aliases(self, data: object) -> bool:
        return True


def _text(dumper: Any, text: str) -> yaml.ScalarNode:
    """Quote every text that is more than a word, since the course format reads more texts as numbers than YAML 1.1.

    Several lines are a block, where YAML can keep them as they are.
    """
    style = "" if _PLAIN.fullmatch(text) else "|" if _is_block(text) else '"'
    node: yaml.ScalarNode = dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)
    return node


def _is_block(text: str) -> bool:
    """Tell whether a text of several lines stays as it is in a block."""
    lines = text.split("\n")
    is_plain = all(line == line.rstrip() and (not line or line.isprintable()) for line in lines)
    return len(lines) > 1 and is_plain and bool(lines[0]) and not lines[0].startswith(" ")


def _number(dumper: Any, number: float) -> yaml.ScalarNode:
    node: yaml.ScalarNode = dumper.represent_scalar("tag:yaml.org,2002:float", f"{number:.15f}".rstrip("0"))
    return node


_Dumper.add_representer(str, _text)
_Dumper.add_representer(float, _number)


def write_yaml(data: object) -> str:
    """Return the data as YAML text."""
    text: str = yaml.dump(data, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=WIDTH)
    return text
