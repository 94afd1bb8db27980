"""The accounts' models: people, what signs them in, what they asked for of their data, and their second factors."""

from learnagent.accounts.models.guardians import GuardianRequest
from learnagent.accounts.models.people import (
    CONSENT_FIELDS,
    AgeBand,
    ApiToken,
    BrowserSession,
    DataCopy,
    Erasure,
    Level,
    Person,
    Role,
    Scope,
    SignInLink,
    TextSize,
    Theme,
    in_a_year,
    languages,
)
from learnagent.accounts.models.second_factors import RecoveryCode, SecondFactor
from learnagent.accounts.models.site import Accent, Announcement, ClosedAnnouncement, SiteLook

__all__ = [
    "CONSENT_FIELDS",
    "Accent",
    "AgeBand",
    "Announcement",
    "ApiToken",
    "BrowserSession",
    "ClosedAnnouncement",
    "DataCopy",
    "Erasure",
    "GuardianRequest",
    "Level",
    "Person",
    "RecoveryCode",
    "Role",
    "Scope",
    "SecondFactor",
    "SignInLink",
    "SiteLook",
    "TextSize",
    "Theme",
    "in_a_year",
    "languages",
]
