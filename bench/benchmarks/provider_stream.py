"""What our backends add to the official SDKs' own streams, word by word from a provider on this machine."""

import os

from bench.harness import interleaved
from bench.report import Gate, Report, report_of
from tests.provider import Answer, Provider

WORDS = 150
PACE_S = 0.002
"""Between two words, in seconds: each comes by itself, as from a real model."""
PAIRS = {
    "ours, on anthropic": "anthropic, bare",
    "ours, on openai": "openai, bare",
}
CONTENDERS = {
    "anthropic, bare": "bench.contenders.provider_streams:sample_anthropic",
    "ours, on anthropic": "bench.contenders.provider_streams:sample_our_anthropic",
    "openai, bare": "bench.contenders.provider_streams:sample_openai",
    "ours, on openai": "bench.contenders.provider_streams:sample_our_openai",
}


def run() -> Report:
    with Provider(pace_s=PACE_S) as provider:
        provider.otherwise(Answer(text="word " * WORDS))
        os.environ["BENCH_PROVIDER"] = provider.url
        samples = interleaved(CONTENDERS)
    gates = [
        Gate(claim=f"{ours} to {bare}", seen=samples.ratio("us_per_word", of=ours, to=bare), at_most=1.15)
        for ours, bare in PAIRS.items()
    ]
    return report_of(samples, title="20 streams of 150 words; µs of CPU per word", gates=tuple(gates))
