"""Mail written to files instead of being sent, each to a file of its own."""

import uuid
from pathlib import Path

from django.core.mail.backends.filebased import EmailBackend


class MailFiles(EmailBackend):
    """Django's own, which may put two people's mail of one second into one file."""

    def _get_filename(self) -> str:
        path = Path(super()._get_filename())  # type: ignore[misc]  # Missing in the stubs.
        return str(path.with_stem(f"{path.stem}-{uuid.uuid4().hex}"))
