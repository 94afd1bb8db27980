"""While an upgrade runs, code of the last version works on the new tables: migrations only add to them."""

import re
from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ModelState, ProjectState
from django.db.models.fields import NOT_PROVIDED

REMOVING = (
    migrations.RemoveField,
    migrations.DeleteModel,
    migrations.RenameField,
    migrations.RenameModel,
    migrations.AlterModelTable,
)
"""What the last version asks for is gone afterwards."""
RESTRICTING = (migrations.AddConstraint, migrations.AlterUniqueTogether)
"""What the last version stores may be refused afterwards."""
# Code does not ask for an index, so it may go.
REMOVING_SQL = re.compile(r"\b(drop(?! index)|rename)\b|set not null", re.IGNORECASE)


def breaking_changes(operations: list[Operation], app: str, state: ProjectState) -> Iterator[str]:
    """Yield the operations that code of the last version may not survive; `state` is what it knows, and is changed."""
    for operation in operations:
        if isinstance(operation, migrations.SeparateDatabaseAndState):
            yield from breaking_changes(operation.database_operations, app, state.clone())
        elif _breaks(operation, app, state):
            yield operation.describe()
        operation.state_forwards(app, state)


def _breaks(operation: Operation, app: str, state: ProjectState) -> bool:
    match operation:
        case migrations.AddField(field=new):
            return not new.many_to_many and (_must_be_given(new) or new.unique)
        case migrations.AlterField(field=new):
            old = state.models[app, operation.model_name_lower].get_field(operation.name)
            return _is_narrower(new, old)
        case migrations.RunSQL(sql=sql):
            return bool(REMOVING_SQL.search(str(sql)))
    return isinstance(operation, REMOVING + RESTRICTING)


def _must_be_given(field: models.Field) -> bool:
    return not field.null and field.db_default is NOT_PROVIDED


def _is_narrower(new: models.Field, old: models.Field) -> bool:
    is_longer = type(new) is type(old) and (new.max_length or 0) >= (old.max_length or 0)
    has_other_type = new.db_type(connection) != old.db_type(connection) and not is_longer
    is_restricted = (old.null and _must_be_given(new)) or (new.unique and not old.unique)
    return has_other_type or is_restricted or new.db_column != old.db_column


def test_migrations_break_no_code_of_the_last_version():
    loader = MigrationLoader(None)
    faults = []
    for (app, name), migration in loader.disk_migrations.items():
        is_foreign = "site-packages" in apps.get_app_config(app).path
        # A second step: an earlier version has stopped using what it removes.
        is_second_step = (app, getattr(migration, "second_step_of", None)) in loader.disk_migrations
        if is_foreign or migration.initial or is_second_step:
            continue
        state = loader.project_state((app, name), at_end=False)
        faults += [f"{app}.{name}: {fault}" for fault in breaking_changes(migration.operations, app, state)]
    assert faults == []


def known() -> ProjectState:
    """Return what the last version knows: one table."""
    state = ProjectState()
    state.add_model(
        ModelState(
            "shop",
            "Order",
            [
                ("id", models.BigAutoField(primary_key=True)),
                ("note", models.CharField(max_length=50, null=True)),
                ("number", models.IntegerField()),
            ],
        )
    )
    return state


@pytest.mark.parametrize(
    "operation",
    [
        migrations.RemoveField("order", "note"),
        migrations.DeleteModel("Order"),
        migrations.RenameField("order", "note", "words"),
        migrations.RenameModel("Order", "Sale"),
        migrations.AlterModelTable("Order", "orders"),
        migrations.AddField("order", "paid", models.BooleanField(default=False)),
        migrations.AddField("order", "code", models.CharField(max_length=9, null=True, unique=True)),
        migrations.AlterField("order", "note", models.CharField(max_length=50)),
        migrations.AlterField("order", "note", models.CharField(max_length=20, null=True)),
        migrations.AlterField("order", "number", models.TextField()),
        migrations.AlterField("order", "number", models.IntegerField(unique=True)),
        migrations.AlterField("order", "number", models.IntegerField(db_column="amount")),
        migrations.AddConstraint("order", models.UniqueConstraint(fields=["number"], name="one")),
        migrations.AlterUniqueTogether("order", {("note", "number")}),
        migrations.RunSQL("ALTER TABLE shop_order DROP COLUMN note"),
        migrations.SeparateDatabaseAndState(database_operations=[migrations.RemoveField("order", "note")]),
    ],
    ids=lambda operation: operation.describe(),
)
def test_what_breaks_the_last_version_is_found(operation):
    assert list(breaking_changes([operation], "shop", known()))


@pytest.mark.parametrize(
    "operation",
    [
        migrations.CreateModel("Item", [("id", models.BigAutoField(primary_key=True)), ("name", models.TextField())]),
        migrations.AddField("order", "paid", models.BooleanField(default=False, db_default=False)),
        migrations.AddField("order", "day", models.DateField(null=True)),
        migrations.AlterField("order", "note", models.CharField(max_length=90, null=True)),
        migrations.AlterField("order", "number", models.IntegerField(null=True)),
        migrations.AddIndex("order", models.Index(fields=["number"], name="by_number")),
        migrations.RunSQL("UPDATE shop_order SET number = 1"),
        migrations.RunSQL("DROP INDEX IF EXISTS by_number"),
        migrations.RunPython(migrations.RunPython.noop),
        # The first of two steps: the column stays.
        migrations.SeparateDatabaseAndState(state_operations=[migrations.RemoveField("order", "note")]),
    ],
    ids=lambda operation: operation.describe(),
)
def test_what_only_adds_is_allowed(operation):
    assert list(breaking_changes([operation], "shop", known())) == []
