"""Scripted learners: each decides what to do next from what a learner sees, and from what kind of learner it is."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import cycle

from tests.tutoring.lessons.lesson_player import Stage
from tests.tutoring.lessons.replies import CLAIMS, DEMANDS, GOOD_REPLIES, INSIGHTS, MILESTONES, NOTHING_MUCH, QUESTIONS
from tests.tutoring.lessons.rubric import answer_leaks
from tutoring.courses.exercises.sample_answers import answer_with_mistake, right_answers, wrong_answer
from tutoring.lesson.state import LessonState
from tutoring.models import Question

MOST_TURNS = 150


def play(stage: Stage, learner: "Learner", *, most: int = MOST_TURNS) -> Stage:
    """Let the learner take the lesson to its end, or so far as `most` turns lead."""
    stage.open()
    while len(stage.exchanges) < most and not _is_over(stage.standing):
        question = stage.question
        if question is not None and not stage.state.get("quiz_paused"):
            learner.answer(stage, question)
        else:
            learner.reply(stage)
    return stage


def leaks_on_demand(quizzed: Callable[[], Stage], *, turns: int) -> Iterator[str]:
    """Demand the open question's answer in so many turns, with tries between them; yield what gives it away."""
    stage = quizzed()
    for count in range(1, turns + 1):
        if stage.question is None:
            stage = quizzed()
        exchange = stage.check(wrong(stage.question)) if count % 7 == 0 else stage.say(DEMANDS[count % len(DEMANDS)])
        if answer_leaks(stage, exchange):
            yield exchange.reply


def _is_over(standing: LessonState) -> bool:
    """Tell whether nothing is left: the ideas that are still to be said come after mastery."""
    return standing.cycle.is_over and not standing.explaining


def right(question: Question) -> str:
    return right_answers(question.instance())[0]


def solve(stage: Stage) -> None:
    """Answer the open question right, and go on where it is to be explained."""
    assert stage.question is not None
    stage.check(right(stage.question))
    if stage.standing.explaining:
        stage.say("next")


def wrong(question: Question, misconception: str = "") -> str:
    """Return a wrong answer, the misconception's own where the question has one."""
    made = question.instance()
    for answer, behind in made.wrong.items():
        if misconception in behind:
            return answer_with_mistake(made, answer)
    return wrong_answer(made)


@dataclass(kw_only=True)
class Learner:
    """Knows everything."""

    def reply(self, stage: Stage) -> None:
        standing = stage.standing
        idea, piece = MILESTONES.get(standing.explaining, ""), GOOD_REPLIES.get(standing.piece, "")
        stage.say(idea or piece or "next")

    def answer(self, stage: Stage, question: Question) -> None:
        stage.check(right(question))


@dataclass(kw_only=True)
class Misconceived(Learner):
    """Says a wrong idea, sees the case in which it breaks, and knows better from then on."""

    claimed: bool = False

    def reply(self, stage: Stage) -> None:
        if stage.standing.contrast:
            stage.say(INSIGHTS[stage.standing.contrast])
        elif not self.claimed:
            self.claimed = True
            stage.say(CLAIMS[stage.concept.slug][1])
        else:
            super().reply(stage)


@dataclass(kw_only=True)
class WrongInQuiz(Learner):
    """Answers the quiz by a misconception; once a contrast case was shown, replies to it and knows better."""

    convinced: bool = False

    def reply(self, stage: Stage) -> None:
        contrast = stage.standing.contrast
        stage.say(INSIGHTS[contrast]) if contrast else super().reply(stage)

    def answer(self, stage: Stage, question: Question) -> None:
        wrong_ids = [each for ids in question.instance().wrong.values() for each in ids]
        if stage.standing.contrast and not self.convinced:
            self.convinced = True
            self.reply(stage)
        elif self.convinced or not wrong_ids:
            super().answer(stage, question)
        else:
            stage.check(wrong(question, wrong_ids[0]))


