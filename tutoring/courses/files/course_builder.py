"""Builds the course from the entries of its files, and collects every unresolved reference."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

from django.utils.translation import override

from tutoring.courses.catalogue import (
    LEVELS,
    ApplicationRule,
    Blocks,
    ConceptContent,
    ConceptWordings,
    ContrastCase,
    CourseAnswer,
    CourseContent,
    LabelledReplies,
    LabelledSayings,
    LessonPiece,
    Malrule,
    Milestone,
    Misconception,
    Template,
    Wordings,
)
from tutoring.courses.exercises.expressions import ExpressionError
from tutoring.courses.exercises.interpolation import check_names
from tutoring.courses.exercises.picture_plans import draw_plan
from tutoring.courses.files.default_texts import plain_contrast
from tutoring.courses.files.exercise_schema import TemplateEntry
from tutoring.courses.files.faults import CourseFaults, Fault
from tutoring.courses.files.lesson_markdown import PieceText
from tutoring.courses.files.markdown_blocks import PictureUse, last_sentence, split_blocks
from tutoring.courses.files.picture_builder import build_picture_plan, missing_drawing
from tutoring.courses.files.picture_schema import AnyPictureEntry
from tutoring.courses.files.reader import ConceptFiles, CourseFiles, ParsedFile
from tutoring.courses.files.schema import (
    ConceptEntry,
    ConceptWordingsEntry,
    MalruleEntry,
    MilestoneEntry,
    MisconceptionEntry,
    PieceEntry,
    SayingsEntry,
)
from tutoring.courses.files.source_locations import Key, SourceLocations
from tutoring.courses.files.template_builder import TemplateBuilder, build_ideas
from tutoring.courses.files.yaml_documents import NodePath
from tutoring.courses.picture_plans import PicturePlan
from tutoring.courses.pictures import Picture, PictureError
from tutoring.courses.pictures.drawings import Drawing, drawing_file, image_of, read_drawing
from tutoring.courses.quiz_limits import QuizLimits
from tutoring.courses.wrong_answers import WrongAnswer

NO_MISCONCEPTION: Final = "none"
"""Key in sayings.yaml for sentences that show no misconception."""
NO_CONCEPT: Final = "none"
"""Key in requests.yaml for messages that name nothing to learn: "something harder"."""
OTHER_SUBJECTS: Final = "other_subjects"
"""Key in requests.yaml for messages that ask for something that the course does not have."""
OTHER_QUESTIONS: Final = "other_questions"
"""Key in requests.yaml for questions about other subjects, to which the course has no answer."""
OTHER: Final = "other"
"""Key among wrong replies for those that show no misconception."""

type Plans = Mapping[str, PicturePlan | None]
"""Pictures by name; None for one that cannot be drawn and was reported already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltCourse:
    """A course with all references resolved, the source locations of its parts and the hash of its files."""

    course: CourseContent
    places: SourceLocations
    hash: str


def build_course(files: CourseFiles) -> BuiltCourse:
    """Return the course. Raises CourseFaults with every unresolved reference."""
    builder = _CourseBuilder(files)
    with override(files.course.value.language):  # Default texts of small courses.
        course = builder.course()
    if builder.faults:
        raise CourseFaults(builder.faults)
    return BuiltCourse(course=course, places=builder.places, hash=files.hash)


