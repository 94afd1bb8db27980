"""The conversations app."""

from django.apps import AppConfig
from django.db.models.signals import post_delete, post_migrate, pre_migrate
from django.utils.translation import gettext_lazy as _


class ConversationsConfig(AppConfig):
    name = "conversations"
    verbose_name = _("conversations")

    def ready(self) -> None:
        from agents.tools import register_tool
        from conversations.board.tool import LOOK_AT_BOARD
        from conversations.history import upkeep
        from conversations.hosts import register_card
        from conversations.library.deleting import remove_file
        from conversations.models import Document
        from conversations.searching import citing
        from conversations.searching.tool import LIBRARY

        pre_migrate.connect(upkeep.take_away, sender=self)
        post_migrate.connect(upkeep.bring_back, sender=self)
        post_delete.connect(remove_file, sender=Document)
        register_tool(LIBRARY)
        register_tool(LOOK_AT_BOARD)
        register_card(citing.KIND, citing.cards_html, texts=citing.cards_text, content=citing.SourcesCard)
