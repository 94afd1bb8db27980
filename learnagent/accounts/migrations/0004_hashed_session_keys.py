"""Store hashes in place of session keys: whoever is signed in stays so."""

from hashlib import sha256
from typing import Any

from django.db import migrations

from agents.rows import overwriting


def hash_keys(apps: Any, schema_editor: Any) -> None:
    sessions = apps.get_model("accounts", "BrowserSession").objects.using(schema_editor.connection.alias)
    # The keys themselves must not stay in the file's free pages.
    with overwriting():
        for key in list(sessions.values_list("session_key", flat=True)):
            sessions.filter(session_key=key).update(session_key=sha256(key.encode()).hexdigest()[:40])


def end_sessions(apps: Any, schema_editor: Any) -> None:
    """Sign everybody out: a key cannot be had from its hash."""
    apps.get_model("accounts", "BrowserSession").objects.using(schema_editor.connection.alias).all().delete()


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_what_the_address_serves")]

    operations = [migrations.RunPython(hash_keys, end_sessions)]
