"""The storage mode is a flag: what it is on a new site, and which of its changes are refused while the storages differ."""

from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError

from agents.rollout.flags import GUARDED, change_flag, get_or_make_flag, mode_of, reset_rollout
from agents.rollout.known_flags import STORAGE
from conversations.models import Capture, Message
from conversations.v1_storage.divergence import storage_divergence
from conversations.v1_storage.modes import StorageMode, storage_mode, writes_captures
from conversations.v1_storage.reconciler import reconcile
from tests.conversations.v1_storage.test_dual_write import finished
from tests.conversations.v1_storage.v1_helpers import read_from

pytestmark = [pytest.mark.db, pytest.mark.django_db, pytest.mark.usefixtures("host")]
OFF, KILLED = {"percent": Decimal(0)}, {"killed": True}


def in_mode(was, /, **change):
    read_from(was)
    change_flag(STORAGE, **change)
    return storage_mode()


def test_new_site_reads_v2_and_writes_no_captures():
    assert (storage_mode(), writes_captures()) == (StorageMode.V2, False)


@pytest.mark.parametrize("off", [OFF, KILLED])
def test_flag_that_is_off_means_v1(off):
    assert in_mode("v2", **off) is StorageMode.V1
    assert writes_captures()


def test_mode_costs_no_query(django_assert_num_queries):
    storage_mode()
    with django_assert_num_queries(0):
        assert not writes_captures()


@pytest.mark.parametrize("was", StorageMode)
@pytest.mark.parametrize("will_be", StorageMode)
def test_every_change_is_possible_between_equal_storages(ada, was, will_be):
    read_from("dual")
    finished(ada)
    assert in_mode(was, mode=will_be) is will_be


@pytest.mark.parametrize(
    ("was", "change"),
    [("dual", {"mode": "v2"}), ("dual", {"mode": "v1"}), ("v1", {"mode": "dual"}), ("v2", {"mode": "v1"}), ("v2", OFF)],
)
@pytest.mark.parametrize("lacking", [Capture, Message])
def test_change_is_refused_while_the_storages_differ(ada, was, change, lacking):
    read_from("dual")
    finished(ada)
    lacking.objects.all().delete()
    with pytest.raises(ValidationError, match="differ in 1 place") as caught:
        in_mode(was, **change)
    assert caught.value.code == GUARDED
    assert storage_mode() == was
    read_from("dual")
    reconcile()
    assert in_mode(was, **change) != was


def test_change_from_v2_to_dual_is_always_possible(ada):
    """The reconciler then copies what v1's storage lacks."""
    finished(ada)
    assert storage_divergence(StorageMode.DUAL) == 1
    with pytest.raises(ValidationError, match="Change the read mode to dual"):
        change_flag(STORAGE, mode="v1")
    change_flag(STORAGE, mode="dual")
    with pytest.raises(ValidationError, match="Wait until the stores are reconciled"):
        change_flag(STORAGE, mode="v1")
    assert reconcile().repaired == 1
    assert change_flag(STORAGE, mode="v1").mode == "v1"


def test_kill_switch_works_and_is_released_whatever_v1_lacks(ada):
    finished(ada)
    change_flag(STORAGE, killed=True)
    assert mode_of(STORAGE) == "v1"
    change_flag(STORAGE, killed=False)
    assert mode_of(STORAGE) == "v2"


def test_kill_switch_is_not_released_while_v2_lacks_something(ada):
    read_from("dual")
    finished(ada)
    change_flag(STORAGE, killed=True)
    Message.objects.all().delete()
    with pytest.raises(ValidationError, match="differ in 1 place"):
        change_flag(STORAGE, killed=False)


def test_mode_may_be_chosen_while_the_flag_is_off(ada):
    finished(ada)
    change_flag(STORAGE, killed=True)
    assert change_flag(STORAGE, mode="dual").mode == "dual"
    assert storage_mode() is StorageMode.V1


def test_safe_rollout_leaves_the_mode_while_the_storages_differ(ada):
    finished(ada)
    assert list(reset_rollout()) == [STORAGE]
    assert storage_mode() is StorageMode.V2


def test_page_warns_of_what_the_kill_switch_means_and_switches(client, root, ada):
    client.force_login(root)
    page = f"/admin/agents/flag/{get_or_make_flag(STORAGE).pk}/"
    assert "differ" not in client.get(page, {"ask": "stop"}).content.decode().split('id="stop-title"')[1]
    finished(ada)
    warned = client.get(page, {"ask": "stop"}).content.decode().split('id="stop-title"')[1]
    assert "The two stores differ in 1 place. Change the read mode to dual" in warned
    assert "You can still switch it off," in warned
    assert client.post(f"{page}stop/", {"is_sure": "on"}).status_code == 302
    assert storage_mode() is StorageMode.V1
