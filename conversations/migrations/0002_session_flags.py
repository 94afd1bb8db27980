from django.db import migrations, models

from conversations.search import sqlite_triggers


def drop_triggers(apps, schema_editor):
    # On a new database the first migration has just made them, and SQLite would refuse to rename the table.
    sqlite_triggers.drop_triggers(plan=[True], using=schema_editor.connection.alias)


class Migration(migrations.Migration):
    dependencies = [("conversations", "0001_initial")]

    operations = [
        migrations.RunPython(drop_triggers, migrations.RunPython.noop),
        migrations.AddField(model_name="session", name="flags", field=models.JSONField(blank=True, default=dict)),
    ]
