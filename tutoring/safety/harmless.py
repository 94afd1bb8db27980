"""What sounds like danger and is none: figures of speech, games, books, lessons, accidents, what is denied."""

import re
from typing import Final

_SCHOOL = (
    r"(?:homework|hw|maths?|fractions?|tests?|quiz(?:zes)?|exams?|questions?|problems?|lesson|worksheets?|assignment|essay|algebra|geometry"
    r"|division|equations?|grades?|school ?work|project|numbers|decimals|percents?|percentages?|exercise|exercises|spelling|chapter|this one|class is|pe)"
)
_SCREEN = (
    r"(?:minecraft|roblox|fortnite|zelda|mario|pokemon|fifa|among us|video ?games?|computer games?|xbox|playstation|ps5|nintendo|zombies?|creepers?"
    r"|boss|bosses|npc|respawn\w*|dungeon|dragons?|(?:the|my|our|this|a) (?:\w+ )?game)"
)
_SPORT = (
    r"(?:chess|checkers|uno|monopoly|cards|laser tag|paintball|dodgeball|nerf|hide and seek|basketball|football|soccer|baseball|softball|hockey|tennis"
    r"|volleyball|rugby|cricket|boxing|karate|judo|wrestling|taekwondo|ping pong|race|races|match|tournament|pillow fight|snowball\w*|water balloons?)"
)
_PLAY = rf"(?:{_SCREEN}|{_SPORT}|checkmate|scoreboard|levels?|game)"
_TALE = (
    r"(?:books?|novels?|stor(?:y|ies)|movies?|films?|shows?|series|plays?|poems?|songs?|lyrics|comics?|manga|anime|legend|myth|fairy ?tale|chapter|textbook|bible"
    r"|documentary|article|news|newspaper|history|history class|english class|romeo|juliet|hamlet|macbeth|shakespeare|harry potter|voldemort|anne frank|hitler|caesar|lincoln|kennedy|titanic)"
)

