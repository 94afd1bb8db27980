"""The tools `crm` and `edit_contacts`: people to keep in touch with, in Salesforce or in the person's own contacts."""

import asyncio
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from functools import partial
from typing import Any, Final, Literal

from django.contrib.auth import get_user_model
from django.db.models import F, Q
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import BaseModel, ConfigDict, Field, field_validator

from agents.conf import agent_settings
from agents.people import Person
from agents.storage.threads import in_orm_thread
from agents.tools import Tool, ToolFailed, ToolResult, ToolUse
from agents.tools.salesforce import (
    MOST_RECORDS,
    RecordKind,
    SalesforceAccount,
    SalesforceRecords,
    is_installed,
    search_salesforce,
)
from conversations.charts.figures import Cell, ChartCard
from conversations.models import Contact
from conversations.models.contacts import CONTACT_NAME_MAX_LENGTH, NOTES_MAX_LENGTH

# Each waits for Salesforce and does nothing else; an organization allows only so many calls at once. Chosen by hand.
_threads: Final = ThreadPoolExecutor(max_workers=2, thread_name_prefix="salesforce")
MOST_CONTACTS: Final = 2_000
"""Contacts that one person can keep."""
LARGEST_ID: Final = 2**63 - 1
NAMES_SAID: Final = 5
_KINDS: Final[dict[RecordKind, re.Pattern[str]]] = {
    "leads": re.compile(r"\b(?:leads?|prospects?)\b", re.I),
    "opportunities": re.compile(r"\b(?:opportunit(?:y|ies)|deals?)\b", re.I),
    "accounts": re.compile(r"\b(?:accounts?|compan(?:y|ies)|organi[sz]ations?)\b", re.I),
}
_NAMED: Final = re.compile(r"\b(?:at|from|in|of|named|called|about)\s+(?P<name>[A-Z][\w&.-]*(?:\s+[A-Z][\w&.-]*)*)")


class CrmQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    question: str = Field(default="", max_length=400, description="Who is looked for, in plain words.")
    text: str = Field(default="", max_length=100, description="A part of a name, of an organization, or of the notes.")
    kind: RecordKind = Field(default="contacts", description="Which records of Salesforce; own contacts have one kind.")
    limit: int = Field(default=20, ge=1, le=MOST_RECORDS, description="The most rows.")

    @field_validator("question", "text")
    @classmethod
    def _searchable(cls, value: str) -> str:
        # PostgreSQL refuses to look for a NUL.
        return value.replace("\x00", " ")


class CrmRows(ToolResult):
    table: ChartCard
    """Those not contacted for longest come first."""
    words: str
    """What was found, in a sentence."""

    @property
    def summary(self) -> str:
        return f"{self.table.title} ({len(self.table.rows)} rows)"

    @property
    def chart(self) -> ChartCard:
        """The rows for the page."""
        return self.table


