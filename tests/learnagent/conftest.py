"""The stage of conversations, for the calls that reach it."""

from tests.conversations.conftest import connect, host, says, supervisor  # noqa: F401  # Fixtures.