FIGURES: Final = re.compile(
    r"\b(?:(?:is|are|was|were|it's|this|that|you're|he's|she's|they're|\w+'s|legs?|feet|head|back|hand|hands|shoes|fractions|maths?|homework) (?:\w+ ){0,3}killing me\b(?! (?:now|with|help|slowly and he))"
    rf"|kill(?:s|ed|ing)? (?:some |the |more |\w+ minutes )?(?:time|it|the (?:mood|vibe|lights?|engine|process|bacteria|germs|weeds|mosquito\w*|bugs?|spiders?|fly|flies)|two birds|bacteria|germs|weeds|bugs?|mosquito\w*|spiders?|zombies?|creepers?|process(?:es)?|boss|a (?:process|fly|bug|spider|mosquito|virus|cold))\b"
    r"|dressed to kill|curiosity killed|buzzkill|killer (?:app|whale|move|robots?|shark|bees?)|(?:bored|scared|tickled|worried|starved|frightened|sick|freezing|laughed|talked|work(?:ed|ing)?) (?:\w+ )?to death|half to death|cut to the chase|cut it out"
    r"|(?:dying|die|died|dead) (?:of|from|with) (?:boredom|laughter|laughing|embarrassment|curiosity|heat|cold|hunger|thirst|cringe|cuteness|shame)|(?:dying|die) (?:laughing|to (?:know|see|try|hear|meet|go to|find out|get)|for (?:a|an|some))|died (?:laughing|inside)|to die for\b|die hard|dice|dead (?:tired|end|line|serious|on|ringer|even|weight|sea|last|heat|battery|pixel)|i'm (?:so |just )?dead(?: laughing|$|[ ,.!]*(?:lol|haha|if))|drop dead gorgeous|over my dead body"
    r"|(?:phone|battery|tablet|laptop|computer|car|ipad|wi-?fi|internet|plant|plants|flowers?|tree|goldfish|fish|hamster|dog|cat|bird|rabbit|bunny|guinea pig|horse|turtle|pet|grandma|grandpa|grandmother|grandfather|uncle|aunt|character|star|stars|\w+saurs?) (?:\w+ ){0,2}(?:dies?|died|dying|is dead|dead)"
    rf"|(?:mom|mum|dad|parents|teacher|sister|brother|coach|friends?|they|she|he|my \w+)(?:'s| is| are|'ll| will|'re|'d| would)? (?:\w+ )?(?:going to |gonna )?(?:kill|murder) me (?:if|when|for|because|unless|lol|haha)\b(?! i (?:tell|say|told|scream|leave|talk))"
    r"|(?:hit|hits|hitting) (?:me )?(?:up|with (?:another|more|your|some|hard|harder|tough|that|the (?:next|hard|first)|an? (?:hard|harder|new|tough|question|problem|challenge|easy|easier|big|tricky|trickier|different|surprise|bill|quiz|test|\w+ (?:question|one|problem)))|on me|the (?:books|road|gym|sack|hay|ball|target|button|jackpot|nail|target|spot|brakes|wall|pool|beach|streets?|floor|ground)|a (?:ball|wall|home run|six|four|target|snag|button)|send|enter|reply|\d+|home ?runs?)"
    rf"|(?:it|that|reality|the idea|then it|wave|ball|sun|smell) (?:just |finally |really |suddenly )?hit me\b|beats me(?: why| how|$|[.,!?])|beat(?:s|ing|en)? (?:me|him|her|us|them|my \w+|the \w+) (?:\w+ )?(?:at|by \d|to (?:it|the|school)|in (?:a |the |every |another )?(?:\w+ )?{_PLAY}|\d+ ?(?:-|to) ?\d+|every (?:time|game)|in (?:maths?|spelling|spelling bee))|beat (?:the|my|his|her|a) (?:\w+ )?(?:score|record|high score|time|level|boss|game|eggs?|drum|champion|team|clock|traffic|odds)|beat around the bush|heart ?beats?|drum ?beats?"
    rf"|cut(?:s|ting)? (?:it |them |this |that |the \w+ |a \w+ |my \w+ |an \w+ |up )?(?:\w+ )?(?:in|into|in to) (?:half|halves|thirds|quarters|pieces|parts|fourths|slices|\d+|two|three|four|five|six|eight|equal)|cut (?:my |the |some )?(?:hair|grass|nails|cake|pizza|paper|bread|class|corners|ribbon|string|rope|apple|sandwich|lawn|tags?|bangs|fringe)|short ?cuts?|paper ?cuts?|cut me (?:off|some slack|a (?:slice|piece))|hair ?cuts?|cut in line"
    r"|shoot (?:some |a |the |your |me )?(?:hoops|baskets?|pool|video|film|movie|a question|questions?|a message|photos?|for|me an?)|shot (?:at|of|on|put)|long ?shot|screenshots?|flu shots?|photo ?shoot|parking shot|shooting (?:stars?|hoops|guard|percentage)|penalty shoot ?out|trouble ?shoot"
    r"|bath bombs?|paper bombs?|bomb toys?|toy bombs?|(?:locked out|locked myself out) .{0,25}(?:forgot|lost|left) (?:my |the )?keys?|photo ?bomb\w*|cherry bomb|bomb (?:calorimeter|cyclone|dot com)|da bomb|the bomb\b(?! (?:go|in my|at|recipe))|glue guns?|water guns?|squirt guns?|nerf guns?|toy guns?|foam guns?|top gun|jump(?:ed|s|ing)? the gun|nail gun|heat gun|rubber band gun|atomic bombs?|nuclear (?:bombs?|weapons?)|hydrogen bombs?|hiroshima"
    r"|poison (?:ivy|dart|apple|oak|type)|poisonous|food poisoning|drug ?store|alcohol (?:rub|wipes?)|rubbing alcohol|ginger beer|root beer|butter ?beer|seaweed|weed ?(?:whacker|killer|the garden)|pull(?:ing)? weeds?|crack (?:the|a|this|an|my|me|that) (?:\w+ )?(?:code|case|egg|eggs|joke|nut|puzzle|problem|whip|up)|crack(?:ed|ing|s)? (?:it|up|me up)|life ?hacks?|hack ?athon|growth hack|virus (?:spread|protection|scan|cells?)|anti ?virus"
    r"|stab at|back ?stab\w*|stabbing pain|punch ?line|fruit punch|hole ?punch\w*|pack(?:s|ed) a punch|kick(?:s|ed|ing)? (?:me |us |him |her )?(?:off|out of the (?:game|team|server|chat|call|lobby|club|group|match|meeting|discord|zoom)|a ball|the ball|the can|the habit|it off|in|start|back)|kick ?off|free ?kicks?|penalty kick|side ?kick|slap (?:on|a sticker)|slap stick|choke (?:on|up|point)|choked (?:on|up)|under the belt|seat ?belt|push(?:es|ed|ing)? (?:me|us|my\w*|him|her) (?:\w+ )?(?:to (?:work|do|try|study|be|practi\w+|keep|get|learn|run|improve|think|finish)|harder|on the swing|on a swing|too hard)|push ?ups?|push the button|safe ?ty"
    r"|burn(?:s|ed|t|ing)? (?:calories|out|a cd|my (?:toast|tongue|mouth|food|dinner|cake|fingers? on)|the (?:toast|cake|cookies|dinner)|me (?:in|with a joke))|sun ?burn\w*|hurts? (?:my|your|his|her) (?:feelings|brain|head|eyes|ears|knee|ankle|finger|toe|foot|back|wrist|thumb|elbow|shoulder)|(?:brain|head|eyes|hand|stomach|tummy|tooth|teeth|throat|ears?|legs?|foot|feet|knee|ankle|arm|finger|toe|wrist|back|it|this|that|stings?) (?:really |just |still |always |kind of |literally |so )?(?:hurts?|is hurting) ?(?:me)?\b|doesn't hurt to|won't hurt to|it wouldn't hurt"
    r"|steals? (?:my|the) (?:thunder|show|base|ball|cookies?|fries|idea)|name calling|(?:shaking|shakes|shook) (?:my|me|his|her) (?:hand|head)|jump(?:ed|ing|s)? (?:rope|on (?:the|a) (?:trampoline|bed|bus)|in(?:to)? (?:the|a) (?:pool|water|lake|puddle|car)|to conclusions|for joy)|hang(?:s|ing)? (?:out|on|up|in there|my (?:coat|jacket|clothes))|hang ?man|over ?hang|hung up|hang of|bang on|murder mystery|serial|sick of (?:this|these|doing)|secret (?:santa|garden|ingredient|code|agent|message)|victoria's secret"
    r"|lock(?:s|ed|ing)? (?:me|us|himself|herself|my\w*) (?:\w+ )?out of (?:my|our|the|his|her) (?:account|phone|ipad|computer|laptop|game|tablet|app|chromebook)|threaten(?:s|ed|ing)? to (?:ground|take|tell|cancel|not let|turn off|unplug|make me)|attack(?:ed|s|ing)? (?:me|us)? ?(?:in|with) (?:the )?(?:game|chess|minecraft|snowballs?)|(?:killed|hit|shot|stabbed|attacked|bit|bites?|stung|kicked|scratche[sd]) (?:me )?by (?:a |the |my )?(?:\w+ )?(?:creeper|zombie|boss|mosquito|bee|wasp|dog|cat|horse|ball|car|bus|lightning|shark|snake|player|bot|enemy|skeleton)|(?:mosquito|mosquitoes|bee|bees|wasp|dog|cat|kitten|puppy|hamster|ant|ants|spider|fly|goose|rooster|baby|toddler|goalie|ball) (?:\w+ )?(?:bit|bites?|stung|scratched|attacked|kicked|hit|licked|jumped|killed|hurt)s? (?:me|us|my \w+))"
    r"|\b(?:one|two|three|four|five|\d+|no|any|extra|more|last|lost a|lose a|many) (?:more )?li(?:fe|ves)\b(?: left)?|\b(?:in|for) real life\b|\breal life (?:example|problem|use)s?\b|\b(?:no|without) pain no gain\b|\bno pain,? no gain\b|\btake a shot at\b|\bsuicide (?:squad|squeeze|prevention|bomber\w*|rates?)\b|\bsuicides (?:in|at|for) (?:pe|practice|basketball|gym|football|soccer)\b|\brun(?:ning)? suicides\b|\bself[- ]?destruct\w*|\bself (?:portrait|esteem|assessment|check)|\bkill(?:ed)? in action\b"
)  # fmt: skip
"""Taken out before anything is looked for."""

