"""What follows from a message: every intent in every state, and the table of what a lesson's replies come to."""

from dataclasses import replace
from typing import Any

import pytest

from tutoring.courses.hint_ladder import WORKED_RUNG
from tutoring.dialogue.allowed_moves import find_allowed_moves
from tutoring.dialogue.decision_rules import decide
from tutoring.dialogue.situation import DialogueState, OpenCard
from tutoring.lesson.cycle import LearningCycle
from tutoring.lesson.placement import Placement
from tutoring.lesson.response_plan import (
    CONVERSATIONAL_ACTS,
    DEFAULT_RESPONSE,
    AbandonQuestion,
    BeginLesson,
    Decision,
    DisownTopic,
    GiveEarnedHint,
    GiveUp,
    LeaveDetour,
    LeaveQuiz,
    NoteConcern,
    NoteExplanation,
    NoteMilestones,
    NoteMisconceptions,
    NotePractice,
    PauseQuiz,
    RecordAnswer,
    SetGoal,
    SwitchConcept,
    TakeHint,
    response_from_json,
    response_to_json,
)
from tutoring.lesson.state import LessonState
from tutoring.understanding.message_analysis import (
    INTENTS,
    AnswerGiven,
    ArithmeticClaim,
    ConcernSignal,
    Evidence,
    Intent,
    MessageAnalysis,
    NamedTopic,
    QuestionAsked,
)

QUESTION = OpenCard(id="q", kind="numeric", hints_used=0)
LESSON = DialogueState(
    place="lesson",
    course="fractions",
    concept="one-half",
    own_concept="one-half",
    misconceptions_here=frozenset({"any_two"}),
)
EXPLAINING = replace(LESSON, lesson=LessonState(piece="p", explained=("p",)), waits_for="p")
QUIZ = replace(LESSON, lesson=LessonState(cycle=LearningCycle(state="quiz_active")), question=QUESTION)
STATES: dict[str, DialogueState] = {
    "lobby": DialogueState(),
    "placement": replace(LESSON, place="placement", placement=Placement(topic="one-half"), question=QUESTION),
    "before": LESSON,
    "explaining": EXPLAINING,
    "case": replace(EXPLAINING, lesson=replace(EXPLAINING.lesson, contrast="any_two"), waits_for="any_two"),
    "quiz": QUIZ,
    "paused": replace(QUIZ, lesson=LessonState(cycle=LearningCycle(state="quiz_active", paused=True))),
    "case in the quiz": replace(
        QUIZ, lesson=LessonState(cycle=LearningCycle(state="quiz_active"), contrast="any_two"), waits_for="any_two"
    ),
    "detour": replace(
        LESSON,
        concept="equal-parts",
        lesson=LessonState(cycle=LearningCycle(detour="equal-parts"), piece="p", explained=("p",)),
        waits_for="p",
    ),
    "quiz left": replace(EXPLAINING, lesson=replace(EXPLAINING.lesson, quiz_left=True, piece=""), waits_for=""),
    "finished": replace(
        LESSON,
        lesson=LessonState(cycle=LearningCycle(state="mastered")),
        next_concept="unit-fractions",
        last_agent="pathplanner",
    ),
}
IN_LESSONS = tuple(name for name, state in STATES.items() if state.place == "lesson")
OTHER = NamedTopic(course="fractions", concept="equivalent", quote="equivalent fractions")
PERSONAL: tuple[Intent, ...] = (
    "greeting", "thanks", "small_talk", "emotion_negative", "emotion_positive", "insult", "nonsense", "question_meta",
)  # fmt: skip


def said(*intents: Intent, **fields: Any) -> MessageAnalysis:
    return MessageAnalysis(intents=tuple((each, 0.9) for each in intents), **fields)


def kinds(decision: Decision) -> set[type]:
    return {type(each) for each in decision.effects}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("intent", INTENTS)
