"""Whose a row is: the owner, and the lock on the owner's row."""

from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection

type Owner = Any
"""Whoever `AUTH_USER_MODEL` names: the one thing on the left that this room holds rows of."""


def lock_owner(owner: Owner) -> None:
    """Put whatever begins turns of this person, in any process, in a row until the transaction ends.

    The first lock to be taken: limits are counted, sessions begun and turns numbered behind it.
    """
    # SQLite has one writer anyway. NO KEY: rows that merely name the person need not wait.
    if connection.features.has_select_for_update:
        get_user_model()._base_manager.select_for_update(no_key=True).get(pk=owner.pk)
