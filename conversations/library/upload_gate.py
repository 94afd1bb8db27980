"""The gate that every file passes: at an address that takes none it is dropped unread."""

from typing import Any

from django.core.files.uploadhandler import FileUploadHandler, SkipFile

STORING_VIEWS = frozenset({"library", "v2:attach"})
"""Names of the addresses whose files are kept. All of them hand what they get to `uploads.take`."""
UPLOAD_VIEWS = STORING_VIEWS | {"speech-heard"}
"""Names of the addresses that take files; what is said is turned into words and kept by none."""


class UploadGate(FileUploadHandler):
    """Stands before the handlers that keep a file, which see nothing of one that is dropped."""

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        match = self.request.resolver_match if self.request else None
        if match is None or match.view_name not in UPLOAD_VIEWS:
            raise SkipFile

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """Leave it to the handlers behind."""
