"""Answers to questions about the system: fixed ones by topic, and those from the record."""

import re
from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from tutoring.courses.catalogue import ConceptContent
from tutoring.courses.exercises.construction_texts import board_text
from tutoring.courses.pictures import Picture
from tutoring.lesson.facts import LessonFacts, LobbyFacts
from tutoring.mastery import knowledge_tracing
from tutoring.mastery.knowledge_tracing import MINIMUM_UNASSISTED, is_mastered
from tutoring.output_checks.answer_disclosure import discloses_answer
from tutoring.roles.explanation.system_answer_texts import SYSTEM_ANSWERS
from tutoring.roles.wording import phrases, renderer
from tutoring.understanding.parsing.commands import ONLY_WHY

type Facts = LessonFacts | LobbyFacts
type Wordings = Sequence[str]

ANSWERS_NEEDED = 3
"""Below this many answers, no score is said."""
ABILITIES: Final[Wordings] = (
    gettext_noop(
        "I can explain a topic step by step, show worked examples, ask you questions, check calculations and plan what "
        "comes next. Ask me anything about the topic, or say “quiz me,” “show me an example” or “what’s next?”"
    ),
    gettext_noop(
        "I explain a topic in small steps, check your answers and do calculations. You can say “quiz me,” "
        "“show me an example” or “what’s next?”, or ask about anything in the lesson."
    ),
)
UNANSWERED: Final[Wordings] = (
    gettext_noop(
        "I don’t have an answer to that. I can tell you why I ask a question, how your answers count, who can read "
        "this conversation and what comes next."
    ),
    gettext_noop("I don’t know that. You can ask me about the topic, what comes next, or how you’re doing."),
)


ON_CARD: Final = {
    "shade": gettext_noop(
        "Tap or click a part to shade it, and again to clear it. Or type how many parts you’d shade."
    ),
    "cut": gettext_noop("Add or remove cuts with the buttons, and drag a cut to move it."),
    "place": gettext_noop("Drag the point along the line, or tap where it belongs. Or type the number."),
    "build": gettext_noop("Press a piece to put it in the frame. The button with its name takes it out again."),
    "share": gettext_noop("Press the buttons to give parts to each person or take them back."),
    "combine": gettext_noop(
        "With minus and plus, choose how many parts both bars are cut into. Then set the number of parts in the result."
    ),
    "point": gettext_noop("Drag the point to its place on the grid, or tap the place."),
    "line": gettext_noop("Drag the two points. The line always goes through both."),
    "balance": gettext_noop("Use the buttons below the scale to take things away or share, until one x is alone."),
    "choice": gettext_noop("Tap or click your answer, then press Check. Or type its letter."),
    "multi": gettext_noop("Tap or click every answer that fits, then press Check. Or type their letters."),
    "order": gettext_noop("Put the rows in order on the card, then press Check. Or type them in order."),
    "match": gettext_noop("Choose what belongs to each row on the card, then press Check."),
}
"""How to answer on the card, by the kind of exercise."""
TYPED_ON_CARD: Final = gettext_noop(
    "Type your answer into the box on the card, then press Check. You can also write it here."
)
LONGEST_SAID: Final = 60
"""Characters up to which an answer is repeated in a sentence. Chosen by hand."""
# "why is that not right".
_DENIES_RIGHT: Final = re.compile(r"\b(?:not|n'?t|nt) (?:right|correct|true|it)\b|\bwrong\b", re.IGNORECASE)
_WHY: Final = re.compile(r"\b(?:why|how come)\b", re.IGNORECASE)
_ONLY_WHY: Final = re.compile(ONLY_WHY, re.IGNORECASE)
# "are you a robot?", unlike "are you a person or a machine?".
_ASKS_PROGRAM: Final = re.compile(
    r"^(?!.*\b(?:or|person|human|real|who|what)\b).*\b(?:robot|bot|ai|computer|program|machine)\b",
    re.IGNORECASE | re.DOTALL,
)
FOLLOWING: Final[Wordings] = (
    gettext_noop(
        "After *%(concept)s*, *%(next)s* could come next. If you have a goal, tell me and I’ll plan your path."
    ),
    gettext_noop("The lesson after *%(concept)s* is *%(next)s*. That can change if you tell me your goal."),
    gettext_noop("*%(next)s* comes next. You can also choose any other lesson, or finish *%(concept)s* first."),
)


