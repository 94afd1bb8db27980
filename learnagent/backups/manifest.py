"""The manifest of a backup: what is in it, and by what program and database it was made."""

import tomllib
from pathlib import Path
from typing import Annotated, Literal

from django.conf import settings
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from learnagent.backups.faults import BackupFault

FORMAT = 1
ENGINE_NAMES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


class FileEntry(BaseModel):
    """One file of the backup."""

    model_config = ConfigDict(frozen=True)

    size: Annotated[int, Field(ge=0)]
    """Bytes."""
    sha256: str


class Manifest(BaseModel):
    """What is in a backup."""

    model_config = ConfigDict(frozen=True)

    format: int = FORMAT
    program: str
    """The version of the program."""
    made_at: AwareDatetime
    """When the database was copied, in UTC."""
    engine: Literal["sqlite", "postgresql"]
    engine_version: Annotated[str, Field(pattern=r"^\d{1,3}(\.\d{1,3})*$")]
    """Of the SQLite library, such as `3.53.4`, or the major version of the PostgreSQL server, such as `18`."""
    migrations: tuple[tuple[str, str], ...]
    """App and name of each migration that was applied."""
    rows: dict[str, int]
    """Table → number of its rows."""
    files: dict[str, FileEntry]
    """Every file of the backup but the manifest, by its name there."""
    missing: tuple[str, ...]
    """Files that rows name, but that were gone when the backup came to them."""

    @property
    def stored_files(self) -> list[str]:
        """The names of uploads and data exports, which are also their names in the file store."""
        return [name for name in self.files if name.startswith(("uploads/", "copies/"))]

    def summary(self) -> str:
        """Return the date, the program and the counts in one line."""
        rows = self.rows.get
        return (
            f"{self.made_at:%Y-%m-%d %H:%M:%S} UTC, learnagent {self.program}, {ENGINE_NAMES[self.engine]} {self.engine_version}: "
            f"{rows('accounts_person', 0)} people, {rows('conversations_session', 0)} conversations, "
            f"{len(self.stored_files)} uploads and exports"
        )


def parse_manifest(content: bytes) -> Manifest:
    """Read a manifest. Raises BackupFault."""
    try:
        manifest = Manifest.model_validate_json(content)
    except ValidationError:
        raise BackupFault("The manifest of the backup is damaged.") from None
    if manifest.format != FORMAT:
        raise BackupFault(f"The backup was made by a newer learnagent ({manifest.program!r}). Update this one first.")
    return manifest


def program_version() -> str:
    """Return the version of this program."""
    project = tomllib.loads((Path(settings.BASE_DIR) / "pyproject.toml").read_text())["project"]
    return str(project["version"])
