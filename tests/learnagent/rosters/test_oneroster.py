"""OneRoster files: what is read of them, what is refused, and that importing them again updates."""

import io
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from learnagent.rosters.imports import import_rosters, preview
from learnagent.rosters.oneroster import MAX_UNPACKED, read_school
from learnagent.rosters.tables import UnreadableRoster
from learnagent.rosters.uploads import NEW_CLASS, guess_targets, read_upload
from tests.learnagent.rosters.roster_helpers import ENROLLMENTS, MANIFEST, USERS, import_names, zipped
from tests.people import make_person
from tests.tutoring.class_helpers import make_class
from tutoring.classes import membership
from tutoring.models import Classroom, RosterAccount


def test_it_reads_classes_with_their_pupils():
    fours, fives = read_school(zipped())
    assert (fours.title, [row.name for row in fours.rows], fours.teachers) == (
        "Maths 4",
        ["Mia Huber", "Luca Rossi"],
        1,
    )
    assert [(row.source_id, row.username) for row in fives.rows] == [("u1", "mia.h")]


def test_it_reads_what_is_to_be_deleted():
    users = USERS.replace("u2,,", "u2,tobedeleted,")
    enrollments = ENROLLMENTS.replace("e1,,", "e1,tobedeleted,")
    fours, fives = read_school(zipped(users=users, enrollments=enrollments))
    assert [row.is_deleted for row in (*fours.rows, *fives.rows)] == [True, True, False]


def test_disabled_users_are_left_out():
    fours, _ = read_school(zipped(users=USERS.replace("u2,,true", "u2,,false")))
    assert [row.problem for row in fours.rows] == ["", "users.csv says that this user is disabled."]


def test_an_enrollment_of_nobody_is_left_out_with_its_reason():
    fours, _ = read_school(zipped(enrollments=ENROLLMENTS + "e9,,c1,u9,student\n"))
    assert "no user u9" in fours.rows[-1].problem


def bomb():
    data = io.BytesIO()
    with ZipFile(data, "w", ZIP_DEFLATED) as archive:
        archive.writestr("manifest.csv", MANIFEST)
        archive.writestr("users.csv", b"0" * (MAX_UNPACKED + 1))
    return data.getvalue()


def many_files():
    data = io.BytesIO()
    with ZipFile(data, "w") as archive:
        for number in range(60):
            archive.writestr(f"{number}.csv", "")
    return data.getvalue()


def spreadsheet():
    data = io.BytesIO()
    with ZipFile(data, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
    return data.getvalue()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (zipped(users=None), "users.csv is missing"),
        (zipped(users="sourcedId,givenName\nu1,Mia\n"), "no column familyName, username"),
        (zipped(users=" "), "users.csv is empty"),
        (zipped(manifest="propertyName,value\noneroster.version,2.0\n"), "OneRoster 1.1"),
        (zipped(manifest=MANIFEST.replace("users,bulk", "users,absent")), "users.csv is absent"),
        (zipped(classes="sourcedId,title\n"), "no classes"),
        (zipped()[:300], "damaged"),
        (bomb(), "too large"),
        (many_files(), "more than 50 files"),
        (spreadsheet(), "spreadsheet"),
    ],
)
def test_it_says_what_is_wrong_with_a_file(data, reason):
    with pytest.raises(UnreadableRoster, match=reason):
        read_school(data)


@pytest.mark.django_db
class TestImporting:
    @pytest.fixture
    def classroom(self, grace):
        return make_class(grace)

    def run(self, teacher, data, **targets):
        upload = read_upload(data, age_band="child")
        upload.targets = targets
        shown = [[each.action.value for each in plan.rows] for plan in preview(teacher, upload.rosters("4b"))]
        done = import_rosters(teacher, upload.rosters("4b"), age_band="child")
        assert shown == [[each.action.value for each in plan.rows] for _classroom, plan in done]
        return shown

    def test_one_class_goes_here_and_the_other_becomes_a_new_one(self, classroom, grace):
        assert self.run(grace, zipped(), c1="4b", c2=NEW_CLASS) == [["new", "new"], ["add"]]
        made = Classroom.objects.get(name="Maths 5")
        assert (made.memberships.filter(role="learner").count(), made.source_id) == (1, "c2")
        assert RosterAccount.objects.count() == 2

    def test_the_second_time_it_updates_what_changed_and_removes_who_left(self, classroom, grace):
        self.run(grace, zipped(), c1="4b")
        users = USERS.replace("mia.h,Mia,Huber", "mia.m,Mia,Maier").replace("u2,,", "u2,tobedeleted,")
        upload = read_upload(zipped(users=users), age_band="child")
        classroom.refresh_from_db()
        assert guess_targets(upload.school, classroom, [classroom]) == {"c1": "4b"}
        assert self.run(grace, zipped(users=users), c1="4b") == [["update", "remove"]]
        [mia] = classroom.memberships.filter(role="learner")
        assert (mia.person.display_name, mia.person.username) == ("Mia Maier", "mia.h")
        assert self.run(grace, zipped(users=users), c1="4b") == [["same", "same"]]

    def test_the_ids_of_another_school_find_nobody(self, classroom, grace):
        self.run(grace, zipped(), c1="4b")
        henry = make_person("henry", role="teacher")
        membership.make_class(henry, "5c", code="5c")
        users = USERS.replace("mia.h", "mia.x").replace("luca.r", "")
        assert self.run(henry, zipped(users=users), c1="5c") == [["new", "new"]]
        assert self.run(henry, zipped(users=users), c1="5c") == [["same", "same"]]
        assert RosterAccount.objects.filter(source_id="u1").count() == 2

    def test_a_username_that_another_pupil_had_leads_to_nobodys_account(self, classroom, grace):
        self.run(grace, zipped(), c1="4b")
        users = USERS.replace("u1,", "u8,").replace("u2,", "u9,")
        enrollments = ENROLLMENTS.replace(",u1,", ",u8,").replace(",u2,", ",u9,")
        assert self.run(grace, zipped(users=users, enrollments=enrollments), c1="4b") == [["refused", "refused"]]

    def test_two_pupils_with_one_username_do_not_stop_the_others(self, classroom, grace):
        users = USERS.replace("luca.r", "mia.h") + "u3,,true,o1,student,noor,Noor,Aziz,\n"
        enrollments = ENROLLMENTS + "e5,,c1,u3,student\n"
        assert self.run(grace, zipped(users=users, enrollments=enrollments), c1="4b") == [["new", "duplicate", "new"]]

    def test_an_admin_finds_no_accounts_of_other_classes_by_their_ids(self, classroom, grace, root):
        self.run(grace, zipped(), c1="4b")
        membership.make_class(make_person("henry", role="teacher"), "5c", code="5c")
        users = USERS.replace("mia.h", "mia.x").replace("luca.r", "luca.x")
        assert self.run(root, zipped(users=users), c1="5c") == [["new", "new"]]

    def test_an_account_from_a_list_keeps_its_username_and_gets_the_id(self, classroom, grace):
        [place] = import_names(classroom, "Mia Huber")
        users = USERS.replace("mia.h", "mia.huber")
        assert self.run(grace, zipped(users=users), c1="4b") == [["update", "new"]]
        assert RosterAccount.objects.get(person=place.person).source_id == "u1"
