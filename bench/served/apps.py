"""Puts the simulated team in the lessons' place."""

from django.apps import AppConfig


class ServedConfig(AppConfig):
    name = "bench.served"

    def ready(self) -> None:
        from agents.registry import roles
        from bench.served.team import ROLES, LightHost
        from conversations.hosts import register_host

        roles.update({role.name: role for role in ROLES})
        register_host(LightHost())
