"""PostgreSQL's side of backups: a dump by `pg_dump`, and its restoration in one transaction.

The dump is read by `pg_restore` and sent to the server here, not by `psql`: so the old tables go and the new ones come in one
transaction, even if this process is killed; and a hostile dump cannot run `psql`'s commands on this machine.
"""

import re
from collections.abc import Iterator
from contextlib import closing
from itertools import takewhile
from pathlib import Path
from typing import IO, Any

import psycopg
from django.db import connection, transaction

from learnagent.backups.database_facts import DatabaseFacts, check_rows, read_facts
from learnagent.backups.faults import BackupFault
from learnagent.backups.manifest import Manifest
from learnagent.backups.postgresql_programs import find_program, program_output, run_program
from learnagent.operations.log_redaction import redact

FILE = "database.dump"
LOCK_WAIT_S = 10
"""How long a restoration waits for another program that uses a table, in seconds."""
ROWS_BEGIN, ROWS_END = re.compile(rb'COPY (?:\S+\.)?"?(\w+)"? \(.*\) FROM stdin;\n'), b"\\.\n"
PSQL_COMMANDS = (b"\\restrict ", b"\\unrestrict ")
"""Lines that `pg_restore` writes for `psql` alone."""
OBJECTS = """
    SELECT 'DROP ' || found.type || ' IF EXISTS ' || found.identity || ' CASCADE'
    FROM pg_depend AS part, pg_identify_object(part.classid, part.objid, part.objsubid) AS found
    WHERE part.refclassid = 'pg_namespace'::regclass AND part.refobjid = current_schema()::regnamespace
    AND part.classid <> 'pg_extension'::regclass AND NOT EXISTS (
        SELECT FROM pg_depend AS other
        WHERE other.classid = part.classid AND other.objid = part.objid AND other.deptype IN ('a', 'e', 'i')
    )
"""
"""Statements that drop everything in the schema, but what goes with its table, and extensions with what belongs to them:
an admin of the database creates those, and only their owner may drop them."""
TABLES = """
    SELECT relname FROM pg_class AS found WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
    AND NOT EXISTS (
        SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = found.oid AND deptype = 'e'
    )
"""
OTHER_SCHEMAS = r"""
    SELECT nspname FROM pg_namespace WHERE nspname NOT IN (current_schema(), 'information_schema') AND nspname !~ '^pg_'
"""


def version() -> str:
    return str(_server_major())


def copy_database(path: Path) -> DatabaseFacts:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        # The rows are counted as the dump has them, while others write.
        _dump(path, f"--snapshot={cursor.fetchone()[0]}")
        return read_facts(cursor, list_tables(cursor))


def check_copy(path: Path, manifest: Manifest) -> None:
    counted: dict[str, int] = {}
    with program_output(_script_of(path, major=int(manifest.engine_version.partition(".")[0]))) as script:
        for line in script:
            if begin := ROWS_BEGIN.fullmatch(line):
                counted[begin[1].decode()] = sum(1 for _row in _rows(script))
    check_rows(counted, manifest.rows)


def list_tables(cursor: Any) -> list[str]:
    cursor.execute(TABLES)
    return [name for (name,) in cursor.fetchall()]


def has_tables() -> bool:
    with connection.cursor() as cursor:
        return bool(list_tables(cursor))


def is_in_use() -> bool:
    return False


def replace_database(path: Path, *, aside: Path) -> None:
    if has_tables():
        _dump(aside / FILE)
    _load(path)


def put_back(aside: Path) -> None:
    kept = aside / FILE
    _load(kept if kept.exists() else None)
    kept.unlink(missing_ok=True)


def _dump(path: Path, *options: str) -> None:
    program = find_program("pg_dump", major=_server_major())
    with connection.cursor() as cursor:
        cursor.execute(OTHER_SCHEMAS)
        options += tuple(f'--exclude-schema="{name}"' for (name,) in cursor.fetchall())
    with path.open("xb") as file:
        run_program([program, "--format=custom", "--no-password", *options], output=file)


def _load(path: Path | None) -> None:
    """Replace everything in the schema by what is in a dump, or by nothing; all or nothing."""
    # A connection of its own, since the dump changes its settings.
    with closing(psycopg.connect(**connection.get_connection_params())) as database:
        try:
            database.execute(f"SET lock_timeout = '{LOCK_WAIT_S}s'")
            for (statement,) in database.execute(OBJECTS).fetchall():
                database.execute(statement)
            if path is not None:
                with program_output(_script_of(path, major=_server_major())) as script:
                    _send(script, database)
            database.commit()
        except psycopg.errors.LockNotAvailable:
            raise BackupFault("The database is in use by another program. Stop it first.") from None
        except psycopg.Error as error:
            raise BackupFault(f"PostgreSQL cannot take the backup: {redact(str(error)).partition('\n')[0]}.") from None


def _script_of(path: Path, *, major: int) -> list[str]:
    program = find_program("pg_restore", major=major)
    # Owners, rights and comments are the other server's, and may not be set by everybody.
    return [program, "--file=-", "--no-owner", "--no-privileges", "--no-comments", str(path)]


def _send(script: IO[bytes], database: "psycopg.Connection[Any]") -> None:
    """Run a script as `pg_restore` writes it: statements, and between them rows."""
    statements = b""
    for line in script:
        if ROWS_BEGIN.fullmatch(line):
            database.execute(statements)
            statements = b""
            with database.cursor().copy(line) as copy:
                for row in _rows(script):
                    copy.write(row)
        elif not line.startswith(PSQL_COMMANDS):
            statements += line
    database.execute(statements)


def _rows(script: IO[bytes]) -> Iterator[bytes]:
    return takewhile(lambda line: line != ROWS_END, script)


def _server_major() -> int:
    connection.ensure_connection()
    return int(connection.pg_version) // 10_000  # type: ignore[attr-defined]  # PostgreSQL's alone.
