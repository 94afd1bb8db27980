"""No embedded model runs while a transaction is open: it runs before, and the transaction starts again."""

import asyncio
import threading

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth import get_user_model
from django.db import transaction

from agents.local_models.inference import cached_inference
from agents.storage import transactions
from agents.storage.transactions import InferenceInTransaction, is_transaction_open, rerun_after_inference
from conversations.turns.writer import Writer

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def model():
    """A model that notes whether a transaction was open when it was run."""
    runs = []

    @cached_inference(remembered=8)
    def run(text):
        runs.append((text, is_transaction_open()))
        return text.upper()

    run.runs = runs
    return run


def stored():
    return list(get_user_model().objects.order_by("username").values_list("username", flat=True))


def store(model, *texts):
    with transaction.atomic():
        for text in texts:
            get_user_model().objects.create(username=model(text))
    return len(texts)


def test_transaction_begins_again_once_the_model_has_run(model):
    assert rerun_after_inference(store)(model, "a", "b") == 2
    assert model.runs == [("a", False), ("b", False)]
    assert stored() == ["A", "B"]


def test_outermost_transaction_is_the_one_that_begins_again(model):
    @rerun_after_inference
    def around():
        with transaction.atomic():
            get_user_model().objects.create(username="first")
            return rerun_after_inference(store)(model, "a")

    assert around() == 1
    assert model.runs == [("a", False)]
    assert stored() == ["A", "first"]


def test_what_is_remembered_needs_no_second_transaction(model):
    model("a")
    with transaction.atomic():
        assert model("a") == "A"


def test_model_in_a_transaction_that_cannot_begin_again_is_refused_here(model):
    with pytest.raises(InferenceInTransaction):
        store(model, "a")
    assert (model.runs, stored()) == ([], [])


def test_and_elsewhere_it_is_run_and_told(model, monkeypatch, log):
    monkeypatch.setattr(transactions, "raise_on_inference", False)
    assert store(model, "a") == 1
    assert log.named("model_ran_in_transaction")


def test_transaction_that_always_needs_another_run_ends(monkeypatch, log):
    monkeypatch.setattr(transactions, "raise_on_inference", False)

    @cached_inference(remembered=0)
    def forgotten(text):
        return text

    assert rerun_after_inference(store)(forgotten, "a") == 1
    assert log.named("model_ran_in_transaction")


def test_a_model_that_fails_fails_the_transaction(model):
    @cached_inference(remembered=8)
    def broken(text):
        raise ValueError(text)

    with pytest.raises(ValueError, match="a"):
        rerun_after_inference(store)(broken, "a")
    assert stored() == []


class TestWriter:
    @pytest.fixture
    async def writer(self):
        writer = Writer()
        yield writer
        await writer.close()

    async def test_unit_is_written_after_its_model_has_run(self, writer, model):
        assert await writer.write(lambda: store(model, "a", "b")) == 2
        assert model.runs == [("a", False), ("b", False)]
        assert await stored_in_thread() == ["A", "B"]

    async def test_others_do_not_wait_for_it(self, writer, model):
        runs, begun = threading.Event(), asyncio.Event()
        loop = asyncio.get_running_loop()

        @cached_inference(remembered=8)
        def slow(text):
            loop.call_soon_threadsafe(begun.set)
            runs.wait(10)
            return model(text)

        first = asyncio.create_task(writer.write(lambda: store(slow, "slow")))
        await begun.wait()
        model("quick")
        assert await writer.write(lambda: store(model, "quick")) == 1
        assert not first.done()
        runs.set()
        assert await first == 1

    async def test_what_waits_for_its_model_is_written_before_the_writer_closes(self, model):
        writer = Writer()
        writing = asyncio.create_task(writer.write(lambda: store(model, "a")))
        await asyncio.sleep(0)
        await writer.close()
        assert await writing == 1

    async def test_unit_whose_model_fails_fails_alone(self, writer, model):
        @cached_inference(remembered=8)
        def broken(text):
            raise ValueError(text)

        with pytest.raises(ValueError, match="a"):
            await writer.write(lambda: store(broken, "a"))
        assert await writer.write(lambda: store(model, "b")) == 1


def stored_in_thread():
    return sync_to_async(stored)()


def test_tests_own_transaction_is_none():
    atomic = transaction.atomic()
    atomic._from_testcase = True
    with atomic:
        assert not is_transaction_open()
        with transaction.atomic():
            assert is_transaction_open()
