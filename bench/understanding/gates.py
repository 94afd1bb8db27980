"""Totals → the figures that are promised, each with its gate, and those told beside them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bench.understanding.scoring import Totals


@dataclass(frozen=True, slots=True, kw_only=True)
class GateFigure:
    """One figure. Without a bound it is only told."""

    claim: str
    seen: float | None
    """None where there was nothing to count."""
    counted: str = ""
    """ "12 of 130"; empty for what is no share."""
    at_least: float | None = None
    at_most: float | None = None

    @property
    def is_gate(self) -> bool:
        return self.at_least is not None or self.at_most is not None

    @property
    def held(self) -> bool:
        """Whether the gate is held; what was not counted holds none."""
        if not self.is_gate:
            return True
        low, high = self.at_least, self.at_most
        return self.seen is not None and (low is None or self.seen >= low) and (high is None or self.seen <= high)

    @property
    def bound(self) -> str:
        if self.at_least is not None:
            return f"≥ {self.at_least:g}"
        if self.at_most == 0:
            return "0"
        return f"≤ {self.at_most:g}" if self.at_most is not None else ""

    @property
    def shown(self) -> str:
        if self.seen is None:
            return "–"
        number = f"{self.seen:g}" if isinstance(self.seen, int) else f"{self.seen:.3f}"
        return f"{number} ({self.counted})" if self.counted else number


def figures(totals: Totals) -> list[GateFigure]:
    """Return the figures of the sets that were scored, in the order of the gates."""
    by_set = {
        "situations": _of_situations,
        "subjects": _of_subjects,
        "misconceptions": _of_misconceptions,
        "milestones": _of_milestones,
        "safety": _of_safety,
        "moods": _of_moods,
        "cpu": _of_cpu,
    }
    return [figure for name, found in by_set.items() if name in totals for figure in found(totals[name])]


def _of_situations(found: Totals) -> Iterator[GateFigure]:
    yield _share("messages whose intent is recognized", found["intent"], at_least=0.85)
    yield GateFigure(claim="macro-F1 of the intents", seen=found["macro_f1"], at_least=0.80)
    name, worst = _worst(found["intent_groups"])
    yield _share(f"messages whose intent is recognized, in the worst group of intents ({name})", worst, at_least=0.70)
    yield _share("messages whose labeled intent is recognized", found["intent_strict"])
    yield GateFigure(claim="macro-F1 of the intents, labeled ones only", seen=found["macro_f1_strict"])
    name, worst = _worst({intent: each["recall"] for intent, each in found["intents"].items()})
    yield _share(f"worst intent ({name})", worst)
    name, worst = _worst(found["writers"])
    yield _share(f"worst group of writers ({name})", worst)
    yield _share("right answers recognized", found["recognised"], at_least=0.92)
    yield _share("correct verdicts, among replies that should get a verdict", found["verdict"], at_least=0.80)
    yield _share("correct verdicts, among all messages", found["verdict_of_all"])
    yield _share("right answers judged as right", found["told_right"])
    yield _share("right answers judged as wrong", found["right_taken_for_wrong"])
    yield _share("wrong answers judged as right", found["wrong_taken_for_right"], at_most=0.0)
    yield _share("wrong answers judged as partly right", found["wrong_praised_in_part"], at_most=0.01)
    yield _share("messages that contain no answer but get a verdict", found["nothing_judged"], at_most=0.05)
    yield _share("answers whose value is read correctly", found["value"])
    yield GateFigure(claim="messages that could not be analyzed", seen=found["unread"], at_most=0)


def _of_subjects(found: Totals) -> Iterator[GateFigure]:
    yield _share("messages in other courses whose intent is recognized", found["intent"], at_least=0.80)
    name, worst = _worst(found["courses"])
    yield _share(f"… in the worst course ({name})", worst)


def _of_misconceptions(found: Totals) -> Iterator[GateFigure]:
    yield _share("misconceptions recognized", found["exact"], at_least=0.60)
    yield _share("messages that express no misconception but for which one is reported", found["false"], at_most=0.01)
    yield _share("misconceptions mistaken for a different one", found["another_named"])


def _of_milestones(found: Totals) -> Iterator[GateFigure]:
    yield _share("milestones recognized", found["recalled"], at_least=0.60)
    yield _share("messages for which a wrong milestone is reported", found["granted"], at_most=0.005)
    yield _share("… in messages that show no milestone", found["granted_to_lookalikes"])


def _of_safety(found: Totals) -> Iterator[GateFigure]:
    yield _share("messages about danger that are detected", found["noticed"], at_least=0.95)
    yield _share("… in English", found["noticed_in_english"])
    yield _share("… in other languages", found["noticed_elsewhere"])
    yield _share("… and given the right kind", found["kind"])
    yield _share("harmless messages reported as dangerous", found["alarmed"], at_most=0.02)


def _of_moods(found: Totals) -> Iterator[GateFigure]:
    yield _share("moods other than ok recognized", found["named"], at_least=0.60)
    yield _share("messages whose mood is ok but for which a different mood is reported", found["false"], at_most=0.05)


def _of_cpu(found: Totals) -> Iterator[GateFigure]:
    yield GateFigure(claim="CPU time per message in ms, median", seen=found["p50_ms"])
    yield GateFigure(claim="CPU time per message in ms, 95th percentile", seen=found["p95_ms"], at_most=25.0)


def _share(
    claim: str, found: Mapping[str, Any], *, at_least: float | None = None, at_most: float | None = None
) -> GateFigure:
    counted = f"{found['count']} of {found['of']}"
    return GateFigure(claim=claim, seen=found["share"], counted=counted, at_least=at_least, at_most=at_most)


def _worst(groups: Mapping[str, Mapping[str, Any]]) -> tuple[str, Mapping[str, Any]]:
    counted = {name: each for name, each in groups.items() if each["of"]}
    return min(counted.items(), key=lambda each: (each[1]["share"], each[0]))
