"""The lesson background for a model, beside its role's prompt: lesson state, what is open, what must not be said."""

from collections.abc import Iterator

from tutoring.courses.catalogue import Blocks
from tutoring.courses.exercises.construction_texts import board_text, construction_text
from tutoring.courses.exercises.exercise import Exercise, options_of
from tutoring.courses.exercises.sample_answers import right_answers
from tutoring.courses.pictures import Picture
from tutoring.grading.judges.arrangements import arrangement_text, format_assignments
from tutoring.grading.keys import (
    ChoiceKey,
    ConstructionKey,
    ExpressionKey,
    MatchKey,
    MultiKey,
    NumericKey,
    OrderKey,
    SetKey,
    StepsKey,
    TextKey,
)
from tutoring.grading.programs.answer_text import code_block
from tutoring.grading.programs.keys import CodeKey, LinesKey, TraceKey
from tutoring.lesson.facts import LessonFacts, LobbyFacts
from tutoring.mastery.misconception_evidence import SUSPECTED
from tutoring.side_agents import instructions

LEVEL_DESCRIPTIONS = {
    "beginner": "new to this: short words, something to hold or to see first",
    "intermediate": "knows some of it: build on that",
    "advanced": "quick: be brief, ask for reasons",
}

# The answer itself is in no prompt: nobody can talk a model into telling what it was not told.
OPEN_QUESTION_RULE = (
    "The question on the card is open, and its answer is for the learner to find. Do not work it out, and say no number, option or "
    "part of it that is not shown above, in any wording or language, whoever asks for it."
)


def lesson_background(facts: LessonFacts) -> str:
    """Return the lesson state and what was noticed; the conversation itself is in the messages."""
    suspected = tuple(
        (held, misconception.says)
        for held in facts.suspicions.values()
        if (misconception := facts.misconception(held.id)) and held.confidence >= SUSPECTED
    )
    aim = facts.notes.progress.milestone.title if facts.notes.progress.milestone else facts.concept.summary
    told = instructions.turn_instructions(
        facts.notes,
        lesson=tuple(_lines(facts)),
        seen=tuple(_seen(facts)),
        aim=f"{aim.rstrip('.')}.",
        suspected=suspected,
    )
    return told if facts.open_instance is None else f"{told}\n\n{OPEN_QUESTION_RULE}"


def lobby_background(facts: LobbyFacts) -> str:
    """Return the topics that can be learned."""
    titles = [f"{concept.title} ({course.title})" for course in facts.courses for concept in course.concepts]
    return "No lesson is chosen yet. The lessons are: " + "; ".join(titles) + "."


def right_answer_text(instance: Exercise) -> str:
    """Return an exercise's right answer in words."""
    match instance.key:
        case NumericKey(value=value) | ExpressionKey(value=value) | StepsKey(value=value):
            return value
        case SetKey():
            return right_answers(instance)[0]
        case ChoiceKey(right=right, options=options):
            return f"{right}: {dict(options).get(right, '')}"
        case MultiKey(right=letters, options=options):
            return "; ".join(f"{letter}: {dict(options).get(letter, '')}" for letter in sorted(letters))
        case OrderKey(right=letters) as key:
            return arrangement_text(key, " ".join(letters))
        case MatchKey(right=pairs) as key:
            return arrangement_text(key, format_assignments(dict(pairs)))
        case ConstructionKey(board=board):
            return "; ".join(construction_text(board, answer) for answer in right_answers(instance))
        case TraceKey(prints=prints):
            return code_block(prints, language="")
        case CodeKey() | LinesKey():
            return code_block(right_answers(instance)[0])
        case TextKey(references=references, ideas=ideas):
            return "; ".join((*references, *(idea.name for idea in ideas if idea.name)))


def _lines(facts: LessonFacts) -> Iterator[str]:
    yield f"Topic: {facts.concept.title}. {facts.concept.summary}"
    yield f"The learner: {LEVEL_DESCRIPTIONS[facts.level]}."
    if piece := facts.piece(facts.lesson.piece):
        yield f"Asked last, in the lesson: {piece.question}"
        yield from (f"What a good answer to it says: {idea.name}" for idea in piece.ideas if idea.name)
    if contrast := facts.misconception(facts.lesson.contrast):
        yield f"Being tested: the idea “{contrast.says}”. What it should become: {contrast.correct_idea}"
    if facts.answered is not None:
        yield f"The answer just given, {facts.answered.answer!r}, was judged: {facts.answered.verdict}."
        # Asked for if the learner objects to a verdict.
        yield from facts.record
    if facts.mastered:
        yield "The answers show that the topic is mastered."


def _seen(facts: LessonFacts) -> Iterator[str]:
    """Yield what the learner sees that is not in the messages: pictures in words, the card, and its visible hint."""
    piece = facts.piece(facts.lesson.piece)
    if piece is not None and piece.id in facts.lesson.explained:
        yield from _pictures(piece.blocks)
    if facts.asked is None:
        # Next to a question, the case may have been told without what gives the answer away.
        if contrast := facts.misconception(facts.lesson.contrast):
            yield from _pictures(contrast.contrast.blocks)
        return
    instance = facts.asked.instance
    yield f"- {'The question on the card, open' if facts.asked.is_open else 'The question just closed'}: {instance.stem}"
    if instance.picture is not None:
        yield f"- The picture on the card: {instance.picture.alt}"
    if instance.board is not None:
        yield f"- The learner answers by working on a picture: {board_text(instance.board)}"
    yield from (f"- Choice {letter}: {text}" for letter, text in options_of(instance.choices))
    yield from (f"- Row {letter}: {text}" for letter, text in options_of(instance.rows))
    if facts.on_card and facts.hint:
        yield f"- The hint on the card: {facts.hint}"


def _pictures(blocks: Blocks) -> Iterator[str]:
    return (f"- Picture: {block.alt}" for block in blocks if isinstance(block, Picture))
