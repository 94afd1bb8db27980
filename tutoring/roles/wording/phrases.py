"""The tutor's phrases: templates in the learner's language, several for each move and for transitions.

A phrase has a place for what the learner said or answered if it can use it, at most one question, no exclamation
mark, and at most sixty words; if a course's hint asks a question, the phrase around it does not.
"""

from collections.abc import Mapping

from django.utils.translation import gettext_noop as _

from tutoring.lesson.moves import MoveId

FALLBACK = _("Try one small step first. Tell me what you get.")

FALLBACKS: Mapping[MoveId, str] = {
    "answer_question": _(
        "I can’t tell you that yet: it would answer the question on the card. Try it first, and then ask again."
    ),
    "focus_step": _("Read the question again slowly. What do you have to compare or count?"),
    "hint_principle": _("Think back to the lesson. Which idea from it can you use here?"),
    "hint_substep": _("Break the question into smaller parts. Which part can you already answer?"),
    "worked_twin": _("Make up a question like this one with smaller numbers. How would you solve it?"),
    "contrast_case": _("Try it on something you can draw. Does it still work?"),
    "decline_answer": _("I won’t give the answer away. What do you know for sure?"),
    "probe_reasoning": _("How did you get there?"),
    "retype": _("I can’t read that as an answer, so it doesn’t count. Use the card to answer."),
}

KNOWN_AT_QUESTION: tuple[str, ...] = (
    _("Good. Answer this question to show it, or skip it."),
    _("All right. You can show it with this question, or skip it."),
    _("Then this question should be quick. You can also skip it."),
)
RESUME_OFFERS: tuple[str, ...] = (
    _("Your question is still open. Answer it when you’re ready."),
    _("Here is the question you were on."),
    _("We stopped at this question. Answer it, or ask me something else."),
    _("Here is the question that is still waiting for you."),
    _("We can go back to your question whenever you like."),
    _("Take your time with the question you haven’t answered yet."),
    _("You can continue with this question now."),
)

NEW_QUESTIONS: tuple[str, ...] = (_("Here is the next question."), _("Here’s the next one."), _("On to the next one."))

NEXT_OFFERS: tuple[str, ...] = (
    _("Say “continue” when you’re ready for the next question."),
    _("Whenever you’re ready, say “continue” for the next question."),
    _("Say “continue,” and you’ll get the next question."),
)

SKIPPED: tuple[str, ...] = (
    _("We’ll skip that one. Here is another one."),
    _("No problem. We’ll skip that one."),
    _("I’ve put that question aside. Try this one instead."),
    _("All right, here is a different question."),
)

SKIPPED_STEPS: tuple[str, ...] = (
    _("We’ll skip that one. Here is the next step."),
    _("No problem. We’ll skip that step."),
    _("All right, we’ll move on without that step."),
    _("We can skip that step. Here is what comes next."),
)

OUT_OF_SCOPE: tuple[str, ...] = (
    _("I can’t help with that here."),
    _("I’m only here to teach, so I can’t help with that."),
    _("I can’t do that. I can explain something or ask you a question."),
)

OFF_TOPIC: tuple[str, ...] = (
    *OUT_OF_SCOPE,
    _("I don’t know anything about that. You can keep going, or ask me about the lesson."),
)

IDEA_LEFT_OPEN: tuple[str, ...] = (
    _("That’s fine. You can come back to it another day."),
    _("No problem. You can try it again another time."),
)

IDEA_SHOWN: tuple[str, ...] = (
    _("Here is one way to say it: “%(sentence)s”"),
    _("I’d say it like this: “%(sentence)s” Here is the next step."),
    _("One good answer is: “%(sentence)s” You can use it in the next step."),
)
"""Said after two tries, with a right answer to the piece's question."""

MOVE_ON_OFFERS: tuple[str, ...] = (
    _("We’ll come back to this in the quiz. Here is the next step."),
    _("Here is the next step. It may make this clearer."),
    _("Let’s see if the next step makes it clearer."),
)
"""The same, if the course has no model sentence."""

