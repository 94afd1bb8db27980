"""Foreseeing the next answer: ours, and published ways to, on the same simulated logs; the test learners are unseen.

Each is asked about an answer before it is told. Ours learned nothing about these worlds beforehand; the others are fitted
to the training learners, logistic regressions with the weight decay that is best on the test learners themselves.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from time import process_time

import numpy as np
from numpy.typing import NDArray

from bench.simulated_logs import Course, World, history
from tutoring.mastery.knowledge_tracing import SkillParameters
from tutoring.mastery.parameter_fitting import em, prediction_scores
from tutoring.mastery.parameter_fitting.answer_history import WeighedAnswer
from tutoring.mastery.parameter_fitting.replay import LOGGED_PARAMETERS, Replay

type Numbers = NDArray[np.float64]
type Columns = list[tuple[NDArray[np.intp], Numbers]]

COURSE = Course(learners=600, skills=20, items=15, each=8, spread=0.5)
WORLDS: tuple[World, ...] = ("leaps", "degrees")
SEED = 11
TEST_SHARE = 0.2
DECAYS = (0.3, 1.0, 3.0)
STEPS = 120


def sample_ours() -> dict[str, float]:
    """The live estimator with its priors for logs, never refitted."""
    figures = _figures(_ours)
    started = process_time()
    answers = _log("leaps")
    _replayed(answers, {})
    return figures | {"us_per_answer": (process_time() - started) / len(answers) * 1e6}


def sample_refitted() -> dict[str, float]:
    """The same after a refit to the training learners."""
    return _figures(_refitted)


def sample_item_mean() -> dict[str, float]:
    """An item's share of right answers, drawn to the share of all."""
    return _figures(_item_mean)


def sample_pfa() -> dict[str, float]:
    """Performance factors (Pavlik et al. 2009): skill, and logs of its right and wrong answers so far."""
    return _figures(_pfa)


def sample_best_lr() -> dict[str, float]:
    """Best-LR (Gervet et al. 2020): item and skill, logs of right and wrong answers so far, on the skill and on all."""
    return _figures(_best_lr)


@cache
def _figures(foresee: Callable[[Sequence[WeighedAnswer], NDArray[np.bool_]], Sequence[float]]) -> dict[str, float]:
    return {
        f"{world}_{name}": value
        for world in WORLDS
        for name, value in _judged(world, foresee(_log(world), _tested(world))).items()
    }


@cache
def _log(world: World) -> tuple[WeighedAnswer, ...]:
    """Return the log, test learners last."""
    rows = history(replace(COURSE, world=world), seed=SEED)
    return tuple(sorted(rows, key=_is_test))


def _is_test(answer: WeighedAnswer) -> bool:
    return answer.learner >= COURSE.learners * (1 - TEST_SHARE)


@cache
def _tested(world: World) -> NDArray[np.bool_]:
    return np.array([_is_test(each) for each in _log(world)])


def _judged(world: World, predicted: Sequence[float]) -> dict[str, float]:
    tested = _tested(world)
    answered = np.array([bool(each.correct) for each in _log(world)])[tested]
    chances = np.asarray(predicted)[tested]
    auc, rmse, ece = (
        of(chances, answered)
        for of in (prediction_scores.auc, prediction_scores.rmse, prediction_scores.calibration_error)
    )
    return {"auc": auc or 0.0, "rmse": rmse or 0.0, "ece": ece or 0.0}


def _ours(answers: Sequence[WeighedAnswer], tested: NDArray[np.bool_]) -> Sequence[float]:
    return _replayed(answers, {})


def _refitted(answers: Sequence[WeighedAnswer], tested: NDArray[np.bool_]) -> Sequence[float]:
    # A log says nothing of kinds: each item is what the priors for logs hold it to be.
    training = [each._replace(kind="constructed") for each, test in zip(answers, tested, strict=True) if not test]
    skills = sorted({each.concept for each in training})
    return _replayed(answers, em.fit_parameters(training, skills, dict.fromkeys(skills, LOGGED_PARAMETERS)))


def _replayed(answers: Sequence[WeighedAnswer], parameters: dict[str, SkillParameters]) -> Sequence[float]:
    replay = Replay(parameters=parameters, otherwise=LOGGED_PARAMETERS)
    return [replay.answer(each.learner, each.item, each.concept, bool(each.correct)) for each in answers]


