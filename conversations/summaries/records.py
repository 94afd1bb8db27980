"""Stores the summaries of a conversation, and finds the one that is needed."""

from dataclasses import dataclass

from conversations.models import ConversationSummary, Session, Turn
from conversations.summaries.composition import compose_short_summary, compose_summary
from conversations.summaries.facts import SummaryFacts, facts_from_json, facts_to_json, gather_facts


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What happened in a conversation."""

    facts: SummaryFacts
    text: str
    """A few sentences in Markdown; empty if there is nothing to tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSummary:
    """What a prompt is told of the messages that it leaves out."""

    text: str = ""
    is_due: bool = False
    """Whether it does not reach that far, so that the turn's end has to store another one."""


def store_summary(turn: Turn, *, reason: str) -> None:
    """Store the conversation's summary up to this turn, its latest one. The caller opens the transaction."""
    facts = gather_facts(turn.session)
    fields = {"reason": reason, "text": compose_summary(facts), "facts": facts_to_json(facts)}
    ConversationSummary.objects.update_or_create(turn=turn, defaults={"session": turn.session, **fields})


def summary_up_to(turn: Turn) -> Summary:
    """Return the conversation's summary up to this turn, its latest one: the stored one if there is one."""
    stored = ConversationSummary.objects.filter(turn=turn).first()
    if stored is not None:
        return Summary(facts=facts_from_json(stored.facts), text=stored.text)
    facts = gather_facts(turn.session)
    return Summary(facts=facts, text=compose_summary(facts))


def short_summary(session: Session) -> str:
    """Return what happened in the conversation, in at most three sentences; empty if there is nothing to tell."""
    return compose_short_summary(gather_facts(session))


def summary_for_prompt(session: Session, *, left_out_to: int) -> PromptSummary:
    """Return the latest stored summary, for a prompt that leaves out turns up to the number `left_out_to`; one query."""
    rows = ConversationSummary.objects.filter(session=session).order_by("-turn__number")
    text, reached = rows.values_list("text", "turn__number").first() or ("", 0)
    # It reached every turn left out before this one, so that only the latest of them may be missing for a turn.
    return PromptSummary(text=text, is_due=reached < left_out_to)


def delete_summaries(by: Turn) -> None:
    """Delete the summaries that contain turns which this turn replaces. The caller opens the transaction."""
    ConversationSummary.objects.filter(turn__replaced_by=by).delete()
