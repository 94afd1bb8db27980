"""Rules that send a message to an agent: each a pattern over the tidied text, with its reason in words; the first wins.

They hold what is said in few and certain words. What is not, the classifier decides.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Agent = Literal["diagnostic", "tutor", "quiz", "feedback", "pathplanner"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What of a conversation bears on where a message goes; the default is a conversation that has just begun."""

    has_topic: bool = False
    in_quiz: bool = False
    """A question waits for an answer."""
    quiz_paused: bool = False
    cycle_over: bool = False
    """The lesson's learning cycle has ended."""
    placing: bool = False
    """The diagnostic's questions are under way."""


BEGUN = Situation()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    agent: Agent | None
    """None: nothing the team does."""
    reason: str | Promise
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None = None
    applies: Callable[[Situation], bool] | None = None
    stays: bool = False
    """The message belongs to what is under way."""

    def fits(self, words: str, situation: Situation) -> bool:
        """Tell whether the rule sends this plain text to its agent."""
        if self.applies is not None and not self.applies(situation):
            return False
        return bool(self.pattern.search(words)) and not (self.unless and self.unless.search(words))


def first_fitting(words: str, situation: Situation) -> Rule | None:
    """Return the first rule that fits a tidied text; None where none does. Of "first this, then that" this counts."""
    kept = _SET_ASIDE.sub(" ", words).strip()
    first = _THEN.split(kept, maxsplit=1)[0]
    found = (rule for part in dict.fromkeys((first, kept)) for rule in RULES if rule.fits(part, situation))
    return next(found, None)


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


# What a message names only to have it not, or later: "no quiz please, …", "before we go on, …", "… before you explain".
_SET_ASIDE = _any(
    r"\b(?:no(?: more)?|not (?:a|another|more)|enough|stop(?: the)?|instead of|rather than|tired of|bored of)(?: \w+)? "
    r"(?:quiz(?:zes|zing)?|tests?|questions?|exercises?|explanations?|explaining|theory|reading)\b",
    r"\b(?:don't|do not|stop) (?:quiz|test|question|ask|explain|teach)(?:ing)?\b(?: me)?(?: (?:anything|again|yet"
    r"|now|it))*",
    r"^(?:\w+ ){0,2}before (?:you|we|i|the|my) [^,.;!?]{1,40}[,.;]|\b(?:before|rather than) you \w+(?: \w+){0,3}$",
)
_THEN = re.compile(r"[,.;]? \b(?:and then|then|after that|afterwards)\b ")
_QUESTIONS = (
    r"(?:questions?|problems?|exercises?|sums|drills?|worksheets?|quiz(?:zes)?"
    r"|(?:mock |practi[cs]e |spelling )?(?:tests?|exams?))"
)
_MY_ANSWER = r"(?:it|that|this|the answer|(?:question|number) ?\d+|my (?:\w+ )?(?:answers?|solution|reply))"

_INJECTION = _any(
    r"\b(?:ignore|disregard|forget|override|bypass) (?:\w+ ){0,3}(?:instructions?|rules|guidelines|prompts?"
    r"|restrictions)\b",
    r"\b(?:system|initial|hidden) (?:prompt|instructions?)\b|\b(?:developer|jailbreak|dan|admin) mode\b|^system ?:",
    r"\byou are now\b|\bno (?:filters?|restrictions)\b|\b(?:api|secret) keys?\b|\b(?:admin|root)(?:'s)? password\b",
)
_ERRANDS = _any(
    r"\b(?:book|reserve|rent|order|buy) (?:me |us )?(?:an? |the |some )?(?:table|flight|hotel|room|taxi|car|pizza"
    r"|tickets?)\b",
    r"\b(?:tell|know) (?:me |us )?(?:an? |another |any |some )?(?:\w+ )?jokes?\b|\bset (?:an? |the |my )?(?:alarm"
    r"|timer)\b",
    r"\bmy (?:password|subscription|profile picture|parcel|printer|wi-?fi|horoscope|tax return)\b|\blog ?in\b"
    r"|\brefund\b",
    r"\bwhat(?:'s| is) the weather\b|\bweather (?:forecast|today|tomorrow)\b|\bwill it (?:rain|snow)\b",
    r"\b(?:love|cover) letter\b|\bshopping list\b|\bnetflix\b|\blottery numbers\b|\bbitcoin\b",
    r"\b(?:write|do|finish|complete) (?:me )?(?:my|the|an?|this) (?:\w+ ){0,3}(?:essay|homework|(?:term|lab"
    r"|book) (?:paper|report))\b"
    r"(?! (?:with|together))",
)
_ASKS_HOW = re.compile(
    r"\bhow (?:do|should|can|could|would|to)\b|\bhelp me\b|\bexplain\b|\bcheck\b|\bi (?:tried|wrote|got)\b"
)

