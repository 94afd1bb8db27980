"""Commands: patterns for what an intent leaves open, such as "skip this question", "are you a robot", "my dog died".

Written by hand; the examples are what each must match. A command alone decides nothing: `decide` also looks at the
intents and at the state.
"""

import re
from typing import Final, Literal, get_args

from tutoring.understanding.parsing.own_files import ASKS_OWN_FILES
from tutoring.understanding.parsing.set_phrases import CONTESTS, SLOWER_THAN_OTHERS
from tutoring.understanding.routing.rules import FINDS_LEVEL

Command = Literal[
    "skip", "next_question", "begin", "leave_quiz", "stop_placement", "back", "decline", "waits", "will_try", "agree", "instead", "elsewhere", "known",
    "known_alone", "unknown", "simplify", "represent", "harder", "stuck", "why_asked", "look", "shows_drawing", "switch", "meant_same", "not_quite",
    "find_level", "lists_lessons", "own_files", "tell_more", "leave_step", "leave_out", "robot", "how_mastered", "who_sees", "abilities", "graded", "guessed", "misjudged", "doubts_mastery", "ventured", "asks_verdict", "bye",
    "loss", "illness", "self_blame", "hates_subject", "bored", "tired", "ashamed", "annoyed", "unwell", "afraid", "eased",
]  # fmt: skip
COMMANDS: Final[tuple[Command, ...]] = get_args(Command)
FEELINGS: Final[tuple[Command, ...]] = (
    "loss", "illness", "self_blame", "hates_subject", "bored", "tired", "ashamed", "annoyed", "unwell", "afraid",
)  # fmt: skip
"""Commands that tell of a feeling, or of something sad."""

# Up to six words that introduce a wish: "ok can we please just …".
_WISHING = r"(?:(?:please|ok(?:ay)?|sorry|u+gh+|hey|oh|can|could|may|we|i|want|need|like|would|i'?d|to|let'?s|let us|let|me|you|just|pls|no|now)\W+){0,6}"
_WISH = rf"^{_WISHING}"
# "but why is that": nothing is named but what was just said.
# "why not 5", about the last answer.
ONLY_WHY = (
    r"^\W*(?:(?:but|and|so|ok|wait|huh|um+|h+m+)\W+)*(?:why(?: not| (?:is|was) (?:that|it|this)(?: (?:right|wrong|so))?)?"
    r"|why (?:not|isn'?t it|is it not) (?:-?\d[\d./]*|[a-h])|how come)\W*$"
)
_QUIZ = r"(?:the |this |my |our |these |those )?(?:whole )?(?:quiz|questions?|test)"
# The wish ends the message; "skip this question because …" says more and is left to the intents.
_END = r"(?:\W+(?:please|pls|now|then|altogether|for good|any ?more|for now|instead))*\W*$"

_CLAUSE_ENDS: Final = re.compile(r"\s*[,.!?;…]+\s+")

