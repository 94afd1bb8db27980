"""URLs that may contain a username and a password."""

from urllib.parse import SplitResult, urlsplit


def split_account_url(url: str) -> SplitResult:
    """Return the parts of a URL. Raises ValueError, whose text contains nothing of the URL, if a password breaks it."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        parts = None
    # An unencoded / or # ends the host, and the rest of the password counts as a path or a fragment.
    if parts is None or "@" in parts.path + parts.fragment:
        raise ValueError("is not a valid address; in a password, write special characters such as / as %2F")
    return parts
