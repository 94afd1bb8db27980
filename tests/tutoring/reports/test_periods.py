"""The periods of reports."""

from datetime import date

import pytest

from tutoring.reports.periods import InvalidPeriod, month_of, period_asked

TODAY = date(2026, 11, 26)


@pytest.mark.parametrize(
    ("asked", "days", "before"),
    [
        ({}, (23, 29), (16, 22)),
        ({"period": "last_week"}, (16, 22), (9, 15)),
        ({"period": "nonsense"}, (23, 29), (16, 22)),
        ({"period": "own", "from": "2026-11-10", "to": "2026-11-12"}, (10, 12), (7, 9)),
    ],
)
def test_period_is_compared_with_as_many_days_before(asked, days, before):
    found = period_asked(asked, today=TODAY)
    assert (found.first.day, found.last.day) == days
    assert (found.previous().first.day, found.previous().last.day) == before


def test_month_is_compared_with_the_month_before():
    found = period_asked({"period": "month"}, today=date(2026, 3, 31))
    assert (found.first, found.last) == (date(2026, 3, 1), date(2026, 3, 31))
    assert (found.previous().first, found.previous().last) == (date(2026, 2, 1), date(2026, 2, 28))
    assert month_of(date(2026, 12, 31)).last == date(2026, 12, 31)


@pytest.mark.parametrize(
    ("first", "last"),
    [("", ""), ("2026-11-12", "2026-11-10"), ("2026-13-01", "2026-13-02"), ("2024-01-01", "2026-01-01"), ("0001-01-01", "0001-01-02")],
)  # fmt: skip
def test_unfit_dates_are_refused(first, last):
    with pytest.raises(InvalidPeriod):
        period_asked({"period": "own", "from": first, "to": last}, today=TODAY)
