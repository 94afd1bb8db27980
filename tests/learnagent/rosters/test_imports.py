"""What an import does with each row; that it does all or nothing; whom it never touches."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from learnagent.accounts.models import Person
from learnagent.rosters.imports import ClassNotOpen, import_rosters, preview
from learnagent.rosters.plans import Action
from tests.learnagent.rosters.roster_helpers import import_names, import_text, roster
from tests.people import make_person
from tests.tutoring.class_helpers import make_class
from tutoring.classes import membership
from tutoring.models import Membership, RosterAccount

pytestmark = pytest.mark.django_db


@pytest.fixture
def classroom(grace):
    return make_class(grace)


def actions(plan):
    return [each.action.value for each in plan.rows]


def planned(teacher, text, code="4b"):
    [plan] = preview(teacher, [roster(text, code)])
    return plan


def test_it_creates_accounts_without_passwords(classroom, grace):
    plan = import_text(classroom, "name,email,group,age\nMia Huber,Mia@x.example,Blue,15\nZoë Öz,,,\n")
    mia, zoe = [place.person for place in classroom.memberships.filter(role="learner").order_by("pk")]
    assert actions(plan) == ["new", "new"]
    assert (mia.username, mia.display_name, mia.email, mia.age_band) == (
        "mia.huber",
        "Mia Huber",
        "mia@x.example",
        "teen",
    )
    assert (zoe.username, zoe.age_band, zoe.role, zoe.consent) == ("zoe.oz", "child", "learner", False)
    assert not mia.has_usable_password()
    assert [group.name for group in classroom.memberships.get(person=mia).groups.all()] == ["Blue"]


def test_it_changes_nothing_the_second_time(classroom, grace):
    text = "name,username,group\nMia Huber,,Blue\nAnna Berg,anna1,\nAnna Berg,anna2,Blue\nMia Huber,,\n"
    first = import_text(classroom, text)
    before = list(Person.objects.order_by("pk").values())
    again = import_text(classroom, text)
    assert actions(first) == ["new", "new", "new", "duplicate"]
    assert actions(again) == ["same", "same", "same", "duplicate"]
    assert list(Person.objects.order_by("pk").values()) == before


def test_it_shows_the_same_usernames_before_and_after(classroom, grace):
    make_person("mia.huber")
    text = "name,email\nMia Huber,a@x.example\nMia Huber,b@x.example\nМия,\n?!a,\n王,\n"
    before, after = planned(grace, text), import_text(classroom, text)
    assert [each.username for each in before.rows] == [each.username for each in after.rows]
    assert {each.username for each in after.rows[:3]} == {"mia.huber2", "mia.huber3", "miya"}
    assert not Person.objects.filter(username="mia.huber", roster_account__isnull=False).exists()


def test_a_preview_stores_nothing(classroom, grace):
    counts = Person.objects.count(), Membership.objects.count()
    planned(grace, "name,group\nMia,Blue\n")
    assert (Person.objects.count(), Membership.objects.count(), classroom.groups.count()) == (*counts, 0)


def test_rows_that_cannot_be_imported_do_not_keep_the_others_out(classroom, grace):
    plan = import_text(classroom, "name\n=1+1\nMia\n-\n")
    assert actions(plan) == ["refused", "new", "refused"]
    assert classroom.memberships.filter(role="learner").count() == 1


def test_a_name_that_a_pupil_chose_stays_and_they_are_still_known(classroom):
    [place] = import_names(classroom, "Mia Huber")
    Person.objects.filter(pk=place.person_id).update(display_name="Mimi")
    assert actions(import_text(classroom, "name\nMia Huber\n")) == ["same"]
    assert actions(import_text(classroom, f"name,username\nMia Maier,{place.person.username}\n")) == ["update"]
    assert Person.objects.get(pk=place.person_id).display_name == "Mimi"
    assert RosterAccount.objects.get().name == "Mia Maier"


def test_whom_a_teacher_removed_comes_back_as_themselves(classroom):
    [place] = import_names(classroom, "Mia")
    membership.remove_pupils(classroom, [place.person_id])
    assert actions(import_text(classroom, "name\nMia\n")) == ["add"]
    assert RosterAccount.objects.get().person_id == place.person_id


class TestOthersAccounts:
    """Nobody who created their own account is added, renamed or marked as the class's."""

    def test_a_strangers_username_leads_to_the_class_code(self, classroom, eve):
        plan = import_text(classroom, "name,username,email\nEve,eve,eve@x.example\n")
        assert actions(plan) == ["invite"]
        assert "class code" in plan.rows[0].reason
        assert not eve.memberships.exists()
        eve.refresh_from_db()
        assert (eve.email, eve.display_name) == ("", "Eve")
        assert not RosterAccount.objects.exists()

    def test_a_pupil_who_joined_on_their_own_is_only_put_in_groups(self, classroom, ada):
        place = membership.join_class(ada, "4b")
        assert actions(import_text(classroom, "name,username,group\nAda Lovelace,ada,Blue\n")) == ["update"]
        ada.refresh_from_db()
        assert (ada.display_name, [group.name for group in place.groups.all()]) == ("Ada", ["Blue"])
        assert actions(import_text(classroom, "name\nada\n")) == ["same"]
        assert not RosterAccount.objects.exists()

    def test_an_email_address_finds_nobody_elses_account(self, classroom):
        make_person("zoe", display_name="Zoe", email="zoe@x.example")
        assert actions(import_text(classroom, "name,email\nZoe,zoe@x.example\n")) == ["new"]

    def test_teachers_and_accounts_of_other_teachers_are_refused(self, classroom, grace):
        other = membership.make_class(make_person("henry", role="teacher"), "5c", code="5c")
        [place] = import_names(other, "Mia")
        text = f"name,username\nMia,{place.person.username}\nGrace,grace\nHenry,henry\n"
        assert actions(import_text(classroom, text)) == ["invite", "refused", "refused"]

    def test_accounts_of_another_class_of_the_same_teacher_are_added(self, classroom, grace):
        other = membership.make_class(grace, "5c", code="5c")
        [place] = import_names(other, "Mia")
        assert actions(import_text(classroom, f"name,username\nMia,{place.person.username}\n")) == ["add"]
        # A namesake without a username is somebody else.
        assert actions(import_text(other, "name\nMia\n")) == ["same"]

    def test_who_leaves_takes_their_account_along(self, classroom):
        [place] = import_names(classroom, "Mia")
        membership.leave_class(place.person, "4b")
        assert not RosterAccount.objects.exists()
        assert actions(import_text(classroom, "name,username\nMia,mia\n")) == ["invite"]


