"""create_person, create_token and the demo people."""

import io
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from learnagent.accounts.authentication.api_tokens import person_for_token
from learnagent.accounts.demo_people import make_demo_people, sign_in_links
from learnagent.accounts.models import ApiToken, Person
from learnagent.management.commands import serve
from tests.people import PASSWORD
from tutoring.classes.membership import archive_class, make_class
from tutoring.models import Classroom, Membership

pytestmark = [pytest.mark.db, pytest.mark.django_db]


def run(monkeypatch, *arguments, typed=""):
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def create(monkeypatch):
    return lambda *arguments, typed="": run(monkeypatch, "create_person", *arguments, typed=typed)


def test_a_person_is_created(create):
    create("ben", "--role", "teacher", "--password-stdin", typed=f"{PASSWORD}\n")
    ben = Person.objects.get()
    assert (ben.username, ben.role, ben.age_band, ben.check_password(PASSWORD)) == ("ben", "teacher", "adult", True)


@pytest.mark.parametrize(
    ("arguments", "consents"),
    [
        ([], None),
        (["--age-band", "adult"], None),
        (["--age-band", "teen"], None),
        (["--consent"], True),
        (["--no-consent"], False),
    ],
)
def test_consent_is_given_by_being_named_alone(create, arguments, consents):
    create("ben", "--role", "learner", *arguments)
    person = Person.objects.get()
    assert person.consent is bool(consents)
    assert (person.consent_decided_at is None) is (consents is None)


def test_nobody_vouches_for_a_childs_consent(create):
    with pytest.raises(CommandError, match="only an adult"):
        create("kim", "--role", "learner", "--age-band", "child", "--consent")
    assert not Person.objects.exists()


def test_an_update_changes_only_what_is_named(create, ada):
    create("ada", "--role", "teacher")
    facts = Person.objects.filter(pk=ada.pk).values("age_band", "level", "display_name", "consented_at", "role").get()
    expected = {
        "age_band": "child",
        "level": "beginner",
        "display_name": "Ada",
        "consented_at": None,
        "role": "teacher",
    }
    assert facts == expected


def test_an_update_does_not_bring_consent_back(create, ben):
    create("ben", "--no-consent")
    create("ben", "--role", "learner", "--age-band", "adult")
    assert not Person.objects.get(pk=ben.pk).consent


def test_an_adult_who_turns_out_to_be_a_child_has_not_consented(create, ben):
    create("ben", "--age-band", "child")
    assert not Person.objects.get(pk=ben.pk).consent


def test_the_same_command_twice_changes_nothing(create):
    for _ in range(2):
        create("ben", "--role", "learner", "--consent", "--password-stdin", typed=f"{PASSWORD}\n")
        stored = Person.objects.values().get()
    assert Person.objects.values().get() == stored


def test_the_same_password_again_signs_nobody_out(create, client):
    create("ben", "--role", "learner", "--password-stdin", typed=f"{PASSWORD}\n")
    client.force_login(Person.objects.get())
    create("ben", "--password-stdin", typed=f"{PASSWORD}\n")
    assert client.get("/accounts/profile/").status_code == 200


@pytest.mark.parametrize(
    ("arguments", "typed", "says"),
    [
        (["ben"], "", "--role"),
        (["be n", "--role", "learner"], "", "username"),
        (["b\x00", "--role", "learner"], "", "username"),
        (["x" * 151, "--role", "learner"], "", "username"),
        (["ben", "--role", "king"], "", "king"),
        (["ben", "--role", "learner", "--age-band", "old"], "", "old"),
        (["ben", "--role", "learner", "--password-stdin"], "", "password-stdin"),
        (["ben", "--role", "admin", "--password-stdin"], "a\n", "at least 8 characters"),
        (["bernhardine", "--role", "admin", "--password-stdin"], "bernhardine\n", "too similar"),
        (["ben", "--role", "learner", "--password-stdin"], "x" * 5_000, "password-stdin"),
        (["ben", "--role", "learner", "--class", "4b"], "", "4b"),
    ],
)
def test_what_will_not_do_is_one_clear_line_and_stores_nobody(create, arguments, typed, says):
    with pytest.raises(CommandError) as caught:
        create(*arguments, typed=typed)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not Person.objects.exists()


