"""What a person thinks of a reply: one opinion a turn, changed and taken back at will."""

from django.utils.translation import gettext as _

from agents.wire import rejections
from conversations.models import Feedback, Turn
from conversations.owners import Owner
from conversations.validators import is_storable

LONGEST_WORDS = 2000


def give(turn: Turn, person: Owner, *, verdict: str, words: str) -> Feedback:
    """Keep what the person thinks of the turn's reply, in the place of what they thought before.

    Raise Rejection 422 for another verdict than `up` or `down`, or words that are too many.
    """
    if verdict not in Feedback.Verdict:
        raise rejections.invalid("verdict", _("Say whether the answer was helpful or not."))
    words = words.strip()
    if len(words) > LONGEST_WORDS or not is_storable(words):
        raise rejections.invalid(
            "words", _("Your words may have at most %(limit)s characters.") % {"limit": LONGEST_WORDS}
        )
    given, _created = Feedback.objects.update_or_create(
        turn=turn, person=person, defaults={"verdict": verdict, "words": words}
    )
    return given


def withdraw(turn: Turn, person: Owner) -> None:
    """Forget what the person thought of the turn's reply."""
    Feedback.objects.filter(turn=turn, person=person).delete()
