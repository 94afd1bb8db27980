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
    """Return the first rule that fits a tidied text; None where none does."""
    return next((rule for rule in RULES if rule.fits(words, situation)), None)


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


_ASK = r"(?:can|could|will|would|may) (?:you|we|i) (?:please )?|please |i(?:'d like| want| need|'d love) (?:you )?to |let's |let me |just |ok(?:ay)? "
_QUESTIONS = r"(?:questions?|problems?|exercises?|sums|tasks|flash ?cards|drills?|worksheets?|quiz(?:zes)?|(?:mock |practi[cs]e |spelling )?(?:tests?|exams?))"
_LAST = r"(?:last|latest|previous|recent|second|third|first|\d+(?:st|nd|rd|th)?)"

_INJECTION = _any(
    r"\b(?:ignore|disregard|forget|override|bypass) (?:\w+ ){0,3}(?:instructions?|rules|guidelines|prompts?|restrictions|training)\b",
    r"\b(?:system|initial|hidden|original) (?:prompt|instructions?)\b",
    r"\b(?:developer|god|jailbreak|dan|admin|sudo) mode\b|\bjailbreak\b|\bno (?:filters?|restrictions)\b",
    r"\b(?:api|secret|licen[cs]e) keys?\b|\byou are now\b|^system ?:|\b(?:admin|root)(?:'s)? password\b",
    r"\bother (?:users?|learners|students)'? (?:data|answers|names|passwords?)\b",
)
_ERRANDS = _any(
    r"\b(?:book|reserve|rent|order|buy) (?:me |us )?(?:an? |the |some |tickets? )*(?:table|flight|hotel|room|taxi|cab|car|train|pizza|flat|ticket|tickets|food)\b",
    r"\b(?:tell|know) (?:me |us )?(?:an? |another |any |some )?(?:\w+ )?jokes?\b|\bknock knock\b",
    r"\b(?:set|change|snooze) (?:an? |the |my )?(?:alarm|timer)\b|\bremind me to (?:call|buy|pay|take|phone|pick)\b",
    r"\bmy (?:password|subscription|profile picture|account|parcel|printer|wi-?fi|horoscope|taxes|tax return)\b|\blog ?in\b|\brefund\b",
    r"\b(?:what(?:'s| is) the weather|weather (?:forecast|like|today|tomorrow)|(?:will|is) it (?:going to )?(?:rain|snow) (?:on|this|today|tomorrow|tonight|later|at))\b",
    r"\b(?:love letter|cover letter|wedding (?:vows|speech)|shopping list|netflix|lottery|bitcoin|crypto)\b",
    r"\b(?:write|do|finish|complete|draft|type up|solve) (?:me )?(?:my|the|a|an|this|all my) (?:\w+ ){0,3}(?:essay|homework|term paper|book report|lab report|assignment|dissertation|thesis)s?\b(?! (?:with|together))",
)
_ON_HOW = _any(
    r"\bhow (?:do|should|can|could|would|to)\b|\bhelp me (?:understand|with|to)\b|\bexplain\b|\bcheck\b|\bplan for\b|\bi (?:tried|wrote|got)\b"
)

