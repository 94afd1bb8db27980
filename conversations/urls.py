"""Addresses of conversations' pages."""

from django.urls import path

from conversations import history_views, transcript_views, version_views, views

urlpatterns = [
    path("c/", history_views.conversations, name="conversations"),
    path("c/trash/<int:deleted>/bring-back/", history_views.bring_back, name="bring-back"),
    path("c/trash/<int:deleted>/give-up/", history_views.give_up, name="give-up"),
    path("c/<path:key>/rename/", history_views.rename, name="rename-conversation"),
    path("c/<path:key>/pin/", history_views.pin, name="pin-conversation"),
    path("c/<path:key>/archive/", history_views.archive, name="archive-conversation"),
    path("c/<path:key>/delete/", history_views.delete, name="delete-conversation"),
    path("c/<path:key>/export.md", history_views.export, {"ending": "md"}, name="export-markdown"),
    path("c/<path:key>/export.json", history_views.export, {"ending": "json"}, name="export-json"),
    path("c/<path:key>/turns/<str:turn_id>/feedback/", history_views.feedback, name="feedback"),
    path("c/<path:key>/turns/<str:turn_id>/versions/<int:place>/", version_views.version, name="message-version"),
    path("c/<path:key>/turns/<str:turn_id>/story/", transcript_views.story, name="story"),
    path("c/<path:key>/transcript/", transcript_views.transcript, name="transcript"),
    path("c/<path:key>/findings/<int:finding>/contest/", views.contest_finding, name="contest-finding"),
    path("c/<path:key>/before/<int:before>/", views.earlier, name="earlier-turns"),
    path("c/<path:key>/from/<int:start>/", views.later, name="later-turns"),
    path("c/<path:key>/", views.conversation, name="conversation"),
]
