"""The counters of the scripted learners find what is wrong, and leave alone what is not."""

from dataclasses import replace

import pytest

from drills.scripted_learners import counters, limits, report
from drills.scripted_learners.exchange import Exchange
from drills.scripted_learners.report import Played
from drills.scripted_learners.scripts import Line, Script, read_script, read_scripts

QUESTION = {
    "kind": "question",
    "id": "q",
    "text": "Look at the bar.\n\n*Picture: A bar*\n\n**Question.** Which is more?\n\n- A: this\n- B: that",
}

CHOICES = {"kind": "replies", "id": "r", "text": "", "options": ["A: this", "B: that", "A hint, please"]}


def graded_card(feedback):
    return QUESTION | {"state": "open", "text": f"{QUESTION['text']}\n\n*Your answer:* B\n\n**Not yet.**\n\n{feedback}"}


def exchange(text, reply="", *, kind="chat", about="", number=1, **more):
    line = Line(text=text, kind=kind, about=about)
    return Exchange(number=number, line=line, reply=reply, shown=reply, **{"has_open_card": True, **more})


def found(counter, *exchanges):
    return [why for _, why in counter(exchanges)]


@pytest.mark.parametrize(
    "given",
    [
        exchange("B", kind="card", reply="Write down whatever you’re sure of. Where would you start?"),
        exchange("what is a half?", kind="ask", about="two", reply="Ask me anything."),
        exchange("what is a half?", kind="ask", about="two", reply="I didn’t quite get that."),
        exchange("hint please", kind="want", reply="Look once more."),
        exchange("they match", kind="claim", reply="Which of these is closest to what you mean?"),
        exchange("hint please", kind="want", cards=[QUESTION | {"again": True}]),
        exchange("my dog died", kind="feel", reply="Which of the bars is longer, and why do you think so?"),
        exchange("sup"),
    ],
)
def test_nothing_of_substance_is_a_bounce(given):
    assert found(counters.bounced, given)


@pytest.mark.parametrize(
    "given",
    [
        exchange("B", kind="card", graded=1),
        exchange("what is a half?", kind="ask", about="two", reply="One of two."),
        exchange("what is a half?", kind="ask", about="two", reply="I didn’t get that. Answer the card, or ask again."),
        exchange("hint please", kind="want", hints=["Look at the bars."]),
        exchange("they match", kind="claim", reply="Which of these is closest to what you mean?", cards=[CHOICES]),
        exchange("quiz me", kind="want", cards=[QUESTION]),
        exchange("my dog died", kind="feel", reply="I am sorry about your dog."),
        exchange("sup", reply="Hello, good to see you."),
        exchange("half of 10 is 5", kind="claim", reply="Yes, that’s true.", analysis={"claims": [{"holds": True}]}),
    ],
)
def test_substance_is_no_bounce(given):
    assert not found(counters.bounced, given)


def test_sentence_is_repeated_within_ten_turns_only():
    first = exchange("hi", "Your question is still open.")
    assert found(counters.repeated, first, replace(first, number=10))
    assert not found(counters.repeated, first, replace(first, number=11))
    assert not found(counters.repeated, replace(first, reply="Not yet."), replace(first, reply="Not yet.", number=2))


def test_question_that_is_shown_again_is_no_repetition():
    first = exchange("quiz me", cards=[QUESTION])
    assert not found(counters.repeated, first, replace(first, number=2, cards=[QUESTION | {"again": True}]))
    assert found(counters.repeated, first, replace(first, number=2))


def test_feedback_on_a_card_is_a_sentence_of_the_tutor():
    first = exchange("B", kind="card", graded=1, changed=[graded_card("Count all the parts.")])
    assert found(counters.repeated, first, replace(first, number=2)) == ["said in turn 1 already: Count all the parts."]


def test_dead_end_has_nothing_to_do_next():
    stuck = exchange("ok", "Good.", has_open_card=False)
    assert found(counters.dead_ends, stuck)
    replies = {"kind": "replies", "id": "r", "text": "", "options": ["Let’s start"]}
    for more in (
        {"has_open_card": True},
        {"cards": [replies]},
        {"reply": "Say “quiz me” to go on."},
        {"page_action": "Go on"},
    ):
        assert not found(counters.dead_ends, replace(stuck, **more))