_PLACING = _any(
    r"\bplacement\b|\bplace me\b|\bdiagnos(?:e|tic|is)\b|\b(?:entry|entrance|pre|level|assessment)[ -]?(?:test|quiz|exam|check)\b|\bpre-?test\b",
    r"\b(?:what|which|my|find (?:my|the)|right|what kind of) (?:\w+ )?(?:starting point|level)\b(?! \d| \w+ (?:will|would|should) i (?:do|learn|study))",
    r"\b(?:how much|what|which \w+|how well|things?) (?:of \w+ )?(?:do |that )?i (?:already |still )?(?:know|remember|can do)\b(?! about this (?:answer|question))",
    r"\bi (?:do|don't|can|can't) (?:already )?(?:know|do) and (?:what )?(?:i )?(?:do|don't|can|can't|haven't)\b",
    r"\b(?:assess|check|test|evaluate|measure|gauge|verify|see|find out) (?:\w+ ){0,4}(?:i (?:already |still )?(?:know|remember|can)|my (?:\w+ ){0,2}(?:level|prior knowledge|existing knowledge)|first|before (?:you|we|i) (?:start|begin|teach|go))\b",
    r"\bam i (?:a |an |still |too )?(?:\w+ )?(?:beginner|intermediate|advanced)\b|\bwhere (?:do|should) (?:i|we) (?:start|begin)\b(?= (?:with|in|if)\b)",
    r"\b(?:my|where my|any|the) gaps\b(?= (?:are|in|from|before|first)|\W*$)|\bwhat i(?:'m| am) missing (?:from|in)\b",
    r"\bask me what i (?:already )?know\b|\b(?:let me |so i can |and (?:let me )?)skip (?:the |what |ahead|the things )",
)
_NOT_PLACING = _any(
    r"\bnext\b|\bwhy\b|\bshould i (?:learn|study|know|review|revise)\b|\bwhat do i (?:need|have) to know\b|\bnext level\b"
)

_FEEDBACK = _any(
    r"\bhow (?:well |badly |good |bad )?(?:did|'d|have) i (?:do(?:ne)?|go|perform(?:ed)?|score|fare)\b|\bhow(?:'d| did) (?:it|that|the \w+|my \w+) go\b",
    r"\bhow (?:bad|good|well) (?:was|were|did) (?:it|i|my|that|they)\b|\bhow (?:was|were) my\b",
    r"\b(?:what|which|where|how many|how much|anything|something)(?: \w+){0,4} (?:did|do|have|had) i (?:\w+ ){0,3}(?:wrong|right|well|badly|bad at|miss(?:ed)?|fail(?:ed)?|mess(?:ed)? up|mix(?:ed)? up|slip(?:ped)? up|los[et]|confus(?:e|ing)|correct(?:ly)?)\b",
    r"\b(?:what|where) (?:went|did it go|goes) wrong\b|\bwhat (?:was|is|'s) (?:so )?(?:wrong|incorrect|bad|the (?:problem|mistake|error|issue)) (?:with|in|about) (?:it|that|my|this|the)\b",
    r"\b(?:see|show|list|tell me|view|check|go over|look at|about|review|analy[sz]e|explain|discuss) (?:\w+ ){0,3}(?:my|the) (?:\w+ ){0,2}(?:mistakes?|errors?|results?|score|marks?|grade|wrong answers?|slips)\b",
    r"\bmy (?:mistakes?|errors?|score|results?|weak(?:ness|nesses| points?| spots?| areas?| sides?)|strengths?|performance|grade|biggest problem)\b",
    r"\b(?:strengths?|strong points?) and (?:my )?weak(?:ness|nesses| points?)\b|\bstrong(?:er|est)? (?:in|at) and\b|\bwhere i(?:'m| am) (?:weak|strong|solid|shaky)\b",
    r"\b(?:areas?|topics?|things?) (?:am i|i(?:'m| am)) (?:\w+ )?(?:weak|strong|good|bad|struggling)\b|\bfeedback\b",
    r"\bwhy (?:\w+ )?(?:is|was|were|did|are|isn't|wasn't|has|did(?:n't)?) (?:\w+ ){0,6}?(?:marked|graded|rejected|accepted|count(?:ed)?|half marks?|(?:a |any |the |no |full )?(?:points?|credit))\b",
    r"\bwhy (?:is|was|were|are) (?:it|that|this|my (?:\w+ )?answers?|the answer|(?:question|number|no\.?) ?\d+|my (?:solution|reply)) (?:\w+ )?(?:wrong|incorrect|not right|not correct|false|bad)\b",
    r"\bwhy (?:isn't|wasn't) (?:it|that|this|my \w+|the answer) (?:\w+ )?(?:right|correct|accepted|ok)\b",
    r"\b(?:marked|counted|graded) (?:\w+ )?(?:\w+ )?(?:wrong|down|incorrect)\b|\b(?:took|lost?|lose|losing|deduct(?:ed)?) (?:me )?(?:\w+ )?(?:points?|marks?)\b|\bno points?\b|\bhalf marks?\b",
    r"\b(?:was|were) (?:that|my (?:\w+ ){0,3}(?:answers?|reasoning|solution|working|explanation|attempts?)) (?:\w+ ){0,4}(?:any good|ok(?:ay)?|good|right|close|correct|wrong|bad)\b|\bwas i (?:close|right|wrong|far off)\b|\bdid i (?:pass|fail|improve|do (?:ok|okay|well|good|alright|all right))\b",
    r"\bwhat (?:was|is|'s) my (?:score|grade|mark|result|percentage)\b|\b(?:keep|always|constantly|mostly) (?:getting|making|mixing|confusing|failing|doing wrong|get|mix|confuse)\b",
    rf"\bmy (?:answers?|attempts?) (?:to|in|from|on|for) (?:the |my )?(?:{_LAST} )?(?:quiz|test|questions?|exercises?)\b",
    r"\b(?:what|which) (?:kind|type|sort)s? of (?:mistakes?|errors?|slip ?ups?|slips)\b|\bam i (?:getting|doing) (?:\w+ )?(?:better|worse|wrong)\b",
    r"\bi (?:only )?(?:got|scored) (?:only )?(?:a )?\d+ ?(?:%|percent|out of|/)",
)
_NOT_FEEDBACK = _any(
    r"\b(?:next|quiz me|test me|new topic|progress|plan)\b|\bhow far\b|\bgive me (?:some |more |another )?(?:questions|exercises|problems)\b"
)

