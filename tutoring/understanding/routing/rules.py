"""The team's routing rules, for short and clear messages; all else is left to the classifier.

A pattern stays only if it does better than the classifier with votes on the 2,799 examples, or is certain about
something learners often say. Three times as many patterns were right no more often (docs/explanation/routing.md).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.utils.translation import gettext_lazy as _

from agents.routing.rules import RoutingRule

Agent = Literal["diagnostic", "tutor", "quiz", "feedback", "pathplanner"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingSituation:
    """The state of a conversation that routing depends on; the default is a new conversation."""

    has_topic: bool = False
    in_quiz: bool = False
    """A quiz question is open."""
    quiz_paused: bool = False
    cycle_over: bool = False
    """The lesson's learning cycle has ended."""
    placing: bool = False
    """The diagnostic's questions are under way."""


NEW_CONVERSATION = RoutingSituation()


def _rule(
    agent: Agent | None, reason: object, *patterns: str, unless: str = "", **when: Any
) -> RoutingRule[RoutingSituation]:
    excused = re.compile(unless) if unless else None
    return RoutingRule(agent=agent, reason=reason, pattern=re.compile("|".join(patterns)), unless=excused, **when)


# "no more questions, explain it", "before you quiz me": what is named is not wanted, or not yet.
_MIXED = r"\b(?:no more|enough|stop|instead of|rather than|tired of|before (?:you|we)|then (?:quiz|test|ask|give)|(?:don't|no) (?:quiz|test|questions|explain))\b"

# "ok lets continue", "im back", "next one please": nothing but going on, so the current activity decides.
_ONWARDS = (
    r"^(?:(?:yes|yeah|ok(?:ay)?|sure|please|now|let's|i'm back|can we|got it|ready|done)\W+)*"
    r"(?:continue|go (?:on|ahead)|carry on|keep going|proceed|resume|back|ready|next(?: one)?)(?:\W+(?:please|now|then))*\W*$"
)
# Answers and helplessness during questions: "3/4", "(b)", "idk", "skip", "a hint".
_ANSWERING = (
    r"^(?:(?:i think|is it|it's|maybe) )?[-+]?\d[\d./, %]*\W*$|^\(?[a-h]\)?\W*$|\b(?:tell|give|show) me the (?:answer|solution)\b"
    r"|\b(?:don't|do not) know\b|\bno (?:idea|clue)\b|\bidk\b|\bdunno\b|^(?:skip|pass)\b|\bhint\b|\bclue\b|\bgive up\b"
)
# "placement test", "check what i already know", "find my level".
FINDS_LEVEL = re.compile(
    r"\bplacement\b|\bplace me\b|\b(?:entry|entrance|level|diagnostic)[ -]?(?:test|check)\b"
    r"|\b(?:how much|what) (?:of \w+ )?(?:do |that )?i (?:already |still )(?:know|remember)\b"
    r"|\b(?:check|find out|see) (?:how much|what) i (?:can|know)\b|\bmy (?:\w+ )?(?:starting point|level)\b"
)


