"""A learning platform on this machine: an independent library's platform side, behind real HTTP, with its own keys."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from lti1p3platform.ltiplatform import LTI1P3PlatformConfAbstract
from lti1p3platform.message_launch import LTIAdvantageMessageLaunchAbstract
from lti1p3platform.oidc_login import OIDCLoginAbstract
from lti1p3platform.registration import Registration
from lti1p3platform.request import Request
from lti1p3platform.score import UpdateScoreStatus
from lti1p3platform.service_connector import AssignmentsGradesService

ISSUER, CLIENT_ID, DEPLOYMENT = "https://lms.example.org", "client-7", "deployment-1"
CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
LEARNER, TEACHER = (f"http://purl.imsglobal.org/vocab/lis/v2/membership#{role}" for role in ("Learner", "Instructor"))


def key_pair() -> tuple[str, str]:
    """Return a private and a public RSA key as PEM."""
    pair = generate_private_key(public_exponent=65537, key_size=2048)
    private = pair.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    public = pair.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return private.decode(), public.decode()


class GivenRequest(Request):  # type: ignore[misc]  # The library has no types.
    """The library's view of a request."""

    def build_metadata(self, request: dict[str, Any]) -> dict[str, Any]:
        empty = {"method": "GET", "form_data": {}, "get_data": {}, "headers": {}, "content_type": "", "path": ""}
        return {**empty, "json": None, **request}


class PlatformConfiguration(LTI1P3PlatformConfAbstract):  # type: ignore[misc]
    def init_platform_config(self, registration: Registration) -> None:
        self._registration = registration

    def get_registration_by_params(self, **kwargs: Any) -> Registration:
        return self._registration


class Login(OIDCLoginAbstract):  # type: ignore[misc]
    def set_lti_message_hint(self, **kwargs: Any) -> None:
        self._lti_message_hint = kwargs["hint"]

    def get_redirect(self, url: str) -> str:
        return url


class Message(LTIAdvantageMessageLaunchAbstract):  # type: ignore[misc]
    def render_launch_form(self, launch_data: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return launch_data


class GradeBook(AssignmentsGradesService):  # type: ignore[misc]
    """Takes scores as the library checks them; line items are made by hand."""

    scores: list[dict[str, Any]]

    def update_score(self, line_item_id: str, score: dict[str, Any]) -> UpdateScoreStatus:
        if any(each["timestamp"] >= score["timestamp"] for each in self.scores if each["userId"] == score["userId"]):
            return UpdateScoreStatus.OLD_TIMESTAMP
        self.scores.append({**score, "line_item": line_item_id})
        return UpdateScoreStatus.SUCCESS

    def _unused(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError

    find_lineitems = find_lineitem = create_lineitem = update_lineitem = delete_lineitem = get_results = _unused


class LearningPlatform:
    """The platform, what it was sent, and how its addresses behave: `None`, a status, `huge`, `redirect` or `text`."""

    def __init__(self, keys: tuple[str, str], tool: str) -> None:
        self.private_key, public_key = keys
        self.url = ""
        self.scores: list[dict[str, Any]] = []
        self.requests: list[str] = []
        self.behavior: dict[str, int | str] = {}
        self.pages: dict[str, Callable[[str], str]] = {}
        """Pages for a browser: path → what makes the page from the request's whole path."""
        registration = Registration().set_iss(ISSUER).set_client_id(CLIENT_ID).set_deployment_id(DEPLOYMENT)
        registration.set_launch_url(f"{tool}/lti/launch/").set_deeplink_launch_url(f"{tool}/lti/launch/")
        registration.set_oidc_login_url(f"{tool}/lti/login/")
        registration.set_platform_public_key(public_key).set_platform_private_key(self.private_key)
        self.registration = registration
        self.configuration = PlatformConfiguration(registration=registration)

    def announce(self) -> str:
        """Return the address of the tool to which the platform sends a browser."""
        login = Login(None, self.configuration)
        login.set_lti_message_hint(hint="link-1")
        address: str = login.initiate_login("user-1")
        return address

    def message(self, authorization: str, **user: Any) -> Message:
        """Return a launch in answer to the tool's authorization request, to which more can be added."""
        asked = dict(parse_qsl(urlsplit(authorization).query))
        message = Message(GivenRequest({"get_data": asked}), self.configuration)
        known = {
            "user_id": "user-1",
            "lis_roles": [LEARNER],
            "full_name": "Lina Moser",
            "email_address": "ada@example.org",
        }
        message.set_user_data(**(known | user))
        message.set_resource_link_claim("link-1", title="Fractions")
        message.set_launch_context_claim("course-1", context_title="Maths 4b")
        return message

    @property
    def line_item(self) -> str:
        return f"{self.url}/lineitems/1?type=7"

    def grade_book(self, **request: Any) -> GradeBook:
        book = GradeBook(GivenRequest(request), self.configuration, f"{self.url}/lineitems")
        book.scores = self.scores
        return book


class _Handler(BaseHTTPRequestHandler):
    platform: LearningPlatform

    def do_GET(self) -> None:
        page = self.platform.pages.get(urlsplit(self.path).path)
        if page is not None:
            self._send(200, page(self.path).encode(), media_type="text/html; charset=utf-8")
            return
        self._answer(lambda: (200, self.platform.configuration.get_jwks()))

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self._answer(lambda: self._token(body) if self.path == "/token" else self._score(body))

    def _token(self, body: str) -> tuple[int, Any]:
        asked = dict(parse_qsl(body))
        claims = self.platform.configuration.tool_validate_and_decode(asked["client_assertion"])
        assert (claims["iss"], claims["sub"], claims["aud"]) == (CLIENT_ID, CLIENT_ID, f"{self.platform.url}/token")
        return 200, self.platform.configuration.get_access_token(asked)

    def _score(self, body: str) -> tuple[int, Any]:
        assert self.path == "/lineitems/1/scores?type=7"
        assert self.headers["Content-Type"] == "application/vnd.ims.lis.v1.score+json"
        book = self.platform.grade_book(method="POST", headers=self.headers, json=json.loads(body))
        answer = book.handle_resp(book.handle_update_score, line_item_id="1")
        return answer.code, answer.result

    def _answer(self, make: Any) -> None:
        path = urlsplit(self.path).path
        self.platform.requests.append(path)
        behavior = self.platform.behavior.get(path)
        status, value = (
            (behavior, None) if isinstance(behavior, int) else (302, None) if behavior == "redirect" else make()
        )
        content = (
            b"x" * 300_000 if behavior == "huge" else b"<html>" if behavior == "text" else json.dumps(value).encode()
        )
        self._send(status, content, location=f"{self.platform.url}/moved" if behavior == "redirect" else "")

    def _send(self, status: int, content: bytes, *, media_type: str = "application/json", location: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(content)))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Write nothing to the tests' output."""


@contextmanager
def platform_server(keys: tuple[str, str], tool: str) -> Iterator[LearningPlatform]:
    """Serve until the block ends."""
    platform = LearningPlatform(keys, tool)
    handler = type("Handler", (_Handler,), {"platform": platform})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    platform.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield platform
    finally:
        server.shutdown()
        server.server_close()