HYPERBOLE: Final = re.compile(
    rf"\b{_SCHOOL}\b.{{0,40}}\b(?:makes?|making|make|made) me (?:\w+ )?(?:want|wish|feel like)|\bif i (?:have to|see|get|must|need to) (?:\w+ )?(?:another|one more|any more|more)\b"
    rf"|\brather (?:die|be dead|eat|kill my ?self|cut|jump|stab) .{{0,20}}\bthan\b.{{0,30}}\b{_SCHOOL}|\brather (?:die|be dead) than\b|\b(?:lol|lmao|haha\w*|jk|just kidding|rofl|xd)\b"
)
"""About schoolwork, or in fun: what is said of one's own death there is not meant. Of what others do it excuses nothing."""

_ACCIDENT = (
    r"\b(?:by accident|on accident|accident(?:al(?:ly)?)?|by mistake|oops|shaving|(?:cooking|chopping|peeling|slicing|sharpen\w+|opening) |on (?:a|the|some) (?:paper|glass|tin|can|fence|thorn|rock|nail|corner|door|table|desk|stove|oven|iron|pan|knife making)"
    r"|(?:fell|falling|tripp\w+|skat\w+|bike|bicycle|scooter|trampoline|playground|monkey bars|swings?|slide|climbing|running|gymnastics|dancing|at (?:pe|gym|recess)|hot (?:stove|pan|water|chocolate|tea|glue)|toaster|kettle)"
    rf"|(?:playing|in|at|during) (?:\w+ )?{_PLAY})\b"
)
ACCIDENT: Final = re.compile(_ACCIDENT)
"""Around harm to oneself: it happened, and was not meant."""
INTENDED: Final = re.compile(
    r"\b(?:on purpose|because i|so that i|to feel|to calm|again and again|when(?:ever)? i(?:'m| am| feel| get) (?:\w+ )?(?:sad|angry|upset|stressed|bad|alone|down|mad)|hate my ?self|deserve|razor|blades?|lighter|secretly|at night)\b"
)
"""It was meant after all."""
OF_WAYS: Final = re.compile(
    r"\b(?:how many|how much|what|which|how long|how high|painless\w*|least painful|quickest|easiest|fastest|best|ways?)\b.{0,60}\b(?:die|dying|kill (?:my|one)? ?self|suicide|overdose|not wake up|noose|lethal|end (?:it|my|your|her|his) (?:all|life))\b"
    r"|\b(?:if|when|would|will|do) i (?:die|jump|take|swallow|hang|drink)\b|\bhow (?:to|do i|can i|would (?:i|she|he|they|you)) (?:\w+ )?(?:kill|hang|cut|hurt|harm) (?:my|her|him|them|your)sel(?:f|ves)\b"
)
"""Asks for ways, and a tale around it is but the wrapping."""
IN_PLAY: Final = re.compile(
    rf"\b(?:by accident|on accident|accidentally|by mistake)\b|\b(?:playing|during|practi[cs]ing) (?:\w+ ){{0,2}}{_PLAY}\b"
)
"""Around others' blows: they are a game's."""

