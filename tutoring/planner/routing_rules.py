"""Routing rules of the companion, for clear requests; all else is left to the keywords and the classifier.

The patterns see plain text in lower case. A rule names what is asked to be done, not what is talked about: "the calendar
was invented by" and "remind me how to divide" are no requests to the planner.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from django.utils.translation import gettext_lazy as _

from agents.routing.rules import RoutingRule

CompanionAgent = Literal["task", "event", "food", "memory"]
COMPANION_AGENTS: Final[tuple[CompanionAgent, ...]] = ("task", "event", "food", "memory")


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanionSituation:
    """What routing depends on besides the message."""

    current: str = ""
    """The agent that served the message before; empty for none."""


def _rule(
    agent: CompanionAgent | None, reason: object, *patterns: str, unless: str = "", **when: Any
) -> RoutingRule[CompanionSituation]:
    excused = re.compile(unless) if unless else None
    return RoutingRule(agent=agent, reason=reason, pattern=re.compile("|".join(patterns)), unless=excused, **when)


_POLITE = r"^(?:(?:please|hey|hi|hello|ok(?:ay)?|and|also|so|oh|now|can|could|would|will|you|i want you to|just)\W+)*"
# What is said about words, or asked to be explained, is a question of a lesson.
_ABOUT_WORDS = (
    r"\b(?:meaning|mean|means|spell|translate|definition|noun|verb|adjective|sentence|grammar|synonym|poem|story|invented|history of|past tense"
    r"|explain|how do you say|what(?:'s| is) an? (?!good|easy|quick))\b"
)
_FIGURES = r"\d|\b(?:half|halves|thirds?|quarters?|fifths?|eighths?|dozen)\b"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_DAY = (
    rf"(?:\b{_WEEKDAY}\b|\b(?:today|tonight|tomorrow|tmrw|weekend|next week|this week|in the (?:morning|evening|afternoon))\b|\bat (?:\d|half|quarter"
    r"|one|two|three|four|five|six|seven|eight|nine|ten|eleven|noon)|\b\d{1,2}(?:st|nd|rd|th)\b|\b\d{1,2}(?::\d\d)? ?[ap]\.?m\b)"
)
_DATED = (
    r"(?:test|exam|match|game|concert|practi[cs]e|training|rehearsal|recital|appointment|appt|party|meeting|trip|competition|tournament|dentist"
    r"|doctor|choir|judo|football|soccer|basketball|swimming|tennis|piano|guitar|band|chess club|lesson|class)"
)
_MEAL = r"(?:breakfast|lunch|dinner|supper|brunch|snacks?|meals?)"
# "Anna has 12 apples, how many", "a train leaves at 9:15 and arrives": figures with a question about them.
_SUM_ASKED = r"\bhow (?:many|much|long|far)\b(?! (?:days|weeks|time|free|sleep)\b)|\b(?:what|which) (?:fraction|part|share|percentage)\b|\baltogether\b|\bin total\b|\bwhen (?:does|did) (?:it|she|he)\b"

# What goes on with another agent than the one that spoke last, because it has words of its own.
_EATS = rf"\b(?:{_MEAL}|eat|eating|ate|eaten|hungry|starving|cook|cooking|recipes?|dairy|gluten|vegan|vegetarian)\b"
_DOES = r"\b(?:remind|homework|to-?do|shopping list|my list|due|hand in)\b"
_MEETS = r"\b(?:appointment|dentist|calendar|timetable|rehearsal|am i free|do i have time)\b"
_OTHERS = {
    "task": f"{_EATS}|{_MEETS}",
    "event": f"{_EATS}|{_DOES}",
    "food": f"{_DOES}|{_MEETS}",
    "memory": f"{_EATS}|{_DOES}|{_MEETS}",
}

# The first match wins. First what only sounds like a request; then what is to be remembered, because "remember that the
# test is on page 5" names other agents' words; then the requests; last, what goes on with the agent before.
RULES: Sequence[RoutingRule[CompanionSituation]] = (
    _rule(None, _("The message asks to ignore the rules."),
          r"\b(?:ignore|disregard|forget|override|bypass) (?:\w+ ){0,3}(?:instructions?|rules|guidelines|prompts?|restrictions)\b",
          r"\b(?:system|initial|hidden) (?:prompt|instructions?)\b|\b(?:developer|jailbreak|admin) mode\b|\byou are now\b"),
    _rule(None, _("The message is a greeting, a thank-you or a farewell."),
          r"^(?:ok(?:ay)?\W+)?(?:(?:hi|hello|hey|hiya|thx|cheers|perfect|good (?:morning|evening|night|afternoon)|how are you|thanks?|thank you|bye|goodbye|see you|so much|very much|a lot|there|again"
          r"|great|cool|nice|lol|haha|for (?:now|today|your help)|tomorrow|soon|later|next week|and)\W*)+$"),
    _rule(None, _("The message asks about something learned."),
          r"\bremind me (?:how (?:to|do|does)|what an? |why|of the (?:rule|formula|definition)|what (?:the )?(?:rule|formula|definition))",
          r"\b(?:can't|cannot|don't|do not) remember (?:how|what an?|why|which|the rule)\b|\bforgot how\b|\bhow can i (?:remember|memori[sz]e)\b"),
    _rule(None, _("The message is a problem to work out."),
          rf"^(?=.*(?:{_FIGURES}))(?=.*(?:{_SUM_ASKED}))(?!.*\b(?:my|until|till|due|log|remind me|calendar)\b)",
          r"\b\d+ ?/ ?\d+\b.*\b(?:of|left|remain|eats?|ate|fraction|more|bigger|simplify)\b"
          r"|\b(?:numerator|common denominator|simplify|equivalent fractions?|number line|word problem)\b",
          unless=r"\b(?:test|exam|homework (?:is|for|due)|worksheet (?:is|for)|remind me to|due|stars?|out of 5|rate|log)\b"),
    _rule(None, _("The message asks about words."),
          r"[\"“][^\"”]+[\"”].*\b(?:why|mean|correct|right|wrong|tense|say|spell)\b|\b(?:is|was) (?:this|that|my) sentence\b|\bhow do you (?:say|spell)\b"),
    _rule(None, _("The message asks about a lesson."),
          rf"{_POLITE}do my (?:\w+ )?homework\b|\b(?:write|solve|check|correct|help (?:me )?(?:with|on)|stuck (?:on|with|in)|question|problem)(?: \w+){{0,2}} homework\b|\bhomework (?:question|problem|says|asks)\b",
          r"^(?:please )?(?:quiz|test) (?:me|myself)\b(?!.*\bremind)|^(?:please )?(?:teach|explain)\b|^i (?:don't|do not|can't) (?:understand|get)\b"),
    _rule(None, _("The message asks for something that the planner does not do."),
          r"\b(?:weather|temperature|news|youtube|netflix|bitcoin|president|president's)\b|\bwill it (?:rain|snow)\b|\b(?:tell|know) (?:me )?(?:a|any|another) jokes?\b",
          rf"{_POLITE}(?:order|buy me|play (?:some |a )?(?:music|song)|sing|turn (?:on|off) the (?:light|heating|tv|music)|book (?:me )?(?:a |an |the )?(?:flight|hotel|table|taxi|ticket)"
          rf"|text|message|phone|call (?!me\b|it\b)|translate|draw|open (?:youtube|the browser))\b",
          r"\b(?:medicine|diagnose|insulin|dosage|lose weight|rash|symptoms?)\b",
          unless=r"\b(?:remind|task|to-?do|add|list|put|schedule|calendar|note|remember|every|at \d)\b"),
    _rule("memory", _("The message asks to remember something, or what was remembered."),
          rf"{_POLITE}(?:remember|keep in mind|bear in mind|make a note|take a note|note(?: down)?|jot down|memori[sz]e)(?: that| this|[,:])* (?:that|this|i|i'm|my|mum|dad|mom|we|our|he|she|his|her|[a-z]+ (?:is|likes|has|hates|prefers))\b",
          r"\bnote to self\b|^memo\b|\bput (?:it |this |that )?in your memory\b|\b(?:to|in|from|edit|update|correct|export|import|delete|search|show|list|find|see|open) (?:all )?(?:of )?(?:my |your )?(?:notes?|memor(?:y|ies))\b",
          r"\bwhat (?:do|did|have|had) you (?:know|remember(?:ed)?|save[d]?|note[d]?|store[d]?|kept)\b|\bwhat (?:did|have) i (?:told?|tell|say|said)\b|\bdid i (?:ever )?(?:tell|mention)\b",
          r"\bdo you (?:still )?(?:remember|know) (?:my|when my|what my|where my|who my|the name of my)\b|\bwhat do you know about (?:me|my)\b",
          r"\bremind me (?:what|where|who|which|when) (?:my|i|we|the)\b",
          rf"{_POLITE}forget (?:that|what|everything|about my|my (?!homework))\b",
          r"\b(?:for the future|just so you know|you should know that|fyi)\b",
          r"\b(?:and|,) (?:please )?(?:remember|keep|save|store) (?:that|it|this)(?: in mind)?\W*$",
          unless=r"\bremember (?:when we|how to|to )|\bnote that down as a task\b|\bforget (?:to|it)\b|\b(?:sheet|whole|half|quarter|musical) notes?\b|\bremind me to\b|\bremember what (?:a|an) "),
    _rule("task", _("The message asks for a reminder."),
          r"\bremind me\b(?! (?:of|what|why|who|how|where|which)\b)", r"\b(?:set|add|create|make|need|want|give me|change|cancel|delete|remove|move|stop|turn off|list|show|which|my) (?:\w+ ){0,3}(?:reminders?|alarms?)\b",
          rf"{_POLITE}(?:do not|don't|never) let me forget\b|{_POLITE}(?:wake me|ping me|nudge me|snooze)\b|\breminders?\b.*{_DAY}",
          unless=_ABOUT_WORDS.replace("|explain", "")),
    _rule("food", _("The message is about a meal."),
          rf"\b(?:i|we|i've|we've|just|also)(?: just| also| only| have)? (?:had|ate|eaten|drank|skipped|having)\b.*\b(?:for )?{_MEAL}\b",
          rf"{_POLITE}(?:log|track|rate|record|tag) (?:my |a |the |today's |this )?(?:{_MEAL}|\d+ ?ml|food)\b|\bfood (?:log|diary|journal)\b|\bmeal plans?\b|\bmy meals\b",
          r"\bwhat (?:should|can|could|shall|did|do|have|had|might|would) (?:i|we) (?:\w+ ){0,2}(?:eat|eaten|cook)\b|\bwhat (?:should|can|could|shall|did|do) (?:i|we) (?:\w+ ){0,2}have for "
          rf"{_MEAL}|\bwhat(?:'s| is) for {_MEAL}\b|\bwhat are we eating\b",
          rf"\b(?:suggest|ideas? for|recommend|pick|plan)(?: \w+){{0,4}} (?:{_MEAL}|recipe)\b|\b(?:{_MEAL}|recipe) (?:ideas?|suggestions?)\b|^i'm (?:\w+ )?(?:hungry|starving)\b",
          r"^(?:today'?s )?(?:breakfast|lunch|dinner|supper|snack)(?: today| yesterday| tonight)?(?: was|[:,=-])|\bhow (?:often|many times) (?:did|have|do) (?:i|we) (?:\w+ )?(?:eat|eaten|have|had|cook)\b",
          r"^(?:i|we)(?: just| also| only|'ve)? (?:ate|eaten|drank)\b",
          unless=rf"{_ABOUT_WORDS}|\brestaurant\b|\bcalendar\b|\b(?:remind me|reminder)\b|\bfraction\b|\bstudy\b(?!ing)|\btest\b(?!.*\beat\b)|\b(?:with|at) (?:grandma|grandpa|aunt|uncle|tom)\b.*\bat\b|\bhow (?:many|much) (?:did|does) (?:he|she|they|it)\b"),
    _rule("task", _("The message is about homework or a to-do list."),
          r"\b(?:my|to|on|the|a|from) to-?do(?:s| list)?\b|\bto-? ?do list\b|\btodos?\b|\b(?:shopping|packing|chores?) list\b|\bcheck-?list\b|\bsub-?tasks?\b|\b(?:my|new|open|all|add a?|create a?|delete the|finished) tasks?\b|\btick(?:ed)? (?:it |that )?off\b",
          r"\b(?:homework|assignment|essay|worksheet|poster|project|report|coursework|form|sheet|draft)\b.*\b(?:due|deadline|hand(?:ed)? in|turn in|done|finished|by (?:tomorrow|next|the end|the weekend|the \d)|for (?:tomorrow|tmrw)|till|until)\b",
          rf"\b(?:hand|turn) in\b|\boverdue\b|\bdeadlines?\b|\b(?:is|are|what's|anything|be) due\b|\bhomework\b.*{_DAY}|\b(?:finished|done with|did|have) my (?:\w+ )?homework\b|\b(?:what|which|any|list|show) (?:\w+ ){{0,2}}(?:homework|tasks|assignments)\b",
          r"\b(?:i|we)(?:'ll)? (?:(?:still|also|really|probably) )*(?:need to|have to|must|should|got to|have got to) (?!know|understand|learn (?!\d)|ask you|find|be|go\b|say|admit)\w+",
          unless=rf"{_ABOUT_WORDS}|\bwhy\b|\bcalendar\b|\bpsychology\b|\bwhen (?:i|we) should\b|\b(?:does|do) (?:i|we) have to\b|\bdue to\b|\bstudy sessions?\b|\bplan my\b|\bdo i (?:need|have) to (?:find|multiply|add|divide|use)\b|\b(?:in|says?) (?:task|exercise|question) \d"),
    _rule("event", _("The message is about the calendar."),
          r"\b(?:my|the|to|on|in|your|our) (?:calendar|timetable|schedule|agenda)\b|\b(?:make|add|book|cancel|delete|move|list|show|all|next|last|new|dentist|doctor'?s?|my|an) (?:\w+ )?appointments?\b|\breschedul|\b(?:study|revision|learning) (?:sessions?|time|schedule|timetable|plan|block)\b",
          rf"\bam i (?:free|busy)\b|\b(?:free|spare) (?:time|slots?|hours?|afternoons?|mornings?|evenings?)\b|\b(?:find|is there|block|book|fit in|squeeze in) (?:\w+ ){{0,4}}(?:slot|gap|hours?|minutes|time)\b|\bdo i have time\b|\b(?:plan|organi[sz]e|show|see) (?:me )?my (?:week|day|weekend|month|{_WEEKDAY}|stud\w+|revision)\b",
          rf"^(?:(?:please|hey|hi|so|and|also|oh) )*(?:i|we|i've|we've|there's|there is|my|our|mum's|dad's)\b(?: have| have got| got| are having| are writing|'re writing| am having)?(?: a| an| the| my| our)? ?(?:\w+'?s? ){{0,3}}{_DATED}\b.*{_DAY}",
          rf"^(?:please )?(?:schedule|cancel|move|shift|put|add|enter|book)\b.*\b{_DATED}\b|{_DAY}.*\b(?:write|put|add|enter) (?:it|that|this)(?: in| down)?\W*$",
          rf"\bwhat(?:'s| is| do i have| have i got)? (?:on|happening|planned|coming up)\b.*{_DAY}|\bwhat do i have (?:on )?{_DAY}|\b(?:when|what time|where) (?:is|are|does|do|'s) (?:the|my|our|i have)? ?(?:next )?(?:\w+ ){{0,2}}{_DATED}\b|\bhow many (?:days|weeks) (?:until|till|to|before)\b",
          unless=rf"{_ABOUT_WORDS}|\bremind me\b|\bto-?do\b|\bhomework\b|\b(?:don't like|in (?:exercise|task|question) \d)|\bhow do (?:i|you) (?:prepare|add|solve)\b|\bam i ready\b|\bwhat will be\b|\b(?:nervous|scared|anxious|hate)\b|\bwrite (?:me )?(?:a|an)\b|\bgood for\b|\bnotes?\b"),
    *(
        _rule(agent, _("The message continues with the same agent."),
              # "and on Thursday too", "make it five", "no, the second one", "at half past three", "cancel that".
              rf"^(?:(?:ok(?:ay)?|yes|no|and|also|but|then|please|actually|sorry|wait|hm+|oh|ah|right|nah|so|haha|lol|nvm|never ?mind|great|cool)\W+)*(?:(?:and|also|plus)\b|(?:make|move|change|set|put|push|shift|rename|delete|remove|cancel|swap|switch|undo|rate|tag|mark|add|do|repeat|keep|leave|skip|drop|can|could) (?:it|that|this|them|those|both|all|another|one|the (?:first|second|third|last|other)(?: one)?)\b"
              rf"|(?:at|on|in|by|for|from|until|till|before|after|every|only|just|not|same|tomorrow|today|tonight|next|this|half|quarter|around|about|{_WEEKDAY}|\d+|starts?|ends?)\b|the (?:first|second|third|last|other|same|rest)\b|(?:which|what|how) (?:one|ones|about)\b|it(?:'s| is| was)\b|undo\b|another\b)",
              r"^(?:yes|yeah|yep|sure|ok(?:ay)?|no|nope|nah|right|exactly|correct|please|do it|go ahead|never ?mind|that one|both|all(?: of them)?|none(?: of them)?|neither)\b(?:\W+\w+){0,5}\W*$",
              # "is there anything else on wednesday", "something quicker", "which of them", "maths too", "half an hour".
              r"^(?:\w+\W+){0,5}(?:else|them|these|those)\b(?:\W+\w+){0,3}\W*$|^(?:\w+\W+){0,2}(?:something|anything|nothing) (?:\w+er|(?:more|less) \w+|different|new)\b(?:\W+\w+){0,3}\W*$"
              r"|^(?:\w+\W+){1,4}(?:too|as well|instead)\W*$|^(?:(?:only|just|for|about|around|maybe) )*(?:an?|half an|one|two|three) (?:hours?|minutes?|days?|weeks?)\W*$",
              r"^\W*\d[\d:. ]*(?:am|pm|stars?|minutes?|min|hours?|h|days?)?\W*$",
              unless=rf"(?:\w+\W+){{14}}|{_OTHERS[agent]}|\d ?[/*+=] ?\d|\b\d\.\d\b|\b(?:is|are|as) an? (?:half|third|quarter)\b|\b(?:percent|decimals?|equals?|why|explain|fractions?|denominators?|numerators?|what is|how do|quiz|lesson|understand)\b",
              applies=lambda now, agent=agent: now.current == agent, stays=True)
        for agent in COMPANION_AGENTS
    ),
)  # fmt: skip
