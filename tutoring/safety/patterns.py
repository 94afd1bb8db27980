"""What a sentence says that makes one look up, by patterns; and what sounds like it and is none.

Patterns see one cleaned sentence of bounded length (`cleaning`). A negation stands in the way of each of them, since no
pattern's gaps let one through.
"""

import re
from typing import Final, Literal

type Kind = Literal["danger_now", "harm_to_self", "harm_by_others", "unsafe_request"]

KINDS: Final[tuple[Kind, ...]] = ("danger_now", "harm_to_self", "harm_by_others", "unsafe_request")
"""The gravest first."""
LOOKS_UP: Final = re.compile(
    r"\b(?:abus|afraid|alive|alone\b|ambulance|any ?more|asleep|awake|be here|beat|bed\b|belt|black eye|bleed|blood|blow|bomb|born\b|breath|bridge|bruis"
    r"|bull[iy]|burn|call(?:s|ing)? me|challenge|chok|closet|cocaine|cry|cries|cut|danger|dead\b|death|die[ds]?\b|disappear|don't tell|drank|drink|drown|drug"
    r"|drunk|dye\b|dying|eat\b|eating|eaten|empty|end (?:it|my|everything|things)|erotic|exist|explo|fake id|fat\b|fight|fire\b|fists?\b|follow(?:s|ing|ed) me"
    r"|food|forc(?:e|es|ed|ing) (?:me|my)|forever|from home|future\b|discord\b|instagram|snapchat|meet (?:me|him|her|up)\b|rope\b|gas\b|gone\b|goodbye|grab|gun|hack|hang|harm|hat(?:e|es|ed) (?:me|my|living|being|existing)|heroin|hid(?:e|es|ing)\b|hit"
    r"|home\b|hopeless|horrible|hungry|hurt|jump|kick|kidnap|kill|kiss|knif|laugh at me|leaving home|left (?:me|us)|lethal|life\b|lighter|liv(?:e|ing)\b|lock|lonely"
    r"|mak(?:e|es|ing) (?:me|my ?self)|malware|marry|match(?:es)\b|meth\b|miss me|molest|molotov|murder|my (?:leg|body|hand|room|hair|clothes|privates?)|naked|names\b|napalm"
    r"|no ?body|no one|not okay|not safe|nude|numb\b|online|outside|overdos|pain\b|painful|painless|pass(?:ed|es) out|password|photos?\b|pics?\b|picks? (?:on|a lock)|pictures? of"
    r"|pills?\b|pointing|poison|police|porn|privat|puk|punch|punish|push|rap(?:e|ed|es|ing|ist)\b|razor|reason to|rid of|ran away|run(?:ning)? away|safe\b|scar(?:s|ed|y)?\b|scream|screaming|secret|seizure"
    r"|self ?-?harm|sex|shak|shoot|shot|shout|shov|slap|sleep|slit|smack|smell|smok|sneak|sniff|spank|spit|stab\b|stabb|stalk|starv|steal|stole|stop (?:living|forever|existing)|strang|suicid"
    r"|swallow|tablets\b|taken? (?:off|all|my life|pills)|tell any|terrif|terror|thermite|threat|throw(?:s|ing|n)? (?:up|things|stuff|\w+ at|my)|tired of|tnt\b|too deep|took|touch|trapped|undress|unsafe"
    r"|useless|vap(?:e|es|ing)\b|vodka|vomit|wak(?:e|es|ing)|wasn't here|weapon|weed\b|without me|worse\b|worth(?:less)?\b|wrists?|yell|breaking in|broke in|burglar|intruder|kneel|marks on|on the (?:roof|edge|ledge)"
    r"|sterben|umbringen|morir|matarme|matar\b|mourir|alcohol|burden|calorie|depress|funeral|goodbye|heaven|laxativ|letter|over for me|pointless|sad\b|sewer|skip|stop\b|unaliv|voices|will i|blackmail|blades?\b|break into|collaps|crack|crime|deep\b|dinner|dirty|fake|get into|held me|hot ?wire|like this|log into|on purpose|pinned|driver|drugs?|fit\b|get (?:rid|even)|illegal|noose|pouring"
    r"|relapsed|revenge|sin\b|spy|suffer|untraceable|violen|virus|(?:step ?)?(?:dad|daddy|father|mom|mum|mommy|mummy|mother|parents)(?:'s)?\b|uncle|aunt|cousin|grand\w+"
    r"|\bnan\b|coach|baby ?sitter|boyfriend|girlfriend|(?:he|she|they|it)(?:'s| is| are)? (?:normal|ok) (?:that|if|to)|grown ?-?ups?|adults?|a man\b|a guy|someone (?:keeps|is|has|did|sent|said)"
    r"|somebody (?:keeps|is|has|did|sent|said))|kill|suicid"
)
"""Without one of these nothing here can fit: what is but an answer is told apart at once."""

