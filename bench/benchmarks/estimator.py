"""How well the next answer is foreseen, one step ahead, beside published ways to; G1 of the goals, on simulated logs."""

from bench.harness import interleaved
from bench.report import Gate, Report, report_of

MAY_TRAIL = 0.01
"""AUC by which ours may be behind Best-LR: with the priors where learners learn as it assumes, else after a refit."""
MAY_TAKE_US = 20


def run() -> Report:
    contenders = ("ours", "refitted", "item_mean", "pfa", "best_lr")
    samples = interleaved({name: f"bench.contenders.estimators:sample_{name}" for name in contenders}, rounds=3)

    def behind(ours: str, world: str) -> float:
        return samples.median("best_lr", f"{world}_auc") - samples.median(ours, f"{world}_auc")

    return report_of(
        samples,
        title="the next answer of unseen learners who learn by leaps, or by degrees",
        gates=(
            Gate(claim="AUC behind Best-LR, leaps", seen=behind("ours", "leaps"), at_most=MAY_TRAIL),
            Gate(claim="AUC behind Best-LR, leaps, refitted", seen=behind("refitted", "leaps"), at_most=0.0),
            Gate(claim="AUC behind Best-LR, degrees, refitted", seen=behind("refitted", "degrees"), at_most=MAY_TRAIL),
            Gate(claim="µs of CPU per answer", seen=samples.median("ours", "us_per_answer"), at_most=MAY_TAKE_US),
        ),
    )