TALE: Final = re.compile(
    rf"\bin (?:the|my|our|a|this|that|her|his) (?:\w+ ){{0,3}}(?:{_TALE}|drawing|picture|dream|riddle|exercise|question|task|example)\b|\b(?:the|a|my|main|this|our|one) (?:\w+ )?(?:character|hero|heroine|villain|author|poet|singer|narrator|king|queen|knight|wizard|soldiers?|emperor|president|protagonist|{_TALE})s?\b"
    rf".{{0,60}}\b(?:says?|said|sings?|wrote|writes|wants?|wanted|dies|died|kills?|killed|feels?|felt|thinks?|thought|is|was|were|has|had|gets?|got|about|where|called|tries|tried|goes|happens|hits?|hit|beats?|runs?|poisons?|ends?)\b|\b(?:writing|write|read|reading|watch\w*|summar\w+|analy\w+) (?:\w+ ){{0,4}}{_TALE}\b"
    rf"|\b(?:romeo|juliet|hamlet|macbeth|shakespeare|voldemort|caesar|lincoln|hitler|napoleon|cinderella|snow white|world war|ww2|wwii|ww1|civil war|middle ages|ancient|romans?|vikings?|aztecs?|guillotine|gladiators?|salem|revolution)\b"
    rf"|\b(?:in|on|at|playing|play|for|of) (?:\w+ ){{0,2}}{_SCREEN}\b|\b{_SCREEN}\b.{{0,20}}\b(?:killed|kill|beat|hit|shot|shoot|die|died|dies)\b|\bwhat (?:does|do|is|are|did|was)\b.{{0,40}}\b(?:mean|meaning|definition|synonym|in (?:spanish|french|german|english|latin)|(?:difference|called))\b|\bhow (?:do (?:you|i|we)|to|is)\b.{{0,15}}\b(?:spell|spelled|pronounce\w*|translate)\b|\b(?:the|this) word\b|\bdefine\b|^(?:so |and )?what(?:\'s| is| are) (?:an? |the )?[\w-]+(?: [\w-]+)?\W*(?:$|,)|\b(?:we (?:had|learned|learnt|did|talked)|talked|learned|learnt) (?:it |about )|\bdefinition of\b"
    r"|\b(?:if|suppose|let's say|imagine|problem says?|question says?|exercise says?) (?:\w+ )?(?:tom|tim|anna|sam|ben|lisa|maria|john|mary|jack|a (?:man|farmer|baker|train|car|hunter|bacteria|virus|population))\b|\bprobability\b|\bpercent(?:age)? of\b|\bhow many\b.{0,30}\b(?:people|soldiers|animals|deaths|left|remain\w*|survive\w*) "
)
"""A book, a game, a word, a task: not the writer's own life."""
REAL_AFTER_ALL: Final = re.compile(
    r"\b(?:not (?:a|in a|from a|just a) (?:story|book|game|movie|joke)|for real|actually|in real life|irl|not (?:joking|kidding|playing)|no joke|really (?:happen\w*|do|am|is|mean|want)|it'?s me\b|it is me\b|i mean it|i'm serious|seriously|and (?:so do )?i (?:do|feel|want) (?:the same|it|too|that|to)|just like (?:me|him|my)|same (?:as|with|for|happens to) me|like (?:i|my dad|my mom|at home)|at home)\b"
)

