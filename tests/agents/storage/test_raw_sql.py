"""Rows written in plain SQL are those that the ORM would have written."""

import uuid

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from agents.models import AgentCall, Flag, Run
from agents.storage import raw_sql
from agents.storage.raw_sql import columns_of, find_row, insert_row, insert_rows, read_rows, update_row

pytestmark = [pytest.mark.db, pytest.mark.django_db]

RUN = {"id": uuid.UUID(int=7), "turn_id": uuid.UUID(int=8), "graph": "panel", "aborted": True}
CALL = {"run_id": RUN["id"], "number": 1, "agent": "tutor", "ending": "answered", "ms": 1.5, "remarks": ["cut", "leak"]}


def values(row):
    skipped = {"id", "created_at"}
    return {
        column.attname: getattr(row, column.attname)
        for column in row._meta.concrete_fields
        if column.attname not in skipped
    }


def test_are_as_the_orm_writes_them():
    insert_rows(Run, [RUN])
    insert_rows(AgentCall, [CALL, CALL | {"number": 2, "remarks": []}])
    ours = [Run.objects.get(), *AgentCall.objects.order_by("number")]
    made = [Run(**RUN), AgentCall(**CALL), AgentCall(**CALL | {"number": 2, "remarks": []})]
    assert [values(row) for row in ours] == [values(row) for row in made]


def test_are_read_as_the_orm_reads_them():
    insert_rows(Run, [RUN])
    insert_rows(AgentCall, [CALL])
    for model in (Run, AgentCall):
        table = model._meta.db_table
        [(row, rest)] = read_rows(model, f"SELECT {columns_of(model)}, 7 FROM {table} WHERE 1 = %s", [1])
        assert list(rest) == [7]
        assert vars(row) | {"_state": None} == vars(model.objects.get()) | {"_state": None}
        assert not row._state.adding


def test_a_row_is_found_by_its_key():
    insert_rows(Run, [RUN])
    stored = Run.objects.get()
    assert vars(find_row(Run, stored.pk)) | {"_state": None} == vars(stored) | {"_state": None}
    part = find_row(Run, stored.pk, without=("graph",))
    assert part.get_deferred_fields() == {"graph"}
    assert part.graph == stored.graph
    assert find_row(Run, uuid.uuid4()) is None


def test_what_is_not_named_gets_the_models_default():
    insert_rows(Run, [RUN])
    run = Run.objects.get()
    assert (run.waits, run.person_id) == (False, None)
    assert run.created_at.tzinfo is not None


def test_object_that_was_inserted_can_be_saved():
    run = Run(**RUN, created_at=timezone.now())
    insert_row(run)
    run.graph = "alone"
    run.save(update_fields=["graph"])
    assert Run.objects.get().graph == "alone"


def test_object_that_was_inserted_has_the_key_that_the_database_gave_it():
    insert_rows(Run, [RUN])
    first, second = AgentCall(**CALL), AgentCall(**CALL | {"number": 2, "remarks": []})
    insert_row(first)
    insert_row(second)
    assert [(row.pk, values(row)) for row in (first, second)] == [
        (row.pk, values(row)) for row in AgentCall.objects.order_by("number")
    ]


def test_nothing_is_asked_for_no_rows(django_assert_num_queries):
    with django_assert_num_queries(0):
        insert_rows(Run, [])


def test_constraints_hold():
    insert_rows(Run, [RUN])
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_rows(Run, [RUN])


def test_update_writes_what_is_named_and_nothing_else():
    flag = Flag.objects.create(name="one", salt="a", allowed=["ada"])
    other = Flag.objects.create(name="two", salt="b")
    flag.salt, flag.allowed, flag.killed = "c", ["ben", "🥧"], True
    update_row(flag, "salt", "allowed")
    flag.refresh_from_db()
    other.refresh_from_db()
    assert (flag.salt, flag.allowed, flag.killed, other.salt) == ("c", ["ben", "🥧"], False, "b")


def test_update_writes_nothing_once_a_value_has_changed():
    flag = Flag.objects.create(name="one", salt="a")
    flag.salt = "b"
    assert update_row(flag, "salt", still={"salt": "a"})
    flag.salt = "c"
    assert not update_row(flag, "salt", still={"salt": "a"})
    flag.refresh_from_db()
    assert flag.salt == "b"


def test_many_rows_are_inserted_in_portions(monkeypatch):
    monkeypatch.setattr(raw_sql, "ROWS_AT_ONCE", 2)
    insert_rows(Run, [RUN])
    calls = [CALL | {"number": number, "ms": number + 0.5} for number in range(1, 6)]
    insert_rows(AgentCall, calls)
    stored = list(AgentCall.objects.order_by("number").values_list("number", "ms"))
    assert stored == [(1, 1.5), (2, 2.5), (3, 3.5), (4, 4.5), (5, 5.5)]
