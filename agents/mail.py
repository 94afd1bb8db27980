"""How a room writes to a person: whoever keeps the addresses registers the way."""

from collections.abc import Callable

from agents.people import Person

type MailSender = Callable[..., None]
"""Takes a person, and as keywords a subject and a plain text; sends nothing to somebody without an address."""

_posts: list[MailSender] = []


def register_mail_sender(post: MailSender) -> None:
    """Let all letters go this way; there is one, or none."""
    _posts[:] = [post]


def send_to_person(person: Person, *, subject: str, text: str) -> None:
    """Send a person a plain text, where there is a way. Raises what the mail server does."""
    for post in _posts:
        post(person, subject=subject, text=text)