@dataclass(kw_only=True)
class Guesser(Learner):
    """Answers by chance, fast, and says little."""

    chance: random.Random = field(default_factory=lambda: random.Random(7))

    def reply(self, stage: Stage) -> None:
        stage.say(self.chance.choice(("ok", "next", "2", "the same", "bigger", "yes", "no", "dunno")))

    def answer(self, stage: Stage, question: Question) -> None:
        made = question.instance()
        if made.board is not None or made.kind in ("order", "match", "set", "steps", "expression"):
            stage.check(wrong_answer(made))
        elif made.choices:
            stage.check(self.chance.choice(made.choices).letter)
        elif made.kind == "text":
            stage.check(self.chance.choice(("equal", "because", "two pieces", "same size")))
        else:
            stage.check(str(self.chance.choice((1, 2, 3, 4, 6, "1/2", "1/3", "1/4"))))


@dataclass(kw_only=True)
class Silent(Learner):
    """Says next to nothing."""

    def __post_init__(self) -> None:
        self.words = cycle(NOTHING_MUCH)

    def reply(self, stage: Stage) -> None:
        stage.say(next(self.words))

    def answer(self, stage: Stage, question: Question) -> None:
        stage.say(next(self.words)) if stage.state.get("quiz_paused") or random.Random(
            len(stage.exchanges)
        ).random() < 0.7 else stage.give_up()


@dataclass(kw_only=True)
class Demander(Learner):
    """Wants the answer, and tries something else now and then."""

    tries: int = 0

    def __post_init__(self) -> None:
        self.demands = cycle(DEMANDS)

    def reply(self, stage: Stage) -> None:
        stage.say(next(self.demands) if len(stage.exchanges) % 3 else "continue")

    def answer(self, stage: Stage, question: Question) -> None:
        self.tries += 1
        if self.tries % 5 == 0:
            stage.check(wrong(question))
        else:
            stage.say(next(self.demands))


@dataclass(kw_only=True)
class Questioner(Learner):
    """Knows everything, and asks in the middle of the quiz."""

    asked: int = 0

    def reply(self, stage: Stage) -> None:
        if stage.state.get("quiz_paused"):
            stage.say("continue")
        else:
            super().reply(stage)

    def answer(self, stage: Stage, question: Question) -> None:
        if self.asked < question.number:
            self.asked = question.number
            stage.say(QUESTIONS[stage.concept.slug])
        else:
            super().answer(stage, question)


@dataclass(kw_only=True)
class NeverLearns(Learner):
    """Is wrong every time, and tries once; then does not know."""

    def answer(self, stage: Stage, question: Question) -> None:
        stage.give_up() if question.attempts.exists() else stage.check(wrong(question))


@dataclass(kw_only=True)
class Wavering(Learner):
    """Says a wrong idea, answers by one, slips, and does not know: each now and then, and is right in the end."""

    claimed: bool = False
    answered: int = 0

    def reply(self, stage: Stage) -> None:
        contrast = stage.standing.contrast
        if contrast in INSIGHTS:
            stage.say(INSIGHTS[contrast])
        elif not self.claimed and stage.concept.slug in CLAIMS and len(stage.exchanges) > 1:
            self.claimed = True
            stage.say(CLAIMS[stage.concept.slug][1])
        elif stage.standing.explaining and len(stage.exchanges) % 3 == 0:
            stage.say("because it is the same")
        else:
            super().reply(stage)

    def answer(self, stage: Stage, question: Question) -> None:
        tries = question.attempts.count()
        if stage.standing.contrast:
            self.reply(stage)
        elif tries == 0:
            self.answered += 1
            self.first_answer(stage, question)
        elif tries == 1 and self.answered % 4 == 2:
            stage.say("i dont know")
            super().answer(stage, question) if stage.question == question else None
        else:
            super().answer(stage, question)

    def first_answer(self, stage: Stage, question: Question) -> None:
        behind = [each for ids in question.instance().wrong.values() for each in ids]
        match self.answered % 4:
            case 1 if behind:
                stage.check(wrong(question, behind[0]))
            case 2:
                stage.say("997" if question.kind == "numeric" else "hint please")
                super().answer(stage, question) if stage.question == question and question.kind != "numeric" else None
            case 3 if self.answered % 8 == 3:
                stage.give_up()
            case _:
                super().answer(stage, question)


LEARNERS = {
    "knows_all": Learner,
    "misconceived": Misconceived,
    "wrong_in_quiz": WrongInQuiz,
    "guesser": Guesser,
    "silent": Silent,
    "demander": Demander,
    "questioner": Questioner,
    "never_learns": NeverLearns,
    "wavering": Wavering,
}
