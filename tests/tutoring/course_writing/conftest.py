from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Path) -> None:
    """Give each test a data folder of its own: courses are published into it."""
    settings.DATA_DIR = tmp_path