def test_every_intent_works_in_every_state(intent: Intent, state: str) -> None:
    here = STATES[state]
    decision = decide(here, said(intent))
    assert (
        decision.served.to
        in {
            "lobby": ("lobby", "path", "offers"),
            "placement": ("placement", "beside_placement"),
            "lesson": ("lesson", "path", "feedback", "nobody"),
        }[here.place]
    )
    assert decision.served.act or decision.served.to == "placement"
    assert response_from_json(response_to_json(decision.served)) == decision.served
    # Nothing is graded, moved or granted on the strength of an intent alone.
    assert not kinds(decision) & {
        RecordAnswer,
        SwitchConcept,
        BeginLesson,
        NoteMilestones,
        NoteMisconceptions,
        NotePractice,
    }


@pytest.mark.parametrize("state", STATES)
def test_danger_comes_first_everywhere(state: str) -> None:
    concern = ConcernSignal(kind="harm_to_self", confidence=0.9)
    decision = decide(STATES[state], said("answer", concern=concern, answers=(right("q"),)))
    assert decision.served.to == "care"
    assert decision.effects == (NoteConcern(concern=concern),)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("intent", PERSONAL)
def test_feelings_and_questions_about_the_system_are_no_tries(intent: Intent, state: str) -> None:
    decision = decide(STATES[state], said(intent))
    assert decision.effects == ()
    assert decision.served.to in ("lobby", "beside_placement", "lesson")
    assert decision.served.act in CONVERSATIONAL_ACTS | {"greeting"}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("intent", ["change_topic", "goal"])
def test_another_topic_is_gone_to_from_everywhere(intent: Intent, state: str) -> None:
    decision = decide(STATES[state], said(intent, names=(OTHER,)))
    gone_to = decision.served.to == "new_topic" and decision.served.topic == "fractions/equivalent"
    assert gone_to or kinds(decision) & {SwitchConcept, BeginLesson}
    assert not gone_to or kinds(decision) <= {PauseQuiz}


@pytest.mark.parametrize("state", IN_LESSONS)
def test_what_no_course_has_is_said_and_the_place_is_kept(state: str) -> None:
    served = decide(STATES[state], said("change_topic", is_other_subject=True)).served
    assert (served.to, served.elsewhere, served.unknown_topic) == ("path", True, True)


def right(to: str, value: str = "1/2") -> AnswerGiven:
    return AnswerGiven(to=to, value=value, verdict="right", confidence=1.0)


def judged(to: str, verdict: Any) -> AnswerGiven:
    return AnswerGiven(to=to, value="words", verdict=verdict, confidence=0.9)


@pytest.mark.parametrize("state", ["placement", "quiz", "paused", "case in the quiz"])
@pytest.mark.parametrize("verdict", ["right", "wrong"])
def test_an_answer_to_the_open_card_is_recorded(state: str, verdict: str) -> None:
    answer = replace(judged("q", verdict), value="3/4")
    assert RecordAnswer(value="3/4") in decide(STATES[state], said("answer", answers=(answer,))).effects


@pytest.mark.parametrize(
    ("verdict", "act"), [("right", "idea_said"), ("partly", "idea_partly"), ("wrong", "wrong"), ("none", "unjudged")]
)
def test_open_words_are_replied_to_by_their_verdict(verdict: str, act: str) -> None:
    assert decide(EXPLAINING, said("idea", answers=(judged("p", verdict),))).served.act == act


def test_a_wrong_idea_is_taken_up_with_its_words_and_a_right_reply_is_none() -> None:
    evidence = Evidence(id="any_two", probability=0.9, quote="two pieces are halves")
    decision = decide(EXPLAINING, said("idea", misconceptions=(evidence,), answers=(judged("p", "wrong"),)))
    assert (decision.served.act, decision.served.misconception) == ("misconception", "any_two")
    assert decision.served.quote == evidence.quote
    assert NoteMisconceptions(found=(evidence,)) in decision.effects
    assert decide(EXPLAINING, said("idea", answers=(right("p"),))).served.act == "idea_said"


