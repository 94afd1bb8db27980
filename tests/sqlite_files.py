"""The files of the SQLite database that the tests use."""

import subprocess
from pathlib import Path

from django.db import connection


def bytes_of_database() -> bytes:
    """Return the files of the database as they lie on the disk.

    Another process reads them: closing such a file here would give up SQLite's locks on it, and the next process that
    opens the database would empty the shared memory under this one, which then dies of a bus error.
    """
    path = Path(connection.settings_dict["NAME"])
    return subprocess.run(["cat", *sorted(path.parent.glob(f"{path.name}*"))], capture_output=True, check=True).stdout
