"""URLs of the conversation pages."""

from django.urls import path

from conversations.web.views import board, documents, history, library, pages, speech, transcript, versions

urlpatterns = [
    path("library/", library.library, name="library"),
    path("library/states/", library.states, name="document-states"),
    path("library/folders/", library.make_folder, name="make-folder"),
    path("library/folders/<int:folder>/rename/", library.rename_folder, name="rename-folder"),
    path("library/folders/<int:folder>/share/", library.share_folder, name="share-folder"),
    path("library/folders/<int:folder>/delete/", library.delete_folder, name="delete-folder"),
    path("library/<uuid:document>/", documents.document, name="document"),
    path("library/<uuid:document>/file", documents.file, name="document-file"),
    path("library/<uuid:document>/rename/", documents.rename, name="rename-document"),
    path("library/<uuid:document>/move/", documents.move, name="move-document"),
    path("library/<uuid:document>/keep/", documents.keep, name="keep-document"),
    path("library/<uuid:document>/delete/", documents.delete, name="delete-document"),
    path("board/", pages.board_panel, name="board-panel"),
    path("c/", history.conversations, name="conversations"),
    path("c/trash/<int:deleted>/bring-back/", history.restore, name="bring-back"),
    path("c/trash/<int:deleted>/give-up/", history.delete_forever, name="give-up"),
    path("c/<path:key>/rename/", history.rename, name="rename-conversation"),
    path("c/<path:key>/pin/", history.pin, name="pin-conversation"),
    path("c/<path:key>/archive/", history.archive, name="archive-conversation"),
    path("c/<path:key>/delete/", history.delete, name="delete-conversation"),
    path("c/<path:key>/export.md", history.export, {"ending": "md"}, name="export-markdown"),
    path("c/<path:key>/export.json", history.export, {"ending": "json"}, name="export-json"),
    path("c/<path:key>/turns/<str:turn_id>/feedback/", history.feedback, name="feedback"),
    path("c/<path:key>/turns/<str:turn_id>/versions/<int:place>/", versions.version, name="message-version"),
    path("c/<path:key>/turns/<str:turn_id>/story/", transcript.story, name="story"),
    path("c/<path:key>/transcript/", transcript.transcript, name="transcript"),
    path("c/<path:key>/findings/<int:finding>/contest/", pages.contest_finding, name="contest-finding"),
    path("c/<path:key>/speech/heard", speech.transcribe, name="speech-heard"),
    path("c/<path:key>/speech/said", speech.read_aloud, name="speech-said"),
    path("c/<path:key>/board/", board.take, name="board"),
    path("c/<path:key>/board/<uuid:drawing>.png", board.drawing, name="drawing"),
    path("c/<path:key>/board/<uuid:drawing>/forget/", board.delete, name="delete-drawing"),
    path("c/<path:key>/before/<int:before>/", pages.earlier, name="earlier-turns"),
    path("c/<path:key>/from/<int:start>/", pages.later, name="later-turns"),
    path("c/<path:key>/", pages.conversation, name="conversation"),
]
