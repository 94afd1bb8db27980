"""Posts one message to the workflow server, signed."""

import asyncio
import hashlib
import hmac
import json
from datetime import datetime
from typing import Any, Final

import httpx2
from django.conf import settings

from agents.net.client import USER_AGENT, trusted_certificates
from tutoring.models import WebhookDelivery

TIMEOUT_S: Final = 10.0
"""For one attempt as a whole, from looking up the host to the answer's status."""


async def post_delivery(delivery: WebhookDelivery, at: datetime) -> tuple[bool, str]:
    """Return whether the server accepted the message, and its status or why there is none."""
    body = json.dumps(_message(delivery), separators=(",", ":")).encode()
    try:
        async with asyncio.timeout(TIMEOUT_S), _client() as client:
            # As a stream: the status is the answer. What the server writes below it is not read, however long it takes.
            asked = client.stream("POST", settings.N8N_WEBHOOK_URL, content=body, headers=_headers(delivery, body, at))
            async with asked as answer:
                return 200 <= answer.status_code < 300, str(answer.status_code)
    except (TimeoutError, httpx2.TimeoutException):
        return False, f"no answer within {TIMEOUT_S:.0f} s"
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        # Not its text, which can contain the address and what the server sent.
        return False, type(error).__name__


def _client() -> httpx2.AsyncClient:
    # Redirects are not followed: a message goes to the server that the operator named and to no other.
    return httpx2.AsyncClient(verify=trusted_certificates(), timeout=TIMEOUT_S, follow_redirects=False, trust_env=False)


def _message(delivery: WebhookDelivery) -> dict[str, Any]:
    made = delivery.created_at.isoformat(timespec="seconds")
    return {"id": str(delivery.pk), "kind": delivery.kind, "created_at": made, "body": delivery.body}


def _headers(delivery: WebhookDelivery, body: bytes, at: datetime) -> dict[str, str]:
    timestamp = str(int(at.timestamp()))
    return {
        "Content-Type": "application/json",
        "User-Agent": USER_AGENT,
        "Idempotency-Key": str(delivery.pk),
        "X-Learnagent-Timestamp": timestamp,
        "X-Learnagent-Signature": f"sha256={signature_of(body, timestamp=timestamp)}",
    }


def _secret() -> bytes:
    # Without a secret of its own the signature still tells two messages of different sites apart.
    given: str = settings.N8N_WEBHOOK_SECRET
    return (given or f"webhooks:{settings.SECRET_KEY}").encode()


def signature_of(body: bytes, *, timestamp: str) -> str:
    """Return the hexadecimal HMAC-SHA256 over timestamp, a dot and body, by which the server knows who sent it."""
    return hmac.new(_secret(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