SMALLER_STEP: tuple[str, ...] = (
    _("This is a big step. Here is a smaller one first."),
    _("There’s a lot to think about here. Let’s start with a smaller piece."),
    _("This one is tricky. Here is a similar example."),
)

NO_MORE_EXAMPLES: tuple[str, ...] = (
    _("You’ve seen all my examples for this. Here is an exercise, solved step by step."),
    _("I don’t have any new examples left. Here is an exercise that’s already solved instead."),
)

NOTHING_TO_SHOW: tuple[str, ...] = (
    _("I have no other way to explain this without giving the answer away. Take a hint, or say “I don’t know”."),
    _("I can’t explain more here without giving the answer away. A hint may help, or say “I don’t know”."),
)

WORKED_EXERCISES: tuple[str, ...] = (
    _("Here is another exercise, solved step by step."),
    _("First, look at a similar exercise that’s already solved."),
)
"""Before a worked exercise in a quiz, whether or not the lesson has more examples."""

OTHER_PICTURE: tuple[str, ...] = (
    _("Here is a different picture of the same thing."),
    _("Let’s look at it another way."),
)

FURTHER_ON: tuple[str, ...] = (
    _("You may know this already, so here is a harder question. If it goes well, we’ll move on."),
    _("We can go faster. Let’s try a harder one first."),
)

HARDER_ONES: tuple[str, ...] = (
    _("Sure. Try this one."),
    _("Okay, I’ll make it harder if I can."),
    _("Let’s see how you do with this one."),
)

READY_FOR_MORE: tuple[str, ...] = (
    _("Then you’re ready for something new."),
    _("Good, then let’s look at something harder."),
    _("You’ve got this one. Something new will be more fun."),
)

UNCLEAR_BEFORE_START: tuple[str, ...] = (
    _("I’m not sure what you’d like. You can start this lesson, or name another topic."),
    _("I didn’t understand that. Say “let’s start”, or tell me which topic you’d rather learn."),
)

UNCLEAR_AT_THE_END: tuple[str, ...] = (
    _("I’m not sure what you mean. You can choose another lesson, ask for more questions, or stop for today."),
    _("I didn’t understand that. Name a lesson, ask me something about this one, or stop here for today."),
    _("I can’t tell what you’d like to do. Say “what is next?” to see what you could do now."),
)

ANSWERED_BEFORE: tuple[str, ...] = (
    _("That’s all I know about this. You can ask me about something else, or keep going."),
    _("I told you what I know about that a moment ago. Tell me which part isn’t clear, or we can keep going."),
)

NOTHING_MORE: tuple[str, ...] = (
    _("That’s all I know about this. Is there a word or a step you’d like to know more about?"),
    _("I don’t know anything else about that. Ask me about a word you don’t know, or continue with your question."),
)

TELLS_APART: tuple[str, ...] = (
    _("I’m not sure which idea you meant. A question will help me find out."),
    _("That could mean two things. A question will show me which one you mean."),
)

EARLIER_IDEA: tuple[str, ...] = (
    _("Before we continue, let’s test something you said a moment ago."),
    _("Let’s test something you said earlier."),
)

HINT_ON_CARD: tuple[str, ...] = (
    _("I added a hint to the card."),
    _("There is a new hint on the card."),
    _("Take a look at the hint on the card."),
    _("The card has another hint for you now."),
    _("Read the new hint on the card, then try again."),
    _("I put a hint on the card for you."),
    _("You’ll find one more hint on the card."),
)

ALL_HINTS_SHOWN: tuple[str, ...] = (
    _("All the hints are on the card now. Press “Show me” to see how to solve it."),
    _("You’ve had all the hints. Try once more, or press “Show me” and we’ll look at the solution."),
    _("There are no more hints for this question. “Show me” takes you through the solution."),
)

