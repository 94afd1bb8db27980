"""`EMAIL_URL`: how mail leaves the house, read into what Django calls a mailer."""

from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qs, unquote

from learnagent.configuration.account_urls import split_account_url

SMTP_PORTS = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
TIMEOUT_S = 20


def parse_mailer(url: str, *, folder: Path) -> dict[str, Any]:
    """Return Django's settings for one mailer; files in `folder` where the address is empty. Raises ValueError.

    `smtp://`, `smtp+tls://` (STARTTLS) and `smtps://`, each with user and password where the server wants them, and
    `file:///folder`.
    """
    parts = split_account_url(url)
    if parts.scheme in SMTP_PORTS:
        return _smtp(parts)
    if not url or (parts.scheme == "file" and parts.path and not parts.netloc):
        path = Path(unquote(parts.path)) if url else folder
        return {"BACKEND": "learnagent.backends.mail_files.FileMailBackend", "OPTIONS": {"file_path": str(path)}}
    raise ValueError("must start with smtp://, smtp+tls:// or smtps://, or name a folder, such as file:///folder")


def parse_sender(url: str, *, host: str) -> str:
    """Return whose name mail is sent in: what `?from=` says, else learnagent at the place's own host."""
    named = parse_qs(split_account_url(url).query).get("from", [""])[0]
    if any(letter in named for letter in "\r\n"):
        raise ValueError("?from= must be one address")
    return named or f"learnagent@{host}"


def _smtp(parts: SplitResult) -> dict[str, Any]:
    if not parts.hostname:
        raise ValueError("has no host; write it as smtp://HOST:PORT")
    return {
        "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "OPTIONS": {
            "host": parts.hostname,
            "port": parts.port or SMTP_PORTS[parts.scheme],
            "username": unquote(parts.username or ""),
            "password": unquote(parts.password or ""),
            "use_tls": parts.scheme == "smtp+tls",
            "use_ssl": parts.scheme == "smtps",
            "timeout": TIMEOUT_S,
        },
    }
