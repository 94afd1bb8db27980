"""Mail to a person. The app that stores the addresses registers the sender."""

from collections.abc import Callable

from agents.people import Person

type MailSender = Callable[..., None]
"""Called with a person, and the keywords subject, text (plain text) and to. Sends nothing if there is no address."""

_posts: list[MailSender] = []


def register_mail_sender(post: MailSender) -> None:
    """Set the one sender that all mail goes through."""
    _posts[:] = [post]


def send_to_person(person: Person, *, subject: str, text: str, to: str = "") -> None:
    """Send a plain-text mail about the person to `to`, or to their own address, if a sender is registered.

    Raises what the mail server raises.
    """
    for post in _posts:
        post(person, subject=subject, text=text, to=to)
