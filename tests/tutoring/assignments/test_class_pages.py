"""A teacher's pages of assignments: list, form, one assignment by the class's agreement, reminders, paper."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.tutoring.assignments.helpers import DAY, assign, class_of, question_of, right, send, wrong
from tests.tutoring.class_helpers import agree
from tests.tutoring.review_helpers import load_tiny, master
from tutoring.assignments.quiz_work import start_work
from tutoring.assignments.reminders import mail_assignment
from tutoring.classes import membership
from tutoring.models import Assignment, AssignmentWork, Concept, StudySettings

pytestmark = pytest.mark.django_db


@pytest.fixture
def classroom(grace, ada, ben):
    return class_of(grace, ada, ben)


@pytest.fixture
def teaching(client, grace):
    client.force_login(grace)
    return client


def page(client, address):
    response = client.get(address, follow=True)
    assert response.status_code == 200
    return response.content.decode()


def filled(**fields):
    """What the form sends for a quiz of three questions on adding, unless told otherwise."""
    today = timezone.localdate()
    usual = {
        "kind": "quiz", "questions": 3, "audience": "all", "starts_on": today, "due_on": today + DAY, "seed": 5,
        "topics": [Concept.objects.get(slug="adding").pk], "is_evidence": "on",
    }  # fmt: skip
    return {name: value for name, value in {**usual, **fields}.items() if value is not None}


def test_form_starts_with_the_group_and_topic_of_the_address_and_not_with_those_of_others(classroom, teaching, ada):
    load_tiny()
    group = classroom.groups.create(name="Fixers")
    group.members.set(classroom.memberships.filter(person=ada))
    form = teaching.get(f"/teach/4b/assignments/new/?group={group.pk}&concept=tiny/adding")
    assert form.context["form"]["audience"].value() == "groups"
    assert form.context["form"]["groups"].value() == [str(group.pk)]
    assert form.context["form"]["topics"].value() == [str(Concept.objects.get(slug="adding").pk)]
    assert [place.person for place in form.context["preview"]] == [ada]
    other = teaching.get(f"/teach/4b/assignments/new/?group={group.pk + 1}&concept=tiny/none")
    assert other.context["form"]["audience"].value() == "all"
    assert other.context["form"]["topics"].value() is None


def create(client, **fields):
    return client.post("/teach/4b/assignments/new/", filled(**fields))


def test_list_has_due_upcoming_past_and_withdrawn(classroom, teaching, ada):
    assign(classroom, "concept", title="Due one")
    master(ada)
    assign(classroom, "reading", title="Later one", starts_at=timezone.now() + timedelta(hours=1))
    assign(classroom, "reading", title="Past one", due_at=timezone.now() - timedelta(hours=1))
    assign(classroom, "reading", title="Gone one", withdrawn_at=timezone.now())
    text = page(teaching, "/teach/4b/assignments/")
    parts = [
        text.index(each)
        for each in (
            "due-title",
            "Due one",
            "upcoming-title",
            "Later one",
            "past-title",
            "Past one",
            "withdrawn-title",
            "Gone one",
        )
    ]
    assert parts == sorted(parts)
    assert "1 of 2 done" in text


class TestForm:
    @pytest.fixture(autouse=True)
    def _course(self, classroom):
        load_tiny()

    def test_creates_what_was_chosen_with_a_title_that_says_it(self, teaching):
        assert create(teaching, score=70, gives_hints="on").status_code == 302
        made = Assignment.objects.get()
        assert (made.title, made.goal_number, made.gives_hints) == ("Adding parts: 3 questions", 70, True)
        assert made.items.count() == 3
        assert timezone.localtime(made.due_at).strftime("%H:%M") == "23:59"

    @pytest.mark.parametrize(
        ("fields", "said"),
        [
            ({"topics": []}, "Choose at least one topic."),
            ({"questions": ""}, "Enter how many questions"),
            ({"kind": "path"}, "Choose the goal of the path."),
            ({"kind": "reading"}, "Choose what your pupils should read."),
            ({"audience": "people"}, "Choose at least one pupil."),
            ({"audience": "groups"}, "Choose at least one group."),
            ({"due_on": "2020-01-01", "starts_on": "2019-12-31"}, "This time has already passed."),
            ({"due_on": "2020-01-01"}, "must be after the day"),
            ({"due_on": "soon"}, "Enter a valid date."),
        ],
    )
    def test_says_what_is_missing_and_keeps_what_was_typed(self, teaching, fields, said):
        refused = create(teaching, title="My own title", **fields)
        text = refused.content.decode()
        assert refused.status_code == 422
        assert said in text
        assert 'value="My own title"' in text
        assert not Assignment.objects.exists()

    def test_time_that_the_clocks_skip_is_refused_in_the_teachers_zone(self, teaching, grace):
        grace.zone = "Europe/Vienna"
        grace.save()
        skipped = create(teaching, due_on="2027-03-28", due_time="02:30").content.decode()
        assert "This time does not exist on that day" in skipped

    def test_learners_and_groups_of_another_class_cannot_be_chosen(self, teaching, grace, eve):
        other = membership.make_class(grace, "5c", code="5c")
        place = membership.join_class(eve, "5c")
        group = other.groups.create(name="Other")
        assert create(teaching, audience="people", people=[place.pk]).status_code == 422
        assert create(teaching, audience="groups", groups=[group.pk]).status_code == 422

    def test_preview_names_who_gets_it(self, teaching, classroom, ada):
        place = classroom.memberships.get(person=ada)
        text = page(teaching, f"/teach/4b/assignments/audience/?audience=people&people={place.pk}&people=x")
        assert "1 pupil gets it" in text
        assert "Ben" not in text
        group = classroom.groups.create(name="Fast")
        group.members.add(place)
        assert "1 pupil gets it" in page(teaching, f"/teach/4b/assignments/audience/?audience=groups&groups={group.pk}")

    def test_copy_starts_with_the_same_and_of_a_strange_class_with_nothing(self, teaching, grace, eve):
        create(teaching, title="Sheet 4")
        made = Assignment.objects.get()
        membership.make_class(grace, "5c", code="5c")
        assert 'value="Sheet 4"' in page(teaching, f"/teach/5c/assignments/new/?from={made.pk}")
        eve.role = "teacher"
        eve.save()
        membership.make_class(eve, "6d", code="6d")
        teaching.force_login(eve)
        assert "Sheet 4" not in page(teaching, f"/teach/6d/assignments/new/?from={made.pk}")

    def test_edit_keeps_the_questions_of_a_quiz_that_has_started(self, teaching, ada):
        create(teaching)
        made = Assignment.objects.get()
        question_of(made, ada)
        before = list(made.items.values_list("pk", flat=True))
        halves = Concept.objects.get(slug="halves").pk
        changed = teaching.post(f"{made.teacher_url}edit/", filled(title="New", topics=[halves], questions=9))
        assert changed.status_code == 302
        made.refresh_from_db()
        assert (made.title, made.questions) == ("New", 3)
        assert list(made.items.values_list("pk", flat=True)) == before


class TestOneAssignment:
    def test_shows_each_pupil_and_the_wrong_answers_with_who_gave_them(self, classroom, teaching, ada, client):
        quiz = assign(classroom, "quiz", "adding")
        question = question_of(quiz, ada)
        client.force_login(ada)
        send(client, quiz, 1, wrong(question))
        client.force_login(classroom.memberships.get(role="teacher").person)
        text = page(client, quiz.teacher_url)
        attempt = question.attempts.get().pk
        assert f'href="/teach/4b/{ada.pk}/tiny/adding/?from={attempt}#answer-{attempt}"' in text
        assert "0 of 1 right" in text
        assert page(client, f"/teach/4b/{ada.pk}/tiny/adding/?from={attempt}")

    @pytest.mark.parametrize(
        ("agreed", "tells", "seen", "hidden"),
        [
            ("levels", False, "1 of 2 done", "997"),
            ("nothing", True, "0 of 2 done", "1 of 2 done"),
            ("nothing", False, "does not tell you who is done", "Status"),
        ],
    )
    def test_shows_no_more_than_the_class_has_agreed(self, classroom, client, grace, ada, agreed, tells, seen, hidden):
        agree(classroom, mastery=agreed)
        quiz = assign(classroom, "quiz", "adding", tells_done=tells)
        client.force_login(ada)
        start_work(quiz, ada)
        send(client, quiz, 1, "997")
        client.force_login(grace)
        text = page(client, quiz.teacher_url)
        assert seen in text
        assert hidden not in text
        assert "Questions and answers" not in text

    def test_is_withdrawn_and_restored(self, classroom, teaching):
        given = assign(classroom, "reading")
        teaching.post(f"{given.teacher_url}change/", {"action": "withdraw"})
        given.refresh_from_db()
        assert given.withdrawn_at is not None
        teaching.post(f"{given.teacher_url}change/", {"action": "restore"})
        given.refresh_from_db()
        assert given.withdrawn_at is None

    def test_of_another_class_is_not_found_below_this_one(self, classroom, teaching, grace):
        other = membership.make_class(grace, "5c", code="5c")
        given = assign(other, "reading")
        assert teaching.get(f"/teach/4b/assignments/{given.pk}/").status_code == 404


class TestReminders:
    def remind(self, client, given):
        return client.post(
            f"{given.teacher_url}change/", {"action": "remind", "home": "1"}, follow=True
        ).content.decode()

    def test_reach_those_who_are_not_done_once_in_a_while(self, classroom, teaching, ada, ben):
        given = assign(classroom, "concept", title="Halves")
        master(ada)
        assert "Remind 1" in page(teaching, "/")
        assert "1 pupil was reminded." in self.remind(teaching, given)
        assert "nothing was sent" in self.remind(teaching, given)
        assert list(AssignmentWork.objects.values_list("learner", flat=True)) == [ben.pk]
        teaching.force_login(ben)
        assert "Your teacher sent you a reminder." in page(teaching, "/")
        teaching.post(f"/assignments/{given.pk}/", {"action": "seen"})
        assert "Your teacher sent you a reminder." not in page(teaching, "/")

    def test_do_not_tell_who_is_done_where_that_is_hidden(self, classroom, teaching):
        agree(classroom, mastery="nothing")
        assert "Everyone who is not done has been reminded." in self.remind(teaching, assign(classroom, "reading"))

    def test_are_mailed_outside_of_quiet_hours_to_those_who_want_mails(self, classroom, ada, ben, mailoutbox):
        given = assign(classroom, "reading", title="Two\nlines")
        for each, wants in ((ada, True), (ben, False)):
            each.email = f"{each.username}@mail.example"
            each.save()
            hours = {"quiet_from": 0, "quiet_until": 0}
            StudySettings.objects.create(learner=each, mails=wants, **hours)
            work = AssignmentWork.objects.create(assignment=given, learner=each)
            mail_assignment.func(work.pk)
        (letter,) = mailoutbox
        assert letter.to == ["ada@mail.example"]
        assert letter.subject.startswith("Two lines: by tomorrow")
        assert f"/assignments/{given.pk}/" in letter.body
        now = timezone.localtime().hour
        StudySettings.objects.filter(learner=ada).update(quiet_from=(now - 1) % 24, quiet_until=(now + 2) % 24)
        mail_assignment.func(AssignmentWork.objects.get(learner=ada).pk)
        assert len(mailoutbox) == 1


def test_home_names_what_is_due_this_week(classroom, teaching, ada):
    assign(classroom, "concept", title="Halves this week")
    assign(classroom, "reading", title="Far off", due_at=timezone.now() + 10 * DAY)
    text = page(teaching, "/").partition('id="due-title"')[2].partition("</section>")[0]
    assert "Halves this week" in text
    assert "0 of 2 done" in text
    assert "Far off" not in text


class TestPaper:
    def test_same_address_prints_the_same_paper_with_its_key(self, classroom, teaching):
        load_tiny()
        topic = Concept.objects.get(slug="adding").pk
        address = f"/teach/4b/paper/?topic={topic}&questions=4&seed=12&version="
        first, again, other = (
            page(teaching, address + each).partition('<article class="paper card">')[2] for each in "AAB"
        )
        sheet, key = (first.partition('<ol class="paper-answers">')[each] for each in (0, 2))
        assert first == again
        assert sheet.count("paper-line") > key.count("paper-line") == 0
        assert other.partition('id="key-title"')[0] != first.partition('id="key-title"')[0]

    def test_needs_a_topic(self, classroom, teaching):
        load_tiny()
        refused = teaching.get("/teach/4b/paper/?questions=4&seed=12&version=A")
        assert refused.status_code == 422
        assert "This field is required." in refused.content.decode()

    def test_of_an_assigned_quiz_has_its_questions(self, classroom, teaching):
        quiz = assign(classroom, "quiz", "adding")
        assert "Version B" in page(teaching, f"{quiz.teacher_url}paper/?version=B")
        assert page(teaching, f"{quiz.teacher_url}paper/").count("<li>") >= 4


class TestAnotherTry:
    @pytest.fixture
    def missed(self, classroom, client, ada):
        """A quiz that Ada finished below its goal."""
        quiz = assign(classroom, "quiz", "adding", goal_number=100)
        client.force_login(ada)
        self.answer_all(client, quiz, ada, wrong)
        return quiz

    def answer_all(self, client, quiz, person, choose):
        for number in (1, 2):
            send(client, quiz, number, choose(question_of(quiz, person, number)), key=f"{choose.__name__}{number}")

    def give(self, client, grace, quiz, person):
        client.force_login(grace)
        return client.post(f"{quiz.teacher_url}change/", {"action": "retry", "pupil": person.pk}, follow=True)

    def test_asks_new_questions_and_the_better_result_counts(self, client, missed, grace, ada):
        first = {question_of(missed, ada, number).stem for number in (1, 2)}
        client.force_login(grace)
        assert "Give Ada another try" in page(client, missed.teacher_url)
        assert "can take the quiz again" in self.give(client, grace, missed, ada).content.decode()
        client.force_login(ada)
        assert missed.title in page(client, "/")
        assert "gave you another try" in page(client, f"/assignments/{missed.pk}/")
        assert not first & {question_of(missed, ada, number).stem for number in (1, 2)}
        self.answer_all(client, missed, ada, right)
        assert "2 of 2 right" in page(client, f"/assignments/{missed.pk}/")
        client.force_login(grace)
        text = page(client, missed.teacher_url)
        assert "Tries: 0/2, 2/2. The best one counts" in text
        assert "Give Ada another try" not in text

    def test_is_not_given_to_who_is_not_done_or_reached_the_goal(self, client, missed, grace, ben):
        assert "can take the quiz again" not in self.give(client, grace, missed, ben).content.decode()
        assert not AssignmentWork.objects.filter(try_number__gt=1).exists()


def test_class_without_pupils_is_told_who_will_get_the_assignment(grace, teaching):
    given = assign(class_of(grace), "concept")
    text = page(teaching, f"/teach/4b/assignments/{given.pk}/")
    assert "No pupils have joined yet. Everybody who joins this class gets the assignment." in text