_PLACING = _any(
    r"\bplacement\b|\bplace me\b|\b(?:entry|entrance|level|diagnostic)[ -]?(?:test|quiz|exam|check)\b|\bpre-?test\b",
    r"\b(?:what|which|my|right|what kind of) (?:\w+ )?(?:starting point|level)\b",
    r"\b(?:how much|what|how well|things?) (?:of \w+ )?(?:do |that )?i (?:already |still )?(?:know|remember)\b",
    r"\b(?:assess|check|test|evaluate|verify|see|find out) (?:\w+ ){0,4}"
    r"(?:i (?:already|still) (?:know|remember|can)|my (?:\w+ ){0,2}(?:level|knowledge))\b",
    r"\bam i (?:a |an |still |too )?(?:\w+ )?(?:beginner|intermediate|advanced)\b|\bso (?:that )?you (?:know|see"
    r"|can tell)\b",
)
_NOT_PLACING = re.compile(
    r"\bnext\b|\bwhy\b|\bshould i\b|\bwhat do i (?:need|have) to\b|\btest my knowledge\b|\bby asking\b"
)

_FEEDBACK = _any(
    r"\bhow(?: am|'m) i doing\b",
    r"\bhow (?:well |badly )?(?:did|'d|have) i (?:do(?:ne)?|go|perform(?:ed)?|score)\b|\bhow (?:bad|good) was\b"
    r"|\bfeedback\b",
    r"\b(?:what|which|where|how many)(?: \w+){0,4} (?:did|do) i (?:\w+ ){0,3}"
    r"(?:wrong|right|well|badly|miss|fail|mess up|mix up|slip up|los[et]|correct(?:ly)?)\b|\bwhat went wrong\b",
    r"\bmy (?:mistakes?|errors?|score|results?|weak(?:ness|nesses| points?| spots?)|strengths?|performance)\b",
    rf"\bwhy (?:is|was|were|are|isn't|wasn't) {_MY_ANSWER} (?:\w+ )?(?:wrong|incorrect|not? \w+|right|correct"
    rf"|accepted|rejected)\b",
    r"\b(?:marked|counted|graded) (?:\w+ )?(?:\w+ )?(?:wrong|down|incorrect)\b|\b(?:lost?|lose) (?:\w+ )?(?:points?"
    r"|marks?)\b",
    r"\b(?:was|were) (?:that|my (?:\w+ ){0,3}(?:answers?|reasoning|solution)) (?:\w+ ){0,4}(?:good|ok(?:ay)?|right"
    r"|correct|wrong)\b",
    r"\bdid i (?:pass|fail|improve|do (?:ok|okay|well|good))\b|\bwhat kind of (?:mistakes?|errors?)\b|\bmy last two\b",
)
_NOT_FEEDBACK = re.compile(r"\b(?:next (?!topic)|quiz me|test me|new topic|progress|plan|database|rule)\b")

