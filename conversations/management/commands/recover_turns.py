"""Management command `recover_turns`: settles turns whose process died."""

import asyncio
from typing import Any

from django.core.management.base import BaseCommand

from agents.conf import close_sdk_backends
from conversations.turns.recovery import recover_orphans
from conversations.turns.supervisor import supervisor


class Command(BaseCommand):
    help = "Settles turns whose process died."

    def handle(self, *args: Any, **options: Any) -> None:
        settled = asyncio.run(self._recover())
        self.stdout.write(f"turns settled: {settled}")

    async def _recover(self) -> int:
        settled = 0
        while found := await recover_orphans():
            for turn_id in found:
                await supervisor.finished(turn_id)
            settled += len(found)
        await supervisor.close()
        await close_sdk_backends()
        return settled
