"""Pages by the clock of whoever looks at them."""

from datetime import UTC, datetime

import pytest
from django.http import HttpResponse
from django.test import AsyncRequestFactory
from django.utils import timezone

from learnagent.accounts.authentication.api_tokens import make_token
from learnagent.accounts.middleware import person_settings_middleware
from learnagent.accounts.models import ApiToken

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _clock_put_back():
    yield
    timezone.deactivate()


def test_times_are_by_ones_own_clock(client, ben):
    ben.zone = "Asia/Tokyo"
    ben.save()
    make_token(ben)
    ApiToken.objects.update(last_used_at=datetime(2026, 11, 21, 20, 0, tzinfo=UTC))
    client.force_login(ben)
    assert "22 Nov 2026, 05:00" in client.get("/accounts/tokens/").content.decode()


def test_the_next_persons_clock_is_their_own(client, ben, ada):
    ben.zone = "Asia/Tokyo"
    ben.save()
    client.force_login(ben)
    client.get("/accounts/profile/")
    client.force_login(ada)
    client.get("/accounts/profile/")
    assert timezone.get_current_timezone_name() == "UTC"


def test_a_zone_this_machine_no_longer_knows_is_passed_over(client, ben):
    type(ben).objects.filter(pk=ben.pk).update(zone="Moon/Base")
    client.force_login(ben)
    assert client.get("/accounts/profile/").status_code == 200


@pytest.mark.django_db(transaction=True)
async def test_an_async_page_is_by_ones_own_clock_too(ben):
    seen = []

    async def page(request):
        seen.append(timezone.get_current_timezone_name())
        return HttpResponse()

    async def person():
        ben.zone = "Asia/Tokyo"
        return ben

    request = AsyncRequestFactory().get("/")
    request.auser = person
    await person_settings_middleware(page)(request)
    assert seen == ["Asia/Tokyo"]
