"""Which storage conversations are read from, and which are written."""

from enum import StrEnum

from agents.rollout.flags import mode_of, mode_under
from agents.rollout.known_flags import STORAGE
from agents.rollout.rule import RolloutRule


class StorageMode(StrEnum):
    """What v1's surface reads. Turns and messages are written in every mode."""

    V1 = "v1"
    """Captures are read; both storages are written."""
    DUAL = "dual"
    """Both are read and compared; both are written."""
    V2 = "v2"
    """Turns and messages are read; no captures are written."""


def storage_mode() -> StorageMode:
    """Return the mode in force: the read mode of the flag `v2_storage`, or v1 while the flag is off.

    As with every flag, a change takes effect in all processes within seconds, and most calls do not query.
    """
    return StorageMode(mode_of(STORAGE))


def mode_by(rule: RolloutRule) -> StorageMode:
    """Return the mode that this rule of the flag means."""
    return StorageMode(mode_under(STORAGE, rule))


def writes_captures() -> bool:
    """Return whether a finished turn is also stored as a capture."""
    return storage_mode() is not StorageMode.V2
