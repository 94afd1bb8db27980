"""Guard of the storage mode: what is read must not change while the storages differ."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.rollout.rule import RolloutRule
from conversations.v1_storage.divergence import storage_divergence
from conversations.v1_storage.modes import StorageMode, mode_by


def guard_mode(before: RolloutRule, after: RolloutRule) -> str:
    """Return why the mode must not change in this way now; empty if it may. Counts the divergence, if that matters."""
    was, will_be = mode_by(before), mode_by(after)
    # From v2 to dual, nothing is hidden, and it is how v1's storage gets what was not written to it in v2.
    if was is will_be or (was, will_be) == (StorageMode.V2, StorageMode.DUAL):
        return ""
    # From v1 to v2, only v2's storage has to be complete: a kill switch can be released at once.
    is_release = (was, will_be) == (StorageMode.V1, StorageMode.V2)
    divergence = storage_divergence(StorageMode.V2 if is_release else StorageMode.DUAL)
    if not divergence:
        return ""
    words = ngettext(
        "The two stores differ in %(count)d place.", "The two stores differ in %(count)d places.", divergence
    )
    return f"{words % {'count': divergence}} {_what_to_do(was)}"


def _what_to_do(was: StorageMode) -> str:
    if was is StorageMode.V2:
        # Waiting alone does not help: no captures are written in this mode.
        return _("Change the read mode to dual, wait until the stores are reconciled, then try again.")
    return _("Wait until the stores are reconciled, then try again.")
