"""Detects messages that say somebody may be in danger, or that ask for something unsafe. Pure; no language model.

Every message passes here first. Phrases in eight languages (`data/danger/`) are sure; hints, and what only the encoder
or the classifier finds, are asked about kindly, without an alarm.
"""

from dataclasses import replace
from pathlib import Path
from re import Match
from typing import Final, cast, get_args

from agents.errors import EmbeddingModelMissing
from agents.routing.classifier import load_classifier
from agents.routing.features import OUT_OF_SCOPE
from tutoring.understanding.classifiers import encoder
from tutoring.understanding.concerns.disguises import searchable_clauses
from tutoring.understanding.concerns.phrase_files import compile_phrases
from tutoring.understanding.message_analysis import ConcernKind, ConcernSignal

KINDS: Final[tuple[ConcernKind, ...]] = get_args(ConcernKind)
"""The most serious first."""
LANGUAGES: Final = ("en", "es", "de", "fr", "pt", "tr", "ar", "pl")
EXAMPLES: Final = Path(__file__).parents[1] / "data" / "danger.yaml"
# Reported with the concern, not measured: what is done depends on `is_sure` alone.
BY_PHRASE, BY_HINT = 0.9, 0.6
# Raised from .6 on 2026-11-23, when phrases in eight languages found most disclosures first. Lower, more harmless
# messages ("this homework is killing me") lead to the kind question.
LIKELY: Final[dict[ConcernKind, float]] = {
    "danger_now": 0.8,
    "harm_to_self": 0.8,
    "harm_by_others": 0.8,
    "unsafe_request": 0.8,
}
"""Minimum probability (0–1) of danger, by the likeliest kind, if no phrase matches."""
# .85 asked about 6 % of our own lookalikes ("i could die of boredom"), .92 about 2 %; .97 keeps that bound for the
# encoder that was tuned to the end (2026-11-24). Lower, more disclosures are found and more children are asked wrongly.
READ_AS_DANGER: Final = 0.97
"""The same for the encoder: at most 2 % of our own lookalikes are asked about."""
# Two words ("hate me") are too few for the classifier. Chosen by hand.
FEWEST_WORDS: Final = 3
# What is meant usually stands at the end, and the examples are this short. Chosen by hand.
READ: Final = 200
"""Characters that the classifier reads, the last ones."""


def parse_kind(name: str) -> ConcernKind:
    """Return a kind by its name. Raises ValueError for any other word."""
    return KINDS[KINDS.index(cast("ConcernKind", name))]


def find_concern(text: str) -> ConcernSignal | None:
    """Return the most serious concern of a message, a sure one first; None for nearly all messages. Takes any text."""
    read = list(searchable_clauses(text))
    seen = [(clause, *_in_clause(clause)) for clause in read]
    concerns = [concern for _clause, concern, _excused in seen if concern]
    found = min(concerns, key=lambda each: (not each.is_sure, KINDS.index(each.kind)), default=None)
    unclear = [clause for clause, _none, excused in seen if not excused]
    if found is None and unclear:
        found = _encoder_concern(text if len(unclear) == len(seen) else " ".join(unclear), unclear)
    if found is None and (telling := [clause for clause in unclear if _is_telling(clause)]):
        found = _by_example(" ".join(telling))
    if found and any(compile_phrases(each)["teacher"].search(clause) for each in LANGUAGES for clause in read):
        return replace(found, by_teacher=found.kind == "harm_by_others" or _is_by_teacher(read))
    return found


def _in_clause(clause: str) -> tuple[ConcernSignal | None, bool]:
    """Return the concern that a phrase finds, and whether a match was excused: then the clause needs no other check."""
    excused = False
    unsure = None
    for language in (each for each in LANGUAGES if compile_phrases(each)["telling"].search(clause)):
        bare = _bare(clause, language)
        for kind in KINDS:
            for section, is_sure in ((kind, True), (f"maybe {kind}", False)):
                found = compile_phrases(language)[section].search(bare)
                if found is None or (unsure and not is_sure):
                    continue
                if _is_excused(kind, bare, found, language):
                    excused = True
                elif is_sure:
                    return ConcernSignal(kind=kind, confidence=BY_PHRASE), False
                else:
                    unsure = ConcernSignal(kind=kind, confidence=BY_HINT, is_sure=False)
    return unsure, excused


def _bare(clause: str, language: str) -> str:
    """Return the clause without figures of speech; a dot in their place keeps phrases from matching across it."""
    known = compile_phrases(language)
    if known["real"].search(clause) is None:
        clause = known["harmless"].sub(" · ", clause)
    return known["still"].sub("keeps", clause)


