import django.contrib.auth.validators
import django.db.models.deletion
import django.utils.timezone
import learnagent.accounts.models
import learnagent.accounts.validators
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Person",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "username",
                    models.CharField(
                        error_messages={"unique": "This name is taken. Choose another."},
                        help_text="Use letters, digits and @ . + - _",
                        max_length=150,
                        unique=True,
                        validators=[
                            django.contrib.auth.validators.UnicodeUsernameValidator(
                                message="A username can contain only letters, digits and @ . + - _"
                            )
                        ],
                        verbose_name="username",
                    ),
                ),
                (
                    "display_name",
                    models.CharField(
                        blank=True,
                        help_text="Optional.",
                        max_length=80,
                        validators=[learnagent.accounts.validators.validate_storable],
                        verbose_name="display name",
                    ),
                ),
                (
                    "email",
                    models.EmailField(
                        blank=True,
                        db_index=True,
                        help_text="Optional. We use it to reset your password. Teachers also get an email when a pupil may need help.",
                        max_length=254,
                        verbose_name="email address",
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[("learner", "learner"), ("teacher", "teacher"), ("admin", "admin")],
                        default="learner",
                        max_length=16,
                        verbose_name="role",
                    ),
                ),
                (
                    "level",
                    models.CharField(
                        choices=[
                            ("unknown", "not sure"),
                            ("beginner", "beginner"),
                            ("intermediate", "intermediate"),
                            ("advanced", "advanced"),
                        ],
                        default="unknown",
                        max_length=16,
                        verbose_name="level",
                    ),
                ),
                (
                    "language",
                    models.CharField(
                        choices=learnagent.accounts.models.languages,
                        default="en",
                        max_length=16,
                        verbose_name="language",
                    ),
                ),
                (
                    "zone",
                    models.CharField(
                        default="UTC",
                        max_length=64,
                        validators=[
                            learnagent.accounts.validators.validate_storable,
                            learnagent.accounts.validators.validate_zone,
                        ],
                        verbose_name="time zone",
                    ),
                ),
                (
                    "theme",
                    models.CharField(
                        choices=[("system", "same as this device"), ("light", "light"), ("dark", "dark")],
                        default="system",
                        max_length=8,
                        verbose_name="light or dark",
                    ),
                ),
                (
                    "text_size",
                    models.CharField(
                        choices=[("normal", "normal"), ("large", "large"), ("larger", "larger")],
                        default="normal",
                        max_length=8,
                        verbose_name="text size",
                    ),
                ),
                (
                    "age_band",
                    models.CharField(
                        choices=[("child", "under 13"), ("teen", "13 to 17"), ("adult", "18 or older")],
                        default="adult",
                        max_length=8,
                        verbose_name="age",
                    ),
                ),
                (
                    "consented_at",
                    models.DateTimeField(
                        blank=True, editable=False, null=True, verbose_name="agreed to the use of external models at"
                    ),
                ),
                (
                    "consent_decided_at",
                    models.DateTimeField(
                        blank=True, editable=False, null=True, verbose_name="consent decision made at"
                    ),
                ),
                ("is_demo", models.BooleanField(default=False, editable=False, verbose_name="demo person")),
                (
                    "is_guest",
                    models.BooleanField(default=False, editable=False, verbose_name="caller without an account"),
                ),
                ("is_active", models.BooleanField(default=True, verbose_name="can sign in")),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name="created"),
                ),
            ],
            options={
                "verbose_name": "person",
                "verbose_name_plural": "people",
                "ordering": ["username"],
            },
        ),
        migrations.CreateModel(
            name="Erasure",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("subject", models.BigIntegerField(blank=True, null=True)),
                ("traces", models.JSONField(blank=True, default=list)),
                ("asked_at", models.DateTimeField(default=django.utils.timezone.now, verbose_name="requested")),
                ("finished_at", models.DateTimeField(blank=True, null=True, verbose_name="finished")),
                ("counts", models.JSONField(blank=True, default=dict, verbose_name="deleted rows")),
            ],
            options={
                "verbose_name": "erasure",
                "verbose_name_plural": "erasures",
                "ordering": ["-asked_at"],
            },
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "label",
                    models.CharField(
                        blank=True,
                        max_length=80,
                        validators=[learnagent.accounts.validators.validate_storable],
                        verbose_name="purpose",
                    ),
                ),
                ("prefix", models.CharField(db_index=True, max_length=16)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("scopes", models.CharField(default="read converse", max_length=40, verbose_name="permissions")),
                (
                    "expires_at",
                    models.DateTimeField(default=learnagent.accounts.models.in_a_year, verbose_name="expires"),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "API token",
                "verbose_name_plural": "API tokens",
                "ordering": ["-created_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="BrowserSession",
            fields=[
                (
                    "session_key",
                    models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name="session key"),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="browser_sessions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "browser session",
                "verbose_name_plural": "browser sessions",
            },
        ),
        migrations.CreateModel(
            name="DataCopy",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("asked_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("ready_at", models.DateTimeField(blank=True, null=True)),
                ("size", models.PositiveBigIntegerField(default=0)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="data_copies",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "copy of a person’s data",
                "verbose_name_plural": "copies of people’s data",
                "ordering": ["-asked_at"],
            },
        ),
        migrations.CreateModel(
            name="SignInLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("expires_at", models.DateTimeField(db_index=True)),
                ("used_at", models.DateTimeField(blank=True, null=True)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sign_in_links",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("is_card", models.BooleanField(default=False)),
            ],
            options={
                "verbose_name": "sign-in link",
                "verbose_name_plural": "sign-in links",
            },
        ),
    ]
