"""Management command `reconcile_storages`: repairs what differs between v1's and v2's storage."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from conversations.v1_storage.divergence import storage_divergence
from conversations.v1_storage.reconciler import reconcile


class Command(BaseCommand):
    help = "Repairs differences between v1's and v2's stores. Exits with 1 if the stores still differ."

    def handle(self, *args: Any, **options: Any) -> None:
        done = reconcile()
        left = storage_divergence()
        self.stdout.write(f"repaired: {done.repaired}, failed: {done.failed}, divergence: {left}")
        if left:
            raise CommandError(f"{left} exchanges still differ. Look at the imports page of the admin for the reasons.")
