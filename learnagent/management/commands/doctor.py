"""`manage.py doctor`: what is configured and works, one line for each part."""

import asyncio
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from learnagent.operations.doctor import Finding, examine_installation
from learnagent.operations.model_examination import examine_models
from learnagent.operations.school_services_examination import examine_school_services
from learnagent.operations.service_examination import examine_services
from learnagent.operations.speech_examination import examine_speech


class Command(BaseCommand):
    help = (
        "Reports what is configured and reachable, and asks each model a few short questions. Exits with 1 if something "
        "that is needed is broken."
    )
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        broken = [finding.part for finding in examine_installation() if not self.tell(finding)]
        broken += [finding.part for finding in examine_school_services() if not self.tell(finding)]
        broken += asyncio.run(self.examine_outside())
        if broken:
            raise CommandError(f"broken: {'; '.join(broken)}")

    async def examine_outside(self) -> list[str]:
        broken = [finding.part async for finding in examine_services() if not self.tell(finding)]
        broken += [finding.part async for finding in examine_models() if not self.tell(finding)]
        return broken + [finding.part async for finding in examine_speech() if not self.tell(finding)]

    def tell(self, finding: Finding) -> bool:
        """Write the finding down; return whether the place does without what does not work."""
        label = "ok" if finding.works else "BROKEN" if finding.needed else "warn"
        self.stdout.write(f"{label:<6} {finding.part:<26} {finding.says}")
        return finding.works or not finding.needed
