"""Score message analysis on the labelled sets: `python -m bench.understanding`. Exit 1 when a gate is not held.

Rows of the frozen sets are read here and never shown; only their totals are.
"""

import sys
from argparse import ArgumentParser, Namespace
from hashlib import sha256
from importlib import import_module
from json import loads
from pathlib import Path
from typing import Any

from bench.understanding.gates import figures
from bench.understanding.result_files import save, write_docs
from bench.understanding.scoring import SETS, Pair, accepted, intent_of, is_accepted, percentile, totals, verdict_of
from bench.understanding.tables import as_text

FROZEN = Path(__file__).parent / "frozen"


def main(arguments: list[str]) -> int:
    parser = _parser()
    wanted = parser.parse_args(arguments)
    if wanted.save and (wanted.only or wanted.dev):
        parser.error("--save keeps a run over all sets")
    if wanted.dev and is_frozen(wanted.dev):
        parser.error(f"{wanted.dev} is frozen: its rows are not shown")
    held = True
    if wanted.save or wanted.only or wanted.dev or not wanted.docs:
        held = _scored(wanted)
    if wanted.docs:
        print(f"written to {write_docs()}")
    return 0 if held else 1


def is_frozen(path: Path) -> bool:
    """Tell whether a file is one of the frozen sets, or a copy of one."""
    if path.resolve().is_relative_to(FROZEN.resolve()):
        return True
    sums = {line.split()[0] for line in (FROZEN / "SHA256SUMS").read_text(encoding="utf-8").splitlines()}
    return sha256(path.read_bytes()).hexdigest() in sums


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m bench.understanding", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=SETS, metavar="SET", help=f"of {', '.join(SETS)}")
    parser.add_argument("--dev", type=Path, metavar="PATH", help="score other situations, and show those that failed")
    parser.add_argument("--save", metavar="NAME", help="keep the totals in results/NAME.json")
    parser.add_argument("--docs", action="store_true", help="write the gates of results/after.json into the docs")
    parser.add_argument(
        "--by",
        default="bench.understanding.analysis_client",
        metavar="MODULE",
        help="whose analyze_rows(rows) is called; manage.py understand unless told otherwise",
    )
    return parser


def _scored(wanted: Namespace) -> bool:
    """Score and print; return whether all gates are held."""
    names = ["situations"] if wanted.dev else [name for name in SETS if name in (wanted.only or SETS)]
    paths = {name: wanted.dev or FROZEN / f"{name}.jsonl" for name in names}
    rows = {name: [loads(line) for line in path.open(encoding="utf-8") if line.strip()] for name, path in paths.items()}
    told = import_module(wanted.by).analyze_rows([row for name in names for row in rows[name]])
    answers = iter(told)
    pairs = {name: [(row, next(answers)[0]) for row in rows[name]] for name in names}
    found = totals(pairs) | {"cpu": _cpu([ms for _answer, ms in told])}
    print(as_text(found))
    if wanted.dev:
        for line in map(_told_wrongly, pairs["situations"]):
            print(line, end="")
    if wanted.save:
        print(f"written to {save(found, name=wanted.save)}")
    return all(figure.held for figure in figures(found))


def _cpu(spent: list[float]) -> dict[str, Any]:
    half, most = percentile(spent, 0.5), percentile(spent, 0.95)
    return {"p50_ms": round(half or 0.0, 3), "p95_ms": round(most or 0.0, 3)}


def _told_wrongly(pair: Pair) -> str:
    """Return a line on a row whose intent or verdict is not as labelled; empty where both are."""
    row, told = pair
    faults = []
    if not is_accepted(row, told):
        faults.append(f"{'/'.join(sorted(accepted(row)))} told as {intent_of(told)}")
    if verdict_of(told) != row["verdict"]:
        faults.append(f"{row['verdict']} told as {verdict_of(told)}")
    asked = (row.get("asked") or {}).get("text", "")
    return f"{row['id']}: {'; '.join(faults)}\n  asked: {asked}\n  text: {row['text']}\n" if faults else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
