"""The round table's models as the stand-in provider plays them: each answers after its latency, never twice in the same words."""

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from string import ascii_lowercase
from types import MappingProxyType
from typing import Final

from bench.contenders.table_rounds import CLOSES, LATENCY_S, OPENS, VOICES
from tests.provider import Answer, Provider
from tests.provider.model_request import ProviderRequest

PROMPTS: Final[Mapping[str, str]] = MappingProxyType(
    {OPENS: "You are the Initiator of a round table", CLOSES: "You are the Summarizer of a round table"}
    | {voice: f"Your name at the table: {voice.replace('_', ' ').capitalize()}" for voice in VOICES}
)
"""The table's agents → words of their prompts."""
SENTENCES: Final = 4
"""Of a contribution, ten words each: as many words as the simulated agents say."""
GOAL: Final = {
    "goal": "Find out whether the invention of the fraction was more useful than zero.",
    "success_criteria": ["Both sides are heard."],
    "approach": "Each agent looks for its own part.",
}


def _words() -> Iterator[str]:
    """Yield words that have never been used, all letters."""
    for number in count():
        yield "".join(ascii_lowercase[number // 26**place % 26] for place in range(6))


def _spoken(latency_s: float, words: Iterator[str], *, sentences: int) -> Callable[[ProviderRequest], Answer]:
    def answer(_asked: ProviderRequest) -> Answer:
        said = [f"The {next(words)} of a loaf is shared like the {next(words)}." for _ in range(sentences)]
        return Answer(text=" ".join(said), first_delay_s=latency_s, burst=True)

    return answer


def script_table(provider: Provider) -> None:
    """Have each agent's model answer after its latency. Whoever else asks is refused."""
    provider.otherwise(Answer(status=500, text="nobody has a script for this prompt"))
    words = _words()
    provider.script(PROMPTS[OPENS], Answer(object=GOAL, first_delay_s=LATENCY_S[OPENS], burst=True))
    provider.script(PROMPTS[CLOSES], _spoken(LATENCY_S[CLOSES], words, sentences=2 * SENTENCES))
    for voice in VOICES:
        provider.script(PROMPTS[voice], _spoken(LATENCY_S[voice], words, sentences=SENTENCES))
