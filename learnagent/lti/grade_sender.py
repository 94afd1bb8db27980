"""Sends one score to a platform, by its Assignment and Grade Services."""

import json
import time
import uuid
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from django.core.cache import cache

from learnagent.lti.keys import sign
from learnagent.lti.models import SCORE_SCOPE, Grade, Platform
from learnagent.lti.platform_requests import PlatformUnreachable, post_form, send_request

ASSERTION: Final = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
ASSERTION_S: Final = 300
SCORE_TYPE: Final = "application/vnd.ims.lis.v1.score+json"
BEST_SCORE: Final = 100
TOKEN_MARGIN_S: Final = 60
RETRIED: Final = frozenset({401, 403, 408, 425, 429})
"""Refusals that may pass by themselves; 403 is also how platforms refuse while an admin sets them up."""
KNOWN_ALREADY: Final = 409
"""The platform has a score of this time or later: this one was sent before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of an attempt; `says` is for admins."""

    is_accepted: bool
    is_final: bool = False
    says: str


def post_score(grade: Grade) -> Outcome:
    """Send the score and return what became of it."""
    platform = grade.account.platform
    try:
        headers = {"Authorization": f"Bearer {_access_token(platform)}", "Content-Type": SCORE_TYPE}
        content = json.dumps(_score(grade)).encode()
        answer = send_request(platform, "POST", scores_address(grade.link.line_item), headers=headers, content=content)
    except PlatformUnreachable as failure:
        return Outcome(is_accepted=False, says=str(failure))
    if 200 <= answer.status < 300 or answer.status == KNOWN_ALREADY:
        return Outcome(is_accepted=True, says=str(answer.status))
    if answer.status == 401:
        cache.delete(_token_place(platform))
    is_final = 300 <= answer.status < 500 and answer.status not in RETRIED
    return Outcome(is_accepted=False, is_final=is_final, says=str(answer.status))


def scores_address(line_item: str) -> str:
    """Return where a line item's scores are sent: its path with /scores, before a query."""
    parts = urlsplit(line_item)
    return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/scores"))


def _score(grade: Grade) -> dict[str, Any]:
    assert grade.scored_at is not None
    return {
        "userId": grade.account.subject,
        "scoreGiven": grade.score,
        "scoreMaximum": BEST_SCORE,
        "activityProgress": "Completed" if grade.is_mastered else "InProgress",
        # Platforms show nothing of a score that is less than this.
        "gradingProgress": "FullyGraded",
        # The same at each attempt, so that the platform counts the score once.
        "timestamp": grade.scored_at.isoformat(timespec="milliseconds"),
    }


def _access_token(platform: Platform) -> str:
    """Return a token for scores, kept for as long as the platform says. Raises PlatformUnreachable."""
    known: str | None = cache.get(_token_place(platform))
    if known:
        return known
    now = int(time.time())
    assertion = sign(
        {
            "iss": platform.client_id,
            "sub": platform.client_id,
            "aud": platform.token_url,
            "iat": now,
            "exp": now + ASSERTION_S,
            "jti": uuid.uuid4().hex,
        }
    )
    asked = {
        "grant_type": "client_credentials",
        "client_assertion_type": ASSERTION,
        "client_assertion": assertion,
        "scope": SCORE_SCOPE,
    }
    answer = post_form(platform, platform.token_url, asked)
    given = answer.json if answer.status == 200 else {}
    token = given.get("access_token") if isinstance(given, dict) else None
    if not isinstance(token, str) or not token.isascii() or not token.isprintable():
        raise PlatformUnreachable(f"no access token (status {answer.status})")
    life = given.get("expires_in")
    if isinstance(life, int) and life > TOKEN_MARGIN_S:
        cache.set(_token_place(platform), token, life - TOKEN_MARGIN_S)
    return token


def _token_place(platform: Platform) -> str:
    return f"lti-token:{platform.pk}"