_PLANNING = _any(
    r"\bwhat(?:'s| is| comes| should| shall| do| will| would| else| now| topic)?(?: \w+){0,5} (?:next|now|afterwards|after (?:this|that|these))\W*$",
    r"\bwhat(?:'s| is| comes| should i (?:do|learn|study)) next\b|\bwhat (?:comes|is|'s) (?:coming |up )?after\b|\bwhere (?:do|should|can) i go from here\b",
    r"\bwhat (?:should|shall|would|could|do|must|ought) (?:i|we|you have me|you recommend i) (?:\w+ )?(?:learn|study|review|revise|refresh|repeat|work on|focus on|practi[cs]e|tackle|prioriti[sz]e)\b",
    r"\b(?:my|show|see|see my|overall|any|the|much|what) progress\b|\bhow (?:far|close) (?:am i|have i|along|is it|did i)\b|\bon track\b|\b(?:percent|%) (?:complete|done|finished)\b",
    r"\bhow (?:long|many (?:weeks|days|months|lessons|topics|concepts|sessions|units|chapters)|much (?:time|longer|more time|of (?:the|this) (?:course|unit|plan)|(?:is )?(?:still )?left))\b(?! (?:is|are|was|does|do|did) (?:a|an|the|one) (?!course|unit|plan|whole))",
    r"\b(?:study|learning|revision|lesson|work) (?:plan|path|schedule|timetable|route|order)\b|\b(?:make|give|draw up|build|create|show|change|adjust|redo|update|see|set up|write|need|want) (?:me )?(?:up )?(?:a|an|the|my) (?:\w+ )?(?:plan|schedule|timetable|roadmap|overview|route|path)\b|\bplan (?:for today|my (?:week|day|learning|study|studies|revision))\b|\broad ?map\b",
    r"\b(?:next|another|following|previous|earlier) (?:topic|lesson|unit|chapter|concept|section)\b|\bmove on\b|\bwhat (?:is|'s) (?:still )?(?:left|due|open|coming)\b|\bdue (?:for|today|now|this|next|reviews?)\b",
    r"\b(?:which|what) (?:\w+ )?(?:should|shall|do|would) (?:i|we|come) (?:\w+ )?first\b|\b(?:do|learn|study|take) (?:\w+ ){1,3}(?:before|instead of|ahead of|and then) (?!we|you|i)\w+",
    r"\b(?:change|swap|switch|rearrange|reorder) (?:\w+ ){0,3}(?:order|goals?|topics|plan)\b|\b(?:drop|remove|pause|postpone|park|leave out|put) (?:\w+ ){1,4}(?:goal|on hold|for later|for now|first|last|off)\b|\b(?:back to|go on with|return to) (?:my|the) (?:\w+ ){0,2}goal\b",
    r"\bam i (?:ready|prepared|on schedule|behind|nearly|almost|done)\b|\bwill i (?:be ready|make it|be done|finish)\b|\b(?:i've|i have|what have i|have i) (?:already )?(?:finished|completed|mastered|covered)\b",
    r"\b(?:what|anything|which \w+|stuff|topics?) (?:\w+ ){0,4}(?:to|should|needs?) (?:i )?(?:review(?:ing)?|repeat(?:ing)?|revise|revising|refresh(?:ing)?|revisit(?:ing)?)\b|\b(?:what|which \w+|when) (?:should|do|must|shall) i (?:\w+ )?(?:review|repeat|revise|refresh|revisit)\b",
    r"\bwhat do i (?:need|have) to (?:know|learn|do|study|master) (?:before|to (?:get|reach|become|pass)|first|each|every|by|in order)\b|\b(?:steps|route|way|path) (?:to|from here to|towards) (?:my goal|the goal|get|reach|becoming|being)\b",
)
_NOT_PLANNING = _any(
    r"\bquestion\b|\bnext (?:one|step|line|question|exercise|problem|week|month|year)\b|\bquiz\b|\bexplain\b|\bwhat (?:happens|do i do (?:next|now) (?:in|with))\b"
    r"|\bholiday|\bbirthday|\bworkout|\bmeal|\bwedding|\bparty\b|\btrip\b"
)