@dataclass(slots=True)
class _CourseBuilder:
    files: CourseFiles
    places: SourceLocations = field(default_factory=SourceLocations)
    faults: list[Fault] = field(default_factory=list)
    drawings: dict[str, Drawing] = field(default_factory=dict)

    def course(self) -> CourseContent:
        entry = self.files.course.value
        self.places.put(("course",), self.files.course.document, ())
        self.drawings = self.read_drawings()
        misconceptions = self.misconceptions()
        concepts = tuple(self.concepts(misconceptions))
        for name in self.files.sayings.value:
            if name != NO_MISCONCEPTION:
                self.known("misconception", name, self.files.sayings, (name,))
        for name in self.files.requests.value:
            if name not in (NO_CONCEPT, OTHER_SUBJECTS, OTHER_QUESTIONS):
                self.known("concept", name, self.files.requests, (name,))
        return CourseContent(
            id=entry.id,
            title=entry.title,
            summary=entry.summary,
            language=entry.language,
            license=entry.license,
            attribution=entry.attribution or "",
            question_bank=entry.question_bank,
            quotes=entry.quotes,
            small=entry.small,
            position=entry.position,
            version=entry.version,
            standards=entry.standards or "",
            threshold=entry.mastery.threshold,
            cycles=entry.mastery.cycles,
            quiz=QuizLimits(questions=entry.quiz.questions, per_concept=entry.quiz.per_concept),
            concepts=concepts,
            misconceptions=misconceptions,
            sayings=dict(self.files.sayings.value),
            requests=dict(self.files.requests.value),
            drawings=self.drawing_files(),
            wordings_key=_key(self.files, concepts, misconceptions),
        )

    def read_drawings(self) -> dict[str, Drawing]:
        """Return the drawings of the course's folder `assets`; of courses from elsewhere with their addresses."""
        found: dict[str, Drawing] = {}
        for name, text in self.files.drawings.items():
            try:
                drawing = read_drawing(text, name=name.removesuffix(".svg"))
                found[name] = drawing if self.files.is_shipped else image_of(drawing, self.files.course.value.id, name)
            except PictureError as error:
                self.faults.append(Fault(file=f"assets/{name}", line=1, reason=str(error)))
        return found

    def drawing_files(self) -> dict[str, str]:
        """Return the clean files of drawings that are shown as images."""
        if self.files.is_shipped:
            return {}
        return {
            name: drawing_file(read_drawing(text, name=""))
            for name, text in self.files.drawings.items()
            if name in self.drawings
        }

    def place(self, key: Key, read: ParsedFile[object], path: NodePath) -> None:
        """Record the location of a part; a duplicate id is a fault."""
        if self.places.has(key):
            self.faults.append(read.fault(path, f"duplicate {key[0]} {key[-1]!r}"))
        self.places.put(key, read.document, path)

    def known(self, kind: str, name: str, read: ParsedFile[object], path: NodePath) -> None:
        if not self.places.has((kind, name)):
            self.faults.append(read.fault(path, f"there is no {kind} {name!r}"))

    def concepts(self, misconceptions: Mapping[str, Misconception]) -> list[ConceptContent]:
        graph = self.files.graph
        for index, entry in enumerate(graph.value.concepts):
            self.place(("concept", entry.id), graph, ("concepts", index))
        for index, entry in enumerate(graph.value.concepts):
            for name in entry.requires:
                self.known("concept", name, graph, ("concepts", index, "requires"))
            for name in entry.encompasses:
                self.known("concept", name, graph, ("concepts", index, "encompasses"))
        self.check_concepts_of_misconceptions()
        return [self.concept(entry, misconceptions) for entry in graph.value.concepts]

    def check_concepts_of_misconceptions(self) -> None:
        read = self.files.misconceptions
        for index, entry in enumerate(read.value):
            for name in entry.concepts:
                self.known("concept", name, read, (index, "concepts"))

    def concept(self, entry: ConceptEntry, misconceptions: Mapping[str, Misconception]) -> ConceptContent:
        files = self.files.concepts[entry.id]
        if files.front.value.concept != entry.id:
            self.faults.append(files.front.fault(("concept",), f"this lesson is in the folder of {entry.id!r}"))
        plans = self.plans(files.pictures.value, files.pictures, ())
        steps = self.steps(entry.id, files, misconceptions)
        pieces = {
            section: tuple(self.piece(piece, entry.id, files, plans, steps.get(piece.id)) for piece in texts)
            for section, texts in files.lesson.sections.items()
        }
        self.check_dialogue(entry.id, files)
        self.check_tasks(entry, files)
        return ConceptContent(
            id=entry.id,
            title=entry.title,
            summary=entry.summary,
            also=entry.also,
            can=entry.can or "",
            tasks=entry.tasks,
            shown_by=entry.shown_by,
            standards=self.standards(entry),
            level=entry.level,
            minutes=files.front.value.minutes or entry.minutes,
            goal=entry.goal,
            retired=entry.retired,
            requires=entry.requires,
            encompasses=entry.encompasses,
            pieces={level: pieces[f"explain.{level}"] for level in LEVELS},
            examples=pieces["example"],
            templates=tuple(self.templates(entry.id, files, misconceptions)),
            milestones=tuple(self.milestones(entry.id, files)),
            answers=tuple(self.answers(entry.id, files, plans)),
            wordings=self.wordings(entry.id, files.wordings),
        )

    def standards(self, entry: ConceptEntry) -> tuple[str, ...]:
        """Return the concept's codes; codes of standards that the course does not name are a fault."""
        if entry.standards and not self.files.course.value.standards:
            path: NodePath = ("concepts", self.files.graph.value.concepts.index(entry), "standards")
            self.faults.append(self.files.graph.fault(path, "course.yaml does not say whose standards these are"))
        return entry.standards

    def check_tasks(self, entry: ConceptEntry, files: ConceptFiles) -> None:
        """Note tasks that are shown by something the concept does not have."""
        graph = self.files.graph
        path: NodePath = ("concepts", [each.id for each in graph.value.concepts].index(entry.id), "shown_by")
        if len(entry.shown_by) > len(entry.tasks):
            self.faults.append(graph.fault(path, "there are more lists than tasks"))
        read = (files.items.value, files.steps.value, files.milestones.value)
        own = {each.id for entries in read for each in entries}
        for index, names in enumerate(entry.shown_by):
            for name in names:
                if name not in own:
                    self.faults.append(
                        graph.fault((*path, index), f"{entry.id} has no exercise, step or milestone {name!r}")
                    )

    def wordings(self, concept: str, read: ParsedFile[ConceptWordingsEntry]) -> ConceptWordings:
        entry = read.value
        for name, replies in entry.replies.items():
            if not self.places.has(("piece", concept, name)):
                self.faults.append(read.fault(("replies", name), f"lesson.md has no piece {name!r}"))
            for shown in replies.wrong.keys() - {OTHER}:
                self.known("misconception", shown, read, ("replies", name, "wrong", shown))
        own = {milestone.id for milestone in self.files.concepts[concept].milestones.value}
        for name in entry.milestones.keys() - own:
            self.faults.append(read.fault(("milestones", name), f"milestones.yaml has no milestone {name!r}"))
        for part in ("misconceptions", "contrasts"):
            for name in getattr(entry, part):
                self.known("misconception", name, read, (part, name))
        return build_wordings(entry)

    def piece(
        self, piece: PieceText, concept: str, files: ConceptFiles, plans: Plans, step: Template | None
    ) -> LessonPiece:
        file = files.lesson.front.file
        self.places.put_line(("piece", concept, piece.id), file=file, line=piece.line)
        blocks = self.blocks(piece.text, plans=plans, file=file, first_line=piece.first_line)
        heard = files.dialogue.value.pieces.get(piece.id, PieceEntry())
        return LessonPiece(
            id=piece.id,
            blocks=blocks,
            question=step.stem if step is not None else _question(blocks),
            step=step,
            ideas=build_ideas(heard.ideas),
            heard=heard.heard,
            not_yet=heard.not_yet,
        )

    def plans(self, entries: Mapping[str, AnyPictureEntry], read: ParsedFile[object], path: NodePath) -> Plans:
        """Return the plans of pictures that can be drawn; others are None, with their fault recorded."""
        plans: dict[str, PicturePlan | None] = {}
        for name, entry in entries.items():
            plans[name] = build_picture_plan(entry, self.drawings)
            try:
                if file := missing_drawing(entry, self.drawings):
                    raise PictureError(f"there is no file assets/{file}")
                draw_plan(build_picture_plan(entry, self.drawings), {})
            except ValueError as error:
                plans[name] = None
                self.faults.append(read.fault((*path, name), f"picture {name!r}: {error}"))
        return plans

    def blocks(self, text: str, *, plans: Plans, file: str, first_line: int) -> Blocks:
        blocks: list[str | Picture] = []
        for block in split_blocks(text):
            if isinstance(block, str):
                blocks.append(block)
            elif (drawn := self.used(block, plans=plans, file=file, line=first_line + block.line)) is not None:
                blocks.append(drawn)
        return tuple(blocks)

    def used(self, use: PictureUse, *, plans: Plans, file: str, line: int) -> Picture | None:
        if use.name not in plans:
            self.faults.append(Fault(file=file, line=line, reason=f"there is no picture {use.name!r}"))
        plan = plans.get(use.name)
        return draw_plan(plan, {}, alt=use.alt) if plan is not None else None

    def check_dialogue(self, concept: str, files: ConceptFiles) -> None:
        for name in files.dialogue.value.pieces:
            if not self.places.has(("piece", concept, name)):
                self.faults.append(files.dialogue.fault(("pieces", name), f"lesson.md has no piece {name!r}"))

    def steps(
        self, concept: str, files: ConceptFiles, misconceptions: Mapping[str, Misconception]
    ) -> dict[str, Template]:
        """Return the exercises that pieces ask, by the piece's id."""
        built: dict[str, Template] = {}
        known = {piece.id for texts in files.lesson.sections.values() for piece in texts}
        for index, entry in enumerate(files.steps.value):
            if entry.piece not in known:
                self.faults.append(files.steps.fault((index, "piece"), f"lesson.md has no piece {entry.piece!r}"))
            elif entry.piece in built:
                self.faults.append(files.steps.fault((index, "piece"), f"{entry.piece!r} has a step already"))
            own = entry.model_copy(update={"concept": entry.concept or concept})
            template = self.template(own, index, concept, files.steps, files, misconceptions)
            if template is not None:
                built[entry.piece] = template
        return built

    def templates(
        self, concept: str, files: ConceptFiles, misconceptions: Mapping[str, Misconception]
    ) -> list[Template]:
        for index, entry in enumerate(files.items.value):
            for place, name in enumerate(entry.after):
                if not self.places.has(("piece", concept, name)):
                    fault = files.items.fault((index, "after", place), f"lesson.md has no piece {name!r}")
                    self.faults.append(fault)
        built = (
            self.template(entry, index, concept, files.items, files, misconceptions)
            for index, entry in enumerate(files.items.value)
        )
        return [each for each in built if each is not None]

    def template(
        self,
        entry: TemplateEntry,
        index: int,
        concept: str,
        read: ParsedFile[Any],
        files: ConceptFiles,
        misconceptions: Mapping[str, Misconception],
    ) -> Template | None:
        """Return the template of an entry; None for one with faults, which are recorded."""
        self.place(("template", entry.id), read, (index,))
        if entry.concept != concept:
            self.faults.append(read.fault((index, "concept"), f"this file belongs to {concept!r}"))
        builder = TemplateBuilder(
            entry=entry,
            pictures=files.pictures.value,
            misconceptions=misconceptions,
            drawings=self.drawings,
            is_small=self.files.course.value.small,
        )
        problems = list(builder.problems())
        self.faults.extend(read.fault((index, *path), reason) for path, reason in problems)
        return None if problems else builder.built()

    def milestones(self, concept: str, files: ConceptFiles) -> list[Milestone]:
        for index, entry in enumerate(files.milestones.value):
            self.place(("milestone", entry.id), files.milestones, (index,))
            if entry.concept != concept:
                self.faults.append(files.milestones.fault((index, "concept"), f"this file belongs to {concept!r}"))
            for name in entry.contradicts:
                self.known("misconception", name, files.milestones, (index, "contradicts"))
        return [build_milestone(entry) for entry in files.milestones.value]

    def answers(self, concept: str, files: ConceptFiles, plans: Plans) -> list[CourseAnswer]:
        document = files.dialogue.document
        answers: list[CourseAnswer] = []
        for index, entry in enumerate(files.dialogue.value.answers):
            self.places.put(("answer", concept, str(index)), document, ("answers", index))
            drawn: Picture | None = None
            if entry.picture is not None:
                use, line = PictureUse(alt="", name=entry.picture, line=0), document.line(("answers", index, "picture"))
                drawn = self.used(use, plans=plans, file=document.file, line=line)
            answers.append(CourseAnswer(asks=entry.asks, says=entry.says, picture=drawn, draws_asked=entry.draws_asked))
        for index, question in enumerate(files.questions.value):
            self.places.put(("answer", concept, str(len(answers))), files.questions.document, (index,))
            answers.append(CourseAnswer(wordings=question.asked, says=question.says))
        return answers

    def misconceptions(self) -> dict[str, Misconception]:
        read = self.files.misconceptions
        for index, entry in enumerate(read.value):
            self.place(("misconception", entry.id), read, (index,))
            self.check_malrule(entry, index)
        return {entry.id: self.misconception(entry, index) for index, entry in enumerate(read.value)}

    def misconception(self, entry: MisconceptionEntry, index: int) -> Misconception:
        rule = entry.malrule
        return Misconception(
            id=entry.id,
            kind=entry.kind,
            says=entry.says,
            description=entry.description,
            correct_idea=entry.correct_idea,
            noticed=entry.noticed,
            right_of_equal_parts=entry.right_of_equal_parts,
            contrast=self.contrast(entry, index),
            malrule=build_malrule(rule) if rule is not None else None,
            utterances=entry.utterances,
            examples=tuple(WrongAnswer(question=each.question, answer=each.answer) for each in entry.examples),
            base_rate=entry.base_rate,
            concepts=entry.concepts,
        )

    def check_malrule(self, entry: MisconceptionEntry, index: int) -> None:
        for expression in filter(None, (entry.malrule.when, entry.malrule.answer) if entry.malrule else ()):
            try:
                check_names(expression, _AnyName())
            except ExpressionError as error:
                self.faults.append(self.files.misconceptions.fault((index, "malrule"), str(error)))

    def contrast(self, misconception: MisconceptionEntry, index: int) -> ContrastCase:
        entry = misconception.contrast
        read, path = self.files.misconceptions, (index, "contrast")
        if entry is None:
            if not self.files.course.value.small:
                self.faults.append(read.fault((index,), "contrast: is missing"))
            return plain_contrast(says=misconception.says, correct_idea=misconception.correct_idea)
        plans = self.plans(entry.pictures, read, (*path, "pictures"))
        first_line = read.document.text_line((*path, "blocks"))
        blocks = self.blocks(entry.blocks, plans=plans, file=read.document.file, first_line=first_line)
        return ContrastCase(
            blocks=blocks,
            question=_question(blocks),
            right=entry.choices.right if entry.choices is not None else "",
            wrong=entry.choices.wrong if entry.choices is not None else (),
            ideas=build_ideas(entry.ideas),
            heard=entry.heard,
            not_yet=entry.not_yet,
        )


