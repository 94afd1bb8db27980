"""When a person decided on outside models. Who consented has; of a person without consent nobody knows, so they are asked."""

from django.db import migrations, models
from django.db.models import F


def decided_with_consent(apps, schema_editor):
    people = apps.get_model("accounts", "Person").objects.using(schema_editor.connection.alias)
    people.filter(consented_at__isnull=False).update(consent_decided_at=F("consented_at"))


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0005_scopes_and_expiry_of_tokens"),
    ]

    operations = [
        migrations.AddField(
            model_name="person",
            name="consent_decided_at",
            field=models.DateTimeField(
                blank=True, editable=False, null=True, verbose_name="decided on outside models at"
            ),
        ),
        migrations.RunPython(decided_with_consent, migrations.RunPython.noop),
    ]
