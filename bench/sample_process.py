"""A contender's own process: one sample to warm up, then one per line asked for on stdin."""

import gc
import json
import sys
from importlib import import_module


def main(target: str) -> None:
    module, _, name = target.partition(":")
    sample = getattr(import_module(module), name)
    sample()
    for _ in sys.stdin:
        gc.collect()
        print(json.dumps(sample()), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
