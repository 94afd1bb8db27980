"""Run the stand-in by hand: `python -m tests.provider --port 9700`."""

import argparse
import json
import threading
from contextlib import suppress
from pathlib import Path

from tests.provider.answers import scripts_from
from tests.provider.faults import all_faults
from tests.provider.server import Provider


def main() -> None:
    options = _options()
    provider = Provider(
        host=options.host,
        port=options.port,
        pace_s=options.pace,
        speaks=options.speak,
        schema="schema" not in options.without,
        tools="tools" not in options.without,
        images="images" not in options.without,
        usage="usage" not in options.without,
        refuses_with=options.refuses_with,
    )
    if options.script:
        for match, answers in scripts_from(json.loads(options.script.read_text(encoding="utf-8"))).items():
            provider.script(match, *answers)
    provider.gullible(options.gullible)
    provider.fault(options.fault, times=options.times, after=options.after)
    with provider:
        print(f"{provider.url} (OpenAI's clients want {provider.url}/v1); Ctrl-C ends it", flush=True)
        with suppress(KeyboardInterrupt):
            threading.Event().wait()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.provider", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="an address of this machine")
    parser.add_argument("--port", type=int, default=9700)
    parser.add_argument("--script", type=Path, help="JSON: words of a system prompt → answers; '' is everybody")
    parser.add_argument("--gullible", action="store_true", help="obey whatever is read")
    parser.add_argument("--speak", choices=("any", "anthropic", "openai"), default="any")
    parser.add_argument("--without", nargs="*", default=(), choices=("schema", "tools", "images", "usage"))
    parser.add_argument("--refuses-with", type=int, default=400, help="the status for what it is without")
    parser.add_argument("--pace", type=float, default=0.0, help="seconds between two words")
    parser.add_argument("--fault", help=f"one of {', '.join(all_faults())}")
    parser.add_argument("--times", type=int, help="how many requests the fault hits; all without it")
    parser.add_argument("--after", type=int, help="after how many pieces of an answer the fault strikes")
    return parser.parse_args()


if __name__ == "__main__":
    main()
