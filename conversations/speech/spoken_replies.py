"""A reply as it is read aloud: the verdict on an answer, then the text and its cards in order."""

from collections.abc import Callable

from conversations.cards import cards_speech
from conversations.models import Message, Turn
from conversations.owners import Owner
from conversations.speech.spoken_text import speak_markdown
from conversations.turns.handler import turn_handler
from conversations.turns.reply_text import interleave_cards

_rewriters: list[Callable[[str], str]] = []


def register_rewriter(rewrite: Callable[[str], str]) -> None:
    """Register, while apps start, what takes words out of a reply that only a page bears out; twice is harmless."""
    if rewrite not in _rewriters:
        _rewriters.append(rewrite)


def spoken_reply(turn: Turn, person: Owner) -> str:
    """Return a finished turn's reply for a voice, as the person may read it now; empty if there is nothing to say."""
    said = turn.messages.filter(author=Message.Author.TEAM).first()
    verdicts = cards_speech(turn_handler().judged_cards(turn), person).values()
    if said is None:
        return speak_markdown("\n\n".join(verdicts))
    # A text may name what is offered below it; on a page that is no repetition.
    cards = {key: words for key, words in cards_speech(said.cards, person).items() if words not in said.text}
    parts = interleave_cards(said.text, said.cards)
    spoken = (_rewritten(part) if isinstance(part, str) else cards.get(part["id"], "") for part in parts)
    return speak_markdown("\n\n".join(filter(None, [*verdicts, *spoken])))


def _rewritten(text: str) -> str:
    for rewrite in _rewriters:
        text = rewrite(text)
    return text
