"""Choosing what a link opens: the response that takes a teacher's choice to the platform, signed."""

import secrets
import time
from collections.abc import Sequence
from typing import Any, Final

from learnagent.lti.addresses import launch_url
from learnagent.lti.id_tokens import CONCEPT_PARAMETER, DEEP_LINKING, LTI, VERSION
from learnagent.lti.keys import sign
from learnagent.lti.models import Ticket
from tutoring.models import Concept, Course

LIFETIME_S: Final = 300
BEST_SCORE: Final = 100


def concept_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return each course's title with its current concepts, as `course/concept` and title."""
    return [
        (course.title, [(f"{course.slug}/{each.id}", each.title) for each in course.catalogue().taught])
        for course in Course.objects.listed()
    ]


def signed_response(ticket: Ticket, concepts: Sequence[Concept]) -> str:
    """Return the token that tells the platform which links to make; without concepts, none."""
    platform, asked = ticket.account.platform, ticket.deep_linking
    now = int(time.time())
    claims: dict[str, Any] = {
        "iss": platform.client_id,
        "aud": platform.issuer,
        "iat": now,
        "exp": now + LIFETIME_S,
        "nonce": secrets.token_urlsafe(16),
        f"{LTI}message_type": "LtiDeepLinkingResponse",
        f"{LTI}version": VERSION,
        f"{LTI}deployment_id": asked["deployment"],
        f"{DEEP_LINKING}content_items": [_item(each, with_grade=asked["takes_grades"]) for each in concepts],
    }
    if asked["data"] is not None:
        claims[f"{DEEP_LINKING}data"] = asked["data"]
    return sign(claims)


def _item(concept: Concept, *, with_grade: bool) -> dict[str, Any]:
    name = f"{concept.course.slug}/{concept.slug}"
    item = {
        "type": "ltiResourceLink",
        "title": concept.title,
        "text": concept.value().summary,
        "url": launch_url(),
        "custom": {CONCEPT_PARAMETER: name},
    }
    grade = {"label": concept.title, "scoreMaximum": BEST_SCORE, "resourceId": name, "tag": "mastery"}
    return item | ({"lineItem": grade} if with_grade else {})