_G = r"(?:(?!not\b|never\b|no\b|nobody\b|\w*n't\b)[\w'-]+[, ]+){0,%d}"
_GAP: Final = _G % 4
_SHORT: Final = _G % 2
_WANTS: Final = (
    r"\b(?:want|wants|wanted|wanting|wish|wishing|hope|hoping|going|ready|plan|planning|planned|try|tried|trying|like|rather|feel"
    r"|feeling|thinking|thought|think|thoughts|need|decided|about|might|could|should|will|i'll|i'm|keep|may|deserve|gotta|urge|ways?"
    r"|how|started|been|have|love)\b"
)
_LONGS: Final = (
    r"\b(?:want|wants|wanted|wanting|wish|wishing|hope|hoping|ready|plan|planning|planned|try|tried|trying|rather|feel like|think about"
    r"|thinking about|thinking of|deserve|i should|i could|i might|better|how|ways?|need)\b"
)
_SELF: Final = r"(?:my ?self|my ?self|me self)"
_PARENT: Final = (
    r"(?:step ?)?(?:dad|daddy|father|mom|mommy|mum|mummy|mam|mama|papa|mother)(?:'s)?|parents?|grandpa|grandad|granddad|grandfather|grandma"
    r"|grandmother|gran|nan|foster \w+"
)
_WHO: Final = (
    rf"(?:{_PARENT}|brothers?|sisters?|uncle|aunt|auntie|cousins?|neighbou?r|teacher|coach|tutor|trainer|babysitter|sitter|nanny|boyfriend"
    r"|girlfriend|ex|friends?|man|men|guys?|boys?|girls?|kids?|children|woman|lady|people|person|someone|somebody|stranger|he|she|they|priest"
    r"|pastor|driver|boss|roommate|husband|wife|partner|classmates?|bull(?:y|ies)|everyone|everybody|students?|gang|roommates?"
    r"|he's|she's|they're|who|that|stepbrother|stepsister|principal|doctor|janitor|leader|adults?)"
)
_ME: Final = (
    r"(?:me|us|my (?:\w+ )?(?:mom|mum|mummy|mommy|mother|dad|sister|brother|arm|face|head|back|hair|leg|legs|hand|neck|throat|stomach)"
    r"|our mom|our mum)\b"
)
_HURTS: Final = (
    r"(?:hit|hits|hitting|beats?|beating|beaten|punch(?:es|ed|ing)?|kick(?:s|ed|ing)?|slap(?:s|ped|ping)?|smack(?:s|ed|ing)?"
    r"|chok(?:es?|ed|ing)|strangl(?:es?|ed|ing)|burn(?:s|ed|t|ing)?|whip(?:s|ped|ping)?|shov(?:es?|ed|ing)|drag(?:s|ged|ging)?"
    r"|hurt(?:s|ing)?|abus(?:es?|ed|ing)|rap(?:es?|ed|ing)|molest(?:s|ed|ing)?|grop(?:es?|ed|ing)|threaten(?:s|ed|ing)?|stalk(?:s|ed|ing)?"
    r"|bull(?:y|ies|ied|ying)|attack(?:s|ed|ing)?|harass(?:es|ed|ing)?|spank(?:s|ed|ing)?|stab(?:s|bed|bing)?|bites?|blackmail(?:s|ed|ing)?"
    r"|starv(?:es?|ed|ing)|terroris\w+|terroriz\w+|shak(?:es|ing)|shook|thrash\w*|jump(?:ed|s)|assault(?:s|ed|ing)?|locks?|locked|tortur\w+)"
)
_PILLS: Final = (
    r"(?:pills?|tablets?|medicines?|meds|medication|painkillers?|paracetamol|tylenol|ibuprofen|aspirin|advil|antidepressants?|xanax|sleeping pills?"
    r"|bleach|antifreeze|drain cleaner|poison|detergent)"
)
_NOW: Final = r"(?:right now|now|tonight|today|tomorrow|this (?:evening|afternoon|weekend|week)|after (?:school|class|this)|soon|at midnight)"
_ASKS: Final = (
    r"(?:\bhow (?:do|does|can|could|would|should|to|might)\b|\b(?:tell|show|teach|give|help|send|find|get|explain|write|list|describe)\b"
    r"|\b(?:instructions?|recipe|steps?|guide|tutorial|ways? (?:to|of)|method|ingredients)\b|\bwhere (?:can|do|could|to|should)\b"
    r"|\bhow much\b|\bwhat (?:do|would|should|is|are|chemicals|household)\b|\bwhat's\b|\bi (?:want|need|would like|wish|plan|have) to\b|\bi'(?:m going|d like) to\b"
    r"|\bcan you\b|\bcould you\b|\b(?:easiest|best|fastest|quickest) way\b)"
)
_WEAPON: Final = r"(?:gun|knife|weapon|pistol|rifle|blade|machete|axe|bomb)"
_ARMS: Final = (
    r"(?:(?:pipe ?|nail ?|petrol ?|car ?|home ?made ?|dirty )?bombs?|explosives?|grenades?|molotov\w*|napalm|thermite|gun ?powder|tnt|c4|silencer"
    r"|(?:real |ghost |3d[ -]printed )?(?:guns?|firearms?|pistols?|rifles?)|weapons?|tasers?|poison|poisons|cyanide|ricin|chlorine gas|mustard gas|nerve (?:gas|agent)"
    r"|sarin|toxic gas|meth|crystal meth|cocaine|heroin|lsd|fentanyl|mdma|ecstasy|crack|weed|vapes?|cannabis|marijuana|drugs?|moonshine|vodka|beer|alcohol|cigarettes?"
    r"|fake id|malware|ransomware|a virus|computer virus|keylogger|deepfakes?)"
)

