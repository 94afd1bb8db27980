"""Replay a log of answers through the estimator that lessons use, and report how well it predicted them."""

import gc
import time
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import batched
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tutoring.mastery.parameter_fitting import prediction_scores
from tutoring.mastery.parameter_fitting.replay import LOGGED_PARAMETERS, Replay
from tutoring.mastery.parameter_fitting.response_logs import LoggedResponse, UnreadableLog, read_lines, read_responses

AT_ONCE = 4096
"""Answers read between two timings: only the estimator is timed."""


class Command(BaseCommand):
    help = (
        "Feeds a tab- or comma-separated log with the columns user, item, skill, correct (0 or 1) and time (may be empty)"
        " through the live estimator, one step ahead: each answer is predicted, then learned from. Every line counts as"
        " a first unassisted answer. Prints AUC (n/a where all answers are right, or all wrong), RMSE, expected"
        " calibration error over ten bins, the answers scored, and CPU time per answer."
    )

    requires_system_checks: list[str] = []  # Neither the database nor pages are used.

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--warm", type=Path, help="a log to learn from first, without scoring it")
        parser.add_argument(
            "--predictions",
            type=Path,
            help=("file for the predictions: one probability per line, in the order of the log"),
        )

    def handle(self, *, file: Path, warm: Path | None, predictions: Path | None, **options: Any) -> None:
        if predictions is not None and any(_same(predictions, each) for each in (file, warm)):
            raise CommandError(f"{predictions} is one of the logs: its answers would be overwritten.")
        run = _ReplayRun()
        with _uncollected():
            if warm is not None:
                run.feed(warm)
            scored_from = len(run.predicted)
            run.feed(file)
        predicted, correct = run.predicted[scored_from:], run.correct[scored_from:]
        if predictions is not None:
            _write(predictions, predicted)
        self.stdout.write(
            _summary(predicted, correct, us=run.seconds / len(run.predicted) * 1e6 if run.predicted else None)
        )


class _ReplayRun:
    """A replay, what it predicted, and how long it took."""

    def __init__(self) -> None:
        self.predicted, self.correct = array("d"), bytearray()
        self.seconds = 0.0
        self._replay = Replay(otherwise=LOGGED_PARAMETERS)

    def feed(self, path: Path) -> None:
        """Predict a log's answers and learn from them."""
        for answers in batched(answers_in(path), AT_ONCE, strict=False):
            started = time.process_time()
            self.predicted.extend([self._replay.answer(*answer) for answer in answers])
            self.seconds += time.process_time() - started
            self.correct.extend(answer.correct for answer in answers)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Keep the garbage collector from repeatedly walking millions of beliefs without reference cycles."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def answers_in(path: Path) -> Iterator[LoggedResponse]:
    """Yield the answers of a log file. Raise CommandError that names the file and the line for one that cannot be read."""
    try:
        # Ids are only compared: bytes of another encoding do no harm.
        with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
            yield from read_responses(read_lines(file))
    except UnreadableLog as error:
        raise CommandError(f"{path}, {error}") from None
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from None


def _same(path: Path, other: Path | None) -> bool:
    return other is not None and path.exists() and other.exists() and path.samefile(other)


def _write(path: Path, predicted: array[float]) -> None:
    """Write one probability per line: the whole file or none; directly into a pipe or device."""
    is_file = not path.is_symlink() and (path.is_file() or not path.exists())
    whole = path.with_name(f"{path.name}.part") if is_file else path
    try:
        with whole.open("w", encoding="ascii") as file:
            file.writelines(f"{chance:.7f}\n" for chance in predicted)
        if is_file:
            whole.replace(path)
    except OSError as error:
        if is_file:
            whole.unlink(missing_ok=True)
        raise CommandError(f"{path}: {error.strerror}") from None


def _summary(predicted: array[float], correct: bytearray, *, us: float | None) -> str:
    figures = {
        "auc": prediction_scores.auc(predicted, correct),
        "rmse": prediction_scores.rmse(predicted, correct),
        "ece": prediction_scores.calibration_error(predicted, correct),
    }
    quality = " ".join(f"{name} {_number(value, 3)}" for name, value in figures.items())
    return f"{quality} answers {len(predicted)} {_number(us, 1)} µs per update"


def _number(value: float | None, digits: int) -> str:
    return "n/a" if value is None else f"{value:.{digits}f}"