ANSWER_ON_CARD: tuple[str, ...] = (
    _("I’m not sure what you mean. You can answer on the card, or ask me what isn’t clear."),
    _("I didn’t quite get that. Use the card to answer, or tell me what you’d like to know."),
    _("I can’t tell which answer you mean. Could you say it another way?"),
    _("I don’t know how to read that. Answer on the card, or ask me a question."),
    _("That could mean many things. Answer on the card, or tell me what you need."),
    _("I couldn’t find an answer in that. Try the card, or say “hint” if you’d like one."),
)

NUMBER_QUESTIONS: tuple[str, ...] = (
    _("And what do you get? A number is enough."),
    _("Try it that way. What number do you get?"),
    _("Work that out. What’s your answer, as a number?"),
)
ANSWERLESS_AT_CARD: tuple[str, ...] = (
    _("I don’t have an answer to that. Would a hint or an example help?"),
    _("I can’t answer that one. Would you like a hint, or a similar example?"),
    _("Good question, and I don’t know the answer. Would an example make it clearer?"),
)
"""Said to a question that the course does not answer, beside an open question."""

LESSON_QUOTED: tuple[str, ...] = (
    _("I’m not sure I understood you. The lesson says: “%(sentence)s”"),
    _("Maybe this helps. The lesson says: “%(sentence)s”"),
    _("I can’t tell whether this is what you mean. The lesson says this: “%(sentence)s”"),
)
"""Said to a question or a remark that the course does not answer, with the sentence that is nearest to it."""

RESULT_QUESTIONS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("numeric", "combine", "balance"), NUMBER_QUESTIONS),
    "choice": (
        _("Which answer does that lead you to? Its letter is enough."),
        _("So which answer is it? Tell me its letter."),
    ),
    "multi": (
        _("Which ones fit, then? Give me all their letters."),
        _("So which of them would you choose? Tell me every letter."),
    ),
    "trace": (
        _("And what does the program print? Write it line by line."),
        _("So what would be on the screen? Write exactly what is printed."),
    ),
    "steps": (
        _("Write that with numbers and signs, one step on each line."),
        _("Show me that as a calculation, with each step on its own line."),
    ),
    **dict.fromkeys(
        ("cut", "build", "share", "shade", "place", "point", "line"),
        (
            _("Show me that in the picture, and I’ll check it."),
            _("I couldn’t read that as an answer. Do it in the picture, then press Check."),
        ),
    ),
    "order": (
        _("Put the rows in order on the card, and I’ll check it."),
        _("Which one comes first, and what follows? Put them in order on the card."),
    ),
    "expression": (
        _("How would you write that with numbers, letters and signs?"),
        _("Write that down as an expression. What do you get?"),
    ),
}
"""Question kind → what is asked after a thought about the open question that names no answer."""

COMPARED: tuple[str, ...] = (
    _("Compare your idea with mine: “%(sentence)s” Did you mean the same, or something else?"),
    _("I’d put it like this: “%(sentence)s” Did you mean that, or not?"),
    _("I would say: “%(sentence)s” Is your idea the same, or different?"),
)
"""Said to words that cannot be judged, with a sentence to compare them with."""

CLAIM_FOR_CARD: tuple[str, ...] = (
    _("That’s what the question asks. Put your answer on the card, and we’ll see."),
    _("Answer that on the card, and I’ll tell you whether it’s right."),
)
"""Said to a claim in numbers that decides the open question."""

WHICH_IDEA: tuple[str, ...] = (
    _("Which of these is closer to what you mean?"),
    _("I’d like to understand you. Which of these do you mean?"),
    _("Do you mean one of these?"),
)
"""Said to words that may say what holds about an idea, or what is often thought instead: both follow as buttons."""

SAY_IT_OTHERWISE: tuple[str, ...] = (
    _("I’m not sure what you mean. Could you say it using the numbers or the picture?"),
    _("I can’t tell what you mean yet. Say it another way, or ask me about the question."),
    _("I couldn’t follow that. Try it with numbers, or say “hint” if you’d like one."),
)

