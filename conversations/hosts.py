"""Who serves a session's turns: the room to the left registers its host here, and how its cards look."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from django.http import HttpRequest
from pydantic import BaseModel

from agents.graph import Choice, Graph
from agents.llm.behalf import Ledger
from agents.roles import Request
from agents.runner import RunResult
from conversations.models import Session, Snapshot, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """What the runner needs to serve one turn."""

    graph: Graph
    request: Request
    choice: Choice
    """Why this graph serves the turn; stored as a transition."""
    changed: Mapping[str, Any] = field(default_factory=dict)
    """What the choice itself changed of the state that the request carries; told before the walk begins."""
    rows: Any = None
    """What the host read for it, for whoever listens; nobody here looks inside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a turn's message says and what is done about it: made once, and stored with what it comes to."""

    analysis: Mapping[str, Any]
    """JSON; the same for whoever serves the turn again, and for the record."""
    decision: Any
    """The host's own value."""


class Host(Protocol):
    """A room that serves turns. All of it runs in a thread with the database at hand, but for what is asynchronous.

    A turn is read, improved, applied, prepared, run and settled, in this order.
    """

    def read(self, turn: Turn) -> Reading | None:
        """Read the turn's message, and decide what follows, after it was acknowledged. Writes nothing.

        None where there is nothing to store.
        """

    async def improve(self, turn: Turn, reading: Reading, ledger: Ledger) -> Reading:
        """Return the reading as a connected model corrects it; the same where none is asked, or none answers in time."""

    def apply(self, turn: Turn, reading: Reading) -> None:
        """Store what the reading comes to (an answer, say) in one transaction, once a turn; the session is saved after it.

        The decision is left on the turn, `turn.decision`, as JSON.
        """

    def prepare(self, turn: Turn, reading: Reading | None = None) -> Prepared:
        """Choose the graph and gather what its roles work from. Writes nothing.

        `reading` is the turn's own, applied, where it was made in this process: what was read for it need not be read
        again. A turn that is taken up again comes without one.
        """

    def settle(self, turn: Turn, result: RunResult, *, told: Sequence[Mapping[str, Any]]) -> None:
        """Store what the run decided, inside the transaction that stores the reply; the session is saved after it.

        `told`: the run's transitions and findings, as events. What this changes of the session's state is told after it.
        """

    def ended(self, state: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what of the shared state changes with a turn's end, however that came about; told and stored with it."""

    def changed_cards(self, turn: Turn) -> Sequence[Mapping[str, Any]]:
        """Return the cards of earlier turns that look different since this one: an answered question, a paused one."""

    def may_be_read(self, drawing: Snapshot) -> bool:
        """Tell whether a model may see what is written on a drawing: nothing may that comes before all teaching."""

    def may_rerun(self, turn: Turn) -> str:
        """Return why the turn must stay as it is, empty if it need not. Without a query: pages ask it of each turn."""

    def undo(self, turn: Turn) -> None:
        """Take back what `turn.undone` came to, inside the transaction in which this turn takes their place."""

    def decided(self, result: Mapping[str, Any]) -> str:
        """Return in a sentence what an agent's result decided, as a learner may read it; empty for nothing to tell."""

    def stands(self, key: str, value: Any) -> str:
        """Return in a sentence what a change of the shared state says of where things stand; empty for nothing."""

    def tested(self, session: Session) -> Sequence[tuple[int, str]]:
        """Return the numbers of turns in which a noticed idea was put to the test, each with the finding's name.

        The name is empty for what was noticed in that same turn.
        """

    def surroundings(self, session: Session) -> Mapping[str, Any]:
        """Return what the page shows beside the conversation: topic, mastery, milestones, the `stage` it is at, where
        things stand (`stands`), where its learner says how it is to go (`settings_url`), and how it goes just now (`pace`).
        """


CardRenderer = Callable[[Sequence[Mapping[str, Any]], Any, HttpRequest | None], Mapping[str, str]]
"""Cards of one kind, the person who sees them and their request, where there is one → card id → HTML."""

CardTexts = Callable[[Sequence[Mapping[str, Any]], Any], Mapping[str, str]]
"""Cards of one kind and the person whose they are → card id → what the card shows, as Markdown."""

CardStandings = Callable[[Sequence[Mapping[str, Any]], Any], Mapping[str, Mapping[str, Any]]]
"""Cards of one kind and the person whose they are → card id → fields that tell how the card stands now."""

_hosts: list[Host] = []
_card_renderers: dict[str, CardRenderer] = {}
_card_texts: dict[str, CardTexts] = {}
_card_contents: dict[str, type[BaseModel]] = {}
_card_standings: dict[str, CardStandings] = {}


def register_host(host: Host) -> None:
    """Let this host serve all sessions; there is one."""
    _hosts[:] = [host]


def the_host() -> Host:
    """Return who serves turns."""
    return _hosts[0]


def register_card(
    kind: str,
    renderer: CardRenderer,
    *,
    texts: CardTexts,
    content: type[BaseModel],
    standings: CardStandings | None = None,
) -> None:
    """Let these functions draw the cards of a kind, and put them in words; `content` tells clients what such a card holds.

    `standings` are for cards that change after they were shown.
    """
    if standings is not None:
        _card_standings[kind] = standings
    _card_renderers[kind] = renderer
    _card_texts[kind] = texts
    _card_contents[kind] = content


def card_contents() -> Mapping[str, type[BaseModel]]:
    """Return what a card of each kind holds beside its kind, its id and its text."""
    return _card_contents


def cards_html(
    cards: Sequence[Mapping[str, Any]], person: Any, *, request: HttpRequest | None = None
) -> dict[str, str]:
    """Return card id → HTML for cards of any kinds; a kind that nobody draws is left out."""
    html: dict[str, str] = {}
    for kind in {card["kind"] for card in cards} & _card_renderers.keys():
        html |= _card_renderers[kind]([card for card in cards if card["kind"] == kind], person, request)
    return html


def cards_text(cards: Sequence[Mapping[str, Any]], person: Any) -> dict[str, str]:
    """Return card id → Markdown for cards of any kinds; a kind that nobody puts in words is left out."""
    texts: dict[str, str] = {}
    for kind in {card["kind"] for card in cards} & _card_texts.keys():
        texts |= _card_texts[kind]([card for card in cards if card["kind"] == kind], person)
    return texts


def cards_as_they_stand(cards: Sequence[Mapping[str, Any]], person: Any) -> list[dict[str, Any]]:
    """Return the cards with their `text`, and with how they stand, as the person may read them now."""
    texts = cards_text(cards, person)
    standings: dict[str, Mapping[str, Any]] = {}
    for kind in {card["kind"] for card in cards} & _card_standings.keys():
        standings |= _card_standings[kind]([card for card in cards if card["kind"] == kind], person)
    return [{**card, **standings.get(card["id"], {}), "text": texts.get(card["id"], "")} for card in cards]


def with_texts(events: Iterable[dict[str, Any]], person: Any) -> list[dict[str, Any]]:
    """Return events as they go over the wire, each card among them as the person may read it now."""
    listed = list(events)
    cards = iter(cards_as_they_stand([each for each in listed if each["type"] == "card"], person))
    return [next(cards) if each["type"] == "card" else each for each in listed]
