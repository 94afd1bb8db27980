"""The models behind a lesson, in a process of their own: `python -m bench.load.lesson_models GAP_S FAULT_PERCENT`.

The process prints its address, and serves until its input ends. What is asked for in words is answered with `REPLY`, one
word at a time; what is asked for as an object, at once.
"""

import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from bench.harness import ROOT
from drills.model_connection import connected
from tests.provider import Answer, Provider
from tests.provider.answers import sensible_answer
from tests.provider.model_request import ProviderRequest

REPLY: Final = (
    "You looked closely at that. Take your time, read the card again, and say in your own words what it shows. If some of "
    "it is unclear, ask about that part first, and then go on at your own pace."
)
"""40 words, none of which gives an answer away, so that all of them are shown."""
SHOWN_WORDS: Final = 6
"""How many words have to be there until the first sentence is shown: the next one tells that it has ended."""
FIRST_WORD_S: Final = 0.4
"""From the request to the first word."""
GAP_S: Final = 0.04
"""Between two words."""
FAULTS: Final = ("V1", "V4:500", "V4:529", "V6:mid", "V7:reset", "V7:cut", "V8", "V9", "V10", "V13", "V17:503")
"""Of the reliability matrix: those that pass by themselves. Others bar a model until somebody has mended it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonModels:
    url: str
    process: subprocess.Popen[str]
    gap_s: float

    @property
    def first_shown_s(self) -> float:
        """How long the model takes until a learner can be shown something."""
        return FIRST_WORD_S + SHOWN_WORDS * self.gap_s

    @property
    def reply_s(self) -> float:
        return FIRST_WORD_S + len(REPLY.split()) * self.gap_s

    def environment(self) -> dict[str, str]:
        """Return the environment of a server that asks these models."""
        unlimited = {"TURN_RATE_LIMIT": "0", "MULTI_AGENT_RATE_LIMIT": "0"}
        return connected("openai", self.url) | unlimited


@contextmanager
def lesson_models(*, gap_s: float = GAP_S, fault_percent: float = 0.0) -> Iterator[LessonModels]:
    """Run the models until the block ends."""
    command = [sys.executable, "-m", "bench.load.lesson_models", str(gap_s), str(fault_percent)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            yield LessonModels(url=process.stdout.readline().strip(), process=process, gap_s=gap_s)
        finally:
            process.kill()


class FaultyModels:
    """Answers well, but for a share of the requests."""

    def __init__(self, *, gap_s: float, fault_percent: float) -> None:
        self.gap_s, self.share = gap_s, fault_percent / 100
        self.chance = random.Random(0)

    def __call__(self, asked: ProviderRequest) -> Answer:
        fault = self.chance.choice(FAULTS) if self.chance.random() < self.share else ""
        if asked.schema is not None or asked.shape:
            return Answer(object=sensible_answer(asked).object, fault=fault)
        return Answer(text=REPLY, first_delay_s=FIRST_WORD_S, gap_s=self.gap_s, fault=fault)


def main(gap_s: str, fault_percent: str) -> None:
    with Provider() as provider:
        provider.otherwise(FaultyModels(gap_s=float(gap_s), fault_percent=float(fault_percent)))
        print(provider.url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
