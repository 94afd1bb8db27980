"""The conversations app."""

from django.apps import AppConfig
from django.db.models.signals import post_delete, post_migrate, pre_migrate
from django.utils.translation import gettext_lazy as _


class ConversationsConfig(AppConfig):
    name = "conversations"
    verbose_name = _("conversations")

    def ready(self) -> None:
        from agents.rollout.comparison import register_metric
        from agents.rollout.guards import register_guard
        from agents.rollout.known_flags import STORAGE
        from agents.tools import register_tool
        from conversations import rollout_metrics
        from conversations.cards import register_card
        from conversations.charts import cards as charts
        from conversations.charts import figures
        from conversations.library import articles
        from conversations.library.deletion import remove_file
        from conversations.models import Document
        from conversations.round_table.question_voices import question_voice
        from conversations.round_table.tools import TABLE_TOOLS
        from conversations.round_table.voices import register_voice
        from conversations.search import citations, sqlite_triggers
        from conversations.search.publications import register_publisher
        from conversations.tools.board import BOARD_TOOL
        from conversations.tools.contract_clauses import CONTRACT_CLAUSES_TOOL
        from conversations.tools.crm import CRM_TOOL, EDIT_CONTACTS_TOOL
        from conversations.tools.library import LIBRARY_TOOL
        from conversations.tools.outside_database import OUTSIDE_DATABASE_TOOL
        from conversations.v1_storage.mode_guard import guard_mode

        pre_migrate.connect(sqlite_triggers.drop_triggers, sender=self)
        post_migrate.connect(sqlite_triggers.restore_triggers, sender=self)
        post_delete.connect(remove_file, sender=Document)
        register_tool(LIBRARY_TOOL)
        register_tool(BOARD_TOOL)
        register_tool(OUTSIDE_DATABASE_TOOL)
        register_tool(CONTRACT_CLAUSES_TOOL)
        register_tool(CRM_TOOL)
        register_tool(EDIT_CONTACTS_TOOL)
        for tool in TABLE_TOOLS:
            register_tool(tool)
        for metric in rollout_metrics.METRICS:
            register_metric(metric)
        register_guard(STORAGE, guard_mode)
        register_voice("contract_reader", question_voice("contract_clauses"))
        register_publisher(articles.KIND, articles.published_articles)
        register_card(
            citations.CARD_KIND,
            citations.cards_html,
            texts=citations.cards_text,
            speech=citations.cards_speech,
            content=citations.SourcesCard,
        )
        register_card(
            figures.CARD_KIND,
            charts.charts_html,
            texts=charts.charts_text,
            speech=charts.charts_speech,
            content=figures.ChartCard,
        )
