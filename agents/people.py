"""A person as the engine sees one: a few facts, and the audiences they belong to."""

from collections.abc import Callable, Iterable
from typing import Literal, Protocol

type RoleName = Literal["learner", "teacher", "admin"]
type LevelName = Literal["unknown", "beginner", "intermediate", "advanced"]


class AudienceMember(Protocol):
    """Whoever a flag can be asked about."""

    @property
    def username(self) -> str: ...
    @property
    def audiences(self) -> frozenset[str]:
        """Groups such as `class:4b`. The engine compares them and reads nothing into them."""


class Person(AudienceMember, Protocol):
    """What the rooms of the engine may read of a signed-in person."""

    @property
    def pk(self) -> int: ...
    @property
    def role(self) -> str:
        """One of `RoleName`."""

    @property
    def level(self) -> str:
        """One of `LevelName`."""

    @property
    def language(self) -> str:
        """A language tag such as `en`."""

    @property
    def zone(self) -> str:
        """An IANA time zone such as `Europe/Vienna`."""

    @property
    def consent(self) -> bool:
        """Whether this person's words may reach a model, or a service of a tool, outside this installation."""


type AudienceSource = Callable[[Person], Iterable[str]]

_sources: list[AudienceSource] = []


def register_audiences(source: AudienceSource) -> AudienceSource:
    """Add a function that names the audiences of a person. A room calls this while apps start; again is harmless."""
    if source not in _sources:
        _sources.append(source)
    return source


def audiences_of(person: Person) -> frozenset[str]:
    """Return every audience any room knows this person to be in."""
    return frozenset(audience for source in _sources for audience in source(person))
