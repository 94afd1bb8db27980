"""Classifies a message for the panel: which agents its answer takes. More agents cost more time and money."""

import re
from collections.abc import Collection, Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agents.engine.events import Classified
from agents.engine.registry import roles
from conversations.panel.facts import PanelFacts
from conversations.panel.research import code_to_run
from conversations.panel.results import Classification

AGENTS: Final = ("conversation", "analysis", "research", "synthesis")
"""The agents of the panel. A simple message goes to the tutor."""
REASONS: Final[Mapping[Classification, object]] = {
    "complex_query": gettext_lazy("The message asks for an explanation or for facts."),
    "insight_request": gettext_lazy("The message asks about the learner’s own learning."),
    "visual_query": gettext_lazy("The message includes a picture."),
}
# "What patterns do you see in my learning?", "sum up what I did this week".
_OWN_LEARNING = re.compile(
    r"\b(?:patterns?|insights?|trends?)\b.{0,60}\b(?:i|my|me|mine|i'?m|i'?ve)\b|\b(?:my|i|me)\b.{0,60}\b(?:patterns?|insights?|trends?)\b"
    r"|\b(?:summar(?:y|ise|ize)|sum up|recap|overview|review|look back)\b.{0,60}\b(?:i|my|we|me|our)\b"
    r"|\bhow (?:am|was|did|have) i\b.{0,40}\b(?:do|doing|done|go|going|progress\w*|improv\w*|learn\w*|getting)\b"
    r"|\b(?:my|own) (?:\w+ )?(?:progress|learning|strengths?|weaknesses|weak (?:spots?|points?)|study(?:ing)? habits?|habits?|mistakes?|gaps?)\b"
    r"|\bwhat (?:have|did) (?:i|we) (?:learn\w*|cover\w*|talk\w*|do|done|stud\w*)\b|\bwhere (?:am i|do i) (?:weak|strong|struggl\w*|stuck)"
    r"|\bam i (?:getting )?(?:better|worse|good|bad) (?:at|in)\b|\b(?:if|whether) i(?:'?m| am) (?:improving|getting better|making progress)\b"
    r"|\blooking back\b|\bhelped me (?:most|best|the most)\b"
    r"|\bwhat (?:do|should) i (?:still )?(?:struggle|need to (?:work|practi[sc]e)|forget)",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\b(?:how|why|what|summari[sz]e|sum up|whats|what's|which|who|whose|when|where|explain|describe|compare|difference|differ|define|tell me (?:about|why|how)|"
    r"help me understand|teach me about|research|search|look up|find out|find|is it true|give me an? (?:overview|example)|meaning of)\b"
    r"|^(?:is|are|does|do|did|was|were)\b(?! (?:you|i|we)\b)",
    re.IGNORECASE,
)
_SMALL_TALK = re.compile(
    r"\b(?:hi|hello|hey|good (?:morning|afternoon|evening)|thank you|thanks?|thx|cheers|ok(?:ay)?|got it|bye|goodbye|see you|cool|great|nice|"
    r"how are you|doing|today|what'?s up|who are you|what(?:'s| is) your name|are you|an? (?:robot|bot|human|real person)|there|everyone|team|all"
    r"|so much|a lot|very much|for (?:that|the help|your help)|again|then|later|tomorrow)\b"
)
MOST_WORDS_OF_SMALL_TALK: Final = 12
"""A longer message says more than a greeting. Chosen by hand."""
_BARE_SUM = re.compile(
    r"(?:what(?:'?s| is)|how much is|work out|calculate)?(?:[\s\d+\-*/×÷·^().,=?%]|\b(?:plus|minus|times|squared|cubed|over|of|and|divided by)\b)+",
    re.IGNORECASE,
)
LONGEST: Final = 2_000
"""Characters of a message that are read, as in the understanding of messages: a regular expression must not take seconds."""
LEAST_WORDS: Final = 3
"""Words of a question that needs more than one agent; "why?" is answered from the conversation."""


def classify(text: str, *, has_picture: bool = False) -> Classification:
    """Return the kind of question that a message asks; of a long one, its first 2,000 characters decide."""
    text = text[:LONGEST].replace("’", "'")
    if has_picture:
        return "visual_query"
    if code_to_run(text):
        return "complex_query"
    if _BARE_SUM.fullmatch(text) or _is_small_talk(text):
        return "simple_query"
    if _OWN_LEARNING.search(text):
        return "insight_request"
    asks = _ASKS.search(text) is not None or "?" in text
    return "complex_query" if asks and len(text.split()) >= LEAST_WORDS else "simple_query"


def _is_small_talk(text: str) -> bool:
    """Tell whether nothing is left of a short message without its greetings, thanks and goodbyes."""
    if len(text.split()) > MOST_WORDS_OF_SMALL_TALK:
        return False
    return not re.search(r"\w", _SMALL_TALK.sub(" ", " ".join(re.findall(r"[\w']+", text.casefold()))))


def classified_event(facts: PanelFacts, *, off: Collection[str] = ()) -> Classified:
    """Return the event that tells which agents answer a question, and why; `off` names roles that are switched off."""
    names = [roles[name].public_name for name in off]
    reason = str(REASONS[facts.classification])
    if names:
        labels = ", ".join(str(roles[name].label) for name in sorted(off))
        reason = f"{reason} {_('Switched off: %(agents)s.') % {'agents': labels}}"
    return Classified(
        workflow="panel",
        classification=facts.classification,
        agents=tuple(name for name in (("vision", *AGENTS) if facts.picture else AGENTS) if name not in names),
        reason=reason,
    )
