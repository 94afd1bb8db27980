"""What an account itself keeps of a person."""

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from agents.privacy import DataSubject, PersonalTable, rows_owned_by
from learnagent.accounts.models import (
    Announcement,
    ApiToken,
    BrowserSession,
    ClosedAnnouncement,
    DataCopy,
    GuardianRequest,
    Person,
    RecoveryCode,
    SecondFactor,
    SignInLink,
)

TITLE = _("Your account")
PARTS = (
    PersonalTable(
        name="profile",
        title=_("Your profile"),
        why=_("This lets you sign in, and it applies your settings to the pages and the tutor."),
        of=rows_owned_by(Person, "pk"),
        fields=(
            "username", "display_name", "email", "role", "level", "language", "zone", "theme", "text_size", "age_band",
            "consented_at", "consent_decided_at", "guardian_agreed_at", "is_demo", "is_guest", "created_at", "last_login",
        ),
    ),
    PersonalTable(
        name="guardians",
        title=_("Your parent’s or guardian’s consent"),
        why=_("This proves whether an external model may be used."),
        of=rows_owned_by(GuardianRequest, "person_id"),
        fields=(
            "email", "asked_at", "expires_at", "status", "decided_at", "guardian_name", "address", "text_shown",
            "withdrawn_at",
        ),
    ),
    PersonalTable(
        name="tokens",
        title=_("Your API tokens"),
        why=_("This lets your programs sign in. We don’t store the token itself, only a hash of it."),
        of=rows_owned_by(ApiToken, "owner_id"),
        fields=("prefix", "label", "scopes", "created_at", "expires_at", "last_used_at"),
    ),
    PersonalTable(
        name="announcements",
        title=_("Announcements you wrote as an admin"),
        why=_("These are shown on top of pages."),
        of=rows_owned_by(Announcement, "by_id"),
        fields=("text", "audience", "class_code", "starts_at", "ends_at", "created_at"),
        of_staff=True,
    ),
    PersonalTable(
        name="admin_log",
        title=_("What you changed as an admin"),
        why=_("This shows who changed what on this site."),
        of=rows_owned_by(LogEntry, "user_id"),
        fields=("action_time", "content_type__model", "object_repr", "change_message"),
        of_staff=True,
    ),
)  # fmt: skip
LEFT_OUT = {
    BrowserSession: _("the browsers where you are signed in, which are listed on a separate page"),
    SignInLink: _("sign-in links, because only a hash of each is stored"),
    SecondFactor: _("the secret of your authenticator app, because it protects your account"),
    RecoveryCode: _("recovery codes, because only a hash of each is stored"),
    ClosedAnnouncement: _("which announcements you closed"),
    DataCopy: _("the copies of your data, which are deleted after three days"),
}
STAYS: dict[type, object] = {
    Announcement: _("announcements to other people, but not that you wrote them"),
    GuardianRequest: _("requests to guardians of other people, but not that you sent them"),
}


def erase(person: DataSubject) -> None:
    """Delete what admins' pages have noted of the person, or of what they did."""
    theirs = Q(content_type=ContentType.objects.get_for_model(Person), object_id=str(person.pk))
    LogEntry.objects.filter(theirs | Q(user_id=person.pk)).delete()
