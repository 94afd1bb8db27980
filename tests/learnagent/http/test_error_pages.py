"""What is answered to requests that cannot be read: JSON to programs, a page to people."""

import pytest
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.http import Http404
from django.test import RequestFactory

from learnagent.http.error_pages import bad_request, not_found


@pytest.mark.parametrize(
    ("answer", "error", "status"),
    [(bad_request, SuspiciousOperation(), 400), (bad_request, RequestDataTooBig(), 413), (not_found, Http404(), 404)],
)
@pytest.mark.parametrize("path", ["/v2/turns", "/api/chat", "/chat", "/chat/stream", "/session/a"])
def test_program_gets_json_at_each_of_its_addresses(answer, error, status, path):
    response = answer(RequestFactory().get(path), error)
    assert (response.status_code, response["Content-Type"]) == (status, "application/json")
