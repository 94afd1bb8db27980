"""Turn exercise templates from files into catalogue values, with every reference checked."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tutoring.courses.catalogue import (
    AnswerPlan,
    ChoicePlan,
    HintLadder,
    MarkPlan,
    Misconception,
    PicturePlan,
    StripPlan,
    Template,
)
from tutoring.courses.expressions import FUNCTIONS, ExpressionError
from tutoring.courses.filling import check_names, check_text
from tutoring.courses.nodes import Path
from tutoring.courses.sampling import check_params
from tutoring.courses.schema import HintEntry, IdeaEntry, PictureEntry, TemplateEntry
from tutoring.grading.keys import Idea

OTHER = "other"
CONDITIONS = FUNCTIONS | {"distinct_malrules"}

type Problem = tuple[Path, str]
"""Where in the template, and why."""


def ideas_of(entries: tuple[IdeaEntry, ...]) -> tuple[Idea, ...]:
    return tuple(Idea(any=entry.any, weight=entry.w, name=entry.name or entry.any[0]) for entry in entries)


def plan_of(entry: PictureEntry) -> PicturePlan:
    fields = {name: getattr(entry, name) for name in PictureEntry.model_fields if name not in ("marks", "bars")}
    marks = tuple(MarkPlan(at=mark.at, label=mark.label) for mark in entry.marks)
    bars = tuple(StripPlan(parts=bar.parts, shaded=bar.shaded) for bar in entry.bars)
    return PicturePlan(**fields, marks=marks, bars=bars)


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateBuilder:
    """One template entry, in the company of what it may refer to."""

    entry: TemplateEntry
    pictures: Mapping[str, PictureEntry]
    misconceptions: Mapping[str, Misconception]

    def built(self) -> Template:
        entry = self.entry
        return Template(
            id=entry.id,
            concept=entry.concept,
            kind=entry.type,
            difficulty=entry.difficulty,
            stem=entry.stem,
            params=tuple(entry.params.items()),
            where=entry.where,
            picture=self.picture(entry.picture),
            answer=self.answer(),
            choices=self.choices(),
            shuffle=entry.shuffle,
            misconceptions=self.listed(),
            overrides={name: wrong for name, wrong in self.rules() if wrong is not None},
            malrule_params=dict(entry.malrule_params),
            hints=_ladder(entry.hints),
            solution=entry.solution,
        )

    def picture(self, given: PictureEntry | str | None) -> PicturePlan | None:
        if isinstance(given, str):
            return plan_of(self.pictures[given])
        return plan_of(given) if given is not None else None

    def letters(self) -> tuple[str, ...]:
        if self.entry.type == "choice":
            return (self.entry.answer.value or "",)
        return self.entry.answer.values

    def map(self) -> Mapping[str, str]:
        """Return the misconception behind each letter of a choice."""
        listed = self.entry.misconceptions
        return listed if isinstance(listed, Mapping) else {}

    def rules(self) -> tuple[tuple[str, str | None], ...]:
        listed = self.entry.misconceptions
        return () if isinstance(listed, Mapping) else listed

    def listed(self) -> tuple[str, ...]:
        named = [*self.map().values(), *(name for name, _ in self.rules())]
        return tuple(dict.fromkeys(name for name in named if name != OTHER))

    def choices(self) -> tuple[ChoicePlan, ...]:
        return tuple(
            ChoicePlan(
                letter=letter,
                text=choice.text,
                picture=self.picture(choice.picture),
                misconception=None if (found := self.map().get(letter)) == OTHER else found,
            )
            for letter, choice in self.entry.choices.items()
        )

    def answer(self) -> AnswerPlan:
        answer = self.entry.answer
        return AnswerPlan(
            value=answer.value if self.entry.type == "numeric" and answer.value is not None else "",
            letters=self.letters(),
            form=answer.form,
            tolerance=answer.tolerance or "",
            places=answer.places,
            ideas=ideas_of(answer.ideas),
            contradicts=tuple(self.contradictions()),
            references=answer.references,
        )

    def contradictions(self) -> Iterator[str]:
        for pattern in self.entry.answer.contradicts:
            if pattern in self.misconceptions:
                yield from self.misconceptions[pattern].utterances
            else:
                yield pattern

    def problems(self) -> Iterator[Problem]:
        """Yield what is wrong with the entry; `built` is safe to call when this yields nothing."""
        yield from self.picture_problems()
        yield from self.expression_problems()
        yield from self.answer_problems()
        yield from self.misconception_problems()

    def picture_problems(self) -> Iterator[Problem]:
        used: list[tuple[Path, PictureEntry | str | None]] = [(("picture",), self.entry.picture)]
        used += [(("choices", letter), choice.picture) for letter, choice in self.entry.choices.items()]
        for path, picture in used:
            if isinstance(picture, str) and picture not in self.pictures:
                yield path, f"pictures.yaml has no picture {picture!r}"

    def expression_problems(self) -> Iterator[Problem]:
        known = self.entry.params.keys()
        try:
            check_params(self.entry.params.items())
        except ExpressionError as error:
            yield ("params",), str(error)
        for path, expression in self.expressions():
            try:
                check_names(expression, known, functions=CONDITIONS if path[0] == "where" else FUNCTIONS)
            except ExpressionError as error:
                yield path, str(error)
        for path, text in self.texts():
            try:
                check_text(text, known)
            except ExpressionError as error:
                yield path, str(error)
        for name in self.entry.hints[3].twin or {}:
            if name not in known:
                yield ("hints", 3, "twin", name), f"the exercise has no parameter {name!r}"

    def expressions(self) -> Iterator[tuple[Path, str]]:
        yield from ((("where", index), where) for index, where in enumerate(self.entry.where))
        yield from ((("malrule_params", name), source) for name, source in self.entry.malrule_params.items())
        if self.entry.type == "numeric" and self.entry.answer.value is not None:
            yield ("answer", "value"), self.entry.answer.value
        for index, (_, wrong) in enumerate(self.rules()):
            if wrong is not None:
                yield ("misconceptions", index), wrong

    def texts(self) -> Iterator[tuple[Path, str]]:
        entry = self.entry
        yield ("stem",), entry.stem
        yield from ((("solution", index), line) for index, line in enumerate(entry.solution))
        yield from ((("choices", letter), choice.text) for letter, choice in entry.choices.items())
        yield from ((("answer", "references", index), text) for index, text in enumerate(entry.answer.references))
        for index, hint in enumerate(entry.hints):
            for name in ("focus", "principle", "ask", "example"):
                if (text := getattr(hint, name)) is not None:
                    yield ("hints", index, name), text

    def answer_problems(self) -> Iterator[Problem]:
        answer, kind = self.entry.answer, self.entry.type
        has_choices = kind in ("choice", "multi")
        if has_choices and len(self.entry.choices) < 2:
            yield ("choices",), f"a {kind} question needs two choices or more"
        if not has_choices and self.entry.choices:
            yield ("choices",), f"a {kind} question has no choices"
        if kind in ("numeric", "choice") and answer.value is None:
            yield ("answer",), f"a {kind} question needs answer: {{value: …}}"
        if kind == "multi" and not answer.values:
            yield ("answer",), "a multi question needs answer: {values: [letters]}"
        if kind == "text" and not (answer.ideas and answer.references):
            yield ("answer",), "a text question needs ideas, and references that show them said"
        if has_choices:
            for letter in self.letters():
                if letter not in self.entry.choices:
                    yield ("answer",), f"there is no choice {letter!r}"

    def misconception_problems(self) -> Iterator[Problem]:
        for name in self.listed():
            if name not in self.misconceptions:
                yield ("misconceptions",), f"misconceptions.yaml has no {name!r}"
        match self.entry.type:
            case "choice" | "multi":
                yield from self.distractor_problems()
            case "numeric":
                yield from self.malrule_problems()
            case "text":
                if self.map() or any(wrong is not None for _, wrong in self.rules()):
                    yield ("misconceptions",), "a text question only lists the ids of misconceptions"

    def distractor_problems(self) -> Iterator[Problem]:
        if self.rules():
            yield ("misconceptions",), "a question with choices maps letters to ids: {B: id, C: other}"
            return
        for letter in self.entry.choices:
            right, mapped = letter in self.letters(), letter in self.map()
            if right and mapped:
                yield ("misconceptions", letter), f"{letter} is right: it has no misconception"
            if not right and not mapped:
                yield ("misconceptions",), f"the wrong choice {letter} needs a misconception's id, or 'other'"
        for letter in self.map():
            if letter not in self.entry.choices:
                yield ("misconceptions", letter), f"there is no choice {letter!r}"

    def malrule_problems(self) -> Iterator[Problem]:
        if self.map():
            yield ("misconceptions",), "a numeric question lists misconceptions: [id, {id: wrong expression}]"
        known = self.entry.params.keys() | self.entry.malrule_params.keys()
        for index, (name, wrong) in enumerate(self.rules()):
            if wrong is not None or name not in self.misconceptions:
                continue
            rule = self.misconceptions[name].malrule
            if rule is None:
                yield ("misconceptions", index), f"{name!r} has no malrule: write {{{name}: wrong expression}}"
                continue
            for expression in filter(None, (rule.when, rule.answer)):
                try:
                    check_names(expression, known)
                except ExpressionError as error:
                    yield ("misconceptions", index), f"the malrule of {name!r}: {error}; give malrule_params"


def _ladder(hints: tuple[HintEntry, ...]) -> HintLadder:
    focus, principle, scaffold, twin, _ = hints
    return HintLadder(
        focus=focus.focus or "",
        principle=principle.principle or "",
        ask=scaffold.ask or "",
        ask_answer=scaffold.answer or "",
        twin=dict(twin.twin or {}),
        example=twin.example or "",
    )
