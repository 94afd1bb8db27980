"""Times are read from messages as the conventions of `find_times` say, or asked back; other numbers are no times."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import dateparser
import pytest
from dateutil.rrule import rrulestr
from hypothesis import given, settings
from hypothesis import strategies as st

from tutoring.planner.times.recurrence import Series, occurrences, validate_rule
from tutoring.planner.times.time_phrases import (
    TimePhrase,
    UnclearTime,
    describe_time,
    find_duration,
    find_times,
    without_times,
)

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 27, 10, 0, tzinfo=BERLIN)
"""A Friday."""

DAYS = {
    "this Friday": "Fri 27.11.26",
    "Friday": "Fri 04.12.26",
    "tomorrow": "Sat 28.11.26",
    "next Tuesday or Wednesday": "ask which",
    "the day after tomorrow": "Sun 29.11.26",
    "Tuesday week": "Tue 08.12.26",
    "a week from Tuesday": "Tue 08.12.26",
    "in 3 days": "Mon 30.11.26",
    "two weeks from now": "Fri 11.12.26",
    "this weekend": "Sat 28.11.26 - Mon 30.11.26",
    "next weekend": "Sat 05.12.26 - Mon 07.12.26",
    "the whole weekend": "Sat 28.11.26 - Mon 30.11.26",
    "Friday next week": "Fri 04.12.26",
    "5th of next month": "Sat 05.12.26",
    "the end of the month": "Mon 30.11.26",
    "two days before Christmas": "Wed 23.12.26",
    "on the Monday after Christmas": "Mon 28.12.26",
    "Monday after next": "Mon 07.12.26",
    "three days ago": "Tue 24.11.26",
    "homework for Friday": "Fri 04.12.26",
    "remind me to bring my ruler tomorrow": "Sat 28.11.26",
    "Saturday and Sunday": "Sat 28.11.26 - Mon 30.11.26",
    "Friday 4": "Fri 04.12.26",
    "two Fridays from now": "Fri 11.12.26",
    "in three days' time": "Mon 30.11.26",
    "by the end of the day tomorrow": "Sat 28.11.26 deadline",
    "tomorow week": "Sat 05.12.26",
    "today in one week": "Fri 04.12.26",
    "not tomorrow, the day after": "Sun 29.11.26",
    "not this Friday, the next one": "Fri 04.12.26",
    "the Tuesday after this one": "Tue 08.12.26",
    "Friday two weeks from now": "Fri 11.12.26",
    "in two Fridays": "Fri 11.12.26",
    "the last Friday before Christmas": "Fri 18.12.26",
    "wendesday": "Wed 02.12.26",
    "instead of Tuesday let's do Wednesday": "Wed 02.12.26",
    "Tuesday? No, Wednesday!": "Wed 02.12.26",
    "Tuesday is bad, Wednesday": "Wed 02.12.26",
    "Friday 3 pages": "Fri 04.12.26",
    "the weekend after Christmas": "Sat 26.12.26 - Mon 28.12.26",
    "the first weekend in December": "Sat 05.12.26 - Mon 07.12.26",
    "the day before the exam on 20 December": "Sat 19.12.26",
    "next week's Tuesday": "Tue 01.12.26",
}
DATES = {
    "Tuesday, 1 December": "Tue 01.12.26",
    "on the first of December": "Tue 01.12.26",
    "May the fourth": "Tue 04.05.27",
    "24 Dec '26": "Thu 24.12.26",
    "Dec 24 @ 6pm": "Thu 24.12.26 18:00",
    "2026-12-01T16:00": "Tue 01.12.26 16:00",
    "01.12.2026 at 16.30": "Tue 01.12.26 16:30",
    "on 3.12.": "Thu 03.12.26",
    "24-Dec-2026": "Thu 24.12.26",
    "test on 13/3": "Sat 13.03.27",
    "the 20th": "Sun 20.12.26",
    "the 5th at 4": "Sat 05.12.26 16:00",
    "New Year's Eve at 11pm": "Thu 31.12.26 23:00",
    "Easter Monday at 11": "Mon 29.03.27 11:00",
    "29 February": "Tue 29.02.28",
    "on the 7th Tom has his birthday": "Mon 07.12.26",
    "8 July next year": "Thu 08.07.27",
    "on the 24. at 3": "Thu 24.12.26 15:00",
    "the 3rd and the 5th I have no time": "Thu 03.12.26 | Sat 05.12.26",
    "exam: 28th": "Sat 28.11.26",
    "my birthday is 12.5.": "Wed 12.05.27",
    "24.12 at noon": "Thu 24.12.26 12:00",
    "16 mar 29": "Fri 16.03.29",
    "28/12 - 3/1": "Mon 28.12.26 - Mon 04.01.27",
    "24 th of Decmber": "Thu 24.12.26",
    "the third of next month": "Thu 03.12.26",
    "Labor Day": "Mon 06.09.27",
}
TIMES = {
    "at 5": "Fri 27.11.26 17:00",
    "by 9": "Sat 28.11.26 09:00 deadline",
    "tonight at 8": "Fri 27.11.26 20:00",
    "noon": "Fri 27.11.26 12:00",
    "midnight": "Sat 28.11.26 00:00",
    "tonight at midnight": "Sat 28.11.26 00:00",
    "at one": "Fri 27.11.26 13:00",
    "half past four tomorrow": "Sat 28.11.26 16:30",
    "quarter to seven": "Fri 27.11.26 18:45",
    "five-thirty": "Fri 27.11.26 17:30",
    "at 1630": "Fri 27.11.26 16:30",
    "12am": "Sat 28.11.26 00:00",
    "7.30 pm": "Fri 27.11.26 19:30",
    "in the morning": "Sat 28.11.26 09:00",
    "at 7 this evening": "Fri 27.11.26 19:00",
    "12 at night": "Sat 28.11.26 00:00",
    "in two hours": "Fri 27.11.26 12:00",
    "in an hour and a half": "Fri 27.11.26 11:30",
    "in 2 days and 4 hours": "Sun 29.11.26 14:00",
    "this time tomorrow": "Sat 28.11.26 10:00",
    "an hour before midnight": "Fri 27.11.26 23:00",
    "8 tonight": "Fri 27.11.26 20:00",
    "9:20p": "Fri 27.11.26 21:20",
    "at 1900": "Fri 27.11.26 19:00",
    "at 430pm": "Fri 27.11.26 16:30",
    "lunchtime": "Fri 27.11.26 12:00",
    "half past midnight": "Sat 28.11.26 00:30",
    "an hour before lunch tomorrow": "Sat 28.11.26 11:00",
    "in about 2 hours": "Fri 27.11.26 12:00",
    "in 1,5 hours": "Fri 27.11.26 11:30",
}
TOGETHER = {
    "next Tuesday at four": "Tue 01.12.26 16:00",
    "Friday evening at 7": "Fri 04.12.26 19:00",
    "on Friday at 9": "Fri 04.12.26 09:00",
    "first thing on Monday": "Mon 30.11.26 09:00",
    "Saturday mornings": "Sat 28.11.26 09:00 FREQ=WEEKLY;BYDAY=SA",
    "lunchtime tomorrow": "Sat 28.11.26 12:00",
    "Friday at midnight": "Sat 05.12.26 00:00",
    "tomorrow I have football at five": "Sat 28.11.26 17:00",
    "at 5pm I have dentist on Tuesday": "Tue 01.12.26 17:00",
    "remind me tomorrow to call grandma and grandpa at 5pm": "Sat 28.11.26 17:00",
    "Thursday's lesson at 3": "Thu 03.12.26 15:00",
    "Dentist on Tuesday. 4 pm.": "Tue 01.12.26 16:00",
    "plan my week around football on Tuesday and Thursday at five": "Tue 01.12.26 17:00 | Thu 03.12.26 17:00",
    "homework tomorrow and football at five": "Sat 28.11.26 | Fri 27.11.26 17:00",
    "tomorrow at 8 and at 5pm": "Sat 28.11.26 08:00 | Sat 28.11.26 17:00",
    "I have a fractions test next Friday, plan my week around football on Tuesday and Thursday at five, and remind me to eat before": "Fri 04.12.26 | Tue 01.12.26 17:00 | Thu 03.12.26 17:00",
    "tomorrow's lesson at 3": "Sat 28.11.26 15:00",
    "the evening before Christmas": "Thu 24.12.26 18:00",
    "Tuesday, let's say half six": "Tue 01.12.26 18:30",
    "Tuesday is good, but only after 6": "Tue 01.12.26 18:00",
    "Tuesday at 3, no wait, at 4": "Tue 01.12.26 16:00",
    "friday nite at 9": "Fri 04.12.26 21:00",
}
RANGES = {
    "from 3 to 5 on Saturday": "Sat 28.11.26 15:00 - Sat 28.11.26 17:00",
    "Saturday 2-4": "Sat 28.11.26 14:00 - Sat 28.11.26 16:00",
    "3-5pm tomorrow": "Sat 28.11.26 15:00 - Sat 28.11.26 17:00",
    "between 2 and 4 tomorrow": "Sat 28.11.26 14:00 - Sat 28.11.26 16:00",
    "9 till 5 on Monday": "Mon 30.11.26 09:00 - Mon 30.11.26 17:00",
    "tonight 11 to 1": "Fri 27.11.26 23:00 - Sat 28.11.26 01:00",
    "from 10pm to 2am tomorrow": "Sat 28.11.26 22:00 - Sun 29.11.26 02:00",
    "from 6 to 8 in the morning": "Sat 28.11.26 06:00 - Sat 28.11.26 08:00",
    "from Monday to Wednesday": "Mon 30.11.26 - Thu 03.12.26",
    "1-5 December": "Tue 01.12.26 - Sun 06.12.26",
    "Dec 28 - Jan 3": "Mon 28.12.26 - Mon 04.01.27",
    "from Friday 5pm to Sunday 3pm": "Fri 04.12.26 17:00 - Sun 06.12.26 15:00",
    "from Saturday morning to Sunday evening": "Sat 28.11.26 09:00 - Sun 29.11.26 18:00",
    "tomorrow at 4 for 45 minutes": "Sat 28.11.26 16:00 - Sat 28.11.26 16:45",
    "a 90-minute lesson tomorrow at 4": "Sat 28.11.26 16:00 - Sat 28.11.26 17:30",
    "from now until 5pm": "Fri 27.11.26 10:00 - Fri 27.11.26 17:00",
    "in December": "Tue 01.12.26 - Fri 01.01.27",
    "tomorrow from 3 to 5 swimming": "Sat 28.11.26 15:00 - Sat 28.11.26 17:00",
    "from Friday to Sunday next week": "Fri 04.12.26 - Mon 07.12.26",
    "for three days from 5 December": "Sat 05.12.26 - Tue 08.12.26",
    "for the next two hours": "Fri 27.11.26 10:00 - Fri 27.11.26 12:00",
    "now for an hour": "Fri 27.11.26 10:00 - Fri 27.11.26 11:00",
    "tomorrow from lunchtime to 2": "Sat 28.11.26 12:00 - Sat 28.11.26 14:00",
    "from 10 to noon tomorrow": "Sat 28.11.26 10:00 - Sat 28.11.26 12:00",
    "30 min tomorrow at 5": "Sat 28.11.26 17:00 - Sat 28.11.26 17:30",
    "from 3pm on Friday to 5pm on Saturday": "Fri 04.12.26 15:00 - Sat 05.12.26 17:00",
}
RECURRENCES = {
    "every Tuesday and Thursday at 5pm until Christmas": "Tue 01.12.26 17:00 FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20261225",
    "daily at 8pm for two weeks": "Fri 27.11.26 20:00 FREQ=DAILY;COUNT=14",
    "every other Tuesday": "Tue 01.12.26 FREQ=WEEKLY;INTERVAL=2;BYDAY=TU",
    "every two weeks on Friday at 6": "Fri 27.11.26 18:00 FREQ=WEEKLY;INTERVAL=2;BYDAY=FR",
    "the first Monday of every month at 10": "Mon 07.12.26 10:00 FREQ=MONTHLY;BYDAY=1MO",
    "first and third Monday of each month": "Mon 07.12.26 FREQ=MONTHLY;BYDAY=1MO,3MO",
    "monthly on the 15th": "Tue 15.12.26 FREQ=MONTHLY;BYMONTHDAY=15",
    "last Friday of each month": "Fri 27.11.26 FREQ=MONTHLY;BYDAY=-1FR",
    "every weekday at 7": "Mon 30.11.26 07:00 FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    "every day except Sunday at 8": "Sat 28.11.26 08:00 FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA",
    "every day from Monday to Friday at 6": "Fri 27.11.26 18:00 FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    "Monday to Friday at 7": "Mon 30.11.26 07:00 FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    "Mondays and Wednesdays at 3": "Mon 30.11.26 15:00 FREQ=WEEKLY;BYDAY=MO,WE",
    "every 3 May": "Mon 03.05.27 FREQ=YEARLY",
    "every Christmas": "Fri 25.12.26 FREQ=YEARLY",
    "every Tuesday at 5 for an hour for six weeks": "Tue 01.12.26 17:00 - Tue 01.12.26 18:00 FREQ=WEEKLY;BYDAY=TU;COUNT=6",
    "every Tuesday starting 8 December until 20 December": "Tue 08.12.26 FREQ=WEEKLY;BYDAY=TU;UNTIL=20261220",
    "every Friday in December": "Fri 04.12.26 FREQ=WEEKLY;BYDAY=FR;UNTIL=20261231",
    "the next three Tuesdays at 4": "Tue 01.12.26 16:00 FREQ=WEEKLY;BYDAY=TU;COUNT=3",
    "every evening": "Fri 27.11.26 18:00 FREQ=DAILY",
    "every day from 1 to 20 December at 9": "Tue 01.12.26 09:00 FREQ=DAILY;UNTIL=20261220",
    "on the last day of every month": "Mon 30.11.26 FREQ=MONTHLY;BYMONTHDAY=-1",
    "every Wednesday from 3 to 4 starting 2 December for 8 weeks": "Wed 02.12.26 15:00 - Wed 02.12.26 16:00 FREQ=WEEKLY;BYDAY=WE;COUNT=8",
    "every Tuesday at midnight": "Wed 02.12.26 00:00 FREQ=WEEKLY;BYDAY=WE",
    "everyday at 5 except Sundays": "Fri 27.11.26 17:00 FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA",
    "weekdays and Saturdays at 8": "Sat 28.11.26 08:00 FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA",
    "mon tue and thu at 7 each week": "Mon 30.11.26 07:00 FREQ=WEEKLY;BYDAY=MO,TU,TH",
    "Tu/Th 4pm": "Tue 01.12.26 16:00 FREQ=WEEKLY;BYDAY=TU,TH",
    "on the 1st and 15th of every month": "Tue 01.12.26 FREQ=MONTHLY;BYMONTHDAY=1,15",
    "first Saturday of every other month": "Sat 05.12.26 FREQ=MONTHLY;INTERVAL=2;BYDAY=1SA",
    "until Christmas every evening": "Fri 27.11.26 18:00 FREQ=DAILY;UNTIL=20261225",
    "at six for five days": "Fri 27.11.26 18:00 FREQ=DAILY;COUNT=5",
    "Tuesday at 4 for six weeks": "Tue 01.12.26 16:00 FREQ=WEEKLY;BYDAY=TU;COUNT=6",
    "five Tuesdays in a row at 4": "Tue 01.12.26 16:00 FREQ=WEEKLY;BYDAY=TU;COUNT=5",
    "the next five weekdays at 5": "Mon 30.11.26 17:00 FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;COUNT=5",
    "Fridays in December and January": "Fri 04.12.26 FREQ=WEEKLY;BYDAY=FR;UNTIL=20270131",
    "every Tuesday x 6": "Tue 01.12.26 FREQ=WEEKLY;BYDAY=TU;COUNT=6",
    "seven days a week at 6": "Fri 27.11.26 18:00 FREQ=DAILY",
}
UNCLEAR = {
    "dentist on 12/3 at 4pm": "ask which",
    "12/3": "ask which",
    "30 February": "ask date",
    "29 February 2027": "ask date",
    "on 31 November at 5": "ask date",
    "31/4": "ask date",
    "tomorrow at 25:00": "ask time",
    "tomorrow at 13pm": "ask time",
    "at 12:75": "ask time",
    "Friday 12 December": "ask which",
    "on Tuesday or Wednesday at 5": "ask which",
    "at 4 or 5 tomorrow": "ask which",
    "sometime next week": "ask date",
    "later today": "ask time",
    "in a few days": "ask date",
    "every hour": "ask time",
    "twice a week": "ask date",
    "from 20 to 15 December": "ask date",
    "from 5pm to 3pm tomorrow": "ask time",
    "tomorrow from 10 to 25": "ask time",
    "at 02:30 on 28 March 2027": "ask time",
    "at 8 or 9": "ask which",
    "14 or 15 December": "ask which",
    "June 12/13": "ask which",
    "Saturday/Sunday?": "ask which",
    "this or next Friday": "ask which",
    "Friday morning or afternoon": "ask which",
    "maybe Tuesday, maybe Wednesday": "ask which",
    "4/5 is my due date": "ask which",
    "first week of December": "ask date",
    "the middle of December": "ask date",
    "any Friday": "ask date",
    "two days before the test": "ask date",
    "5 days a week": "ask date",
    "twice daily": "ask time",
    "hourly": "ask time",
}
NONE = (
    "buy 3 apples",
    "3/8 of a pizza",
    "1/2 + 1/3",
    "exercise 4",
    "I sat at 5 tables",
    "you may 3 times",
    "divide by 9",
    "by 3 euros",
    "ratio 3:20",
    "what is 12/3",
    "from 3 to 5 apples",
    "I ate 3/4",
    "12/15 is the same as 4/5",
    "I think 12/15",
    "12/15 because 4/5",
    "the price is 16.30",
    "in 1995 he was 12",
    "until 6 people come",
    "Good morning, what is a half?",
    "Tom eats 3/8 of a pizza",
    "Is 0.5 the second largest number?",
    "two weeks after page 7",
    "review chapters 3-5",
    "section 4.10 at home",
    "take a break after 20 minutes",
    "at 1900 metres",
    "x = 4 or 5",
    "answer T/F",
    "I did the 3rd and the 5th",
    "the 3rd and the 5th problem",
    "5 to 10 problems",
    "the 5th is wrong",
    "sundry things",
)


def told(time: TimePhrase | UnclearTime) -> str:
    if isinstance(time, UnclearTime):
        return f"ask {time.asks}"
    form = "%a %d.%m.%y" if time.is_all_day else "%a %d.%m.%y %H:%M"
    words = f"{time.start:{form}}"
    words += f" - {time.end:{form}}" if time.end else ""
    words += f" {time.rule}" if time.rule else ""
    return words + " deadline" * time.is_deadline


def one(text: str, now: datetime = NOW, *, is_past: bool = False) -> TimePhrase:
    (found,) = find_times(text, now, is_past=is_past)
    assert isinstance(found, TimePhrase)
    return found


def test_phrases() -> None:
    expected = DAYS | DATES | TIMES | TOGETHER | RANGES | RECURRENCES | UNCLEAR
    assert {text: " | ".join(map(told, find_times(text, NOW))) for text in expected} == expected


@pytest.mark.parametrize("text", NONE)
def test_number_that_is_no_time(text: str) -> None:
    assert find_times(text, NOW) == ()


def test_page_numbers_are_no_times_beside_a_date() -> None:
    found = one("read pages 12 to 30 by Friday")
    assert (found.quote, told(found)) == ("by Friday", "Fri 04.12.26 deadline")


@pytest.mark.parametrize(
    ("text", "is_all_day", "has_date"),
    [
        ("tomorrow", True, True),
        ("at five", False, False),
        ("tomorrow at five", False, True),
        ("in two hours", False, True),
    ],
)
def test_says_what_the_phrase_names(text: str, is_all_day: bool, has_date: bool) -> None:
    found = one(text)
    assert (found.is_all_day, found.has_date, found.has_time) == (is_all_day, has_date, not is_all_day)


def test_pieces_leave_the_rest_of_the_text() -> None:
    text = "Tomorrow I have football at five."
    found = find_times(text, NOW)
    assert [text[start:end] for start, end in found[0].pieces] == ["Tomorrow", "at five"]
    assert found[0].quote == "Tomorrow I have football at five"
    assert without_times(text, found) == "I have football."


def test_choices_of_an_unclear_date_have_the_time() -> None:
    (found,) = find_times("dentist on 12/3 at 4pm", NOW)
    assert isinstance(found, UnclearTime)
    assert [told(each) for each in found.choices] == ["Fri 12.03.27 16:00", "Thu 03.12.26 16:00"]
    assert found.why == "That date can be read in two ways."


def test_says_why_it_has_to_ask() -> None:
    whys = {
        text: find_times(text, NOW)[0] for text in ("30 February", "tomorrow at 25:00", "at 02:30 on 28 March 2027")
    }
    assert [each.why for each in whys.values() if isinstance(each, UnclearTime)] == [
        "There is no 30 February.",
        "There is no such time of day.",
        "The clock is put forward then, so that there is no such time on that day.",
    ]


def test_hour_that_comes_twice_is_the_first() -> None:
    found = one("at 02:30 on 31 October 2027")
    assert found.start.astimezone(UTC) == datetime(2027, 10, 31, 0, 30, tzinfo=UTC)


def test_hours_ahead_are_hours_of_the_clock() -> None:
    night = datetime(2027, 3, 28, 1, 30, tzinfo=BERLIN)
    assert f"{one('in two hours', night).start:%H:%M}" == "04:30"


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("I had pasta at noon", "26.11. 12:00"),
        ("on Monday", "23.11. 00:00"),
        ("on 3 March", "03.03. 00:00"),
        ("at 9", "27.11. 09:00"),
    ],
)
def test_past_is_meant_where_the_caller_says_so(text: str, start: str) -> None:
    assert f"{one(text, is_past=True).start:%d.%m. %H:%M}" == start


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("next Tuesday at four", "Tuesday 1 December at 16:00"),
        ("every Tuesday and Thursday at 5pm until Christmas", "every Tuesday and Thursday at 17:00 until 25 December"),
        ("daily at 8pm for two weeks", "every day at 20:00, 14 times"),
        ("Saturday 2-4", "Saturday 28 November from 14:00 to 16:00"),
        ("from Monday to Wednesday", "Monday 30 November to Wednesday 2 December"),
        ("from Friday 5pm to Sunday 3pm", "Friday 4 December at 17:00 to Sunday 6 December at 15:00"),
        ("test on 13/3", "Saturday 13 March 2027"),
        ("every weekday from 8 to 9", "every weekday from 08:00 to 09:00"),
        ("every two weeks on Friday at 6", "every 2 weeks on Friday at 18:00"),
        ("the first Monday of every month at 10", "every month on the first Monday at 10:00"),
        ("every 3 May", "every year on 3 May, from 3 May 2027"),
    ],
)
def test_description(text: str, words: str) -> None:
    assert describe_time(one(text), NOW) == words


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("for an hour and a half", 90),
        ("a 45-minute walk", 45),
        ("for 1.5 hours", 90),
        ("1h30", 90),
        ("two hours and 15 minutes", 135),
        ("half an hour", 30),
        ("three quarters of an hour", 45),
        ("for two weeks", 14 * 24 * 60),
    ],
)
def test_duration(text: str, minutes: int) -> None:
    assert find_duration(text) == timedelta(minutes=minutes)


def test_text_without_a_duration() -> None:
    assert find_duration("buy 3 apples") is None


FORMS = ["{d:%-d %B %Y}", "{d:%B %-d, %Y}", "{d:%Y-%m-%d}", "{d:%d.%m.%Y}", "{d:%-d %b %Y}"]


@settings(deadline=None, max_examples=60)
@given(st.dates(date(1950, 1, 1), date(2150, 12, 31)), st.sampled_from(FORMS))
def test_dates_are_those_of_dateparser(day: date, form: str) -> None:
    text = form.format(d=day)
    expected = dateparser.parse(text, languages=["en"], settings={"DATE_ORDER": "YMD" if "-" in form else "DMY"})
    assert expected is not None
    assert one(f"on {text}").start.date() == expected.date() == day


@settings(deadline=None)
@given(st.datetimes(datetime(1950, 1, 1), datetime(2150, 1, 1)), st.sampled_from(["UTC", "Asia/Kolkata"]))
def test_written_time_comes_back(time: datetime, zone: str) -> None:
    time = time.replace(second=0, microsecond=0)
    found = one(f"{time:%Y-%m-%d} at {time:%H:%M}", NOW.astimezone(ZoneInfo(zone)))
    assert found.start == time.replace(tzinfo=ZoneInfo(zone))


PIECES = st.sampled_from(
    [
        "on",
        "at",
        "by",
        "until",
        "from",
        "to",
        "and",
        "or",
        "every",
        "next",
        "last",
        "this",
        "the",
        "a",
        "in",
        "for",
        "Tuesday",
        "tomorrow",
        "weekend",
        "week",
        "3",
        "5pm",
        "16:30",
        "12/3",
        "noon",
        "midnight",
        "half",
        "past",
        "quarter",
        "first",
        "5th",
        "December",
        "30",
        "February",
        "two",
        "hours",
        "weeks",
        "days",
        "other",
        "weekday",
        "morning",
        "tonight",
        "-",
        ",",
        ".",
        ":",
        "/",
        "ago",
        "now",
        "year",
        "9999",
        "daily",
        "month",
        "sometime",
        "later",
        "Christmas",
        "before",
        "after",
        "0",
        "99",
        "İ",
        "½",
        "'",
        "’",
        "starting",
        "times",
    ]
)
TEXTS = st.lists(PIECES, max_size=9).map(" ".join) | st.text(max_size=60)
ZONES = st.sampled_from(
    ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "America/Santiago"]
)
NOWS = st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1))


@settings(deadline=None, max_examples=500)
@given(TEXTS, ZONES, NOWS, st.booleans())
def test_any_text_gives_times_that_hold_together(text: str, zone: str, wall: datetime, is_past: bool) -> None:
    now = wall.replace(tzinfo=UTC).astimezone(ZoneInfo(zone))
    found = find_times(text, now, is_past=is_past)
    pieces = [piece for each in found for piece in each.pieces]
    assert all(0 <= start < end <= len(text) for start, end in pieces)
    assert sorted(pieces) == pieces
    without_times(text, found)
    for each in found:
        assert text[slice(*each.span)] == each.quote
        for time in each.choices if isinstance(each, UnclearTime) else (each,):
            hold_together(time, now)


def hold_together(time: TimePhrase, now: datetime) -> None:
    assert time.start.tzinfo is now.tzinfo
    # It exists: on the way to UTC and back it stays what it is.
    assert time.start.astimezone(UTC).astimezone(now.tzinfo).replace(tzinfo=None) == time.start.replace(tzinfo=None)
    assert time.end is None or time.end > time.start
    assert describe_time(time, now)
    if time.rule:
        assert validate_rule(time.rule) == time.rule
        series = Series(start=time.start, end=time.end or time.start, zone=str(now.tzinfo), rule=time.rule)
        first = occurrences(series, after=time.start - timedelta(days=2), before=time.start + timedelta(days=2))
        assert first
        assert first[0].start == time.start


def test_rules_are_understood_by_dateutil() -> None:
    for text in RECURRENCES:
        found = one(text)
        assert next(iter(rrulestr(found.rule, dtstart=found.start.replace(tzinfo=None)))) == found.start.replace(
            tzinfo=None
        )


def test_long_text_is_read_up_to_a_bound() -> None:
    assert len(find_times("at 5 on Tuesday. Then " * 5_000, NOW)) == 50
