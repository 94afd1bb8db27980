from collections.abc import Iterator

import pytest

from tests.fake_services import FakeServer, World


@pytest.fixture
def world() -> Iterator[World]:
    with FakeServer() as server:
        yield World(server)
