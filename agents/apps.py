"""App config of agents. Each app registers its roles and graphs in modules named `roles` and `graphs`."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules
from django.utils.translation import gettext_lazy as _


class AgentsConfig(AppConfig):
    name = "agents"
    verbose_name = _("agents")

    def ready(self) -> None:
        from agents.conf import sandbox, services
        from agents.local_models import inference
        from agents.runtime.result_cache import with_result_cache
        from agents.storage import transactions
        from agents.tools import register_tool
        from agents.tools.calculator import CALCULATOR
        from agents.tools.code_executor import code_executor
        from agents.tools.network import network_tools

        inference.is_forbidden = transactions.forbids_inference
        for tool in (CALCULATOR, code_executor(sandbox), *map(with_result_cache, network_tools(services))):
            register_tool(tool)
        autodiscover_modules("roles", "graphs")
