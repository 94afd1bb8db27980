"""The tutor's phrases: templates in the learner's language, several for each move and for what stands between them.

A phrase has a place for what the learner said or answered where it can use it, at most one question, no exclamation
mark, and at most sixty words; where a course's hint asks already, the phrase around it does not.
"""

from collections.abc import Mapping

from django.utils.translation import gettext_noop as _

from tutoring.lesson.moves import MoveId

FALLBACK = _("Try one small step first, and tell me what you get.")

FALLBACKS: Mapping[MoveId, str] = {
    "focus_step": _("Read the question once more, slowly. What does it ask you to compare or to count?"),
    "hint_principle": _("Think back to the lesson: which idea of it does this question need?"),
    "hint_substep": _("Make the question smaller. Which part of it can you answer already?"),
    "worked_twin": _("Make up a question like this one with smaller numbers. How would you do that one?"),
    "contrast_case": _("Try it on a case you can draw. Does it still hold there?"),
    "decline_answer": _("The answer stays yours to find. What is the first thing you can say for certain?"),
    "probe_reasoning": _("How did you get there?"),
}

RESUME_OFFERS: tuple[str, ...] = (
    _("Your question is still here. Answer it whenever you like."),
    _("Your quiz is still open. Here is the question you were on."),
    _("We stopped at this question. Answer it, or ask me something else."),
)

NEXT_OFFERS: tuple[str, ...] = (
    _("Say “continue” when you are ready for the next question."),
    _("Whenever you are ready, say “continue” for the next question."),
)

SKIPPED: tuple[str, ...] = (
    _("Skipped. Here is another one."),
    _("No problem, we skip that one."),
)

OFF_TOPIC: tuple[str, ...] = (
    _("That is outside of what I can help with here."),
    _("I only teach, so that one is for somebody else."),
)

IDEA_LEFT_OPEN: tuple[str, ...] = (
    _("That is fine. You can come back to it another day."),
    _("No problem. It stays on your list."),
)

IDEA_SHOWN: tuple[str, ...] = (
    _("Here is one way to say it: “%(sentence)s” Let us use that."),
    _("This is how I would put it: “%(sentence)s” Now to the next step."),
    _("One good answer is: “%(sentence)s” Keep it in mind for the next step."),
)
"""After two tries, with a right answer to the question of a piece."""

MOVE_ON_OFFERS: tuple[str, ...] = (
    _("We will come back to this in the questions. Here is the next step."),
    _("The next step may make it clearer."),
)
"""The same, where the course has no wording of a right answer."""

SMALLER_STEP: tuple[str, ...] = (
    _("This one is a big step. Here is a smaller one first."),
    _("There is a lot in this at once. Let us take a smaller piece of it."),
    _("This one is tricky. Here is something like it, worked out."),
)

NO_MORE_EXAMPLES: tuple[str, ...] = (
    _("No example is left here that you have not seen. So this is an exercise, worked out."),
    _("You have seen every example I have here. This is an exercise instead, worked out."),
)

OTHER_PICTURE: tuple[str, ...] = (
    _("Words only go so far here. This is the same thing in another picture."),
    _("Let us look at it from another side."),
)

FURTHER_ON: tuple[str, ...] = (
    _("You may have this already. Here is one from further on: if it goes well, we move ahead."),
    _("We can go faster. One from further on, to see whether all of this is needed."),
)

TELLS_APART: tuple[str, ...] = (
    _("More than one thought could be behind that. A question will tell which."),
    _("I can read that in two ways. A question shows which of them you mean."),
)

EARLIER_IDEA: tuple[str, ...] = (
    _("Before we go on: something you said a moment ago is worth a try on a case."),
    _("One thing you said earlier stays with me. Let us see how it holds here."),
)

BACK_TO_QUESTION: tuple[str, ...] = (
    _("Now back to your question, with that in mind."),
    _("Keep that in mind, and look at your question once more."),
    _("With that, here is your question again."),
)

TWINS: tuple[str, ...] = (
    _("Here is one like it, with other numbers. It is only for trying the way once yourself."),
    _("Now one of the same kind is yours. It counts for nothing but the practice."),
    _("The same again with other numbers, so that the way becomes yours."),
)