def test_verdict_on_words_that_nothing_judged():
    praised = exchange("because there are two", "Right. You counted the parts.", kind="claim")
    assert found(counters.unjudged, praised) == ["a verdict on words that nothing judged: Right."]
    assert not found(counters.unjudged, replace(praised, graded=1))
    assert not found(counters.unjudged, replace(praised, analysis={"ideas": [["equal", 0.9]]}))
    assert not found(counters.unjudged, replace(praised, reply="Right now we look at halves."))
    assert not found(
        counters.unjudged, exchange("are you a robot?", "Yes, I’m a program.", kind="ask", about="program")
    )


def test_question_that_is_not_referred_to_is_unanswered():
    asked = exchange("how do you know i mastered it?", "Guess the size first.", kind="ask", about="answers")
    assert found(counters.unanswered, asked)
    assert not found(counters.unanswered, replace(asked, reply="You gave five right answers."))


def test_own_words_in_the_reply_do_not_refer_to_the_question():
    asked = exchange(
        "why is it called a half?", "I have nothing on “why is it called a half”.", kind="ask", about="half"
    )
    assert found(counters.unanswered, asked)


def test_question_of_a_new_card_answers_no_question():
    asked = exchange("is this more?", kind="ask", about="more", cards=[QUESTION])
    assert found(counters.unanswered, asked)


def test_aside_that_is_graded_is_noticed():
    assert found(counters.graded_asides, exchange("i have to eat in 5 minutes", graded=1))
    assert not found(counters.graded_asides, exchange("5", kind="card", graded=1))


def test_turn_that_failed_is_noticed():
    assert found(counters.failed, exchange("hi", status="failed"))
    assert not found(counters.failed, exchange("hi"))


def test_shrug_is_noticed():
    assert found(counters.not_understood, exchange("hm", "I’m not sure what you mean."))
    assert not found(counters.not_understood, exchange("hm", "Take your time."))


def script(name="ann", right=1.0):
    return Script(
        name=name, who="", age_band="adult", surface="api", right=right, wrong="known", worded=(), go_on=(), parts=()
    )


def played(number, *, right=1.0, exchanges=()):
    return Played(script=script(right=right), exchanges=exchanges, answers_to_mastery={"one-half": number})


def test_median_of_answers_to_mastery_is_of_those_that_answer_rightly():
    assert report.mastery_median([played(5), played(9), played(None), played(1, right=0.5)]) == 9
    assert report.mastery_median([played(1, right=0.5)]) is None


def test_report_is_above_its_limits():
    fine = played(limits.ANSWERS_TO_MASTERY, exchanges=[exchange("hi", "Hello, good to see you.")])
    assert report.excesses([fine]) == []
    assert report.excesses([played(None)]) == ["answers to mastery inf (at most 9)"]
    assert report.excesses([replace(fine, exchanges=[exchange("hi")])]) == ["bounced 1 (at most 0)"]


def test_report_is_written(tmp_path):
    report.write([played(None, exchanges=[exchange("hi")])], tmp_path)
    assert "bounced" in (tmp_path / "report.txt").read_text()
    assert '"answers_to_mastery": null' in (tmp_path / "report.json").read_text()
    assert "!! bounced" in (tmp_path / "ann.txt").read_text()


def test_scripts_can_be_played():
    assert len(read_scripts()) >= 12
    assert {each.surface for each in read_scripts()} == {"api", "keyboard", "phone"}


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ([{"chat": "hi"}], "says 1 different things"),
        ([{"ask": "why?"}], "does not say what a reply"),
        ([{"sing": "la"}], "no kind of message"),
    ],
)
def test_script_that_cannot_be_played_is_refused(parts, why):
    with pytest.raises(ValueError, match=why):
        read_script("ann", {"who": "", "right": 1, "go_on": ["next"], "parts": parts})
