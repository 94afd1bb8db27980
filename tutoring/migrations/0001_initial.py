import agents.storage.time_ordered_ids
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.utils.timezone
import tutoring.models.class_reports
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("conversations", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Classroom",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.SlugField(max_length=40, unique=True)),
                ("name", models.CharField(max_length=120)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("archived_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name": "class",
                "verbose_name_plural": "classes",
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="Concept",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.SlugField(max_length=80)),
                ("title", models.CharField(max_length=200)),
                ("position", models.PositiveIntegerField(default=0)),
                ("is_goal", models.BooleanField(default=False)),
            ],
            options={
                "verbose_name": "concept",
                "verbose_name_plural": "concepts",
                "ordering": ["course", "position"],
            },
        ),
        migrations.CreateModel(
            name="Course",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.SlugField(max_length=80, unique=True)),
                ("title", models.CharField(max_length=200)),
                ("summary", models.TextField(blank=True)),
                ("version", models.CharField(max_length=40)),
                ("source_hash", models.CharField(max_length=64)),
                ("content", models.JSONField()),
                ("position", models.PositiveIntegerField(default=0)),
                ("parameters_chosen", models.BooleanField(default=False, editable=False)),
            ],
            options={
                "verbose_name": "course",
                "verbose_name_plural": "courses",
                "ordering": ["position", "title"],
            },
        ),
        migrations.CreateModel(
            name="Ability",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("residual", models.FloatField(default=0.0)),
                ("answers", models.PositiveIntegerField(default=0)),
                (
                    "learner",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="ability", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "verbose_name": "ability",
                "verbose_name_plural": "abilities",
            },
        ),
        migrations.CreateModel(
            name="Attempt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("answer", models.TextField(blank=True)),
                ("gave_up", models.BooleanField(default=False)),
                ("verdict", models.CharField(max_length=30)),
                ("score", models.FloatField()),
                ("correct", models.BooleanField()),
                ("assisted", models.BooleanField()),
                ("number", models.PositiveSmallIntegerField()),
                ("idempotency_key", models.CharField(max_length=64)),
                ("time_taken_s", models.FloatField(blank=True, null=True)),
                ("judgement", models.JSONField(blank=True, default=dict)),
                ("misconceptions", models.JSONField(blank=True, default=list)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "learner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="attempts",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "attempt",
                "verbose_name_plural": "attempts",
                "indexes": [models.Index(fields=["learner", "-created_at"], name="tutoring_at_learner_61b6bf_idx")],
            },
        ),
        migrations.CreateModel(
            name="CalendarEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("use_key", models.CharField(blank=True, max_length=200)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("removed_at", models.DateTimeField(blank=True, null=True)),
                ("title", models.CharField(max_length=300)),
                ("place", models.CharField(blank=True, max_length=300)),
                ("notes", models.CharField(blank=True, max_length=4000)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("appointment", "appointment"),
                            ("test", "test"),
                            ("study", "study session"),
                            ("imported", "from another calendar"),
                        ],
                        default="appointment",
                        max_length=12,
                    ),
                ),
                ("is_all_day", models.BooleanField(default=False)),
                ("starts_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField()),
                ("zone", models.CharField(max_length=64)),
                ("rule", models.CharField(blank=True, max_length=500)),
                ("last_ends_at", models.DateTimeField(blank=True, null=True)),
                ("excluded", models.JSONField(blank=True, default=list)),
                ("uid", models.CharField(blank=True, max_length=255)),
                ("remind_before", models.PositiveIntegerField(blank=True, null=True)),
                ("reminded_for", models.DateTimeField(blank=True, null=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "series",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="moved",
                        to="tutoring.calendarevent",
                    ),
                ),
                (
                    "concept",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tutoring.concept",
                    ),
                ),
            ],
            options={
                "verbose_name": "calendar event",
                "verbose_name_plural": "calendar events",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("ends_at__gte", models.F("starts_at"))), name="event_ends_after_start"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Concern",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("turn", models.UUIDField(blank=True, null=True, unique=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("danger_now", "may need help right now"),
                            ("harm_to_self", "may not be okay"),
                            ("harm_by_others", "may need someone to talk to"),
                            ("unsafe_request", "asked for something unsafe"),
                        ],
                        max_length=16,
                    ),
                ),
                ("is_sure", models.BooleanField(default=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "learner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="concerns",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "session",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="concerns",
                        to="conversations.session",
                    ),
                ),
            ],
            options={
                "verbose_name": "concern",
                "verbose_name_plural": "concerns",
                "indexes": [models.Index(fields=["learner", "-created_at"], name="tutoring_co_learner_78c205_idx")],
            },
        ),
        migrations.CreateModel(
            name="ConcernNotice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seen_at", models.DateTimeField(blank=True, null=True)),
                (
                    "classroom",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tellings", to="tutoring.classroom"
                    ),
                ),
                (
                    "concern",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tellings", to="tutoring.concern"
                    ),
                ),
                (
                    "seen_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "concern notice",
                "verbose_name_plural": "concern notices",
                "constraints": [models.UniqueConstraint(fields=("concern", "classroom"), name="a_class_is_told_once")],
            },
        ),
        migrations.CreateModel(
            name="Contest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "about",
                    models.CharField(
                        choices=[
                            ("verdict", "an answer’s grade"),
                            ("score", "a score"),
                            ("start", "a topic counted as known at the start"),
                            ("idea", "a mistaken idea"),
                        ],
                        default="verdict",
                        max_length=10,
                    ),
                ),
                ("misconception", models.SlugField(blank=True, max_length=80)),
                ("reason", models.CharField(blank=True, max_length=500)),
                ("score", models.FloatField(blank=True, null=True)),
                ("unfaded", models.FloatField(blank=True, null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "decision",
                    models.CharField(blank=True, choices=[("kept", "kept"), ("left_out", "left out")], max_length=10),
                ),
                ("recounted", models.BooleanField(default=False)),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                ("note", models.CharField(blank=True, max_length=500)),
                ("seen_at", models.DateTimeField(blank=True, null=True)),
                (
                    "attempt",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="contest",
                        to="tutoring.attempt",
                    ),
                ),
                (
                    "concept",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="contests", to="tutoring.concept"
                    ),
                ),
                (
                    "decided_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "learner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="contests",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "contest",
                "verbose_name_plural": "contests",
                "indexes": [models.Index(fields=["learner", "decided_at"], name="tutoring_co_learner_c2f7f1_idx")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("attempt", None), ("decided_at", None)),
                        fields=("learner", "concept", "about", "misconception"),
                        name="a_number_or_an_idea_is_contested_once_at_a_time",
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="concept",
            name="course",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="concepts", to="tutoring.course"
            ),
        ),
        migrations.CreateModel(
            name="CourseWordings",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("content", models.JSONField()),
                (
                    "course",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="wordings", to="tutoring.course"
                    ),
                ),
            ],
            options={
                "verbose_name": "course wordings",
                "verbose_name_plural": "course wordings",
            },
        ),
        migrations.CreateModel(
            name="Cycle",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("quiz_score", models.FloatField(blank=True, null=True)),
                ("mastery_achieved", models.BooleanField(blank=True, null=True)),
                ("started_at", models.DateTimeField(auto_now_add=True)),
                ("completed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "concept",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="cycles", to="tutoring.concept"
                    ),
                ),
                (
                    "learner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="cycles", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="cycles", to="conversations.session"
                    ),
                ),
            ],
            options={
                "verbose_name": "learning cycle",
                "verbose_name_plural": "learning cycles",
                "indexes": [models.Index(fields=["learner", "concept"], name="tutoring_cy_learner_96e5df_idx")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("session", "concept", "number"), name="cycles_are_numbered_in_a_session"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DiagnosticResult",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("prerequisite_gaps", models.JSONField(blank=True, default=list)),
                ("learner_level", models.CharField(max_length=12)),
                ("recommendations", models.JSONField(blank=True, default=list)),
                ("questions", models.PositiveSmallIntegerField()),
                (
                    "ended",
                    models.CharField(
                        choices=[
                            ("settled", "the level was clear"),
                            ("cap", "all questions were asked"),
                            ("novice", "everything was new to the learner"),
                            ("stopped", "the learner stopped it"),
                        ],
                        max_length=10,
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "learner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="diagnostics",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="diagnostics",
                        to="conversations.session",
                    ),
                ),
                (
                    "topic",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="diagnostics", to="tutoring.concept"
                    ),
                ),
            ],
            options={
                "verbose_name": "diagnostic result",
                "verbose_name_plural": "diagnostic results",
                "indexes": [models.Index(fields=["learner", "-created_at"], name="tutoring_di_learner_ea2b12_idx")],
            },
        ),
        migrations.CreateModel(
            name="ExampleShown",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("example", models.CharField(max_length=140)),
                ("shown_at", models.DateTimeField(auto_now_add=True)),
                (
                    "concept",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="examples_shown",
                        to="tutoring.concept",
                    ),
                ),
                (
                    "learner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="examples_shown",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="examples_shown",
                        to="conversations.turn",
                    ),
                ),
            ],
            options={
                "verbose_name": "shown example",
                "verbose_name_plural": "shown examples",
                "constraints": [
                    models.UniqueConstraint(fields=("learner", "concept", "example"), name="an_example_is_shown_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Goal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("words", models.CharField(blank=True, max_length=300)),
                ("due_on", models.DateField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("reached_at", models.DateTimeField(blank=True, null=True)),
                ("dropped_at", models.DateTimeField(blank=True, null=True)),
                (
                    "concept",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="goals", to="tutoring.concept"
                    ),
                ),
                (
                    "learner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="goals", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "session",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="goals",
                        to="conversations.session",
                    ),
                ),
            ],
            options={
                "verbose_name": "goal",
                "verbose_name_plural": "goals",
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("dropped_at", None), ("reached_at", None)),
                        fields=("learner", "concept"),
                        name="one_open_goal_a_concept",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="InsightPeriod",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "timeframe",
                    models.CharField(
                        choices=[("session", "conversation"), ("week", "week"), ("month", "month")], max_length=7
                    ),
                ),
                ("starts_on", models.DateField()),
                ("answers", models.PositiveIntegerField()),
                ("computed_at", models.DateTimeField(auto_now=True)),
                (
                    "learner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="insight_periods",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "session",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="insight_period",
                        to="conversations.session",
                    ),
                ),
            ],
            options={
                "verbose_name": "insight period",
                "verbose_name_plural": "insight periods",
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("session", None)),
                        fields=("learner", "timeframe", "starts_on"),
                        name="insights_are_computed_once_a_period",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ItemOffset",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("template", models.CharField(max_length=120)),
                ("offset", models.FloatField(default=0.0)),
                ("answers", models.PositiveIntegerField(default=0)),
                (
                    "course",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="item_offsets", to="tutoring.course"
                    ),
                ),
            ],
            options={
                "verbose_name": "item offset",
                "verbose_name_plural": "item offsets",
                "constraints": [models.UniqueConstraint(fields=("course", "template"), name="one_offset_a_template")],
            },
        ),
        migrations.CreateModel(
            name="KnowledgeGap",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "source",
                    models.CharField(
                        choices=[("diagnostic", "placement"), ("feedback", "mistakes in quizzes")], max_length=10
                    ),
                ),
                ("words", models.CharField(blank=True, max_length=300)),
                ("current", models.FloatField()),
                ("required", models.FloatField()),
                ("opened_at", models.DateTimeField(auto_now_add=True)),
                ("resolved_at", models.DateTimeField(blank=True, null=True)),
                (
                    "concept",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="knowledge_gaps",
                        to="tutoring.concept",
                    ),
                ),
                (
                    "learner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="knowledge_gaps",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "session",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="knowledge_gaps",
                        to="conversations.session",
                    ),
                ),
            ],
            options={
                "verbose_name": "knowledge gap",
                "verbose_name_plural": "knowledge gaps",
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("resolved_at", None)),
                        fields=("learner", "concept"),
                        name="one_open_gap_a_concept",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="LearningInsight",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "type",
                    models.CharField(
                        choices=[("pattern", "pattern"), ("trend", "trend"), ("connection", "connection")],
                        max_length=10,
                    ),
                ),
                ("description", models.TextField()),
                ("evidence", models.JSONField()),
                ("importance", models.FloatField()),
                (
                    "period",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="insights",
                        to="tutoring.insightperiod",
                    ),
                ),
            ],
            options={
                "verbose_name": "learning insight",
                "verbose_name_plural": "learning insights",
            },
        ),
        migrations.CreateModel(
            name="Lesson",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "level",
                    models.CharField(
                        choices=[("beginner", "beginner"), ("intermediate", "intermediate"), ("advanced", "advanced")],
                        default="beginner",
                        max_length=12,
                    ),
                ),
                (
                    "own_level",
                    models.CharField(
                        blank=True,
                        choices=[("beginner", "beginner"), ("intermediate", "intermediate"), ("advanced", "advanced")],
                        max_length=12,
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "concept",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="lessons", to="tutoring.concept"
                    ),
                ),
                (
                    "learner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="lessons", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "session",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="lesson", to="conversations.session"
                    ),
                ),
            ],
            options={
                "verbose_name": "lesson",
                "verbose_name_plural": "lessons",
                "indexes": [models.Index(fields=["learner", "concept"], name="tutoring_le_learner_6e4e2f_idx")],
            },
        ),
        migrations.CreateModel(
            name="Mastery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("probability", models.FloatField()),
                ("placed", models.FloatField(blank=True, null=True)),
                ("disowned_at", models.DateTimeField(blank=True, null=True)),
                ("answers", models.PositiveIntegerField(default=0)),
                ("unassisted", models.PositiveIntegerField(default=0)),
                ("templates", models.JSONField(blank=True, default=list)),
                ("threshold", models.FloatField()),
                ("last_at", models.DateTimeField(blank=True, null=True)),
                ("mastered_at", models.DateTimeField(blank=True, null=True)),
                (
                    "concept",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="masteries", to="tutoring.concept"
                    ),
                ),
                (
                    "learner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="masteries",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "mastery",
                "verbose_name_plural": "masteries",
                "constraints": [models.UniqueConstraint(fields=("learner", "concept"), name="one_mastery_a_concept")],
            },
        ),
        migrations.CreateModel(
            name="MasteryChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("before", models.FloatField()),
                ("difficulty", models.FloatField()),
                ("surprise", models.FloatField(blank=True, null=True)),
                ("after", models.FloatField()),
                ("predicted", models.FloatField(blank=True, null=True)),
                ("left_out", models.BooleanField(default=False)),
                (
                    "attempt",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="change", to="tutoring.attempt"
                    ),
                ),
                (
                    "mastery",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="changes", to="tutoring.mastery"
                    ),
                ),
            ],
            options={
                "verbose_name": "mastery change",
                "verbose_name_plural": "mastery changes",
                "indexes": [models.Index(fields=["mastery", "-id"], name="tutoring_ma_mastery_6b5b0d_idx")],
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "role",
                    models.CharField(
                        choices=[("teacher", "teacher"), ("learner", "learner")], default="learner", max_length=10
                    ),
                ),
                ("joined_at", models.DateTimeField(auto_now_add=True)),
                (
                    "classroom",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="memberships", to="tutoring.classroom"
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "membership",
                "verbose_name_plural": "memberships",
                "constraints": [models.UniqueConstraint(fields=("classroom", "person"), name="one_place_in_a_class")],
            },
        ),
        migrations.CreateModel(
            name="ClassGroup",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=120, verbose_name="name")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "classroom",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="groups", to="tutoring.classroom"
                    ),
                ),
                ("members", models.ManyToManyField(blank=True, related_name="groups", to="tutoring.membership")),
            ],
            options={
                "verbose_name": "group",
                "verbose_name_plural": "groups",
                "ordering": ["name"],
                "constraints": [models.UniqueConstraint(fields=("classroom", "name"), name="one_group_of_a_name")],
            },
        ),
        migrations.CreateModel(
            name="MisconceptionState",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("misconception", models.SlugField(max_length=80)),
                ("odds", models.FloatField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("none", "not seen"),
                            ("suspected", "suspected"),
                            ("active", "active"),
                            ("resolved", "resolved"),
                        ],
                        default="none",
                        max_length=10,
                    ),
                ),
                ("resolving", models.PositiveSmallIntegerField(default=0)),
                ("explained", models.BooleanField(default=False)),
                ("noticed", models.BooleanField(default=False)),
                ("evidence", models.JSONField(blank=True, default=list)),
                ("updated_at", models.DateTimeField()),
                (
                    "course",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="misconception_states",
                        to="tutoring.course",
                    ),
                ),
                (
                    "learner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="misconceptions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "learner misconception",
                "verbose_name_plural": "learner misconceptions",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("learner", "course", "misconception"), name="one_state_a_misconception"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Parameters",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("version", models.PositiveIntegerField()),
                ("values", models.JSONField()),
                ("answers", models.PositiveIntegerField()),
                ("learners", models.PositiveIntegerField()),
                ("loss_before", models.FloatField()),
                ("loss_after", models.FloatField()),
                ("worst_calibration", models.FloatField()),
                ("accepted", models.BooleanField()),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "course",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="refits", to="tutoring.course"
                    ),
                ),
            ],
            options={
                "verbose_name": "refitted mastery model",
                "verbose_name_plural": "refitted mastery models",
                "ordering": ["course", "-version"],
                "constraints": [
                    models.UniqueConstraint(fields=("course", "version"), name="refits_are_numbered_in_a_course")
                ],
            },
        ),
        migrations.AddField(
            model_name="course",
            name="parameters",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="tutoring.parameters",
            ),
        ),
        migrations.CreateModel(
            name="Path",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("first", models.JSONField(blank=True, default=list)),
                ("set_aside", models.JSONField(blank=True, default=list)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "course",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="paths", to="tutoring.course"
                    ),
                ),
                (
                    "learner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="paths", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "verbose_name": "path",
                "verbose_name_plural": "paths",
                "constraints": [models.UniqueConstraint(fields=("learner", "course"), name="one_path_a_course")],
            },
        ),
        migrations.CreateModel(
            name="Policy",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "conversations",
                    models.CharField(
                        choices=[
                            ("nothing", "Your teacher can’t read your conversations."),
                            ("summaries", "Your teacher can read summaries of your conversations, not your words."),
                            (
                                "everything",
                                "From now on, your teacher can read your conversations. You can see every time they do.",
                            ),
                        ],
                        default="nothing",
                        max_length=12,
                    ),
                ),
                ("conversations_since", models.DateTimeField(blank=True, null=True)),
                (
                    "mastery",
                    models.CharField(
                        choices=[
                            ("nothing", "Your teacher can’t see your progress."),
                            (
                                "levels",
                                "Your teacher can see your progress on each topic and your goals, but not your answers.",
                            ),
                            (
                                "evidence",
                                "Your teacher can see your progress on each topic, your goals and your answers.",
                            ),
                        ],
                        default="evidence",
                        max_length=12,
                    ),
                ),
                ("affect", models.BooleanField(default=False)),
                (
                    "concerns",
                    models.CharField(
                        choices=[
                            (
                                "nobody",
                                "If something you write makes it sound as if you are in danger, the tutor tells you who to talk to. Your teacher is not told.",
                            ),
                            (
                                "teacher",
                                "If something you write makes it sound as if you are in danger, your teacher is told that you may need help and how urgent it seems, but not what you wrote. If it is about a teacher, no teacher is told.",
                            ),
                        ],
                        default="teacher",
                        max_length=12,
                    ),
                ),
                ("contact", models.CharField(blank=True, max_length=300)),
                ("changed_at", models.DateTimeField(auto_now=True)),
                (
                    "classroom",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="policy", to="tutoring.classroom"
                    ),
                ),
            ],
            options={
                "verbose_name": "policy",
                "verbose_name_plural": "policies",
            },
        ),
        migrations.CreateModel(
            name="Question",
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
                ("template", models.CharField(max_length=120)),
                ("seed", models.BigIntegerField()),
                ("kind", models.CharField(max_length=20)),
                ("stem", models.TextField()),
                ("public", models.JSONField()),
                ("key", models.JSONField()),
                ("source_context", models.TextField(blank=True, default="")),
                (
                    "purpose",
                    models.CharField(
                        choices=[
                            ("practice", "practice"),
                            ("quiz", "quiz"),
                            ("placement", "placement"),
                            ("review", "review"),
                        ],
                        default="practice",
                        max_length=10,
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(default=1)),
                (
                    "status",
                    models.CharField(
                        choices=[("open", "open"), ("answered", "answered"), ("abandoned", "abandoned")],
                        default="open",
                        max_length=10,
                    ),
                ),
                ("hints_used", models.PositiveSmallIntegerField(default=0)),
                ("hinted_at_attempt", models.PositiveSmallIntegerField(default=0)),
                ("opened_at", models.DateTimeField(auto_now_add=True)),
                ("shown_at", models.DateTimeField(blank=True, null=True)),
                ("graded_at", models.DateTimeField(blank=True, null=True)),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "concept",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="questions", to="tutoring.concept"
                    ),
                ),
                (
                    "cycle",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="questions",
                        to="tutoring.cycle",
                    ),
                ),
                (
                    "learner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="questions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "session",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="questions",
                        to="conversations.session",
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="questions",
                        to="conversations.turn",
                    ),
                ),
            ],
            options={
                "verbose_name": "question",
                "verbose_name_plural": "questions",
                "indexes": [
                    models.Index(fields=["session", "status"], name="tutoring_qu_session_49d5d9_idx"),
                    models.Index(fields=["learner", "concept", "-opened_at"], name="tutoring_qu_learner_cb49aa_idx"),
                    models.Index(
                        condition=models.Q(("purpose", "placement")),
                        fields=["learner", "opened_at"],
                        name="placement_questions",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="attempt",
            name="question",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="attempts", to="tutoring.question"
            ),
        ),
        migrations.CreateModel(
            name="Review",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("card", models.JSONField()),
                ("due_at", models.DateTimeField()),
                ("reviewed_at", models.DateTimeField()),
                ("times", models.PositiveIntegerField(default=0)),
                (
                    "concept",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="reviews", to="tutoring.concept"
                    ),
                ),
                (
                    "learner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="reviews", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "verbose_name": "review",
                "verbose_name_plural": "reviews",
                "indexes": [models.Index(fields=["learner", "due_at"], name="tutoring_re_learner_5235dc_idx")],
                "constraints": [
                    models.UniqueConstraint(fields=("learner", "concept"), name="one_review_card_a_concept")
                ],
            },
        ),
        migrations.CreateModel(
            name="StudySettings",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "days_a_week",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(7),
                        ],
                    ),
                ),
                ("mails", models.BooleanField(default=False)),
                (
                    "quiet_from",
                    models.PositiveSmallIntegerField(
                        default=19, validators=[django.core.validators.MaxValueValidator(23)]
                    ),
                ),
                (
                    "quiet_until",
                    models.PositiveSmallIntegerField(
                        default=7, validators=[django.core.validators.MaxValueValidator(23)]
                    ),
                ),
                ("calendar_key", models.CharField(blank=True, max_length=32)),
                ("mailed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "learner",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="study_settings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "study settings",
                "verbose_name_plural": "study settings",
                "indexes": [
                    models.Index(condition=models.Q(("mails", True)), fields=["learner"], name="learners_to_remind")
                ],
            },
        ),
        migrations.CreateModel(
            name="WebhookDelivery",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("kind", models.CharField(max_length=40)),
                ("body", models.JSONField()),
                (
                    "status",
                    models.CharField(
                        choices=[("waiting", "waiting"), ("sent", "sent"), ("given_up", "given up")],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("next_at", models.DateTimeField()),
                ("answer", models.CharField(blank=True, max_length=200)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "verbose_name": "webhook delivery",
                "verbose_name_plural": "webhook deliveries",
                "indexes": [
                    models.Index(condition=models.Q(("status", "waiting")), fields=["next_at"], name="webhooks_to_send")
                ],
            },
        ),
        migrations.CreateModel(
            name="Workspace",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.SlugField(max_length=60)),
                ("title", models.CharField(max_length=80)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "classroom",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tutoring.classroom",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="workspaces",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "workspace",
                "verbose_name_plural": "workspaces",
                "constraints": [
                    models.UniqueConstraint(
                        models.F("owner"), django.db.models.functions.text.Lower("key"), name="one_workspace_a_key"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Task",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("use_key", models.CharField(blank=True, max_length=200)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("removed_at", models.DateTimeField(blank=True, null=True)),
                ("title", models.CharField(max_length=300)),
                ("notes", models.CharField(blank=True, max_length=4000)),
                (
                    "kind",
                    models.CharField(
                        choices=[("todo", "to-do"), ("homework", "homework"), ("reminder", "reminder")],
                        default="todo",
                        max_length=10,
                    ),
                ),
                (
                    "priority",
                    models.PositiveSmallIntegerField(
                        default=0,
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(3),
                        ],
                    ),
                ),
                ("due_on", models.DateField(blank=True, null=True)),
                ("due_at", models.DateTimeField(blank=True, null=True)),
                ("remind_at", models.DateTimeField(blank=True, null=True)),
                ("reminded_at", models.DateTimeField(blank=True, null=True)),
                ("done_at", models.DateTimeField(blank=True, null=True)),
                ("position", models.PositiveIntegerField(default=0)),
                (
                    "concept",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tutoring.concept",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "parent",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="subtasks",
                        to="tutoring.task",
                    ),
                ),
                (
                    "workspace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(class)s_rows",
                        to="tutoring.workspace",
                    ),
                ),
            ],
            options={
                "verbose_name": "task",
                "verbose_name_plural": "tasks",
                "indexes": [
                    models.Index(fields=["workspace", "done_at", "due_on"], name="tutoring_ta_workspa_0bb074_idx"),
                    models.Index(
                        condition=models.Q(("reminded_at", None)), fields=["remind_at"], name="reminders_to_send"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Reminder",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("made_at", models.DateTimeField()),
                ("seen_at", models.DateTimeField(blank=True, null=True)),
                ("mailed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "event",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tutoring.calendarevent",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tutoring.task",
                    ),
                ),
                (
                    "workspace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tutoring.workspace"
                    ),
                ),
            ],
            options={
                "verbose_name": "reminder",
                "verbose_name_plural": "reminders",
                "indexes": [
                    models.Index(
                        condition=models.Q(("seen_at", None)), fields=["owner", "-made_at"], name="reminders_to_show"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("task", "at"), name="one_reminder_a_task_and_time"),
                    models.UniqueConstraint(fields=("event", "at"), name="one_reminder_an_occurrence"),
                ],
            },
        ),
        migrations.CreateModel(
            name="PlannerSettings",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "day_starts",
                    models.PositiveSmallIntegerField(
                        default=8, validators=[django.core.validators.MaxValueValidator(23)]
                    ),
                ),
                (
                    "day_ends",
                    models.PositiveSmallIntegerField(
                        default=20, validators=[django.core.validators.MaxValueValidator(24)]
                    ),
                ),
                (
                    "session_minutes",
                    models.PositiveSmallIntegerField(
                        default=25,
                        validators=[
                            django.core.validators.MinValueValidator(10),
                            django.core.validators.MaxValueValidator(180),
                        ],
                    ),
                ),
                ("mails", models.BooleanField(default=False)),
                ("first_messages", models.BooleanField(default=False)),
                ("first_message_at", models.DateTimeField(blank=True, null=True)),
                ("feed_key", models.CharField(blank=True, max_length=32)),
                (
                    "owner",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="planner_settings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "workspace",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tutoring.workspace",
                    ),
                ),
            ],
            options={
                "verbose_name": "planner settings",
                "verbose_name_plural": "planner settings",
            },
        ),
        migrations.CreateModel(
            name="PlannerChange",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("words", models.CharField(max_length=4000)),
                ("rows", models.JSONField()),
                ("use_key", models.CharField(blank=True, max_length=200)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "workspace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="changes", to="tutoring.workspace"
                    ),
                ),
            ],
            options={
                "verbose_name": "planner change",
                "verbose_name_plural": "planner changes",
                "indexes": [models.Index(fields=["workspace", "-made_at"], name="tutoring_pl_workspa_778891_idx")],
            },
        ),
        migrations.CreateModel(
            name="Note",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("use_key", models.CharField(blank=True, max_length=200)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("removed_at", models.DateTimeField(blank=True, null=True)),
                ("text", models.CharField(max_length=4000)),
                ("embedding", models.BinaryField(blank=True, null=True)),
                ("outside_id", models.CharField(blank=True, editable=False, max_length=100)),
                ("outside_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "workspace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(class)s_rows",
                        to="tutoring.workspace",
                    ),
                ),
            ],
            options={
                "verbose_name": "note",
                "verbose_name_plural": "notes",
                "indexes": [models.Index(fields=["workspace", "-updated_at"], name="tutoring_no_workspa_925915_idx")],
            },
        ),
        migrations.CreateModel(
            name="Meal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("use_key", models.CharField(blank=True, max_length=200)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("removed_at", models.DateTimeField(blank=True, null=True)),
                ("eaten_at", models.DateTimeField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("breakfast", "breakfast"),
                            ("lunch", "lunch"),
                            ("dinner", "dinner"),
                            ("snack", "snack"),
                        ],
                        max_length=10,
                    ),
                ),
                ("foods", models.JSONField(default=list)),
                ("tags", models.JSONField(blank=True, default=list)),
                (
                    "rating",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(5),
                        ],
                    ),
                ),
                ("notes", models.CharField(blank=True, max_length=4000)),
                ("is_planned", models.BooleanField(default=False)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "workspace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(class)s_rows",
                        to="tutoring.workspace",
                    ),
                ),
            ],
            options={
                "verbose_name": "meal",
                "verbose_name_plural": "meals",
                "indexes": [models.Index(fields=["workspace", "-eaten_at"], name="tutoring_me_workspa_08c6d0_idx")],
            },
        ),
        migrations.AddField(
            model_name="calendarevent",
            name="workspace",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="%(class)s_rows", to="tutoring.workspace"
            ),
        ),
        migrations.CreateModel(
            name="WrittenQuestion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("ordered", "requested"),
                            ("checked", "checked and ready to use"),
                            ("rejected", "rejected"),
                            ("retired", "retired"),
                        ],
                        default="ordered",
                        max_length=10,
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("shape", "not a complete question"),
                            ("length", "too long"),
                            ("markup", "contains markup that is not allowed"),
                            ("language", "not in the course’s language"),
                            ("wording", "not in the tutor’s voice, or about something the learner can’t see"),
                            ("key", "its own answer is marked wrong"),
                            ("two_right", "more than one choice is right"),
                            ("misconception", "names a misconception that does not exist"),
                            ("leak", "a hint gives the answer away"),
                            ("solution", "the solution has a wrong calculation, or never states the answer"),
                            ("repeats", "this question already exists"),
                            ("checker", "the checker got a different answer"),
                            ("unreadable", "the model’s reply had the wrong format"),
                            ("no_answer", "no model answered after several tries"),
                            ("withdrawn", "removed by an admin"),
                        ],
                        max_length=20,
                    ),
                ),
                ("detail", models.TextField(blank=True)),
                ("item", models.JSONField(blank=True, default=dict)),
                ("checking", models.JSONField(blank=True, default=dict)),
                ("model", models.CharField(blank=True, max_length=120)),
                ("prompts", models.JSONField(blank=True, default=dict)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("lease_owner", models.CharField(blank=True, max_length=64)),
                ("due_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "concept",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="written_questions",
                        to="tutoring.concept",
                    ),
                ),
            ],
            options={
                "verbose_name": "model-written question",
                "verbose_name_plural": "model-written questions",
                "indexes": [
                    models.Index(fields=["concept", "status"], name="tutoring_wr_concept_e253bf_idx"),
                    models.Index(
                        condition=models.Q(("status", "ordered")), fields=["due_at"], name="orders_that_are_due"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AccessLog",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "learner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="readings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "reader",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="readings", to="conversations.session"
                    ),
                ),
                (
                    "classroom",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tutoring.classroom",
                    ),
                ),
            ],
            options={
                "verbose_name": "opened conversation",
                "verbose_name_plural": "opened conversations",
                "indexes": [models.Index(fields=["learner", "-created_at"], name="tutoring_ac_learner_49a4ab_idx")],
            },
        ),
        migrations.AddConstraint(
            model_name="concept",
            constraint=models.UniqueConstraint(fields=("course", "slug"), name="concept_slug_is_the_courses"),
        ),
        migrations.AddConstraint(
            model_name="attempt",
            constraint=models.UniqueConstraint(
                fields=("question", "idempotency_key"), name="a_resent_answer_is_one_attempt"
            ),
        ),
        migrations.AddConstraint(
            model_name="attempt",
            constraint=models.UniqueConstraint(
                fields=("question", "number"), name="attempts_are_numbered_in_a_question"
            ),
        ),
        migrations.AddIndex(
            model_name="calendarevent",
            index=models.Index(
                fields=["workspace", "starts_at", "last_ends_at"], name="tutoring_ca_workspa_ec823e_idx"
            ),
        ),
        migrations.AddConstraint(
            model_name="calendarevent",
            constraint=models.UniqueConstraint(
                condition=models.Q(models.Q(("uid", ""), _negated=True), ("removed_at", None), ("series", None)),
                fields=("workspace", "uid"),
                name="one_event_a_uid",
            ),
        ),
        migrations.CreateModel(
            name="Assignment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("title", models.CharField(max_length=120)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("concept", "Topics"),
                            ("quiz", "Quiz"),
                            ("reading", "Reading"),
                            ("path", "Path to a goal"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "questions",
                    models.PositiveSmallIntegerField(
                        default=5,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(30),
                        ],
                    ),
                ),
                ("seed", models.PositiveIntegerField(default=0)),
                ("article", models.SlugField(blank=True, max_length=80)),
                ("goal_number", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("is_for_all", models.BooleanField(default=True)),
                ("starts_at", models.DateTimeField()),
                ("due_at", models.DateTimeField()),
                ("note", models.TextField(blank=True, max_length=1000)),
                ("is_live", models.BooleanField(default=False)),
                ("gives_hints", models.BooleanField(default=False)),
                ("explains_at_once", models.BooleanField(default=False)),
                ("is_evidence", models.BooleanField(default=True)),
                ("tells_done", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                (
                    "classroom",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="assignments", to="tutoring.classroom"
                    ),
                ),
                ("concepts", models.ManyToManyField(blank=True, related_name="+", to="tutoring.concept")),
                (
                    "course",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tutoring.course",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="conversations.document",
                    ),
                ),
                ("groups", models.ManyToManyField(blank=True, related_name="assignments", to="tutoring.classgroup")),
                ("people", models.ManyToManyField(blank=True, related_name="assignments", to="tutoring.membership")),
            ],
            options={
                "verbose_name": "assignment",
                "verbose_name_plural": "assignments",
                "ordering": ["due_at", "pk"],
                "indexes": [models.Index(fields=["classroom", "due_at"], name="tutoring_as_classro_b9a9f6_idx")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("due_at__gt", models.F("starts_at"))),
                        name="an_assignment_is_due_after_its_start",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AssignmentWork",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("read_at", models.DateTimeField(blank=True, null=True)),
                ("handed_in_at", models.DateTimeField(blank=True, null=True)),
                ("reminded_at", models.DateTimeField(blank=True, null=True)),
                ("reminder_seen_at", models.DateTimeField(blank=True, null=True)),
                (
                    "assignment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="works", to="tutoring.assignment"
                    ),
                ),
                (
                    "learner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="assignment_works",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("try_number", models.PositiveSmallIntegerField(default=1)),
            ],
            options={
                "verbose_name": "assignment work",
                "verbose_name_plural": "assignment works",
                "indexes": [models.Index(fields=["learner", "-reminded_at"], name="tutoring_as_learner_14421b_idx")],
                "constraints": [models.UniqueConstraint(fields=("assignment", "learner"), name="one_work_a_pupil")],
            },
        ),
        migrations.CreateModel(
            name="LiveQuiz",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "phase",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting for pupils"),
                            ("asking", "question open"),
                            ("shown", "answer shown"),
                            ("over", "over"),
                        ],
                        default="waiting",
                        max_length=8,
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(default=0)),
                ("started_at", models.DateTimeField(auto_now_add=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "assignment",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="live", to="tutoring.assignment"
                    ),
                ),
            ],
            options={
                "verbose_name": "live quiz",
                "verbose_name_plural": "live quizzes",
            },
        ),
        migrations.CreateModel(
            name="QuizItem",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("template", models.CharField(max_length=120)),
                ("seed", models.BigIntegerField()),
                ("kind", models.CharField(max_length=20)),
                ("stem", models.TextField()),
                ("public", models.JSONField()),
                ("key", models.JSONField()),
                ("source_context", models.TextField(blank=True, default="")),
                (
                    "assignment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="items", to="tutoring.assignment"
                    ),
                ),
                (
                    "concept",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tutoring.concept"
                    ),
                ),
            ],
            options={
                "verbose_name": "quiz item",
                "verbose_name_plural": "quiz items",
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("assignment", "number"), name="quiz_items_are_numbered")
                ],
            },
        ),
        migrations.AddField(
            model_name="classroom",
            name="source_id",
            field=models.CharField(blank=True, max_length=255),
        ),
        migrations.CreateModel(
            name="CoTeacherInvite",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("expires_at", models.DateTimeField(db_index=True)),
                (
                    "classroom",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="invites", to="tutoring.classroom"
                    ),
                ),
            ],
            options={
                "verbose_name": "invitation to teach a class",
                "verbose_name_plural": "invitations to teach a class",
            },
        ),
        migrations.CreateModel(
            name="RosterAccount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=80)),
                ("source_id", models.CharField(blank=True, db_index=True, max_length=255)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "classroom",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="roster_accounts",
                        to="tutoring.classroom",
                    ),
                ),
                (
                    "person",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="roster_account",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "account from a roster",
                "verbose_name_plural": "accounts from rosters",
            },
        ),
        migrations.AddField(
            model_name="attempt",
            name="left_out",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="course",
            name="withdrawn",
            field=models.JSONField(blank=True, default=list, editable=False),
        ),
        migrations.AlterField(
            model_name="concern",
            name="kind",
            field=models.CharField(
                choices=[
                    ("danger_now", "may be in danger right now"),
                    ("harm_to_self", "may not be okay"),
                    ("harm_by_others", "may need someone to talk to"),
                    ("unsafe_request", "asked for something unsafe"),
                ],
                max_length=16,
            ),
        ),
        migrations.CreateModel(
            name="QuestionReport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("template", models.CharField(max_length=120)),
                ("words", models.CharField(max_length=1000, verbose_name="what is wrong")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("handled_at", models.DateTimeField(blank=True, null=True)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "course",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="question_reports",
                        to="tutoring.course",
                    ),
                ),
            ],
            options={
                "verbose_name": "report of a question",
                "verbose_name_plural": "reports of questions",
                "ordering": ["-created_at"],
            },
        ),
        migrations.CreateModel(
            name="AnswerTally",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("given", models.PositiveIntegerField(default=0)),
                ("last_at", models.DateTimeField()),
                ("misses", models.JSONField(blank=True, default=list)),
                (
                    "concept",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="answer_tallies",
                        to="tutoring.concept",
                    ),
                ),
                (
                    "learner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="answer_tallies",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "answer tally",
                "verbose_name_plural": "answer tallies",
                "constraints": [models.UniqueConstraint(fields=("learner", "concept"), name="one_tally_a_concept")],
            },
        ),
        migrations.CreateModel(
            name="GradeChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("regraded", "graded again"),
                            ("not_counted", "does not count"),
                            ("overridden", "grade changed by a teacher"),
                        ],
                        max_length=12,
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=500)),
                ("before", models.JSONField()),
                ("after", models.JSONField()),
                ("suspected", models.JSONField(blank=True, default=list)),
                ("mastery_before", models.FloatField(blank=True, null=True)),
                ("mastery_after", models.FloatField(blank=True, null=True)),
                ("recounted", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                ("seen_at", models.DateTimeField(blank=True, null=True)),
                (
                    "attempt",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="grade_changes", to="tutoring.attempt"
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "undone_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "grade change",
                "verbose_name_plural": "grade changes",
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("undone_at", None)), fields=("attempt",), name="one_grade_change_at_a_time"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="HelpMark",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("reason", models.CharField(max_length=120)),
                ("evidence", models.CharField(max_length=120)),
                (
                    "kind",
                    models.CharField(
                        choices=[("dismissed", "dismissed"), ("followed_up", "followed up")], max_length=12
                    ),
                ),
                ("note", models.CharField(blank=True, max_length=500)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "classroom",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="help_marks", to="tutoring.classroom"
                    ),
                ),
                (
                    "learner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="help_marks",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "help mark",
                "verbose_name_plural": "help marks",
                "constraints": [
                    models.UniqueConstraint(fields=("classroom", "learner", "reason"), name="one_mark_for_a_reason")
                ],
            },
        ),
        migrations.CreateModel(
            name="WithdrawnQuestion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("template", models.CharField(max_length=120)),
                ("reason", models.CharField(blank=True, max_length=500)),
                ("left_out", models.JSONField(blank=True, default=list)),
                ("scores_changed", models.PositiveIntegerField(default=0)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("restored_at", models.DateTimeField(blank=True, null=True)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "classroom",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="withdrawn_questions",
                        to="tutoring.classroom",
                    ),
                ),
                (
                    "course",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="withdrawals", to="tutoring.course"
                    ),
                ),
                (
                    "restored_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "withdrawn question",
                "verbose_name_plural": "withdrawn questions",
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("restored_at", None)),
                        fields=("course", "template", "classroom"),
                        name="a_question_is_withdrawn_once_in_a_class",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("classroom", None), ("restored_at", None)),
                        fields=("course", "template"),
                        name="a_question_is_withdrawn_once_on_the_site",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="policy",
            name="platform",
            field=models.CharField(blank=True, max_length=120),
        ),
        migrations.AddField(
            model_name="policy",
            name="sends_grades",
            field=models.BooleanField(default=True),
        ),
        migrations.AddField(
            model_name="policy",
            name="sends_records",
            field=models.BooleanField(default=False),
        ),
        migrations.CreateModel(
            name="LearningRecord",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("verb", models.CharField(max_length=20, verbose_name="verb")),
                ("statement", models.JSONField()),
                (
                    "status",
                    models.CharField(
                        choices=[("waiting", "waiting"), ("sent", "sent"), ("given_up", "given up")],
                        default="waiting",
                        max_length=10,
                        verbose_name="status",
                    ),
                ),
                ("tries", models.PositiveSmallIntegerField(default=0, verbose_name="attempts")),
                ("next_at", models.DateTimeField(verbose_name="next attempt")),
                ("answer", models.CharField(blank=True, max_length=200, verbose_name="store’s answer")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("sent_at", models.DateTimeField(blank=True, null=True, verbose_name="sent")),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "verbose_name": "learning record",
                "verbose_name_plural": "learning records",
                "indexes": [
                    models.Index(condition=models.Q(("status", "waiting")), fields=["next_at"], name="records_to_send")
                ],
            },
        ),
        migrations.AlterModelOptions(
            name="accesslog",
            options={"verbose_name": "reading", "verbose_name_plural": "readings"},
        ),
        migrations.AddField(
            model_name="accesslog",
            name="kind",
            field=models.CharField(
                choices=[
                    ("conversation", "A conversation"),
                    ("summary", "A summary of a conversation"),
                    ("answers", "Your answers"),
                    ("learner", "The page about you"),
                    ("report", "A report with your name"),
                    ("guardian", "The monthly page for your parents or guardians"),
                ],
                default="conversation",
                max_length=12,
            ),
        ),
        migrations.AddField(
            model_name="policy",
            name="guardians",
            field=models.CharField(
                choices=[
                    ("nothing", "This class has no pages for your parents or guardians."),
                    (
                        "monthly",
                        "Once a month, your parents or guardians can see on a page what you learned and how long you practiced. They see no answers, no conversations and nothing about others. You can see when the page is opened.",
                    ),
                ],
                default="nothing",
                max_length=12,
            ),
        ),
        migrations.AddField(
            model_name="policy",
            name="guardians_since",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="policy",
            name="keeps",
            field=models.CharField(
                choices=[
                    ("always", "Your conversations and the words of your answers are kept until you delete them."),
                    (
                        "two_years",
                        "Your conversations, messages and the words of your answers are deleted after two years.",
                    ),
                    (
                        "one_year",
                        "Your conversations, messages and the words of your answers are deleted after a year.",
                    ),
                ],
                default="always",
                max_length=12,
            ),
        ),
        migrations.AddField(
            model_name="policy",
            name="keeps_since",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="studysettings",
            name="message_mailed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="studysettings",
            name="message_mails",
            field=models.BooleanField(default=False),
        ),
        migrations.AlterField(
            model_name="accesslog",
            name="session",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="readings",
                to="conversations.session",
            ),
        ),
        migrations.CreateModel(
            name="ClassMessage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("by_learner", models.BooleanField()),
                ("text", models.TextField(max_length=2000)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("read_at", models.DateTimeField(blank=True, null=True)),
                (
                    "author",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "classroom",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="messages", to="tutoring.classroom"
                    ),
                ),
                (
                    "learner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="class_messages",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "class message",
                "verbose_name_plural": "class messages",
                "indexes": [
                    models.Index(fields=["classroom", "learner", "created_at"], name="tutoring_cl_classro_609adc_idx"),
                    models.Index(
                        condition=models.Q(("read_at", None)), fields=["learner"], name="unread_class_messages"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="GuardianAccess",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("email", models.EmailField(blank=True, max_length=254)),
                ("key", models.CharField(default=tutoring.models.class_reports.new_key, editable=False, max_length=16)),
                ("mailed_month", models.DateField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "classroom",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="guardians", to="tutoring.classroom"
                    ),
                ),
                (
                    "learner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="guardian_pages",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "guardian’s monthly page",
                "verbose_name_plural": "guardians’ monthly pages",
                "constraints": [
                    models.UniqueConstraint(fields=("classroom", "learner"), name="one_guardian_page_a_pupil")
                ],
            },
        ),
        migrations.CreateModel(
            name="MilestoneWithdrawal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("milestone", models.SlugField(max_length=80)),
                ("reason", models.CharField(max_length=500)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("objection", models.CharField(blank=True, max_length=500)),
                ("objected_at", models.DateTimeField(blank=True, null=True)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "course",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tutoring.course"
                    ),
                ),
                (
                    "learner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="withdrawn_milestones",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "withdrawn milestone",
                "verbose_name_plural": "withdrawn milestones",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("learner", "course", "milestone"), name="a_milestone_is_withdrawn_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PupilNote",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField(max_length=2000)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "author",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "classroom",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="pupil_notes", to="tutoring.classroom"
                    ),
                ),
                (
                    "learner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notes_by_teachers",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "note about a pupil",
                "verbose_name_plural": "notes about pupils",
                "indexes": [models.Index(fields=["classroom", "learner"], name="tutoring_pu_classro_62a46c_idx")],
            },
        ),
        migrations.CreateModel(
            name="ReportSubscription",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("mailed_week", models.DateField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "classroom",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="report_subscriptions",
                        to="tutoring.classroom",
                    ),
                ),
                (
                    "teacher",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="report_subscriptions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "weekly summary by email",
                "verbose_name_plural": "weekly summaries by email",
                "constraints": [
                    models.UniqueConstraint(fields=("classroom", "teacher"), name="one_weekly_summary_a_class")
                ],
            },
        ),
        migrations.CreateModel(
            name="WorkQuestion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="asked", to="tutoring.quizitem"
                    ),
                ),
                (
                    "question",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="assigned", to="tutoring.question"
                    ),
                ),
                (
                    "work",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="asked", to="tutoring.assignmentwork"
                    ),
                ),
                ("try_number", models.PositiveSmallIntegerField(default=1)),
            ],
            options={
                "verbose_name": "question of an assignment",
                "verbose_name_plural": "questions of assignments",
                "constraints": [
                    models.UniqueConstraint(fields=("work", "item", "try_number"), name="an_item_is_asked_once_a_try")
                ],
            },
        ),
        migrations.CreateModel(
            name="ClearedSuspicion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("misconception", models.CharField(max_length=120)),
                ("before", models.JSONField()),
                ("after", models.JSONField(null=True)),
                (
                    "learner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "withdrawal",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="cleared",
                        to="tutoring.withdrawnquestion",
                    ),
                ),
            ],
            options={
                "verbose_name": "cleared suspicion",
                "verbose_name_plural": "cleared suspicions",
            },
        ),
        migrations.AddField(
            model_name="course",
            name="is_public",
            field=models.BooleanField(default=True),
        ),
        migrations.CreateModel(
            name="CourseImport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("title", models.CharField(max_length=200)),
                ("draft", models.JSONField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "course",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="imports",
                        to="tutoring.course",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="course_imports",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "course import",
                "verbose_name_plural": "course imports",
                "ordering": ["-created_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="CourseOwner",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "course",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="ownership", to="tutoring.course"
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="own_courses",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "course owner",
                "verbose_name_plural": "course owners",
            },
        ),
        migrations.AddField(
            model_name="course",
            name="is_open",
            field=models.BooleanField(default=True),
        ),
        migrations.CreateModel(
            name="AuthoredCourse",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("title", models.CharField(max_length=200)),
                ("files", models.JSONField()),
                ("revision", models.PositiveIntegerField(default=0)),
                ("published_revision", models.PositiveIntegerField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "course",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="authored",
                        to="tutoring.course",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="authored_courses",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "course written in the browser",
                "verbose_name_plural": "courses written in the browser",
                "ordering": ["-updated_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="AuthoredVersion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("changes", models.JSONField()),
                ("message", models.CharField(max_length=200)),
                ("is_published", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "author",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "authored",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="versions",
                        to="tutoring.authoredcourse",
                    ),
                ),
            ],
            options={
                "verbose_name": "version of a written course",
                "verbose_name_plural": "versions of written courses",
                "ordering": ["-number"],
                "constraints": [
                    models.UniqueConstraint(fields=("authored", "number"), name="versions_of_a_draft_are_numbered")
                ],
            },
        ),
        migrations.AddField(
            model_name="course",
            name="is_personal",
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.CreateModel(
            name="DocumentCourse",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("document_name", models.CharField(max_length=255)),
                ("title", models.CharField(max_length=200)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("drafting", "being drafted"),
                            ("ready", "ready"),
                            ("failed", "failed"),
                        ],
                        default="waiting",
                        max_length=8,
                    ),
                ),
                ("problem", models.CharField(blank=True, max_length=20)),
                ("steps_done", models.PositiveSmallIntegerField(default=0)),
                ("steps", models.PositiveSmallIntegerField(default=0)),
                ("attempt", models.PositiveSmallIntegerField(default=0)),
                ("reported_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("draft", models.JSONField(blank=True, default=dict)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "accepted_for",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="document_courses",
                        to="tutoring.classroom",
                    ),
                ),
                (
                    "course",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="document_course",
                        to="tutoring.course",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="document_courses",
                        to="conversations.document",
                    ),
                ),
                (
                    "offered_to",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tutoring.classroom",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="document_courses",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "course from a document",
                "verbose_name_plural": "courses from documents",
                "ordering": ["-created_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="CourseReading",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("title", models.CharField(max_length=200)),
                ("license", models.CharField(max_length=500)),
                ("attribution", models.CharField(blank=True, max_length=2000)),
                ("digest", models.CharField(max_length=64)),
                ("sections", models.JSONField()),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "course",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="readings", to="tutoring.course"
                    ),
                ),
            ],
            options={
                "verbose_name": "reading material",
                "verbose_name_plural": "reading material",
                "ordering": ["title", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("course", "digest"), name="a_text_stands_once_in_a_course")
                ],
            },
        ),
    ]
