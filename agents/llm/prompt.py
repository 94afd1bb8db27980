"""Prompts: text files next to the roles that use them, each with a version."""

import hashlib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    name: str
    text: str
    version: str
    """First 12 hexadecimal digits of the text's SHA-256."""


def make_prompt(name: str, text: str) -> Prompt:
    """Return a text as a prompt, with its version."""
    return Prompt(name=name, text=text, version=hashlib.sha256(text.encode()).hexdigest()[:12])


def read_prompt(path: Path) -> Prompt:
    """Read a prompt from a file; its name is the file name without the suffix."""
    return make_prompt(path.stem, path.read_text(encoding="utf-8"))
