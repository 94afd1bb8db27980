"""Upload gate: drops files unread on URLs that do not accept files."""

from typing import Any

from django.core.files.uploadhandler import FileUploadHandler, SkipFile

STORING_VIEWS = frozenset({"library", "api:attach"})
"""Names of the URLs that store files. They all pass them to `uploads.accept`."""
UPLOAD_VIEWS = {*STORING_VIEWS, "speech-heard"}
"""Names of the URLs that accept files; speech is transcribed and not stored. Apps add theirs while they start."""

SPOKEN_VIEWS = frozenset({"api:ask", "api:ask-smart"})
"""Names of the URLs whose JSON may contain a recording."""


def register_upload_views(*names: str) -> None:
    """Let these URLs take files, which they read and do not store; called while apps start."""
    UPLOAD_VIEWS.update(names)


class UploadGate(FileUploadHandler):
    """Runs before the upload handlers that store a file; they never see a dropped one."""

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        match = self.request.resolver_match if self.request else None
        if match is None or match.view_name not in UPLOAD_VIEWS:
            raise SkipFile

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """Leave it to the next handlers."""
