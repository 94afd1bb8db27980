"""Labelled rows and what was said of them → totals. Pure; no row leaves here, and none of its words."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from typing import Any

type Row = Mapping[str, Any]
type Told = Mapping[str, Any]
"""What `manage.py understand` writes of a row."""
type Pair = tuple[Row, Told]
type Totals = dict[str, Any]

SETS = ("situations", "subjects", "misconceptions", "milestones", "moods", "safety")
INTENTS: Mapping[str, tuple[str, ...]] = {
    "replying": ("answer", "idea", "dont_know", "disagree", "correction_of_tutor"),
    "asking": ("question_content", "question_meta", "calculate"),
    "help": ("ask_answer", "ask_hint", "ask_example"),
    "pace": ("ask_quiz", "go_on", "pause_or_stop", "resume"),
    "direction": ("change_topic", "goal", "progress", "plan", "tool_request"),
    "social": ("greeting", "thanks", "small_talk", "off_topic", "nonsense"),
    "feeling": ("emotion_negative", "emotion_positive", "insult", "safety"),
}
"""The intents by what they are about; the worst of these groups has a gate of its own."""
REPLIES = frozenset({"answer", "idea"})
VERDICTS = ("right", "wrong", "partly", "none")
MOODS = ("ok", "confused", "frustrated", "bored", "sad")
DANGERS = ("harm_to_self", "harm_by_others", "danger", "none")
OTHER = "(other)"
"""What was said is no name of the list."""
MISTAKEN_FOR = 4
"""Of an intent: the wrong ones it is most often taken for."""


def totals(pairs: Mapping[str, Sequence[Pair]]) -> Totals:
    """Return the totals of each set that is there, under its name."""
    score = {
        "situations": situations,
        "subjects": subjects,
        "misconceptions": misconceptions,
        "milestones": milestones,
        "moods": moods,
        "safety": safety,
    }
    return {name: {"rows": len(pairs[name]), **score[name](pairs[name])} for name in SETS if name in pairs}


def share(of: Iterable[bool]) -> dict[str, Any]:
    """Return how many hold, of how many, and their share (0–1); None of nothing."""
    held = list(of)
    return {"count": sum(held), "of": len(held), "share": round(sum(held) / len(held), 4) if held else None}


def percentile(values: Sequence[float], part: float) -> float | None:
    """Return the value that a part (0–1) of the values does not exceed (nearest rank)."""
    ranked = sorted(values)
    return ranked[max(0, ceil(part * len(ranked)) - 1)] if ranked else None


def is_accepted(row: Row, told: Told) -> bool:
    """Tell whether the intent is the row's, or another that is just as good."""
    return intent_of(told) in accepted(row)


def accepted(row: Row) -> frozenset[str]:
    return frozenset({row["intent"], *row.get("also", ())})


def intent_of(told: Told) -> str:
    return str(told.get("intent") or OTHER)


def verdict_of(told: Told) -> str:
    return str(told.get("verdict") or "none")


# --- Situations ---


def situations(pairs: Sequence[Pair]) -> Totals:
    by_intent = per_intent(pairs)
    return {
        "unread": sum("error" in told for _row, told in pairs),
        "intent": share(is_accepted(*pair) for pair in pairs),
        "intent_strict": share(intent_of(told) == row["intent"] for row, told in pairs),
        "macro_f1": macro_f1(by_intent),
        "macro_f1_strict": macro_f1(per_intent(pairs, strict=True)),
        "writers": {
            name: share(is_accepted(*pair) for pair in pairs if pair[0]["group"] == name)
            for name in sorted({row["group"] for row, _told in pairs})
        },
        "intent_groups": {
            name: share(is_accepted(*pair) for pair in pairs if pair[0]["intent"] in names)
            for name, names in INTENTS.items()
        },
        "intents": by_intent,
        **verdicts(pairs),
    }


def subjects(pairs: Sequence[Pair]) -> Totals:
    """Return how many intents of messages in the other courses are recognized, in all and by course."""
    courses = sorted({row["course"] for row, _told in pairs})
    return {
        "intent": share(is_accepted(row, told) for row, told in pairs),
        "courses": {
            name: share(is_accepted(row, told) for row, told in pairs if row["course"] == name) for name in courses
        },
    }


def per_intent(pairs: Sequence[Pair], *, strict: bool = False) -> Totals:
    """Return for each intent that occurs how often it was found, how often it was said and was so, and the mistakes.

    Not `strict`, one of a row's other intents is right as well, both for the row's own and for the one that was said.
    """
    wanted = [(row["intent"], {row["intent"]} if strict else accepted(row), intent_of(told)) for row, told in pairs]
    found = {}
    for name in sorted({intent for intent, _right, _said in wanted}):
        mistakes = Counter(said for intent, right, said in wanted if intent == name and said not in right)
        found[name] = {
            "recall": share(said in right for intent, right, said in wanted if intent == name),
            "precision": share(name in right for _intent, right, said in wanted if said == name),
            "taken_for": dict(sorted(mistakes.items(), key=lambda each: (-each[1], each[0]))[:MISTAKEN_FOR]),
        }
    return found


def macro_f1(by_intent: Totals) -> float | None:
    """Return the mean of the intents' F1, each counting the same."""
    scores = []
    for each in by_intent.values():
        recall, precision = each["recall"]["share"] or 0.0, each["precision"]["share"] or 0.0
        scores.append(2 * recall * precision / (recall + precision) if recall + precision else 0.0)
    return round(sum(scores) / len(scores), 4) if scores else None


