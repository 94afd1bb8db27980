"""Uploads in a bucket that several hosts share, at a server that speaks S3."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.files.storage import storages

from agents.wire.rejections import Rejection
from conversations.library import document_files, file_store, reading_jobs
from conversations.library.deletion import delete_documents
from conversations.models import Document
from learnagent.accounts.personal_data import copies
from learnagent.configuration.storage_url import parse_storage
from learnagent.operations import doctor
from tests.conversations.library.conftest import NOTES, files_in, picture
from tests.fake_services.s3_bucket import SECRET, Bucket

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def bucket(settings: Any) -> Iterator[Bucket]:
    with Bucket() as bucket:
        settings.STORAGES = settings.STORAGES | {"files": parse_storage(bucket.url)}
        yield bucket


@pytest.fixture
def client(client, ada):
    client.raise_request_exception = False
    client.force_login(ada)
    return client


def test_file_is_kept_there_read_from_there_and_nowhere_else(ada, put, bucket, folder, client):
    document = put(ada)
    assert bucket.objects == {f"here/uploads/{document.stored_as[:2]}/{document.stored_as}": NOTES}
    assert reading_jobs.read_next() == document
    document.refresh_from_db()
    assert (document.status, document.title) == ("ready", "Halves")
    assert client.get(f"/library/{document.pk}/file").content == NOTES
    assert files_in(folder.parent) == []


def test_picture_is_written_anew_before_it_goes_there(ada, put, bucket):
    put(ada, picture("JPEG", behind=b"<script>"))
    [content] = bucket.objects.values()
    assert (content[:4], b"script" in content) == (b"RIFF", False)


def test_deleted_document_is_gone_there(ada, put, bucket, django_capture_on_commit_callbacks):
    put(ada)
    with django_capture_on_commit_callbacks(execute=True):
        delete_documents(Document.objects.all())
    assert bucket.objects == {}


def test_strays_go_in_time_and_what_has_a_row_stays(ada, put, bucket, monkeypatch):
    put(ada)
    kept = [*bucket.objects]
    bucket.objects["here/uploads/ab/abcd"] = b"x"
    document_files.remove_strays()
    assert [*bucket.objects] == kept


def test_copy_of_a_persons_data_is_kept_there_for_every_host(ada, bucket, client):
    copy = copies.request_copy(ada)
    copies.make_copy.func(str(copy.pk))
    assert [*bucket.objects] == [f"here/copies/{copy.pk}.zip"]
    assert client.get(f"/accounts/data/copy/{copy.pk}/").status_code == 200
    assert b"".join(copies.copy_chunks(copy)) == bucket.objects[f"here/copies/{copy.pk}.zip"]
    copy.delete()
    copies.remove_orphaned_copies()
    assert bucket.objects == {}


def test_file_that_is_gone_there_is_404(ada, put, bucket, client):
    document = put(ada)
    bucket.objects.clear()
    assert client.get(f"/library/{document.pk}/file").status_code == 404


def test_bucket_that_does_not_answer_is_told_and_loses_nothing(ada, put, bucket, client, caplog):
    document = put(ada)
    bucket.fails = True
    with pytest.raises(Rejection) as refused:
        put(ada, b"another")
    assert refused.value.status == 503
    assert Document.objects.get() == document
    answer = client.get(f"/library/{document.pk}/file")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    with pytest.raises(file_store.StoreUnavailable):
        document_files.content_of(document)
    assert SECRET not in caplog.text


def test_doctor_tries_it(bucket):
    assert doctor.upload_storage() == "in a bucket: a file can be stored, read and deleted"
    assert bucket.objects == {}
    bucket.fails = True
    with pytest.raises(doctor.PartBroken, match="see STORAGE_URL"):
        doctor.upload_storage()


def test_settings_are_read_from_the_address(bucket):
    options = parse_storage("s3://k%2Fy:s%40c@shelf/a/b?endpoint=https://minio:9000&region=eu")["OPTIONS"]
    assert options == {
        "bucket_name": "shelf",
        "access_key": "k/y",
        "secret_key": "s@c",
        "location": "a/b",
        "endpoint_url": "https://minio:9000",
        "region_name": "eu",
    }
    assert parse_storage("s3://shelf")["OPTIONS"] == {"bucket_name": "shelf"}
    assert type(storages["files"]).__name__ == "Bucket"


@pytest.mark.parametrize(
    "url", ["http://shelf", "s3://", "s3:///a", "s3://shelf?endpoint=minio", "s3://shelf?regoin=eu", "s3://key@shelf"]
)
def test_address_that_names_no_bucket_stops_the_start(url):
    with pytest.raises(ValueError, match=r"s3:|endpoint|region"):
        parse_storage(url)
