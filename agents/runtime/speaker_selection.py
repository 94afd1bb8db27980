"""Speaker selection: models the person consented to, within their budgets, or authored words."""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import get_args

from django.conf import settings
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

from agents.conf import llm_backends, offline_backend
from agents.engine.roles import Tier
from agents.engine.speaker import PlanSpeaker, Speaker
from agents.llm.call_context import CallContext, Ledger, do_nothing
from agents.people import Person
from agents.runtime.model_chain import model_chain_for, models_for_tier
from agents.usage.saving import is_saving

BROKEN_OFF_NOTICE = _("The language model stopped here. Here is the short version:")


@dataclass(frozen=True, slots=True, kw_only=True)
class Payer:
    """Who pays for the calls of a turn, or of a run outside turns. All runs of a turn share it."""

    person: Person
    turn_id: uuid.UUID | None
    ledger: Ledger
    accounts: tuple[str, ...]
    """Accounts whose budgets pay; empty if no model is connected."""
    is_saving: bool
    """Whether one of these budgets is nearly used up, so that only what is needed is asked."""


def payer_for(person: Person, *, turn_id: uuid.UUID | None, ledger: Ledger) -> Payer:
    """Look up who pays for the person's calls, and how much is left."""
    # Authored words cost nothing, and most sites have no model.
    accounts = accounts_of(person) if any(models_for_tier(tier) for tier in get_args(Tier)) else ()
    return Payer(person=person, turn_id=turn_id, ledger=ledger, accounts=accounts, is_saving=is_saving(accounts))


def speakers_for(
    payer: Payer, *, after_effect: Callable[[], None] = do_nothing, aside: str = ""
) -> Mapping[Tier, Speaker]:
    """Return the speaker of each tier for one run. Each run needs its own: records and cache belong to it.

    `aside` names the caller of background work.
    """
    call_context = CallContext(
        person_id=payer.person.pk,
        accounts=payer.accounts,
        turn_id=payer.turn_id,
        consents=payer.person.consent,
        ledger=payer.ledger,
        after_effect=after_effect,
        is_saving=payer.is_saving,
    )
    return {tier: _speaker(tier, payer.person, call_context, aside=aside) for tier in get_args(Tier)}


def may_ask_model(person: Person, tier: Tier) -> bool:
    """Return whether a model may be asked for the person: one is connected, and is local or has their consent."""
    return bool(models_for_tier(tier, inside_only=not person.consent))


def model_name_for(person: Person, tier: Tier) -> str:
    """Return the name of the model that may be asked for the person; empty if none."""
    return next((each.model for each in models_for_tier(tier, inside_only=not person.consent)), "")


def accounts_of(person: Person) -> tuple[str, ...]:
    """Return the accounts whose budgets pay for a person's calls. Queries the database."""
    return (f"person:{person.username}", *sorted(person.audiences), "site")


def _speaker(tier: Tier, person: Person, call_context: CallContext, *, aside: str) -> Speaker:
    backend = llm_backends()[tier][0]
    if isinstance(backend, Speaker):
        return backend
    asked = _saving_tier(tier) if call_context.is_saving else tier
    backend = model_chain_for(asked, aside=aside, inside_only=not person.consent)
    if call_context.is_saving and tier == "fast":
        backend = offline_backend()
    return PlanSpeaker(
        backend,
        call_context=call_context,
        pace_s=offline_backend().pace_s,
        broke_off=BROKEN_OFF_NOTICE,
        language=language_of(person),
    )


def _saving_tier(tier: Tier) -> Tier:
    """Return the tier that answers while a budget is nearly used up: the fast model speaks for the strong one."""
    return "fast" if tier == "strong" and models_for_tier("fast") else tier


def language_of(person: Person) -> str:
    """Return the English name of the person's language; empty if it is that of the courses, or unknown."""
    if person.language == settings.LANGUAGE_CODE or person.language not in dict(settings.LANGUAGES):
        return ""
    return str(get_language_info(person.language)["name"])
