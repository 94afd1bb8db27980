"""Deciding whose a message is: by a rule, else by the classifier and the votes together, else it is unsure."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from agents.routing.classifier import OUT_OF_SCOPE, Guess, classifier_of
from agents.routing.rules import Rule, first_fitting
from agents.routing.values import Reasons, Routed, Strategy, Thresholds

type Votes = Mapping[str, float]
"""Agent, or OUT_OF_SCOPE → how likely the message is for it, 0–1, by another reading of it."""
RULE_CONFIDENCE = 0.95
VOTES_SHARE, DOUBT = 0.5, 0.1
"""The power of a vote, where the classifier's is 1; and what is added to each, so that no vote rules an agent out."""


def decide[Situation](
    text: str,
    *,
    rules: Sequence[Rule[Situation]],
    situation: Situation,
    examples: Path,
    thresholds: Thresholds,
    reasons: Reasons,
    votes: Votes | None = None,
) -> Routed:
    """Return which agent serves a plain text; `examples` is what the classifier is fitted on. 5 ms, and 2 s once in a process."""
    if rule := first_fitting(text, rules, situation):
        strategy: Strategy = "current" if rule.stays else "rule"
        return Routed(agent=rule.agent, strategy=strategy, confidence=RULE_CONFIDENCE, reason=str(rule.reason))
    guess = _voted(text, examples, votes) if votes else classifier_of(examples).classify(text)
    agent, reason = guess.label, reasons.sounds_like[guess.label]
    unsure = guess.confidence < (thresholds.sure if agent else thresholds.surely_nothing)
    if unsure:
        agent, reason = reasons.asks
    return Routed(agent=agent, strategy="classifier", confidence=guess.confidence, reason=str(reason), unsure=unsure)


def _voted(text: str, examples: Path, votes: Votes) -> Guess:
    """Return the likeliest agent by the classifier and the votes, as two readings that hardly know of each other."""
    likely = classifier_of(examples).probabilities(text)
    joint = {label: share * (votes.get(label, 0.0) + DOUBT) ** VOTES_SHARE for label, share in likely.items()}
    best = max(joint, key=joint.__getitem__)
    return Guess(label=best if best != OUT_OF_SCOPE else None, confidence=joint[best] / sum(joint.values()))
