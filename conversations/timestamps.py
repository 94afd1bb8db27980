"""Timestamps as the API writes them."""

from datetime import UTC, datetime


def wire_time(moment: datetime | None) -> str | None:
    """Return a time as ISO 8601 in UTC."""
    return moment.astimezone(UTC).isoformat() if moment else None