def test_a_misconception_of_another_lesson_is_not_weighed_here() -> None:
    evidence = Evidence(id="elsewhere", probability=0.9, quote="…")
    assert NoteMisconceptions not in kinds(decide(EXPLAINING, said("idea", misconceptions=(evidence,))))


def test_a_right_reply_to_a_case_is_kept_as_an_explanation() -> None:
    decision = decide(STATES["case"], said("idea", answers=(right("any_two", "the big one"),)))
    assert NoteExplanation(misconception="any_two", quote="the big one") in decision.effects


def test_a_late_right_answer_is_welcomed() -> None:
    decision = decide(EXPLAINING, said("answer", answers=(right("earlier"),)))
    assert decision.served.act == "late_right"


def test_a_claim_in_numbers_is_checked_where_nothing_else_was_understood() -> None:
    claim = ArithmeticClaim(text="1/8 is bigger", statement="1/8 > 1/4", holds=False)
    served = decide(EXPLAINING, said("idea", claims=(claim,))).served
    assert (served.act, served.statement, served.holds) == ("claim", "1/8 > 1/4", False)


def test_a_wrong_answer_is_told_which_of_its_steps_is_wrong() -> None:
    slip = ArithmeticClaim(text="3 times 5 is 16", statement="3 × 5 = 16", holds=False)
    decision = decide(QUIZ, said("answer", answers=(judged("q", "wrong"),), claims=(slip,)))
    assert decision.served.statement == "3 × 5 = 16"


def test_the_nearest_sentence_is_quoted_only_to_what_nothing_else_answers() -> None:
    unread = said("idea", nearest_sentence="Equal parts are the same size.")
    assert decide(QUIZ, unread).served.sentence == "Equal parts are the same size."
    assert not decide(QUIZ, replace(unread, read_by="model")).served.sentence
    assert not decide(QUIZ, replace(unread, nearest_choices=("A", "B"))).served.sentence
    assert not decide(EXPLAINING, replace(unread, answers=(judged("piece", "none"),))).served.sentence


def test_milestones_are_kept_as_evidence_alone() -> None:
    found = (Evidence(id="m", probability=0.9, quote="half is two equal parts"),)
    assert NoteMilestones(found=found) in decide(EXPLAINING, said("idea", milestones=found)).effects
    assert NoteMilestones(found=found) not in decide(EXPLAINING, said("question_content", milestones=found)).effects


@pytest.mark.parametrize(
    ("hints", "asked_before", "intent", "expected"),
    [
        (0, 0, "ask_answer", TakeHint(tried=True)),
        (1, 1, "ask_answer", TakeHint(tried=True, rung=WORKED_RUNG)),
        (WORKED_RUNG, 2, "ask_answer", GiveUp()),
        (0, 0, "dont_know", TakeHint(tried=True)),
        (2, 1, "dont_know", TakeHint(tried=True, rung=WORKED_RUNG)),
        (WORKED_RUNG, 2, "dont_know", GiveUp()),
        (0, 0, "ask_hint", TakeHint(tried=True)),
    ],
)
def test_help_climbs_to_a_worked_twin_and_then_the_solution(
    hints: int, asked_before: int, intent: Intent, expected: Any
) -> None:
    here = replace(
        QUIZ, question=replace(QUESTION, hints_used=hints), lesson=replace(QUIZ.lesson, demands=asked_before)
    )
    assert expected in decide(here, said(intent)).effects


def test_stuck_is_shown_a_worked_twin_at_once() -> None:
    assert TakeHint(tried=True, rung=WORKED_RUNG) in decide(QUIZ, said("ask_hint", commands=("stuck",))).effects