_QUIZ = _any(
    r"\b(?:quiz|drill|grill|question|challenge|examine) me\b|\btest (?:me|myself|us|my knowledge)\b|\bput me to the test\b|\bpop quiz\b|\bmock (?:exam|test)\b",
    rf"\b(?:give|ask|set|show|send|throw|make|hit|prepare|write|get|have|try|do|want|need|like|take|start|begin|continue|resume|unpause|finish|redo|repeat)(?: \w+){{0,6}}? {_QUESTIONS}\b",
    rf"\b(?:more|another|some|few|couple of|practi[cs]e|next|harder|easier|\d+|five|ten|three|last|one more|quick|random|revision|true or false|multiple choice|back to (?:the|my)) (?:\w+ ){{0,2}}?{_QUESTIONS}\b",
    r"\b(?:ask|give|throw|hit|set) me (?:something|another|one|a (?:hard|tricky|easy|tough|harder|simple|tricky) one|with)\b|\b(?:another|a harder|an easier|one more|a tricky|a hard|a tough) one\b",
    r"\b(?:resume|where were we)\b|\b(?:go|carry|get) (?:on|back) (?:with|to) (?:the|my|our) (?:quiz|questions?|test|exercises?)\b",
    r"^(?:(?:a|the|some|more|pop) )?(?:quiz|test|practi[cs]e|exercises?|questions?|drills?)(?: (?:me|time|now|please|pls))*\W*$|\b(?:quiz|test|practi[cs]e) (?:time|please|now)\b",
    rf"\b(?:{_ASK})(?:practi[cs]e|have a go|try (?:one|some|it|a few|myself|another|to (?:solve|answer))|do (?:some|one|a few|five|more)|answer (?:some|a few))\b",
    rf"\bready (?:for|to) (?:\w+ ){{0,3}}(?:{_QUESTIONS}|answer|be (?:tested|quizzed|questioned))\b|\bmore practi[cs]e\b|\bask away\b|\bfire away\b|\bby asking me\b|\bsome practi[cs]e\b",
    r"\bsomething to (?:solve|practi[cs]e|answer|work out)\b|\bi(?:'ll| will| can)? solve (?:it|them)\b",
)
_NOT_QUIZ = _any(
    r"\b(?:i have|i've got|we have|we've got|upcoming|coming up|for my|before (?:the|my)|until (?:the|my)|pass|my (?:final|gcse|a-level|driving)) (?:\w+ ){0,4}(?:tests?|exams?|quiz)\b",
    r"\b(?:wrong|incorrect|mistakes?|score|result|how did|marked|understand|explain|stuck|don't get|help (?:me )?with|hint|why|mean|confused|solve (?:this|my|the|it for me)|how (?:do|would|should) (?:i|you)|answers? to|homework|work ?sheet so|for me|my code|debug)\b",
    r"\bask (?:me )?(?:my|the) (?:teacher|mum|mom)\b|\bcan i ask\b|\b(?:i have|i've|got|one|another|quick) (?:a |one |another )?(?:\w+ )?questions? (?:about|on|for you|:)|\bi have a question\b",
    r"\b(?:should|which|when|plan|order|schedule)\b",
)

