"""The tutoring app: contributes its roles, its graphs, its host and its cards."""

from django.apps import AppConfig
from django.db.models.signals import post_delete
from django.utils.translation import gettext_lazy as _


class TutoringConfig(AppConfig):
    name = "tutoring"
    verbose_name = _("tutoring")

    def ready(self) -> None:
        # Models must be loaded before any of these is.
        from agents.people import register_audiences
        from agents.tools.calculator import register_withholding_rule
        from conversations.cards import register_card
        from conversations.library.folders import register_shareable
        from conversations.search.publications import register_publisher
        from conversations.turns.handler import register_turn_handler
        from conversations.turns.side_agents import register_listener
        from tutoring import classes, publishing
        from tutoring.dialogue.host import TutoringHost
        from tutoring.hub.listener import TutoringListener
        from tutoring.models import Membership
        from tutoring.presentation import card_contents, card_texts, cards
        from tutoring.records.open_sums import withheld

        register_turn_handler(TutoringHost())
        register_listener(TutoringListener())
        register_card(
            "question",
            cards.questions_html,
            texts=card_texts.questions_text,
            content=card_contents.QuestionCard,
            standings=card_texts.questions_standing,
        )
        register_card("picture", cards.pictures_html, texts=card_texts.pictures_text, content=card_contents.PictureCard)
        register_card("concept", cards.concepts_html, texts=card_texts.concepts_text, content=card_contents.ConceptCard)
        register_card("path", cards.paths_html, texts=card_texts.paths_text, content=card_contents.PathCard)
        register_card("replies", cards.replies_html, texts=card_texts.replies_text, content=card_contents.RepliesCard)
        register_audiences(classes.audiences_of)
        register_withholding_rule(withheld)
        register_publisher(publishing.KIND, publishing.published_courses)
        register_shareable(classes.shareable_by)
        post_delete.connect(classes.stop_sharing, sender=Membership)
