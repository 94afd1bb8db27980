"""Raw SQL for reading and writing rows. A turn writes dozens; composing each statement anew is most of the cost."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import batched, chain
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field, Model
from django.utils import timezone


class Column(NamedTuple):
    """A column to write."""

    attname: str
    accepts: type | None
    """The type of values that the database accepts unchanged."""
    prepare: Callable[[Any, BaseDatabaseWrapper], Any]
    """Turns any other value into one that the database accepts."""
    default: Callable[[], Any]


Columns = tuple[Column, ...]
ROWS_AT_ONCE = 500
"""How many rows one statement inserts at most: with the widest model's 25 columns, under half of SQLite's 32,766 values."""
PASS_THROUGH_TYPES = {
    "CharField": str,
    "TextField": str,
    "ForeignKey": int,
    "IntegerField": int,
    "PositiveIntegerField": int,
    "PositiveSmallIntegerField": int,
    "FloatField": float,
    "BooleanField": bool,
}
"""The type of values that the database accepts unchanged, by the type of the column."""


@contextmanager
def secure_deletion() -> Iterator[None]:
    """Make SQLite overwrite deleted rows at once, not when the space is reused."""
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA secure_delete")
        before = int(cursor.fetchone()[0])
        cursor.execute("PRAGMA secure_delete = ON")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA secure_delete = {before}")


def insert_rows(model: type[Model], rows: Sequence[Mapping[str, Any]], *, unless_there: bool = False) -> None:
    """Insert rows, given as column name → value; a column missing in the first row gets the model's default.

    With `unless_there`, a row that violates a unique constraint is skipped. The caller opens the transaction.
    Returns nothing, so a model whose keys the database generates does not get them.
    """
    if not rows:
        return
    statement, columns = _insert_statement(model, frozenset(rows[0]))
    defaults = {column.attname: column.default() for column in columns if column.attname not in rows[0]}
    values = [_database_values(columns, {**defaults, **row}) for row in rows]
    ending = " ON CONFLICT DO NOTHING" if unless_there else ""
    with connection.cursor() as cursor:
        # `executemany` runs each row by itself: psycopg waits for each answer, sqlite3 gives up the GIL for each.
        for some in batched(values, ROWS_AT_ONCE, strict=False):
            places = ", ".join([f"({placeholders(columns)})"] * len(some))
            cursor.execute(f"{statement} VALUES {places}{ending}", list(chain.from_iterable(some)))


def insert_row(row: Model) -> None:
    """Insert one row from an object; it gets its key if the database generates that. The caller opens the transaction."""
    key = row._meta.pk
    values = {column.attname: getattr(row, column.attname) for column in row._meta.concrete_fields}
    if row.pk is not None:
        insert_rows(type(row), [values])
    else:
        statement, columns = _insert_statement(type(row), frozenset(values) - {key.attname})
        with connection.cursor() as cursor:
            cursor.execute(
                f"{statement} VALUES ({placeholders(columns)}) RETURNING {_name(key)}",
                _database_values(columns, values),
            )
            row.pk = cursor.fetchone()[0]
    # So that a later `save` updates it.
    row._state.adding, row._state.db = False, connection.alias


def update_row(row: Model, *names: str, still: Mapping[str, Any] | None = None) -> bool:
    """Write these columns of an object, if its row still has these values; return whether it was written.

    The caller opens the transaction.
    """
    still = still or {}
    statement, columns, conditions = _update_statement(type(row), names, tuple(still))
    with connection.cursor() as cursor:
        cursor.execute(statement, _database_values(columns, vars(row)) + _database_values(conditions, still))
        return bool(cursor.rowcount)


def read_rows[M: Model](model: type[M], statement: str, values: Sequence[Any]) -> Iterator[tuple[M, Sequence[Any]]]:
    """Yield objects, each with what the statement selects after `columns_of(model)`. Django's raw querysets work out
    the columns and converters again each time.
    """
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        found = cursor.fetchall()
    for row in found:
        yield make_row(model, row)


def select_rows[M: Model](model: type[M], condition: str, values: Sequence[Any]) -> list[M]:
    """Return the objects whose rows fulfil a condition in SQL, which may go on with ORDER BY."""
    statement = f"SELECT {columns_of(model)} FROM {_table(model)} WHERE {condition}"
    return [row for row, _rest in read_rows(model, statement, values)]


def find_row[M: Model](model: type[M], key: Any, *, without: tuple[str, ...] = ()) -> M | None:
    """Return the object with this key; None if there is none. Columns in `without` are deferred."""
    pk = model._meta.pk
    statement = f"SELECT {columns_of(model, without=without)} FROM {_table(model)} WHERE {_name(pk)} = %s"
    with connection.cursor() as cursor:
        cursor.execute(statement, [pk.get_db_prep_value(key, connection)])
        row = cursor.fetchone()
    return make_row(model, row, without=without)[0] if row is not None else None


def make_row[M: Model](
    model: type[M], values: Sequence[Any], *, without: tuple[str, ...] = ()
) -> tuple[M, Sequence[Any]]:
    """Return an object from the values selected by `columns_of`, and the values selected after them."""
    names, readers = _column_readers(model, without)
    read, wire = list(values[: len(names)]), connections[DEFAULT_DB_ALIAS]
    for place, expression, convert in readers:
        read[place] = convert(read[place], expression, wire)
    return model.from_db(DEFAULT_DB_ALIAS, names, read), values[len(names) :]


def last_generated_key(model: type[Model]) -> int:
    """Return the highest key that the database has generated for a model; 0 before the first.

    It never falls when rows are deleted, and costs the same however many rows there are. Rows that were rolled back on
    PostgreSQL are counted too.
    """
    statement = "SELECT seq FROM sqlite_sequence WHERE name = %s"
    values = [model._meta.db_table]
    if connection.vendor == "postgresql":
        statement = "SELECT pg_sequence_last_value(pg_get_serial_sequence(%s, %s)::regclass)"
        values = [_table(model), str(model._meta.pk.column)]
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        row = cursor.fetchone()
    return int(row[0] or 0) if row else 0


@cache
def columns_of(model: type[Model], *, without: tuple[str, ...] = ()) -> str:
    """Return the columns to select for `read_rows`; columns in `without` are deferred."""
    return ", ".join(f"{_table(model)}.{_name(column)}" for column in _columns(model, without))


def _columns(model: type[Model], without: tuple[str, ...]) -> list[Field[Any, Any]]:
    return [column for column in model._meta.concrete_fields if column.attname not in without]


@cache
def _column_readers(
    model: type[Model], without: tuple[str, ...]
) -> tuple[list[str], list[tuple[int, Any, Callable[..., Any]]]]:
    """Return the column names, and by position the converter from a value to the object's attribute."""
    columns = _columns(model, without)
    readers = [
        (place, expression, convert)
        for place, expression in enumerate(column.get_col(model._meta.db_table) for column in columns)
        for convert in (*connection.ops.get_db_converters(expression), *expression.get_db_converters(connection))
    ]
    return [column.attname for column in columns], readers