_NEW_TOPIC = _any(
    r"\b(?:new|different|another|other) (?:topic|subject|course|goal|theme)\b(?! (?:next|after|in (?:my|the) plan))|\b(?:change|switch) (?:the )?(?:subject|topic)\b",
    r"\b(?:i(?:'d| would)? ?(?:really )?(?:want|wanted|like|love|need|have|got|wish|hope|plan|am hoping)(?: you)?(?: to be able)? to|want to|trying to|i must|i'll have to|could i|can i|may i|interested in|help me|how do i (?:get started|begin|start)(?: with)?) (?:\w+ )?(?:learn|learning|study|studying|take up|pick up|get into|begin with|start (?:with|on|learning)?|become fluent|brush up|get started (?:with|in|on)|understand how to)\b",
    r"\bteach me(?! (?:it|this|that) (?:again|once)| again| why| how come)\b|\b(?:my|a new|the|our) (?:new |next )?(?:goal|aim|target)(?: \w+){0,3}? (?:is|would be|:)|\b(?:set|add) (?:\w+ ){0,2}goal\b|^my (?:goal|aim)\b",
    r"\bfrom scratch\b|\b(?:never|not) (?:done|studied|learned|learnt|had|touched|tried) (?:\w+ ){0,3}before\b|\bi(?:'ve| have) never (?:done|studied|learned|learnt|had|touched|tried)\b|\bi know nothing about\b|\bcomplete (?:beginner|novice)\b",
    r"\b(?:start|begin|open|do) (?:me on |us on |on )?(?:a |the )?(?:new )?(?:lesson|course|unit|module) (?:on|about|in)\b|\bstart me (?:on|with|off)\b|\b(?:something|anything) (?:new|else)(?: today)?\b(?! (?:to|i) )|\bget me into\b",
    r"\b(?:i have|i've got|we have|we've got|i'm taking|there's) (?:an? |my )?(?:\w+ ){0,3}(?:exam|test|final|unit)s? (?:\w+ ){0,4}(?:coming up|in|on|about|next)\b",
    r"\b(?:switch|move|change) (?:over )?to (?:a )?(?!the (?:quiz|questions?)|my|the (?:next|other)|something)\w+(?: \w+)?(?: (?:please|pls|now|today|instead))?\W*$",
)
_NOT_NEW_TOPIC = _any(
    r"\b(?:what should|which (?:topic|should)|next|after|before|how long|how many|order|order of|plan|schedule|progress|on hold|back to|instead of|by (?:heart))\b(?! (?:week|month|year|wish|on my|goal|we (?:start|begin|go))| (?:it is|is) )",
    r"\b(?:job|recipe|cook|flirt|hack|cheat|drive to|website|game cheats|other goal|some questions|exercises)\b",
    r"\b(?:that|this) (?:step|line|bit|part)\b|\bsee (?:an|another) example\b",
)

