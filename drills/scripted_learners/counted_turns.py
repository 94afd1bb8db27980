"""Turns with ids by a seed instead of by chance, in the server of a drill: a turn's id chooses wordings and exercises."""

import os
import uuid
from collections import Counter
from typing import Any

from django.apps import AppConfig
from django.db.models.signals import pre_init


class CountedTurnsConfig(AppConfig):
    name = "drills.scripted_learners.counted_turns"
    label = "counted_turns"

    def ready(self) -> None:
        from conversations.models import Turn

        pre_init.connect(TurnNumbering(os.environ["DRILL_SEED"]), sender=Turn, weak=False)


class TurnNumbering:
    """Numbers the turns of each learner from 1, and makes ids of the numbers."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._numbers: Counter[str] = Counter()

    def __call__(self, *, args: tuple[Any, ...], kwargs: dict[str, Any], **_: Any) -> None:
        # A row that is read comes with positional values; only a new turn has names and no id.
        if args or "id" in kwargs:
            return
        owner = str(kwargs.get("owner") or kwargs.get("owner_id"))
        self._numbers[owner] += 1
        kwargs["id"] = uuid.uuid5(uuid.NAMESPACE_OID, f"{self._seed}:{owner}:{self._numbers[owner]}")