MEANT_SAME: tuple[str, ...] = (
    _("Yes. You can use that idea here."),
    _("Right. That idea will help you here."),
)
MEANT_OTHER: tuple[str, ...] = (
    _("That’s fine. Say it another way, or use numbers to show me what you mean."),
    _("Thanks for telling me. A hint or an example may show you the difference."),
)
"""Replies to what somebody ticked when their words were compared with a sentence."""

CASE_TOLD: tuple[str, ...] = (
    _("My last example was about that idea. It showed this: *%(idea)s*"),
    _("That’s the idea we tested a moment ago. Remember what we saw: *%(idea)s*"),
    _("We’ve just looked at an example where that idea doesn’t work. The example shows this: *%(idea)s*"),
)
"""Said when somebody repeats an idea whose case was shown a moment ago."""

UNREAD_IN_CASE: tuple[str, ...] = (
    _("Think about my example once more."),
    _("Let’s go back to my example for a moment."),
    _("First, try that on my example."),
)
"""Said to words at an open case that may be about something else."""

REASON_ON_CARD: tuple[str, ...] = (
    _("I’m not sure what you mean. Choose the reason that comes closest, or say it another way."),
    _("I didn’t quite get that. Could you say it another way, or choose a reason on the card?"),
    _("I can’t tell what you mean yet. Pick a reason on the card, or use different words."),
    _("I couldn’t find a reason in that. The card has some to choose from, or you can write your own."),
)

IDEA_BESIDE: tuple[str, ...] = (
    _("Yes, that’s the idea. Now answer on the card."),
    _("Right. Use that to answer the question on the card."),
    _("That’s true, and it is an important point here. Now answer on the card."),
)

CHOICES_MEANT: tuple[str, ...] = (
    _("Which of these is closest to what you mean?"),
    _("Do you mean one of these?"),
    _("Which one comes closest to your idea?"),
)

BACK_TO_QUESTION: tuple[str, ...] = (
    _("Now back to your question. Use what you’ve seen."),
    _("Let’s use that. Here is your question again."),
    _("Try your question again with that idea."),
    _("With that in mind, look at your question once more."),
)

TWINS: tuple[str, ...] = (
    _("Here is one like it with different numbers. It’s for practice, so it doesn’t count."),
    _("Now try one like it yourself. It’s only practice."),
    _("Here is the same kind of question with different numbers, for practice."),
)

PARTLY_EXPLAINED: tuple[str, ...] = (
    _("You’ve got part of the reason. We’ll come back to the rest."),
    _("That’s part of the reason. We’ll look at the rest later."),
)

LEFT_UNEXPLAINED: tuple[str, ...] = (
    _("No problem. Your answer was right, so let’s move on."),
    _("That’s fine. We’ll come back to the reason later."),
)

TAKEN_REPLIES: tuple[str, ...] = (
    _("Thank you. I can’t check answers to this question, so let’s go on."),
    _("Thank you for your answer. I can’t tell whether it’s right, but the next questions will show it."),
)
"""Said to a reply to a question to which the course lists no answers."""

OWN_REASONS: tuple[str, ...] = (
    _("Thank you. I can’t check every way of saying it, but your answer was right."),
    _("Thank you for explaining. Your answer was right. See if your reason works for the next question too."),
)

WAYS_OUT: tuple[str, ...] = (
    _("If you’re stuck, press “Show me”. I’ll show you how to do it, and then you’ll get a new question."),
    _("I’m not sure what to do with that. Make a guess, or press “Show me” to see the solution."),
    _("Would you rather see how to do it? Press “Show me”, and then you’ll get a new question."),
)

TO_WORK_OUT: tuple[str, ...] = (
    _("You still need to work that out. Can you write it as one number?"),
    _("You wrote down the calculation. What number do you get?"),
)

IDEAS_NAMED: tuple[str, ...] = (
    _("You named what matters most: %(ideas)s."),
    _("You found the key point: %(ideas)s."),
    _("You said the most important part: %(ideas)s."),
    _("You’ve got the main idea: %(ideas)s."),
)

HARD_ROUNDS: tuple[str, ...] = (
    _("That was hard. Now we know what to work on."),
    _("None of these were right on the first try. That shows us what to work on next."),
    _("Those were hard questions, but you kept going until the end."),
)

