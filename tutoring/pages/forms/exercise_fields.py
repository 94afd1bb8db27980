"""The fields of an exercise's form, by its kind."""

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tutoring.course_writing.answer_values import FORM_KINDS, FORMS, LETTERS, ROWS, SPARE, WRONG
from tutoring.course_writing.exercise_values import DIFFICULTIES
from tutoring.pages.forms.written_fields import FieldGroup, WrittenField, options_of

KINDS = {
    "numeric": gettext_lazy("A number"),
    "choice": gettext_lazy("One right option"),
    "multi": gettext_lazy("Several right options"),
    "text": gettext_lazy("Own words"),
    "order": gettext_lazy("Put in order"),
    "match": gettext_lazy("Match pairs"),
}
_FORM_WORDS = {
    "any": gettext_lazy("any form"),
    "whole": gettext_lazy("a whole number"),
    "fraction": gettext_lazy("a fraction"),
    "simplified": gettext_lazy("a fraction in lowest terms"),
    "decimal": gettext_lazy("a decimal number"),
    "exact": gettext_lazy("not rounded"),
}
_DIFFICULTY_WORDS = {
    "easy": gettext_lazy("easy"),
    "medium": gettext_lazy("medium"),
    "hard": gettext_lazy("hard"),
}
SHOWN_OPTIONS = 4


def exercise_groups(values: Mapping[str, str], ideas: Iterable[tuple[str, str]], *, is_step: bool) -> list[FieldGroup]:
    """Return the groups of fields; `ideas` are the misconceptions of the course, as id and sentence."""
    kind, choices = values.get("kind", ""), (("", _("no misconception")), *ideas)
    kinds = options_of(KINDS if kind in KINDS else KINDS | {kind: kind})
    about = [WrittenField(name="kind", label=_("Kind"), kind="select", options=kinds, value=kind, is_short=True)]
    if not is_step:
        levels = options_of({name: _DIFFICULTY_WORDS[name] for name in DIFFICULTIES})
        about.append(
            WrittenField(
                name="difficulty", label=_("Difficulty"), kind="select", options=levels, is_short=True,
                value=values.get("difficulty", ""),
            )
        )  # fmt: skip
    about.append(
        WrittenField(
            name="stem",
            label=_("Question"),
            kind="area",
            value=values.get("stem", ""),
            rows=3,
            help=_("You can use Markdown, and formulas between dollar signs."),
        )
    )
    groups = [FieldGroup(fields=tuple(about))]
    if kind in FORM_KINDS and not values.get("rest", "").startswith(("answer:", "choices:")):
        groups += _answer_groups(kind, values, choices)
    groups.append(
        FieldGroup(
            title=_("Solution"),
            fields=(
                _area(
                    values,
                    "solution",
                    _("How to solve it"),
                    help=_(
                        "One step a line. Learners see it after the last hint. It must contain the right number, if there is one."
                    ),
                ),
            ),
        )
    )
    groups.append(_hints(values, is_step=is_step))
    return [*groups, *([] if is_step else [_numbers(values)]), _rest(values), _verbatim(values)]


def _text(values: Mapping[str, str], name: str, label: str, **more: object) -> WrittenField:
    return WrittenField(name=name, label=label, value=values.get(name, ""), **more)  # type: ignore[arg-type]


def _area(values: Mapping[str, str], name: str, label: str, **more: object) -> WrittenField:
    return _text(values, name, label, kind="area", **more)


def _answer_groups(kind: str, values: Mapping[str, str], ideas: tuple[tuple[str, str], ...]) -> list[FieldGroup]:
    match kind:
        case "numeric":
            forms = options_of({name: _FORM_WORDS[name] for name in FORMS})
            answer = (
                _text(values, "value", _("Right number"), is_short=True),
                _text(values, "form", _("It must be"), kind="select", options=forms, is_short=True),
                _text(values, "tolerance", _("Largest error"), is_short=True, help=_("Only for decimal numbers.")),
            )
            wrong = tuple(
                each
                for row in range(WRONG)
                for each in (
                    _text(values, f"wrong-{row}", _("Wrong number"), is_short=True),
                    _text(values, f"idea-{row}", _("Misconception"), kind="select", options=ideas, is_short=True),
                )
            )
            told = _("If a misconception leads to a certain wrong number, learners who enter it are told more.")
            return [_answer(answer), FieldGroup(title=_("Usual mistakes"), help=told, fields=wrong, is_folded=True)]
        case "choice" | "multi":
            return _options(kind, values, ideas)
        case "text":
            words = _(
                "One idea a line. A right answer contains all of them. Write other words for the same idea after a slash: big / large."
            )
            example = _("Write one or more right answers, one a line. They must contain the ideas above.")
            return [_answer((
                _area(values, "ideas", _("Words of a right answer"), help=words),
                _area(values, "references", _("Example of a right answer"), help=example, rows=2),
            ))]  # fmt: skip
        case "order":
            return [
                _answer(
                    (
                        _area(
                            values,
                            "order",
                            _("Entries in the right order"),
                            rows=5,
                            help=_("One entry a line, from 3 to 6. Learners see them in another order."),
                        ),
                    )
                )
            ]
        case _:
            return _pairs(values)