def _item_mean(answers: Sequence[WeighedAnswer], tested: NDArray[np.bool_]) -> Sequence[float]:
    item, right = _codes([each.item for each in answers]), _right(answers)
    training = ~tested
    mean = right[training].mean()
    sums = np.bincount(item[training], right[training], item.max() + 1)
    means: Numbers = (sums + 5 * mean) / (np.bincount(item[training], minlength=item.max() + 1) + 5)
    return list(means[item])


def _pfa(answers: Sequence[WeighedAnswer], tested: NDArray[np.bool_]) -> Sequence[float]:
    return _regression(answers, tested, _factors(answers))


def _best_lr(answers: Sequence[WeighedAnswer], tested: NDArray[np.bool_]) -> Sequence[float]:
    return _regression(answers, tested, _factors(answers) + _more(answers))


def _regression(answers: Sequence[WeighedAnswer], tested: NDArray[np.bool_], columns: Columns) -> Sequence[float]:
    right, training = _right(answers), ~tested
    fitted_to = [(places[training], values[training]) for places, values in columns]
    found = [_chances(columns, _weights(fitted_to, right[training], decay, columns)) for decay in DECAYS]
    return list(max(found, key=lambda chances: prediction_scores.auc(chances[tested], right[tested]) or 0.0))


def _factors(answers: Sequence[WeighedAnswer]) -> Columns:
    skill, ones = _codes([each.concept for each in answers]), np.ones(len(answers))
    count = skill.max() + 1
    right, wrong = _so_far(answers, [(each.learner, each.concept) for each in answers])
    return [(skill, ones), (skill + count, np.log1p(right)), (skill + 2 * count, np.log1p(wrong))]


def _more(answers: Sequence[WeighedAnswer]) -> Columns:
    first = 3 * (_codes([each.concept for each in answers]).max() + 1)
    right, wrong = _so_far(answers, [each.learner for each in answers])
    item, zeros = _codes([each.item for each in answers]), np.zeros(len(answers), dtype=np.intp)
    return [
        (zeros + first, np.log1p(right)), (zeros + first + 1, np.log1p(wrong)), (item + first + 2, np.ones(len(answers))),
    ]  # fmt: skip


def _so_far(answers: Sequence[WeighedAnswer], of: Sequence[object]) -> tuple[Numbers, Numbers]:
    """Return how many right and wrong answers there were of the same before each."""

    def counted() -> Iterator[tuple[int, int]]:
        counts: dict[object, list[int]] = {}
        for each, answer in zip(of, answers, strict=True):
            held = counts.setdefault(each, [0, 0])
            yield held[1], held[0]
            held[bool(answer.correct)] += 1

    right, wrong = np.array(list(counted()), dtype=float).T
    return right, wrong


def _codes(values: Sequence[str]) -> NDArray[np.intp]:
    codes: dict[str, int] = {}
    return np.array([codes.setdefault(each, len(codes)) for each in values], dtype=np.intp)


def _right(answers: Sequence[WeighedAnswer]) -> Numbers:
    return np.array([float(bool(each.correct)) for each in answers])


def _chances(columns: Columns, weights: Numbers) -> Numbers:
    logits = sum(weights[places] * values for places, values in columns)
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))))


def _weights(columns: Columns, right: Numbers, decay: float, every: Columns) -> Numbers:
    """Return a logistic regression's weights with an L2 penalty."""
    count = max(int(places.max()) for places, _ in every) + 1
    weights, memory = np.zeros(count), list[tuple[Numbers, Numbers]]()
    slope = _slope(columns, right, weights, decay)
    scale = 1 / (decay + 0.25 * sum(np.bincount(places, values**2, count) for places, values in columns))
    for _ in range(STEPS):
        step = -_newton(slope, memory, scale)
        weights = weights + step
        now = _slope(columns, right, weights, decay)
        if step @ (now - slope) > 1e-12:
            memory = [*memory[-9:], (step, now - slope)]
        slope = now
    return weights


def _slope(columns: Columns, right: Numbers, weights: Numbers, decay: float) -> Numbers:
    missed = _chances(columns, weights) - right
    pulls = sum(np.bincount(places, missed * values, len(weights)) for places, values in columns)
    return np.asarray(pulls + decay * weights)


def _newton(slope: Numbers, memory: Sequence[tuple[Numbers, Numbers]], scale: Numbers) -> Numbers:
    """Return the step of limited-memory BFGS."""
    towards, shares = slope.copy(), []
    for step, turn in reversed(memory):
        shares.append((step @ towards) / (step @ turn))
        towards -= shares[-1] * turn
    towards *= scale
    for (step, turn), share in zip(memory, reversed(shares), strict=True):
        towards += step * (share - (turn @ towards) / (step @ turn))
    return towards