class _AnyName:
    """Check a malrule's syntax; its names are checked with each exercise that lists it."""

    def __contains__(self, _: object) -> bool:
        return True


def _question(blocks: Blocks) -> str:
    texts = [block for block in blocks if isinstance(block, str)]
    return last_sentence(texts[-1]) if texts else ""


def build_malrule(entry: MalruleEntry) -> Malrule:
    return Malrule(answer=entry.answer, when=entry.when)


def build_milestone(entry: MilestoneEntry) -> Milestone:
    """Return a milestone as in its file; references are not resolved."""
    return Milestone(
        id=entry.id,
        concept=entry.concept,
        title=entry.title,
        ask=entry.ask,
        triggers=entry.triggers,
        ideas=build_ideas(entry.ideas),
        wordings=tuple(_wordings(entry)),
        contradicts=entry.contradicts,
        apply=ApplicationRule(items=entry.apply.items, unassisted=entry.apply.unassisted),
    )


def build_wordings(entry: ConceptWordingsEntry) -> ConceptWordings:
    """Return labelled wordings as in their file; ids are not resolved."""
    return ConceptWordings(
        replies={
            name: LabelledReplies(right=each.right, partly=each.partly or (), wrong=dict(each.wrong), model=each.model)
            for name, each in entry.replies.items()
        },
        contrasts={
            name: LabelledReplies(
                right=each.right, partly=each.partly or (), wrong={name: each.wrong}, model=each.model
            )
            for name, each in entry.contrasts.items()
        },
        milestones={name: _sayings(each) for name, each in entry.milestones.items()},
        misconceptions={name: _sayings(each) for name, each in entry.misconceptions.items()},
    )