# The first match wins: security, then the current activity, then wishes from specific to general. `unless` lists words
# with which the classifier does better ("test" in "what did i get wrong in the test" is no wish for one).
RULES: Sequence[RoutingRule[RoutingSituation]] = (
    _rule(None, _("The message asks the team to ignore its rules."),
          r"\b(?:ignore|disregard|forget|override|bypass) (?:\w+ ){0,3}(?:instructions?|rules|guidelines|prompts?|restrictions)\b",
          r"\b(?:system|initial|hidden) (?:prompt|instructions?)\b|\b(?:developer|jailbreak|dan|admin) mode\b|\byou are now\b"),
    _rule("quiz", _("The paused quiz continues."), _ONWARDS, applies=lambda now: now.quiz_paused),
    _rule("diagnostic", _(
        "These questions are about topics that your goal builds on."
    ), _ANSWERING, _ONWARDS, applies=lambda now: now.placing, stays=True),
    _rule("quiz", _("The quiz is underway."), _ANSWERING, _ONWARDS,
          applies=lambda now: now.in_quiz and not now.quiz_paused, stays=True),
    _rule("pathplanner", _(
        "The lesson is finished, so the path planner says what comes next."
    ), _ONWARDS, applies=lambda now: now.cycle_over),
    _rule("tutor", _("The lesson continues."), _ONWARDS, applies=lambda now: now.has_topic, stays=True),
    _rule("tutor", _("The message is a greeting or a thank-you."),
          r"^(?:(?:hi|hello|hey|hiya|good (?:morning|evening|night)|thanks?|thank you|bye|goodbye|see you|so much|very much|a lot|there|again"
          r"|ok(?:ay)?|great|cool|for (?:now|today|your help)|tomorrow|yes|no|sure|and)\W*)+$"),
    _rule("diagnostic", _("The message asks the team to check what the learner already knows."),
          FINDS_LEVEL.pattern,
          unless=rf"{_MIXED}|\bnext\b|\bwhy\b|\bshould i\b"),
    _rule("feedback", _("The message asks about answers or mistakes."),
          r"\bhow(?: am|'m) i doing\b|\bhow (?:well |badly )?(?:did|have) i (?:do(?:ne)?|go|perform(?:ed)?|score)\b",
          r"\b(?:what|which|where|how many)(?: \w+){0,4} (?:did|do) i (?:\w+ ){0,3}(?:wrong|right|well|badly|miss|mess up|mix up)\b",
          r"\bfeedback\b|\bmy (?:mistakes?|errors?|score|weak(?:ness|nesses| points?| spots?)|strengths?|performance)\b",
          r"\bwhy (?:is|was|were|isn't|wasn't) (?:it|that|this|the answer|my (?:\w+ )?answers?) (?:\w+ )?(?:wrong|incorrect)\b",
          unless=rf"{_MIXED}|\b(?:next (?!topic)|quiz me|test me|new topic|progress|plan|relationship)\b"),
    _rule("pathplanner", _("The message asks for something else right now."),
          r"\b(?:do|try|learn|have|practi[cs]e|work on|switch to) (?:something|anything) (?:else|different)"
          r"(?: (?:instead|now|first|today|please|for (?:a|the) (?:bit|while|change|moment)))*\W*$",
          r"\b(?:take|need|want|have) (?:a|another) (?:\w+ )?(?:break|pause|rest)\b"),
    _rule("pathplanner", _("The message asks what comes next or how much is left."),
          r"\bwhat(?:'s| is| comes)? next\W*$|\bwhat (?:should|shall|can|do) (?:i|we) (?:\w+ )?(?:next|now)\b|\bon track\b",
          r"\bwhat (?:should|shall) (?:i|we) (?:learn|study|review)\b|\b(?:my|show|see|overall|any) progress\b|\bhow far (?:am|have) i\b",
          r"\b(?:study|learning|revision|make (?:me )?a) (?:plan|path|schedule|timetable)\b|\b(?:to|the|'s) next (?:topic|lesson|unit)\b",
          unless=rf"{_MIXED}|\b(?:question|quiz|explain|stuck|step|errors|mistakes|test)\b"),
    _rule("quiz", _("The message asks for a quiz."),
          r"\b(?:quiz|drill|grill|challenge|examine) me\b|\btest (?:me|myself|us|my knowledge)\b|^(?:a |the |some |more )?(?:quiz|test|questions?)(?: (?:me|time|now|please))*\W*$",
          r"\b(?:(?:give|ask|set) me(?: an?)?|(?:start|begin|resume|want|take|back to) (?:an?|the|my)|more|another|some|few|practi[cs]e"
          r"|harder|easier|\d+|five|ten|quick) (?:\w+ ){0,2}?(?:questions?|problems?|exercises?|sums|drills?|quiz(?:zes)?)\b",
          unless=rf"{_MIXED}|\b(?:wrong|mistakes?|score|results?|marked|understand|explain|stuck|help|hint|why|should|which|when|plan|copy|first|skip|out of|question about|for my)\b"),
    _rule("diagnostic", _("The message names a new topic or goal."),
          r"\b(?:new|different) (?:topic|subject|course|goal)\b|\b(?:my|a new) (?:new |next )?(?:goal|aim) (?:\w+ ){0,3}?is\b|^my (?:goal|aim)\b",
          r"\b(?:(?:i'd|i would) (?:much )?rather|want to|like to|interested in|help me) (?:learn|study)(?:ing)? (?!something|anything)",
          r"^(?:(?:can|could|would|will) you |please |hi |hello )*teach me(?! (?:it|this|that)?(?: again| once| why| how come))\b",
          unless=rf"{_MIXED}|\b(?:why|which|after|before|how|order|plan|progress|back to|next (?!month|year)|this (?:step|line|bit|part))\b"),
    _rule("tutor", _("The message asks for help with the topic."),
          r"\b(?:give|need|want|have|get|another|an?|any) (?:me )?(?:an? |another |some )?(?:small |little )?(?:hint|clue)s?\b",
          r"\b(?:explain|(?:don't|can't) (?:\w+ )?(?:get|understand|follow)) (?:this|that|why|how|what|the)\b",
          unless=rf"{_MIXED}|\b(?:mistakes?|answers?|solution|results?|computer|marked|graded|marks?|points?|score|plan|app)\b"),
)  # fmt: skip