def system_reply(facts: Facts) -> str:
    """Return the answer to a question about the system, from the record; what to ask instead if there is none."""
    at_card = isinstance(facts, LessonFacts) and facts.open_instance is not None
    return known_answer(facts) or renderer.pick_wording(phrases.ANSWERLESS_AT_CARD if at_card else UNANSWERED, facts)


def known_answer(facts: Facts) -> str:
    """Return what the record says to a question about the system; empty if it says nothing."""
    asked = facts.served.commands
    topic, concept = facts.served.about, facts.concept.title if isinstance(facts, LessonFacts) else ""
    if facts.said_from_record:
        return facts.said_from_record
    if topic == "skipping" and facts.served.topic:
        return skipping_reply(facts)
    if isinstance(facts, LessonFacts):
        match topic:
            case "done":
                return mastery_reply(facts)
            case "verdict":
                return last_answer_reply(facts)
            case "picture":
                return picture_reply(facts)
            case "operate" | "unanswered" if facts.open_instance is not None:
                how = _(ON_CARD.get(facts.open_instance.kind, TYPED_ON_CARD))
                return how if topic == "operate" else f"{_('I can tell you as soon as you’ve answered.')} {how}"
            case "next" if facts.next_concept is not None:
                return following_words(facts.concept, facts.next_concept, facts)
            case "use" if facts.concept.can:
                return use_reply(facts)
            case "repeat":
                return repeated_question(facts)
            case "shorter":
                return shorter_reply(facts)
    if not concept and f"{topic} without lesson" in SYSTEM_ANSWERS:
        topic = f"{topic} without lesson"
    if topic in SYSTEM_ANSWERS:
        return renderer.pick_wording(SYSTEM_ANSWERS[topic], facts, concept=concept)
    if "robot" in asked:
        said = _("I’m a program, not a person. I explain things, ask you questions and check your answers.")
        return f"{_('Yes.')} {said}" if _ASKS_PROGRAM.search(facts.text) else said
    if "how_mastered" in asked and isinstance(facts, LessonFacts):
        return mastery_reply(facts)
    if "who_sees" in asked:
        return _(
            "You can see everything here, and so can the people who run this site. If you’re in a class, your "
            "teacher can see your results. Your class page says what else teachers can see."
        )
    if "graded" in asked:
        return _(
            "There are no grades like the ones in school. Right answers without help move you forward. Other answers "
            "show me what to explain."
        )
    if "why_asked" in asked and isinstance(facts, LessonFacts):
        return purpose_reply(facts)
    return renderer.pick_wording(ABILITIES, facts) if "abilities" in asked else ""


def purpose_reply(facts: LessonFacts) -> str:
    """Return why the last answer was right or wrong, to "why" or while it is talked about; else why the question is asked."""
    answer = facts.last_answer
    if answer is not None and (
        answer.is_open or facts.lesson.contrast or (answer.solution and _ONLY_WHY.match(facts.text))
    ):
        return last_answer_reply(facts)
    said = _(
        "I want to see whether you can use what you learned in *%(concept)s*, not just repeat it. Your answers "
        "decide what comes next."
    )
    return said % {"concept": facts.concept.title}


def repeated_question(facts: LessonFacts) -> str:
    """Return the open question read out, with its answers to choose from."""
    asked = facts.open_instance
    if asked is None:
        case, piece = facts.misconception(facts.lesson.contrast), facts.piece(facts.lesson.piece)
        words = case.contrast.question if case is not None else piece.question if piece is not None else ""
        return renderer.capitalize_sentence(words) or _("There is no open question right now.")
    choices = [f"{each.letter}: {each.text}" for each in asked.choices if each.text]
    return " ".join((asked.stem, *(each if each[-1] in ".!?" else f"{each}." for each in choices)))


