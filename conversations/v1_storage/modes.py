"""Which storage conversations are read from, and which are written."""

from enum import StrEnum

from django.conf import settings


class StorageMode(StrEnum):
    """What v1's surface reads. Turns and messages are written in every mode."""

    V1 = "v1"
    """Captures are read; both storages are written."""
    DUAL = "dual"
    """Both are read and compared; both are written."""
    V2 = "v2"
    """Turns and messages are read; no captures are written."""


def storage_mode() -> StorageMode:
    """Return the mode in force, as the setting STORAGE_MODE has it."""
    return StorageMode(settings.STORAGE_MODE)


def writes_captures() -> bool:
    """Return whether a finished turn is also stored as a capture."""
    return storage_mode() is not StorageMode.V2
