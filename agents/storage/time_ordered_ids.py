"""Primary keys that grow with time (UUID version 7, RFC 9562 5.7).

Rows written at about the same time are neighbours in an index. With random keys, each turn's rows change pages of
their own, and every commit writes all of these.
"""

import secrets
import time
import uuid

_VERSION, _VARIANT = 7, 0b10


def new_time_ordered_id() -> uuid.UUID:
    """Return 48 bits of milliseconds since 1970 and 74 random bits. Ids of the same millisecond are in no order."""
    milliseconds = time.time_ns() // 1_000_000
    high = milliseconds << 16 | _VERSION << 12 | secrets.randbits(12)
    return uuid.UUID(int=high << 64 | _VARIANT << 62 | secrets.randbits(62))