def shorter_reply(facts: LessonFacts) -> str:
    """Return in one sentence the idea that the open question is about, or that of the lesson."""
    asked = facts.open_instance
    behind = [each for ids in asked.wrong.values() for each in ids] if asked is not None else []
    own = [each.id for each in facts.course.misconceptions.values() if facts.concept.id in each.concepts]
    for known in map(facts.misconception, dict.fromkeys((*behind, *own))):
        if known is not None and is_sayable(known.correct_idea, facts):
            return _("In one sentence: %(idea)s") % {"idea": known.correct_idea}
    return _("Here is what this lesson is about: %(summary)s") % {"summary": facts.concept.summary}


def is_sayable(sentence: str, facts: LessonFacts) -> bool:
    """Tell whether a sentence is new in the last turns and gives no open answer away."""
    asked = facts.open_instance
    is_safe = asked is None or not discloses_answer(sentence, asked, [*facts.said_before, facts.text])
    return is_safe and not renderer.was_told(sentence, facts)


def use_reply(facts: LessonFacts) -> str:
    """Return what the concept lets one do, and what it has to do with the learner's goal."""
    names = {"concept": facts.concept.title, "can": facts.concept.can}
    goals = [each.title for each in facts.path.goals] if facts.path is not None else []
    if facts.concept.title in goals:
        return _("*%(concept)s* is your goal. Once you’ve mastered it, you can %(can)s.") % names
    if goals:
        said = _("*%(concept)s* is a step on the way to *%(goal)s*. Once you’ve mastered it, you can %(can)s.")
        return said % (names | {"goal": goals[0]})
    said = _(
        "That depends on what you want to do. Once you’ve mastered *%(concept)s*, you can %(can)s. If you don’t need that, tell me your "
        "goal, and I’ll plan the shortest way there."
    )
    return said % names


def skipping_reply(facts: Facts) -> str:
    """Return that a lesson can be left out, and where."""
    course_id, _slash, concept_id = facts.served.topic.partition("/")
    courses = (facts.course,) if isinstance(facts, LessonFacts) else facts.courses
    titles = {each.id: each.title for course in courses if course.id == course_id for each in course.concepts}
    if concept_id not in titles:
        return renderer.pick_wording(SYSTEM_ANSWERS["skipping"], facts)
    said = _(
        "Yes, you can skip *%(concept)s*. If it’s on [your path](%(url)s), you can put it aside there. If "
        "something isn’t clear later, come back to it."
    )
    return said % {"concept": titles[concept_id], "url": f"/learn/{course_id}/path/#step-{concept_id}"}


def mastery_reply(facts: LessonFacts) -> str:
    """Return which answers the mastery of a concept is based on, with a link to them."""
    concept = next((each for each in facts.course.concepts if each.id == facts.served.topic), facts.concept)
    own = facts.beliefs.get(concept.id)
    names = {"concept": concept.title, "url": f"/progress/{facts.course.id}/{concept.id}/"}
    if own is None or own.answers < ANSWERS_NEEDED:
        return (
            _(
                "I don’t know that yet, because you haven’t answered enough questions on *%(concept)s*. [See your "
                "answers](%(url)s)."
            )
            % names
        )
    answers = ngettext("%(count)d answer", "%(count)d answers", own.answers) % {"count": own.answers}
    names |= {
        "answers": answers,
        "score": f"{knowledge_tracing.mastery_score(own.probability):.0%}",
        "goal": f"{facts.threshold:.0%}",
    }
    if is_mastered(own, threshold=facts.threshold, skill=facts.skill(concept.id)):
        shown = (
            gettext_noop(
                "I looked at your %(answers)s on *%(concept)s*. They give you a score of %(score)s. A topic counts "
                "as mastered at %(goal)s. [See your answers](%(url)s)."
            ),
            gettext_noop(
                "You’ve mastered *%(concept)s*: your %(answers)s give you a score of %(score)s, and you only need "
                "%(goal)s. [See your answers](%(url)s)."
            ),
        )
        return renderer.pick_wording(shown, facts, **names)
    if knowledge_tracing.mastery_score(own.probability) >= facts.threshold:
        lacks = (
            _("But you need at least %(least)d answers without help.") % {"least": MINIMUM_UNASSISTED}
            if own.unassisted < MINIMUM_UNASSISTED
            else _("But all of them were on the same kind of question, and you need one more kind.")
        )
        said = _(
            "You’re nearly there. Your %(answers)s on *%(concept)s* give you a score of %(score)s, and %(goal)s is "
            "enough. %(lacks)s [See your answers](%(url)s)."
        )
        return said % (names | {"lacks": lacks})
    said = _(
        "You’re not there yet. Your %(answers)s on *%(concept)s* give you a score of %(score)s. A topic counts as "
        "mastered at %(goal)s. [See your answers](%(url)s)."
    )
    return said % names


