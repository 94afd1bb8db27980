"""Names of the agents that open and close a round table, and how document-style clients spell names."""

from typing import Final

INITIATOR: Final = "initiator"
SUMMARIZER: Final = "summarizer"
LEARNER: Final = "learner"
"""Who sends the learner's words on the bus. No collaborator may have this name."""
GRAPH_NAME: Final = "round_table"
PAYLOAD_KEY: Final = "round_table"
"""In a turn's payload: what was asked of the table. In its answer: what the table came to."""

LEAD_KEY: Final = "lead"
"""In what was asked of the table: the collaborator that leads it."""
CONTINUES_KEY: Final = "continues"
"""In what was asked of the table: the id of the turn whose table goes on, so that its rounds are not held again."""


def role_name(round_number: int, seat: int) -> str:
    """Return the name of a collaborator's role in one round: each has its own, so that no round hides another's result."""
    return f"r{round_number}_{seat}"


def opening_role(round_number: int) -> str:
    """Return the name of the role in which a lead hands out its sub-questions in a round."""
    return f"r{round_number}_lead"


def from_wire(name: str) -> str:
    """Return an agent's name as it is stored; `data-steward` is `data_steward`."""
    return name.replace("-", "_")


def to_wire(name: str) -> str:
    """Return an agent's name as the round table's own calls spell it."""
    return name.replace("_", "-")