def test_a_class_that_was_deleted_or_archived_meanwhile_gets_nothing(classroom, grace):
    archived, people = roster("name\nMia\n"), Person.objects.count()
    membership.archive_class(classroom)
    with pytest.raises(ClassNotOpen):
        import_rosters(grace, [archived], age_band="child")
    classroom.delete()
    with pytest.raises(ClassNotOpen):
        import_rosters(grace, [archived], age_band="child")
    assert Person.objects.count() == people


def test_nothing_is_imported_by_halves(classroom, grace):
    people = Person.objects.count()
    with pytest.raises(ClassNotOpen):
        import_rosters(grace, [roster("name\nMia\n"), roster("name\nLuca\n", "gone")], age_band="child")
    assert Person.objects.count() == people


def test_ten_thousand_rows_take_no_query_each(classroom, grace):
    def queries(number):
        text = "name,username,email,group\n" + "".join(f"Pupil {n},p{n},p{n}@x.example,Blue\n" for n in range(number))
        with CaptureQueriesContext(connection) as caught:
            plan = planned(grace, text)
        assert plan.counts[Action.NEW] == number
        return len(caught)

    few = queries(10)
    # One per 500 usernames, and one per 500 email addresses.
    assert queries(10_000) - few == 2 * 19


def test_an_import_takes_no_query_for_each_pupil(classroom, grace):
    def queries(start, number):
        text = "name,group\n" + "".join(f"Pupil {chr(97 + n)}x{start},Blue\n" for n in range(number))
        with CaptureQueriesContext(connection) as caught:
            import_text(classroom, text)
        return len(caught)

    queries(0, 2)
    assert queries(1, 20) == queries(2, 3)
