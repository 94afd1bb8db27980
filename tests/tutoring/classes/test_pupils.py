"""The people of a class for its teachers: the list, groups, moves, and teachers who share a class."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.people import make_person
from tests.tutoring.class_helpers import agree, make_class
from tests.tutoring.small_course import ask
from tutoring.classes import co_teachers, groups, membership, moves, pupils
from tutoring.models import ClassGroup, CoTeacherInvite, Membership, RosterAccount

pytestmark = pytest.mark.django_db
PUPILS = "/teach/4b/pupils/"
CHANGE = f"{PUPILS}change/"


@pytest.fixture
def classroom(grace, ada, ben):
    return make_class(grace, ada, ben)


@pytest.fixture
def teaching(client, grace, classroom):
    client.force_login(grace)
    return client


def page(client, address=PUPILS):
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def names(classroom, search=""):
    return [one.name for one in pupils.pupil_page(classroom, search=search)[1]]


class TestList:
    def test_it_lists_pupils_by_the_name_that_is_shown(self, classroom):
        membership.join_class(make_person("zed", display_name="adam"), "4b")
        membership.join_class(make_person("bea"), "4b")
        assert names(classroom) == ["Ada", "adam", "bea", "Ben"]

    @pytest.mark.parametrize(
        ("search", "found"), [("AD", ["Ada"]), ("ben", ["Ben"]), ("x", []), ("\x00", ["Ada", "Ben"])]
    )
    def test_it_finds_by_name_and_username(self, classroom, search, found):
        assert names(classroom, search) == found

    def test_last_activity_is_shown_only_if_the_class_shows_progress(self, teaching, classroom, ada):
        ask(ada)
        assert "Last active" in page(teaching)
        [one, _] = pupils.pupil_page(classroom)[1]
        assert one.active_at is not None
        agree(classroom, mastery="nothing")
        assert "Last active" not in page(teaching)

    def test_it_takes_no_query_for_each_pupil(self, teaching, classroom):
        def queries():
            with CaptureQueriesContext(connection) as caught:
                page(teaching)
            return len(caught)

        queries()
        before = queries()
        for number in range(5):
            place = membership.join_class(make_person(f"p{number}"), "4b")
            RosterAccount.objects.create(person=place.person, classroom=classroom, name="x")
        assert queries() == before

    def test_an_empty_class_says_what_to_do(self, teaching, classroom):
        classroom.memberships.filter(role="learner").delete()
        assert "Nobody is in this class yet" in page(teaching)

    def test_pages_are_numbered(self, teaching, classroom, monkeypatch):
        monkeypatch.setattr(pupils, "ON_A_PAGE", 1)
        assert "Page 1 of 2" in page(teaching)
        assert "Ben" in page(teaching, f"{PUPILS}?page=2")
        assert "Page 2 of 2" in page(teaching, f"{PUPILS}?page=99")


class TestSeveral:
    def test_removing_is_confirmed_first(self, teaching, classroom, ada):
        sent = {"action": "remove", "person": ada.pk}
        assert "Remove 1 pupil from 4b?" in teaching.post(CHANGE, sent).content.decode()
        assert names(classroom) == ["Ada", "Ben"]
        teaching.post(CHANGE, sent | {"confirmed": "yes"})
        assert names(classroom) == ["Ben"]

    def test_strangers_and_teachers_are_not_among_those_chosen(self, teaching, classroom, grace, eve):
        for person in (grace, eve):
            response = teaching.post(CHANGE, {"action": "remove", "confirmed": "yes", "person": person.pk})
            assert response["Location"] == PUPILS
        assert classroom.memberships.count() == 3

    @pytest.mark.parametrize("person", ["x", "9" * 5000, "-1", ""])
    def test_keys_that_are_none_are_nobody(self, teaching, person):
        assert teaching.post(CHANGE, {"action": "remove", "person": person})["Location"] == PUPILS

    def test_they_are_put_in_a_group_of_this_class_only(self, teaching, classroom, grace, ada, ben):
        blue = groups.make_group(classroom, "Blue")
        foreign = groups.make_group(membership.make_class(grace, "5c", code="5c"), "Red")
        sent = {"action": "group", "person": [ada.pk, ben.pk]}
        for _ in range(2):
            teaching.post(CHANGE, sent | {"group": blue.pk})
        assert blue.members.count() == 2
        assert teaching.post(CHANGE, sent | {"group": foreign.pk}).status_code == 404

    def test_they_are_moved_to_an_own_class_only_and_after_a_question(self, teaching, classroom, grace, ada):
        membership.make_class(make_person("henry", role="teacher"), "6d", code="6d")
        target = membership.make_class(grace, "5c", code="5c")
        sent = {"action": "move", "person": ada.pk}
        assert "Move 1 pupil to 5c?" in teaching.post(CHANGE, sent | {"target": "5c"}).content.decode()
        sent["confirmed"] = "yes"
        for code in ("6d", "4b", "never", "a\x00b"):
            assert teaching.post(CHANGE, sent | {"target": code})["Location"] == PUPILS
        assert (names(classroom), names(target)) == (["Ada", "Ben"], [])
        teaching.post(CHANGE, sent | {"target": "5c"})
        assert (names(classroom), names(target)) == (["Ben"], ["Ada"])


class TestMoving:
    @pytest.fixture
    def target(self, grace):
        return membership.make_class(grace, "5c", code="5c")

    def places(self, classroom):
        return list(pupils.pupils_of(classroom))

    @pytest.mark.parametrize(
        "more", [{"conversations": "everything"}, {"mastery": "evidence"}, {"concerns": "teacher"}]
    )
    def test_who_agreed_to_less_stays(self, classroom, target, more):
        agree(classroom, mastery="levels", concerns="nobody")
        agree(target, **({"mastery": "nothing", "concerns": "nobody"} | more))
        done = moves.move_pupils(self.places(classroom), target)
        assert (done.moved, len(done.staying)) == ((), 2)
        assert names(target) == []

    def test_an_account_from_a_roster_goes_with_its_pupil(self, classroom, target, ada):
        RosterAccount.objects.create(person=ada, classroom=classroom, name="Ada")
        agree(target, conversations="everything")
        done = moves.move_pupils(self.places(classroom), target)
        assert [str(place.person) for place in done.moved] == ["Ada"]
        assert RosterAccount.objects.get().classroom == target

    def test_what_was_said_before_stays_with_the_pupil(self, classroom, target, ada):
        agree(classroom, conversations="everything")
        agree(target, conversations="everything")
        Membership.objects.update(joined_at=timezone.now() - timedelta(days=9))
        moves.move_pupils(self.places(classroom), target)
        place = target.memberships.get(person=ada)
        assert target.policy.readable_since(place.joined_at) > timezone.now() - timedelta(minutes=1)


class TestGroups:
    def test_a_group_is_made_filled_renamed_and_deleted(self, teaching, classroom, ada, ben):
        address = teaching.post(f"{PUPILS}groups/", {"name": "Blue"})["Location"]
        teaching.post(address, {"name": "Green", "person": [ada.pk]})
        group = ClassGroup.objects.get()
        assert (group.name, [place.person for place in group.members.all()]) == ("Green", [ada])
        assert " checked" in page(teaching, address)
        teaching.post(address, {"name": "Green", "person": [ben.pk]})
        assert [place.person for place in group.members.all()] == [ben]
        teaching.post(f"{address}delete/")
        assert not ClassGroup.objects.exists()
        assert names(classroom) == ["Ada", "Ben"]

    @pytest.mark.parametrize("name", ["", "x" * 121, "a\x00b", "BLUE"])
    def test_an_unfit_name_changes_nothing_and_stays_on_the_page(self, teaching, classroom, name):
        groups.make_group(classroom, "Blue")
        red = groups.make_group(classroom, "Red")
        assert teaching.post(f"{PUPILS}groups/", {"name": name}).status_code == 422
        assert teaching.post(f"{PUPILS}groups/{red.pk}/", {"name": name}).status_code == 422
        assert sorted(classroom.groups.values_list("name", flat=True)) == ["Blue", "Red"]

    def test_there_are_not_too_many(self, classroom, monkeypatch):
        monkeypatch.setattr(groups, "MAX_GROUPS", 1)
        groups.make_group(classroom, "Blue")
        with pytest.raises(groups.TooManyGroups):
            groups.make_group(classroom, "Red")

    def test_somebody_of_another_class_gets_into_none(self, classroom, eve):
        group = groups.make_group(classroom, "Blue")
        groups.set_members(group, {eve.pk}, among=pupils.pupils_of(classroom))
        assert not group.members.exists()


class TestCoTeachers:
    @pytest.fixture
    def henry(self, db):
        return make_person("henry", role="teacher", display_name="Henry")

    def teachers(self, classroom):
        return {place.person.username for place in classroom.memberships.filter(role="teacher")}

    def test_a_teacher_is_added_by_username(self, teaching, classroom, henry):
        teaching.post(f"{PUPILS}teachers/", {"username": " henry "})
        assert self.teachers(classroom) == {"grace", "henry"}

    @pytest.mark.parametrize("username", ["nobody", "ada", "eve", "a\x00b"])
    def test_who_teaches_nobody_is_as_unknown_as_nobody(self, teaching, classroom, eve, username):
        response = teaching.post(f"{PUPILS}teachers/", {"username": username})
        assert response.status_code == 422
        assert self.teachers(classroom) == {"grace"}
        if "\x00" not in username:
            assert "No teacher has this username" in response.content.decode()

    def invitation(self, teaching):
        text = teaching.post(f"{PUPILS}teachers/invite/").content.decode()
        return "/co-teach/" + text.partition("/co-teach/")[2].partition('"')[0]

    def test_a_link_is_used_once_by_somebody_who_teaches(self, teaching, classroom, henry, eve, client):
        address = self.invitation(teaching)
        assert address.split("/")[2] not in str(CoTeacherInvite.objects.values().get())
        client.force_login(eve)
        assert client.post(address).status_code == 404
        client.force_login(henry)
        assert "Teach 4b together" in page(client, address)
        assert self.teachers(classroom) == {"grace"}
        assert client.post(address)["Location"] == "/teach/4b/"
        assert self.teachers(classroom) == {"grace", "henry"}
        client.force_login(make_person("iris", role="teacher"))
        assert client.post(address).status_code == 404

    def test_a_link_ends(self, teaching, henry, client):
        address = self.invitation(teaching)
        CoTeacherInvite.objects.update(expires_at=timezone.now())
        client.force_login(henry)
        assert [client.get(address).status_code, client.post(address).status_code] == [404, 404]

    def test_the_last_teacher_stays(self, teaching, classroom, grace, henry):
        address = f"{PUPILS}teachers/%d/remove/"
        teaching.post(address % grace.pk)
        assert self.teachers(classroom) == {"grace"}
        co_teachers.add_teacher(classroom, "henry")
        assert teaching.post(address % grace.pk)["Location"] == "/teach/"
        assert self.teachers(classroom) == {"henry"}
        assert teaching.get(PUPILS).status_code == 404

    def test_pupils_are_no_teachers_to_remove(self, teaching, classroom, ada, henry):
        co_teachers.add_teacher(classroom, "henry")
        assert teaching.post(f"{PUPILS}teachers/{ada.pk}/remove/").status_code == 404
        assert names(classroom) == ["Ada", "Ben"]

    def test_who_learns_in_the_class_does_not_teach_it(self, teaching, classroom, henry, client):
        membership.join_class(henry, "4b")
        address = self.invitation(teaching)
        assert teaching.post(f"{PUPILS}teachers/", {"username": "henry"}).status_code == 422
        client.force_login(henry)
        assert client.post(address)["Location"] == "/accounts/classes/"
        assert CoTeacherInvite.objects.exists()
