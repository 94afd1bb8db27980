"""`doctor` on the school's services: whether the record store and each platform answer."""

import pytest

from learnagent.operations.school_services_examination import examine_school_services
from tests.tutoring.xapi.record_store import KEY, SECRET, record_store

pytestmark = pytest.mark.django_db


def found():
    return {finding.part: (finding.works, finding.says) for finding in examine_school_services()}


def test_what_is_not_set_up_is_told(settings):
    settings.XAPI_ENDPOINT = ""
    assert found() == {
        "record store": (True, "not set up: XAPI_ENDPOINT is not set"),
        "learning platforms": (True, "none is registered"),
    }


def test_what_answers_works_and_what_does_not_breaks_nothing(settings, lms, registered):
    with record_store() as store:
        settings.XAPI_ENDPOINT, settings.XAPI_KEY, settings.XAPI_SECRET = store.url, KEY, SECRET
        works = found()
    assert [each for each, _says in works.values()] == [True, True]
    assert "publishes keys: 1" in works['platform "Moodle"'][1]
    lms.behavior["/keys"] = 500
    away = found()
    assert "ConnectError" in away["record store"][1]
    assert "status 500" in away['platform "Moodle"'][1]
    assert not any(finding.needed for finding in examine_school_services())