def test_only_words_that_say_so_leave_a_step() -> None:
    """However sure the classifier is that the learner wants to go on: "hmm" and "ok" are no wish to leave it."""
    step = replace(EXPLAINING, question=replace(QUESTION, is_step=True))
    assert AbandonQuestion() not in decide(step, said("go_on")).effects
    assert AbandonQuestion() not in decide(step, said("go_on", commands=("agree",))).effects
    assert AbandonQuestion() in decide(step, said("go_on", commands=("agree", "leave_step"))).effects


def test_a_question_is_skipped_and_a_quiz_is_left() -> None:
    assert decide(QUIZ, said("go_on", commands=("skip",))).effects == (AbandonQuestion(),)
    assert decide(QUIZ, said("pause_or_stop", commands=("leave_quiz",))).effects == (LeaveQuiz(),)


@pytest.mark.parametrize(
    "intent", ["ask_hint", "ask_answer", "ask_example", "plan", "progress", "ask_quiz", "pause_or_stop"]
)
def test_a_placement_answers_every_wish(intent: Intent) -> None:
    served = decide(STATES["placement"], said(intent)).served
    assert (served.to, bool(served.wish)) == ("placement", True)


@pytest.mark.parametrize("intent", ["dont_know", "go_on"])
def test_not_knowing_is_an_answer_in_a_placement(intent: Intent) -> None:
    commands = ("skip",) if intent == "go_on" else ()
    assert decide(STATES["placement"], said(intent, commands=commands)).effects == (GiveUp(),)  # type: ignore[arg-type]


def test_the_next_step_begins_where_the_learner_agrees() -> None:
    decision = decide(STATES["finished"], said("go_on", commands=("agree",)))
    assert decision.effects == (SwitchConcept(course="fractions", concept="unit-fractions"),)


def test_a_detour_is_left_by_a_word_and_where_it_is_gone() -> None:
    assert LeaveDetour() in decide(STATES["detour"], said("resume", commands=("back",))).effects
    assert LeaveDetour() in decide(replace(STATES["detour"], detour_is_gone=True), said("go_on")).effects


def test_a_named_lesson_begins_unless_it_is_worth_placing() -> None:
    named = said("goal", names=(OTHER,))
    assert decide(DialogueState(), named).effects == (BeginLesson(course="fractions", concept="equivalent"), SetGoal())
    placed = decide(DialogueState(worth_placing=frozenset({"fractions/equivalent"})), named)
    assert (placed.served.to, placed.effects) == ("new_topic", ())


def test_several_that_may_be_meant_are_offered() -> None:
    names = tuple(
        NamedTopic(course="fractions", concept=each, quote="adding", is_sure=False)
        for each in ("add-like", "add-unlike")
    )
    served = decide(DialogueState(), said("goal", names=names)).served
    assert (served.to, served.offered) == ("offers", ("fractions/add-like", "fractions/add-unlike"))


def test_a_turn_without_words_is_as_usual_and_an_answer_earns_its_hint() -> None:
    assert decide(replace(EXPLAINING, kind="open"), None).served == DEFAULT_RESPONSE
    assert decide(replace(QUIZ, kind="answer"), None).effects == (GiveEarnedHint(),)


