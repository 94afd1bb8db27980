"""What Schemathesis cannot know from a schema: which files are there to go with a message, what a form comes to, and that
made-up letters are no recording.
"""

import re
import uuid
from typing import Any

import schemathesis
from schemathesis.core.failures import AcceptedNegativeData
from schemathesis.openapi.checks import UnsupportedMethodResponse

MOST = 5
FIELD = re.compile(rb'form-data; (name="[^"]*"(?:; filename=)?)')


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    """Name no file where well-formed ids are made up: that they are of nothing is refused, and no schema can say so."""
    if isinstance(case.body, dict) and _are_ids(case.body.get("attachments")):
        case.body = {**case.body, "attachments": []}
    # Of a text and a recording the text counts.
    if isinstance(case.body, dict) and isinstance(case.body.get("audio_base64"), str) and case.body.get("text") is None:
        case.body = {**case.body, "text": "hello"}


@schemathesis.hook
def filter_failure(context: Any, failure: Any, case: Any, response: Any) -> bool:
    """Leave out a form that was to be refused and is right as it was sent, and a 404 for what the token may not know of.

    The form's one field is renamed first, and afterwards put back to hold a file.
    """
    if isinstance(failure, UnsupportedMethodResponse) and case.path == "/config" and response.status_code == 404:
        return False  # Without the scope `admin`, it answers as if nothing were there, whatever the method.
    sent = response.request.body
    is_one_file = isinstance(sent, bytes) and FIELD.findall(sent) == [b'name="file"; filename=']
    return not (isinstance(failure, AcceptedNegativeData) and case.path == "/v2/attachments" and is_one_file)


def _are_ids(listed: Any) -> bool:
    if not isinstance(listed, list) or len(listed) > MOST:
        return False
    try:
        return len({each: uuid.UUID(each) for each in listed}) == len(listed)
    except (ValueError, AttributeError, TypeError):
        return False
