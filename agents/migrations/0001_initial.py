import agents.models.flags
import agents.storage.time_ordered_ids
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
import django.utils.timezone
from decimal import Decimal
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Budget",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "account",
                    models.CharField(
                        help_text="person:NAME, class:CODE, or site for the whole site",
                        max_length=170,
                        unique=True,
                        verbose_name="account",
                    ),
                ),
                (
                    "usd_per_day",
                    models.DecimalField(
                        blank=True,
                        decimal_places=4,
                        help_text="Leave this empty or enter 0 for no limit. Models without a known price are not counted.",
                        max_digits=10,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(Decimal("0"), "A budget must be 0 or more.")
                        ],
                        verbose_name="US dollars per day",
                    ),
                ),
                (
                    "tokens_per_day",
                    models.PositiveBigIntegerField(
                        blank=True,
                        help_text="Leave this empty or enter 0 for no limit.",
                        null=True,
                        verbose_name="tokens per day",
                    ),
                ),
            ],
            options={
                "verbose_name": "budget",
                "verbose_name_plural": "budgets",
                "ordering": ["account"],
            },
        ),
        migrations.CreateModel(
            name="Flag",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "name",
                    models.CharField(
                        max_length=64,
                        unique=True,
                        validators=[
                            django.core.validators.RegexValidator(
                                "\\A[a-z0-9_.-]+\\Z", "Use only lowercase letters, digits, and these characters: _ . -"
                            )
                        ],
                        verbose_name="name",
                    ),
                ),
                (
                    "percent",
                    models.DecimalField(
                        decimal_places=2,
                        default=Decimal("0"),
                        help_text="0 means nobody, and 100 means everybody. Raising the percentage never takes the feature away from anyone.",
                        max_digits=5,
                        validators=[
                            django.core.validators.MinValueValidator(0, "The percentage must be 0 or more."),
                            django.core.validators.MaxValueValidator(100, "The percentage must be 100 or less."),
                        ],
                        verbose_name="percentage",
                    ),
                ),
                (
                    "killed",
                    models.BooleanField(
                        default=False,
                        help_text="Turns the feature off for everybody within five seconds, regardless of the other settings.",
                        verbose_name="kill switch",
                    ),
                ),
                (
                    "allowed",
                    models.JSONField(
                        blank=True,
                        default=list,
                        validators=[agents.models.flags.validate_allowed],
                        verbose_name="always on for",
                    ),
                ),
                (
                    "never",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        validators=[agents.models.flags.validate_never],
                        verbose_name="never on for",
                    ),
                ),
                (
                    "class_percents",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        validators=[agents.models.flags.validate_class_percents],
                        verbose_name="percentage by class",
                    ),
                ),
                ("mode", models.CharField(blank=True, max_length=10, verbose_name="read mode")),
                ("salt", models.CharField(editable=False, max_length=64, verbose_name="salt")),
                ("version", models.PositiveIntegerField(default=1, editable=False, verbose_name="version")),
            ],
            options={
                "verbose_name": "flag",
                "verbose_name_plural": "flags",
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="Alert",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("unreachable", "does not answer"),
                            ("rejected", "rejects our requests"),
                            ("spend_limit", "spending limit reached"),
                        ],
                        max_length=12,
                        verbose_name="kind",
                    ),
                ),
                ("provider", models.CharField(max_length=30, verbose_name="provider")),
                ("model", models.CharField(max_length=100, verbose_name="model")),
                ("first_at", models.DateTimeField(default=django.utils.timezone.now, verbose_name="first seen")),
                ("last_at", models.DateTimeField(default=django.utils.timezone.now, verbose_name="last seen")),
                ("count", models.PositiveIntegerField(default=1, verbose_name="times")),
                ("settled_at", models.DateTimeField(blank=True, null=True, verbose_name="resolved")),
            ],
            options={
                "verbose_name": "alert",
                "verbose_name_plural": "alerts",
                "ordering": ["-last_at"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("settled_at", None)),
                        fields=("kind", "provider", "model"),
                        name="one_open_alert",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="BudgetChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("account", models.CharField(db_index=True, max_length=170, verbose_name="account")),
                ("at", models.DateTimeField(default=django.utils.timezone.now, verbose_name="when")),
                ("before", models.JSONField(verbose_name="before")),
                ("after", models.JSONField(verbose_name="after")),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="who",
                    ),
                ),
            ],
            options={
                "verbose_name": "budget change",
                "verbose_name_plural": "budget changes",
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="FlagChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(default=django.utils.timezone.now, verbose_name="when")),
                ("version", models.PositiveIntegerField(verbose_name="version")),
                ("before", models.JSONField(null=True, verbose_name="before")),
                ("after", models.JSONField(verbose_name="after")),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="who",
                    ),
                ),
                (
                    "flag",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="changes", to="agents.flag"
                    ),
                ),
            ],
            options={
                "verbose_name": "change",
                "verbose_name_plural": "changes",
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="Run",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=agents.storage.time_ordered_ids.new_time_ordered_id,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("turn_id", models.UUIDField(blank=True, db_index=True, null=True)),
                ("graph", models.CharField(max_length=30)),
                ("aborted", models.BooleanField(default=False)),
                ("waits", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "person",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "verbose_name": "run",
                "verbose_name_plural": "runs",
                "indexes": [models.Index(fields=["created_at"], name="agents_run_created_375157_idx")],
            },
        ),
        migrations.CreateModel(
            name="AgentCall",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("agent", models.CharField(max_length=30)),
                (
                    "ending",
                    models.CharField(
                        choices=[
                            ("answered", "answered"),
                            ("timed_out", "timed out"),
                            ("failed", "failed"),
                            ("refused", "refused"),
                        ],
                        max_length=10,
                    ),
                ),
                ("error_type", models.CharField(blank=True, max_length=12)),
                ("ms", models.FloatField()),
                ("tries", models.PositiveSmallIntegerField(default=1)),
                ("characters", models.PositiveIntegerField(default=0)),
                ("backend", models.CharField(blank=True, max_length=30)),
                ("model", models.CharField(blank=True, max_length=100)),
                ("prompt_version", models.CharField(blank=True, max_length=12)),
                ("input_tokens", models.PositiveIntegerField(blank=True, null=True)),
                ("output_tokens", models.PositiveIntegerField(blank=True, null=True)),
                ("cost_usd", models.FloatField(blank=True, null=True)),
                ("degraded", models.BooleanField(default=False)),
                ("remarks", models.JSONField(blank=True, default=list)),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="calls", to="agents.run"
                    ),
                ),
            ],
            options={
                "verbose_name": "agent call",
                "verbose_name_plural": "agent calls",
                "ordering": ["run", "number"],
            },
        ),
        migrations.CreateModel(
            name="Spending",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("account", models.CharField(max_length=170, verbose_name="account")),
                ("day", models.DateField(verbose_name="day")),
                (
                    "usd",
                    models.DecimalField(
                        decimal_places=9, default=Decimal("0"), max_digits=16, verbose_name="US dollars"
                    ),
                ),
                ("reserved_usd", models.DecimalField(decimal_places=9, default=Decimal("0"), max_digits=16)),
                ("tokens", models.PositiveBigIntegerField(default=0, verbose_name="tokens")),
                ("reserved_tokens", models.BigIntegerField(default=0)),
            ],
            options={
                "verbose_name": "spending record",
                "verbose_name_plural": "spending records",
                "ordering": ["-day", "account"],
                "constraints": [
                    models.UniqueConstraint(fields=("account", "day"), name="one_spending_an_account_and_day")
                ],
            },
        ),
        migrations.CreateModel(
            name="ModelCall",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("turn_id", models.UUIDField(db_index=True, null=True, verbose_name="turn")),
                ("agent", models.CharField(max_length=30, verbose_name="agent")),
                ("backend", models.CharField(max_length=30, verbose_name="provider")),
                ("model", models.CharField(max_length=100, verbose_name="model")),
                ("prompt_version", models.CharField(blank=True, max_length=12, verbose_name="prompt version")),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("open", "in progress"),
                            ("answered", "answered"),
                            ("failed", "failed"),
                            ("cancelled", "cut off"),
                            ("lost", "lost (the process ended)"),
                        ],
                        default="open",
                        max_length=10,
                        verbose_name="status",
                    ),
                ),
                ("error", models.CharField(blank=True, max_length=40, verbose_name="error")),
                ("holder", models.CharField(blank=True, max_length=64)),
                ("started_at", models.DateTimeField(default=django.utils.timezone.now, verbose_name="started")),
                ("ms", models.FloatField(null=True, verbose_name="milliseconds")),
                ("first_ms", models.FloatField(null=True, verbose_name="milliseconds until the first text arrived")),
                ("characters", models.PositiveIntegerField(default=0, verbose_name="characters")),
                ("input_tokens", models.PositiveIntegerField(null=True, verbose_name="input tokens")),
                ("output_tokens", models.PositiveIntegerField(null=True, verbose_name="output tokens")),
                ("cost_usd", models.FloatField(null=True, verbose_name="cost in US dollars")),
                ("spent_usd", models.DecimalField(decimal_places=9, max_digits=16, null=True)),
                ("spent_tokens", models.PositiveIntegerField(default=0)),
                ("reserved_usd", models.DecimalField(decimal_places=9, max_digits=16, null=True)),
                ("reserved_tokens", models.PositiveIntegerField(default=0)),
                ("accounts", models.JSONField(default=list, verbose_name="charged to")),
                ("asked", models.JSONField(default=dict, verbose_name="asked")),
                ("reply", models.TextField(blank=True, verbose_name="reply")),
                ("keeps_words", models.BooleanField(default=True, editable=False)),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
            ],
            options={
                "verbose_name": "model call",
                "verbose_name_plural": "model calls",
                "ordering": ["-pk"],
                "indexes": [
                    models.Index(fields=["started_at"], name="agents_mode_started_2c61ce_idx"),
                    models.Index(condition=models.Q(("status", "open")), fields=["started_at"], name="open_calls"),
                    models.Index(
                        condition=models.Q(("keeps_words", True)), fields=["started_at"], name="calls_with_words"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PlannedChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("due_at", models.DateTimeField(verbose_name="when")),
                ("percent", models.DecimalField(decimal_places=2, max_digits=5, verbose_name="percentage")),
                ("version", models.PositiveIntegerField(verbose_name="version")),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("done", "done"),
                            ("cancelled", "cancelled"),
                            ("conflict", "not done: the flag was changed in the meantime"),
                            ("refused", "not done: refused"),
                        ],
                        default="waiting",
                        max_length=10,
                        verbose_name="status",
                    ),
                ),
                ("why_not", models.CharField(blank=True, max_length=300, verbose_name="why not")),
                ("planned_at", models.DateTimeField(default=django.utils.timezone.now, verbose_name="planned")),
                ("ended_at", models.DateTimeField(null=True, verbose_name="ended")),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="who",
                    ),
                ),
                (
                    "cancelled_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "flag",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="planned_changes", to="agents.flag"
                    ),
                ),
            ],
            options={
                "verbose_name": "planned change",
                "verbose_name_plural": "planned changes",
                "ordering": ["due_at", "pk"],
                "indexes": [
                    models.Index(condition=models.Q(("status", "waiting")), fields=["due_at"], name="changes_to_come")
                ],
            },
        ),
        migrations.CreateModel(
            name="PromptVersion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=100, verbose_name="prompt")),
                ("number", models.PositiveIntegerField(verbose_name="number")),
                ("text", models.TextField(blank=True, verbose_name="text")),
                ("version", models.CharField(blank=True, max_length=12, verbose_name="version")),
                ("note", models.CharField(blank=True, max_length=200, verbose_name="note")),
                ("restored", models.PositiveIntegerField(blank=True, null=True, verbose_name="restored")),
                ("at", models.DateTimeField(default=django.utils.timezone.now, verbose_name="when")),
                (
                    "by",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "verbose_name": "prompt",
                "verbose_name_plural": "prompts",
                "ordering": ["name", "-number"],
                "constraints": [models.UniqueConstraint(fields=("name", "number"), name="prompt_version_number")],
            },
        ),
        migrations.CreateModel(
            name="RoutedMessage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("surface", models.CharField(max_length=30, verbose_name="surface")),
                ("space", models.CharField(blank=True, max_length=60, verbose_name="space")),
                ("turn_id", models.UUIDField(blank=True, null=True, unique=True)),
                ("by_keyword", models.CharField(blank=True, max_length=30, verbose_name="by words")),
                ("by_classifier", models.CharField(blank=True, max_length=30, verbose_name="by classifier")),
                ("by_model", models.CharField(blank=True, max_length=30, verbose_name="by model")),
                ("agent", models.CharField(max_length=30, verbose_name="agent")),
                ("strategy", models.CharField(max_length=12, verbose_name="strategy")),
                ("confidence", models.FloatField(blank=True, null=True, verbose_name="confidence")),
                ("reason", models.CharField(blank=True, max_length=200, verbose_name="reason")),
                ("words", models.JSONField(blank=True, default=list)),
                ("words_version", models.CharField(blank=True, max_length=12)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name="when"
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "verbose_name": "routed message",
                "verbose_name_plural": "routed messages",
                "indexes": [
                    models.Index(fields=["surface", "-created_at"], name="agents_rout_surface_b15e8b_idx"),
                    models.Index(fields=["created_at"], name="agents_rout_created_840ff6_idx"),
                ],
            },
        ),
        migrations.CreateModel(
            name="RoutingWords",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("surface", models.CharField(max_length=30, verbose_name="surface")),
                ("agent", models.CharField(max_length=30, verbose_name="agent")),
                (
                    "space",
                    models.CharField(
                        blank=True,
                        help_text="The key of a workspace, such as class-4b, in which these words are added. Empty for the whole site.",
                        max_length=60,
                        verbose_name="space",
                    ),
                ),
                ("words", models.JSONField(default=dict, verbose_name="words")),
                ("changed_at", models.DateTimeField(auto_now=True, verbose_name="changed")),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "routing words",
                "verbose_name_plural": "routing words",
                "ordering": ["surface", "agent", "space"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("surface", "agent", "space"),
                        name="one_list_an_agent_and_space",
                        violation_error_message="There already is a list for this agent and space. Change that one.",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PeriodicWork",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=40, unique=True)),
                ("done_for", models.DateTimeField(null=True)),
                ("held_until", models.DateTimeField(null=True)),
                ("error", models.CharField(blank=True, max_length=40)),
                ("ms", models.FloatField(null=True)),
                ("ran_at", models.DateTimeField(null=True)),
            ],
            options={
                "verbose_name": "periodic work",
                "verbose_name_plural": "periodic work",
            },
        ),
    ]