class TestMoveOfAModel:
    """The move that a connected model chose counts where the act is open, with the effects of what it comes to."""

    def test_question_in_the_quiz_is_answered_and_costs_no_hint(self) -> None:
        assert kinds(decide(QUIZ, said("idea"))) == {TakeHint}
        chosen = decide(QUIZ, said("idea"), move="answer_question")
        assert (chosen.served.act, chosen.served.move, chosen.effects) == ("question", "answer_question", ())

    @pytest.mark.parametrize("move", ["hint", "go_on", "meet_person"])
    def test_what_is_decided_stands(self, move: str) -> None:
        right = said("answer", answers=(AnswerGiven(to="p", value="yes", verdict="right", confidence=1.0),))
        assert decide(EXPLAINING, right, move=move) == decide(EXPLAINING, right)
        assert decide(EXPLAINING, said("small_talk"), move="meet_person") == decide(EXPLAINING, said("small_talk"))

    def test_rest_of_a_placement_can_wait(self) -> None:
        stops = said("pause_or_stop")
        placement = STATES["placement"]
        assert decide(placement, stops).served.wish == "pause"
        assert decide(placement, stops, move="pause").served.wish == "pause"
        assert decide(placement, stops, move="go_on").served.wish == "stop"
        assert decide(placement, said("pause_or_stop", commands=("stop_placement",))).served.wish == "stop"

    def test_lesson_that_needs_no_placement_begins_at_once(self) -> None:
        wants = said("change_topic", names=(OTHER,))
        placement = replace(STATES["placement"], worth_placing=frozenset({"fractions/equivalent"}))
        assert decide(placement, wants).served.to == "new_topic"
        assert kinds(decide(STATES["placement"], wants)) == {SwitchConcept}

    @pytest.mark.parametrize("state", STATES)
    @pytest.mark.parametrize("intent", INTENTS)
    def test_three_to_five_are_offered(self, intent: Intent, state: str) -> None:
        analysis = said(intent)
        moves = find_allowed_moves(STATES[state], analysis, decide(STATES[state], analysis))
        assert 3 <= len({each.id for each in moves}) == len(moves) <= 5


def test_case_that_is_before_the_learner_is_not_shown_again() -> None:
    again = said("idea", misconceptions=(Evidence(id="any_two", probability=0.9, quote="two is two"),))
    assert decide(EXPLAINING, again).served.act == "misconception"
    assert decide(STATES["case"], again).served.act == "wrong"


def test_answer_with_a_wish_to_stop_is_recorded_and_stops() -> None:
    both = said("answer", "pause_or_stop", answers=(AnswerGiven(to="q", value="3/4", verdict="right", confidence=1.0),))
    decision = decide(QUIZ, both)
    assert (decision.served.wish, kinds(decision)) == ("stop", {RecordAnswer})


@pytest.mark.parametrize("state", ["quiz", "case", "explaining"])
def test_an_unsure_message_of_somebody_fed_up_is_met_as_a_feeling(state: str) -> None:
    fed_up = said("change_topic", is_unsure=True, mood="frustrated", mood_probability=0.9)
    assert decide(STATES[state], fed_up).served.act == "feeling"
    served = decide(STATES[state], replace(fed_up, mood_probability=0.4)).served
    assert (served.act, served.about) != ("feeling", "")


@pytest.mark.parametrize(("state", "about"), [("quiz", "unanswered"), ("explaining", "verdict")])
def test_who_asks_if_it_is_right_and_says_no_answer_hears_how_to_give_one(state: str, about: str) -> None:
    served = decide(STATES[state], said("question_content", commands=("asks_verdict",))).served
    assert (served.act, served.about) == ("system", about)


def test_wish_to_stop_comes_before_a_question_that_nobody_can_answer() -> None:
    """ "can we stop, will you remember this?" """
    both = said("pause_or_stop", "question_meta", asks=QuestionAsked(text="will you remember this", probability=0.7))
    assert decide(QUIZ, both).served.act == "goodbye"


def test_an_answer_that_is_asked_about_is_not_graded() -> None:
    decision = decide(QUIZ, said("answer", answers=(right("q", "b"),), commands=("ventured",)))
    assert (decision.served.act, decision.served.quote, decision.effects) == ("ventured", "B", ())


@pytest.mark.parametrize("state", IN_LESSONS)
def test_a_topic_of_the_system_is_answered_whatever_else_the_message_may_want(state: str) -> None:
    served = decide(STATES[state], said("off_topic", "plan", system_topic="cost")).served
    assert (served.to, served.act, served.about) == ("lesson", "system", "cost")


