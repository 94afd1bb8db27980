"""A Salesforce on this machine: it signs in by SOAP, answers SOQL page by page, and refuses as the real one does."""

import json
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

LOGIN = """<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/">
<soapenv:Body><loginResponse><result><serverUrl>https://acme.my.salesforce.com/services/Soap/u/59.0/00D</serverUrl>
<sessionId>{session}</sessionId></result></loginResponse></soapenv:Body></soapenv:Envelope>"""
FAULT = """<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"
xmlns:sf="urn:fault.partner.soap.sforce.com"><soapenv:Body><soapenv:Fault><detail><sf:LoginFault>
<sf:exceptionCode>INVALID_LOGIN</sf:exceptionCode><sf:exceptionMessage>INVALID_LOGIN: Invalid username, password</sf:exceptionMessage>
</sf:LoginFault></detail></soapenv:Fault></soapenv:Body></soapenv:Envelope>"""


@dataclass
class Salesforce:
    """The server, for as long as its `with` block runs."""

    records: list[dict[str, Any]] = field(default_factory=list)
    password: str = "wordtoken"
    """The password with the token behind it."""
    page: int = 2
    """Records on a page."""
    answers: list[tuple[int, bytes]] = field(default_factory=list)
    """What is answered to the next queries instead, in order."""
    queries: list[str] = field(default_factory=list)
    logins: int = 0

    def __enter__(self) -> Self:
        outside = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                self._send(*outside.sign_in(body), "text/xml")

            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                self._send(*outside.answer(parts.path, parse_qs(parts.query), self.headers), "application/json")

            def _send(self, status: int, body: bytes, media_type: str) -> None:
                self.send_response(status)
                self.send_header("Content-Type", media_type)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def sign_in(self, body: str) -> tuple[int, bytes]:
        said = re.search(r"<n1:password>(.*?)</n1:password>", body)
        if said is None or said[1] != self.password:
            return 500, FAULT.encode()
        self.logins += 1
        return 200, LOGIN.format(session=f"session-{self.logins}").encode()

    def answer(self, path: str, query: Mapping[str, list[str]], headers: Any) -> tuple[int, bytes]:
        if headers["Authorization"] != f"Bearer session-{self.logins}":
            return 401, json.dumps([{"errorCode": "INVALID_SESSION_ID", "message": "Session expired"}]).encode()
        if "q" in query:
            self.queries.append(query["q"][0])
        if self.answers:
            return self.answers.pop(0)
        start = int(path.rpartition("-")[2]) if "q" not in query else 0
        limited = re.search(r"LIMIT (\d+)$", self.queries[-1])
        total = self.records[: int(limited[1])] if limited else self.records
        end = start + self.page
        more = {"nextRecordsUrl": f"/services/data/v59.0/query/01g-{end}"} if end < len(total) else {}
        page = {"totalSize": len(total), "done": not more, "records": total[start:end], **more}
        return 200, json.dumps(page).encode()

    def session(self) -> Any:
        """Return a session in which every address leads to this server."""
        import requests
        from requests.adapters import HTTPAdapter

        port = self._server.server_port

        class ToThisMachine(HTTPAdapter):
            def send(self, request: Any, *args: Any, **kwargs: Any) -> Any:
                parts = urlsplit(request.url)
                assert str(parts.hostname).endswith(".salesforce.com")
                request.url = parts._replace(scheme="http", netloc=f"127.0.0.1:{port}").geturl()
                return super().send(request, *args, **kwargs)

        session = requests.Session()
        session.trust_env = False
        session.mount("https://", ToThisMachine())
        return session


def refusal(status: int, code: str) -> tuple[int, bytes]:
    """Return an error as Salesforce words it."""
    return status, json.dumps([{"errorCode": code, "message": "no"}]).encode()
