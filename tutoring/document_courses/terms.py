"""Tells terms and complete descriptions from other phrases, and compares words without their endings."""

import re
from typing import Final

ROOT: Final = 6
"""Letters that forms of one word share at least, if it is so long. Chosen by hand."""
SHOWN_ROOT: Final = 4
"""Letters from which on the beginning of a longer word tells the term. Chosen by hand."""
MIN_WORDS: Final = 4
MAX_WORDS: Final = 30
"""Words of what is said about a term. Shorter is vague, longer is not read to its end. Chosen by hand."""
_NO_TERM: Final = re.compile(
    r"(?:it|its|this|that|these|those|there|he|she|they|we|you|i|here|what|which|who|when|where|if|in|for|"
    r"another|each|other|both|one|two|three|such|first|second|third|next|last|then|than|some|any|all|most|"
    r"many|no|not|as|at|by|on|from|with|how|why|because|so|but|and|or|also|only|ex|above|below|following|"
    r"previous|same|reason|goal|result|answer|question|example|problem|difference|way|thing|things|part|"
    r"parts|point|fact|idea|purpose|section|chapter|book|figure|table|page|step|author|authors|people|"
    r"person|today|however|therefore|thus|note|remember|suppose|recall|notice|please|good|case|cases|kind|"
    r"type|advantage|disadvantage|benefit|rest|latter|former|output|code|program|above|solution|text|"
    r"article|everything|something|nothing|everyone|someone|anyone|data|left|right|side|sides|line|lines)"
)
_NOT_IN_TERM: Final = re.compile(
    r"(?:is|are|was|were|be|been|has|have|had|can|could|may|might|must|should|will|would|do|does|did|to|that|"
    r"which|who|this|these|those|it|its|their|your|our|his|her|my|if|when|while|than|then|because|so|but|"
    r"using|used|following|called|shown|given|not|also|very|more|most|less|well|very|about|into|with|from|"
    r"by|as|at|on|for|and|or|only|every|each|any|some|all|both|same|different|new|other|another|first|"
    r"second|last|next|many|such|the|resulting|resultant|expected|entire)"
)
_IN_COMPOUNDS: Final = re.compile(r"step|code|text|line|data|point|case|type|output|program|page")
"""Words of `_NO_TERM` that terms of several words begin or end with: "step size", "base case"."""
LINKED: Final = re.compile(
    r"\b(lines? \d+|this|these|those|above|below|following|previous|earlier|later|next|shown|figure|table|chapter|section|here"
    r"|ex:|we|our|us|i|my|he|she|his|her|you'll|let's|they|their|them|it|its|such|former|latter|another|example|however|instead"
    r"|also|too|then|therefore|thus|because|e\.g|i\.e|respectively|same|other|others|again|say)\b",
    re.IGNORECASE,
)
"""Words that point outside a sentence, or compare with something outside of it."""
_BACK: Final = re.compile(
    r"\b(?:it|its|they|their|them|another|other|others|same|also|because|next|previous)\b", re.IGNORECASE
)
"""Those that can have their referent within the sentence, after its beginning."""
BROKEN: Final = re.compile(
    r"\s[,;.)]|[(\[]\s|\b(?:in|of|from|by|see|and|to|the|a|an|with) ?[,.;)]|[{}<>|\\=]|\?|!|“|”|\"|'\w+'|\s{2}|^\W|;$|:"
)
_VAGUE: Final = re.compile(
    r",\s(?:and|but|so|or|yet)\s(?:an?|the)\s|,\sso\s|\b(?:value|result|number)\swhen\b|\b(?:to|of|in|for|from|with|on|at)\sthat\b"
    r"|^been\s|\bthe\s(?:equation|program(?!\s(?:execution|code|counter))|example|problem|question|user\sguide)\b|"
    r"^(?:an?|the)\s(?:\w+\s)?(?:good|important|useful|popular|great|common|powerful|big|key|main|simple|easy|nice|bad"
    r"|easier|harder|best|better|difficult|essential|interesting|challenging|valuable|preferable|typical|basic|normal)\b|\b(?:many|several|various)\s(?:ways|things)\b",
    re.IGNORECASE,
)
_KEYWORDS: Final = frozenset(
    ["for", "while", "if", "else", "with", "not", "and", "or", "as", "in", "from", "is", "try", "do"]
)
_CONSTRUCTS: Final = frozenset(
    ["loop", "loops", "statement", "statements", "clause", "keyword", "operator", "block", "branch"]
)
_ARTICLES: Final = frozenset({"a", "an", "the"})
_MODAL: Final = re.compile(
    r"\b(?:can|may|might|could|should|would|often|usually|sometimes|probably|typically|generally)\b"
)


def words_of(text: str) -> list[str]:
    return [stem(word) for word in re.findall(r"[^\W_][\w'’-]*", text)]


def stem(word: str) -> str:
    """Return a word without its most common endings, so that forms of one word are equal."""
    word = word.casefold().replace("’", "'").removesuffix("'s")
    if len(word) > 5 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def roots_of(text: str) -> frozenset[str]:
    """Return the beginnings of a text's words, which forms of one word share: "compare", "comparison"."""
    return frozenset(word[:ROOT] for word in words_of(text))


def shown_roots(term: str, said: str) -> frozenset[str]:
    """Return the beginnings of a term's words that what is said shows, also within longer words: "upper", "uppercase"."""
    said_roots, words = roots_of(said), words_of(said)
    return frozenset(
        root
        for root in roots_of(term)
        if root in said_roots or (len(root) >= SHOWN_ROOT and any(word.startswith(root) for word in words))
    )


def normal(term: str) -> str:
    return " ".join(words_of(term))


def is_term(term: str) -> bool:
    words = [word.casefold() for word in term.split()]
    ends = (_without_keyword(words)[0], words[-1]) if words else ()
    is_compound = len(words) > 1 and not re.search(r"\d", term)
    if (
        not words
        or any(_NO_TERM.fullmatch(word) and not (is_compound and _IN_COMPOUNDS.fullmatch(word)) for word in ends)
        or any(map(_NOT_IN_TERM.fullmatch, _without_keyword(words)))
    ):
        return False
    if (
        words[0] in _ARTICLES
        or words[-1] in {"of", *_ARTICLES}
        or words[0].endswith("ly")
        or (len(words) > 1 and words[0].endswith("ing") and words[1].endswith("s"))
        or "_" in term
        or "/" in term
    ):
        return False
    if re.search(r"\d", term) and not all(word[:1].isupper() or word.isdigit() for word in term.split()):
        return False
    return len(term) > 2 and sum(character.isalpha() for character in term) >= 0.7 * len(term.replace(" ", ""))


def _without_keyword(words: list[str]) -> list[str]:
    """Return the words without a keyword of a programming language: "for" of "for loop", "if" of "if statement"."""
    is_keyword = len(words) > 1 and words[1] in _CONSTRUCTS and words[0] in _KEYWORDS
    return words[1:] if is_keyword else words


def is_complete(said: str, *, term: str) -> bool:
    """Return whether what is said can be understood without the text around it."""
    count = len(said.split())
    if not MIN_WORDS <= count <= MAX_WORDS or _VAGUE.search(said) or (_MODAL.search(said) and count < 8):
        return False
    if BROKEN.search(said) or said.count("(") != said.count(")"):
        return False
    for found in LINKED.finditer(said):
        if not _BACK.fullmatch(found[0]) or len(said[: found.start()].split()) < 4:
            return False
    return not re.search(r"\.\s", said) and not (term and f" {normal(term)} " in f" {normal(said)} ")
