"""Give every API token scopes and an expiry; those that exist keep what they could do, for a year."""

from typing import Any

from django.db import migrations, models

import learnagent.accounts.models


def keep_what_admins_could_do(apps: Any, schema_editor: Any) -> None:
    tokens = apps.get_model("accounts", "ApiToken").objects.using(schema_editor.connection.alias)
    tokens.filter(owner__role="admin").update(scopes="read converse admin")


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_hashed_session_keys")]

    operations = [
        migrations.AddField(
            model_name="apitoken",
            name="scopes",
            field=models.CharField(default="read converse", max_length=40, verbose_name="what it may do"),
        ),
        migrations.AddField(
            model_name="apitoken",
            name="expires_at",
            field=models.DateTimeField(default=learnagent.accounts.models.in_a_year, verbose_name="expires"),
        ),
        migrations.RunPython(keep_what_admins_could_do, migrations.RunPython.noop),
    ]
