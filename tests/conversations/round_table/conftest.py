"""A round table with a library of its own: what it finds is fixed, everything else is real."""

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from agents.conf import sdk_backends
from agents.engine.roles import accept_all
from agents.tools import Source, Tool, ToolUse
from agents.tools import tools as registered_tools
from conversations.models import Turn
from conversations.round_table.preparation import prepare_table
from conversations.round_table.start import begin_table
from conversations.tools.library import FoundPassage, LibraryArguments, LibraryPassages
from conversations.turns import handler
from conversations.turns.handler import MessageReading, PreparedRun
from conversations.turns.supervisor import Supervisor
from learnagent.configuration.language_models import OFFLINE
from tests.conversations.provider_helpers import LIMITS, models_of
from tests.conversations.turn_helpers import ScriptedHandler
from tests.provider import Provider

QUESTION = "Was the invention of the fraction more useful than zero? Discuss."
ALL = ("explainer", "sceptic", "example_finder", "historian", "practitioner")
TEXT = (
    "A fraction is a number that names equal parts of a whole. People in Egypt wrote fractions about four thousand years ago. "
    "For example, half a loaf is a fraction of a loaf. However, a fraction cannot have a zero below. "
    "You can use a fraction to share bread fairly."
)


def passage(text: str = TEXT, *, number: int = 1, likeness: float | None = 0.8, kind: Any = "article") -> FoundPassage:
    source = Source(id=f"passage-{number}", title=f"Text {number}", url=f"/library/{number}/", type=kind)
    return FoundPassage(source=source, heading="", where="", text=text, likeness=likeness)


class TableHandler(ScriptedHandler):
    """Serves every turn as a round table."""

    def prepare(self, turn: Turn, reading: MessageReading | None = None) -> PreparedRun:
        text = turn.messages.get(author="learner").text
        return prepare_table(turn, text, guard=accept_all)


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> list[FoundPassage]:
    """The passages that every search finds; a test may change them."""
    passages = [passage()]

    async def run(arguments: LibraryArguments, use: ToolUse) -> LibraryPassages:
        return LibraryPassages(passages=passages)

    found = Tool(name="library", description="Fixed.", arguments=LibraryArguments, run=run, is_untrusted=True)
    monkeypatch.setitem(registered_tools, "library", found)
    return passages


@pytest.fixture
def tables(supervisor: Supervisor, library: list[FoundPassage], settings: Any) -> Iterator[Supervisor]:
    """A supervisor of the test's own that serves round tables without a model."""
    settings.LLMS = dict.fromkeys(("strong", "fast", "vision", "offline"), OFFLINE)
    handler.register_turn_handler(TableHandler())
    return supervisor


@pytest.fixture
async def modelled(tables: Supervisor, provider: Provider, settings: Any) -> AsyncIterator[Provider]:
    """The same with a model behind every agent: a provider on this machine."""
    settings.LLMS = models_of(provider)
    settings.AGENTS = settings.AGENTS | {"model_limits": LIMITS}
    yield provider
    for backend in sdk_backends():
        await backend.aclose()


@pytest.fixture
def hold(tables: Supervisor) -> Callable[..., Any]:
    """Return a function that holds a person's table to its end and returns its turn."""

    async def held(person: Any, *, agents: Any = ALL, rounds: int = 3, text: str = QUESTION, **options: Any) -> Turn:
        begin = sync_to_async(begin_table)
        accepted = await begin(owner=person, text=text, agents=agents, rounds=rounds, **options)
        tables.start(accepted)
        await tables.finished(accepted.turn.pk)
        return await Turn.objects.select_related("session", "owner").aget(pk=accepted.turn.pk)

    return held
