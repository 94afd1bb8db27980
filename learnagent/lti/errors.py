"""Why a launch is refused: a reason for the log, and words that tell the person what to do."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

START_AGAIN = _("Go back to your learning platform and open learnagent from there again.")
TELL_ADMIN = _(
    "Go back to your learning platform and try again. If it happens again, tell your teacher or the person who runs "
    "the platform."
)


class LaunchRefused(Exception):
    """A launch is refused, and nothing was created. `reason` is for the log and never contains a token."""

    def __init__(self, reason: str, words: str | Promise = TELL_ADMIN, *, status: int = 400) -> None:
        super().__init__(reason)
        self.reason = reason
        self.words = words
        self.status = status
