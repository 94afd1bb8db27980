"""Run every benchmark, or those named: `python -m bench [NAME …]`. Exit 1 when a gate is not held."""

import sys
from importlib import import_module
from pkgutil import iter_modules

from bench import benchmarks
from bench.report import as_table, write_json


def main(wanted: list[str]) -> int:
    known = sorted(module.name for module in iter_modules(benchmarks.__path__))
    unknown = sorted(set(wanted) - set(known))
    if unknown:
        print(f"no benchmark {', '.join(unknown)}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    held = True
    for name in wanted or known:
        report = import_module(f"bench.benchmarks.{name}").run()
        print(as_table(report, name=name))
        print(f"  written to {write_json(report, name=name)}\n", flush=True)
        held = held and report.held
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
