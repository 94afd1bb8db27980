"""The panel's benchmark: what of a turn it calls coordination, and that it scripts and runs what the panel is made of."""

import pytest

from bench.contenders import panel_engine
from bench.harness import ROOT, percentile
from bench.live_server.panel_figures import agent_figures, longest_path_ms, reading_times_ms, turn_figures
from bench.live_server.panel_load import QUESTIONS, AnsweredTurn
from bench.live_server.panel_models import AGENTS, UNDERSTANDING
from bench.live_server.panel_place import ModelCallTime
from conversations.graphs import PANEL
from conversations.panel.classification import classify

COMPLEX = AnsweredTurn(
    kind="complex_query",
    id="a1",
    ms=1040.0,
    agents_ms={"conversation": 810.0, "analysis": 260.0, "research": 60.0, "synthesis": 160.0},
)
CALLS = [ModelCallTime("conversation", "a1", 805.0), ModelCallTime(UNDERSTANDING, "a1", 30.0)]


def test_longest_path_takes_the_slowest_agent_of_each_step() -> None:
    assert longest_path_ms(COMPLEX) == 970.0


def test_longest_path_of_a_picture_has_research_after_vision() -> None:
    agents_ms = {"vision": 1210.0, "conversation": 810.0, "analysis": 260.0, "research": 60.0, "synthesis": 160.0}
    assert longest_path_ms(AnsweredTurn(kind="visual_query", id="b2", ms=1500.0, agents_ms=agents_ms)) == 1430.0


def test_coordination_is_neither_the_agents_nor_the_model_that_read_the_message() -> None:
    figures = turn_figures([COMPLEX], reading_ms=reading_times_ms(CALLS))
    assert (figures["p50_ms"], figures["coordination_p50_ms"]) == (1040.0, 40.0)


def test_agent_that_asks_no_model_says_so() -> None:
    rows = agent_figures([COMPLEX], CALLS)
    assert rows["agent conversation"]["model_ms"] == 800.0
    assert "model_ms" not in rows["agent research, asks no model"]


@pytest.mark.parametrize(("values", "p50", "p95"), [([], 0, 0), ([3.0], 3, 3), ([*range(1, 101)], 50.5, 95.95)])
def test_percentile_of_none_one_and_many(values: list[float], p50: float, p95: float) -> None:
    assert (percentile(values, 50), percentile(values, 95)) == pytest.approx((p50, p95))


def test_simulated_graph_is_the_panels() -> None:
    assert panel_engine.GRAPH.root == PANEL.root


def test_questions_are_of_their_kinds() -> None:
    assert {kind: classify(text, has_picture=kind == "visual_query") for kind, text in QUESTIONS.items()} == {
        kind: kind for kind in QUESTIONS
    }


def test_scripts_are_for_prompts_that_there_are() -> None:
    prompts = [path.read_text() for app in ("conversations", "tutoring") for path in (ROOT / app).rglob("prompts/*.md")]
    assert [name for name, agent in AGENTS.items() if not any(agent.prompt in prompt for prompt in prompts)] == []
