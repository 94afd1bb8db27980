"""Times as the API writes them, and days as the pages write them."""

from datetime import UTC, date, datetime

from django.utils.formats import date_format


def wire_time(moment: datetime | None) -> str | None:
    """Return a time as ISO 8601 in UTC."""
    return moment.astimezone(UTC).isoformat() if moment else None


def weekday_date(day: date, *, with_year: bool = False) -> str:
    """Return a day with its weekday, in the language in force: "Tuesday, 1 December"."""
    return f"{date_format(day, 'l')}, {date_format(day, 'DATE_FORMAT' if with_year else 'MONTH_DAY_FORMAT')}"
