"""Forms larger than any page sends are refused before they are read (B9)."""

import io

from django.test import Client

SIGN_IN = "/accounts/sign-in/"
FORM = "application/x-www-form-urlencoded"


def test_two_thousand_fields_are_refused(db):
    """B9"""
    answer = Client().post(SIGN_IN, {f"field{number}": "1" for number in range(2000)})
    assert answer.status_code == 400


def test_too_many_files_are_refused_with_the_limit(db, settings):
    """B9"""
    files = [io.BytesIO(b"x") for _number in range(settings.DATA_UPLOAD_MAX_NUMBER_FILES + 1)]
    answer = Client().post(SIGN_IN, {"upload": files})
    assert answer.status_code == 400
    assert "You can send up to 200 files at once." in answer.content.decode()


def test_form_of_three_megabytes_is_too_large(db):
    """B9"""
    answer = Client().post(SIGN_IN, f"username={'x' * 3_000_000}", content_type=FORM)
    assert answer.status_code == 413


def test_body_shorter_than_it_claims_is_no_crash(db):
    """B9"""
    answer = Client().post(SIGN_IN, "username=a", content_type=FORM, headers={"Content-Length": "5"})
    assert answer.status_code in (400, 422)
