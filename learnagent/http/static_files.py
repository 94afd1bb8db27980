"""Static files as the browser asks for them: each text packed once, where it is first seen, with no step to build it."""

import gzip
import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from wsgiref.headers import Headers

from django.conf import settings
from servestatic.middleware import ServeStaticMiddleware
from servestatic.responders import StaticFile

COMPRESSED_TYPES = {".css", ".js", ".svg", ".json"}
MIN_COMPRESSED_BYTES = 512
"""Smaller files are not compressed: the headers would cost more than it saves."""


class CompressedStaticMiddleware(ServeStaticMiddleware):
    """Serves the finders' files, and to browsers that can unpack it a packed copy from the data folder."""

    def get_static_file(
        self, path: str, url: str, stat_cache: Mapping[str, os.stat_result] | None = None
    ) -> StaticFile:
        seen = stat_cache[path] if stat_cache else os.stat(path)
        headers = Headers([])
        self.add_mime_headers(headers, path, url)
        self.add_cache_headers(headers, path, url)
        encodings = {}
        if Path(path).suffix in COMPRESSED_TYPES and seen.st_size >= MIN_COMPRESSED_BYTES:
            encodings["gzip"] = str(compressed_copy(Path(path), seen))
        return StaticFile(path, headers.items(), encodings=encodings)


def compressed_copy(source: Path, seen: os.stat_result) -> Path:
    """Return the packed copy of a file, made now unless there is one of this very state of it."""
    state = sha256(f"{source}|{seen.st_mtime_ns}|{seen.st_size}".encode()).hexdigest()[:24]
    copy = Path(settings.STATIC_ROOT, f"{state}.gz")
    if not copy.exists():
        copy.parent.mkdir(parents=True, exist_ok=True)
        # Written beside and moved: several processes of one data folder may start at once.
        beside = copy.with_suffix(f".{os.getpid()}")
        beside.write_bytes(gzip.compress(source.read_bytes(), mtime=0))
        beside.replace(copy)
    return copy
