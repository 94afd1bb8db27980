"""What is counted in the exchanges of a learner. Each function returns the faults of one kind."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from drills.scripted_learners.exchange import Card, Exchange
from drills.scripted_learners.limits import REPEATS_WITHIN, SENTENCE_WORDS
from drills.scripted_learners.scripts import Kind

type Evidence = str
type Fault = tuple[Exchange, str]
"""The exchange, and what is wrong with it."""

ACCEPTED: Mapping[Kind, frozenset[Evidence]] = {
    "card": frozenset({"verdict", "help", "statement"}),
    "claim": frozenset({"verdict", "answer", "help", "statement"}),
    "ask": frozenset({"answer", "help", "action", "statement"}),
    "want": frozenset({"answer", "help", "action", "statement"}),
    "feel": frozenset({"answer", "statement"}),
    "chat": frozenset({"answer", "words", "statement"}),
}
"""What a message of each kind may be answered by."""

_ABOUT_FEELINGS = re.compile(
    r"sorry|\bhard\b|tricky|difficult|tough|okay|all right|break|stop here|happens|not stupid|normal|thank|glad|nice|slow"
    r"|lighter|rest\b|together|good to hear|\bgreat\b|lovely|no rush|take your time|annoying|frustrat|smaller|another way",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"look once more|keep that thought|let that one rest|that can stay open|we leave that one|i am not sure i follow"
    r"|write down whatever you|start anywhere|where would you start|type the calculation|start by ruling"
    r"|let us go on|let's go on|let[’']s continue\.?$|^go on\.?$|^ok(ay)?\.?$",
    re.IGNORECASE,
)
_NOT_UNDERSTOOD = re.compile(
    r"which (one|of these) (comes|is) close(st|r)"
    r"|(did|do)( not|n[’']t) (quite )?(understand|get|catch|follow|know (what|which|how)|have (an answer|a lesson))"
    r"|not sure (what|whether|which|if)|d(o|id) you mean|shall i take|(could|can)( ?not|n?[’']t) (read|tell|answer|find|judge)"
    r"|is \S+ your answer, or|should i (take|count)|could mean many things|do(es)?( not|n[’']t) (say|cover|answer)|not something i|can[’']t (do|help)",
    re.IGNORECASE,
)
"""Also what is refused: “I can’t do that. I can explain something or check your answers.” is how a person answers a wish
for music, and no bounced message."""
_TEACHES = re.compile(
    r"\d\s*/\s*\d|\b(half|halves|equal|parts?|pieces?|thirds?|fourths?|quarters?|top|bottom|whole|fractions?|numerator"
    r"|denominator|striped|shaded|plain)\b",
    re.IGNORECASE,
)
TEACHING_WORDS = 8
_VERDICT = re.compile(
    r"(right[.:,]|correct\b|exactly\b|not quite\b|not yet\b|wrong\b|almost[.:,]|nearly[.:,]|well done|you[’']ve got it"
    r"|you have got it|that(’s|'s| is) (right|correct|wrong|it[.:]|true|part of|not (right|correct|true|it))"
    r"|you(’re|'re| are) (right|wrong|correct)\b|you have the parts right|maybe you thought|that fits|that is how it works)",
    re.IGNORECASE,
)
_YES_NO = re.compile(r"(yes|no)[.:,]", re.IGNORECASE)
_OFFER = re.compile(
    r"[“\"][^”\"]{2,60}[”\"]|\b(ask me|tell me|say|choose|press|pick|write|type|try|next time|saved)\b|\?\s*$",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.?!])\s+|\n+")
_WORD = re.compile(r"\b[^\W\d_][\w’']*")
_FEEDBACK = re.compile(r"\n\*Your answer:\*.*?\n\*\*[^*\n]+\*\*(?P<feedback>.*)\Z", re.DOTALL)
_PICTURE = re.compile(r"\*Picture: [^*]*\*")
_LINK = re.compile(r"\[[^\]]*\]\([^)]*\)")
"""A link is a way on, like a button, and no sentence."""
_QUOTED = re.compile(r"[“\"]([^”\"]+)[”\"]")
_JUDGEMENTS = ("answers", "claims", "ideas", "misconceptions", "milestones")


def bounced(exchanges: Sequence[Exchange]) -> Iterator[Fault]:
    """Messages answered by nothing of substance."""
    for exchange in exchanges:
        if not evidence(exchange) & ACCEPTED[exchange.line.kind]:
            yield exchange, f"nothing of substance for {exchange.line.kind}"


def repeated(exchanges: Sequence[Exchange]) -> Iterator[Fault]:
    """Sentences of the tutor that came before within ten turns."""
    last_said: dict[str, int] = {}
    for exchange in exchanges:
        for sentence in dict.fromkeys(sentences(exchange)):
            before = last_said.get(sentence)
            if before is not None and exchange.number - before < REPEATS_WITHIN:
                yield exchange, f"said in turn {before} already: {sentence}"
            last_said[sentence] = exchange.number


def dead_ends(exchanges: Sequence[Exchange]) -> Iterator[Fault]:
    """Turns after which nothing is offered to do next."""
    for exchange in exchanges:
        has_action = exchange.has_open_card or exchange.page_action
        if not (has_action or _ways(exchange) or _OFFER.search(exchange.reply)):
            yield exchange, "no open card, no buttons, no offer"


def unjudged(exchanges: Sequence[Exchange]) -> Iterator[Fault]:
    """Verdicts on words that were neither graded nor judged."""
    for exchange in exchanges:
        if exchange.line.kind != "card" and not is_judged(exchange) and (verdict := verdict_in(exchange)):
            yield exchange, f"a verdict on words that nothing judged: {verdict}"


def unanswered(exchanges: Sequence[Exchange]) -> Iterator[Fault]:
    """Questions followed by a reply that does not refer to them."""
    for exchange in exchanges:
        line = exchange.line
        if line.kind == "ask" and line.text.rstrip().endswith("?") and not refers(exchange):
            yield exchange, f"nothing about {line.about}"


def graded_asides(exchanges: Sequence[Exchange]) -> Iterator[Fault]:
    """Messages that are no answer, and were graded as one."""
    for exchange in exchanges:
        if exchange.line.kind in ("ask", "want", "feel", "chat") and exchange.graded > exchange.given_up:
            yield exchange, "graded as an answer"


def not_understood(exchanges: Sequence[Exchange]) -> Iterator[Fault]:
    """Messages to which the tutor says that it did not understand them, or cannot judge or answer them."""
    for exchange in exchanges:
        if match := _NOT_UNDERSTOOD.search(exchange.reply):
            yield exchange, match[0]


def failed(exchanges: Sequence[Exchange]) -> Iterator[Fault]:
    """Turns that did not end as turns do."""
    for exchange in exchanges:
        if exchange.status != "done":
            yield exchange, f"the turn ended as {exchange.status}"


COUNTERS: Mapping[str, Callable[[Sequence[Exchange]], Iterator[Fault]]] = {
    "bounced": bounced,
    "repeated": repeated,
    "dead_ends": dead_ends,
    "unjudged": unjudged,
    "unanswered": unanswered,
    "graded_asides": graded_asides,
    "not_understood": not_understood,
    "failed": failed,
}


def evidence(exchange: Exchange) -> set[Evidence]:
    """Return what the reply has in it."""
    found = {
        "verdict": exchange.graded or (is_judged(exchange) and verdict_in(exchange)),
        "answer": refers(exchange),
        "help": _helps(exchange),
        "action": any(card["kind"] in ("question", "concept", "path", "replies") for card in exchange.new_cards)
        or any(card.get("state") == "closed" for card in exchange.changed),
        "statement": _says_what_was_not_understood(exchange),
        "words": len(_without_filler(exchange.reply).split()) >= SENTENCE_WORDS,
    }
    return {name for name, value in found.items() if value}


def refers(exchange: Exchange) -> bool:
    """Whether the reply has one of the words that the message is about."""
    line = exchange.line
    if not line.about:
        return line.kind == "feel" and bool(_ABOUT_FEELINGS.search(told(exchange)))
    return re.search(line.about, told(exchange), re.IGNORECASE) is not None


def told(exchange: Exchange) -> str:
    """Return what the tutor told in this turn: without questions, what stood there before, and the learner's own words."""
    cards = [_lead(card) if card["kind"] == "question" else str(card["text"]) for card in exchange.new_cards]
    said = "\n".join(filter(None, [exchange.reply, *cards, *_feedback(exchange), *exchange.hints]))
    asked = exchange.line.text.casefold()
    return _QUOTED.sub(lambda quote: "" if quote[1].casefold().strip(" .?!") in asked else quote[0], said)


