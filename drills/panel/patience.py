"""Gives the panel's agents DRILL_PATIENCE times their time: none is late because the machine is busy with other runs."""

import os
from dataclasses import replace

from django.apps import AppConfig

from agents.engine.registry import roles

PANEL = ("conversation", "analysis", "research", "panel_vision", "synthesis")
"""The agents' names as roles."""


class PatientPanelConfig(AppConfig):
    """Comes after the app whose roles it changes."""

    name = "drills.panel"
    label = "patience"

    def ready(self) -> None:
        for name in PANEL:
            roles[name] = replace(roles[name], timeout_s=roles[name].timeout_s * float(os.environ["DRILL_PATIENCE"]))
