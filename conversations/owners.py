"""Owners of rows, and the lock on an owner's row."""

from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection

type Owner = Any
"""An instance of `AUTH_USER_MODEL`, which this app does not import."""


def lock_owner(owner: Owner) -> None:
    """Serialize everything that starts turns of this person, in all processes, until the transaction ends.

    Take this lock first: limits are counted, sessions created and turns numbered under it.
    """
    # SQLite has one writer anyway. NO KEY: rows that only reference the person need not wait.
    if connection.features.has_select_for_update:
        people = get_user_model()
        table = connection.ops.quote_name(people._meta.db_table)
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT id FROM {table} WHERE id = %s FOR NO KEY UPDATE", [owner.pk])
            if cursor.fetchone() is None:
                raise people.DoesNotExist