PARTLY_EXPLAINED: tuple[str, ...] = (
    _("You have part of the reason. We come back to the rest."),
    _("That is one half of the reason. The other half comes up again later."),
)

LEFT_UNEXPLAINED: tuple[str, ...] = (
    _("No problem. The answer was right, so we go on."),
    _("That is fine. We come back to the reason later."),
)

OWN_REASONS: tuple[str, ...] = (
    _("Thank you. I cannot judge every way of saying it; the answer itself was right."),
    _("Thank you for explaining. Your answer was right; see if your reason also works for the next question."),
)

WAYS_OUT: tuple[str, ...] = (
    _("If nothing comes, press “I don’t know” on the card. It shows you one way, and a new question follows."),
    _("Which part of the question can you picture? Begin there, or press “I don’t know” and see one way through."),
    _("No idea is fine, too. “I don’t know” on the card shows one way through, and then there is a new question."),
)

TO_WORK_OUT: tuple[str, ...] = (
    _("That still has to be worked out. Can you give it as one number?"),
    _("You have written down what to work out. What number does it come to?"),
)
TO_RULE_OUT: tuple[str, ...] = (
    _("Start by ruling out. Which of them can it not be?"),
    _("Take two of them and hold them against each other. Which fits worse?"),
)

IDEAS_NAMED: tuple[str, ...] = (
    _("You named what counts: %(ideas)s."),
    _("You found the point: %(ideas)s."),
    _("You said the core of it: %(ideas)s."),
    _("You have the heart of it: %(ideas)s."),
)

HARD_ROUNDS: tuple[str, ...] = (
    _("That was a hard round, and now we know where to look."),
    _("None of these came at the first try yet. That tells us what to look at next."),
    _("A steep round, that one. You stayed with it to the end."),
)

HINTS_LEFT: tuple[str, ...] = (
    _("There is a hint on the card that you have not tried yet. Try once with it, and the next one opens."),
    _("The last hint still waits for a try. Use it once, even if you are not sure, and the next one is yours."),
)

