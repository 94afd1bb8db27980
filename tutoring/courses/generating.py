"""Make exercises out of templates: the same (template, seed) gives the same exercise."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from tutoring.courses.catalogue import ChoicePlan, Course, PicturePlan, Template
from tutoring.courses.drawing import draw
from tutoring.courses.expressions import ExpressionError, Value, evaluate, number, text_of, truth
from tutoring.courses.filling import fill
from tutoring.courses.instances import Choice, Instance, Scaffold
from tutoring.courses.pictures import Picture
from tutoring.courses.sampling import draw_params, twin_params
from tutoring.grading.keys import AnswerKey, ChoiceKey, MultiKey, NumericKey, TextKey

MAX_TRIES = 1000
LETTERS = "ABCDEFGH"

type Names = Mapping[str, Value]


class NoInstance(ValueError):
    """A template that gives no exercise for a seed; the text says why."""


def instance(template: Template, *, seed: int, course: Course) -> Instance:
    """Return the template's exercise for this seed.

    Values are drawn until every `where` condition holds, options differ, and the solved twin of hint 4 has another
    answer. Raises NoInstance when that fails too often, and ExpressionError or PictureError (both ValueErrors, as
    NoInstance is) when a text or picture cannot be made; a course that passed its checks raises none of them.
    """
    return instance_and_values(template, seed=seed, course=course)[0]


def instance_and_values(template: Template, *, seed: int, course: Course) -> tuple[Instance, Names]:
    """Return the exercise with the values of its parameters, for whoever checks it. Raises as `instance` does."""
    draft, random = _accepted(template, seed=seed, course=course)
    return draft.finished(seed=seed, random=random), draft.names


def _accepted(template: Template, *, seed: int, course: Course) -> "tuple[_Draft, Random]":
    random = Random(f"{template.id}:{seed}")
    tries = MAX_TRIES if template.params else 1
    for _ in range(tries):
        draft = _Draft(template=template, course=course, names=draw_params(template.params, random=random))
        if draft.is_accepted():
            return draft, random
    raise NoInstance(f"no exercise within {tries} tries: the conditions under 'where' hold too rarely")


def wrong_numbers(template: Template, *, names: Names, course: Course) -> tuple[tuple[str, Value], ...]:
    """Return each listed misconception that applies to these values, with the wrong answer it gives."""
    answers: list[tuple[str, Value]] = []
    named = dict(names) | {name: evaluate(source, names) for name, source in template.malrule_params.items()}
    for misconception in template.misconceptions:
        rule = course.misconceptions[misconception].malrule
        if misconception in template.overrides:
            answers.append((misconception, evaluate(template.overrides[misconception], names)))
        elif rule is not None and (not rule.when or truth(evaluate(rule.when, named))):
            answers.append((misconception, evaluate(rule.answer, named)))
    return tuple(answers)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draft:
    """A template with values drawn, not yet accepted."""

    template: Template
    course: Course
    names: Names

    def is_accepted(self) -> bool:
        try:
            functions = {"distinct_malrules": self.has_distinct_malrules}
            holds = all(truth(evaluate(where, self.names, functions=functions)) for where in self.template.where)
        except ExpressionError:  # Such as a division by zero: these values do not suit the template.
            return False
        return holds and self.differs_from_twin() and self.has_different_choices()

    def has_distinct_malrules(self) -> bool:
        values = [number(value) for _, value in wrong_numbers(self.template, names=self.names, course=self.course)]
        values.append(number(self.value()))
        return len(set(values)) == len(values)

    def differs_from_twin(self) -> bool:
        if not self.template.hints.twin:
            return True
        twin = self.twin()
        if self.template.kind == "numeric":
            return number(twin.value()) != number(self.value())
        return twin.names != self.names

    def has_different_choices(self) -> bool:
        shown = [(self.text(plan.text), self.drawn(plan.picture)) for plan in self.template.choices]
        return len(set(shown)) == len(shown)

    def twin(self) -> "_Draft":
        names = twin_params(self.template.params, names=self.names, twin=self.template.hints.twin)
        return _Draft(template=self.template, course=self.course, names=names)

    def value(self) -> Value:
        return evaluate(self.template.answer.value, self.names)

    def text(self, text: str) -> str:
        return fill(text, lambda expression: text_of(evaluate(expression, self.names)))

    def drawn(self, plan: PicturePlan | None) -> Picture | None:
        return draw(plan, self.names) if plan is not None else None

    def solution(self) -> tuple[str, ...]:
        return tuple(map(self.text, self.template.solution))

    def finished(self, *, seed: int, random: Random) -> Instance:
        template = self.template
        letters = self.letters(random)
        choices = tuple(self.choice(plan, letter=letters[plan.letter]) for plan in template.choices)
        choices = tuple(sorted(choices, key=lambda choice: choice.letter))
        return Instance(
            template=template.id,
            seed=seed,
            concept=template.concept,
            kind=template.kind,
            difficulty=template.difficulty,
            stem=self.text(template.stem),
            picture=self.drawn(template.picture),
            choices=choices,
            key=self.key(letters=letters, choices=choices),
            hints=self.hints(),
            scaffold=Scaffold(ask=self.text(template.hints.ask), answer=self.scaffold_answer()),
            solution=self.solution(),
            wrong=self.wrong(choices),
        )

    def letters(self, random: Random) -> dict[str, str]:
        """Map the file's letters to those shown."""
        written = [plan.letter for plan in self.template.choices]
        if self.template.shuffle:
            random.shuffle(written)
        return dict(zip(written, LETTERS, strict=False))

    def choice(self, plan: ChoicePlan, *, letter: str) -> Choice:
        picture = self.drawn(plan.picture)
        return Choice(letter=letter, text=self.text(plan.text), picture=picture, misconception=plan.misconception)

    def key(self, *, letters: Mapping[str, str], choices: tuple[Choice, ...]) -> AnswerKey:
        answer = self.template.answer
        options = tuple((choice.letter, choice.text or _alt(choice.picture)) for choice in choices)
        match self.template.kind:
            case "numeric":
                return self.numeric_key()
            case "choice":
                return ChoiceKey(right=letters[answer.letters[0]], options=options)
            case "multi":
                return MultiKey(right=frozenset(letters[letter] for letter in answer.letters), options=options)
            case "text":
                references = tuple(map(self.text, answer.references))
                stem = self.text(self.template.stem)
                return TextKey(ideas=answer.ideas, contradicts=answer.contradicts, references=references, question=stem)

    def numeric_key(self) -> NumericKey:
        answer, value = self.template.answer, self.value()
        written = text_of(value) if answer.form in ("any", "fraction") else str(number(value))
        return NumericKey(value=written, form=answer.form, tolerance=answer.tolerance or None, places=answer.places)

    def hints(self) -> tuple[str, ...]:
        hints = self.template.hints
        said = (self.text(hints.focus), self.text(hints.principle), self.text(hints.ask))
        return (*said, self.worked_twin(), "\n\n".join(self.solution()))

    def worked_twin(self) -> str:
        """Return rung 4: a sister exercise, solved line by line; a picture it has is told in words."""
        if not self.template.hints.twin:
            return self.text(self.template.hints.example)
        twin = self.twin()
        options = "\n".join(f"- {twin.option(plan)}" for plan in self.template.choices)
        told = (_alt(twin.drawn(self.template.picture)), twin.text(self.template.stem), options, *twin.solution())
        return "\n\n".join(line for line in told if line)

    def option(self, plan: ChoicePlan) -> str:
        return self.text(plan.text) or _alt(self.drawn(plan.picture))

    def scaffold_answer(self) -> str:
        """Return the answer of rung 3: an expression's value, or the plain words that stand there."""
        try:
            return text_of(evaluate(self.template.hints.ask_answer, self.names))
        except ExpressionError:
            return self.text(self.template.hints.ask_answer)

    def wrong(self, choices: tuple[Choice, ...]) -> dict[str, tuple[str, ...]]:
        if self.template.kind != "numeric":
            return {choice.letter: (choice.misconception,) for choice in choices if choice.misconception is not None}
        right = number(self.value())
        texts: dict[object, str] = {}
        wrong: dict[str, tuple[str, ...]] = {}
        for misconception, value in wrong_numbers(self.template, names=self.names, course=self.course):
            if number(value) != right:
                text = texts.setdefault(number(value), text_of(value))
                wrong[text] = (*wrong.get(text, ()), misconception)
        return wrong


def _alt(picture: Picture | None) -> str:
    return picture.alt if picture is not None else ""
