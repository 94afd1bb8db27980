"""The record for questions about the system: sentences from which a model answers. Reads only."""

from collections.abc import Iterator
from typing import Final

from conversations.library.listing import listed_documents
from tutoring.dialogue.queries import raw_sql
from tutoring.dialogue.queries.turn_rows import TurnRows
from tutoring.lesson.placement import placement_of
from tutoring.lesson.response_plan import Act, ResponsePlan
from tutoring.mastery.knowledge_tracing import HIGHEST_SCORE_THRESHOLD, mastery_score
from tutoring.mastery.records import path_planning
from tutoring.models import Mastery, Question

RECORD_ACTS: Final[frozenset[Act]] = frozenset({"system", "contest"})
"""Acts that are answered from the record."""
NAMED_AT_MOST: Final = 5
"""How many concepts and documents are described."""
ANSWERS_AT_MOST: Final = 2
"""How many answers are described."""
SYSTEM_SENTENCES: Final = (
    "You are a computer program; a language model writes your words. Rules work out what is right and what counts as mastered, from the "
    "answers alone. Nobody sets a mark or a mastery by hand, not even the teacher; the learner can say that one is wrong, and answer more "
    "questions, which change it.",
    "You explain with pictures, show worked examples, ask questions and check the answers, do calculations, plan the path to a goal, and look "
    "things up in the learner's own documents.",
)
SCORE_SENTENCE: Final = (
    "The score is how likely the next answer is to be right. It is not the share of right answers. Because everybody slips now and then, it never "
    f"goes above {HIGHEST_SCORE_THRESHOLD:.0%}, even if all answers are right."
)
PLACEMENT_SENTENCE: Final = (
    "The learner is answering questions that find where to start: this is number %(number)d of up to %(cap)d, and they end as soon as the "
    "place is clear. There are no marks and no hints, and nothing is said about right or wrong before the end; what is known already is "
    "skipped then. “I don’t know” is an answer. “stop” ends them; if they are left for later, they continue where they stopped."
)


def describe_record(rows: TurnRows, served: ResponsePlan) -> tuple[str, ...]:
    """Return what the record says to the message; nothing if it asks for none of it."""
    placing = served.to == "placement" or placement_of(rows.turn.session.state).under_way
    if served.act not in RECORD_ACTS and not placing:
        return ()
    return tuple(_lines(rows, placing=placing))


def describe_readers(person_id: int) -> str:
    """Return in words, said to the person, who can read their conversations."""
    told = [str(each.label) for each in raw_sql.load_conversation_policies(person_id)] or ["You are not in a class."]
    return " ".join(("You, and the people who run this site.", *told))


def _lines(rows: TurnRows, *, placing: bool) -> Iterator[str]:
    yield from SYSTEM_SENTENCES
    yield f"Who can read this conversation, said to the learner: {describe_readers(rows.turn.owner_id)}"
    if placing:
        placement = placement_of(rows.turn.session.state)
        yield PLACEMENT_SENTENCE % {"number": len(placement.answers) + 1, "cap": placement.most}
    if rows.lesson is not None:
        yield from _masteries(rows)
        yield from _path_sentence(rows)
        yield from _last_answers(rows)
    yield from _documents(rows.turn.owner_id)


def _masteries(rows: TurnRows) -> Iterator[str]:
    taught = rows.taught.pk if rows.taught is not None else None
    answered = sorted(
        (each for each in rows.masteries.values() if each.answers), key=lambda one: one.concept_id != taught
    )
    yield from (_mastery(each) for each in answered[:NAMED_AT_MOST])
    if answered:
        yield SCORE_SENTENCE


def _mastery(row: Mastery) -> str:
    score, stands = mastery_score(row.probability), "is mastered" if row.is_mastered else "is not mastered yet"
    answers = f"{row.answers} answers, {row.unassisted} of them without help"
    return f"{row.concept.title} {stands}: a score of {score:.0%} from {answers}; {row.threshold:.0%} is needed."


def _path_sentence(rows: TurnRows) -> Iterator[str]:
    assert rows.lesson is not None
    path = path_planning.plan_path(rows.turn.owner_id, rows.lesson.concept.course)
    lessons = [each for each in path.steps if each.kind != "review"]
    if path.goals and lessons:
        titles = ", ".join(path.course.concept(each.concept).title for each in lessons)
        yield f"The path to the goal: {len(lessons)} lessons ({titles}). How long it takes is not known."


def _last_answers(rows: TurnRows) -> Iterator[str]:
    """Yield how the last answers were judged, without those of a placement."""
    judged = [each for each in rows.answers_here if each.question.purpose != Question.Purpose.PLACEMENT]
    for each in judged[-ANSWERS_AT_MOST:]:
        yield f"An answer on record: {each.question.shown_as_markdown(each.answer)}, judged {'right' if each.correct else 'not right'}."
    if judged:
        yield "The page of the concept shows each answer and what it did to the score; the next right answer raises it."


def _documents(person_id: int) -> Iterator[str]:
    own = listed_documents(person_id).select_related("folder").order_by("-created_at")
    for each in own[:NAMED_AT_MOST]:
        shared = each.folder is not None and each.folder.audience
        who = (
            "others can read it, as the folder is set"
            if shared
            else "no other learner and no teacher can; the people who run the site can read everything"
        )
        came = "sent it with a message, whose conversation it is deleted with," if each.session_id else "put it there"
        yield f"{each} ({each.name}) is in the learner's own library; they {came} on {each.created_at:%A}, and {who}."
