"""What of a sentence its speaker denies, doubts or takes back: "I don't think they must be equal", "they're equal, yeah sure".

"I don't think you can add them if they are not the same size" holds to it, and is no denial. Rules, no model.
"""

import re
from typing import Final

_ENDS: Final = r"\b(?:but|because|cause|cuz|cos|unless|only if|otherwise|or else|instead|since|so)\b"
_REST: Final = rf"(?:(?!;|, (?:they|it|you|we|so|all|both|each|the|its|it's)\b|{_ENDS}).)*"
_NOT: Final = r"(?: not|n'?t)"
_DOUBT = re.compile(
    rf"(?:\b(?:i|we) (?:\w+ )?(?:(?:do|did|ca|could|would|wo){_NOT}|cannot) (?:really |even |quite )?"
    r"(?:think|believe|buy|agree|accept|imagine|trust|reckon|(?:see|get|understand) (?:why|how|that|what))"
    r"|\bi (?:\w+ )?(?:doubt|disagree|refuse)\b|\bno way\b|\bnot necessarily\b|\bnot (?:really )?(?:true|convinced|sure)\b"
    r"|\bunsure\b|\buntrue\b|\bnot the case\b|\b(?:it would be|it'?d be|it'?s|its|it is|thats|that's) (?:\w+ )?"
    r"(?:stupid|silly|dumb|weird|nonsense|rubbish|a lie|a myth)\b|\bwhy (?:should|would|must|bother)\b"
    r"|\b(?:who (?:says|said|needs|cares))\b|\bsupposedly\b|\b(?:yeah|yea|oh) (?:sure|right)\b"
    r"|\bhardly (?!any)|\bbarely (?!any)|\bfar from\b|\banything but\b)"
)  # fmt: skip
_NO_LONGER = re.compile(r"\bno longer\b|\bno more the same\b|\bstops? being\b|\bnot (?:\w+ ){0,3}any ?more\b")
_POINTLESS = re.compile(
    rf"(?:\b(?:is|are|it'?s|that'?s){_NOT} (?:really |even |at all )?(?:needed|necessary|required"
    r"|how (?:it|this|that) works|what (?:makes|counts|matters))\b"
    r"|\b(?:is|are|it'?s|that'?s) (?:really |just |totally )?(?:unnecessary|pointless|useless|optional)\b"
    r"|\b(?:has|have) nothing to do with\b|\bmakes? no difference\b|\b(?:proves?|says|means?|shows?|changes?) nothing\b"
    rf"|\b(?:do|does|did|wo|would|will){_NOT} (?:really |even )?(?:help|prove|mean|tell|show|give)\b|\bno (?:help|use|good|point)\b"
    r"|\bnever (?:tells?|says?|means?|matters?|counts?|has to|have to|needs?)\b"
    r"|\b(?:is|are) (?:just |totally |simply |completely |all )?(?:wrong|false|nonsense|rubbish|stupid|silly|dumb|a lie)\b)"
)
_CLAUSE_START = re.compile(r"[,;]|\b(?:but|because|cause|so|since)\b")
_IF_THAT = re.compile(r"\bif (?:it|that|this) \w+$|\bif (?:it|that|this) (?:does|is|will)\b[^,]*$")
_TAKEN_BACK = re.compile(
    rf"\b(?:(?:that|thats|that's|this|it|its|it's|which|all) ?(?:is |'s |sounds |seems )?(?:just |all |so |total |a |such )*"
    rf"(?:rubbish|nonsense|silly|stupid|dumb|crap|wrong|false|untrue|a lie|bull\w*|not (?:true|right|needed|how)|isn'?t (?:true|right|so))"
    rf"|(?:that|this|it) (?:ca{_NOT}|cannot|is{_NOT}) (?:be )?(?:right|true|so)"
    rf"|(?:do{_NOT}|never|wo{_NOT}|ca{_NOT}|cannot) (?:really )?(?:believe|buy|accept|agree|think so)\b(?: (?:it|that|this|you|with \w+|a word))*(?: (?:at all|though|anyway|one bit|really))*\W*$"
    rf"|not convinced|i (?:still |totally |really )?disagree\b(?: (?:with|there))?[^,]{{0,12}}$|never ever|yeah (?:sure|right)\b|\bnot\W*$"
    rf"|(?:both|all|neither|none)(?: of (?:it|that|them|this))? (?:are|is)(?: not|n'?t)? (?:\w+ )?(?:important|needed|necessary|unimportant))\b|, not\W*$"
)
_HELD_BY = re.compile(r"\b(?:if|otherwise|or else|unless|when|without|until)\b")
_CONTRAST = re.compile(
    r"n't\b|\b(?:(?:do|does|did|is|are|ca|wo)nt|not|no|never|different|unequal|uneven|fat|thin|tiny|bigger|smaller|larger|longer|shorter|other|unlike|unless|until|without)\b"
)
_TOLD_TO = re.compile(
    r"\b(?:you|they|teachers?|people|everyone|everybody)(?: all)? (?:say|said|keep (?:saying|telling)|always (?:say|tell)|tell|told|claim|think|want|reckon)\b"
)
_TURN = re.compile(r"\b(?:but|now|and i (?:think|say|agree|see|know)|and (?:you|they)(?:'re| are) right)\b")


def held(sentence: str) -> str:
    """Return what of a plain sentence its speaker stands by; empty where they take all of it back."""
    if takes_back(sentence) or _NO_LONGER.search(sentence):
        return ""
    told = _TOLD_TO.search(sentence)
    if told:
        turn = _TURN.search(sentence, told.end())
        sentence = sentence[turn.end() :] if turn else ""
    sentence = _without_pointless(sentence)
    doubt = _DOUBT.search(sentence)
    if doubt is None:
        return sentence
    rest = re.compile(_REST).match(sentence, doubt.end())
    doubted = rest.group() if rest else ""
    condition = _HELD_BY.search(doubted)
    if condition and _CONTRAST.search(doubted, condition.end()):
        return sentence
    return f"{sentence[: doubt.start()]} , {sentence[doubt.end() + len(doubted) :]}"


def takes_back(sentence: str) -> bool:
    """Tell whether a plain sentence takes back what it says, and what was said before it: "that can't be right"."""
    found = _TAKEN_BACK.search(sentence)
    return found is not None and not _HELD_BY.search(sentence) and not _TOLD_TO.search(sentence)


def is_only_taking_back(sentence: str) -> bool:
    """Tell whether a plain sentence does nothing else, so that it is the one before it that is taken back."""
    found = _TAKEN_BACK.search(sentence)
    return found is not None and takes_back(sentence) and len(sentence[: found.start()].split()) <= 3


def _without_pointless(sentence: str) -> str:
    """Leave out a subject that is said to be of no use, with what is said of it."""
    found = _POINTLESS.search(sentence)
    if found is None or _CONTRAST.search(sentence, 0, found.start()) or _IF_THAT.search(sentence, 0, found.end()):
        return sentence
    rest = re.compile(_REST).match(sentence, found.end())
    start = max((end.end() for end in _CLAUSE_START.finditer(sentence, 0, found.start())), default=0)
    return f"{sentence[:start]} , {sentence[rest.end() if rest else found.end() :]}"