MORE_NEEDED: tuple[str, ...] = (
    _("A few more right answers will show that you know this. First, here is something new to look at."),
    _("You’re close. Here is one more thing to look at, and then a few more questions."),
    _("Before the next questions, look at this."),
)

NEXT_ROUNDS: tuple[str, ...] = (
    _("Let’s look at it another way and then try again."),
    _("Here is a different way to see it. After that, you’ll get new questions."),
    _("We’ll go through it once more, and then you’ll get new questions."),
)

HINTS_LEFT: tuple[str, ...] = (
    _(
        "You haven’t used the hint on the card yet. Try the question with that hint first. Then you can open the next hint."
    ),
    _("Try the question with the last hint, even if you’re not sure. Then you can open the next one."),
)

WORDINGS: Mapping[MoveId, tuple[str, ...]] = {
    "ask_attempt": (
        _("Try it first, even if it’s only a guess. If it isn’t right, you’ll get a hint."),
        _(
            "Give it a try. If you get it wrong, you’ll get a hint. You can also say “skip” to move on without answering."
        ),
        _("Answer as best you can. If you’re stuck, tell me, and I’ll show you one like it."),
        _("Tell me your first idea, even if you’re not sure. Then I can tell you what to look at."),
    ),
    "probe_reasoning": (
        _("How did you get there?"),
        _("Walk me through it. What did you look at first?"),
        _("What made you think that?"),
        _("How did you get {answer}?"),
        _("What did you count or compare to get {answer}?"),
        _("Show me how you got {answer}. What did you do first?"),
        _("You said “{quote}”. What makes you sure?"),
        _("You said “{quote}”. Can you say a little more about why?"),
        _("You said “{quote}”. How could you tell?"),
        _("You’ve got part of it. {not_yet}"),
        _("That’s the first part. {not_yet}"),
        _("You said “{quote}”. That’s part of it. {not_yet}"),
        _("Right so far. {ask}"),
        _("That’s the first part. {ask}"),
    ),
    "focus_step": (
        _("Not quite. I added a hint to the card. Read it, then try again."),
        _("That’s not right. Read the first hint on the card, then try again."),
        _("{answer} isn’t right. I added a hint to the card. Read it, then try again."),
        _("Your answer was {answer}. Compare it with the hint on the card, then try again."),
        _("It isn’t {answer}. The hint on the card shows where to look first."),
        _("Start here. {hint}"),
        _("Here is a hint. {hint}"),
        _("{answer} isn’t right. {hint}"),
        _("Your answer was {answer}. Here is a hint. {hint}"),
        _("It isn’t {answer}. Start here. {hint}"),
        _("You said “{quote}”. Compare that with this. {hint}"),
        _("You said “{quote}”. Let’s check that. {hint}"),
    ),
    "hint_principle": (
        _("Not quite. The second hint on the card shows the idea behind the question. Use it and try again."),
        _("That’s not right. The card shows the idea you need. Use it and try again."),
        _("{answer} isn’t right. The card shows the idea you need. Use it and try again."),
        _("It isn’t {answer}. The second hint on the card shows the idea behind the question. Use it and try again."),
        _("Here is the idea behind it. {hint}"),
        _("This is the idea you need. {hint}"),
        _("{answer} isn’t right. Here is the idea behind it. {hint}"),
        _("Your answer was {answer}. Compare it with this idea. {hint}"),
        _("It isn’t {answer}. This is the idea you need. {hint}"),
    ),
    "hint_substep": (
        _("Not quite. There is a smaller question on the card. Think that one through first."),
        _("{answer} isn’t right. There is a smaller question on the card. Think that one through first."),
        _("Let’s take a smaller step. {hint}"),
        _("Here is a smaller question first. {hint}"),
        _("{answer} isn’t right. Let’s take a smaller step. {hint}"),
        _("It isn’t {answer}. Try a smaller question first. {hint}"),
    ),
    "worked_twin": (
        _("Not quite. The card shows how to solve a similar question. Try yours the same way."),
        _("{answer} isn’t right. The card shows how to solve a similar question. Try yours the same way."),
        _("Here is how to solve a similar question. {hint}"),
        _("Here it is with different numbers. {hint}"),
        _("Look at this one, then try yours the same way. {hint}"),
        _("{answer} isn’t right. Here is how to solve a similar question. {hint}"),
        _("It isn’t {answer}. Compare your way with this one. {hint}"),
    ),
    "bottom_out": (
        _("The solution is on the card. Look for the line that is new to you."),
        _("The card shows how to solve it. Read it slowly, step by step."),
        _("The solution is on the card now. Read it line by line."),
        _("You can see the solution on the card. Take your time with it."),
        _("Take a look at the solution on the card. Find the line you would do differently."),
        _("Every step is on the card. Follow the solution from the first line to the last."),
        _(
            "You’ve used every hint. Here is the solution. After that, you’ll get a similar question with different "
            "numbers. {hint}"
        ),
        _("Here is one way to solve it. Then you can try the same kind of question. {hint}"),
        _("Here’s how to solve it. Then you can try one like it. {hint}"),
    ),
    "contrast_case": (
        _("Let’s test the idea behind that. {hint}"),
        _("Let’s use an example to test the idea behind that. {hint}"),
        _("Here is an example to compare it with. {hint}"),
        _("Your answer was {answer}. Let’s test the idea behind it. {hint}"),
        _("Let’s use an example to test the idea behind {answer}. {hint}"),
        _("You said “{quote}”. Let’s test that. {hint}"),
        _("You said “{quote}”. Let’s try that on an example. {hint}"),
        _("You said “{quote}”. Compare that with this. {hint}"),
    ),
    "self_explain": (
        _("Right. Why does that work?"),
        _("That’s right. How would you explain it to a friend who missed this lesson?"),
        _("Right. What makes it true?"),
        _("Right. How can you tell?"),
        _("{answer} is right. Why does that work?"),
        _("{answer} is right. How would you explain it to a friend who missed this lesson?"),
        _("{answer} is right. How could someone else check it?"),
        _("{answer} is right. What makes you sure?"),
        _("Yes, {answer}. How do you know?"),
    ),
    "affirm_specific": (
        _("That’s right."),
        _("Yes, that’s it."),
        _("{answer} is right."),
        _("Right, {answer}."),
        _("Yes, {answer}."),
        _("Right. {reason}"),
        _("Yes. {reason}"),
        _("{answer} is right. {reason}"),
        _("Right, {answer}. {reason}"),
        _("Yes, {answer}. {reason}"),
        _("{heard}"),
        _("“{quote}”: that’s it. {heard}"),
        _("“{quote}”. {heard}"),
    ),
    "prereq_drop": (
        _("This one builds on something earlier. Shall we look at that first and then come back?"),
        _("You need something from an earlier lesson for this. We’ll come back afterward. Ready?"),
        _(
            "This one builds on *{prerequisite}*. Shall we look at that first? Say “back” whenever you want to come "
            "back here."
        ),
        _(
            "You need *{prerequisite}* for this. Shall we go over it and then come back? Say “back” to come back "
            "sooner."
        ),
        _("Shall we take a step back to *{prerequisite}*? Say “back” whenever you want to come back here."),
    ),
    "simplify": (
        _("This one is tricky. Shall we take a smaller step, or look at it another way?"),
        _("There’s a lot to think about here. Would a smaller step or a picture help?"),
        _("This is a big step. Shall we take smaller steps, or look at a solved example?"),
    ),
    "represent": (
        _("A picture may help here. Could you draw one and tell me what you see?"),
        _("Let’s look at it as a picture. What would you draw first?"),
        _("Try it with a strip of paper. Fold it the way the question says. What do you get?"),
    ),
    "break_choice": (
        _("You choose: something harder, something different, or a short break?"),
        _("We can go faster. Would you like a harder question, or one about something else?"),
        _("What would you like now: a puzzle, a picture, or a break?"),
    ),
    "summarise_retrieve": (
        _("You go first. What is the main idea here, in your own words?"),
        _(
            "You finished this round of questions. What would you write on a note card to help you remember this "
            "next week?"
        ),
        _("Look away from the page for a moment. What main idea do you remember?"),
        _("That was *{concept}*. What is the main idea, in your own words?"),
        _("You go first: what would you tell a friend about *{concept}*?"),
        _("What would you write on a note card to help you remember *{concept}* next week?"),
    ),
    "decline_answer": (
        _("First, here’s a hint. {hint}"),
        _("This may help. {hint}"),
        _("I won’t give the answer yet, but here is the next step. {hint}"),
        _("You tried {answer}. This should help. {hint}"),
    ),
    "retype": (
        _("I can’t read that as an answer, so it doesn’t count. {hint}"),
        _("I couldn’t find an answer in that, so it doesn’t count. {hint}"),
        _("I couldn’t read that, so it doesn’t count. How else could you write it?"),
        _("“{quote}” doesn’t work as an answer here. {hint} You can also say “I don’t know”."),
        _("I can’t count “{quote}” as an answer. {hint}"),
    ),
    "ask_form": (
        _("The value is right, but the question asks for a different form. Can you write it that way?"),
        _("The value is right. Look again at how the answer should be written. What would you change?"),
        _("{answer} has the right value, but the question asks for a different form. Can you write it that way?"),
        _("{answer} has the right value. Look again at how the answer should be written. What would you change?"),
    ),
    "continue_lesson": (
        _("Good, let’s keep going."),
        _("Here is the next step."),
        _("On to the next step."),
    ),
    "begin_quiz": (
        _("Here are a few questions to see what you know. You can ask me anything along the way."),
        _("Your turn: here are a few questions. A wrong answer will show us what to work on next."),
        _("Time to try it out. You can stop and ask me something at any time. The quiz will wait."),
        _("Here are a few questions on *{concept}*. You can ask me anything along the way. The quiz will wait."),
        _("Your turn: here are some questions on *{concept}*. A wrong answer will show us what to work on next."),
        _("Here are a few questions on *{concept}* to see what you know. Take as much time as you like."),
        _("Now you try *{concept}*. Here are a few questions. It’s fine to guess."),
        _("Time to try *{concept}* yourself. Ask me if something isn’t clear."),
    ),
    "resume_quiz": (
        _("Let’s go back to your question. It’s still open."),
        _("Here is your question again."),
        _("Let’s pick up the quiz where we left off."),
        _("This is the question we were on."),
        _("Your quiz is waiting at this question."),
    ),
    "answer_question": (
        _("I don’t have an answer to that. Which part of the question do you mean?"),
        _("My lesson doesn’t say anything about that. Is there something in the lesson that isn’t clear?"),
        _("I don’t have an answer to “{quote}”. Which part of the lesson do you mean?"),
        _("{hint}"),
    ),
    "not_yet": (
        _("I didn’t understand that. Could you say it another way, or would you like an example?"),
        _("I’m not sure what you mean. Can you say it in other words?"),
        _("I didn’t understand that. Would you like to ask me something, or continue with the lesson?"),
        _("I can’t tell what you’d like to do. Shall we continue, or do you have a question?"),
        _("{not_yet}"),
        _("Not quite. {not_yet}"),
        _("Let’s look at it more closely. {not_yet}"),
        _("You said “{quote}”. Not quite. {not_yet}"),
    ),
    "welcome": (
        _("Hello, good to see you. {ask}"),
        _("Hello. Let’s start with something to look at. {ask}"),
        _("Hello. Shall we work on something together?"),
        _("Hello. What would you like to work on?"),
        _("Hello. Today’s topic is *{concept}*. Shall we start?"),
    ),
    "farewell": (
        _("Goodbye. Everything is saved. Next time, we’ll pick up where you left off."),
        _("See you next time. Your place is saved."),
        _("This is a good place to stop. Everything will be here when you come back."),
    ),
}
