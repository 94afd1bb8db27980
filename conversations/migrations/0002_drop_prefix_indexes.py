"""Drop six indexes on one column each, which is the first column of another index of its table.

In SQL: on SQLite, `AlterField` would copy each whole table.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# By (table, column); the name is the one that Django gives to a foreign key's index.
INDEXES = {
    ("conversations_event", "turn_id"): "conversations_event_turn_id_938d8c9b",
    ("conversations_message", "turn_id"): "conversations_message_turn_id_ff2e7681",
    ("conversations_session", "owner_id"): "conversations_session_owner_id_d3b8d852",
    ("conversations_transition", "session_id"): "conversations_transition_session_id_e0819d4d",
    ("conversations_turn", "owner_id"): "conversations_turn_owner_id_c7c01eff",
    ("conversations_turn", "session_id"): "conversations_turn_session_id_00fd7da8",
}
FOREIGN_KEYS = (
    ("event", "turn", "events", "conversations.turn"),
    ("message", "turn", "messages", "conversations.turn"),
    ("session", "owner", "conversations", settings.AUTH_USER_MODEL),
    ("transition", "session", "transitions", "conversations.session"),
    ("turn", "owner", "turns", settings.AUTH_USER_MODEL),
    ("turn", "session", "turns", "conversations.session"),
)


class Migration(migrations.Migration):
    dependencies = [
        ("conversations", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    f'DROP INDEX IF EXISTS "{name}"',
                    reverse_sql=f'CREATE INDEX "{name}" ON "{table}" ("{column}")',
                )
                for (table, column), name in INDEXES.items()
            ],
            state_operations=[
                migrations.AlterField(
                    model_name=model,
                    name=field,
                    field=models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name=back, to=to
                    ),
                )
                for model, field, back, to in FOREIGN_KEYS
            ],
        ),
    ]