def sentences(exchange: Exchange) -> list[str]:
    """Return the tutor's sentences of this turn that may not come again soon."""
    leads = [_PICTURE.sub("", _lead(card)) for card in exchange.new_cards]
    text = _LINK.sub("", "\n".join([exchange.reply, *leads, *_feedback(exchange)]))
    found = (" ".join(re.sub(r"[*`]", "", sentence).split()) for sentence in _SENTENCE_END.split(text))
    return [sentence for sentence in found if len(_WORD.findall(sentence)) >= SENTENCE_WORDS]


def verdict_in(exchange: Exchange) -> str:
    """Return the first sentence of the reply that says right or wrong; empty if none does."""
    for sentence in _SENTENCE_END.split(exchange.reply):
        plain = sentence.strip("*_ ")
        if _VERDICT.match(plain) or (exchange.line.kind == "claim" and _YES_NO.match(plain)):
            return plain
    return ""


def is_judged(exchange: Exchange) -> bool:
    """Whether something in the message was graded, checked by arithmetic, or recognized."""
    analysis = exchange.analysis or {}
    return bool(exchange.graded or any(analysis.get(field) for field in _JUDGEMENTS))


def _helps(exchange: Exchange) -> bool:
    if exchange.hints or any(card["kind"] in ("picture", "sources") for card in exchange.new_cards):
        return True
    said = _without_filler(exchange.reply)
    return len(said.split()) >= TEACHING_WORDS and _TEACHES.search(said) is not None


def _says_what_was_not_understood(exchange: Exchange) -> bool:
    match = _NOT_UNDERSTOOD.search(exchange.reply)
    return match is not None and (_ways(exchange) > 1 or " or " in exchange.reply[match.start() :])


def _ways(exchange: Exchange) -> int:
    """Return how many buttons and links the turn offers."""
    options: list[Card] = [card for card in exchange.new_cards if card["kind"] in ("concept", "path")]
    return len(options) + sum(len(card["options"]) for card in exchange.cards if card["kind"] == "replies")


def _without_filler(text: str) -> str:
    return " ".join(sentence for sentence in _SENTENCE_END.split(text) if not _FILLER.search(sentence))


def _lead(card: Card) -> str:
    """Return what stands above the question of a card; empty for other cards."""
    return str(card["text"]).partition("**Question.**")[0] if card["kind"] == "question" else ""


def _feedback(exchange: Exchange) -> list[str]:
    """Return what stands under the verdicts that were given in this turn."""
    found = (_FEEDBACK.search(str(card["text"])) for card in exchange.changed if exchange.graded)
    return [match["feedback"] for match in found if match]