WORDINGS: Mapping[MoveId, tuple[str, ...]] = {
    "ask_attempt": (
        _("Show me your first step, even a guess. What would you try?"),
        _("A first try tells us both more than a hint would. What is your first idea?"),
        _("Start anywhere, a drawing or a guess will do. What do you see?"),
        _("Put down whatever you are sure of, however little. Where would you begin?"),
    ),
    "probe_reasoning": (
        _("How did you get there?"),
        _("Walk me through it. What did you look at first?"),
        _("What made you think so?"),
        _("How did you get {answer}?"),
        _("{answer} came from somewhere. What did you count or compare to get it?"),
        _("Take me along the way to {answer}. What did you do first?"),
        _("You said “{quote}”. What makes you sure of it?"),
        _("You said “{quote}”. Can you say a little more about why?"),
        _("You said “{quote}”. What did you look at to see that?"),
        _("You have part of it. {not_yet}"),
        _("That is the first part. {not_yet}"),
        _("You said “{quote}”. That is one part. {not_yet}"),
        _("Right so far. {ask}"),
        _("That is the first half of it. {ask}"),
    ),
    "focus_step": (
        _("Not yet. I added a hint to the card. Read it, then try again."),
        _("Not there yet. Before the next try, read the first hint on the card."),
        _("{answer} is not it yet. I added a hint to the card. Read it, then try again."),
        _("Your answer was {answer}. Compare it with the hint on the card, then try again."),
        _("Not {answer}. The hint on the card says where to look first."),
        _("Look here first. {hint}"),
        _("Something to look at before the next try. {hint}"),
        _("{answer} is not it yet. {hint}"),
        _("Your answer was {answer}. Before you go on: {hint}"),
        _("Not {answer}. Look here first. {hint}"),
        _("You said “{quote}”. Hold that against this. {hint}"),
        _("“{quote}”: let us see whether it fits. {hint}"),
    ),
    "hint_principle": (
        _("Not yet. The card has a second hint, the idea behind the question; try it with that."),
        _("Not there yet. The card names the idea that carries this question; try it with that."),
        _("{answer} is not it yet. The card names the idea that carries this question; try it with that."),
        _("Not {answer}. The second hint on the card is the idea behind the question; try it with that."),
        _("Here is the idea behind it. {hint}"),
        _("One idea carries this question. {hint}"),
        _("{answer} is not it yet. Here is the idea behind it. {hint}"),
        _("Your answer was {answer}. Hold it against this idea. {hint}"),
        _("Not {answer}. One idea carries this question. {hint}"),
    ),
    "hint_substep": (
        _("Not yet. There is a smaller question on the card; answer that one for yourself first."),
        _("{answer} is not it yet. There is a smaller question on the card; answer that one for yourself first."),
        _("Let us make it smaller. {hint}"),
        _("A smaller question first. {hint}"),
        _("{answer} is not it yet. Let us make it smaller. {hint}"),
        _("Not {answer}. A smaller question first. {hint}"),
    ),
    "worked_twin": (
        _("Not yet. The card shows one like it, solved; try yours the same way."),
        _("{answer} is not it yet. The card shows one like it, solved; try yours the same way."),
        _("Here is one like it, solved. {hint}"),
        _("The same thing with other numbers. {hint}"),
        _("Watch this one, then try yours the same way. {hint}"),
        _("{answer} is not it yet. Here is one like it, solved. {hint}"),
        _("Not {answer}. Compare your way with this one. {hint}"),
    ),
    "bottom_out": (
        _("One way through is on the card. Look for the one line in it that decides."),
        _("The card shows how it goes. Read it slowly, once."),
        _("The solution is on the card now. Keep the line of it that was new to you."),
        _("We leave this one with its solution on the card. It is worth a slow look."),
        _("You have climbed the whole ladder. Here is the solution, and then one with other numbers for you. {hint}"),
        _("Here is one way through. After it, a question of the same kind is yours. {hint}"),
        _("This is how it goes. The next one is like it, and it is yours. {hint}"),
    ),
    "contrast_case": (
        _("Let us test the idea behind that. {hint}"),
        _("There may be an idea behind that. Here is a case for it. {hint}"),
        _("Here is a case to hold that against. {hint}"),
        _("Your answer was {answer}. Let us test the idea behind it. {hint}"),
        _("{answer} follows from an idea worth testing. {hint}"),
        _("You said “{quote}”. Let us test that. {hint}"),
        _("“{quote}”: let us try that on a case. {hint}"),
        _("You said “{quote}”. Hold it against this. {hint}"),
    ),
    "self_explain": (
        _("Right. Why does that work?"),
        _("That is right. How would you explain it to a friend who was away today?"),
        _("Right. What makes it so?"),
        _("Right. How can you tell?"),
        _("{answer} is right. Why does that work?"),
        _("{answer}, right. How would you explain it to a friend who was away today?"),
        _("{answer} is right. How could somebody else check it?"),
        _("{answer} is right. What makes you sure of it?"),
        _("Yes, {answer}. What is the reason behind it?"),
    ),
    "affirm_specific": (
        _("That is right."),
        _("Yes, that is it."),
        _("{answer} is right."),
        _("Right, {answer}."),
        _("Yes, {answer}."),
        _("Right. {reason}"),
        _("Yes. {reason}"),
        _("{answer} is right. {reason}"),
        _("Right, {answer}. {reason}"),
        _("Yes, {answer}. {reason}"),
        _("{heard}"),
        _("“{quote}”: that is it. {heard}"),
        _("“{quote}”. {heard}"),
    ),
    "prereq_drop": (
        _("This one leans on something earlier. A short detour there, and then back here. Shall we?"),
        _("Something this rests on needs a look first. We come back here afterwards. Ready?"),
        _(
            "This one leans on *{prerequisite}*. A short detour there, and then back here; say “back” to return sooner. Shall we?"
        ),
        _(
            "All this rests on *{prerequisite}*. We look at it for a while and come back; “back” brings you here sooner. Ready?"
        ),
        _(
            "A step back to *{prerequisite}*: what is missing here is there. Say “back” whenever you want to return. Shall we?"
        ),
    ),
    "simplify": (
        _("This one is tricky. Shall we make it smaller, or look at it another way?"),
        _("There is a lot in this one. Would a smaller one help, or a picture?"),
        _("This step is a big one. Shall we cut it in smaller ones, or see one solved?"),
    ),
    "represent": (
        _("Words only go so far here. Could you draw it, and tell me what you see?"),
        _("Let us look at it as a picture. What would you draw first?"),
        _("Try it with a strip of paper. Fold it as the question says. What do you get?"),
    ),
    "break_choice": (
        _("You choose: a harder one, a different kind, or a short break?"),
        _("We can go faster. Would you like a harder question, or one from somewhere else?"),
        _("What would be more interesting now: a puzzle, a picture, or a break?"),
    ),
    "summarise_retrieve": (
        _("Before I sum up, you do. What has to be true here, in your own words?"),
        _("That was a round. What would you write on a card, to find it again next week?"),
        _("Close your eyes to the page for a moment. What do you remember as the main thing?"),
        _("That was a round of *{concept}*. What is the main thing, in your own words?"),
        _("You first, then I compare: what would you tell a friend about *{concept}*?"),
        _("What would you write on a card about *{concept}*, to find it again next week?"),
    ),
    "decline_answer": (
        _("Here is a hint first. {hint}"),
        _("Try it with this. {hint}"),
        _("Not the answer yet, but the next step. {hint}"),
        _("You tried {answer}. This should help. {hint}"),
    ),
    "retype": (
        _("I could not read that, so it was not counted. How else could you write it?"),
        _("Something in there I cannot read; it was not counted. Could you type it again?"),
        _("I could not read “{quote}”, so it was not counted. How else could you write it?"),
        _("“{quote}” I cannot read, and it was not counted. Could you type it another way?"),
    ),
    "ask_form": (
        _("The value is right. Another form is asked for. Can you write it that way?"),
        _("The size of it is right. Look again at how it should be written. What changes?"),
        _("{answer} has the right value. Another form is asked for. Can you write it that way?"),
        _("{answer} is the right size. Look again at how it should be written. What changes?"),
    ),
    "continue_lesson": (
        _("Good, let us go on."),
        _("Here is the next step."),
        _("Next step."),
    ),
    "begin_quiz": (
        _("A few questions now. Each is there to see what holds, and you can ask me anything on the way."),
        _("Now you. A handful of questions; a wrong answer tells us where to look."),
        _("Time to try it out. You can stop and ask at any point; the quiz waits."),
        _("A few questions on *{concept}*. You can ask me anything on the way; the quiz waits."),
        _("Now you: some questions on *{concept}*. A wrong answer tells us where to look."),
        _("*{concept}*: a few questions, to see what holds already. Take all the time you like."),
        _("Over to you: *{concept}*, in a few questions. Guesses are welcome."),
        _("Time to try *{concept}* yourself. Ask whenever something is unclear."),
    ),
    "resume_quiz": (
        _("Back to your question. It stands where you left it."),
        _("Here it is again, as you left it."),
        _("Then on with the quiz, from the same place."),
    ),
    "answer_question": (
        _("I do not have an answer to that here. Which part of the picture is it about?"),
        _("“{quote}”: I do not have an answer to that here. Which part of the lesson is it about?"),
        _("{hint}"),
    ),
    "not_yet": (
        _("I did not understand that. You can say it another way, or ask for an example?"),
        _("I am not sure what you mean. Can you say it with the numbers, or with the picture?"),
        _("{not_yet}"),
        _("Not quite. {not_yet}"),
        _("Let us look at it more closely. {not_yet}"),
        _("You said “{quote}”. Not quite. {not_yet}"),
    ),
    "welcome": (
        _("Hello, good to see you. {ask}"),
        _("Hello. Let us start with something to look at. {ask}"),
        _("Hello. Shall we look at something together?"),
        _("Hello. What would you like to look at?"),
        _("Hello. Today it is *{concept}*. Shall we begin?"),
    ),
    "farewell": (
        _("Goodbye. Everything is kept; we go on where you stopped."),
        _("Until next time. Your place is kept."),
        _("Good stopping point. It is all there when you come back."),
    ),
}
