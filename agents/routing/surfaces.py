"""Surfaces whose messages are routed by keywords: each app registers its own, so that admins can edit the words."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import cast

import yaml

from agents.routing.features import Examples, read_examples
from agents.routing.keywords import AgentWords

_surfaces: dict[str, "RoutedSurface"] = {}


class WordsUnreadable(ValueError):
    """A file of words is not a mapping from agents to words with weights."""


@dataclass(frozen=True, kw_only=True)
class RoutedSurface:
    name: str
    label: object
    """A string, or a lazy one."""
    agents: Mapping[str, object]
    """Agent → its name for readers, a string or a lazy one."""
    words_file: Path
    examples_file: Path

    @cached_property
    def words(self) -> AgentWords:
        """The words that apply where an admin has written none."""
        return read_words(self.words_file)

    @cached_property
    def examples(self) -> Examples:
        return read_examples(self.examples_file)


def register_surface(surface: RoutedSurface) -> RoutedSurface:
    """Register a surface under its name, and return it. Raises ValueError if the name is taken."""
    if _surfaces.setdefault(surface.name, surface) is not surface:
        raise ValueError(f"the surface {surface.name!r} is registered already")
    return surface


def surface_named(name: str) -> RoutedSurface:
    """Return a registered surface. Raises KeyError for any other name."""
    return _surfaces[name]


def surfaces() -> Mapping[str, RoutedSurface]:
    """Return the registered surfaces by name."""
    return _surfaces


def read_words(path: Path) -> AgentWords:
    """Return the words of a YAML file. Raises WordsUnreadable for another shape."""
    found = yaml.safe_load(path.read_text(encoding="utf-8"))
    if not isinstance(found, dict) or not all(_is_weights(own) for own in found.values()):
        raise WordsUnreadable(f"{path}: expected a mapping from agents to words with weights")
    return cast(
        "AgentWords", {str(agent): {str(word): float(own[word]) for word in own} for agent, own in found.items()}
    )


def _is_weights(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(each, int | float) for each in value.values())
