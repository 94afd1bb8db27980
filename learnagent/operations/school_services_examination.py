"""Whether the school's own services answer: the record store, and the keys of each learning platform."""

import json
from collections.abc import Iterator
from urllib.parse import urlsplit

from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import DatabaseError, InterfaceError

from learnagent.lti.models import Platform
from learnagent.lti.platform_requests import PlatformUnreachable, get_json
from learnagent.operations.doctor import Finding
from tutoring.xapi import recording, store


def examine_school_services() -> Iterator[Finding]:
    """Yield a finding for the record store, and one for each learning platform that is turned on."""
    yield _record_store()
    try:
        platforms = list(Platform.objects.filter(is_active=True))
    except (DatabaseError, InterfaceError):
        return  # The finding about the database says what is wrong.
    if not platforms:
        yield Finding(part="learning platforms", works=True, says="none is registered")
    for platform in platforms:
        yield _platform(platform)


def _record_store() -> Finding:
    part = "record store"
    if not recording.is_set_up():
        return Finding(part=part, works=True, says="not set up: XAPI_ENDPOINT is not set")
    host = urlsplit(settings.XAPI_ENDPOINT).netloc
    status, says = async_to_sync(store.about)()
    if status == 200:
        return Finding(part=part, works=True, says=f"{host} answers")
    return Finding(part=part, works=False, needed=False, says=f"{host}: {says} (see XAPI_ENDPOINT)")


def _platform(platform: Platform) -> Finding:
    part, host = f"platform {json.dumps(platform.name, ensure_ascii=False)}", urlsplit(platform.jwks_url).netloc
    try:
        read = get_json(platform, platform.jwks_url)
    except PlatformUnreachable as failure:
        return Finding(part=part, works=False, needed=False, says=f"{host}: {failure} (see its key address)")
    keys = read.get("keys") if isinstance(read, dict) else None
    if not isinstance(keys, list) or not keys:
        return Finding(part=part, works=False, needed=False, says=f"{host}: no keys (see its key address)")
    return Finding(part=part, works=True, says=f"{host} publishes keys: {len(keys)}")
