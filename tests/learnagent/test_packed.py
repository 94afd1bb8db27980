"""Pages go out packed."""

import gzip

import pytest
from django.urls import reverse


@pytest.mark.django_db
def test_page_goes_out_packed_to_whoever_can_unpack_it(client):
    address = reverse("accounts:sign-in")
    packed = client.get(address, headers={"accept-encoding": "gzip"})
    plain = client.get(address, headers={"accept-encoding": "identity"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert gzip.decompress(packed.content)[:15] == plain.content[:15]
    assert len(packed.content) < len(plain.content)