_PLANNING = _any(
    r"\bwhat(?:'s| is| comes)? next\W*$|\bwhat (?:should|shall|can|do) (?:i|we) (?:\w+ )?(?:next|now)\b"
    r"|\bwhat comes after\b",
    r"\bwhat (?:should|shall|would|must) (?:i|we|you have me) (?:learn|study|review|revise|refresh|repeat|focus on)\b",
    r"\b(?:my|show|see|overall|any) progress\b|\bhow (?:far|close) (?:am i|have i|along)\b|\bon track\b|\broad ?map\b",
    r"\bhow (?:long (?:until|till|will|does|do|would|to)|many (?:weeks|lessons|topics|concepts|units) (?:are|do|to"
    r"|until|till|left)"
    r"|much (?:is )?(?:still )?left|much of (?:the|this) (?:course|unit|plan))\b",
    r"\b(?:study|learning|revision) (?:plan|path|schedule|timetable)\b|\bplan (?:for today|my (?:week|day|learning))\b",
    r"\b(?:make|give|build|create|show|change|adjust|adapt) (?:me )?(?:a|an|the|my) (?:study )?(?:plan|schedule"
    r"|timetable|overview)\b",
    r"\bnext (?:topic|lesson|unit|chapter)\b|\bdue (?:for|today|now)\b|\bwhat(?:'s| is) (?:still )?(?:left|due)\b",
    r"\b(?:change|swap|switch|rearrange) (?:\w+ ){0,3}(?:order|goals?|topics|plan)\b|\bgoal for (?:now|a while"
    r"|later)\b",
    r"\bam i (?:on schedule|behind|nearly|almost) ?\w*|\bwill i be (?:ready|done)\b|\bwhat have i (?:finished"
    r"|mastered|covered)\b",
    r"\b(?:what|anything|which \w+) (?:\w+ ){0,4}(?:to|should|needs?|must|do) (?:i )?(?:review|repeat|revise"
    r"|refresh)(?:ing)?\b",
)
ELSEWHERE = _any(
    r"\b(?:do|try|learn|have|practi[cs]e|work on|switch to) (?:something|anything) (?:else|different)"
    r"(?: (?:instead|now|first|today|please|for (?:a|the) (?:bit|while|change|moment)))*\W*$",
    r"\b(?:take|need|want|have) (?:a|another) (?:\w+ )?(?:break|pause|rest)\b",
)
_NOT_PLANNING = re.compile(
    r"\bquestion\b|\bquiz\b|\bexplain\b|\bstuck\b|\bstep\b|\b(?:holiday|birthday|workout|meal|wedding|party|trip"
    r"|errors|mistakes)\b"
)

_QUIZ = _any(
    r"\b(?:quiz|drill|grill|challenge|examine) me\b|\btest (?:me|myself|us|my knowledge)\b|\b(?:pop|mock) (?:quiz"
    r"|exam|test)\b",
    rf"\b(?:give|ask|set|throw|make|prepare|get|try|do|want|need|start|begin|continue|resume|finish"
    rf"|redo)(?: \w+){{0,5}}? {_QUESTIONS}\b",
    rf"\b(?:more|another|some|few|practi[cs]e|next|harder|easier|\d+|five|ten|quick|random|back to (?:the"
    rf"|my)) (?:\w+ ){{0,2}}?{_QUESTIONS}\b",
    r"\b(?:ask|give|throw|hit|set) me (?:something|another|one|a few|a (?:hard|tricky|easy|tough|harder|simple) one"
    r"|with)\b",
    r"\bresume\b|\b(?:go|carry|get) (?:on|back) (?:with|to) (?:the|my|our) (?:quiz|questions?|test)\b|\bin a row\b",
    r"^(?:(?:a|the|some|more) )?(?:quiz|test|practi[cs]e|questions?)(?: (?:me|time|now|please))*\W*$|\b(?:quiz|test"
    r"|practi[cs]e) (?:time|please|now)\b",
    r"\b(?:i(?:'d like| want| need) to|let's|let me|can i|could i) (?:practi[cs]e|have a go|try (?:one|some|it"
    r"|a few)|answer)\b",
)
_NOT_QUIZ = _any(
    r"\b(?:i have|i've got|we have|upcoming|coming up|for my|before (?:the|my)|until (?:the|my)"
    r"|pass) (?:\w+ ){0,4}(?:tests?|exams?|quiz)\b",
    r"\b(?:wrong|incorrect|did i get|off on|mistakes?|score|results?|report|how did|marked|understand|explain|stuck"
    r"|don't get|help|hint|why|mean|confused)\b",
    r"\b(?:i have|i've|got|one|quick) (?:a |one |another )?(?:\w+ )?questions? (?:about|on|for you|:)"
    r"|\bi have a question\b",
    r"\b(?:should|which|when|plan|order|schedule|misread|copy|for me and|in my place|skip the part|test me (?:first"
    r"|out)|did i do|exam for me|question (?:one|two|three|four|five|\d+)|worksheet so|homework|answers? to)\b",
)

