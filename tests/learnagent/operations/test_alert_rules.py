"""The shipped alert rules ask for metrics that exist, and say what to do."""

import re

import pytest
import yaml
from prometheus_client import generate_latest

from learnagent.configuration.environment import ROOT
from learnagent.operations.metrics import SiteMetrics

RULES_FILE = ROOT / "deploy" / "prometheus-alerts.yaml"
RULES = [rule for group in yaml.safe_load(RULES_FILE.read_text())["groups"] for rule in group["rules"]]
INCIDENTS = (ROOT / "docs" / "operations.md").read_text().partition("\n## Incidents\n")[2].partition("\n## ")[0]
SECTIONS = {title.lower().replace(" ", "-") for title in re.findall(r"^### (.+)$", INCIDENTS, re.MULTILINE)}
SELECTOR = r"[a-z_]+(?:\{[a-z]+=\"[a-z]+\"\})?(?:\[\d+[mh]\])?"
NUMBER = r"[\d.]+(?:e\d+)?"
EXPRESSION = re.compile(
    rf"(?:{SELECTOR}|[a-z_]+\({SELECTOR}(?:, {NUMBER}(?: \* {NUMBER})?)?\)|[a-z]+ by \([a-z, ]+\) \({SELECTOR}\))"
    rf" (?:>|<|==) {NUMBER}"
)
"""One selector, or one function or aggregation of it, compared with a number: all that these rules need."""


@pytest.mark.django_db
def test_metrics_exist():
    told = generate_latest(SiteMetrics()).decode()
    names = set(re.findall(r"^# TYPE (\S+) ", told, re.MULTILINE)) | {"up"}
    for rule in RULES:
        asked = re.findall(r"\b(?:learnagent_\w+|up)\b", rule["expr"])
        assert asked, rule
        assert {*asked} <= names, rule["alert"]


@pytest.mark.parametrize("rule", RULES, ids=[rule["alert"] for rule in RULES])
def test_rule_is_complete(rule):
    assert EXPRESSION.fullmatch(rule["expr"]), rule["expr"]
    assert re.fullmatch(r"\d+[mh]", rule.get("for", "0m"))
    assert rule["labels"]["severity"] in {"warning", "critical"}
    assert rule["annotations"]["summary"].endswith((".", "in the log."))
    page, _, section = rule["annotations"]["todo"].partition("#")
    assert (page, section in SECTIONS) == ("docs/operations.md", True)


def test_every_section_has_a_rule_and_every_name_is_used_once():
    assert {rule["annotations"]["todo"].partition("#")[2] for rule in RULES} == SECTIONS
    names = [rule["alert"] for rule in RULES]
    assert len(names) == len({*names})
