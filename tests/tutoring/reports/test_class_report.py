"""The report of a class: its figures, its tables, its page, and the weekly mail."""

import csv
import io
from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail
from django.utils import timezone

from tests.people import make_person
from tests.tutoring.class_helpers import agree, answer, make_class
from tutoring.classes.membership import leave_class
from tutoring.models import Assignment, AssignmentWork, Attempt, Mastery, Policy, ReportSubscription
from tutoring.reports.class_report import class_report, report_plots
from tutoring.reports.periods import week_of
from tutoring.reports.weekly_mail import mail_summary, order_summaries, set_subscription

pytestmark = [pytest.mark.django_db, pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")]


@pytest.fixture
def classroom(ada, ben, grace):
    """A class in which Ada answered three questions this week, and Ben one last week."""
    made = make_class(grace, ada, ben)
    answer(ada, "1/2", "2", "2")
    answer(ben, "1/2")
    Attempt.objects.update(time_taken_s=90.0)
    Attempt.objects.filter(learner=ben).update(created_at=timezone.now() - timedelta(days=7))
    Mastery.objects.filter(learner=ada).update(mastered_at=timezone.now())
    return made


def lines(classroom):
    report = class_report(classroom, week_of(timezone.localdate()))
    return {line.label: (line.now, line.before) for line in report.lines}


def test_figures_of_the_week_stand_beside_those_of_the_week_before(classroom):
    assert lines(classroom) == {
        "Pupils who practiced": (1, 1),
        "Minutes of practice": (5, 2),
        "Answers": (3, 1),
        "Right on the first try": (33, 100),
        "Topics newly mastered": (1, 0),
        "Topics due for review today": (0, None),
        "Misconceptions first seen": (1, 0),
        "Misconceptions resolved": (0, 0),
        "Assignments done, of those due": (None, None),
    }


def test_assignments_that_were_due_are_counted(classroom, ada):
    now = timezone.now()
    given = Assignment.objects.create(
        classroom=classroom,
        title="Read",
        kind="reading",
        article="halves",
        starts_at=now - timedelta(days=1),
        due_at=now,
    )
    AssignmentWork.objects.create(assignment=given, learner=ada, started_at=now, read_at=now)
    assert lines(classroom)["Assignments done, of those due"] == (50, None)


@pytest.mark.parametrize("mastery", Policy.Progress.values)
def test_report_shows_what_is_agreed(client, classroom, grace, mastery):
    agree(classroom, mastery=mastery)
    client.force_login(grace)
    page = client.get("/teach/4b/reports/").text
    assert ("Minutes of practice" in page) is (mastery != "nothing")
    assert ("Misconceptions first seen" in page) is (mastery == "evidence")
    for table in ("class", "pupils"):
        response = client.get(f"/teach/4b/reports/{table}.csv")
        assert response.status_code == (404 if mastery == "nothing" else 200)
    assert client.get("/teach/4b/reports/summary.txt").status_code == (404 if mastery == "nothing" else 200)


def test_tables_are_safe_in_a_spreadsheet(client, classroom, ada, grace):
    ada.display_name = "=1+1"
    ada.save()
    client.force_login(grace)
    text = b"".join(client.get("/teach/4b/reports/pupils.csv")).decode("utf-8-sig")
    [head, *rows] = csv.reader(io.StringIO(text))
    assert head[:5] == ["Pupil", "Username", "Days", "Minutes", "Minutes in the period before"]
    by_name = {row[1]: row for row in rows}
    assert by_name["ada"][:6] == ["'=1+1", "ada", "1", "5", "0", "3"]
    assert by_name["ben"][2:6] == ["0", "0", "2", "0"]
    assert client.get("/teach/4b/reports/nothing.csv").status_code == 404


def test_summary_has_no_names(client, classroom, grace):
    client.force_login(grace)
    text = client.get("/teach/4b/reports/summary.txt").text
    assert "Answers: 3 (before: 1)" in text
    assert "Ada" not in text


def test_unfit_dates_say_what_to_do(client, classroom, grace):
    client.force_login(grace)
    response = client.get("/teach/4b/reports/?period=own&from=2026-11-12&to=2026-11-10")
    assert response.status_code == 422
    assert "the earlier one first" in response.text
    assert 'value="2026-11-12"' in response.text


def test_plot_has_a_bar_for_each_day_and_its_figures(classroom):
    plots = report_plots(class_report(classroom, week_of(timezone.localdate())))
    assert [row.minutes for row in plots["rows"]].count(5) == 1
    assert len(plots["rows"]) == 7
    assert sum(row.mastered for row in plots["rows"]) == 1


def test_queries_do_not_grow_with_the_class(client, grace, django_assert_num_queries):
    few, many = [make_person(f"p{number}") for number in range(2)], [make_person(f"q{number}") for number in range(6)]
    classroom = make_class(grace, *few)
    period = week_of(timezone.localdate())
    with django_assert_num_queries(14):
        class_report(classroom, period)
    for person in many:
        classroom.memberships.create(person=person)
        answer(person, "2")
    with django_assert_num_queries(14):
        class_report(classroom, period)


class TestWeeklyMail:
    MONDAY = datetime(2026, 11, 30, 8, tzinfo=UTC)

    @pytest.fixture
    def subscription(self, classroom, grace):
        grace.email = "grace@mail.example"
        grace.save()
        set_subscription(grace, classroom, wanted=True)
        ReportSubscription.objects.update(mailed_week=datetime(2026, 11, 16, tzinfo=UTC).date())
        return ReportSubscription.objects.get()

    def test_it_is_ordered_once_a_week_from_monday_morning(self, subscription):
        for at, week in ((self.MONDAY - timedelta(hours=2), 16), (self.MONDAY, 23), (self.MONDAY, 23)):
            order_summaries(at=at)
            subscription.refresh_from_db()
            assert subscription.mailed_week.day == week

    def test_it_has_the_figures_a_link_and_no_names(self, client, classroom, subscription):
        monday = week_of(timezone.localdate()).first
        mail_summary.func(subscription.pk, monday.isoformat())
        [letter] = mail.outbox
        assert letter.to == ["grace@mail.example"]
        assert "Answers: 3 (before: 1)" in letter.body
        assert "Ada" not in letter.body
        stop = letter.body.rpartition("/reports/stop/")[2].split("/")[0]
        client.get(f"/reports/stop/{stop}/")
        assert ReportSubscription.objects.exists()
        assert "turned off" in client.post(f"/reports/stop/{stop}/").text
        assert not ReportSubscription.objects.exists()

    def test_ex_teacher_gets_none(self, classroom, grace, subscription):
        leave_class(grace, "4b")
        mail_summary.func(subscription.pk, week_of(timezone.localdate()).first.isoformat())
        assert mail.outbox == []

    def test_address_is_needed_to_subscribe(self, client, classroom, grace):
        client.force_login(grace)
        assert "Add an email address" in client.post("/teach/4b/reports/mail/", {"action": "on"}, follow=True).text
        assert not ReportSubscription.objects.exists()
