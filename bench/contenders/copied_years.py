"""Copies a pupil's year to another pupil within the database: a statement for each table."""

from collections.abc import Mapping
from typing import Any, Final

SHORT_ID: Final = 8
"""Hexadecimal digits of a question's id that say whose copy it is."""


def copy_year(source: int, target: int, number: int) -> None:
    """Give the target what the source answered and reached. `number` is another one for each target."""
    from tutoring import models

    own = {"learner_id": str(target)}
    _copy(models.Ability, source, own)
    for table in (models.Mastery, models.Review, models.AnswerTally, models.MisconceptionState):
        _copy(table, source, own)
    _copy(models.Question, source, own | {"id": _new_id("t.id", number)})
    _copy(models.Attempt, source, own | {"question_id": _new_id("t.question_id", number)})
    _copy_changes(source, target, number)


def _copy(model: Any, source: int, values: Mapping[str, str]) -> None:
    names = [each.column for each in model._meta.concrete_fields if not (each.primary_key and each.column == "id")]
    names += [each for each in ("id",) if each in values]
    _run(_insert(model, names, values) + f" FROM {model._meta.db_table} t WHERE t.learner_id = {source}")


def _copy_changes(source: int, target: int, number: int) -> None:
    """Copy the changes of masteries, of which each belongs to a copied answer and a copied mastery."""
    from tutoring.models import Attempt, Mastery, MasteryChange

    names = [each.column for each in MasteryChange._meta.concrete_fields if not each.primary_key]
    values = {"attempt_id": "new_attempt.id", "mastery_id": "new_mastery.id"}
    attempts, masteries = Attempt._meta.db_table, Mastery._meta.db_table
    _run(
        _insert(MasteryChange, names, values) + f" FROM {MasteryChange._meta.db_table} t"
        f" JOIN {attempts} a ON a.id = t.attempt_id AND a.learner_id = {source}"
        f" JOIN {attempts} new_attempt ON new_attempt.question_id = {_new_id('a.question_id', number)}"
        f" JOIN {masteries} m ON m.id = t.mastery_id"
        f" JOIN {masteries} new_mastery ON new_mastery.learner_id = {target} AND new_mastery.concept_id = m.concept_id"
    )


def _insert(model: Any, names: list[str], values: Mapping[str, str]) -> str:
    columns = ", ".join(f'"{each}"' for each in names)
    chosen = ", ".join(values.get(each, f't."{each}"') for each in names)
    return f"INSERT INTO {model._meta.db_table} ({columns}) SELECT {chosen}"


def _new_id(column: str, number: int) -> str:
    """Return the expression for the id of a copied question."""
    from django.db import connection

    prefix = f"{number:0{SHORT_ID}x}"
    if connection.vendor == "postgresql":
        return f"('{prefix}' || substr({column}::text, {SHORT_ID + 1}))::uuid"
    return f"'{prefix}' || substr({column}, {SHORT_ID + 1})"


def _run(statement: str) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(statement)
