"""A pupil's monthly page for a guardian."""

from datetime import UTC, date, datetime, timedelta
from unittest.mock import patch

import pytest
from django.core import mail
from django.core.signing import TimestampSigner
from django.utils import timezone

from tests.tutoring.class_helpers import SECRET_ANSWER, SECRET_WORDS, agree, answer, make_class, talk
from tutoring.classes.membership import leave_class
from tutoring.models import AccessLog, GuardianAccess, Mastery, Membership, Policy
from tutoring.reports.guardian_mail import mail_guardian, order_guardian_mails
from tutoring.reports.periods import month_of
from tutoring.reports.signed_links import guardian_address

pytestmark = pytest.mark.django_db
EMAIL = "parent@mail.example"


@pytest.fixture
def access(ada, grace):
    """Access of Ada's guardian; Ada joined a class that had agreed to it."""
    classroom = make_class(grace)
    agree(classroom, guardians="monthly")
    Membership.objects.create(classroom=classroom, person=ada)
    answer(ada, "1/2", SECRET_ANSWER)
    talk(ada)
    Mastery.objects.update(mastered_at=timezone.now())
    return GuardianAccess.objects.create(classroom=classroom, learner=ada, email=EMAIL)


def link(access):
    address = guardian_address(access, month_of(timezone.localdate()).first)
    return "/guardian/" + address.partition("/guardian/")[2]


def test_page_tells_what_was_learned_and_nothing_else(client, access, ben):
    page = client.get(link(access)).text.partition("<main")[2].partition("</main>")[0]
    assert "What Ada learned in" in page
    assert "Newly mastered" in page
    assert page.count("<li>One half</li>") == 2
    assert "Can you explain “One half” to me, with an example?" in page
    assert not any(words in page for words in (SECRET_WORDS, "counts_shaded", "two_pieces", "%", "<form", "Ben"))


def test_every_opening_is_told_to_the_pupil(client, access, ada, grace):
    for _ in range(2):
        client.get(link(access))
    client.force_login(grace)
    client.get(link(access))
    assert list(AccessLog.objects.values_list("kind", "reader")) == [("guardian", None)] * 2 + [("guardian", grace.pk)]
    client.force_login(ada)
    assert "<bdi>Your parents or guardians</bdi>: " in client.get("/accounts/data/").text


def test_link_ends_with_the_agreement_the_membership_and_the_access(client, access, ada):
    address = link(access)
    for end in (
        lambda: agree(access.classroom, guardians="nothing"),
        lambda: leave_class(ada, "4b"),
        access.delete,
    ):
        assert client.get(address).status_code == 200
        end()
        assert client.get(address).status_code == 404
        Policy.objects.update(guardians="monthly", guardians_since=timezone.now() - timedelta(days=100))
        Membership.objects.get_or_create(classroom=access.classroom, person=ada)


def test_made_up_link_is_not_there(client, access):
    address = link(access)
    assert client.get(address.replace("/guardian/", "/guardian/9")).status_code == 404


def test_link_works_for_sixty_days(client, access):
    address = link(access)
    with patch.object(TimestampSigner, "timestamp", lambda signer: "0"):
        old = link(access)
    assert client.get(address).status_code == 200
    response = client.get(old)
    assert response.status_code == 410
    assert "Ask the teacher for a new one." in response.text


def test_who_was_in_the_class_before_has_two_weeks(client, access):
    Membership.objects.update(joined_at=timezone.now() - timedelta(days=100))
    for days, status in ((13, 404), (15, 200)):
        Policy.objects.update(guardians_since=timezone.now() - timedelta(days=days))
        assert client.get(link(access)).status_code == status


class TestTeacher:
    def test_enters_an_address_and_revokes(self, client, access, ada, grace):
        client.force_login(grace)
        address = f"/teach/4b/{ada.pk}/guardian/"
        assert client.post(address, {"email": "no address"}).status_code == 422
        client.post(address, {"email": "New@mail.example"})
        assert GuardianAccess.objects.get().email == "new@mail.example"
        before = link(access)
        client.post(address, {"action": "revoke"})
        client.post(address, {"email": EMAIL})
        assert client.get(before).status_code == 404

    def test_has_no_page_where_the_class_did_not_agree(self, client, access, ada, grace):
        agree(access.classroom, guardians="nothing")
        client.force_login(grace)
        assert client.post(f"/teach/4b/{ada.pk}/guardian/", {"email": EMAIL}).status_code == 404
        assert "Monthly page" not in client.get(f"/teach/4b/{ada.pk}/").text


class TestMail:
    FIRST = datetime(2026, 12, 1, 9, tzinfo=UTC)

    def test_it_is_ordered_once_a_month(self, access):
        for _ in range(2):
            order_guardian_mails(at=self.FIRST)
            access.refresh_from_db()
            assert access.mailed_month == date(2026, 11, 1)

    def test_it_has_links_to_the_page_and_to_stop(self, client, access):
        mail_guardian.func(access.pk, "2026-11-01")
        [letter] = mail.outbox
        assert letter.to == [EMAIL]
        page, stop = (letter.body.partition(f"/{name}/")[2].split("/")[0] for name in ("guardian", "guardian/stop"))
        assert client.get(f"/guardian/{page}/").status_code == 200
        client.get(f"/guardian/stop/{stop}/")
        assert GuardianAccess.objects.get().email == EMAIL
        client.post(f"/guardian/stop/{stop}/")
        assert GuardianAccess.objects.get().email == ""
        mail_guardian.func(access.pk, "2026-11-01")
        assert len(mail.outbox) == 1

    def test_none_is_ordered_without_agreement(self, access):
        agree(access.classroom, guardians="nothing")
        order_guardian_mails(at=self.FIRST)
        access.refresh_from_db()
        assert access.mailed_month is None