def verdicts(pairs: Sequence[Pair]) -> Totals:
    right, wrong = (_with_verdict(pairs, name) for name in ("right", "wrong"))
    judged = [pair for pair in pairs if pair[0]["verdict"] != "none"]
    return {
        "recognised": share(verdict_of(told) == "right" or is_compared(row, told) for row, told in right),
        "told_right": share(verdict_of(told) == "right" for _row, told in right),
        "right_taken_for_wrong": share(verdict_of(told) == "wrong" for _row, told in right),
        "verdict": share(verdict_of(told) == row["verdict"] for row, told in judged),
        "verdict_of_all": share(verdict_of(told) == row["verdict"] for row, told in pairs),
        "wrong_taken_for_right": share(verdict_of(told) == "right" for _row, told in wrong),
        "wrong_praised_in_part": share(verdict_of(told) == "partly" for _row, told in wrong),
        "nothing_judged": share(verdict_of(told) != "none" for row, told in pairs if answers_nothing(row)),
        "value": share(same_value(row["value"], told.get("value")) for row, told in pairs if row.get("value")),
        "verdicts": cross((row["verdict"], verdict_of(told)) for row, told in pairs),
    }


def _with_verdict(pairs: Sequence[Pair], verdict: str) -> list[Pair]:
    return [pair for pair in pairs if pair[0]["verdict"] == verdict]


def is_compared(row: Row, told: Told) -> bool:
    """Tell whether a model sentence would be shown beside the reply: open words, taken for a reply and not judged.

    A value that was asked for, and is known, is to be judged.
    """
    is_open = "idea" in accepted(row) or not (row.get("asked") or {}).get("answer")
    return is_open and verdict_of(told) == "none" and intent_of(told) in REPLIES


def answers_nothing(row: Row) -> bool:
    return row["verdict"] == "none" and not accepted(row) & REPLIES


def same_value(wanted: object, said: object) -> bool:
    """Tell whether two values are written alike, but for case, spaces and a full stop: 6/8 is not 3/4 here."""
    return said is not None and _tight(wanted) == _tight(said)


def _tight(value: object) -> str:
    text = " ".join(str(value).casefold().split()).strip(" .")
    return re.sub(r"\s*([/+*=<>-])\s*", r"\1", text)


# --- The other sets ---


def misconceptions(pairs: Sequence[Pair]) -> Totals:
    shown = [(set(row["misconceptions"]), _ids(told, "misconceptions")) for row, told in pairs if row["misconceptions"]]
    clean = [_ids(told, "misconceptions") for row, told in pairs if not row["misconceptions"]]
    return {
        "exact": share(bool(said) and said[0] in labels for labels, said in shown),
        "exact_as_set": share(set(said) == labels for labels, said in shown),
        "another_named": share(bool(said) and said[0] not in labels for labels, said in shown),
        "false": share(bool(said) for said in clean),
        "kinds": {
            name: share(_names_rightly(*pair, "misconceptions") for pair in pairs if pair[0]["kind"] == name)
            for name in sorted({row["kind"] for row, _told in pairs})
        },
    }


def milestones(pairs: Sequence[Pair]) -> Totals:
    said_it = [(row, told) for row, told in pairs if row["milestones"]]
    beside = [(row, told) for row, told in pairs if not row["milestones"]]
    return {
        "recalled": share(bool(set(row["milestones"]) & set(_ids(told, "milestones"))) for row, told in said_it),
        "granted": share(bool(set(_ids(told, "milestones")) - set(row["milestones"])) for row, told in pairs),
        "granted_to_lookalikes": share(bool(_ids(told, "milestones")) for _row, told in beside),
        "kinds": {
            name: share(_names_rightly(*pair, "milestones") for pair in pairs if pair[0]["kind"] == name)
            for name in sorted({row["kind"] for row, _told in pairs})
        },
    }


def _ids(told: Told, field: str) -> list[str]:
    """Return the ids named, the likeliest first: all that is written counts, since below its threshold none is."""
    return [name for name, _chance in sorted(told.get(field) or (), key=lambda each: -each[1])]


def _names_rightly(row: Row, told: Told, field: str) -> bool:
    said = _ids(told, field)
    return said[0] in row[field] if row[field] and said else bool(row[field]) == bool(said)


def moods(pairs: Sequence[Pair]) -> Totals:
    seen = [(row["mood"], str(told.get("mood") or "ok")) for row, told in pairs]
    return {
        "named": share(mood == said for mood, said in seen if mood != "ok"),
        "false": share(said != "ok" for mood, said in seen if mood == "ok"),
        "moods": cross(seen),
    }


def safety(pairs: Sequence[Pair]) -> Totals:
    """Count first whether something was noticed at all; a kind question counts as noticed, and as an alarm."""
    seen = [(str(row["kind"] or "none"), str(told.get("safety") or "none")) for row, told in pairs]
    english = [row["language"] == "en" for row, _told in pairs]
    both = list(zip(seen, english, strict=True))
    return {
        "noticed": share(said != "none" for kind, said in seen if kind != "none"),
        "noticed_in_english": share(said != "none" for (kind, said), is_en in both if kind != "none" and is_en),
        "noticed_elsewhere": share(said != "none" for (kind, said), is_en in both if kind != "none" and not is_en),
        "kind": share(kind == said for kind, said in seen if kind != "none"),
        "alarmed": share(said != "none" for kind, said in seen if kind == "none"),
        "dangers": cross(seen),
    }


def cross(seen: Iterable[tuple[str, str]]) -> dict[str, dict[str, int]]:
    """Return how often each label was told as what."""
    table: dict[str, Counter[str]] = {}
    for label, said in seen:
        table.setdefault(label, Counter())[said] += 1
    return {label: dict(counts) for label, counts in table.items()}
