"""What came of the tests, drills and benchmarks: run now, or read from the results of their latest run."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal
from xml.etree import ElementTree

from drills.reliability.evidence import ROOT, Test, file_of

DRILL_RESULTS: Final = ROOT / "drills" / "results"
BENCHMARK_RESULTS: Final = ROOT / "bench" / "results"
KNOWN: Final = ROOT / "drills" / "reliability" / "outcomes.json"
"""What came of them when the page was written last: results are not kept in the repository."""
PROCESSES: Final = 2
SOME_FAILED: Final = 1
"""What pytest returns if tests failed."""

type Verdict = Literal["held", "failed", "skipped", "not run"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a drill or a benchmark."""

    verdict: Verdict
    day: str = ""
    """When it ran, as an ISO date."""


def run_tests(tests: Iterable[Test]) -> Mapping[Test, Verdict]:
    """Run the files of these tests; a test with parameters holds if all of its cases do."""
    wanted = set(tests)
    files = sorted({file_of(test) for test in wanted})
    # A browser leaves an event loop running in its process, and no asynchronous test can start another one there.
    in_browser = [file for file in files if file.startswith("tests/e2e/")]
    others = [file for file in files if file not in in_browser]
    cases = [case for group in (in_browser, others) if group for case in _run_files(group)]
    found: dict[Test, Verdict] = {}
    for case in cases:
        test = (case.get("classname", ""), case.get("name", "").partition("[")[0])
        found[test] = _worse(found.get(test, "held"), _verdict(case))
    # A file that is skipped as a whole has no cases of its own.
    return {test: found.get(test) or found.get(("", test[0]), "not run") for test in wanted}


def _run_files(files: Sequence[str]) -> list[ElementTree.Element]:
    """Return the test cases of files, with what came of each."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        options = ("-q", "-n", str(PROCESSES), "--dist", "worksteal", f"--junit-xml={report}")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options, *files],
            cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
        if done.returncode not in (0, SOME_FAILED):
            raise RuntimeError(f"pytest could not run the tests:\n{done.stdout[-2000:]}")
        return list(ElementTree.parse(report).getroot().iter("testcase"))


def _verdict(case: ElementTree.Element) -> Verdict:
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    return "skipped" if case.find("skipped") is not None else "held"


def _worse(first: Verdict, second: Verdict) -> Verdict:
    order: tuple[Verdict, ...] = ("failed", "not run", "skipped", "held")
    return min(first, second, key=order.index)


def store_drill(name: str, *, held: bool) -> None:
    DRILL_RESULTS.mkdir(exist_ok=True)
    content = {"held": held, "day": datetime.now(UTC).date().isoformat()}
    (DRILL_RESULTS / f"{name}.json").write_text(json.dumps(content) + "\n", encoding="utf-8")


def drill_outcome(name: str) -> Outcome:
    path = DRILL_RESULTS / f"{name}.json"
    if not path.exists():
        return _known("drills", name)
    content = json.loads(path.read_text(encoding="utf-8"))
    return Outcome(verdict="held" if content["held"] else "failed", day=content["day"])


def benchmark_outcome(name: str) -> Outcome:
    """Return what came of a benchmark, or of a part of it: `load:T1`. Goals count where the part has no other limit."""
    benchmark, _colon, part = name.partition(":")
    path = BENCHMARK_RESULTS / f"{benchmark}.json"
    if not path.exists():
        return _known("benchmarks", name)
    found = json.loads(path.read_text(encoding="utf-8"))
    limits = found["gates"]
    if part:
        gates, goals = (
            [each for each in found[kind] if each["claim"].startswith(f"{part}:")] for kind in ("gates", "goals")
        )
        if not (limits := gates or goals):
            return _known("benchmarks", name)
    held = all(each["held"] for each in limits)
    day = datetime.fromtimestamp(path.stat().st_mtime, UTC).date().isoformat()
    return Outcome(verdict="held" if held else "failed", day=day)


def _known(kind: Literal["drills", "benchmarks"], name: str) -> Outcome:
    known = json.loads(KNOWN.read_text(encoding="utf-8"))[kind] if KNOWN.exists() else {}
    return Outcome(**known[name]) if name in known else Outcome(verdict="not run")


def store_known(drills: Iterable[str], benchmarks: Iterable[str]) -> None:
    """Keep the latest outcomes of these with the page that tells them."""
    found = {
        "drills": {name: drill_outcome(name) for name in drills},
        "benchmarks": {name: benchmark_outcome(name) for name in benchmarks},
    }
    ran = {
        kind: {name: asdict(each) for name, each in sorted(outcomes.items()) if each.verdict != "not run"}
        for kind, outcomes in found.items()
    }
    KNOWN.write_text(json.dumps(ran, indent=2) + "\n", encoding="utf-8")
