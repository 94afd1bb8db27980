"""The reference of the agents, from the registry, and the example of an agent from the file that the tests run.

`python -m tests.agents_reference` writes docs/agents.md.
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import django

from agents.engine.registry import roles
from agents.engine.roles import Role

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "agents.md"
EXAMPLE = ROOT / "tests" / "agents" / "example_agent.py"
GROUPS: Mapping[str, str] = {
    "conversations.panel.": "Agents of the panel",
    "tutoring.side_agents.": "Side agents",
    "tutoring.planner.": "Agents of the planner",
    "": "The team and its helpers",
}
"""The start of the name of the module that has an agent's plan → heading, the first that fits."""
HEAD = """# The agents

This page lists all agents in the program. An *agent* is a part of the program with its own task, such as the tutor.
There are four groups of agents: the [panel](explanation/panel.md) answers open-ended questions, the
[side agents](explanation/side-agents.md) examine each message while the tutor is answering it, the agents of the planner
keep tasks, events, meals and notes, and the [team](explanation/team.md) teaches the lessons. The command `python -m tests.agents_reference` generates this page from
the code.

The tables have these columns:

- **Agent:** the agent's name in [events](reference/events.md), in `GET /v2/agents` and in the
  [metrics](operations.md#collect-metrics). Two agents are called "vision".
- **Task:** what the agent does. Some descriptions call the learner "you".
- **Time limit:** how long the agent may take before the program stops it.
- **Model:** which of the three [models](how-to/connect-a-model.md#choose-the-models) the agent uses. Most agents also
  work without a model.
- **Tools:** the [tools](reference/tools.md) that the agent may use.
- **Result:** the fields of the result that the agent returns to the program and other agents.
"""
TABLE = "| agent | task | time limit | model | tools | result |\n| --- | --- | --- | --- | --- | --- |"
ADDING = """## Add an agent

To add an agent, write a Python file. The following example defines an agent with a `plan` function, a result, a prompt
and a tool. The `plan` function decides what the agent says and does. The example also defines a *graph*, which
determines which agents run and in what order. This graph contains only one agent.

```python
{example}```

To use this example, follow these steps:

1. Save the file as `learnagent/roles.py`. When the program starts, it imports the `roles` module of every Django app.
   If you have more than one agent, create a package `learnagent/roles/` instead, with one file for each agent. Import
   these files in the package's `__init__.py`.
2. Restart the server. The agent now appears in `GET /v2/agents`, and admins can edit its prompt on the admin pages.
3. Run the agent's graph with `agents.engine.runner.run`. For an example, see `tests/agents/test_example_agent.py`,
   which runs the code above with and without a model.

Your agent does not answer messages in conversations yet. For each message, the turn handler
(`tutoring/turn_handler.py`) chooses the graph to run. Change the turn handler so that it chooses your agent's graph for
the messages that your agent should answer (see [Add a role](../CONTRIBUTING.md#add-a-role)).
"""


def page() -> str:
    """Return the reference as Markdown."""
    grouped: dict[str, list[Role]] = {heading: [] for heading in GROUPS.values()}
    for role in sorted(roles.values(), key=lambda role: (role.public_name, role.name)):
        grouped[_heading_for(role)].append(role)
    lines = [HEAD]
    for heading, listed in grouped.items():
        lines += [f"## {heading}", "", TABLE, *map(_row, listed), ""]
    return "\n".join([*lines, ADDING.format(example=EXAMPLE.read_text(encoding="utf-8"))])


def _heading_for(role: Role) -> str:
    return next(heading for start, heading in GROUPS.items() if role.plan.__module__.startswith(start))


def _row(role: Role) -> str:
    internal = f" (registered as `{role.name}`)" if role.known_as else ""
    purpose = str(role.purpose).rstrip(".")
    fields = _listed(role.result.model_fields if role.result else ())
    cells = (
        f"{role.public_name}{internal}",
        f"{purpose[:1].lower()}{purpose[1:]}",
        f"{role.timeout_s:g} s",
        role.tier,
        _listed(role.tools),
        fields,
    )
    return f"| {' | '.join(cells)} |"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "learnagent.settings")
    django.setup()
    PAGE.write_text(page(), encoding="utf-8")