DENIED: Final = re.compile(
    r"\b(?:not true|never said|didn't say|didn't mean|not saying|isn't true|doesn't mean|would never|i'd never|will never|i'll never|i never|never|nobody"
    r"|no one|wasn't|not|don't|do not|didn't|did not|isn't|aren't|(?<!can't )stopped|(?<!can't )(?<!not )stop)"
    r"(?: (?:really|actually|even|ever|want|wants|wanted|plan|planning|mean|feel|like|think|going|trying|say|said|believe|to|that|i|about))*\s*$"
)
"""Right before what was found of harm to oneself, or of danger: it is not so."""
DENIED_OF_OTHERS: Final = re.compile(
    r"\b(?:not true that|never said(?: that)?|didn't say(?: that)?|don't mean(?: that)?|not saying(?: that)?|isn't true that|doesn't mean(?: that)?|don't think(?: that)?"
    r"|nobody|no one|not one|none of (?:the|my))(?: (?:the|my|he|she|says|thinks|ever))*\s*$"
)
"""The same of what others do."""
STILL: Final = re.compile(
    r"\b(?:won't|wont|doesn't|don't|didn't|wouldn't|can't|cannot|couldn't|never|not) (?:ever |really |seem to )?(?:stop|stops|quit|leave me alone)\b"
    r"|\b(?:i'm|i am|this is|it's|it is) (?:really )?not (?:a joke|joking|kidding|lying|playing|even joking|making this up)\b|\bno joke\b|\b(?:i )?(?:don't|do not) (?:know|understand|get) (?:what to do|why|how|what|who to (?:tell|talk to)|if)\b|\bnot (?:just|only)\b"
)
"""A negation that denies nothing: it goes on."""
UNHARMED: Final = re.compile(
    r"\b(?:nobody|no one|never|don't|doesn't|didn't) (?:ever |really )?(?:hit|hits|hurt|hurts|touch|touches|beat|beats|bully|bullies|hitting|threaten\w*) (?:me|us|my \w+)\b"
    r"|\b(?:i'm|i am) (?:fine|okay|ok|safe|all right|only joking|just joking|joking)\b"
)
"""Said to be well."""
