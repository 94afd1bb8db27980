"""A person as the engine sees one: a few facts and their audiences."""

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import UTC, tzinfo
from typing import Literal, Protocol
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

type RoleName = Literal["learner", "teacher", "admin"]
type LevelName = Literal["unknown", "beginner", "intermediate", "advanced"]


class AudienceMember(Protocol):
    """Anyone a flag can be evaluated for."""

    @property
    def username(self) -> str: ...
    @property
    def audiences(self) -> frozenset[str]:
        """Groups such as `class:4b`. The engine only compares them."""


class Person(AudienceMember, Protocol):
    """What the engine may read of a signed-in person."""

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
        """Whether this person's words may be sent to a model or tool service outside this site."""


type AudienceSource = Callable[[Person], Iterable[str]]
type MemberSource = Callable[[Collection[str]], Mapping[str, Collection[str]]]
"""Takes audiences, returns by audience the usernames of its members; one query."""

_sources: list[AudienceSource] = []
_member_sources: list[MemberSource] = []


def register_audiences(source: AudienceSource) -> AudienceSource:
    """Register a function that returns a person's audiences, while apps start; registering twice is harmless."""
    if source not in _sources:
        _sources.append(source)
    return source


def audiences_of(person: Person) -> frozenset[str]:
    """Return all audiences of a person, from every registered source."""
    return frozenset(audience for source in _sources for audience in source(person))


def register_members(source: MemberSource) -> MemberSource:
    """Register a function that returns the members of audiences, while apps start; registering twice is harmless."""
    if source not in _member_sources:
        _member_sources.append(source)
    return source


def audiences_by_username(audiences: Collection[str]) -> dict[str, set[str]]:
    """Return by username which of the audiences a person belongs to; one query for each registered source."""
    found: dict[str, set[str]] = {}
    for source in _member_sources if audiences else ():
        for audience, usernames in source(audiences).items():
            for username in usernames:
                found.setdefault(username, set()).add(audience)
    return found


def zone_named(name: str) -> tzinfo:
    """Return the time zone of this IANA name; UTC if this machine does not know it."""
    try:
        return ZoneInfo(name)
    except ZoneInfoNotFoundError:  # The machine's list of zones is another one than when it was chosen.
        return UTC