_NEW_TOPIC = _any(
    r"\b(?:new|different) (?:topic|subject|course|goal)\b|\bchange (?:the )?subject\b|^my (?:goal|aim|dream)\b"
    r"|\bfrom scratch\b|\b(?:i'd|i would) (?:much )?rather (?:learn|study) (?!something|anything)",
    r"\b(?:i(?:'d| would)? ?(?:really )?(?:want|like|love|need|have|wish|hope)(?: to be able)? to|want to"
    r"|interested in|help me|how do i) "
    r"(?:learn(?:ing)?|study(?:ing)?|take up|pick up|get into|begin with|start (?:with|on|learning)"
    r"|get started (?:with|in|on))\b",
    r"^(?:(?:can|could|would|will) you |please |hi |hello )*teach me(?! (?:it|this|that)?(?: again| once| why"
    r"| how come))\b",
    r"\b(?:my|a new) (?:new |next )?(?:goal|aim)(?: \w+){0,3}? (?:is|would be)\b|\b(?:set|add) (?:\w+ ){0,2}goal\b",
    r"\bi(?:'ve| have) never (?:done|studied|learned|learnt|had|tried)\b|\bi know nothing about\b|\bstart me (?:on"
    r"|with)\b(?! this)",
    r"\b(?:i have|i've got|we have|we've got) (?:an? |my )?(?:\w+ ){0,3}(?:exam|test"
    r"|unit)s? (?:\w+ ){0,4}(?:coming up|about)\b",
)
_NOT_NEW_TOPIC = re.compile(
    r"\b(?:what should|what i need|why|outline|which|after|before|how long|how many|order|plan|schedule|progress"
    r"|on hold|back to|instead of|ahead of|job|recipe"
    r"|cook|hack|cheat|website|exercises)\b|\bnext (?!month|year)|\b(?:that|this) (?:step|line|bit|part)\b"
)

_HELP = _any(
    r"\b(?:give|need|want|have|get|another|a|any) (?:me )?(?:an? |another |some )?(?:small |little )?(?:hint"
    r"|clue)s?\b|^(?:hint|clue|help)\W*$",
    r"\b(?:i(?:'m| am)|still|so|totally|completely|really) (?:\w+ )?(?:stuck|confused|lost)\b|^(?:stuck|confused"
    r"|lost)\b",
    r"\b(?:don't|didn't|can't|still not) (?:\w+ )?(?:get|understand|follow|see) (?:it|this|that|why|how|what"
    r"|the (?:bit|part|step|rule))\b",
    r"\b(?:explain|clarify) \w+|\bwalk me through\b|\bmakes? no sense\b|\b(?:simpler|easier|plain|other) words\b",
    r"\b(?:show|give|see|another|an|more|need) (?:me )?(?:an |another |some |more )?(?:worked |real[ -]life "
    r"|simple )?examples?\b",
    r"\bwhat(?:'s| is| are) (?:the )?difference between\b|\bhow (?:do|would) (?:you|i) (?:pronounce|conjugate"
    r"|simplify|solve|calculate)\b",
    r"\bwhy (?:do|does|can't|don't|doesn't) (?:we|you|plants|water|ice|people|the)\b",
)
_NOT_HELP = re.compile(
    r"\bmy (?:mistakes?|(?:\w+ )?answers?|solution|results?|account|computer|phone|printer)\b|\b(?:rejected"
    r"|accepted|marked|graded|progress|plan)\b"
    r"|\b(?:app|website|password|why don't you|careless|slips|mistakes|score|marks?|points?|missing|bill|my boss)\b"
    r"|\bwhy (?:are|do) we (?:do|learn|study)"
)

