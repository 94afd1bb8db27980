"""What is read off generated wobbly drawings: right, asked or wrong, for each kind; and how long a board may take."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from math import cos, sin
from random import Random
from statistics import median, quantiles
from time import process_time

from bench.contenders import temporary_django
from bench.report import Gate, Report

SEED = "judged"
"""Of drawings that nobody has looked at: the rules were made with others."""
DRAWINGS = 500
ROUNDS = 3


def run() -> Report:
    temporary_django.prepare_django()
    told = {gaps: dict[str, Counter[str]]() for gaps in (False, True)}
    times = []
    for name, gaps, verdict, took in _read():
        told[gaps].setdefault(name, Counter())[verdict] += 1
        times.append(took)
    clean, torn = (sum(told[gaps].values(), Counter[str]()) for gaps in (False, True))
    hostile = {name: _longest(items) for name, items in _hostile().items()}
    rows = {name: _row(told[False][name], told[True].get(name, Counter())) for name in told[False]}
    rows |= {"all": _row(clean, torn), "p95 of the drawings": {"ms": quantiles(times, n=20)[-1]}}
    rows |= {name: {"ms": took} for name, took in hostile.items()}
    asked = sum(kind["asked"] for name, kind in told[False].items() if "42-48" not in name)
    return Report(
        title=f"{DRAWINGS} generated drawings, in drawings and in ms of CPU",
        rows=rows,
        gates=(
            Gate(claim="read wrong and not asked, share", seen=_share(clean + torn, "wrong"), at_most=0.05),
            Gate(claim="asked about one that is clean, share", seen=asked / clean.total(), at_most=0.1),
            Gate(claim="the longest of any board, ms", seen=max(*hostile.values(), *times), at_most=50),
        ),
    )


def _row(clean: "Counter[str]", torn: "Counter[str]") -> dict[str, float]:
    verdicts = ("right", "asked", "wrong")
    return {
        f"{verdict} {how}": counts[verdict] for how, counts in (("", clean), ("gaps", torn)) for verdict in verdicts
    }


def _share(counts: "Counter[str]", verdict: str) -> float:
    return counts[verdict] / counts.total()


def _read() -> Iterator[tuple[str, bool, str, float]]:
    """Yield each drawing's kind, whether its outlines have gaps, how it was read, and in how many ms."""
    from conversations.drawing.interpretation import read_board
    from tests.conversations.drawing.generated_drawings import cases, verdict

    for number, case in enumerate(cases(DRAWINGS, seed=SEED)):
        if not number:
            read_board(case.board)
        started = process_time()
        reading = read_board(case.board)
        yield case.name, case.gaps, verdict(case, reading), (process_time() - started) * 1000


def _longest(items: list[dict[str, object]]) -> float:
    """Return how long a board takes, in ms of CPU: the median of several times."""
    from conversations.drawing.interpretation import read_board
    from conversations.drawing.schema import Board

    board = Board.model_validate({"items": items})
    times = []
    for _ in range(ROUNDS):
        started = process_time()
        read_board(board)
        times.append((process_time() - started) * 1000)
    return median(times)


def _hostile() -> dict[str, list[dict[str, object]]]:
    """Return boards within the limits on which there is most to do."""
    random = Random(SEED)

    def anywhere() -> tuple[float, float]:
        return random.uniform(0, 1000), random.uniform(0, 700)

    def pens(*strokes: list[tuple[float, float]]) -> list[dict[str, object]]:
        return [{"kind": "pen", "points": stroke} for stroke in strokes]

    scribble = [anywhere() for _ in range(20_000)]
    spiral = [(500 + i * 0.017 * cos(i / 20), 350 + i * 0.017 * sin(i / 20)) for i in range(20_000)]
    grid = [[[(100, at), (600, at)], [(at, 100), (at, 600)]] for at in range(100, 601, 50)]
    ellipses = [{"kind": "ellipse", "x": i * 14, "y": i * 9, "w": 300, "h": 200} for i in range(14)]
    scattered = [
        {"kind": "ellipse", "x": random.uniform(0, 800), "y": random.uniform(0, 500), "w": 90, "h": 120}
        for _ in range(40)
    ]
    return {
        "600 lines": pens(*([anywhere(), anywhere()] for _ in range(600))),
        "150 lines": pens(*([anywhere(), anywhere()] for _ in range(150))),
        "60 lines": pens(*([anywhere(), anywhere()] for _ in range(60))),
        "30 lines": pens(*([anywhere(), anywhere()] for _ in range(30))),
        "a scribble of 20,000 points": pens(scribble),
        "a spiral of 20,000 points": pens(spiral),
        "a square in 100 parts": pens(*chain.from_iterable(grid)),
        "14 ellipses over each other": ellipses,
        "40 ellipses anywhere": scattered,
    }
