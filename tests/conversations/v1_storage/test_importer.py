"""An import brings every row once, says what it could not bring, and goes on where it was stopped."""

import json
import os
import subprocess
import sys

import pytest
from django.db import connection

from conversations.models import Capture, Event, Message, Session, StorageTask, Turn, V1Import, V1RowProblem
from conversations.search.messages import search_messages
from conversations.v1_storage import importer
from conversations.v1_storage.capture_search import search_captures
from conversations.v1_storage.divergence import storage_divergence
from conversations.v1_storage.history import read_history
from conversations.v1_storage.importer import OtherOwner, adopt_orphans
from conversations.v1_storage.reconciler import reconcile
from drills.v1_file_maker import make_v1_file
from tests.conversations.turn_helpers import begun
from tests.conversations.v1_storage.v1_helpers import imported, read_from, refusing, row, texts_of, v1_file, verified

pytestmark = [pytest.mark.db, pytest.mark.django_db, pytest.mark.usefixtures("host")]


def counts(run):
    return {name: getattr(run, name) for name in ("imported", "already_there", "orphaned", "rejected")}


def everything():
    models = (Capture, Turn, Message, Event, Session, V1RowProblem, V1Import)
    return [list(model._base_manager.order_by("pk").values()) for model in models]


def test_imported_conversation_is_in_history_and_search(ada, tmp_path):
    run = imported(v1_file(tmp_path, row(1), row(2, "And größer thirds?", "Three of them.")), ada)
    assert counts(run) == {"imported": 2, "already_there": 0, "orphaned": 0, "rejected": 0}
    assert texts_of(ada) == [("Is a half more?", "Yes."), ("And größer thirds?", "Three of them.")]
    session = Session.objects.get(owner=ada)
    assert (session.title, str(session.updated_at)) == ("Is a half more?", "2025-03-01 10:00:00+00:00")
    assert {turn.status for turn in Turn.objects.all()} == {"done"}
    [found] = search_messages(ada, "grosser thirds", limit=5) or search_messages(ada, "größer thirds", limit=5)
    assert found.session == session
    assert [each.user_text for each in search_captures(ada, "größer of", limit=5)] == ["And größer thirds?"]
    assert search_captures(ada, "größer -three", limit=5) == []


def test_a_turns_events_can_be_followed_again(ada, tmp_path):
    imported(v1_file(tmp_path, row(1)), ada)
    bodies = list(Event.objects.order_by("seq").values_list("body", flat=True))
    assert [(body["seq"], body["type"]) for body in bodies] == [
        (1, "turn_started"), (2, "reply_text"), (3, "turn_finished"),
    ]  # fmt: skip
    assert {body["turn_id"] for body in bodies} == {str(Turn.objects.get().pk)}


def test_migrate_with_whatever_is_wrong_in_the_file(ada, ben, tmp_path):
    """R6: count and SHA-256 per conversation are equal; running again changes no row; orphans are told, not dropped."""
    path = tmp_path / "v1.sqlite3"
    made = make_v1_file(path, rows=1500, owners=["ada", "ben"], session_size=15)
    by_name = {"ada": ada, "ben": ben}
    owners = {session: by_name[name] for session, name in (line.split(",") for line in made.mapping.split())}
    run = imported(path, **owners)
    assert made.rejected > 5 < made.orphans
    assert (run.rejected, run.orphaned, run.handled) == (made.rejected, made.orphans, 1500)
    assert V1RowProblem.objects.filter(is_rejected=True).values("row").distinct().count() == made.rejected
    assert V1RowProblem.objects.filter(reason="duplicate").exists()
    result = verified(path)
    assert result.is_equal, result.differences
    assert (result.rows, result.rejected, result.orphaned) == (1500, made.rejected, made.orphans)
    before = everything()
    imported(path, **owners)
    assert everything() == before
    assert storage_divergence() == 0


def test_interrupted_import_goes_on_after_the_last_portion(ada, tmp_path, monkeypatch):
    """R6, F10"""
    monkeypatch.setattr(importer, "AT_ONCE", 10)
    path = v1_file(tmp_path, *(row(number, f"message {number}") for number in range(1, 96)))

    def stop(run):
        if run.handled == 30:
            raise KeyboardInterrupt

    with importer.V1File(path) as file, pytest.raises(KeyboardInterrupt):
        importer.import_file(file, file.summarize(), importer.SessionOwners(everybody=ada), progress=stop)
    assert (Capture.objects.count(), Turn.objects.count(), V1Import.objects.get().handled) == (30, 30, 30)
    run = imported(path, ada)
    assert (run.handled, run.imported, run.finished_at is not None) == (95, 95, True)
    assert [said for said, _ in texts_of(ada)] == [f"message {number}" for number in range(1, 96)]


