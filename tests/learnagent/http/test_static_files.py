"""Pages go out packed."""

import gzip

import pytest
from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse

from learnagent.http.static_files import compressed_copy


@pytest.mark.django_db
def test_page_goes_out_packed_to_whoever_can_unpack_it(client):
    address = reverse("accounts:sign-in")
    packed = client.get(address, headers={"accept-encoding": "gzip"})
    plain = client.get(address, headers={"accept-encoding": "identity"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert gzip.decompress(packed.content)[:15] == plain.content[:15]
    assert len(packed.content) < len(plain.content)


async def test_script_goes_out_packed_once_made_and_whole_to_whoever_cannot_unpack_it(async_client):
    address = static("css/base.css")
    packed = await async_client.get(address, headers={"accept-encoding": "gzip"})
    plain = await async_client.get(address, headers={"accept-encoding": "identity"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"
    body, whole = b"".join([part async for part in packed]), b"".join([part async for part in plain])
    assert gzip.decompress(body) == whole == (settings.BASE_DIR / "static/css/base.css").read_bytes()


def test_packed_copy_is_made_anew_when_the_file_changes(tmp_path, settings):
    settings.STATIC_ROOT = tmp_path / "packed"
    source = tmp_path / "words.js"
    source.write_text("one" * 400)
    first = compressed_copy(source, source.stat())
    assert compressed_copy(source, source.stat()) == first
    source.write_text("two" * 401)
    assert gzip.decompress(compressed_copy(source, source.stat()).read_bytes()) == b"two" * 401
