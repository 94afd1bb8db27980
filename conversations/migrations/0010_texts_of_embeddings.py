from django.db import migrations, models


def forget(apps, schema_editor):
    """Let the worker work them out anew, with whose they are."""
    apps.get_model("conversations", "Embedding").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("conversations", "0009_index_of_passages")]

    operations = [
        migrations.RunPython(forget, migrations.RunPython.noop, elidable=True),
        migrations.AddField(
            model_name="embedding",
            name="text_id",
            field=models.CharField(max_length=36, default=""),
            preserve_default=False,
        ),
    ]