def test_copy_of_the_file_with_new_rows_adds_those(ada, tmp_path):
    """R6: new writes meanwhile"""
    imported(v1_file(tmp_path, row(1)), ada)
    run = imported(v1_file(tmp_path, row(1), row(2, "New"), name="later.sqlite3"), ada)
    assert counts(run) == {"imported": 1, "already_there": 1, "orphaned": 0, "rejected": 0}
    assert len(texts_of(ada)) == 2


def test_conversation_that_went_on_here_keeps_its_turns(ada, tmp_path):
    """R6: new writes meanwhile"""
    begun(ada, key="s", text="written here")
    imported(v1_file(tmp_path, row(1)), ada)
    assert [said for said, _ in texts_of(ada)] == ["written here", "Is a half more?"]
    Turn.objects.filter(number=1).update(status="done")
    read_from("dual")
    assert [each.user_text for each in read_history(ada, "s")] == ["Is a half more?", "written here"]


def test_two_people_may_have_sessions_of_one_name(ada, ben, tmp_path):
    imported(v1_file(tmp_path, row(1, "of Ada")), ada)
    imported(v1_file(tmp_path, row(1, "of Ben"), name="bens.sqlite3"), ben)
    assert (texts_of(ada)[0][0], texts_of(ben)[0][0]) == ("of Ada", "of Ben")


def test_file_of_one_owner_is_not_imported_for_another(ada, ben, tmp_path):
    path = v1_file(tmp_path, row(1))
    imported(path, ada)
    with pytest.raises(OtherOwner, match="ada"):
        imported(path, ben)
    assert Capture.objects.count() == 1


def test_orphans_wait_for_an_owner(ada, ben, tmp_path):
    path = v1_file(tmp_path, row(1), row(2, session="t"), row(3, session="u"))
    run = imported(path, s=ada)
    assert counts(run) == {"imported": 1, "already_there": 0, "orphaned": 2, "rejected": 0}
    assert (texts_of(ada, "t"), storage_divergence()) == ([], 0)
    assert verified(path).orphaned == 2
    assert adopt_orphans("t", owner=ben.pk) == 1
    assert adopt_orphans("t", owner=ada.pk) == 0
    imported(path, s=ada, u=ben)
    assert (len(texts_of(ben, "t")), len(texts_of(ben, "u"))) == (1, 1)
    assert len(search_captures(ben, "half", limit=5)) == 2
    assert verified(path).equal == 3


def test_orphan_that_its_owner_has_already_is_not_doubled(ada, tmp_path):
    imported(v1_file(tmp_path, row(1)))
    imported(v1_file(tmp_path, row(1), row(2), name="later.sqlite3"), ada)
    assert [each.owner for each in Capture.objects.all()] == [ada, ada]
    assert adopt_orphans("s", owner=ada.pk) == 0


def test_answer_without_a_question_and_question_without_an_answer(ada, tmp_path):
    imported(v1_file(tmp_path, row(1, None, "Hello."), row(2, "Anybody?", None)), ada)
    assert texts_of(ada) == [("", "Hello."), ("Anybody?", "")]
    assert list(Turn.objects.order_by("number").values_list("kind", "status")) == [
        ("open", "done"),
        ("message", "stopped"),
    ]


def test_a_failing_v2_store_leaves_v1_committed_and_is_repaired(ada, tmp_path):
    """R4: v1's store is committed, the outbox says what is pending, the counter shows it, the reconciler repairs it."""
    path = v1_file(tmp_path, row(1), row(2))
    with refusing("conversations_turn"):
        run = imported(path, ada)
        assert (run.imported, Capture.objects.count(), Turn.objects.count()) == (2, 2, 0)
        assert (StorageTask.objects.count(), storage_divergence()) == (2, 2)
        assert not verified(path).is_equal
        assert reconcile().failed == 2
        assert set(StorageTask.objects.values_list("attempts", flat=True)) == {2}
    assert reconcile().repaired == 2
    assert (StorageTask.objects.count(), storage_divergence()) == (0, 0)
    assert verified(path).is_equal


@pytest.mark.skipif(connection.vendor != "sqlite", reason="the other process has a database of its own")
def test_kill_9_loses_nothing_and_running_again_changes_nothing(tmp_path, empty_database):
    """R6"""
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    (data / "learnagent.sqlite3").write_bytes(empty_database.read_bytes())
    path = v1_file(tmp_path, *(row(number, f"message {number}") for number in range(1, 1_001)))
    environment = {"LEARNAGENT_DATA": str(data), "DATABASE_URL": "", "DJANGO_SETTINGS_MODULE": "learnagent.settings"}
    program = [sys.executable, "-m", "tests.conversations.v1_storage.killed_import", str(path)]
    found = json.loads(subprocess.check_output(program, env=os.environ | environment, text=True))
    killed, *later = found["counts"]
    assert 300 <= killed[0] <= 1_000
    assert killed == [killed[0], killed[0], 2 * killed[0]]
    assert later == [[1_000, 1_000, 2_000]] * 2
    assert found["is_equal"]
