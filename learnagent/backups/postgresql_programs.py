"""PostgreSQL's own programs for copies, `pg_dump` and `pg_restore`, in a version that fits the server."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from glob import glob
from tempfile import TemporaryFile
from typing import IO

from django.db import connection

from learnagent.backups.faults import BackupFault
from learnagent.operations.log_redaction import redact

USUAL_PLACES = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin")
"""Where Debian and Red Hat put the programs of each version."""
VARIABLES = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
"""The programs' variable → Django's setting: unlike an argument, it is not shown to other users of the machine."""


def find_program(name: str, *, major: int) -> str:
    """Return the path of a program, in the oldest version that is at least this one. Raises BackupFault."""
    folders = [*os.get_exec_path(), *(folder for place in USUAL_PLACES for folder in glob(place))]
    paths = {path for folder in folders if (path := shutil.which(name, path=folder))}
    # What a newer version writes, an older server may not understand.
    fitting = sorted((version, path) for path in paths if (version := _major_version(path)) >= major)
    if not fitting:
        raise BackupFault(
            f"PostgreSQL's program {name} is needed, in version {major} or newer: install it, for example as the package "
            f"postgresql-client-{major}."
        )
    return fitting[0][1]


def run_program(command: Sequence[str], *, output: IO[bytes]) -> None:
    """Run a program on the configured database and write what it prints to a file. Raises BackupFault if it fails."""
    with _started(command, output=output) as process:
        process.wait()


@contextmanager
def program_output(command: Sequence[str]) -> Iterator[IO[bytes]]:
    """Run a program and yield what it prints. Raises BackupFault if it fails."""
    with _started(command, output=subprocess.PIPE) as process:
        assert process.stdout
        yield process.stdout


@contextmanager
def _started(command: Sequence[str], *, output: IO[bytes] | int) -> Iterator[subprocess.Popen[bytes]]:
    settings = connection.settings_dict
    given = {variable: str(settings[key]) for variable, key in VARIABLES.items() if settings[key]}
    with TemporaryFile() as errors:
        with subprocess.Popen(command, env=os.environ | given, stdout=output, stderr=errors) as process:
            try:
                yield process
            except BaseException:
                process.kill()
                raise
        if process.returncode:
            errors.seek(0)
            said = redact(errors.read().decode(errors="replace")).strip().partition("\n")[0]
            raise BackupFault(said or f"{os.path.basename(command[0])} ended with {process.returncode}.")


def _major_version(path: str) -> int:
    """Return the major version of a program; 0 if it does not say."""
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10, check=False).stdout
    except (OSError, subprocess.SubprocessError):
        return 0
    found = re.search(r"\(PostgreSQL\) (\d+)", said)
    return int(found[1]) if found else 0