_HELP = _any(
    r"\b(?:give|need|want|have|get|another|a|any|some|small|little) (?:me )?(?:a |an |the |another |some |any )?(?:small |little |tiny |quick )?(?:hint|clue|nudge|tip)s?\b|^(?:hint|clue|help)\b\W*$",
    r"\b(?:i(?:'m| am)|still|bit|so|totally|completely|really|got) (?:\w+ )?(?:stuck|confused|lost)\b|^(?:stuck|confused|lost)\b",
    r"\b(?:don't|do not|didn't|can't|cannot|doesn't|not) (?:\w+ )?(?:get|understand|follow|see|grasp) (?:it|this|that|why|how|what|the (?:bit|part|step|rule|difference|point|idea|last|second|first|logic|reason|concept)|where)\b|^don't get it|\b(?:makes?|making) no sense\b|\bdoesn't make sense\b|\bover my head\b",
    r"\b(?:explain|clarify) (?:\w+ )?(?:that|this|it|the|why|how|what|to me|again|in|me)\b|\b(?:explain|clarify) \w+|\bwalk me through\b|\bbreak (?:it|that|this) down\b|\bgo over \w+(?: \w+){0,3} (?:again|once more)\b|\b(?:simpler|easier|plain|other|different) (?:words|way|terms)\b",
    r"\b(?:show|give|see|have|another|an|more|need) (?:me )?(?:an |another |some |more |a (?:worked |real[ -]life |concrete )?)?(?:worked |real[ -]life |concrete |simple )?examples?\b(?! questions?)|\bfor example\?|\ban analogy\b",
    r"\bwhat(?:'s| is| are) (?:the )?difference between\b|\bwhat does (?:the )?(?:\w+ ){1,4}mean\b|\bhow (?:do|would) (?:you|i) (?:pronounce|conjugate|simplify|solve|calculate|work out|find the|say)\b",
    r"\bwhy (?:do|does|can't|don't|doesn't) (?:we|you|it|plants|water|ice|people|the)\b|\bhow come (?:the|it|we|you)\b|\bwhy (?:is|are) (?:a|an|the|there|zero|it called)\b(?! (?:answer|quiz|test|app|site|page))",
)
_NOT_HELP = _any(
    r"\b(?:my (?:mistakes?|answers?|scores?|results?|account|computer|phone|boyfriend|girlfriend|printer)|marked|mark me|points? off|progress|quiz me|test me|what i know|my level|the plan|study plan|app|website|password|log ?in|learn (?:a )?new)\b",
    r"\bwhy (?:are|do) we (?:doing|do|learn|learning|study|studying)\b|\bquestions?\b(?= please)|\bwhat(?:'s| is) next\b",
)

RULES: tuple[Rule, ...] = (
    Rule(agent=None, reason=_("Asks to set aside how the team works."), pattern=_INJECTION),
    Rule(agent=None, reason=_("An errand, nothing to learn."), pattern=_ERRANDS, unless=_ON_HOW),
    Rule(
        agent="diagnostic", reason=_("Wants what is already known found out."), pattern=_PLACING, unless=_NOT_PLACING
    ),
    Rule(agent="feedback", reason=_("Asks about own answers and mistakes."), pattern=_FEEDBACK, unless=_NOT_FEEDBACK),
    Rule(agent="pathplanner", reason=_("Asks what comes, or how far it is."), pattern=_PLANNING, unless=_NOT_PLANNING),
    Rule(agent="quiz", reason=_("Wants to be questioned."), pattern=_QUIZ, unless=_NOT_QUIZ),
    Rule(agent="diagnostic", reason=_("Brings a new topic or goal."), pattern=_NEW_TOPIC, unless=_NOT_NEW_TOPIC),
    Rule(agent="tutor", reason=_("Asks for help with the matter."), pattern=_HELP, unless=_NOT_HELP),
)
