from collections.abc import Iterator

import pytest

from tests.outside import Outside, World


@pytest.fixture
def world() -> Iterator[World]:
    with Outside() as server:
        yield World(server)
