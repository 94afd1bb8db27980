"""A server that speaks as much of S3 as a store of files needs, in the test's own process."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

NAME, KEY, SECRET = "learnagent", "AKIATESTTESTTESTTEST", "a-secret-that-stands-in-no-log"
MODIFIED = "Wed, 04 Mar 2026 12:00:00 GMT"


class Bucket:
    """Its objects, and whether it answers at all: `fails` makes every answer a 503."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.calls: list[tuple[str, str]] = []
        """Method and key, in order."""
        self.fails = False
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def url(self) -> str:
        """The bucket as STORAGE_URL names it, with a prefix."""
        return f"s3://{KEY}:{SECRET}@{NAME}/here?endpoint={self.endpoint}&region=test"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def listed(self, prefix: str, delimiter: str) -> str:
        """Return the keys and the folders under a prefix, as ListObjectsV2 words them."""
        keys, folders = [], dict[str, None]()
        for key in sorted(self.objects):
            if not key.startswith(prefix):
                continue
            inner, found, _ = key.removeprefix(prefix).partition(delimiter)
            if found:
                folders[prefix + inner + delimiter] = None
            else:
                keys.append(key)
        contents = "".join(
            f"<Contents><Key>{escape(key)}</Key><Size>{len(self.objects[key])}</Size>"
            "<LastModified>2026-03-04T12:00:00.000Z</LastModified></Contents>"
            for key in keys
        )
        common = "".join(f"<CommonPrefixes><Prefix>{escape(each)}</Prefix></CommonPrefixes>" for each in folders)
        return (
            '<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
            f"<Name>{NAME}</Name><Prefix>{escape(prefix)}</Prefix><IsTruncated>false</IsTruncated>"
            f"{contents}{common}</ListBucketResult>"
        )

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        bucket = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self, status: int, body: bytes = b"", **headers: str) -> None:
                self.send_response(status)
                for name, value in {"Content-Length": str(len(body)), "Last-Modified": MODIFIED, **headers}.items():
                    self.send_header(name.replace("_", "-"), value)
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body)

            def handle_any(self) -> None:
                content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                parts = urlsplit(self.path)
                key = unquote(parts.path).removeprefix(f"/{NAME}").removeprefix("/")
                bucket.calls.append((self.command, key))
                if bucket.fails or f"Credential={KEY}/" not in self.headers.get("Authorization", ""):
                    return self.answer(503 if bucket.fails else 403, b"<Error><Code>Refused</Code></Error>")
                if not key:
                    asked = {name: values[-1] for name, values in parse_qs(parts.query).items()}
                    listed = bucket.listed(asked.get("prefix", ""), asked.get("delimiter", "/"))
                    return self.answer(200, listed.encode(), Content_Type="application/xml")
                return self.of_object(key, content)

            def of_object(self, key: str, content: bytes) -> None:
                if self.command == "PUT":
                    bucket.objects[key] = content
                    return self.answer(200, ETag='"0"')
                if self.command == "DELETE":
                    bucket.objects.pop(key, None)
                    return self.answer(204)
                if key not in bucket.objects:
                    return self.answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
                return self.answer(200, bucket.objects[key], ETag='"0"', Content_Type="application/octet-stream")

            do_GET = do_PUT = do_DELETE = do_HEAD = handle_any

            def log_message(self, *_: Any) -> None:
                pass

        return Handler
