import agents.models.flags
import agents.storage.time_ordered_ids
import conversations.migrations._capture_index
import conversations.migrations._message_index
import conversations.migrations._passage_index
import conversations.models.round_table
import datetime
import django.core.serializers.json
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Folder",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=255)),
                ("audience", models.CharField(blank=True, max_length=100)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="folders", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "verbose_name": "folder",
                "verbose_name_plural": "folders",
                "constraints": [models.UniqueConstraint(fields=("owner", "name"), name="folder_names_are_the_owners")],
            },
        ),
        migrations.CreateModel(
            name="Document",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("in_library", models.BooleanField(default=False)),
                ("name", models.CharField(max_length=255)),
                ("title", models.CharField(blank=True, max_length=255)),
                ("media_type", models.CharField(max_length=100)),
                ("size", models.PositiveIntegerField()),
                ("digest", models.CharField(max_length=64)),
                ("stored_as", models.CharField(max_length=64, unique=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting to be read"),
                            ("reading", "being read"),
                            ("ready", "ready"),
                            ("failed", "could not be read"),
                        ],
                        default="waiting",
                        max_length=8,
                    ),
                ),
                ("problem", models.TextField(blank=True)),
                ("pages", models.PositiveIntegerField(blank=True, null=True)),
                ("pages_read", models.PositiveIntegerField(default=0)),
                ("attempt", models.PositiveSmallIntegerField(default=0)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="documents",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "folder",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="documents",
                        to="conversations.folder",
                    ),
                ),
            ],
            options={
                "verbose_name": "document",
                "verbose_name_plural": "documents",
                "indexes": [
                    models.Index(fields=["owner", "-created_at"], name="conversatio_owner_i_d814b9_idx"),
                    models.Index(fields=["status", "lease_until"], name="conversatio_status_dd8bf9_idx"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("in_library", True)),
                        fields=("owner", "digest"),
                        name="a_file_stands_once_in_a_library",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Passage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("page", models.PositiveIntegerField()),
                ("heading", models.CharField(blank=True, max_length=255)),
                ("text", models.TextField()),
                ("indexed", models.BooleanField(default=True)),
                ("link", models.CharField(blank=True, max_length=255)),
                (
                    "document",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="passages",
                        to="conversations.document",
                    ),
                ),
            ],
            options={
                "verbose_name": "passage",
                "verbose_name_plural": "passages",
                "constraints": [models.UniqueConstraint(fields=("document", "number"), name="passages_are_numbered")],
            },
        ),
        migrations.CreateModel(
            name="Embedding",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("model_id", models.CharField(max_length=60)),
                ("text_id", models.CharField(max_length=36)),
                ("vector", models.BinaryField(null=True)),
                (
                    "passage",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="embedding",
                        to="conversations.passage",
                    ),
                ),
            ],
            options={
                "verbose_name": "embedding",
                "verbose_name_plural": "embeddings",
            },
        ),
        migrations.CreateModel(
            name="Publication",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=10)),
                ("key", models.CharField(max_length=100)),
                ("title", models.CharField(max_length=255)),
                ("version", models.CharField(max_length=64)),
                ("updated_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "verbose_name": "publication",
                "verbose_name_plural": "publications",
                "constraints": [models.UniqueConstraint(fields=("kind", "key"), name="publications_have_a_key")],
            },
        ),
        migrations.AddField(
            model_name="passage",
            name="publication",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="passages",
                to="conversations.publication",
            ),
        ),
        migrations.CreateModel(
            name="Session",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=128)),
                ("title", models.CharField(blank=True, max_length=200)),
                ("state", models.JSONField(blank=True, default=dict)),
                ("positions", models.JSONField(blank=True, default=dict)),
                (
                    "answered_by",
                    models.CharField(
                        choices=[
                            ("fitting", "the tutor or the team, whichever fits"),
                            ("tutor", "just the tutor"),
                            ("team", "the whole team"),
                        ],
                        default="fitting",
                        max_length=7,
                    ),
                ),
                ("flags", models.JSONField(blank=True, default=dict)),
                ("pinned", models.BooleanField(default=False)),
                ("archived", models.BooleanField(default=False)),
                ("deleted_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="conversations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "conversation",
                "verbose_name_plural": "conversations",
                "indexes": [models.Index(fields=["owner", "-updated_at"], name="conversatio_owner_i_342baf_idx")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("deleted_at", None)),
                        fields=("owner", "key"),
                        name="session_key_is_the_owners",
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="document",
            name="session",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="documents",
                to="conversations.session",
            ),
        ),
        migrations.CreateModel(
            name="Turn",
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
                ("number", models.PositiveIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("open", "a lesson was opened"),
                            ("message", "a message"),
                            ("answer", "an answer on a card"),
                        ],
                        default="message",
                        max_length=10,
                    ),
                ),
                ("client_id", models.CharField(max_length=64)),
                ("body_hash", models.CharField(max_length=64)),
                ("payload", models.JSONField(blank=True, default=dict)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("queued", "waiting"),
                            ("running", "being answered"),
                            ("done", "answered"),
                            ("stopped", "stopped"),
                            ("degraded", "partly answered"),
                            ("failed", "failed"),
                            ("interrupted", "interrupted"),
                        ],
                        default="queued",
                        max_length=12,
                    ),
                ),
                ("attempt", models.PositiveSmallIntegerField(default=0)),
                ("lease_owner", models.CharField(blank=True, max_length=64)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("stop_requested", models.BooleanField(default=False)),
                ("answer", models.JSONField(blank=True, default=dict)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("analysis", models.JSONField(blank=True, null=True)),
                ("decision", models.JSONField(blank=True, null=True)),
                ("before", models.JSONField(blank=True, default=dict)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="turns", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "replaced_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="undone",
                        to="conversations.turn",
                    ),
                ),
                (
                    "replaces",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="newer_versions",
                        to="conversations.turn",
                    ),
                ),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="turns", to="conversations.session"
                    ),
                ),
            ],
            options={
                "verbose_name": "turn",
                "verbose_name_plural": "turns",
                "indexes": [
                    models.Index(fields=["status", "lease_until"], name="conversatio_status_42822e_idx"),
                    models.Index(fields=["owner", "created_at"], name="conversatio_owner_i_ffc092_idx"),
                    models.Index(fields=["created_at"], name="conversatio_created_b7cc89_idx"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("owner", "client_id"), name="client_id_names_one_turn_of_a_person"),
                    models.UniqueConstraint(fields=("session", "number"), name="turns_are_numbered_in_a_session"),
                    models.UniqueConstraint(
                        condition=models.Q(("status__in", ["queued", "running"])),
                        fields=("session",),
                        name="one_open_turn_a_session",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Transition",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("from_agent", models.CharField(blank=True, max_length=30)),
                ("to_agent", models.CharField(max_length=30)),
                ("strategy", models.CharField(blank=True, max_length=20)),
                ("confidence", models.FloatField(blank=True, null=True)),
                ("reason", models.TextField(blank=True)),
                ("message_excerpt", models.CharField(blank=True, max_length=100)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="transitions",
                        to="conversations.session",
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="transitions", to="conversations.turn"
                    ),
                ),
            ],
            options={
                "verbose_name": "transition",
                "verbose_name_plural": "transitions",
                "indexes": [
                    models.Index(fields=["session", "created_at"], name="conversatio_session_c7b8d7_idx"),
                    models.Index(fields=["created_at"], name="conversatio_created_57ef19_idx"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Snapshot",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("board", models.JSONField(blank=True, default=dict)),
                ("digest", models.CharField(max_length=64)),
                ("reading", models.JSONField(blank=True, default=dict)),
                ("deleted_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="snapshots",
                        to="conversations.session",
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="snapshots",
                        to="conversations.turn",
                    ),
                ),
            ],
            options={
                "verbose_name": "drawing",
                "verbose_name_plural": "drawings",
                "indexes": [models.Index(fields=["session", "-created_at"], name="conversatio_session_ccf83b_idx")],
            },
        ),
        migrations.CreateModel(
            name="Message",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("author", models.CharField(choices=[("learner", "learner"), ("team", "team")], max_length=8)),
                ("agent", models.CharField(blank=True, max_length=30)),
                ("text", models.TextField(blank=True)),
                ("cards", models.JSONField(blank=True, default=list)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="messages", to="conversations.session"
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="messages", to="conversations.turn"
                    ),
                ),
            ],
            options={
                "verbose_name": "message",
                "verbose_name_plural": "messages",
                "constraints": [models.UniqueConstraint(fields=("turn", "author"), name="one_message_a_side_and_turn")],
            },
        ),
        migrations.CreateModel(
            name="Finding",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("agent", models.CharField(max_length=30)),
                ("kind", models.CharField(max_length=30)),
                ("name", models.CharField(blank=True, max_length=100)),
                ("words", models.TextField()),
                ("evidence", models.TextField(blank=True)),
                ("confidence", models.FloatField(blank=True, null=True)),
                ("content", models.JSONField(blank=True, default=dict)),
                ("told_turn", models.PositiveIntegerField(blank=True, null=True)),
                ("overridden_why", models.CharField(blank=True, max_length=200)),
                ("contested_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="findings", to="conversations.session"
                    ),
                ),
                (
                    "overridden_turn",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="conversations.turn",
                    ),
                ),
                (
                    "resolved_turn",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="conversations.turn",
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="findings", to="conversations.turn"
                    ),
                ),
            ],
            options={
                "verbose_name": "finding",
                "verbose_name_plural": "findings",
            },
        ),
        migrations.CreateModel(
            name="Feedback",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("verdict", models.CharField(choices=[("up", "helpful"), ("down", "not helpful")], max_length=4)),
                ("words", models.TextField(blank=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="feedback",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="feedback", to="conversations.turn"
                    ),
                ),
            ],
            options={
                "verbose_name": "feedback",
                "verbose_name_plural": "feedback",
                "indexes": [models.Index(fields=["-updated_at"], name="conversatio_updated_4bb073_idx")],
                "constraints": [
                    models.UniqueConstraint(fields=("turn", "person"), name="one_feedback_a_person_and_turn")
                ],
            },
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seq", models.PositiveIntegerField()),
                ("type", models.CharField(max_length=30)),
                ("body", models.JSONField()),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="events", to="conversations.turn"
                    ),
                ),
            ],
            options={
                "verbose_name": "event",
                "verbose_name_plural": "events",
                "constraints": [models.UniqueConstraint(fields=("turn", "seq"), name="events_are_numbered_in_a_turn")],
            },
        ),
        migrations.CreateModel(
            name="Analysis",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("agent", models.CharField(max_length=30)),
                ("key", models.CharField(max_length=64)),
                ("output", models.JSONField(default=dict)),
                (
                    "status",
                    models.CharField(
                        choices=[("taken", "used"), ("rejected", "rejected"), ("failed", "failed")],
                        default="taken",
                        max_length=8,
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("rejected", models.JSONField(blank=True, null=True)),
                ("reused", models.BooleanField(default=False)),
                ("backend", models.CharField(blank=True, max_length=30)),
                ("model", models.CharField(blank=True, max_length=100)),
                ("ms", models.FloatField(default=0.0)),
                ("input_tokens", models.PositiveIntegerField(blank=True, null=True)),
                ("output_tokens", models.PositiveIntegerField(blank=True, null=True)),
                ("cost_usd", models.FloatField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="analyses",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="analyses", to="conversations.session"
                    ),
                ),
                (
                    "snapshot",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="analyses",
                        to="conversations.snapshot",
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="analyses",
                        to="conversations.turn",
                    ),
                ),
            ],
            options={
                "verbose_name": "analysis",
                "verbose_name_plural": "analyses",
                "indexes": [
                    models.Index(fields=["session", "agent", "key"], name="conversatio_session_533298_idx"),
                    models.Index(fields=["session", "-created_at"], name="conversatio_session_dc2cd2_idx"),
                    models.Index(fields=["created_at"], name="conversatio_created_fe7950_idx"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ConversationSummary",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "reason",
                    models.CharField(
                        choices=[("length", "the conversation got long"), ("goodbye", "goodbye")], max_length=8
                    ),
                ),
                ("text", models.TextField(blank=True)),
                ("facts", models.JSONField(blank=True, default=dict)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="summaries",
                        to="conversations.session",
                    ),
                ),
                (
                    "turn",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="summary", to="conversations.turn"
                    ),
                ),
            ],
            options={
                "verbose_name": "conversation summary",
                "verbose_name_plural": "conversation summaries",
            },
        ),
        migrations.AddConstraint(
            model_name="passage",
            constraint=models.UniqueConstraint(
                fields=("publication", "number"), name="published_passages_are_numbered"
            ),
        ),
        migrations.AddConstraint(
            model_name="passage",
            constraint=models.CheckConstraint(
                condition=models.Q(("document", None), ("publication", None), _connector="XOR"),
                name="a_passage_is_of_one_text",
            ),
        ),
        migrations.CreateModel(
            name="PhoneCode",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("expires_at", models.DateTimeField(db_index=True)),
                (
                    "owner",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="phone_code",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "code for a phone number",
                "verbose_name_plural": "codes for phone numbers",
            },
        ),
        migrations.CreateModel(
            name="PhoneLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.CharField(max_length=32, unique=True)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="phone_links",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "linked phone number",
                "verbose_name_plural": "linked phone numbers",
                "ordering": ["created_at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="PhoneCall",
            fields=[
                ("sid", models.CharField(max_length=34, primary_key=True, serialize=False)),
                ("is_linked", models.BooleanField(default=False)),
                ("number_digest", models.CharField(max_length=64)),
                ("wrong_codes", models.PositiveSmallIntegerField(default=0)),
                (
                    "started_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="phone_calls",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "phone call",
                "verbose_name_plural": "phone calls",
                "indexes": [
                    models.Index(fields=["number_digest", "started_at"], name="conversatio_number__e9553a_idx"),
                    models.Index(fields=["started_at"], name="conversatio_started_9face7_idx"),
                ],
            },
        ),
        migrations.CreateModel(
            name="V1Import",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("name", models.CharField(max_length=200)),
                ("total", models.PositiveIntegerField()),
                ("last_row", models.BigIntegerField(blank=True, null=True)),
                ("handled", models.PositiveIntegerField(default=0)),
                ("imported", models.PositiveIntegerField(default=0)),
                ("already_there", models.PositiveIntegerField(default=0)),
                ("orphaned", models.PositiveIntegerField(default=0)),
                ("rejected", models.PositiveIntegerField(default=0)),
                ("verification", models.JSONField(blank=True, default=dict)),
                ("verified_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="v1_imports",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "import from v1",
                "verbose_name_plural": "imports from v1",
            },
        ),
        migrations.CreateModel(
            name="Capture",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("session_id", models.CharField(max_length=128)),
                ("timestamp", models.DateTimeField()),
                ("user_text", models.TextField(blank=True)),
                ("agent_text", models.TextField(blank=True)),
                (
                    "metadata",
                    models.JSONField(blank=True, default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder),
                ),
                ("reply", models.TextField(blank=True, null=True)),
                ("origin", models.CharField(blank=True, max_length=64)),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="captures",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "turn",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="capture",
                        to="conversations.turn",
                    ),
                ),
                (
                    "source",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="captures",
                        to="conversations.v1import",
                    ),
                ),
            ],
            options={
                "verbose_name": "exchange in v1’s storage",
                "verbose_name_plural": "exchanges in v1’s storage",
                "db_table": "captures",
                "indexes": [
                    models.Index(fields=["owner", "session_id"], name="captures_owner_i_2d7d0f_idx"),
                    models.Index(fields=["origin"], name="captures_origin_fc2c17_idx"),
                    models.Index(
                        condition=models.Q(("turn", None)), fields=["session_id"], name="captures_without_turn"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("origin", ""), _negated=True),
                        fields=("owner", "origin"),
                        name="v1_row_is_imported_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(models.Q(("origin", ""), _negated=True), ("owner", None)),
                        fields=("origin",),
                        name="v1_row_is_orphaned_once",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="V1RowProblem",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("row", models.BigIntegerField()),
                ("v1_id", models.CharField(blank=True, max_length=40)),
                ("session_id", models.CharField(blank=True, max_length=128)),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("no_session", "no usable session_id"),
                            ("no_text", "neither user_text nor agent_text"),
                            ("too_long", "a value is too long"),
                            ("null_text", "a text is NULL"),
                            ("long_text", "a text is too long for a message"),
                            ("replaced", "NUL or invalid characters"),
                            ("bad_time", "no usable timestamp"),
                            ("bad_metadata", "unreadable metadata"),
                            ("duplicate", "the same as an earlier row"),
                        ],
                        max_length=12,
                    ),
                ),
                ("is_rejected", models.BooleanField()),
                ("detail", models.CharField(blank=True, max_length=200)),
                ("raw", models.JSONField(blank=True, default=dict)),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="v1_row_problems",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "source",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="problems",
                        to="conversations.v1import",
                    ),
                ),
            ],
            options={
                "verbose_name": "problem with a v1 row",
                "verbose_name_plural": "problems with v1 rows",
                "constraints": [
                    models.UniqueConstraint(fields=("source", "row", "reason"), name="one_problem_a_v1_row_and_reason")
                ],
            },
        ),
        migrations.CreateModel(
            name="StorageTask",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("problem", models.CharField(max_length=200)),
                ("attempts", models.PositiveIntegerField(default=1)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("tried_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "capture",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="storage_task",
                        to="conversations.capture",
                    ),
                ),
                (
                    "turn",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="storage_task",
                        to="conversations.turn",
                    ),
                ),
            ],
            options={
                "verbose_name": "exchange to copy",
                "verbose_name_plural": "exchanges to copy",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("turn", None), ("capture", None), _connector="XOR"),
                        name="task_is_of_a_turn_or_a_capture",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Collaborator",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "name",
                    models.CharField(
                        help_text="The name used in events and in the API. The API also accepts hyphens instead of underscores.",
                        max_length=30,
                        unique=True,
                        validators=[
                            django.core.validators.RegexValidator(
                                "\\A[a-z0-9_]{1,30}\\Z", "Use only lowercase letters, digits, and underscores."
                            )
                        ],
                        verbose_name="name",
                    ),
                ),
                ("title", models.CharField(max_length=60, unique=True, verbose_name="title")),
                (
                    "purpose",
                    models.CharField(
                        help_text="What the agent does, in one sentence for learners.",
                        max_length=200,
                        verbose_name="purpose",
                    ),
                ),
                (
                    "instructions",
                    models.TextField(
                        help_text="Instructions for a language model, besides the common rules.",
                        max_length=4000,
                        verbose_name="instructions",
                    ),
                ),
                (
                    "looks_for",
                    models.CharField(
                        choices=[
                            ("definitions", "definitions: what something is"),
                            ("objections", "objections: limits, exceptions and counterarguments"),
                            ("examples", "examples: cases in which something happens"),
                            ("origins", "origins: dates, people and history"),
                            ("uses", "uses: how something is done, and what for"),
                            ("anything", "anything about the question"),
                        ],
                        default="anything",
                        help_text="Which sentences the agent looks for in the library and the courses, with or without a language model.",
                        max_length=12,
                        verbose_name="looks for",
                    ),
                ),
                (
                    "tools",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="Tools that a language model may use for this voice, in addition to those of the round table.",
                        validators=[conversations.models.round_table.validate_tools],
                        verbose_name="tools",
                    ),
                ),
                (
                    "capabilities",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="If no agent is named, these words in a question select this agent.",
                        validators=[conversations.models.round_table.validate_capabilities],
                        verbose_name="capabilities",
                    ),
                ),
                (
                    "tier",
                    models.CharField(
                        choices=[("fast", "fast"), ("strong", "strong")],
                        default="fast",
                        max_length=6,
                        verbose_name="model",
                    ),
                ),
                (
                    "timeout_s",
                    models.PositiveSmallIntegerField(
                        default=30,
                        help_text="In seconds, for one round.",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(30),
                        ],
                        verbose_name="time limit",
                    ),
                ),
                (
                    "most_words",
                    models.PositiveSmallIntegerField(
                        default=120,
                        help_text="The word limit for one round. A language model gets four times as many tokens.",
                        validators=[
                            django.core.validators.MinValueValidator(20),
                            django.core.validators.MaxValueValidator(400),
                        ],
                        verbose_name="words",
                    ),
                ),
                (
                    "open_to",
                    models.CharField(
                        choices=[
                            ("everybody", "everybody"),
                            ("staff", "admins"),
                            ("named", "the people and classes listed below"),
                        ],
                        default="everybody",
                        max_length=10,
                        verbose_name="open to",
                    ),
                ),
                (
                    "allowed",
                    models.JSONField(
                        blank=True,
                        default=list,
                        validators=[agents.models.flags.validate_allowed],
                        verbose_name="people and classes",
                    ),
                ),
                ("enabled", models.BooleanField(default=True, verbose_name="enabled")),
                (
                    "place",
                    models.PositiveSmallIntegerField(
                        default=100, help_text="Its position in lists.", verbose_name="place"
                    ),
                ),
            ],
            options={
                "verbose_name": "collaborator",
                "verbose_name_plural": "collaborators",
                "ordering": ["place", "name"],
            },
        ),
        migrations.CreateModel(
            name="RoundTableLimits",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "most_agents",
                    models.PositiveSmallIntegerField(
                        default=5,
                        help_text="The maximum number of collaborators at one round table, from 1 to 5.",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(5),
                        ],
                        verbose_name="agents",
                    ),
                ),
                (
                    "most_rounds",
                    models.PositiveSmallIntegerField(
                        default=10,
                        help_text="The maximum number of rounds in a round table, from 1 to 10. MULTI_AGENT_MAX_ROUNDS can lower this limit.",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(10),
                        ],
                        verbose_name="rounds",
                    ),
                ),
            ],
            options={
                "verbose_name": "limits for round tables",
                "verbose_name_plural": "limits for round tables",
            },
        ),
        migrations.CreateModel(
            name="Contact",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=200)),
                ("organization", models.CharField(blank=True, max_length=200)),
                ("notes", models.TextField(blank=True, max_length=2000)),
                ("last_contacted_on", models.DateField(blank=True, null=True)),
                ("use_key", models.CharField(blank=True, editable=False, max_length=200)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="contacts",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "contact",
                "verbose_name_plural": "contacts",
                "ordering": ["name", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("use_key", ""), _negated=True),
                        fields=("owner", "use_key"),
                        name="a_use_adds_one_contact",
                    )
                ],
            },
        ),
        migrations.RunPython(
            code=conversations.migrations._message_index.create_index,
            reverse_code=conversations.migrations._message_index.drop_index,
        ),
        migrations.RunPython(
            code=conversations.migrations._passage_index.create_index,
            reverse_code=conversations.migrations._passage_index.drop_index,
        ),
        migrations.RunPython(
            code=conversations.migrations._capture_index.create_index,
            reverse_code=conversations.migrations._capture_index.drop_index,
        ),
        migrations.CreateModel(
            name="TableRemark",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("client_id", models.CharField(max_length=64)),
                ("text", models.TextField(max_length=1000)),
                ("round", models.PositiveSmallIntegerField(null=True)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="remarks", to="conversations.turn"
                    ),
                ),
            ],
            options={
                "verbose_name": "remark to a round table",
                "verbose_name_plural": "remarks to round tables",
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("turn", "client_id"), name="client_id_names_one_remark_of_a_table")
                ],
            },
        ),
        migrations.CreateModel(
            name="V1Deprecation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "since",
                    models.DateField(
                        blank=True,
                        help_text="Leave this empty if the v1 API is not deprecated.",
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(
                                datetime.date(2000, 1, 1), "Enter a date from the year 2000 on."
                            ),
                            django.core.validators.MaxValueValidator(
                                datetime.date(2199, 12, 31), "Enter a date before the year 2200."
                            ),
                        ],
                        verbose_name="deprecated since",
                    ),
                ),
                (
                    "sunset",
                    models.DateField(
                        blank=True,
                        help_text="The day on which you plan to turn off the v1 API. If this is empty, it is six months later.",
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(
                                datetime.date(2000, 1, 1), "Enter a date from the year 2000 on."
                            ),
                            django.core.validators.MaxValueValidator(
                                datetime.date(2199, 12, 31), "Enter a date before the year 2200."
                            ),
                        ],
                        verbose_name="turned off on",
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name="when")),
                (
                    "by",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="who",
                    ),
                ),
            ],
            options={
                "verbose_name": "deprecation of the v1 API",
                "verbose_name_plural": "deprecation of the v1 API",
                "ordering": ["-pk"],
            },
        ),
    ]
