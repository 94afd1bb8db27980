"""A stand-in of Twilio: signs and sends the form fields of a call as Twilio does, and reads the TwiML.

By hand, against a running server with the same token; each line that is typed is said, one of digits with # is typed:

    TWILIO_AUTH_TOKEN=secret .venv/bin/python -m tests.conversations.phone.twilio_caller http://127.0.0.1:8000 +436641234567
"""

import base64
import hashlib
import hmac
import os
import sys
import uuid
from dataclasses import dataclass, field
from urllib.error import HTTPError
from urllib.parse import urlencode, urljoin, urlsplit
from urllib.request import Request, urlopen
from xml.etree import ElementTree

FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What the caller hears, and what Twilio does next."""

    words: str
    listens_at: str = ""
    """Where what the caller says goes; empty if nobody listens."""
    fetches: str = ""
    """Where the next TwiML is fetched at once."""
    is_over: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """A request of Twilio's."""

    url: str
    body: bytes
    signature: str

    @property
    def path(self) -> str:
        parts = urlsplit(self.url)
        return f"{parts.path}?{parts.query}" if parts.query else parts.path

    @property
    def headers(self) -> dict[str, str]:
        return {"X-Twilio-Signature": self.signature, "Content-Type": FORM}


@dataclass(kw_only=True)
class TwilioCall:
    """One call from a number. The next request goes where the last answer said."""

    site: str
    """The address of the server, as it is set in Twilio."""
    token: str
    number: str = "+436641234567"
    sid: str = field(default_factory=lambda: f"CA{uuid.uuid4().hex}")
    at: str = "/twilio/voice"
    """Where the next request goes."""

    def post(self, at: str = "", **fields: str) -> Post:
        """Return the signed request with these fields beside those of every call."""
        url = urljoin(self.site, at or self.at)
        known = {
            "AccountSid": "AC" + "0" * 32,
            "ApiVersion": "2010-04-01",
            "CallSid": self.sid,
            "CallStatus": "in-progress",
            "Called": "+15017122661",
            "Caller": self.number,
            "Direction": "inbound",
            "From": self.number,
            "To": "+15017122661",
        }
        sent = known | fields
        return Post(url=url, body=urlencode(sent).encode(), signature=sign(url, sent, self.token))

    def dial(self) -> Post:
        return self.post("/twilio/voice", CallStatus="ringing")

    def say(self, words: str) -> Post:
        return self.post(SpeechResult=words, Confidence="0.91", Language="en-US")

    def type(self, digits: str) -> Post:
        return self.post(Digits=digits, FinishedOnKey="#")

    def report(self, status: str = "completed") -> Post:
        """Return what Twilio posts to the status callback."""
        return self.post("/twilio/voice", CallStatus=status, CallDuration="12")

    def hear(self, twiml: bytes) -> Heard:
        """Return what the TwiML says, and go on where it says."""
        response = ElementTree.fromstring(twiml)
        assert response.tag == "Response"
        gather, redirect = response.find("Gather"), response.find("Redirect")
        heard = Heard(
            words=" ".join(each.text or "" for each in response.iter("Say")),
            listens_at=gather.attrib["action"] if gather is not None else "",
            fetches=(redirect.text or "") if redirect is not None else "",
            is_over=response.find("Hangup") is not None,
        )
        self.at = heard.listens_at or heard.fetches or self.at
        return heard


def sign(url: str, fields: dict[str, str], token: str) -> str:
    """Return the signature as Twilio's documentation describes it."""
    signed = url + "".join(name + fields[name] for name in sorted(fields))
    return base64.b64encode(hmac.new(token.encode(), signed.encode(), hashlib.sha1).digest()).decode()


def send(call: TwilioCall, post: Post) -> Heard:
    """Send a request to a running server, following redirects as Twilio does; say what is said."""
    try:
        with urlopen(Request(post.url, post.body, post.headers)) as response:
            heard = call.hear(response.read())
    except HTTPError as error:
        raise SystemExit(f"{error.code}: {error.read().decode()}") from None
    print(f"< {heard.words}")
    return send(call, call.post()) if heard.fetches else heard


def main(site: str, number: str) -> None:
    call = TwilioCall(site=site, number=number, token=os.environ["TWILIO_AUTH_TOKEN"])
    heard = send(call, call.dial())
    for line in map(str.strip, sys.stdin):
        print(f"> {line}")
        heard = send(call, call.type(line[:-1]) if line.endswith("#") else call.say(line))
        if heard.is_over:
            break
    else:
        urlopen(Request(call.report().url, call.report().body, call.report().headers)).close()


if __name__ == "__main__":
    main(*sys.argv[1:])