_PATTERNS: Final[dict[Command, re.Pattern[str]]] = {
    # "skip this one", "pass", "can i skip this and ask me another". Not "skip to fractions".
    "skip": re.compile(
        rf"{_WISH}(?:skip|pass)(?: (?:this|that|it|the question))?(?: (?:one|question))?(?:\W+(?:and )?(?:ask|give) me .{{0,24}})?{_END}"
        rf"|{_WISH}(?:abandon|cancel|drop) (?:this|that|the) question{_END}|{_WISH}skip to the next (?:one|question){_END}"
    ),
    # "ok next question", "another question please".
    "next_question": re.compile(
        rf"{_WISH}(?:(?:have|get|give me|ask me) )?(?:the |an? )?(?:next|another|different|new) question{_END}"
    ),
    # "can we just start the lesson", "i want to begin at the beginning".
    "begin": re.compile(
        rf"(?:^|[.!?,;]\W*){_WISHING}(?:start|begin)(?: (?:with |at )?(?:the|this|my))?(?: (?:very|first))*"
        r"(?: (?:lesson|topic|course|learning|beginning|start))?(?: (?:right away|straight away|now|please|pls))*"
        r"(?=\W*$|[.,!?;]| (?:even|and|because)\b)"
    ),
    # "can we stop the quiz", "no more questions". "cancel this question" matches too, so `skip` stands before it.
    "leave_quiz": re.compile(
        rf"{_WISH}(?:end|abandon|cancel|quit|drop|leave|stop|exit|give up(?: on)?) {_QUIZ}{_END}"
        rf"|{_WISH}(?:no more|enough) (?:questions|quiz){_END}|{_WISH}(?:do not|don'?t) want (?:a |any )?(?:more )?(?:quiz|questions|test){_END}"
        rf"|{_WISH}(?:stop|quit) (?:quizzing|testing|asking)(?: me)?(?: questions?)?{_END}"
    ),
    # "thats enough", "just start the lesson", "skip the rest": found anywhere in the message.
    "stop_placement": re.compile(
        r"\b(?:stop|no more|quit|cancel|end (?:it|this)|(?:don'?t|do not) want (?:a |any |more )*(?:test |quiz )?(?:test|questions?|quiz)"
        r"|(?:that'?s|that is|it'?s|had) enough|enough (?:questions|of (?:this|that|these|them|it))"
        r"|skip (?:all|them|the rest|(?:the|these|this|your|all)(?: the| these)? (?:questions|test|quiz|check))"
        r"|just (?:start|begin|teach)|start (?:the )?(?:lesson|teaching)|let'?s (?:just )?(?:start|begin)(?! with))\b|^enough\W*$"
    ),
    # "go back please"; not "back to the quiz", which goes forward.
    "back": re.compile(rf"{_WISH}(?:go )?(?:back|return)\b(?! to (?:the |my |our )?(?:quiz|question|test))"),
    # "nope", "not now", "later please".
    "decline": re.compile(r"^(?:no|nope|nah|not now|later|stay here)\b"),
    # "no wait", "hold on a sec", "let me think".
    "waits": re.compile(
        r"^(?:(?:no|oh|ok(?:ay)?|u+m+|h+m+)\W+)*(?:wait|(?:hold|hang) on|(?:one|a) (?:sec|second|moment|minute)|let me think)"
        r"(?: (?:a|one) (?:sec|second|moment|minute|bit)| for me| please| about (?:it|this|that))?\W*$"
    ),
    # "ok ok ill try", "i'll have a go at it".
    "will_try": re.compile(
        r"^(?:(?:yes|ok(?:ay)?|fine|alright|well|so|and|but|u+m+|h+m+)\W+)*(?:i'?ll|i will|i can|let me) (?:just )?"
        r"(?:try|have a (?:go|try)|give it a (?:go|try|shot))(?: (?:again|it|this|that|one more time|at (?:it|this|that)|my best))*\W*$"
    ),
    # "yes please", "ok go on", "sounds good": nothing but agreement, up to five of these.
    "agree": re.compile(
        r"^(?:(?:yes|yeah|yep|yup|yea|ya|sure|of course|please do|y|ok(?:ay)?|k|alright|all right|fine|great|cool|good|ready"
        r"|i(?:'?m| am) ready|go ahead|go on|we go|continue|let(?:'?s| us) (?:go(?: on| there)?|do (?:it|that|this)|start|begin|continue)|next(?: one)?"
        r"|sounds good|do it|move on|go there|please|thanks|and)\W*){1,5}$"
    ),
    # "decimals instead", "id rather do decimals"; not "instead of 4".
    "instead": re.compile(
        r"\binstead\b(?! of)|\b(?:i'?d|i would|i) (?:much )?rather (?:learn|study|do|start|work on|have|be)\b"
    ),
    # "can we do something else today"; not "do something else with the 4".
    "elsewhere": re.compile(
        r"\b(?:do|try|learn|have|practi[cs]e|work on|switch to|want) (?:something|anything) (?:else|different|fun)"
        r"(?: (?:instead|now|first|today|please|for (?:a|the) (?:bit|while|change|moment)))*\W*$|^something else\W*$"
    ),
    # "i already know this", "we did this already".
    "known": re.compile(
        r"\b(?:i )?(?:already (?:know|knew|did|learned|learnt|get|can do|understand|had)|know (?:all )?(?:this|that|it)(?: stuff)? already"
        r"|(?:did|had|learned|learnt) (?:this|that|it|all this) (?:already|in|at|last))\b|\bi (?:know|get) (?:all )?this already\b|\bi know all (?:of )?(?:this|that|it)\b"
    ),
    # The same as the whole message: then nothing else is wished for.
    "known_alone": re.compile(
        r"^(?:(?:but|ok(?:ay)?|hey|oh|yes|well)\W+)*i (?:already )?(?:know|knew|did|learned|learnt|had|get|can do|know how to do) (?:all )?(?:of )?(?:this|that|it|these)(?: stuff| one)?(?: already| before| (?:in|at|last) \w+)*\W*$"
    ),
    # "i do not know simplest form", "i never learned halves": about a topic only if the message names one.
    "unknown": re.compile(
        r"\b(?:i|we) (?:really |actually |still |just )*(?:(?:do not|don'?t|did not|didn'?t|never|cannot|can not|can'?t) (?:really |actually |even |yet )*"
        r"(?:know|knew|do|did|learn(?:ed|t)?|understand|understood|get|got|remember|had)|(?:have not|haven'?t|have never|'?ve never) (?:really |actually |even |yet )*(?:learn(?:ed|t)|done|had|understood))\b"
    ),
    # "show me an example", "give me an easier one", "this is too hard".
    "simplify": re.compile(
        r"\b(?:show|give|see|need|want|have)\b.{0,20}\bexample|^(?:an(?:other)? )?example\b|\b(?:easier|simpler|smaller|easy|simple) (?:one|1|step|question)\b"
        r"|\bsimpler\b|\bexplain (?:it |that |this )?(?:more )?simply\b|\bin (?:simple|easy|plain) (?:words|terms|english)\b|\btoo hard\b|^(?:\w+ ){0,4}easier(?: please| pls| plz)?\W*$|\b(?:something|anything) easier\b"
    ),
    # "another picture please", "explain it again", "differently".
    "represent": re.compile(
        r"\b(?:another|a different|some other) (?:way|picture|wording)\b|\bdifferently\b|\bexplain (?:it |that |this )?(?:again|once more)\b"
    ),
    # "what can i learn here", "which lessons are there".
    "lists_lessons": re.compile(
        r"^(?:so |and |ok |hi |hello )?(?:what (?:else )?can (?:i|we) learn|(?:what|which) (?:lessons|topics|courses|subjects)"
        r" (?:are there|do you (?:have|teach|offer)|can i (?:learn|choose|take))|what do you teach)(?: (?:me|here|with you))*\W*$"
    ),
    # "smth harder" (tidied to "something harder"), "this is so easy".
    "harder": re.compile(
        r"\b(?:something|anything|one|questions?|a bit) (?:a bit |much )?(?:harder|more (?:difficult|challenging)|less (?:easy|trivial|boring))\b|\bharder (?:one|question|please)"
        r"|\b(?:too|so) easy\b|^harder\b"
    ),
    # "im totally stuck", "show me how", "i give up".
    "stuck": re.compile(
        r"\bi give up(?: on (?:this|that|it)(?: one| question)?)?\W*$|\bi(?:'?m| am)(?: \w+){0,2} stuck\b|^(?:so |totally )?stuck\b|\bshow me how\b|\bshow me\W*$"
    ),
    # "why do i have to do this", "whats the point", "how many questions are left".
    "why_asked": re.compile(
        rf"{ONLY_WHY}|^(?:but |and |so )?what for\W*$|"
        r"\bwhat(?:'?s| is| are) (?:all )?(?:this|these|it|they|that|the questions?)(?: \w+)?(?: good)? for\b"
        r"|\bwhy (?:all )?(?:(?:these|the|so many|the many) questions|(?:do|are|am|must|should) (?:you|i|we) (?:ask|being asked|have to|need to|do|answer))"
        r"|\bhow many (?:more|are left|questions)\b|\bwhat(?:'?s| is) the (?:point|purpose)\b(?! of (?!(?:all |doing )?(?:this|these|it|that|questions?|asking)\b))"
    ),
    # "look at my drawing", "i drew it". Not "i can't see the picture".
    "look": re.compile(
        r"\b(?<!can't )(?<!cannot )(?<!cant )(?<!not )(?:look|see|watch)\b.{0,20}\b(?:this|that|it|here|drawing|picture|board|drew)\b|\b(?:i|i've) (?:drew|drawn|made)\b"
        r"|\bmy (?:drawing|picture)\b"
    ),
    # Words that may point at a drawing that was sent along: "is this right".
    "shows_drawing": re.compile(
        r"\b(?:this|that|these|those|it|they|here|drawing|picture|drew|board|right|correct|ok|okay|good)\b"
    ),
    # The buttons "Switch to *Several equal parts*", "Start with *Adding unlike fractions*", "too easy, can i skip to comparing".
    "switch": re.compile(
        rf"^(?:switch to|rather)\b|(?:^|[.!?,;]\W*){_WISHING}(?:(?:skip|jump|move|go)(?: (?:on|ahead|over|straight|back))? to|(?:take|bring|get) me(?: \w+)? to|teach me)\b|{_WISH}(?:start|begin|open) (?:right away |straight away |now )?(?:with|at|(?!(?:it|this|that|again|over|now|learning|teaching)\b|(?:the|this|my) (?:very |first )*(?:lesson|topic|course|beginning|start|quiz|test))(?=\w{{3}}))\b"
    ),
    # To a model sentence: "i meant the same", "exactly the same thing".
    "meant_same": re.compile(
        r"^(?:(?:yes|yea|yeah|yep|yup|ya)\W+)?(?:i (?:meant|said) |that is |it'?s |thats )?(?:exactly |just )?(?:the )?same(?: thing)?\W*$"
    ),
    # To a model sentence: "not quite", "no not really", "neither".
    "not_quite": re.compile(
        r"^(?:no\W+)?(?:not (?:quite|sure|really)|neither(?: of (?:them|these|those|the two))?)\W*$"
    ),
    # "what do i already know": a placement.
    "find_level": FINDS_LEVEL,
    # "from my notes: what temperature".
    "own_files": ASKS_OWN_FILES,
    # "next", "ok next one", "move on": agreement that leaves the open step, unlike "let's go on". Not "my stop is next".
    "leave_step": re.compile(
        r"^(?:(?:ok(?:ay)?|and|so|please|pls|now|yes|yeah|u+gh+|fine|right|well|just|whatever|can we|can i|could we|let'?s|do|go to|give me|i want(?: to do)?) )*(?:the )?next\b"
        r"|\bnext (?:one|step|card|question|thing|part|please|pls)\b|\b(?:skip|move on)\b|\bget (?:it|this) over with\b"
    ),
    # "tell me more", "more about that please".
    "tell_more": re.compile(
        r"^(?:(?:ok(?:ay)?|and|please|can you|could you|i want to)\W+)*(?:(?:tell|say|explain|show|know|hear)(?: me)? (?:a (?:bit|little) |some |any )?)?more"
        r"(?: (?:about|on) (?:that|it|this))?(?:\W+please)?\W*$"
    ),
    # "can I skip simplest form", "do I have to do halves": with a topic's name. Not "skip to fractions", "skip the basics
    # and start with halves": there the name is of what is wanted.
    "leave_out": re.compile(
        r"\b(?:skip|leave out|miss out|do without|avoid)\b(?! (?:to|ahead|forward|this (?:question|one)|(?:(?:the|these|all|your) )*(?:questions?|quiz(?:zes)?|tests?|rest|placement))\b)"
        r"(?![^.!?]{0,60}\b(?:and|then) (?:just |right |straight )?(?:start|begin|go|jump|move)\b)"
        r"|\b(?:must i|(?:do|will|would) i (?:really |still |even )?(?:have|need) to) (?:do|learn|study|take)\b"
        r"|\b(?:do not|don'?t) (?:need|want|have) to (?:do|learn|study|take)\b"
    ),
    # Questions about the system: "are you a real person", "who are you", "am i talking to a bot".
    "robot": re.compile(
        r"\b(?:are|r) (?:you|u) (?:(?:a|an|even|really|actually|just|like|the|yourself) )*(?:robot|bot|human|person|real|ai|neural net(?:work)?|language model|computer|program|machine|alive|someone|somebody)\b"
        r"|\b(?:who|what) (?:are|r) (?:you|u)\b|\b(?:am i|is this) (?:talking|chatting|speaking)?.{0,12}\b(?:a )?(?:robot|bot|human|ai|real person)\b"
    ),
    # "how do you know i mastered it", "why is halves mastered".
    "how_mastered": re.compile(
        r"\bhow (?:do|can|could|did|would) (?:you|u|it) (?:even |really |actually )?(?:know|tell|decide|say|think)\b.{0,24}\b(?:master(?:ed)?|know it|got it|understand|can do|learned|learnt)\b"
        r"|\b(?:why|how) (?:is|was|did|does|do|are|have|am) .{0,20}\bmaster(?:ed|y)\b|\bwhat (?:does|is) mastere?[dy]?\b|\bmastered\W{0,3}(?:why|how|really)\b|^how do you know(?: that)?\W*$"
    ),
    # "who can see this", "can my teacher read this", "is this private".
    "who_sees": re.compile(
        r"(?:^|[.,;!?]|\b(?:but|and|so|know|me|is there (?:any|some)(?:one|body))) ?who (?:can |could |will |else )?(?:see|sees|read|reads|look|looks)\b|\b(?:can|does|will|do) (?:my |the )?(?:teacher|mom|mum|mother|dad|father|parents?|anyone|anybody|others?|you)s? .{0,12}(?:see|read|know) (?:this|it|what|my|that)\b"
        r"(?! (?:again|out|aloud|to me|once more|one more time))"  # "can you read it again" asks for the question.
        r"|\bis (?:this|it) (?:private|secret|saved|stored|recorded|anonymous)\b"
    ),
    # "what can you do", "how does this work".
    "abilities": re.compile(
        r"\bwhat (?:all )?(?:can|could) (?:you|u|i|we|this) (?:even |all )?(?:do|help|ask|teach)\b|\bhow (?:do|can) (?:i|you) (?:use|work with) (?:this|you|it)\b"
        r"|\bhow (?:does|do) (?:this|it|you) work\b|\bwhat (?:do|are) you (?:for|do)\b"
    ),
    # "does this count", "will it be graded".
    "graded": re.compile(
        r"\b(?:graded|marked|marks|grades?|(?:does|do|is|will|it|this|that) (?:\w+ )?count(?:s|ed)?)\b.{0,30}\?|\b(?:is|are|does|do|will) (?:this|it|these|that) .{0,16}\b(?:graded|marked|count)\b"
    ),
    # "i just guessed", "it was a lucky guess".
    "guessed": re.compile(
        r"\bi (?:just |only |totally |kinda |actually |really )*guessed\b|\bi (?:just|only|totally|kinda) guess\b|\b(?:it|that) was (?:just |only )?(?:a )?(?:lucky )?(?:guess|luck)\b"
    ),
    # "ok see ya", "gotta go".
    "bye": re.compile(
        r"^(?:(?:ok(?:ay)?|k|well|thanks?|thank you|so|and|now|i|i'?ve|have)\W+)*(?:good ?bye|bye|see (?:you|ya|u)|cya|(?:got to|gotta|need to) go)\b"
        r"|^(?:ok(?:ay)? |well |so )*i(?:'?m| am) (?:going|leaving|off)(?: now| home)?\W*$"
    ),
    # "is it 9?": an answer that is asked about, and not yet given.
    "ventured": re.compile(
        r"^(?:so |ok |hm+ )*(?:(?:is|could|would|can) (?:it|the answer|that)(?: be)?) (?:[^?]{1,16}\?|[a-f]|\d[\d/ .,]*)\W*$"
    ),
    # "is this right?", "so is that it", and "is it 2 parts?": nothing that can be judged.
    "asks_verdict": re.compile(
        r"^(?:so |ok |and |but |wait |hm+ )*(?:(?:is|was) (?:this|that|it) (?:right|correct|ok(?:ay)?|it|true)|am i (?:right|correct)"
        r"|(?:is|could|would) it (?:be )?\d[\d/ .,]* [a-z ]{1,16})\W*$"
    ),
    # "i did get it right", "my answer was right", "you marked me wrong", "ur wrong".
    "misjudged": re.compile(
        r"^(?:no\W+)?(?:you'?re|you are|your|ur|u r|u are) (?:so |totally )?wrong\W*$|\bi (?:did|do|really did) (?:get|have) (?:it|that|this|them) right\b|\bi (?:got|had) (?:it|that|this|them) right\b(?!.*\?)"
        r"|\bi was right\b(?!.*\?)|\b(?:my|the) answer (?:was|is) (?:right|correct)\b(?!.*\?)|\bmarked (?:it|me|that|this|my answer) (?:as )?wrong\b"
        r"|\b(?:that|it|my answer) (?:wasn'?t|was not|isn'?t|is not) wrong\b"
        rf"|{CONTESTS}"
    ),
    # "i dont feel i have mastered it", "i havent really mastered this".
    "doubts_mastery": re.compile(
        r"\b(?:don'?t|do not|not sure|doubt)\b.{0,24}\bmastered\b|\b(?:haven'?t|have not|didn'?t|did not|not) (?:really |actually |yet )*master(?:ed)?\b"
    ),
    # Feelings, and life: "my dog died", "our cat ran away", "i miss him". The name is at most 24 characters, to stay within a phrase.
    "loss": re.compile(
        r"\b(?:my|our) (?P<who>[\w' ]{2,24}?) (?:just |has |have |had )*(?:died|passed away|is dead|got run over|was put down|ran away|is gone)\b"
        r"|\bi (?:really |still |just )*miss (?:him|her|them|my \w+)\b"
    ),
    # "my grandma is very sick", "my brother is in hospital".
    "illness": re.compile(
        r"\b(?:my|our) (?P<who>[\w' ]{2,24}?) (?:just |has |have |had |is |was |got |really )*(?:very |so )?(?:sick|ill|hurt|in (?:the )?hospital|has cancer)\b"
    ),
    # "im so stupid", "i am bad at math". Anything within 24 characters: "i think this is stupid" matches as well.
    "self_blame": re.compile(
        r"\b(?:i|im|i'm|i am|me|imma)\b(?:(?!\bits\b|\bit's\b|\bthat'?s\b).){0,24}\b(?:stupid|dumb|silly|thick|dense|an? idiot|too slow|useless|worthless|bad at|no good at|suck at|so bad|rubbish at|hopeless|a failure|never (?:get|learn|understand|gonna))\b"
        r"|\bim (?:so )?(?:stupid|dumb)\b"
    ),
    # "i hate fractions", "i cant stand this".
    "hates_subject": re.compile(
        r"\b(?:hate|can'?t stand|despise|don'?t like|dislike) (?:this|it|math\w*|fractions?|school|learning|quizz?es|these)\b"
    ),
    # "this is boring", "yawn".
    "bored": re.compile(r"\b(?:bor(?:ing|ed)|dull|yawn)\b"),
    "tired": re.compile(r"\b(?:tired(?! of)|exhausted|sleepy|worn out|knackered|can'?t (?:think|focus|concentrate))\b"),
    # "but it is better now", "i hate it slightly less": with a feeling, one that has changed for the better.
    "eased": re.compile(
        r"\b(?:hate|dislike|scared|afraid|worried|nervous)\b[^.?!]{0,20}\bless\b|\b(?:but|though|yet|just|only)\b[^.?!]{0,24}\b(?:less|better|easier|not (?:so|as|that) bad|not (?:now|any ?more))\b"
    ),
    # Also "everyone else finds this easy".
    "ashamed": re.compile(rf"\b(?:ashamed|shame|embarrass\w*|humiliat\w*)\b|{SLOWER_THAN_OTHERS}"),
    "annoyed": re.compile(r"\b(?:annoy\w*|angry|frustrat\w*|ffs|a+r+g+h+|gr{2,}|u+gh+)\b"),
    # "my thumb hurts", "im hungry", "i have a headache".
    "unwell": re.compile(
        r"\b(?:hungry|thirsty|starving|head ?ache|(?:tummy|stomach) ?ache|feel (?:sick|ill)|my \w+ (?:hurts?|is hurting|are hurting))\b"
    ),
    "afraid": re.compile(r"\b(?:scared|afraid|nervous|worried|anxious|panick?(?:ing|ed)?|stressed)\b"),
}


def commands_in(words: str) -> tuple[Command, ...]:
    """Return the commands in a plain text (`assertions.plain_text`), in the order of the table above."""
    last = _CLAUSE_ENDS.split(words.rstrip(" .!?"))[-1]
    skips = last != words and bool(_PATTERNS["skip"].match(last))  # "ugh, cutting again. skip pls"
    return tuple(name for name, pattern in _PATTERNS.items() if pattern.search(words) or (name == "skip" and skips))


def feelings_in(words: str) -> frozenset[Command]:
    """Return the feelings that words of a plain text may tell of: a card may have "sleepy" in its program."""
    return frozenset(name for name in FEELINGS if _PATTERNS[name].search(words))


def find_person_concerned(words: str) -> str:
    """Return who died or is ill, in the learner's words: "dog" for "my dog died"; empty for nobody."""
    found = _PATTERNS["loss"].search(words) or _PATTERNS["illness"].search(words)
    return (found["who"] or "").strip() if found else ""
