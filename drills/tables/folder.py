"""What the round table needs in a data folder: the search index, a steward with a database, somebody's own words."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from drills.model_connection import connected
from tests.provider import Provider

FILL: Final = "from drills.tables.folder import fill; fill()"
"""Run by `manage.py shell` in the folder's environment."""
SECRET: Final = "My locker has the number quagga seventeen."
"""Another learner's words: nobody else may read them."""
OTHER: Final = "learner2"
RESERVED: Final = "contract_reader"
"""A collaborator that only staff may ask."""
SWITCHED_OFF: Final = "prospect_finder"


def fill() -> None:
    """Fill the data folder of this process."""
    # Models are there only once Django is set up.
    from conversations.models import Collaborator
    from conversations.round_table.roster import make_shipped_collaborators
    from conversations.search.index import update_index
    from conversations.turns.begin import begin_turn
    from learnagent.accounts.models import Person

    update_index()
    make_shipped_collaborators()
    Collaborator.objects.filter(name="data_steward").update(tools=["learning_data", "outside_database"])
    Collaborator.objects.filter(name=RESERVED).update(open_to=Collaborator.OpenTo.STAFF)
    Collaborator.objects.filter(name=SWITCHED_OFF).update(enabled=False)
    begin_turn(owner=Person.objects.get(username=OTHER), session_key="own", text=SECRET, client_id="own")


def make_outside_database(path: Path) -> None:
    """Make a database of a shop, with 1,000 sales."""
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE sales (id INTEGER PRIMARY KEY, region TEXT, amount INTEGER)")
        rows = [(number, ("north", "south")[number % 2], number) for number in range(1000)]
        database.executemany("INSERT INTO sales VALUES (?, ?, ?)", rows)
        database.commit()


def variables(provider: Provider, data: Path) -> dict[str, str]:
    """Return the environment of a server on a folder, whose models are the provider's."""
    # The breaker is off: no table finds a model left alone because of the one before it.
    own = {"OUTSIDE_DATABASE_URL": f"sqlite:///{outside_database(data)}", "DRILL_NO_BREAKER": "1"}
    return connected("anthropic", provider.url) | own


def outside_database(data: Path) -> Path:
    """Return where the connected database is: beside the data folders, because none of learnagent's own may be connected."""
    return data.with_name("outside.sqlite3")
