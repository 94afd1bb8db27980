"""Corrects learners' misspellings: "2 eqaul peices" becomes "2 equal pieces"."""

import re

# The terms of Fractions and common words, as children write them. Only spellings that are no other word, so that
# nothing right is ever changed ("forth" is not here).
_MISSPELT = {
    "because": "becuase becasue becaus becouse becoz beacuse becus becos becuz",
    "bigger": "biger bigga biggar bigr",
    "biggest": "bigest biggist",
    "bottom": "botom bottem bottum buttom",
    "common": "comon commen",
    "compare": "compair compaire",
    "denominator": "denomenator denomanator denominater demoninator denomonator",
    "doesn't": "dosnt dosent doesent dosn't",
    "different": "diffrent differnt diferent diffrant difrent",
    "divide": "devide divde",
    "divided": "devided divded",
    "double": "dubble doubble",
    "doubled": "dubbled doubbled",
    "eighth": "eigth eith",
    "eighths": "eigths eiths",
    "equal": "eqaul equel eqal equl equall eqwal",
    "equally": "eqaully equaly",
    "equivalent": "equivalant equivelent equivilant equivelant equivilent equivlent",
    "fifth": "fith fifht",
    "fifths": "fiths",
    "fourths": "forths",
    "forty": "fourty",
    "fraction": "fracton fration fractoin fracshun",
    "fractions": "fractons frations fractoins fracshuns fracshons",
    "half": "haf hafe",
    "length": "lenth lenght lengh",
    "lengths": "lenths lenghts lenghs",
    "little": "littel litle",
    "middle": "midle middel midel middal",
    "multiply": "multipli mutiply multiplie",
    "ninety": "ninty",
    "number": "numbr nuber numbar",
    "numerator": "numerater numirator numarator",
    "piece": "peice peece",
    "pieces": "peices peeces",
    "quarter": "qarter quater quartar quator qorter kwarter",
    "quarters": "qarters quaters quartars quators qorters kwarters",
    "same": "smae saem",
    "size": "sise",
    "sizes": "sises",
    "slices": "slises slicies",
    "smaller": "smaler smallar",
    "smallest": "smalest smallist",
    "spaces": "spases",
    "subtract": "substract subtrack",
    "third": "thrid therd",
    "thirds": "thrids therds",
    "twelfths": "twelths twelvths",
    "twice": "twise",
    "unequal": "uneqaul unequel",
    "unfair": "unfare",
}
_RIGHT = {wrong: right for right, spellings in _MISSPELT.items() for wrong in spellings.split()}
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
# "5cm": units are found as words.
_GLUED_UNIT = re.compile(r"\d(?=(?:cm|mm|km|m|kg|g|ml|l|lit(?:er|re)s?|met(?:er|re)s?|mins?|minutes?|hours?)\b)")


def correct_spelling(text: str) -> str:
    """Return a lower-case text with common misspellings corrected and a space between a number and its unit."""
    return _GLUED_UNIT.sub(r"\g<0> ", _WORD.sub(lambda word: _RIGHT.get(word.group(), word.group()), text))


def is_one_slip_away(word: str, meant: str) -> bool:
    """Tell whether two words differ by one inserted, missing or changed letter, or by two swapped ones."""
    if abs(len(word) - len(meant)) > 1:
        return False
    start = next((i for i, (a, b) in enumerate(zip(word, meant, strict=False)) if a != b), min(len(word), len(meant)))
    rest, aim = word[start:], meant[start:]
    return rest[1:] == aim or rest == aim[1:] or rest[1:] == aim[1:] or (rest[:2] == aim[1::-1] and rest[2:] == aim[2:])