def test_a_teacher_opens_a_class_and_learners_join_it(create):
    create("grace", "--role", "teacher", "--class", "4b")
    create("ada", "--role", "learner", "--class", "4B")
    create("ada", "--role", "learner", "--class", "4b")
    assert Classroom.objects.get().code == "4b"
    places = set(Membership.objects.values_list("person__username", "role"))
    assert places == {("grace", "teacher"), ("ada", "learner")}


def test_create_token_prints_the_token_and_nothing_else(monkeypatch, ada):
    assert person_for_token(run(monkeypatch, "create_token", "ada").removesuffix("\n")) == ada


def test_create_token_takes_scopes_and_days(monkeypatch, ada, root):
    raw = run(monkeypatch, "create_token", "root", "--scope", "read", "--scope", "admin", "--days", "7").strip()
    assert person_for_token(raw).scopes == {"read", "admin"}
    assert ApiToken.objects.get().expires_at < timezone.now() + timedelta(days=8)
    with pytest.raises(CommandError, match="not an admin"):
        run(monkeypatch, "create_token", "ada", "--scope", "admin")
    with pytest.raises(CommandError, match="--days"):
        run(monkeypatch, "create_token", "ada", "--days", "0")


def test_create_token_for_nobody_is_one_clear_line(monkeypatch):
    with pytest.raises(CommandError, match="There is no account eve"):
        run(monkeypatch, "create_token", "eve")


def test_demo_people_come_to_an_empty_house():
    facts = {p.username: SimpleNamespace(role=p.role, band=p.age_band, consent=p.consent) for p in make_demo_people()}
    assert {name: fact.role for name, fact in facts.items()} == {
        "ada": "learner", "ben": "learner", "grace": "teacher", "root": "admin",
    }  # fmt: skip
    assert (facts["ada"].band, facts["ada"].consent) == ("child", False)
    assert not any(fact.consent for fact in facts.values())


def test_class_that_cannot_be_opened_is_one_clear_line(create, grace):
    with pytest.raises(CommandError, match="letters, digits"):
        create("grace", "--class", "4 b")
    archive_class(make_class(grace, "5c", code="5c"))
    with pytest.raises(CommandError, match="archived"):
        create("grace", "--class", "5c")


def test_demo_teacher_has_a_class_with_ben_in_it():
    make_demo_people()
    places = Membership.objects.values_list("person__username", "role")
    assert set(places) == {("grace", "teacher"), ("ben", "learner")}


def test_demo_people_stay_away_where_somebody_lives(eve):
    assert make_demo_people() == []
    assert Person.objects.count() == 1


def test_every_start_gives_every_demo_person_a_fresh_link(eve):
    Person.objects.all().delete()
    make_demo_people()
    first, second = dict(sign_in_links()), dict(sign_in_links())
    assert list(first) == list(second) == list(Person.objects.order_by("pk"))
    assert not set(first.values()) & set(second.values())


def welcome():
    out = io.StringIO()
    serve.Command(stdout=out).welcome()
    return out.getvalue()


def test_start_prints_the_links_of_the_demo_people():
    assert "/accounts/link/" in welcome()
    assert Person.objects.filter(is_demo=True).count() == 4


def test_site_with_https_has_no_demo_people_and_says_how_to_begin(settings):
    settings.HAS_HTTPS = True
    assert "create_person NAME --role admin" in welcome()
    assert not Person.objects.exists()


def test_site_with_https_prints_no_links_of_demo_people_made_before(settings):
    make_demo_people()
    settings.HAS_HTTPS = True
    assert "/accounts/link/" not in welcome()


def test_a_printed_link_signs_in(client):
    make_demo_people()
    person, address = sign_in_links()[0]
    client.post("/accounts/link/" + address.split("/accounts/link/")[1])
    assert client.session["_auth_user_id"] == str(person.pk)


def test_nobody_real_gets_a_demo_link(eve):
    assert sign_in_links() == []


def test_a_flag_for_a_class_takes_in_who_is_in_it(create, monkeypatch):
    create("grace", "--role", "teacher", "--class", "4b")
    create("ada", "--role", "learner", "--class", "4b")
    create("eve", "--role", "learner")
    answers = run(
        monkeypatch, "flag", "multi_agent", "--percent", "0", "--allow", "4b", "--ask", typed="ada\ngrace\neve\n"
    )
    assert answers == "ada\tv2\ngrace\tv2\neve\tv1\n"
