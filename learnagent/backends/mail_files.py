"""Mail written to files instead of being sent, each to a file of its own."""

import email.policy
import uuid
from pathlib import Path

from django.core.mail import EmailMessage
from django.core.mail.backends.filebased import EmailBackend

UNBROKEN = email.policy.default.clone(max_line_length=998)
"""The longest line that a mail may have (RFC 5322). A shorter limit would break links in the files."""


class FileMailBackend(EmailBackend):
    """Django's own, but for its breaking of lines, and for mail of one second that may come into one file."""

    def _get_filename(self) -> str:
        path = Path(super()._get_filename())  # type: ignore[misc]  # Missing in the stubs.
        return str(path.with_stem(f"{path.stem}-{uuid.uuid4().hex}"))

    def write_message(self, message: EmailMessage) -> None:
        written = message.message(policy=UNBROKEN).as_bytes() + b"\n"
        self.stream.write(written)  # type: ignore[arg-type]  # A file of bytes, which the stubs do not know.