_ONWARDS = re.compile(
    r"^(?:(?:yes|yeah|ok(?:ay)?|sure|please|now|let's|i'm back|can we|got it|ready|done)\W+)*"
    r"(?:continue|go (?:on|ahead)|carry on|keep going|proceed|resume|back|ready|next(?: one)?)(?:\W+(?:please|now"
    r"|then))*\W*$"
)
_COURTESY = re.compile(
    r"^(?:(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening|night)|thanks?|thank you|thx|cheers|bye|goodbye"
    r"|see you|ok(?:ay)?|great|cool"
    r"|so much|very much|a lot|there|again|for (?:now|today|your help)|tomorrow|yes|no|sure|and)\W*)+$"
)
_ANSWERING = _any(
    r"^(?:(?:i think|is it|it's|maybe) )?[-+]?\d[\d./, %]*\W*$|^\(?[a-h]\)?\W*$",
    r"\b(?:i )?(?:really )?(?:don't|do not) know\b|\bno (?:idea|clue)\b|\bidk\b|\bdunno\b|^(?:skip|pass)\b|\bhint\b"
    r"|\bclue\b|\bgive up\b",
    r"\b(?:tell|give|show) me the (?:answer|solution)\b",
)

RULES: tuple[Rule, ...] = (
    Rule(agent=None, reason=_("Asks to set aside how the team works."), pattern=_INJECTION),
    Rule(
        agent="quiz",
        reason=_("Goes on with the quiz that waits."),
        pattern=_ONWARDS,
        applies=lambda now: now.quiz_paused,
    ),
    Rule(
        agent="diagnostic",
        reason=_("Questions on what the goal rests on."),
        pattern=_any(_ANSWERING.pattern, _ONWARDS.pattern),
        applies=lambda now: now.placing,
        stays=True,
    ),
    Rule(
        agent="quiz",
        reason=_("The quiz is under way."),
        pattern=_any(_ANSWERING.pattern, _ONWARDS.pattern),
        applies=lambda now: now.in_quiz and not now.quiz_paused,
        stays=True,
    ),
    Rule(
        agent="pathplanner",
        reason=_("The lesson is over: what comes is the plan's."),
        pattern=_ONWARDS,
        applies=lambda now: now.cycle_over,
    ),
    Rule(
        agent="tutor",
        reason=_("The lesson goes on."),
        pattern=_ONWARDS,
        applies=lambda now: now.has_topic,
        stays=True,
    ),
    Rule(agent="tutor", reason=_("A greeting, or thanks."), pattern=_COURTESY),
    Rule(agent=None, reason=_("An errand, nothing to learn."), pattern=_ERRANDS, unless=_ASKS_HOW),
    Rule(agent="diagnostic", reason=_("Wants what is already known found out."), pattern=_PLACING, unless=_NOT_PLACING),
    Rule(agent="feedback", reason=_("Asks about own answers and mistakes."), pattern=_FEEDBACK, unless=_NOT_FEEDBACK),
    Rule(agent="pathplanner", reason=_("Wants something else just now."), pattern=ELSEWHERE),
    Rule(agent="pathplanner", reason=_("Asks what comes, or how far it is."), pattern=_PLANNING, unless=_NOT_PLANNING),
    Rule(agent="quiz", reason=_("Wants to be questioned."), pattern=_QUIZ, unless=_NOT_QUIZ),
    Rule(agent="diagnostic", reason=_("Brings a new topic or goal."), pattern=_NEW_TOPIC, unless=_NOT_NEW_TOPIC),
    Rule(agent="tutor", reason=_("Asks for help with the matter."), pattern=_HELP, unless=_NOT_HELP),
)