def _database_values(columns: Columns, values: Mapping[str, Any]) -> list[Any]:
    wire = connections[DEFAULT_DB_ALIAS]
    return [
        value if type(value := values[name]) is accepted else prepare(value, wire)
        for name, accepted, prepare, _default in columns
    ]


def _column(field: Field[Any, Any]) -> Column:
    default = timezone.now if getattr(field, "auto_now_add", False) else field.get_default
    return Column(field.attname, PASS_THROUGH_TYPES.get(field.get_internal_type()), field.get_db_prep_save, default)


@cache
def _insert_statement(model: type[Model], named: frozenset[str]) -> tuple[str, Columns]:
    fields = [field for field in model._meta.concrete_fields if field.attname in named or _is_ours(field)]
    return f"INSERT INTO {_table(model)} ({', '.join(map(_name, fields))})", tuple(map(_column, fields))


def placeholders(values: Collection[Any]) -> str:
    """Return the placeholders of a list of values: `%s, %s`."""
    return ", ".join(["%s"] * len(values))


def _is_ours(column: Field[Any, Any]) -> bool:
    """Return whether we must supply the value because the database does not generate it."""
    return not column.has_db_default() and column.get_internal_type() not in ("AutoField", "BigAutoField")


@cache
def _update_statement(
    model: type[Model], names: tuple[str, ...], still: tuple[str, ...]
) -> tuple[str, Columns, Columns]:
    """Return the statement, the columns of the values to write, with the key, and those of the values to compare."""
    by_name = {field.attname: field for field in model._meta.concrete_fields}
    fields, key = [by_name[name] for name in names], model._meta.pk
    conditions = [by_name[name] for name in still]
    settings = ", ".join(f"{_name(field)} = %s" for field in fields)
    where = " AND ".join(f"{_name(field)} = %s" for field in (key, *conditions))
    statement = f"UPDATE {_table(model)} SET {settings} WHERE {where}"
    return statement, tuple(map(_column, (*fields, key))), tuple(map(_column, conditions))


def _table(model: type[Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)


def _name(column: Field[Any, Any]) -> str:
    return connection.ops.quote_name(str(column.column))