@pytest.mark.parametrize("state", ["quiz", "explaining"])
def test_a_message_that_is_nothing_but_another_topic_goes_there(state: str) -> None:
    alone = replace(OTHER, is_all=True)
    assert decide(STATES[state], said("idea", names=(alone,))).served.to in ("new_topic", "path")


@pytest.mark.parametrize(("state", "to"), [("lobby", "lobby"), ("placement", "beside_placement"), ("quiz", "lesson")])
def test_request_for_own_files_is_no_answer_and_changes_nothing(state: str, to: str) -> None:
    asks = MessageAnalysis(intents=(("goal", 0.9),), commands=("own_files",))
    decision = decide(STATES[state], asks, move="go_on")
    assert (decision.served.to, decision.served.act, decision.effects) == (to, "question", ())


def test_answer_with_words_about_files_is_an_answer() -> None:
    given = AnswerGiven(to="q", value="1/2", verdict="wrong", confidence=1.0)
    said = MessageAnalysis(intents=(("answer", 0.99),), commands=("own_files",), answers=(given,))
    assert decide(QUIZ, said).effects == (RecordAnswer(value="1/2"),)


def test_question_what_comes_next_pauses_a_quiz_and_leads_to_the_path() -> None:
    decision = decide(STATES["quiz"], said("plan", system_topic="next"))
    assert decision.served.to == "path"
    assert decision.effects == (PauseQuiz(),)


def test_question_what_comes_next_stays_with_a_placement() -> None:
    served = decide(STATES["placement"], said("plan", system_topic="next")).served
    assert (served.to, served.wish) == ("placement", "path")


@pytest.mark.parametrize(
    ("state", "concept", "commands", "is_disowned"),
    [
        (LESSON, "equal-parts", ("unknown",), True),
        (QUIZ, "equal-parts", ("unknown",), True),
        (LESSON, "several-parts", ("unknown",), False),
        (LESSON, "equal-parts", (), False),
        (STATES["placement"], "equal-parts", ("unknown",), False),
        (DialogueState(), "equal-parts", ("unknown",), False),
    ],
)
def test_topic_that_only_the_placement_says_is_known_is_disowned_by_name(
    state: DialogueState, concept: str, commands: tuple[str, ...], is_disowned: bool
) -> None:
    known = replace(state, taken_as_known=frozenset({"equal-parts"}))
    named = NamedTopic(course="fractions", concept=concept, quote=concept)
    analysis = MessageAnalysis(intents=(("disagree", 0.9),), names=(named,), commands=commands)
    decision = decide(known, analysis)
    found = [each for each in decision.effects if isinstance(each, DisownTopic)]
    assert (found == [DisownTopic(course="fractions", concept="equal-parts")]) is is_disowned
    assert (decision.served.disowned == "fractions/equal-parts") is is_disowned
    assert (PauseQuiz() in decision.effects) is (is_disowned and state.in_quiz)


def test_wish_for_the_next_one_begins_the_next_concept_after_mastery() -> None:
    wish = said("go_on", commands=("leave_step",))
    assert decide(STATES["finished"], wish).effects == (SwitchConcept(course="fractions", concept="unit-fractions"),)


@pytest.mark.parametrize(
    ("question", "act"),
    [("why is the sky blue", "question"), ("do you like this", "question"), ("is it because one is bigger?", "other")],
)
def test_open_question_that_nothing_answers_is_no_try(question: str, act: str) -> None:
    asked = said("question_content", is_unsure=True, asks=QuestionAsked(text=question))
    assert decide(EXPLAINING, asked).served.act == act


@pytest.mark.parametrize(("act_of", "wish"), [("idea", "idea"), ("nonsense", "")])
def test_idea_beside_a_placement_is_noted_and_not_judged(act_of: Intent, wish: str) -> None:
    placing = replace(STATES["placement"], misconceptions_here=frozenset({"any_two"}))
    found = (Evidence(id="any_two", probability=0.9, quote="two is two"),) if wish else ()
    decision = decide(placing, said(act_of, misconceptions=found))
    assert (decision.served.wish, decision.effects) == (wish, ())


