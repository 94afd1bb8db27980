"""Personal data about people who come from learning platforms."""

from django.utils.translation import gettext_lazy as _

from agents.privacy import DataSubject, PersonalTable, rows_owned_by
from learnagent.lti.models import Grade, PlatformAccount, Ticket

TITLE = _("Your learning platform")
PARTS = (
    PersonalTable(
        name="platform_account",
        title=_("The platform from which you open learnagent"),
        why=_("To open your own account when you come from the platform."),
        of=rows_owned_by(PlatformAccount, "person_id"),
        fields=("platform__name", "subject", "created_at", "launched_at"),
    ),
    PersonalTable(
        name="platform_grades",
        title=_("Grades sent to your learning platform"),
        why=_("To send each grade once, and to try again if the platform cannot be reached."),
        of=rows_owned_by(Grade, "account__person_id"),
        fields=(
            "link__course__title", "link__concept__slug", "score", "is_mastered", "scored_at", "status", "tries",
            "answer", "sent_at",
        ),
    ),
)  # fmt: skip
LEFT_OUT = {Ticket: _("launches that wait for their button to be pressed, because only a hash of each is stored")}
STAYS: dict[type, object] = {}


def erase(person: DataSubject) -> None:
    """Do nothing: the database deletes the account's rows with the person's."""