class ContactChange(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    action: Literal["add", "change", "remove"]
    contact: int | None = Field(
        default=None, ge=1, le=LARGEST_ID, description="The number of the contact to change or remove."
    )
    name: str = Field(default="", max_length=CONTACT_NAME_MAX_LENGTH)
    organization: str | None = Field(default=None, max_length=CONTACT_NAME_MAX_LENGTH)
    notes: str | None = Field(default=None, max_length=NOTES_MAX_LENGTH)
    last_contacted_on: date | None = None

    @field_validator("name", "organization", "notes")
    @classmethod
    def _storable(cls, value: str | None) -> str | None:
        if value and "\x00" in value:
            raise ValueError("contains a character that cannot be stored")
        return value


class ChangedContact(ToolResult):
    contact: int
    """The contact's number."""
    words: str

    @property
    def summary(self) -> str:
        return self.words


def own_contacts(person: Person, query: CrmQuery) -> CrmRows:
    """Return the person's own contacts, those not contacted for longest first."""
    text = query.text or _name_in(query.question)
    rows = Contact.objects.filter(owner_id=person.pk)
    if text:
        rows = rows.filter(Q(name__icontains=text) | Q(organization__icontains=text) | Q(notes__icontains=text))
    found = list(rows.order_by(F("last_contacted_on").asc(nulls_first=True), "name", "pk")[: query.limit + 1])
    shown = found[: query.limit]
    return _as_rows(
        title=_("Your contacts"),
        columns=[_("Name"), _("Organization"), _("Notes"), _("Last contacted"), _("Number")],
        rows=[
            [each.name, each.organization or None, each.notes or None, _day(each.last_contacted_on), each.pk]
            for each in shown
        ],
        is_cut=len(found) > query.limit,
    )


def change_contact(person: Person, change: ContactChange, *, use_key: str = "") -> ChangedContact:
    """Add, change or remove one of the person's own contacts. Raises ToolFailed; another's contact is as if there were none."""
    if change.action == "add":
        return _add(person, change, use_key=use_key)
    row = Contact.objects.filter(owner_id=person.pk, pk=change.contact).first() if change.contact else None
    if row is None:
        raise ToolFailed(_("You have no contact with this number."))
    if change.action == "remove":
        number, name = row.pk, row.name
        row.delete()
        return ChangedContact(contact=number, words=_("%(name)s was removed from your contacts.") % {"name": name})
    row.name = change.name or row.name
    row.organization = row.organization if change.organization is None else change.organization
    row.notes = row.notes if change.notes is None else change.notes
    row.last_contacted_on = change.last_contacted_on or row.last_contacted_on
    row.save()
    return ChangedContact(contact=row.pk, words=_("The contact %(name)s was changed.") % {"name": row.name})


def _add(person: Person, change: ContactChange, *, use_key: str) -> ChangedContact:
    if not change.name:
        raise ToolFailed(_("A contact needs a name."))
    kept = Contact.objects.filter(owner_id=person.pk)
    row = kept.filter(use_key=use_key).first() if use_key else None
    if row is None:
        if kept.count() >= MOST_CONTACTS:
            raise ToolFailed(_("You have reached the maximum number of contacts. Remove some first."))
        row = Contact.objects.create(
            owner_id=person.pk,
            name=change.name,
            organization=change.organization or "",
            notes=change.notes or "",
            last_contacted_on=change.last_contacted_on,
            use_key=use_key,
        )
    return ChangedContact(contact=row.pk, words=_("%(name)s was added to your contacts.") % {"name": row.name})


def salesforce_rows(account: SalesforceAccount, query: CrmQuery, *, session: Any = None) -> CrmRows:
    """Return records of Salesforce. Raises ToolFailed."""
    kind = next((each for each, cue in _KINDS.items() if cue.search(query.question)), query.kind)
    text = query.text or _name_in(query.question)
    found: SalesforceRecords = search_salesforce(account, kind=kind, text=text, limit=query.limit, session=session)
    titles: dict[RecordKind, str] = {
        "contacts": _("Contacts in Salesforce"),
        "leads": _("Leads in Salesforce"),
        "accounts": _("Accounts in Salesforce"),
        "opportunities": _("Opportunities in Salesforce"),
    }
    return _as_rows(
        title=titles[kind], columns=list(found.columns), rows=[list(row) for row in found.rows], is_cut=found.is_cut
    )


def may_use_salesforce(person: Person) -> bool:
    """Tell whether a search goes to Salesforce: not for learners, and not for who keeps their words on this site."""
    return agent_settings().salesforce.is_set and is_installed() and person.role != "learner" and person.consent


def _name_in(question: str) -> str:
    """Return the name that a question asks about: "Who do I know at Northwind School?"."""
    found = _NAMED.search(question)
    return found["name"].rstrip(".")[:100] if found else ""


def _day(day: date | None) -> str | None:
    return date_format(day, "SHORT_DATE_FORMAT") if day else None


def _as_rows(*, title: str, columns: list[str], rows: Sequence[list[Cell]], is_cut: bool) -> CrmRows:
    notes = [_("Only part of the result is shown here.")] if is_cut else []
    table = ChartCard(title=title, columns=columns, rows=list(rows), notes=notes)
    if not rows:
        return CrmRows(table=table, words=_("%(title)s: no matches.") % {"title": title})
    named = "; ".join(", ".join(str(cell) for cell in row[:2] if cell is not None) for row in rows[:NAMES_SAID])
    words = ngettext("%(title)s: %(count)d, %(names)s.", "%(title)s: %(count)d. First: %(names)s.", len(rows))
    return CrmRows(table=table, words=words % {"title": title, "count": len(rows), "names": named})


async def _search(arguments: Any, use: ToolUse) -> CrmRows:
    person = await in_orm_thread(_person)(use)
    if may_use_salesforce(person):
        search = partial(salesforce_rows, agent_settings().salesforce, arguments)
        return await asyncio.get_running_loop().run_in_executor(_threads, search)
    return await in_orm_thread(own_contacts)(person, arguments)


async def _change(arguments: Any, use: ToolUse) -> ChangedContact:
    person = await in_orm_thread(_person)(use)
    # Without a turn there is nothing that could run again.
    key = use.idempotency_key if use.turn_id else ""
    return await in_orm_thread(partial(change_contact, use_key=key))(person, arguments)


def _person(use: ToolUse) -> Any:
    if use.person_id is None:
        raise ToolFailed("Contacts need a person who keeps them.")
    return get_user_model()._base_manager.get(pk=use.person_id)


CRM_TOOL = Tool(
    name="crm",
    description=(
        "Finds people and organizations to get in touch with: in Salesforce if it is connected, otherwise in the person's "
        "own contacts. Those not contacted for longest come first. Changes nothing."
    ),
    arguments=CrmQuery,
    run=_search,
    timeout_s=15.0,  # Signing in to Salesforce, and a page or two.
    is_untrusted=True,
)
EDIT_CONTACTS_TOOL = Tool(
    name="edit_contacts",
    description="Adds, changes or removes one of the person's own contacts, when they ask for it.",
    arguments=ContactChange,
    run=_change,
    has_effect=True,
)
