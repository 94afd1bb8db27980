"""Sign-in cards: who gets one, what it opens, when it ends; and that nobody else's account can be taken over."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from learnagent.accounts.authentication.sign_in_cards import make_codes, place_for_card, use_card
from learnagent.accounts.authentication.sign_in_links import use_link
from learnagent.accounts.models import Person, SignInLink
from learnagent.accounts.views import cards
from tests.learnagent.rosters.roster_helpers import import_names, import_text
from tests.people import make_person
from tests.tutoring.class_helpers import agree, make_class
from tutoring.classes import membership
from tutoring.classes.co_teachers import add_teacher
from tutoring.classes.moves import move_pupils

pytestmark = pytest.mark.django_db
PASSWORD = {"password": "seven tall trees", "again": "seven tall trees"}


@pytest.fixture(autouse=True)
def _cheap_passwords(settings):
    settings.PASSWORD_HASHERS = ["tests.learnagent.accounts.counting_hasher.CountingHasher"]


@pytest.fixture
def classroom(grace):
    return make_class(grace)


@pytest.fixture
def mia(classroom):
    [place] = import_names(classroom, "Mia Huber")
    return place.person


@pytest.fixture
def teaching(client, grace):
    client.force_login(grace)
    return client


def code_for(person):
    codes, _ = make_codes([person])
    return codes[person.pk]


def printed(client, code="4b", **chosen):
    return client.post(f"/teach/{code}/pupils/cards/", chosen)


def test_a_pupil_chooses_a_password_and_comes_back_with_it(mia, client):
    code = code_for(mia)
    page = client.get(f"/card/{code}/").content.decode()
    assert "Hello Mia Huber" in page
    assert "mia.huber" in page
    assert "Your teacher can see your progress" in page
    assert client.post(f"/card/{code}/", PASSWORD)["Location"] == "/"
    assert client.session["_auth_user_id"] == str(mia.pk)
    another_day = Client()
    assert another_day.post("/accounts/sign-in/", {"username": "mia.huber", **PASSWORD}).status_code == 302
    assert Client().get(f"/card/{code}/").status_code == 404
    assert "they can print a new sign-in card for you" in client.get("/accounts/classes/").content.decode()


def test_without_a_password_a_card_signs_nobody_in_and_is_not_used_up(mia, client):
    code = code_for(mia)
    for sent in ({}, {"password": "short", "again": "short"}, PASSWORD | {"again": "other"}):
        assert client.post(f"/card/{code}/", sent).status_code == 422
    assert "_auth_user_id" not in client.session
    assert use_link(code) is None
    assert place_for_card(code) is not None


@pytest.mark.parametrize("write", [str.upper, lambda code: code.replace("-", " "), lambda code: code.replace("-", "")])
def test_a_code_can_be_typed_in_several_ways(mia, client, write):
    code = code_for(mia)
    assert client.get("/card/", {"code": write(code)})["Location"] == f"/card/{code}/"
    assert place_for_card(write(code)) is not None


@pytest.mark.parametrize("typed", ["", "abcd", "0000-0000-0000", "x" * 500, "abcd-efgh-jkm\x00"])
def test_what_is_no_code_is_said_to_be_none(client, typed):
    assert client.get("/card/", {"code": typed}).status_code == 422
    assert client.get("/card/abcd-efgh-jkmn/").status_code == 404


def test_guessing_codes_is_stopped(mia, client, monkeypatch):
    monkeypatch.setattr(cards, "CODES_FROM", replace(cards.CODES_FROM, limit=2))
    code = code_for(mia)
    assert [client.get(f"/card/{code}/").status_code for _ in range(3)] == [200] * 3
    tries = [client.get("/card/abcd-efgh-jkmn/").status_code for _ in range(3)]
    assert tries == [404, 404, 429]
    assert client.post(f"/card/{code}/", PASSWORD).status_code == 429


def test_new_cards_withdraw_old_ones_and_old_passwords_last_until_then(mia, client):
    first = code_for(mia)
    client.post(f"/card/{first}/", PASSWORD)
    second, third = code_for(mia), code_for(mia)
    assert place_for_card(second) is None
    assert Client().post("/accounts/sign-in/", {"username": "mia.huber", **PASSWORD}).status_code == 302
    changed = {"password": "nine wide roads", "again": "nine wide roads"}
    assert Client().post(f"/card/{third}/", changed).status_code == 302
    assert client.get("/").status_code == 302  # The old sign-in has ended.
    assert Client().post("/accounts/sign-in/", {"username": "mia.huber", **PASSWORD}).status_code == 422


@pytest.mark.parametrize(
    "end",
    [
        lambda mia, classroom: SignInLink.objects.update(expires_at=timezone.now()),
        lambda mia, classroom: membership.leave_class(mia, "4b"),
        lambda mia, classroom: membership.remove_pupils(classroom, [mia.pk]),
        lambda mia, classroom: classroom.delete(),
        lambda mia, classroom: classroom.memberships.get(role="teacher").delete(),
        lambda mia, classroom: Person.objects.filter(pk=mia.pk).update(is_active=False),
        lambda mia, classroom: Person.objects.filter(pk=mia.pk).update(role="teacher"),
    ],
    ids=["expired", "left", "removed", "class deleted", "teacher gone", "closed", "no longer a pupil"],
)
def test_a_card_ends(mia, classroom, end):
    code = code_for(mia)
    end(mia, classroom)
    assert place_for_card(code) is None
    assert use_card(code, "seven tall trees") is None
    assert not Person.objects.get(pk=mia.pk).has_usable_password()


def test_who_leaves_takes_the_account_along_without_the_address_that_teachers_entered(classroom):
    import_text(classroom, "name,email\nAnna Berg,teacher@example.org")
    anna = Person.objects.get(email="teacher@example.org")
    membership.leave_class(anna, "4b")
    anna.refresh_from_db()
    assert anna.email == ""


def test_only_a_hash_is_stored_and_it_lasts_two_weeks(mia):
    code = code_for(mia)
    row = SignInLink.objects.get()
    assert code not in str(vars(row))
    assert timedelta(days=13, hours=23) < row.expires_at - timezone.now() <= timedelta(days=14)


class TestPrinting:
    def test_a_page_has_a_card_for_each_who_has_not_signed_in(self, teaching, classroom):
        import_names(classroom, "Mia", "Luca")
        response = printed(teaching, who="waiting")
        page = response.content.decode()
        assert page.count('class="sign-in-card"') == page.count("<svg viewBox") == 2
        assert "style=" not in page
        code = page.partition('class="card-code">')[2].partition("<")[0]
        assert place_for_card(code).person.username in ("mia", "luca")

    def test_only_pupils_whose_account_the_class_created_get_one(self, teaching, classroom, mia, ada):
        membership.join_class(ada, "4b")
        page = printed(teaching, person=[mia.pk, ada.pk]).content.decode()
        assert page.count('class="sign-in-card"') == 1
        assert "<bdi>Ada</bdi>" in page.partition("No cards for these pupils")[2]
        assert [link.person_id for link in SignInLink.objects.all()] == [mia.pk]

    @pytest.mark.parametrize("sent", [{}, {"person": "x"}, {"person": "9" * 5000}, {"only": "1", "start": "x"}])
    def test_without_anybody_it_says_what_to_do(self, teaching, classroom, sent):
        assert printed(teaching, **sent)["Location"] == "/teach/4b/pupils/"


class TestTakingOver:
    """No way leads a teacher to a password of somebody who created their own account."""

    def test_not_by_cards(self, teaching, classroom, ada, eve):
        membership.join_class(ada, "4b")
        for sent in ({"person": [ada.pk, eve.pk]}, {"only": ada.pk}, {"who": "waiting"}):
            assert printed(teaching, **sent).status_code == 302
        assert not SignInLink.objects.exists()

    def test_not_by_another_class(self, classroom, mia, client):
        henry = make_person("henry", role="teacher")
        membership.make_class(henry, "5c", code="5c")
        membership.join_class(mia, "5c")
        client.force_login(henry)
        assert printed(client, "5c", person=mia.pk).status_code == 302
        assert printed(client, "4b", person=mia.pk).status_code == 404
        assert not SignInLink.objects.exists()

    def test_not_by_moving_them(self, teaching, classroom, ada, grace):
        other = membership.make_class(grace, "5c", code="5c")
        assert move_pupils([membership.join_class(ada, "4b")], other).moved
        assert printed(teaching, "5c", person=ada.pk).status_code == 302
        assert not SignInLink.objects.exists()

    def test_not_by_a_card_for_somebody_who_is_not_the_classs(self, classroom, ada):
        membership.join_class(ada, "4b")
        assert use_card(code_for(ada), "seven tall trees") is None

    def test_not_after_teaching_ended(self, classroom, mia, client):
        helen = make_person("helen", role="teacher")
        add_teacher(classroom, "helen")
        client.force_login(helen)
        assert printed(client, person=mia.pk).status_code == 200
        classroom.memberships.filter(person=helen).delete()
        assert printed(client, person=mia.pk).status_code == 404


def test_the_class_list_is_safe_to_open_in_a_spreadsheet(teaching, classroom, ada):
    ada.display_name = "=cmd|' /C calc'!A0"
    ada.save()
    membership.join_class(ada, "4b")
    agree(classroom, mastery="nothing")
    assert "'=cmd|" in teaching.get("/teach/4b/pupils/export.csv").content.decode()
