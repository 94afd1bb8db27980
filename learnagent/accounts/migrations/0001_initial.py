import django.contrib.auth.validators
import django.db.models.deletion
import django.db.models.functions.datetime
import django.utils.timezone
import learnagent.accounts.models.guardians
import learnagent.accounts.models.people
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
                        choices=learnagent.accounts.models.people.languages,
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
                (
                    "guardian_agreed_at",
                    models.DateTimeField(
                        blank=True,
                        editable=False,
                        null=True,
                        verbose_name="guardian agreed to the use of external models at",
                    ),
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
                    models.DateTimeField(default=learnagent.accounts.models.people.in_a_year, verbose_name="expires"),
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
        migrations.CreateModel(
            name="SecondFactor",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("secret", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("last_step", models.BigIntegerField(default=0)),
                (
                    "person",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="second_factor",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "second factor",
                "verbose_name_plural": "second factors",
            },
        ),
        migrations.CreateModel(
            name="RecoveryCode",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64)),
                ("used_at", models.DateTimeField(null=True)),
                (
                    "factor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="recovery_codes",
                        to="accounts.secondfactor",
                    ),
                ),
            ],
            options={
                "verbose_name": "recovery code",
                "verbose_name_plural": "recovery codes",
                "constraints": [
                    models.UniqueConstraint(fields=("factor", "digest"), name="one_recovery_code_a_factor")
                ],
            },
        ),
        migrations.CreateModel(
            name="GuardianRequest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("email", models.EmailField(max_length=254, verbose_name="guardian’s email address")),
                ("asked_at", models.DateTimeField(default=django.utils.timezone.now, verbose_name="asked")),
                (
                    "expires_at",
                    models.DateTimeField(
                        default=learnagent.accounts.models.guardians.in_two_weeks, verbose_name="can be answered until"
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("asked", "no answer yet"),
                            ("agreed", "agreed"),
                            ("declined", "declined"),
                            ("withdrawn", "withdrawn"),
                            ("replaced", "replaced by a newer request"),
                        ],
                        default="asked",
                        max_length=10,
                        verbose_name="answer",
                    ),
                ),
                ("decided_at", models.DateTimeField(null=True, verbose_name="answered")),
                ("guardian_name", models.CharField(blank=True, max_length=150, verbose_name="guardian’s name")),
                ("address", models.CharField(blank=True, max_length=64, verbose_name="network address")),
                ("text_shown", models.TextField(blank=True, verbose_name="text that was shown")),
                ("withdrawn_at", models.DateTimeField(null=True, verbose_name="withdrawn")),
                (
                    "asked_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="asked by",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="guardian_requests",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
            ],
            options={
                "verbose_name": "request to a guardian",
                "verbose_name_plural": "requests to guardians",
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="SiteLook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "name",
                    models.CharField(
                        default="learnagent",
                        max_length=40,
                        validators=[learnagent.accounts.validators.validate_storable],
                        verbose_name="name of the site",
                    ),
                ),
                (
                    "accent",
                    models.CharField(
                        choices=[
                            ("teal", "teal"),
                            ("blue", "blue"),
                            ("plum", "plum"),
                            ("rust", "rust"),
                            ("green", "green"),
                        ],
                        default="teal",
                        max_length=8,
                        verbose_name="color",
                    ),
                ),
                (
                    "contact",
                    models.CharField(
                        blank=True,
                        help_text="An email address, a phone number, or an office, shown where people sign in and in their profile.",
                        max_length=200,
                        validators=[learnagent.accounts.validators.validate_storable],
                        verbose_name="contact for help",
                    ),
                ),
            ],
            options={
                "verbose_name": "name and look",
                "verbose_name_plural": "name and look",
            },
        ),
        migrations.CreateModel(
            name="Announcement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "text",
                    models.CharField(
                        max_length=300,
                        validators=[learnagent.accounts.validators.validate_storable],
                        verbose_name="text",
                    ),
                ),
                (
                    "audience",
                    models.CharField(
                        choices=[
                            ("everybody", "everybody who is signed in"),
                            ("learner", "learners"),
                            ("teacher", "teachers"),
                            ("admin", "admins"),
                            ("class", "one class"),
                        ],
                        default="everybody",
                        max_length=10,
                        verbose_name="shown to",
                    ),
                ),
                ("class_code", models.CharField(blank=True, max_length=40, verbose_name="class")),
                ("starts_at", models.DateTimeField(default=django.utils.timezone.now, verbose_name="from")),
                (
                    "ends_at",
                    models.DateTimeField(
                        blank=True, help_text="Leave this empty for no end.", null=True, verbose_name="to"
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name="created"
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="written by",
                    ),
                ),
            ],
            options={
                "verbose_name": "announcement",
                "verbose_name_plural": "announcements",
                "ordering": ["-starts_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="ClosedAnnouncement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "announcement",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to="accounts.announcement"),
                ),
                ("person", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                "verbose_name": "closed announcement",
                "verbose_name_plural": "closed announcements",
                "constraints": [
                    models.UniqueConstraint(fields=("announcement", "person"), name="announcement_closed_once")
                ],
            },
        ),
    ]