@pytest.mark.parametrize(
    ("intent", "commands", "goes_on"),
    [("go_on", ("leave_step",), True), ("plan", ("leave_step",), False), ("pause_or_stop", ("leave_step",), False)],
)
def test_only_a_wish_to_go_on_begins_the_next_concept(intent: Intent, commands: tuple[str, ...], goes_on: bool) -> None:
    effects = decide(STATES["finished"], said(intent, commands=commands)).effects
    assert any(isinstance(each, SwitchConcept) for each in effects) is goes_on


def test_question_about_the_purpose_is_no_try_at_the_reason() -> None:
    assert decide(EXPLAINING, said("idea", commands=("why_asked",))).served.act == "question"


def test_unsure_joy_is_met_as_joy() -> None:
    assert decide(QUIZ, said("emotion_positive", is_unsure=True)).served.act == "joy"


def test_easier_question_at_a_step_is_an_example_like_it() -> None:
    step = replace(EXPLAINING, question=replace(QUESTION, is_step=True))
    assert decide(step, said("ask_quiz", commands=("simplify",))).served.act == "example"


@pytest.mark.parametrize(("state", "act"), [("quiz", "skip"), ("paused", "go_on")])
def test_wish_for_the_next_question_leaves_the_open_one_of_a_quiz(state: str, act: str) -> None:
    assert decide(STATES[state], said("go_on", commands=("agree", "leave_step"))).served.act == act


def test_who_does_not_get_it_is_helped_before_another_try() -> None:
    decision = decide(QUIZ, said("ask_hint", commands=("unknown",)))
    assert (decision.served.act, TakeHint(tried=True) in decision.effects) == ("does_not_know", True)


def test_who_asks_whether_they_are_dumb_is_comforted_and_shown_no_figures() -> None:
    served = decide(STATES["explaining"], said("progress", commands=("self_blame",))).served
    assert (served.to, served.act) == ("lesson", "feeling")


def test_an_unjudged_reply_does_not_hide_a_wish_for_something_easier() -> None:
    unjudged = AnswerGiven(to="p", value="easier", verdict="none", confidence=0.5)
    wish = said("ask_quiz", commands=("simplify",), is_unsure=True, answers=(unjudged,))
    assert decide(EXPLAINING, wish).served.act == "example"
    assert decide(EXPLAINING, replace(wish, answers=(replace(unjudged, verdict="right"),))).served.act == "idea_said"


def test_a_good_feeling_beside_a_bad_one_is_met_as_both() -> None:
    served = decide(EXPLAINING, said("emotion_negative", commands=("hates_subject", "eased"))).served
    assert (served.act, served.about) == ("joy", "mixed")


def test_a_fear_that_is_over_is_met_as_both_even_in_small_talk() -> None:
    served = decide(EXPLAINING, said("small_talk", commands=("afraid", "eased"))).served
    assert (served.act, served.about) == ("joy", "mixed")


def test_an_unsure_feeling_is_met_without_a_valence() -> None:
    served = decide(QUIZ, said("emotion_negative", is_unsure=True)).served
    assert (served.act, served.about) == ("joy", "mixed")
    low = decide(QUIZ, said("emotion_negative", is_unsure=True, mood="sad", mood_probability=0.9)).served
    assert low.act == "feeling"


def test_a_sigh_is_no_reply_to_the_open_prompt() -> None:
    assert decide(EXPLAINING, said("answer", mood="bored", mood_probability=0.9)).served.act == "feeling"
    assert decide(EXPLAINING, said("answer", mood="bored", mood_probability=0.5)).served.act == "unjudged"


def test_words_near_an_idea_are_compared_with_it_wherever_the_lesson_stands() -> None:
    for state in (QUIZ, STATES["finished"]):
        served = decide(state, said("idea", nearest_idea="any_two")).served
        assert (served.act, served.nearest) == ("unjudged", "any_two")