PATTERNS: Final[dict[Kind, tuple[str, ...]]] = {
    "danger_now": (
        rf"\b(?:i|i've|i just|he|she|friend|sister|brother|mom|mum|dad) {_SHORT}(?:took|taken|swallowed|drank|drunk|ate|eaten|had)"
        rf" {_GAP}(?:all|too many|whole|lot|bunch|handful|bottle|pack|loads|lots|\d+|ten|twenty|thirty|fifty|some bleach|my mom's|my mum's) {_GAP}{_PILLS}\b",
        rf"\b(?:drank|swallowed) (?:\w+ )?(?:bleach|antifreeze|drain cleaner|poison|detergent)|\b(?:i've|have|i) {_SHORT}overdosed\b",
        r"\b(?:keeps|too deep).{0,15}bleeding|\bbleeding (?:\w+ ){0,2}(?:a lot|so much|everywhere|badly|out|really bad|and)|\bblood (?:is )?(?:\w+ )?everywhere|stop the bleeding"
        r"|(?:bleeding|blood) (?:\w+ )?(?:won't|doesn't|isn't|not) stop\w*",
        r"\b(?:someone|somebody|man|men|guy|stranger|burglars?|intruder|he|they|dad|ex|he's|someone's|somebody's)(?: is|'s| are| has| have|'ve)?"
        r" (?:\w+ )?(?:broke|broken|breaking|trying to (?:get|break|come)|climbing|banging|kicking) (?:\w+ ){0,3}?(?:in|into|through|at the|on the|down|in the)\b"
        r"(?: (?:my|our|the) (?:house|door|window|home|room|flat|apartment|bathroom)|.{0,30}(?:now|scared|alone|knife|gun|hiding|help)|$|[.!])",
        rf"\b(?:he|she|man|men|guy|boy|kid|dad|mom|mum|father|mother|brother|uncle|boyfriend|someone|somebody|stranger|they|stepdad|he's|she's)"
        rf"(?: is| has| have)? {_SHORT}(?:has|have|had|got|holding|pointing|waving|pulled(?: out)?|with|grabbed|picked up) (?:a|the|his|her|my|out a|got a) (?:\w+ )?{_WEAPON}\b",
        r"\b(?:house|home|kitchen|room|bedroom|building|flat|apartment|garage|school) (?:is|'s) (?:on fire|burning|full of smoke|filling)|\bi (?:can )?smell gas\b"
        r"|\bthere(?:'s| is) (?:a )?(?:fire|smoke|gas leak|a man|someone|somebody) (?:\w+ )?(?:in|at|outside|coming)\b",
        r"\b(?:can't|cannot|can not|not|stopped|isn't) (?:\w+ )?breath(?:e|ing)\b|\bwon't wake up\b|\bnot waking up\b|\bunconscious\b"
        r"|\bisn't (?:waking up|moving|responding)|\b(?:he|she|mom|mum|dad|grandma|grandpa|friend|brother|sister) (?:\w+ ){0,3}(?:having|had|has) a"
        r" (?:seizure|heart attack|stroke)|\b(?:collapsed|passed out) (?:\w+ ){0,3}(?:on the|in the|and|won't)",
        rf"\b(?:kill|killing|hang|hanging|shoot|stab|end) (?:{_SELF}|it all|my life|it)\b.{{0,40}}\b(?:right now|tonight|today|tomorrow|after school|this (?:evening|afternoon|weekend|week))\b",
        rf"\b(?:tonight|today|right now|tomorrow)\b.{{0,40}}\b(?:kill|killing|hang|hanging|shoot|stab|ending) (?:{_SELF}|it all|my life)\b",
        r"\b(?:i'm|i am|standing|sitting)(?: \w+){0,3} (?:on|at) (?:the |a )?(?:\w+ )?(?:edge|ledge|roof|bridge|rooftop|train tracks|tracks|railway)\b",
        rf"\b(?:have|got|holding) (?:the|a|my|my dad's|some|this|these|all) (?:\w+ ){{0,2}}(?:{_WEAPON}|rope|noose|razor|{_PILLS})"
        r" (?:\w+ ){0,2}(?:in my hand|in front of me|ready|right here|next to me|with me|on my|to my|here)\b",
        r"\babout to (?:\w+ )?(?:jump (?:off|from|in front)|kill my ?self|cut my|end (?:it|my)|do it now|take (?:all|the|them|these))|\bgoing to jump (?:off|from|in front)",
        r"\b(?:this is|it's|its) (?:my )?(?:last|final) (?:message|goodbye|night|day alive)\b|\bgoodbye (?:forever|world|everyone|for ever)\b|\bby the time you read",
        rf"\b(?:i'm going to|i will|i'll|planning to|i want to|i plan to|we're going to|going to) {_SHORT}(?:shoot|stab|bomb|blow up|burn down|attack|murder)"
        rf" {_SHORT}(?:school|teachers?|class|classmates?|him|her|them|everyone|everybody|people|kids|someone|somebody|my \w+)\b",
        rf"\b(?:i'm going to|i will|i'll|i'm|planning to|going to|i want to) {_SHORT}(?:bring|bringing|take|taking) (?:a|my|the|dad's|my dad's) (?:\w+ )?{_WEAPON} (?:to|into) (?:school|class)",
        rf"\b(?:i'm going to|i will|i'll|i want to) (?:\w+ )?kill (?:him|her|them|my \w+|someone|somebody|everyone|everybody|people)\b.{{0,30}}(?:{_NOW}|\bwith (?:a|my|the)\b|\bfor real\b|\bmean it\b)",
        r"\bcall (?:the )?(?:police|cops|911|112|999|000|an? ambulance)|\b(?:need|send|get) (?:an? |the )?(?:ambulance|police|cops)\b",
        rf"\b(?:he's|she's|they're|he is|she is|they are|dad is|dad's|mom is|mum is|he|someone is|{_WHO} (?:is|are)) {_SHORT}(?:going to|trying to|about to|wants to|coming to|gonna) (?:kill|stab|shoot|strangle|rape|murder) (?:me|us|her|him|my \w+)\b",
        rf"\b(?:is|'s|are|'re) {_SHORT}(?:hitting|beating|choking|hurting|strangling|stabbing|attacking|following|chasing|threatening|punching|kicking) (?:up )?{_SHORT}(?:me|us|her|him|my \w+|mom|mum|each other)\b.{{0,20}}\b(?:right now|now|help)\b",
        r"\b(?:man|men|guy|car|van|someone|somebody|stranger|he|they)(?:'s| is| are| has been| keeps)? (?:\w+ )?follow(?:ing|ed|s) me\b(?! on )",
        r"\b(?:i'm|i am|we're|we are|i) (?:\w+ )?(?:hiding|hid|locked|trapped|stuck) (?:myself )?(?:\w+ )?(?:in|under|behind|inside) (?:the |my |a )?(?:\w+ )?(?:closet|bathroom|wardrobe|bed|basement|cupboard|toilet|shed|car|room|cellar|attic)\b",
        r"\b(?:running away|run away|going to run|leaving home)(?: from home)?\b.{0,20}\b(?:tonight|now|today|tomorrow|for good)\b|\b(?:ran away|run away) from home\b|\bi ran away\b",
        r"\bhelp\b.{0,15}\b(?:he's|she's|they're) (?:hurting|killing|coming|here|drunk|back|hitting|trying)|\bhe's (?:coming (?:up|upstairs|for me|back|home) )(?:\w+ )*(?:hurt|knife|drunk|angry|kill|scared|belt)",
        r"\bin (?:real )?danger\b(?! of (?:failing|losing))|\bhelp me (?:please )?(?:now|quick|fast|i'm dying)\b",
    ),
    "harm_to_self": (
        rf"{_WANTS}.{{0,30}}\b(?:kill|killing|hang|hanging|shoot|shooting|stab|stabbing|drown|drowning|cut|cutting|hurt|hurting|harm|harming|poison|burn|burning|strangle|suffocate|choke|off|starve|starving|end|ending) {_SELF}\b",
        rf"(?<!going to )(?<!\bto )\b(?:i|i've|i'm|sometimes|just|again|always|often) {_SHORT}(?:cut|cutting|hurt|hurting|harm|harming|burn|burning|burned|burnt|starve|starving|killing|hitting|hit|punch|scratch|bite) {_SELF}\b",
        rf"\b(?:i'd|i would|i want|i'm going|i'll|i|and|then|just|maybe|will|better) {_SHORT}(?:kill|hang|shoot) {_SELF}\b",
        r"(?<!me to )(?<!i should just )\bkill(?:ing)? ?my ?self\b|\bself[- ]?(?:harm(?:ing|ed|s)?|delete|deleting|injur\w+)\b|\bsewer ?slide\b|\bcommit(?:ting|ted)? (?:die|sui|self|s)\b|\b(?:take|taking|took) laxatives\b|\b(?:i|i've|i'm|been|started|keep|back to) (?:\w+ ){0,2}cutting(?: again)?(?:$|[ ,.!?]*$| (?:again|because|when|to feel|my (?:arms?|wrists?|legs?|thighs?|skin)))",
        r"\b(?:cut|cuts|cutting|slit|slitting|slash|scratch|burn)\w* (?:\w+ )?(?:my|on my|up my|into my|open my) (?:\w+ )?(?:arms?|wrists?|legs?|thighs?|skin|veins?|throat|stomach)\b|\b(?:cuts|scars|cut marks) (?:all over|on|up) (?:my|her|his) (?:arms?|wrists?|legs?|thighs?)|\bscratch my skin\b|\buntil it bleeds",
        rf"{_LONGS} {_SHORT}(?:to |i could |i would |i was |i were |i'd )?(?:just |be |go )?(?:die|dye(?! (?:my|her|his|the|a|it|eggs|some)\b)|dead|kill my ?self|disappear (?:forever|for ever|from (?:this|the) (?:world|earth|planet))|never wake up|stop existing|stop living|stop being alive|not (?:exist|be alive|be here|wake up|live|be around)|sleep forever|be gone forever)\b",
        r"\b(?:wish|wished) (?:that )?i (?:was|were|had|'d)(?:n't| not| never)? (?:\w+ )?(?:dead|born|alive|exist\w*)|\bwish i (?:could |would )?(?:just |not |never )?(?:die|wake up|exist|disappear)\b|\bwish i (?:didn't|don't|did not) (?:exist|wake up|have to live)|\bwish (?:that )?i wasn't (?:here|alive|born)",
        r"\b(?:hope|hoping|pray|wish) (?:that )?(?:i )?(?:don't|won't|never|do not|not to) (?:\w+ )?wake up\b|\bnot wake up (?:again|any ?more|tomorrow|in the morning)|\bnever wake up\b",
        r"\b(?:don't|do not|didn't|no longer|not) (?:really |even |just )?(?:want|wanting|wish) (?:to )?(?:\w+ )?(?:live|be alive|be here any ?more|exist|wake up|go on living|be on this|stay alive|keep living|keep going any|be in this world|grow up)\b",
        r"\bdon't (?:want|feel like) (?:to be |being )?(?:alive|living|existing|here any ?more)\b|\b(?:can't|cannot) (?:live|go on|keep living) (?:like this|any ?more|with(?:out)? (?:him|her|this|it)|living)\b|\bcan't go on\b",
        r"\bbetter off (?:dead|without me|if i)|\bbetter (?:\w+ )?(?:without me|if i (?:was|were|wasn't|weren't|died|didn't|disappeared|never))|\bhappier (?:without me|if i)|\bwithout me (?:here|around|alive|in it)\b",
        r"\b(?:no|any|the) (?:\w+ )?(?:reason|point|sense) (?:\w+ )?(?:to|in|of|for) (?:\w+ )?(?:live|living|being alive|be alive|going on|life|stay(?:ing)? alive|exist(?:ing)?|wake up)\b|\b(?:nothing|something) to live for\b",
        r"\b(?:tired|sick|done|fed up|finished) (?:of|with) (?:\w+ )?(?:living|life|being alive|existing|my life|everything and)|\blife (?:is|isn't|is not|just isn't)(?: not| really)? worth\b|\bnot worth living\b|\bhate (?:living|being alive|my life|existing)\b|\bend(?:ing)? my (?:own )?life\b|\btak(?:e|ing) my (?:own )?life\b|\bend(?:ing)? it all\b|\b(?:want|going|try\w*|just) to end (?:it|things|everything)\b(?! (?:here|with|the)| lesson)|\b(?:no|any|a|the) future for me\b|\beverything to (?:just )?stop forever\b|\bif i (?:just )?wasn't (?:here|alive|around)(?: any ?more)?\b",
        r"\b(?:no ?one|nobody|anyone|anybody|everyone|they|you|people|mom|dad|mum|parents) (?:will |would |'d |even |wouldn't |won't )*(?:care|cares|miss me|notice|notices|cry|be happy|be sad|be glad|be better)\b.{0,15}\bif i (?:just |was |were |had )?(?:die|died|dead|gone|disappear|disappeared|killed|wasn't|weren't|never|vanished|vanish|not)",
        r"\bif i (?:died|die|was dead|were dead|disappeared|was gone|killed)\b.{0,25}\b(?:no ?one|nobody|care|miss|notice|better|happier|matter)",
        r"\b(?:i|i'm|i've|me|my|feel|feeling|feels|friend|sister|brother|mom|mum|dad|thoughts?|think|thinking|thought|commit|committing|attempt\w*|having|considering|about|he|she|he's|she's)\b.{0,25}\bsuicid(?:e|al)\b",
        r"\bsuicid(?:al|e) (?:thoughts?|feelings?|ideas?|note|letter|plan|again|attempt)\b|\bsuicid(?:e|al)\b.{0,25}\b(?:i'm|i am|myself|methods?|painless|easiest|help me|my)\b",
        rf"{_WANTS} {_GAP}(?:jump(?:ing)?|throw my ?self|step(?:ping)?|walk(?:ing)?|run(?:ning)?|lie|lying) (?:off|from|in front of|out of|under|into) (?:a|the|this|that|my) (?:\w+ )?(?:bridge|roof|building|window|train|car|bus|truck|traffic|balcony|cliff|tracks|road)\b",
        rf"{_WANTS}.{{0,25}}\b(?:tak(?:e|ing)|swallow(?:ing)?|eat(?:ing)?|drink(?:ing)?|overdos(?:e|ing)) {_GAP}(?:all|too many|whole|lots?|bunch|handful|bottle|enough|every|on) {_GAP}{_PILLS}\b|\boverdos(?:e|ing)\b.{{0,25}}\b(?:i|me|my)\b|\b(?:i|me|my|to)\b.{{0,25}}\boverdos(?:e|ing)\b|\bdrink(?:ing)? (?:some )?bleach\b",
        rf"\bhow (?:many|much) (?:\w+ ){{0,3}}(?:{_PILLS}|blood|vodka|alcohol)\b.{{0,60}}\b(?:die|kill|overdose|dangerous|deadly|lethal|fatal|wake up|dead|lose|knock)\b|\b(?:painless|painlessly|easiest|quickest|fastest|best|easy) (?:way )?(?:\w+ )?(?:to |of )?(?:die|dying|kill my ?self|end (?:it|my)|suicide)\b|\bhow (?:to|do i|can i|would i|could i) (?:\w+ )?(?:die|tie a noose|disappear forever|hang my ?self)\b(?! ?(?:t-?shirt|fabric|hair))",
        r"\b(?:make|making|made|force|forcing) my ?self (?:\w+ )?(?:throw up|vomit|sick|puke|throwing up)|\bthrow(?:ing)? up (?:\w+ ){0,3}(?:after|every|on purpose|my food|so i|to (?:be|get|lose))|\b(?:haven't|not|didn't|don't|stopped|stop|stopping|refuse to|skip\w*) (?:\w+ )?(?:eat|eaten|eating|meals)\b.{0,40}\b(?:fat|thin|skinny|ugly|weight|days|calories|thinner|skinnier)\b|\bpro ?ana\b|\bthinspo\w*",
        r"\b(?:friend|sister|brother|cousin|classmate|mom|mum|dad|boyfriend|girlfriend|he|she|someone|somebody|bestie|roommate)\b.{0,40}\b(?:kill|killing|killed|hurt|hurting|hurts|cut|cutting|cuts|harm|harming|harms|hang|hanging|hanged|end|ending|burns?) (?:him|her|them)sel(?:f|ves)\b",
        r"\b(?:friend|sister|brother|cousin|classmate|mom|mum|dad|boyfriend|girlfriend|he|she|bestie)(?: \w+){0,3} (?:want(?:s|ed)?|wish(?:es)?|going|doesn't want|don't want) (?:to |that )?(?:he |she )?(?:\w+ )?(?:die|dead|be alive|live any ?more|end (?:his|her|it))\b",
        r"\bi deserve (?:to (?:die|suffer|be (?:hurt|punished|dead))|pain|it when)|\bpunish my ?self\b|\bi hate my ?self\b.{0,40}\b(?:want|wish|die|hurt|anymore|so much|gone|alive)|\b(?:pain|blood|bleeding) (?:helps|makes (?:it|me) (?:feel )?better|calms|feels good)|\bfeel better (?:when|after|if) i (?:\w+ )?(?:cut|bleed|hurt|burn)",
        r"\b(?:ich will|ich möchte|ich mochte) (?:\w+ )?(?:sterben|nicht mehr leben|mich umbringen|tot sein)|\bmich umbringen\b|\bquiero (?:morir\w*|matarme)|\bme quiero (?:morir|matar)\b|\bje veux (?:mourir|me tuer)|\benvie de mourir",
    ),
    "harm_by_others": (
        rf"\b{_WHO} {_GAP}{_HURTS} (?:up |on |at |down )?{_SHORT}{_ME}",
        rf"\b(?:when|if|because|after|before|every time|and|then|but) (?:he|she|they|my \w+) {_GAP}(?:hits?|beats?|punch(?:es)?|slaps?|kicks?|hurts?|chokes?) (?:{_ME}|mom|mum|mummy|mommy|my \w+)",
        r"\b(?:i|i'm|we|we're|i've|me) (?:\w+ ){0,3}(?:get|gets|got|getting|being|was|were|am|keep getting|been) (?:\w+ ){0,2}(?:hit|beaten|beat up|punched|abused|raped|molested|groped|touched|bullied|threatened|harassed|assaulted|blackmailed|choked|attacked|slapped|kicked|stalked|spanked|whipped|tortured|trafficked|jumped by|locked (?:in|up|out)|picked on|pushed around)\b(?! (?:by|in|at) (?:one|two|\d|points|a goal))",
        rf"\b{_WHO} {_GAP}(?:touch(?:es|ed|ing)?|rub(?:s|bed|bing)?|feels|strok(?:es|ed|ing)|puts? (?:his|her|their) hands?|put his hands?|kiss(?:es|ed|ing)|looks?|watch(?:es|ing)?|lick\w*|grab(?:s|bed|bing)?) {_SHORT}(?:me|my|on|at) {_GAP}(?:body|privates?|private parts?|chest|breasts?|boobs?|butt|bum|bottom|thighs?|leg|legs|knee|underwear|pants|undress\w*|chang(?:e|ing)|shower\w*|naked|down there|where|when i|inappropriately|weird|wrong|secretly|in (?:a|ways)|lips|on the (?:mouth|lips))",
        rf"\b{_WHO} {_GAP}touch(?:es|ed|ing) me\b|\btouch(?:es|ed|ing)? (?:me|my (?:\w+ )?(?:privates?|body|chest|butt|bottom|breasts?|boobs?))\b.{{0,40}}\b(?:like|where|when|weird|wrong|bad|don't|secret|uncomfortable|night|private)",
        rf"\b{_WHO} {_GAP}(?:mak(?:es?|ing)|made|forc(?:es?|ed|ing)|want(?:s|ed)|ask(?:s|ed|ing)?|tell(?:s|ing)?|told|said i (?:have|had|should)|says i (?:have|should)|tried|trying|tries) {_SHORT}(?:me )?(?:to )?{_SHORT}(?:touch|undress|take (?:my|off)|take off|strip|watch (?:\w+ )?(?:porn\w*|videos|him|sex|dirty|naked)|kiss|sleep (?:with|in his|in her|outside|on the floor)|have sex|do (?:things|stuff|bad|sexual|dirty|weird)|lie|sit on his|get in(?:to)? (?:his|the) (?:bed|car|van)|drink (?:alcohol|beer|vodka)|smoke|steal|marry|shower with)\b",
        r"\b(?:comes?|came|coming|gets|got|climbs?|sneaks?|crawls?) in(?:to)? (?:\w+ )?(?:my|the) (?:bed|bedroom|room|shower|bathroom)\b.{0,40}\b(?:night|touch\w*|sleep\w*|naked|scared|shower\w*|with me|hate it|undress\w*|clothes|asleep|don't like|beside me|next to me)",
        r"\b(?:comes?|came|coming|gets|got|climbs?|sneaks?) in(?:to)? my bed\b|\b(?:at|every|in the) night\b.{0,20}\b(?:he|dad|stepdad|stepfather|uncle|brother|man) (?:comes|gets|touches|climbs|lies)",
        r"\b(?:ask(?:s|ed|ing)?|want(?:s|ed|ing)?|told|tells|sends|sent|begg(?:s|ed|ing)|beg|keeps? asking|keep|made|makes|making|pressur\w+)\b.{0,35}\b(?:nudes?|naked|topless|dick|sexy? (?:pics?|pictures?|photos?|videos?)|(?:pics?|pictures?|photos?|videos?) of (?:me|my (?:body|chest|feet|underwear|private))|without (?:my )?(?:clothes|shirt|top)|in my (?:underwear|bra|swimsuit|bikini)|private (?:pics?|pictures?|photos?|parts))(?! for (?:art|biology))",
        r"\b(?:met|talk(?:ing|ed)?|chat(?:ting|ted)?|guy|man|boy|someone|person|stranger|friend|he)\b.{0,40}\b(?:online|internet|snapchat|instagram|discord|roblox|tiktok|whatsapp|game)\b.{0,60}\b(?:meet (?:me|up|him|alone|in)|my address|where i live|secret|don't tell|not (?:to )?tell|pics?|pictures?|photos?|older|alone)\b",
        r"\b(?:said|says|told|tells|made|makes|warned|promise|promised|swear)\b.{0,25}\b(?:not (?:to )?tell|don't tell|never tell|can't tell|mustn't tell|nobody can know|no one can know|our (?:little |special )?secret|(?:kill|hurt|hit|beat) (?:me|you|my \w+|us)(?: \w+)? if (?:i|you) (?:tell|say|told|leave|scream|talk))",
        r"\b(?:hurt|kill|hit|beat|worse|angry|get in trouble|leave|mad)\w*\b.{0,20}\bif i (?:ever )?(?:tell|told|say|said anything|talk|leave)\b|\b(?:please )?(?:don't|dont|can't|not) tell (?:any ?one|any ?body|my (?:mom|mum|dad|parents|teacher))\b.{0,40}\b(?:hit|hits|touch|hurt|hurts|beat|drunk|scared|he|she|bruise|cry)\w*",
        rf"\b(?:scared|afraid|terrified|frightened|fear|dread)\b {_SHORT}(?:of|to (?:go|be|come|stay|sleep|walk)) {_SHORT}(?:my )?(?:going |being |go |be )?(?:back )?(?:home|house|at home|alone with|around|near|{_PARENT}|uncle|brother|coach|him|her|them|teacher|boyfriend)\b(?! (?:work|alone in the dark))",
        r"\b(?:not|n't|never) (?:\w+ )?(?:feel |feeling |be |been |really )?safe (?:at|in|here|with|around|to go|when|any ?more|alone|near)|\b(?:i'm|i am|we're) not safe\b|\bdon't feel safe\b|\bunsafe (?:at|in|with|around) (?:home|my|him|her|the house|school)",
        r"\b(?:no|any|enough|much) food (?:\w+ )?(?:at home|in (?:the|our|my) (?:house|home|fridge)|at (?:my|our) (?:house|place)|left|for days|since)\b|\b(?:haven't|not|didn't|hasn't) (?:\w+ )?(?:eaten|eat|fed us|fed me|had (?:any )?food|had anything to eat|bought food)\b.{0,30}\b(?:days?|yesterday|monday|tuesday|wednesday|thursday|friday|weekend|home|money|locks?|won't)\b|\b(?:doesn't|don't|won't|never|nobody|no one) (?:feeds?|let me eat|lets me eat|gives? (?:me|us) (?:food|anything to eat|dinner)|takes? care of (?:me|us)|buys? food)",
        rf"\b(?:left|leaves?|leaving) (?:me|us|me and my \w+) (?:\w+ ){{0,3}}(?:alone|by (?:my|our)sel\w+)\b.{{0,25}}\b(?:days|night|nights|week|weeks|all the time|every|weekend)\b|\b(?:{_PARENT})(?: has| have|'s)?(?:n't| not)? (?:been|come|came) (?:back |home )?(?:\w+ )?(?:home |back )?(?:for|in|since)\b.{{0,15}}\b(?:days?|week|weeks|night|monday|friday|weekend)\b",
        rf"\b(?:{_PARENT}|he|she|boyfriend)(?: is|'s| are| gets| comes home| come home| was)? (?:\w+ )?(?:drunk|high|wasted|passed out|on drugs|drinking)\b.{{0,40}}\b(?:again|always|every|hit|hits|scream\w*|yell\w*|scared|throw\w*|hurt|all the time|angry|break\w*|violent|fight\w*)\b|\b(?:always|every (?:day|night)|again) (?:\w+ )?drunk\b",
        r"\b(?:throws|threw|throwing) (?:\w+ ){1,3}at (?:me|us|my (?:mom|mum|sister|brother)|mom|mum)\b|\b(?:throws?|threw|throwing|push(?:es|ed)?|pushing|slam(?:s|med)?) (?:me|my (?:mom|mum|sister|brother)|mom|mum) (?:\w+ )?(?:down|against|into|on the|to the|in the)\b|\b(?:pull|pulls|pulled|pulling|yank\w*) (?:me by )?my hair\b",
        r"\bbruises?\b.{0,40}\b(?:my|me|from|he|she|dad|mom|mum|hide|where)\b.{0,30}\b(?:hit|hits|dad|mom|mum|he|she|belt|punch\w*|beat\w*|night|hide|see|him|her|gave|stepdad|brother|kids|boys)\b|\bbruises? (?:from|because of|after) (?:my )?(?:him|her|mom|mum|dad|step\w+|father|mother|brother|uncle|boyfriend)\b|\bhide (?:the|my|these) (?:bruises|marks|cuts)\b|\b(?:gave|left) me (?:\w+ )?(?:bruises?|marks|a black eye|a bloody)|\bblack eye\b.{0,25}\b(?:he|she|dad|mom|from|gave)",
        r"\babusive (?:dad|father|mom|mother|parents?|home|house|family|relationship|boyfriend|girlfriend|stepdad|ex|husband|partner)\b|\b(?:sexual|physical|child|domestic) (?:abuse|violence)\b.{0,30}\b(?:me|my|i'm|home|happening)\b|\b(?:my|me|i'm|is this)\b.{0,30}\b(?:sexual|physical|domestic) (?:abuse|violence)\b|\bis (?:it|this|that) (?:abuse|rape|normal)\b.{0,40}\b(?:hits?|touch\w*|beats?|hurts?|locks?|he|dad|me)\b",
        rf"\b(?:keeps?|{_WHO}) {_GAP}(?:hurting|hitting|beating|touching|punching|kicking|bullying|threatening|following) (?:me|us|my)\b",
        rf"\b{_WHO} {_GAP}(?:pinned|pins|held|holds|holding|pinning) (?:me|us) (?:\w+ )?(?:down|under|against|and)\b|\b(?:hurt|burn|burned|burnt|broke|cut|hit|scalded|bit) (?:me|my \w+)\b.{{0,25}}\bon purpose\b",
        r"\b(?:teacher|coach|tutor|trainer|uncle|neighbou?r|man|guy|stranger|adult|driver|priest|babysitter|stepdad|grandpa|older \w+)\b.{0,30}\b(?:asks?|asked|asking|wants?|wanted|begs?|tells?) .{0,15}(?:for (?:a |my |some |more )?(?:photos?|pics?|pictures?|videos?|selfies?|kiss\w*|hugs?|massage)|to send|to meet (?:him|alone|me))\b",
        rf"\b(?:{_WHO}|threat(?:en(?:s|ed|ing)?)?) {_GAP}(?:to (?:post|share|send|leak|show)|posting|posted|sharing|shared|sent|leaked|sending) {_GAP}(?:nudes?|naked|private (?:pics?|pictures?|photos?|video)|(?:pics?|pictures?|photos?|videos?) of me)\b",
        r"\b(?:tells?|told|telling|says?|said|saying|keeps? \w+|wrote|message\w*|comment\w*)\b.{0,30}\b(?:kill (?:my|your) ?self|kys|i should (?:just )?die|go die|hopes? i die|wants? me dead|wish(?:es|ed)? i was dead|should (?:be dead|kill))",
        r"\b(?:everyone|everybody|they|kids|people|boys|girls|the others|classmates?|he|she|class|group)(?: \w+){0,4} (?:picks? on|make fun of|makes fun of|gang\w* up on|bull(?:y|ies)|spits? (?:on|at)|trip(?:s|ped)?|calls?|calling|call|laughs? at|laugh at|takes? my|steals? my|took my|leave) (?:me|my|lunch)\b.{0,50}\b(?:every ?day|all the time|always|every (?:break|lunch|week)|names|fat|ugly|stupid|gay|freak|retard|pig|loser|and (?:hit|push|kick|no ?one|nobody|take)|money|at school|since|cry|scared|hate)\b",
        r"\b(?:lock(?:s|ed|ing)?|shut|shuts) (?:me|us) (?:up )?(?:in|inside|out of the house|outside|out at|out in)(?! of my (?:account|phone|ipad|computer))\b|\bwon't let (?:me|us) (?:eat|leave (?:the|my)|out of|go to (?:the|a) (?:doctor|hospital)|see a doctor|sleep|talk to any|have food)\b|\bkicked (?:me|us) out (?:of (?:the|my|our) (?:house|home)|at night|last night|and)|\bsleep(?:ing)? (?:in the car|on the street|outside|in the park)\b.{0,30}\b(?:because|since|tonight|night|mom|mum|dad|out)",
        r"\b(?:he|she|dad|mom|mum|stepdad|uncle|they|someone|coach|boyfriend) (?:\w+ ){0,3}(?:raped|molested|abused|groped|assaulted|strangled|drugged|kidnapped)\b|\b(?:raped|molested) (?:me|by)\b|\bsexually (?:abused|assaulted)\b.{0,20}\b(?:me|i|my)\b|\b(?:i|me|my)\b.{0,20}\bsexually (?:abused|assaulted)\b",
        r"\b(?:dad|father|stepdad|mom|mum|parents|boyfriend|he) (?:\w+ ){0,2}(?:hits?|beats?|hitting|beating|hurts?|hurting|punch(?:es|ed)|chok(?:es|ed)|push(?:es|ed)) (?:on )?(?:mom|mum|mommy|mummy|dad|her|him|my \w+|each other)\b",
        r"\b(?:forced|arranged) (?:to marry|marriage)\b.{0,20}|\bforc(?:e|es|ed|ing) (?:me|my sister) (?:to|into)\b(?! (?:do (?:my )?(?:home|maths?|chores)|eat (?:my )?(?:veg|broc|green)|study|practi|learn|read|go to (?:school|bed|church)|clean|play|take maths))",
    ),
    "unsafe_request": (
        rf"{_ASKS}.{{0,60}}\b(?:make|making|build|building|create|construct|assemble|cook|cooking|synthesi[sz]e|mix|mixing|produce|grow|get|getting|buy|buying|order|print|produce|brew|steal|obtain|use|code|program|write|smuggle) {_GAP}{_ARMS}\b",
        rf"\b(?:make|build|cook|buy|get|synthesi[sz]e|construct) {_SHORT}{_ARMS}\b.{{0,40}}\b(?:at home|at school|step by step|instructions|recipe|without (?:id|anyone|my parents|getting)|online|underage|dark web|from household|under 18|my age)",
        rf"\b(?:bomb|explosive|meth|napalm|thermite|poison|molotov|chlorine gas)\b.{{0,25}}\b(?:recipe|instructions|tutorial|ingredients|step by step|formula|blueprint)\b|\b(?:recipe|instructions|tutorial|ingredients|blueprints?|steps|formula) (?:for|to|of) {_GAP}{_ARMS}\b",
        rf"{_ASKS}.{{0,50}}\b(?:kill|poison|murder|stab|strangle|shoot|drug|kidnap|blackmail|stalk|hurt|attack|beat up|torture|assassinate|choke|drown|injure|get rid of|roofie|harm|knock out|catfish) {_SHORT}(?:someone|somebody|a (?:person|human|man|woman|kid|child|baby|classmate|teacher|boy|girl|guy|dog|cat|pet)|people|my (?:\w+ )?(?:teacher|brother|sister|mom|mum|dad|parents|boss|neighbou?r|classmates?|friend|ex|enemy|stepdad|step\w+|bully|girlfriend|boyfriend|wife|husband|cat|dog)|him|her|them|bullies|an animal|animals|the (?:neighbou?r|teacher|kid|girl|boy|dog|cat)\w*|kids)\b",
        rf"{_ASKS}.{{0,40}}\b(?:hack(?:ing)?|break(?:ing)?|get(?:ting)?|log(?:ging)?) (?:into|in to|in) {_GAP}(?:account|accounts|phone|instagram|snapchat|school|server|system|email|computer|wi-?fi|network|database|portal|bank|house|car|profile|grades?)\b|\bhack (?:my|the|his|her|someone's|a|into) {_SHORT}(?:teacher|school|friend|account|phone|insta\w*|email|ex|girlfriend|classmate|snap\w*)",
        rf"{_ASKS}.{{0,40}}\b(?:shoplift|steal {_SHORT}(?:car|money|credit|from|phone|bike)|pick a lock|hotwire|launder|counterfeit|forge|make a fake id|get away with (?:murder|stealing|it)|credit card numbers?|hide a (?:body|knife|gun|weapon))",
        r"\b(?:show|send|give|find|watch|see|tell|write|want|draw|link|google|make|create|generate|look at|describe|talk about|with)\b.{0,30}\b(?:porn\w*|nudes?|naked (?:pic\w*|photos?|girls?|women|woman|boys?|men|people|lad\w+)|sex (?:video\w*|pic\w*|stor\w*|scene|tape|chat)|sexy (?:pic\w*|stor\w*|photo\w*|video\w*|girls?|scene|chat)|hentai|nsfw|erotic\w*|smut|dirty (?:stor\w*|pic\w*|joke about sex|talk)|boobs|sexual (?:stor\w*|content|scene|fantasy))\b|\b(?:porn|hentai|pornhub|xxx) (?:site|sites|link|links|video|videos|please)\b",
        r"\b(?:cocaine|heroin|weed|meth|lsd|mdma|ecstasy|xanax|vapes?|fake (?:id|money|ids)|alcohol|vodka|beer|guns?)\b.{0,40}\b(?:where|how) (?:do|can|could|to) (?:i )?(?:\w+ )?(?:buy|get|find|order|make|print)\b|\b(?:where|how) (?:can|do|could|does|would) (?:a |an )?(?:\w+ ){1,4}(?:buy|get|order) (?:\w+ )?(?:alcohol|vodka|beer|vapes?|cigarettes?|weed|drugs|a gun|knives)\b|\b(?:make|making|print|printing) (?:\w+ )?(?:fake|counterfeit) (?:money|ids?|notes|bills|dollars|euros)\b",
        r"\btalk dirty\b|\bsext(?:ing)?\b|\brole ?play\b.{0,40}\b(?:sex\w*|girlfriend|boyfriend|naughty|kiss\w*|naked|erotic|nsfw|lover)|\b(?:be|pretend) (?:to be |you're )?my (?:sexy|naughty|hot) (?:girlfriend|boyfriend)\b|\b(?:how (?:do|does|to|can)|teach|show me).{0,25}\b(?:have sex|do sex|give a blow ?job|masturbat\w+|lose my virginity|finger)\b|\bhave sex with (?:me|you|my)\b|\bwant to (?:see|watch) (?:sex|people have sex)",
        rf"{_ASKS}.{{0,40}}\b(?:get|getting|be) (?:really |super |very )?(?:high|drunk|stoned|wasted)\b|\b(?:choking|blackout|pass[- ]?out|tide pod|fire|skull ?breaker|knock ?out) (?:challenge|game)\b|\b(?:sniff|huff|inhale|snort)(?:ing)? (?:\w+ )?(?:glue|gas|paint|aerosol|markers?|deodorant|pills|powder|adderall)|\b(?:buy|get|sneak|steal|order|find|sell)(?:ing)? (?:\w+ ){0,3}(?:vapes?|alcohol|vodka|beer|weed|cigarettes?|drugs|edibles|cocaine|xanax|adderall|lsd|nicotine)\b",
        rf"\b(?:sneak|hide|bring|carry|smuggle|get|take) {_SHORT}(?:a |my |the )?(?:\w+ )?{_WEAPON} {_GAP}(?:school|class|past|through|plane|airport|my (?:bag|backpack|locker))\b",
        rf"{_ASKS}.{{0,40}}\b(?:blow up|burn down|set fire to|bomb|shoot up|set off (?:a bomb|the fire alarm|an explosion)) {_SHORT}(?:school|house|car|building|church|mosque|synagogue|shop|class\w*|place|train|plane|bus)\b",
        rf"{_ASKS}.{{0,40}}\b(?:choke|suffocate|poison|drown|strangle|overdose|burn) (?:until|till|someone|for fun|a (?:cat|dog))|{_ASKS}.{{0,30}}\b(?:make a noose|tie a noose|lethal dose|date rape|spike (?:a|her|his|someone's) drink|cause (?:a )?(?:gas explosion|overdose))\b|\blethal dose of\b|\bbleach and (?:ammonia|vinegar)\b.{0,40}\b(?:make|gas|mix|toxic|deadly)|\bmix\w*.{0,20}\bbleach\b",
    ),
}  # fmt: skip