def _is_excused(kind: ConcernKind, clause: str, found: Match[str], language: str) -> bool:
    """Tell whether a match is denied, part of a story or a game, or an accident. Laughter excuses nothing."""
    if kind == "unsafe_request":
        return False
    known = compile_phrases(language)
    if _is_denied(kind, clause, found, language) or _is_told(clause, found, language):
        return True
    if kind == "harm_by_others":
        return known["in play"].search(clause) is not None
    return kind == "harm_to_self" and _is_accident(clause)


def _is_denied(kind: ConcernKind, clause: str, found: Match[str], language: str) -> bool:
    """Tell whether a denial stands right before the match. English is separate: its "no" would deny Spanish clauses."""
    before = clause[: found.start()]
    known = compile_phrases(language)
    # Some languages deny within the phrase, or just behind it (Portuguese "nunca me bate"): 8 characters, by hand.
    if kind == "harm_by_others" and known["not within"].search(clause[found.start() : found.end() + 8]):
        return True
    if language == "en":
        return known["denied of others" if kind == "harm_by_others" else "denied"].search(before) is not None
    return any(compile_phrases(other)["denied"].search(before) for other in LANGUAGES[1:])


def _is_told(clause: str, found: Match[str], language: str) -> bool:
    """Tell whether it is part of a story, neither about the writer nor a wrapped question for ways to die."""
    known = compile_phrases(language)
    is_tale = any(compile_phrases(each)["tale"].search(clause) for each in LANGUAGES)
    if not is_tale or known["real"].search(clause) or known["ways"].search(clause):
        return False
    # 12 characters before the match hold "i want to" and the like; chosen by hand.
    is_own = known["own"].search(clause[max(0, found.start() - 12) : found.end()]) is not None
    return not is_own or known["quoted"].search(clause) is not None


def _is_accident(clause: str) -> bool:
    known = compile_phrases("en")
    return known["accident"].search(clause) is not None and known["intended"].search(clause) is None


def _is_by_teacher(read: list[str]) -> bool:
    """Tell whether the person named last before harm by others teaches: "my coach hurts me. I want to die"."""
    known = compile_phrases("en")
    last = ""
    for clause in read:
        bare = _bare(clause, "en")
        if own := known["harm_to_self"].search(
            bare
        ):  # "My teacher says I am lazy and I want to die" reports no harm by the teacher.
            bare = f"{bare[: own.start()]} · {bare[own.end() :]}"
        harm = known["harm_by_others"].search(bare)
        if harm and not _is_excused("harm_by_others", bare, harm, "en"):
            named = known["somebody"].findall(bare[: harm.end()])
            if known["teacher"].search((named or [last])[-1]):
                return True
        last = (known["somebody"].findall(bare) or [last])[-1]
    return False


def _is_telling(clause: str) -> bool:
    return compile_phrases("en")["asked"].search(_bare(clause, "en")) is not None


def _encoder_concern(text: str, said: list[str]) -> ConcernSignal | None:
    """Return the encoder's concern for a message with the clauses `said`; None below the threshold. Any language.

    A known figure of speech or a story excuses it, since the encoder knows neither well.
    """
    known = encoder.tuned_heads().get("danger")
    if known is None or not any(map(str.isalpha, text)):
        return None
    try:
        likely = known.probabilities(encoder.encode(text))
    except EmbeddingModelMissing:
        return None
    danger = 1 - likely.pop("none")
    if danger < READ_AS_DANGER or any(map(_is_figure_or_tale, said)):
        return None
    kind = cast("ConcernKind", max(likely, key=likely.__getitem__))
    if kind == "harm_to_self" and any(map(_is_accident, said)):
        return None
    return ConcernSignal(kind=kind, confidence=danger, is_sure=False)


def _is_figure_or_tale(clause: str) -> bool:
    known = (compile_phrases(language) for language in LANGUAGES)
    return any(
        each["real"].search(clause) is None and (each["harmless"].search(clause) or each["tale"].search(clause))
        for each in known
    )


def _by_example(clause: str) -> ConcernSignal | None:
    """Return the classifier's concern for an English clause; None below the threshold."""
    read = _bare(clause, "en")[-READ:]
    known = compile_phrases("en")
    if len(read.split()) < FEWEST_WORDS or any(known[each].search(read) for each in ("tale", "in play", "unharmed")):
        return None
    likely = load_classifier(EXAMPLES).probabilities(read)
    harmless = likely.pop(OUT_OF_SCOPE)
    kind = cast("ConcernKind", max(likely, key=likely.__getitem__))
    if 1 - harmless < LIKELY[kind] or (kind == "harm_to_self" and _is_accident(read)):
        return None
    return ConcernSignal(kind=kind, confidence=1 - harmless, is_sure=False)