def last_answer_reply(facts: LessonFacts) -> str:
    """Return why the last answer was right or not; nothing is given away about an open question."""
    answer = facts.last_answer
    if answer is None:
        return _("You haven’t answered any questions yet.")
    given = answer.answer
    # A choice's letter is said as the card shows it; a program is too long to be said.
    is_short = len(given) <= LONGEST_SAID and "\n" not in given
    names = {"answer": (given.upper() if len(given) == 1 else given) or _("“I don’t know”")}
    # A program or what it prints is a block of its own.
    between = "\n\n" if any("```" in line for line in answer.solution) else " "
    solved = between.join(each if each[-1:] in ".!?:`" else f"{each}." for each in answer.solution)
    if answer.correct:
        told = _("Your last answer, %(answer)s, was right.") % names if is_short else _("Your last answer was right.")
        denied = _("Nothing is marked wrong here.") if _DENIES_RIGHT.search(facts.text) else ""
        reason = solved if _WHY.search(facts.text) else ""
        return between.join(filter(None, (denied, told, reason)))
    behind = next(filter(None, map(facts.misconception, answer.matched)), None)
    reasons = (behind.noticed, behind.correct_idea) if behind is not None else ()
    # Beside the answer's card the reason is read already: then the idea that holds is said, or nothing.
    noticed = next((each for each in reasons if each and is_sayable(each, facts)), "")
    if answer.is_open:
        wrong = (
            _("Your last answer, %(answer)s, isn’t right.") % names if is_short else _("Your last answer isn’t right.")
        )
        told = renderer.unless_told(wrong, facts)
        case = (
            _("My example shows why. How would you answer the question in it?")
            if facts.lesson.contrast and not noticed
            else ""
        )
        helps = "" if case else renderer.pick_wording(OPEN_AFTER_ANSWER, facts)
        return " ".join(filter(None, (told, noticed, case, helps)))
    told = _("Your last answer, %(answer)s, wasn’t right.") % names if is_short else _("Your last answer wasn’t right.")
    return between.join(
        filter(None, (told, noticed, _("This is how to solve it: %(solution)s") % {"solution": solved}))
    )


def following_words(concept: ConceptContent, following: ConceptContent | None, facts: renderer.Spoken) -> str:
    """Return what could come after a concept, for a learner without a goal; empty if nothing is left."""
    if following is None:
        return ""
    return renderer.pick_wording(FOLLOWING, facts, concept=concept.title, next=following.title)


def picture_reply(facts: LessonFacts) -> str:
    """Return in words what the pictures of the open question show."""
    exercise = facts.open_instance
    shown = [each.alt for each in (*exercise.lead, exercise.picture) if isinstance(each, Picture)] if exercise else []
    if exercise is not None and exercise.board is not None:
        shown.append(board_text(exercise.board))
    if shown:
        return _("The picture shows this: %(pictures)s.") % {"pictures": ". ".join(each.rstrip(".") for each in shown)}
    return _("There is no picture here right now. Ask me about the question, or say “show me an example” to see one.")


OPEN_AFTER_ANSWER: Final[Wordings] = (
    gettext_noop("You can try it again, or say “I’m stuck” and I’ll show you one like it."),
    gettext_noop("Look at the question once more. If you need help, press “I’m stuck”."),
    gettext_noop("The question is still open, so you can change your answer. Press “I’m stuck” to see one like it."),
)
