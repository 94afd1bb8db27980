"""Reads people and companies from Salesforce, with the account that the operator configured."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Literal

from agents.tools import ToolFailed

if TYPE_CHECKING:
    import requests

type RecordKind = Literal["contacts", "leads", "accounts", "opportunities"]

CALL_S: Final = 5.0
"""The longest that one call may take, in seconds. A search signs in, and reads at most a page more than it needs."""
MOST_RECORDS: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class SalesforceAccount:
    """How the program signs in; all empty if Salesforce is not set up."""

    username: str = ""
    password: str = field(default="", repr=False)
    token: str = field(default="", repr=False)
    """The account's security token."""
    domain: str = "login"
    """`login`, `test`, or the first part of a My Domain host, such as `acme.my`."""

    @property
    def is_set(self) -> bool:
        return bool(self.username and self.password and self.token)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Object:
    """Which fields of an object are read, by the columns that show them, and which are searched."""

    name: str
    columns: Mapping[str, str]
    searched: Sequence[str]
    order: str


_OBJECTS: Final[Mapping[RecordKind, _Object]] = {
    "contacts": _Object(
        name="Contact",
        columns={"Name": "Name", "Organization": "Account.Name", "Title": "Title", "Last activity": "LastActivityDate"},
        searched=("Name", "Account.Name", "Title"),
        order="LastActivityDate ASC NULLS FIRST",
    ),
    "leads": _Object(
        name="Lead",
        columns={"Name": "Name", "Organization": "Company", "Status": "Status", "Last activity": "LastActivityDate"},
        searched=("Name", "Company", "Industry"),
        order="LastActivityDate ASC NULLS FIRST",
    ),
    "accounts": _Object(
        name="Account",
        columns={"Name": "Name", "Industry": "Industry", "City": "BillingCity", "Last activity": "LastActivityDate"},
        searched=("Name", "Industry", "BillingCity"),
        order="Name ASC",
    ),
    "opportunities": _Object(
        name="Opportunity",
        columns={"Name": "Name", "Organization": "Account.Name", "Stage": "StageName", "Amount": "Amount", "Closes on": "CloseDate"},
        searched=("Name", "Account.Name", "StageName"),
        order="CloseDate ASC",
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class SalesforceRecords:
    columns: tuple[str, ...]
    rows: Sequence[Sequence[str | float | None]]
    is_cut: bool
    """Whether there are more."""


def is_installed() -> bool:
    """Tell whether the package `simple-salesforce` is installed."""
    return find_spec("simple_salesforce") is not None


def search_salesforce(
    account: SalesforceAccount,
    *,
    kind: RecordKind,
    text: str,
    limit: int,
    session: "Callable[[], requests.Session] | None" = None,
) -> SalesforceRecords:
    """Return the records with the text in a name, least recently active first. Raises ToolFailed.

    `session` makes the connection; by default, one with a time limit.
    """
    # Only where it is configured: with what it imports, the package takes tens of megabytes.
    import requests
    from simple_salesforce.api import Salesforce
    from simple_salesforce.exceptions import SalesforceAuthenticationFailed, SalesforceError

    wanted = _OBJECTS[kind]
    with (session or _limited_session)() as connection:
        try:
            client = Salesforce(
                username=account.username,
                password=account.password,
                security_token=account.token,
                domain=account.domain,
                session=connection,
            )
            found = list(islice(client.query_all_iter(_query(wanted, text, limit=limit)), limit + 1))
            rows = [[_value(record, path) for path in wanted.columns.values()] for record in found[:limit]]
        except SalesforceAuthenticationFailed:
            raise ToolFailed(
                "Salesforce refused to sign in. The operator has to check the SALESFORCE settings."
            ) from None
        except SalesforceError as error:
            raise ToolFailed(_refusal(error.status)) from None
        # Before the next one, which it belongs to.
        except requests.JSONDecodeError:
            raise ToolFailed("Salesforce sent an answer that cannot be read.") from None
        except requests.RequestException:
            raise ToolFailed("Salesforce cannot be reached right now.") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            # JSON, but of something else than Salesforce.
            raise ToolFailed("Salesforce sent an answer that cannot be read.") from None
    return SalesforceRecords(columns=tuple(wanted.columns), rows=rows, is_cut=len(found) > limit)


def _query(wanted: _Object, text: str, *, limit: int) -> str:
    """Return the SOQL. The text is only ever inside of a quoted, escaped pattern."""
    from simple_salesforce.format import format_soql

    fields = ", ".join(dict.fromkeys(wanted.columns.values()))
    soql = f"SELECT {fields} FROM {wanted.name}"
    if text:
        conditions = (format_soql(f"{each} LIKE '%{{:like}}%'", text) for each in wanted.searched)
        soql += f" WHERE {' OR '.join(conditions)}"
    return f"{soql} ORDER BY {wanted.order} LIMIT {limit + 1}"


def _value(record: Mapping[str, Any], path: str) -> str | float | None:
    value: Any = record
    for name in path.split("."):
        value = value.get(name) if value is not None else None
    return value if value is None or isinstance(value, int | float) else str(value)


def _refusal(status: int) -> str:
    match status:
        case 403 | 429:
            return "Salesforce is getting too many requests, or does not let this account read that. Try again later."
        case 400 | 404:
            return "Salesforce does not know what was asked for: some fields are missing in this organization."
        case _:
            return f"Salesforce could not answer ({status}). Try again later."


def _limited_session() -> "requests.Session":
    return limit_calls(CALL_S)


def limit_calls(seconds: float) -> "requests.Session":
    """Return a session whose calls take at most so long. The package sets no limit when it signs in."""
    import requests

    class LimitedSession(requests.Session):
        def request(self, *args: Any, **kwargs: Any) -> requests.Response:
            return super().request(*args, **{"timeout": seconds, **kwargs})

    session = LimitedSession()
    # Variables that name a proxy or a file of passwords are not the operator's word on Salesforce.
    session.trust_env = False
    return session