def _answer(fields: tuple[WrittenField, ...], *, help: str = "") -> FieldGroup:
    return FieldGroup(name="answer", title=_("Right answer"), help=help, fields=fields)


def _options(kind: str, values: Mapping[str, str], ideas: tuple[tuple[str, str], ...]) -> list[FieldGroup]:
    rows = [_option(kind, letter, values, ideas) for letter in LETTERS]
    used = max((at for at, letter in enumerate(LETTERS, start=1) if values.get(f"choice-{letter}")), default=0)
    shown = max(SHOWN_OPTIONS, used)
    said = _("Mark the right option.") if kind == "choice" else _("Mark every right option.")
    more = tuple(each for row in rows[shown:] for each in row)
    groups = [
        FieldGroup(
            name="answer", title=_("Options"), help=said, fields=tuple(each for row in rows[:shown] for each in row)
        ),
        FieldGroup(title=_("More options"), fields=more, is_folded=True),
        FieldGroup(
            title=_("Replies to wrong options"),
            help=_("What learners are told who choose the option. Optional."),
            fields=tuple(
                _text(values, f"says-{letter}", _("To those who choose %(letter)s") % {"letter": letter})
                for letter in LETTERS[:shown]
            ),
            is_folded=True,
        ),
        FieldGroup(fields=(_text(values, "in_order", _("Keep this order"), kind="check"),)),
    ]
    return [group for group in groups if group.fields]


def _option(
    kind: str, letter: str, values: Mapping[str, str], ideas: tuple[tuple[str, str], ...]
) -> tuple[WrittenField, ...]:
    if kind == "choice":
        right = WrittenField(
            name="right", label=_("%(letter)s is right") % {"letter": letter}, kind="radio",
            options=((letter, ""),), value=letter if values.get("right") == letter else "", is_short=True,
        )  # fmt: skip
    else:
        right = _text(
            values, f"right-{letter}", _("%(letter)s is right") % {"letter": letter}, kind="check", is_short=True
        )
    because = _("Who chooses %(letter)s may think") % {"letter": letter}
    return (
        _text(values, f"choice-{letter}", _("Option %(letter)s") % {"letter": letter}),
        right,
        _text(values, f"because-{letter}", because, kind="select", options=ideas, is_short=True),
    )


def _pairs(values: Mapping[str, str]) -> list[FieldGroup]:
    rows = tuple(
        each
        for at in range(ROWS)
        for each in (
            _text(values, f"row-{at}", _("Row %(number)d") % {"number": at + 1}, is_short=True),
            _text(values, f"partner-{at}", _("belongs to"), is_short=True),
        )
    )
    spare = tuple(_text(values, f"spare-{at}", _("Extra partner"), is_short=True) for at in range(SPARE))
    return [
        _answer(rows, help=_("From 3 to 6 rows.")),
        FieldGroup(title=_("Partners that belong to no row"), fields=spare, is_folded=True),
    ]


def _hints(values: Mapping[str, str], *, is_step: bool) -> FieldGroup:
    said = _(
        "Learners get one hint at a time. Where you write none, a general hint is given. The last hint is the solution. The first three must not contain the answer."
    )
    fields = [
        _text(values, "hint-1", _("1. What to look at"), kind="area", rows=2),
        _text(values, "hint-2", _("2. The idea behind it"), kind="area", rows=2),
        _text(values, "hint-ask", _("3. A smaller question"), is_short=True),
        _text(values, "hint-answer", _("… and its answer"), is_short=True),
        _text(values, "hint-4", _("4. A similar question with its solution"), kind="area", rows=2),
    ]
    if not is_step:  # The exercise of a piece has no values.
        fields.append(
            _text(
                values,
                "hint-twin",
                _("… or other values for it"),
                kind="code",
                rows=2,
                help=_("For example: n = 5. Instead of the text."),
            )
        )
    return FieldGroup(title=_("Hints"), help=said, fields=tuple(fields), is_folded=True)


def _numbers(values: Mapping[str, str]) -> FieldGroup:
    said = _(
        "With changing values, one exercise becomes many. Write one value a line, such as n = int(2, 9), and use it in braces: {n} or {2*n}. In the right number, write it without braces: 2*n."
    )
    fields = (
        _text(values, "params", _("Values"), kind="code", rows=3),
        _text(values, "where", _("Conditions"), kind="code", rows=2, help=_("For example: a != b")),
    )
    return FieldGroup(title=_("Changing values"), help=said, fields=fields, is_folded=True)


def _rest(values: Mapping[str, str]) -> FieldGroup:
    said = _(
        "Everything that has no field of its own, such as pictures and other kinds of exercises, as YAML. The course format explains it."
    )
    return FieldGroup(
        title=_("Other fields"),
        help=said,
        fields=(_text(values, "rest", _("YAML"), kind="code", rows=8),),
        is_folded=True,
    )


def _verbatim(values: Mapping[str, str]) -> FieldGroup:
    return FieldGroup(fields=(_text(values, "verbatim", "", kind="hidden"),))
