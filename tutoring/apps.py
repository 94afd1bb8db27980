"""The tutoring app: registers its roles, graphs, turn handler and cards."""

from django.apps import AppConfig
from django.db.models.signals import post_delete
from django.utils.translation import gettext_lazy as _


class TutoringConfig(AppConfig):
    name = "tutoring"
    verbose_name = _("tutoring")

    def ready(self) -> None:
        # Models must be loaded before any of these is.
        from agents.people import register_audiences, register_members
        from agents.rollout.comparison import register_metric
        from agents.routing.surfaces import register_surface
        from agents.tools import register_tool
        from agents.tools.calculator import register_withholding_rule
        from agents.tools.code_executor import register_program_rule
        from conversations.companion.workspaces import register_workspaces
        from conversations.concepts.lesson_links import register_lesson_finder
        from conversations.library.deletion import register_derived
        from conversations.library.folders import register_shareable
        from conversations.library.upload_gate import register_upload_views
        from conversations.round_table.question_voices import question_voice
        from conversations.round_table.voices import register_voice
        from conversations.search.publications import register_publisher
        from conversations.speech.spoken_replies import register_rewriter
        from conversations.summaries.contributors import register_contributor
        from conversations.turns.handler import register_turn_handler
        from conversations.turns.side_agents import register_listener
        from tutoring import lesson_finder, search_publisher, summary_contributor
        from tutoring.classes import membership
        from tutoring.course_imports import readings
        from tutoring.document_courses import records
        from tutoring.insights import rollout_metrics
        from tutoring.learning_data.needs import LEARNING_NEEDS_TOOL
        from tutoring.learning_data.tool import LEARNING_DATA_TOOL
        from tutoring.mastery.records.withheld_sums import program_reason_async, withholding_reason_async
        from tutoring.models import Membership
        from tutoring.pages.cards.page_words import without_page_words
        from tutoring.planner.companion_choice import register_companion_router
        from tutoring.planner.routing import SURFACE, route_companion
        from tutoring.planner.tools.registry import PLANNER_TOOLS
        from tutoring.planner.workspace_names import has_workspace
        from tutoring.side_agents.listener import TutoringListener
        from tutoring.turn_handler import TutoringTurnHandler
        from tutoring.xapi import recording

        register_surface(SURFACE)
        register_workspaces(has_workspace)
        register_companion_router(
            lambda text, context: route_companion(
                text, current=context.agent or "" if context.follows else "", space=context.workspace
            )
        )
        register_turn_handler(TutoringTurnHandler())
        register_upload_views("planner-import", "planner-notes-import", "course-import-new")
        register_listener(TutoringListener())
        register_voice("data_steward", question_voice("learning_data"))
        register_voice("prospect_finder", question_voice("learning_needs", "crm"))
        register_tool(LEARNING_DATA_TOOL)
        register_tool(LEARNING_NEEDS_TOOL)
        for tool in PLANNER_TOOLS:
            register_tool(tool)
        _register_cards()
        register_rewriter(without_page_words)
        for metric in rollout_metrics.METRICS:
            register_metric(metric)
        register_audiences(membership.class_audiences)
        register_members(membership.members_of)
        register_withholding_rule(withholding_reason_async)
        register_program_rule(program_reason_async)
        register_publisher(search_publisher.KIND, search_publisher.published_courses)
        register_publisher(readings.KIND, readings.published_readings)
        register_contributor("tutoring", summary_contributor.contribute)
        register_lesson_finder(lesson_finder.lessons_by_name)
        register_shareable(membership.shareable_audiences)
        register_derived("document_courses", records.course_titles, records.delete_courses_of)
        recording.connect()
        post_delete.connect(membership.remove_shares, sender=Membership)


def _register_cards() -> None:
    from conversations.cards import register_card
    from tutoring.pages.cards import rendering, schemas, speech, texts

    register_card(
        "question",
        rendering.questions_html,
        texts=texts.questions_text,
        speech=speech.questions_speech,
        content=schemas.QuestionCard,
        standings=texts.question_statuses,
        opens_step=True,
    )
    register_card("picture", rendering.pictures_html, texts=texts.pictures_text, content=schemas.PictureCard)
    register_card(
        "concept",
        rendering.concepts_html,
        texts=texts.concepts_text,
        speech=speech.concepts_speech,
        content=schemas.ConceptCard,
    )
    register_card(
        "path", rendering.paths_html, texts=texts.paths_text, speech=speech.paths_speech, content=schemas.PathCard
    )
    register_card(
        "replies",
        rendering.replies_html,
        texts=texts.replies_text,
        speech=speech.replies_speech,
        content=schemas.RepliesCard,
    )
