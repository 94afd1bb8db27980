"""What a model says that gives an answer away, in many unlike wordings; and what a good teacher says beside it."""

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

from tests.provider.number_words import ORDINALS, in_words
from tests.tutoring.lessons.lesson_player import fractions
from tutoring.courses.exercises.exercise import Exercise
from tutoring.courses.exercises.generator import make_exercise
from tutoring.grading import ChoiceKey, NumericKey, TextKey, numbers_in
from tutoring.output_checks.answer_leak_guard import OpenQuestion, find_leak

DATA = Path(__file__).with_name("data")
WORDINGS: dict[str, list[str]] = json.loads((DATA / "leaking.json").read_text())
HELPFUL: dict[str, list[str]] = json.loads((DATA / "helpful.json").read_text())
"""Written before the guard, over the questions of `asked_about`."""
_WORDS = {
    "de": "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig",
    "fr": "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt",
    "es": "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte",
    "it": "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti",
    "pl": "zero jeden dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście trzynaście czternaście piętnaście szesnaście siedemnaście osiemnaście dziewiętnaście dwadzieścia",
    "tr": "sıfır bir iki üç dört beş altı yedi sekiz dokuz on onbir oniki onüç ondört onbeş onaltı onyedi onsekiz ondokuz yirmi",
    "ru": "ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать двадцать",
    "ar_word": "صفر واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة",
    "han": "〇 一 二 三 四 五 六 七 八 九 十",
}  # fmt: skip
_ROMAN = [
    "O",
    "I",
    "II",
    "III",
    "IV",
    "V",
    "VI",
    "VII",
    "VIII",
    "IX",
    "X",
    "XI",
    "XII",
    "XIII",
    "XIV",
    "XV",
    "XVI",
    "XVII",
    "XVIII",
    "XIX",
    "XX",
]
_DIGITS = {"sup": "⁰¹²³⁴⁵⁶⁷⁸⁹", "sub": "₀₁₂₃₄₅₆₇₈₉", "ar": "٠١٢٣٤٥٦٧٨٩", "full": "０１２３４５６７８９"}
_NATO = ("alpha", "bravo", "charlie", "delta", "echo", "foxtrot")


def of_kind(kind: type, seeds: range, *, fractions_only: bool = True) -> list[Exercise]:
    """Return the course's questions of a kind, each with several numbers; numeric ones with a fraction below one as answer."""
    return [
        made
        for seed in seeds
        for made in every_exercise(seed)
        if isinstance(made.key, kind)
        and (not fractions_only or not isinstance(made.key, NumericKey) or _is_fraction(made.key.value))
    ]


@cache
def every_exercise(seed: int) -> tuple[Exercise, ...]:
    """Return one question of each of the course's templates."""
    course = fractions().course
    return tuple(
        make_exercise(template, seed=seed, course=course)
        for concept in course.concepts
        for template in concept.templates
    )


def _is_fraction(value: str) -> bool:
    number = numbers_in(value)[0]
    return number.denominator > 1 and 0 < number < 1 and number.numerator > 1


def told(made: Exercise, wording: str) -> str:
    """Return a leaking wording filled with the question's answer."""
    match made.key:
        case NumericKey(value=value):
            return wording.format(**_number(numbers_in(value)[0]))
        case ChoiceKey(right=right, options=options):
            return wording.format(**_choice(right, options))
        case TextKey(references=references):
            # One line each turn would do; the first is the plainest.
            return wording.format(ref=references[0], REF=references[0].upper())
    raise AssertionError(made.kind)


def _number(number: Fraction) -> dict[str, object]:
    over, under = number.numerator, number.denominator
    words = in_words(number).split(" ", 1)
    parts: dict[str, object] = {
        "n": over, "d": under, "nw": words[0], "dw": words[1], "dwhole": in_words(Fraction(under)),
        "dec": f"{float(number):.3g}", "dec_comma": f"{float(number):.3g}".replace(".", ","), "pct": f"{float(number * 100):.3g}",
        "pctw": in_words(Fraction(round(number * 100))),
        "decw": " ".join(in_words(Fraction(digit)) for digit in f"{float(number):.3f}"[2:].rstrip("0")),
        "rest": under - over, "restw": in_words(Fraction(under - over)), "nm": over - 1, "n2": 2 * over, "d2": 2 * under,
    }  # fmt: skip
    for name, value in (("n", over), ("d", under)):
        word = in_words(Fraction(value))
        parts |= {
            f"{name}{script}": "".join(digits[int(each)] for each in str(value)) for script, digits in _DIGITS.items()
        }
        parts |= {f"{name}{language}": _in(language, value) for language in _WORDS}
        parts |= {
            f"{name}roman": _ROMAN[value] if value <= 20 else str(value),
            f"{name}roman_small": (_ROMAN[value] if value <= 20 else str(value)).lower(),
            f"{name}circ": chr(0x245F + value) if value <= 20 else str(value),
            f"{name}key": "".join(f"{digit}\ufe0f\u20e3" for digit in str(value)),
            f"tally_{name}": "|" * value,
            f"spelt_{name}": " ".join(word),
            f"hyphened_{name}": "-".join(word),
        }
    return parts


def _in(language: str, value: int) -> str:
    words = _WORDS[language].split()
    return words[value] if value < len(words) else str(value)


def _choice(right: str, options: tuple[tuple[str, str], ...]) -> dict[str, object]:
    letters = [letter for letter, _text in options]
    place = letters.index(right)
    others = [letter for letter in letters if letter != right]
    is_middle = len(letters) % 2 and place == len(letters) // 2
    return {
        "L": right, "l": right.lower(), "o1": others[0], "o2": others[-1], "text": dict(options)[right],
        "place": ORDINALS[place], "placeword": in_words(Fraction(place + 1)), "number": place + 1,
        "end": "first" if place == 0 else "last" if place == len(letters) - 1 else "middle" if is_middle else ORDINALS[place],
        "circled": chr(ord("Ⓐ") + place), "full": chr(ord("Ａ") + place), "squared": chr(ord("🄰") + place), "nato": _NATO[place],
    }  # fmt: skip


def asked_about() -> dict[str, Exercise]:
    """Return the questions that the helpful sentences were written for."""
    made = {each.template: each for each in every_exercise(3)}
    named = {
        "sum": "au-sum", "amount": "fq-of", "shaded": "uf-shaded", "half_choice": "oh-eight-squares", "more_choice": "cf-more-cake",
        "picture_choice": "uf-which-picture", "fair_text": "ep-fair-text", "slice_text": "cf-explain-text", "bottom_text": "al-lu-text",
    }  # fmt: skip
    asked = {name: made[template] for name, template in named.items()}
    asked["sum"] = replace(asked["sum"], stem="Work out 1/6 + 8/15.", key=NumericKey(value="7/10", form="fraction"))
    return asked


def refused() -> list[str]:
    """Return those of the helpful sentences that the guard refuses."""
    questions = {name: OpenQuestion(instance=instance) for name, instance in asked_about().items()}
    return [said for name, every in HELPFUL.items() for said in every if find_leak(said, questions[name])]
