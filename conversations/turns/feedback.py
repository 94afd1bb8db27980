"""Feedback on replies: one per turn, which can be changed and withdrawn."""

from django.utils.translation import gettext as _

from agents.wire import rejections
from conversations.models import Feedback, Turn
from conversations.owners import Owner
from conversations.validators import is_storable

LONGEST_WORDS = 2000


def give(turn: Turn, person: Owner, *, verdict: str, words: str) -> Feedback:
    """Store the person's feedback on the turn's reply, replacing earlier feedback.

    Raises Rejection 422 for a verdict other than `up` or `down`, or for too many words.
    """
    if verdict not in Feedback.Verdict:
        raise rejections.invalid("verdict", _("Say whether the answer helped."))
    words = words.strip()
    if len(words) > LONGEST_WORDS or not is_storable(words):
        raise rejections.invalid(
            "words", _("Your comment can have at most %(limit)s characters.") % {"limit": LONGEST_WORDS}
        )
    given, _created = Feedback.objects.update_or_create(
        turn=turn, person=person, defaults={"verdict": verdict, "words": words}
    )
    return given


def withdraw(turn: Turn, person: Owner) -> None:
    """Delete the person's feedback on the turn's reply."""
    Feedback.objects.filter(turn=turn, person=person).delete()