def _sayings(entry: SayingsEntry) -> LabelledSayings:
    return LabelledSayings(sayings=entry.sayings, against=entry.against or ())


def _key(files: CourseFiles, concepts: Sequence[ConceptContent], misconceptions: Mapping[str, Misconception]) -> str:
    """Return a hash of labelled wordings and the questions they reply to; empty without wordings."""
    sayings, requests = files.sayings.value, files.requests.value
    wordings = [concept.wordings for concept in concepts]
    if not sayings and all(each == ConceptWordings() for each in wordings):
        return ""
    frequent = [(each.wordings, each.says) for concept in concepts for each in concept.answers if each.wordings]
    pieces = [(*concept.pieces.values(), concept.examples) for concept in concepts]
    asked = [(piece.id, piece.question, piece.ideas) for each in pieces for some in each for piece in some]
    milestones = [(each.id, each.ask, each.title, each.ideas) for concept in concepts for each in concept.milestones]
    contrasts = [(each.id, each.contrast.question, each.contrast.ideas) for each in misconceptions.values()]
    return sha256(repr((sayings, requests, frequent, wordings, asked, milestones, contrasts)).encode()).hexdigest()


def _wordings(entry: MilestoneEntry) -> Iterator[Wordings]:
    """Yield the wordings of each idea, with its name first; nothing without wordings."""
    for idea in entry.ideas if entry.wordings else ():
        given = entry.wordings[idea.called]
        yield Wordings(said=(idea.called, *given.said), against=given.against)