def test_a_tick_counts_only_after_a_comparison() -> None:
    weighing = replace(QUIZ, lesson=replace(QUIZ.lesson, weighing=True))
    ticked = said("disagree", commands=("not_quite",))
    assert decide(weighing, ticked).served.act == "compared"
    assert decide(QUIZ, ticked).served.act != "compared"


def test_a_false_sum_in_a_placement_is_checked_even_if_it_shows_an_idea() -> None:
    claim = ArithmeticClaim(text="1/2 + 1/3 = 2/5", statement="1/2 + 1/3 = 2/5", holds=False)
    shown = (Evidence(id="any_two", probability=0.9, quote="1/2 + 1/3 = 2/5"),)
    served = decide(STATES["placement"], said("idea", claims=(claim,), misconceptions=shown)).served
    assert (served.to, served.act) == ("beside_placement", "claim")


def test_button_with_what_holds_counts_also_when_pressed_later() -> None:
    assert decide(QUIZ, said("idea", commands=("meant_same",))).served.act == "compared"


def test_who_names_nothing_else_is_asked_what_they_want_and_stays() -> None:
    served = decide(QUIZ, said("change_topic")).served
    assert (served.to, served.act, served.about) == ("lesson", "feeling", "other_wish")
    assert decide(QUIZ, said("change_topic", commands=("elsewhere",))).served.to == "path"
    assert decide(QUIZ, said("change_topic", is_other_subject=True)).served.to == "path"


def test_milestone_in_words_beside_a_card_is_taken_as_the_idea() -> None:
    shown = (Evidence(id="m", probability=0.9, quote="every patient is different"),)
    served = decide(QUIZ, said("idea", milestones=shown)).served
    assert (served.act, served.quote) == ("idea_said", "every patient is different")


def test_remark_on_a_result_is_no_reply_to_the_question_that_is_not_shown_yet() -> None:
    unseen = replace(QUIZ, question=replace(QUESTION, is_unseen=True))
    served = decide(unseen, said("idea")).served
    assert (served.act, served.about) == ("small_talk", "result")
    assert decide(QUIZ, said("idea")).served.about != "result"
    assert decide(unseen, said("small_talk")).served.about != "result"


def test_calculation_is_checked_whatever_choice_it_resembles_and_a_comparison_may_be_a_choice() -> None:
    for statement, offered in (("1/2 of 8 = 4", ()), ("8 > 4", ("8 is more", "4 is more"))):
        claim = ArithmeticClaim(text="it is so", statement=statement, holds=True)
        analysis = said("idea", claims=(claim,), nearest_choices=("8 is more", "4 is more"))
        served = decide(QUIZ, analysis).served
        assert (served.act, served.choices) == ("claim", offered)


@pytest.mark.parametrize("intent", ["answer", "idea"])
def test_true_sentence_on_a_result_is_checked_and_leads_to_no_question(intent: Intent) -> None:
    unseen = replace(QUIZ, question=replace(QUESTION, is_unseen=True))
    claim = ArithmeticClaim(text="1/10 is smaller than 1/9", statement="1/10 < 1/9", holds=True)
    served = decide(unseen, said(intent, claims=(claim,))).served
    assert (served.act, served.about, served.statement) == ("claim", "result", "1/10 < 1/9")


@pytest.mark.parametrize(("asked", "to"), [("how does chatgpt work", "offers"), ("which model are you", "lobby")])
def test_question_for_a_lesson_is_not_taken_for_one_about_this_program(asked: str, to: str) -> None:
    named = NamedTopic(course="networks", concept="attention", quote=asked, is_sure=True)
    question = QuestionAsked(text=asked)
    message = said("question_meta", asks=question, names=(named,), system_topic="which_model")
    assert decide(STATES["lobby"], message).served.to == to
