"""Routing of one message: by a rule, else by keywords, else by the classifier and the votes; below a threshold it is unsure."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from agents.routing.classifier import Classification, load_classifier
from agents.routing.decision import RoutingDecision, RoutingReasons, RoutingStrategy, RoutingThresholds
from agents.routing.features import OUT_OF_SCOPE
from agents.routing.keywords import KeywordIndex
from agents.routing.rules import RoutingRule, first_matching_rule

type Votes = Mapping[str, float]
"""Agent, or OUT_OF_SCOPE → probability (0–1) that another analysis gives it."""
# A convention, not a measurement: it equals CERTAINTY_THRESHOLD, so that no model is asked where a rule decided.
RULE_CONFIDENCE = 0.95
# On the 2,799 routing examples (held out) 2,572 go right with votes, 2,565 without; if an intent above .8 simply won,
# 2,563. The floor keeps a wrong intent from ruling out an agent that the classifier is sure of.
VOTES_SHARE, VOTE_FLOOR = 0.5, 0.1
"""The exponent of a vote, where the classifier's is 1; and what is added to each vote."""


def route_message[Situation](
    text: str,
    *,
    rules: Sequence[RoutingRule[Situation]],
    situation: Situation,
    examples: Path,
    thresholds: RoutingThresholds,
    reasons: RoutingReasons,
    votes: Votes | None = None,
    words: KeywordIndex | None = None,
) -> RoutingDecision:
    """Return which agent serves a plain text; the classifier is fitted on `examples`. 5 ms; 2 s once per process."""
    if decided := route_by_rules_and_words(text, rules=rules, situation=situation, reasons=reasons, words=words):
        return decided
    guess = _classify_with_votes(text, examples, votes) if votes else load_classifier(examples).classify(text)
    agent, reason = guess.label, reasons.sounds_like[guess.label]
    unsure = guess.confidence < (thresholds.sure if agent else thresholds.surely_nothing)
    if unsure:
        asked, reason = reasons.asks
        agent = asked or agent
    return RoutingDecision(
        agent=agent, strategy="classifier", confidence=guess.confidence, reason=str(reason), unsure=unsure
    )


def route_by_rules_and_words[Situation](
    text: str,
    *,
    rules: Sequence[RoutingRule[Situation]],
    situation: Situation,
    reasons: RoutingReasons,
    words: KeywordIndex | None,
) -> RoutingDecision | None:
    """Return the decision of the steps that need no model, in under 1 ms; None if they decide nothing."""
    if rule := first_matching_rule(text, rules, situation):
        strategy: RoutingStrategy = "current" if rule.stays else "rule"
        return RoutingDecision(agent=rule.agent, strategy=strategy, confidence=RULE_CONFIDENCE, reason=str(rule.reason))
    if words is None or (named := words.decide(text)) is None:
        return None
    reason = str(reasons.names) % {"words": ", ".join(word.rstrip("*") for word in named.words)}
    return RoutingDecision(agent=named.agent, strategy="keyword", confidence=named.confidence, reason=reason)


def _classify_with_votes(text: str, examples: Path, votes: Votes) -> Classification:
    """Return the likeliest agent by the product of classifier and votes, taken as nearly independent."""
    likely = load_classifier(examples).probabilities(text)
    joint = {label: share * (votes.get(label, 0.0) + VOTE_FLOOR) ** VOTES_SHARE for label, share in likely.items()}
    best = max(joint, key=joint.__getitem__)
    return Classification(label=best if best != OUT_OF_SCOPE else None, confidence=joint[best] / sum(joint.values()))
