"""The fixed answers to questions about the system, by topic."""

from collections.abc import Mapping, Sequence
from typing import Final

from django.utils.translation import gettext_noop

# Each answer must hold on every site, with and without a language model, for children and adults, in and outside a class.
SYSTEM_ANSWERS: Final[Mapping[str, Sequence[str]]] = {
    "operate": (gettext_noop("Each question is on a card. Answer there and press Check, or write your answer here."),),
    "cost": (
        gettext_noop(
            "You don’t have to pay for anything here. The lessons and the questions are free, and there are no ads."
        ),
    ),
    "camera": (
        gettext_noop(
            "No, I can’t see or hear you. I only get what you type, draw or answer here, and what you say after you press "
            "the microphone button."
        ),
    ),
    "storage": (
        gettext_noop(
            "Your messages and answers are sent to this site and stored there. [Your data](/accounts/data/) shows all of "
            "it, and you can download or delete it. If you agreed to an external language model, your messages go to it too."
        ),
    ),
    "review_time": (
        gettext_noop(
            "I use your answers, and how long ago you gave them, to work out how long you’re likely to remember a "
            "topic. When you’re likely to forget it soon, I ask you one or two questions about it."
        ),
    ),
    "typing_error": (
        gettext_noop(
            "If I can’t read an answer, it doesn’t count. If you typed a wrong number by mistake, it counts like any "
            "other answer, but you can press “That’s not right” under it and say what happened."
        ),
    ),
    "device": (
        gettext_noop(
            "Yes. You can use a phone, a tablet or a computer. Sign in on any of them to pick up where you left off."
        ),
    ),
    "saved": (
        gettext_noop("Yes. Every answer is saved right away, and next time we’ll pick up where we left off."),
        gettext_noop(
            "Everything is saved: your answers, your place and what you’ve mastered. You can stop at any time."
        ),
    ),
    "keyboard": (
        gettext_noop(
            "Yes, you can do everything with the keyboard. Press Tab to move from one thing to the next, use the "
            "arrow keys to choose, and press Enter to check your answer. You can also type your answer as a message."
        ),
    ),
    "print": (gettext_noop("Yes. Choose “Print” in your browser’s menu to print this page."),),
    "duration": (
        gettext_noop("A lesson often takes seven to ten answers. You can stop at any time, and your place is saved."),
        gettext_noop(
            "That depends on your answers. A lesson often takes ten to fifteen minutes. The more you get right "
            "without help, the sooner you finish."
        ),
    ),
    "done without lesson": (
        gettext_noop(
            "You haven’t started a lesson here yet, so there is nothing to finish. Choose one whenever you like."
        ),
    ),
    "skipping": (
        gettext_noop(
            "You don’t have to do every lesson. Tell me which one you want, and you can start there. It builds on the "
            "lessons before it, so go back to one of those if something isn’t clear."
        ),
    ),
    "way_length": (gettext_noop("You have no goal yet. Tell me what you’d like to learn, and I’ll plan your path."),),
    "goal_reached": (gettext_noop("You have no goal yet. Tell me what you’d like to learn, and I’ll plan your path."),),
    "audience": (
        gettext_noop(
            "The lessons are for anyone who wants to learn, at any age. Your answers decide what I ask you next."
        ),
        gettext_noop("This site is for all ages. Children and adults get the same lessons, and I go at your pace."),
    ),
    "use": (
        gettext_noop(
            "That depends on what you want to do. Tell me your goal, and I’ll plan the shortest way there. You only need "
            "the lessons on that path."
        ),
    ),
    "homework": (
        gettext_noop(
            "Yes. Type a calculation in numbers, such as “1/2 + 1/3”, and I’ll show you how to work it out. You can "
            "also ask me about anything in the lesson."
        ),
    ),
    "misunderstood": (
        gettext_noop("I’m sorry, I didn’t understand what you asked. Could you ask it in a different way?"),
        gettext_noop("Sorry about that. Ask me again in fewer words, and I’ll try to answer."),
    ),
    "makers": (gettext_noop("I’m a program called learnagent. People made me, and people wrote the lessons."),),
    "points": (
        gettext_noop(
            "There are no points, stars or prizes here. What counts is what you can do without help. [See your progress](/progress/)."
        ),
    ),
    "others": (
        gettext_noop("I don’t compare you with other people. I look at your own answers and what you can do now."),
        gettext_noop(
            "There are no other players and no leaderboard here. Other learners can’t see your answers, and you can’t see theirs."
        ),
    ),
    "picture_size": (
        gettext_noop(
            "I can’t change the size of the picture myself. Zoom in with two fingers, or press Ctrl and +, and the "
            "picture gets bigger along with the page."
        ),
    ),
    "language": (
        gettext_noop(
            "I can only teach in English, and I can’t translate. Ask me about any word, and I’ll explain it in "
            "simpler words."
        ),
        gettext_noop("English is the only language I know. If a word is hard, ask me what it means."),
    ),
    "weak_english": (
        gettext_noop("That’s no problem. I understand you. If a word isn’t clear, ask me what it means."),
        gettext_noop(
            "The words can be hard at first. Ask me about any of them. You can answer with numbers or on the card."
        ),
    ),
    "why_not_told": (
        gettext_noop(
            "You’ll remember it better if you figure it out yourself. If you’re stuck, say “show me how” and I’ll "
            "solve one like it."
        ),
        gettext_noop(
            "If I tell you the answer, it won’t help you with the next question. I can give you a hint, or show you how "
            "to do one like it."
        ),
    ),
    "guessing": (
        gettext_noop(
            "You can guess. If your guess is wrong, you’ll get a hint. A right guess counts too, but the next question will show what you know."
        ),
    ),
    "decimals": (
        gettext_noop("Yes. You can write 0.5 or 0,5 or 1/2. I read them all as the same number."),
        gettext_noop("Yes, a decimal counts, too: 0.25 is as good as 1/4, unless the question asks for a fraction."),
    ),
    "self": (
        gettext_noop("I’m a program, so I don’t have hobbies or a life of my own. What about you?"),
        gettext_noop("I’m a program, so I don’t have anything like that. Do you?"),
        gettext_noop("I’m only a program, so I have no favorites and no opinions. Tell me yours if you like."),
    ),
    "mind_reading": (
        gettext_noop(
            "I can only see your answers. An answer like yours often comes from one particular idea, so I asked "
            "about that idea. I may be wrong."
        ),
    ),
    "unable": (
        gettext_noop(
            "I can’t help with that, and I don’t know anything about it. I can explain something from the lesson or "
            "check your answers."
        ),
        gettext_noop("I don’t know the answer to that. You can ask someone else, or ask me about the lesson."),
        gettext_noop("I can’t help with that here. You can keep going, or ask me about the lesson."),
        gettext_noop("I can’t do that. I can show you an example or ask you a question instead."),
    ),
    "verdict without lesson": (gettext_noop("You haven’t answered any questions here yet."),),
    "next without lesson": (gettext_noop("You choose. Tell me what you’d like to learn, and I’ll plan your path."),),
    "picture without lesson": (
        gettext_noop("There is no picture here yet. Choose a lesson, and you’ll see one at the start."),
    ),
    "memorised": (
        gettext_noop(
            "It’s good to ask yourself that. The questions come with new numbers and pictures each time, so "
            "memorizing the answers won’t be enough. If you can answer the questions without help, you understand "
            "the topic."
        ),
        gettext_noop(
            "You can test that. Explain it in your own words, or ask me for a harder question. If you can do that, "
            "you haven’t just memorized it."
        ),
    ),
    "shorter without lesson": (gettext_noop("In short: choose a topic, and I’ll explain it and ask you questions."),),
    "repeat without lesson": (gettext_noop("There is no open question right now. What would you like to learn?"),),
    "back": (
        gettext_noop("Welcome back. We were on *%(concept)s*, and everything is where you left it."),
        gettext_noop("Good to see you again. Let’s continue with *%(concept)s*."),
        gettext_noop("No problem. We stopped in the middle of *%(concept)s*, so we can pick up from there."),
    ),
    "back without lesson": (gettext_noop("Welcome back. What would you like to learn?"),),
    "skip_loss": (
        gettext_noop(
            "No. You don’t lose anything by skipping a question. Your score stays as it is, and we move on to the "
            "next question."
        ),
        gettext_noop("Skipping doesn’t lower your score. Only the questions you answer change it."),
    ),
    "skipped_step": (
        gettext_noop(
            "You can’t go back to a step that was skipped, but nothing is lost. The quiz asks about the same idea, and "
            "you can ask me about it now."
        ),
        gettext_noop(
            "A skipped step doesn’t open again. I’ll ask you about the same idea in the quiz, and you can ask me about it "
            "now."
        ),
    ),
    "reopen": (
        gettext_noop(
            "Yes. The steps you’ve finished are still above. Press one to open it and read it again. Your answers "
            "are also under [My progress](/progress/)."
        ),
        gettext_noop(
            "Scroll up and press a finished step to open it and see your answer. For older answers, open a topic "
            "under [My progress](/progress/)."
        ),
    ),
    "redo": (
        gettext_noop(
            "While a question is open, you can change your answer. A finished question stays as it is, but you can "
            "say “quiz me” and I’ll ask you new ones."
        ),
        gettext_noop(
            "You can’t answer a finished question again. Say “quiz me,” and I’ll ask you more questions like it."
        ),
    ),
    "mistakes_kept": (
        gettext_noop(
            "All your answers stay on your list, both right and wrong. A mistake doesn’t hold you back for long, "
            "because right answers bring your score up again. [See your progress](/progress/)."
        ),
        gettext_noop(
            "Yes, a wrong answer stays on your list, but it’s only one of many. Your next answers count too, and "
            "right ones bring the score up."
        ),
    ),
    "known_despite_mistake": (
        gettext_noop(
            "I look at all your answers together, not only at the last one. People who know a topic make mistakes "
            "too, so one mistake doesn’t decide your score. [See your answers](/progress/)."
        ),
        gettext_noop(
            "One mistake doesn’t mean that you don’t know the topic. Your other answers count too, and later I’ll "
            "ask you again to make sure. [See your answers](/progress/)."
        ),
    ),
    "hints_count": (
        gettext_noop(
            "A hint never lowers your score. With one hint, your first answer still counts. After a second hint, a right answer counts only as practice."
        ),
        gettext_noop(
            "You don’t lose anything by asking for help. After a second hint, the answer counts only as practice."
        ),
    ),
    "timer": (
        gettext_noop(
            "There’s no timer, so take as long as you like. I note how long an answer takes, but being slow doesn’t lower "
            "your score."
        ),
        gettext_noop("Take all the time you want. Fast answers don’t count more than slow ones."),
    ),
    "screen_reader": (
        gettext_noop(
            "You don’t have to turn anything on. The pages work with screen readers: pictures have a description, "
            "and you can do everything on a card with the keyboard. You can also ask me “what does the picture "
            "show?”."
        ),
    ),
    "no_drag": (
        gettext_noop(
            "You can also write your answer to me, such as “1/3, 2/3” for where the cuts go. With a keyboard, press Tab "
            "to go to the picture and use the arrow keys."
        ),
        gettext_noop(
            "You don’t have to drag anything. Tap a part to shade it, and tap the line where the point should go. Or "
            "write your answer to me."
        ),
    ),
    "data_use": (
        gettext_noop(
            "This site doesn’t use much data. There are no videos here, only text and simple drawings. I can’t tell "
            "you how many megabytes it uses."
        ),
    ),
    "offline_use": (
        gettext_noop(
            "No, you need a connection to this site. If you lose the connection for a moment, what you wrote is kept "
            "and sent when you’re connected again."
        ),
    ),
    "which_model": (
        gettext_noop(
            "I’m a program called learnagent. My lessons, my questions and the rules that check your answers are built in. When a language model helps with the wording, you’ll find its name under “How it works” beside the lesson."
        ),
        gettext_noop(
            "I’m learnagent, and I can teach without a language model. “How it works” beside the lesson says whether one is connected, and which one."
        ),
    ),
    "feelings": (
        gettext_noop(
            "No. I’m a program, so I don’t get bored, tired or angry. You can ask me the same thing as often as you like."
        ),
        gettext_noop("I’m a program, so I don’t have feelings. Take your time, and make as many mistakes as you like."),
    ),
    "telling": (
        gettext_noop(
            "I don’t contact your parents. If you’re in a class, [My classes](/accounts/classes/) says what your "
            "teacher can see. If you write that someone is in danger, your teacher may be told that you might need "
            "help."
        ),
    ),
    "spelling": (
        gettext_noop(
            "Spelling and grammar don’t count. What counts is what you mean. If I can’t read an answer, I’ll ask "
            "you to write it another way."
        ),
        gettext_noop(
            "No, I don’t grade your English. Short words and mistakes are fine, as long as I can understand you."
        ),
    ),
    "school_method": (
        gettext_noop(
            "Your school may do it another way, and there is often more than one right way. Use the way you know. "
            "I’ll check whether your answer is right."
        ),
        gettext_noop(
            "I don’t know how your school does it. If your way leads to the right answer, it counts here. If mine looks "
            "different, ask me about any step."
        ),
    ),
    "tools_allowed": (
        gettext_noop(
            "You can use paper, your fingers, notes or a calculator. But try it without them first, so that your "
            "score shows what you can do on your own."
        ),
    ),
    "change_profile": (
        gettext_noop(
            "In [your profile](/accounts/profile/), you can change the name I call you by, your level and your "
            "password. You can’t change your username or your age there. To change those, ask the people who run "
            "this site."
        ),
    ),
    "change_goal": (
        gettext_noop(
            "Yes, at any time. Tell me what you’d like to learn instead, or choose another goal on [your path](/path/). What you’ve done so far is kept."
        ),
    ),
    "delete": (
        gettext_noop(
            "To delete this conversation, open the three-dot menu at the top and press “Delete”. It stays in the trash "
            "for seven days, and your answers still count. To erase everything, go to [Your data](/accounts/data/)."
        ),
        gettext_noop(
            "You can delete a conversation from its three-dot menu, and your whole account under [Your "
            "data](/accounts/data/). You can’t delete a single answer."
        ),
    ),
    "buttons": (
        gettext_noop(
            "“I’m stuck” gives you a hint. Press it again, and you’ll get an example like your question. “Show me” "
            "shows the answer. In a quiz, that counts as “I don’t know”. “Skip” moves on without an answer and "
            "doesn’t lower your score."
        ),
    ),
    "wrong_mark": (
        gettext_noop(
            "Press “That’s not right” under your answer, and say why if you like. I’ll check the answer again, and "
            "if it was right, it will no longer count as wrong. If you’re in a class, your teacher may look at it "
            "too."
        ),
    ),
    "percentage": (
        gettext_noop(
            "The percentage is your score on a topic. A score of 80 percent means that you’d probably get about "
            "eight out of ten questions on that topic right. [See your progress](/progress/)."
        ),
        gettext_noop(
            "The percentage shows how many questions out of a hundred you’d probably get right on this topic. Your "
            "answers move it up or down. [See your progress](/progress/)."
        ),
    ),
    "score_doubt": (
        gettext_noop(
            "A score can be too low when I haven’t seen many of your answers yet. Open the topic under "
            "[My progress](/progress/) to see every answer behind it. To report the score, press “That’s not right” there. "
            "Your next answers will change it, too."
        ),
    ),
    "marking": (
        gettext_noop(
            "A program checks your answers by fixed rules: it works out each right answer itself and compares yours with "
            "it. If you think a mark is wrong, press “That’s not right” under your answer."
        ),
    ),
    "question_choice": (
        gettext_noop(
            "I choose the next question based on your answers: easier ones first, then harder ones as you get them right. If a "
            "question isn’t right for you, say “skip”, “easier” or “harder”."
        ),
    ),
    "show_work": (
        gettext_noop(
            "Only if the question asks for the steps. Otherwise the answer is enough, but writing the steps on paper can "
            "help."
        ),
    ),
    "few": (
        gettext_noop(
            "You decide how many you do. Everything is saved, and next time you continue where you stopped. To stop now, "
            "say “enough for today”."
        ),
    ),
    "forgotten": (
        gettext_noop(
            "That happens to most people, and it comes back faster than you’d think. Let’s take it step by step."
        ),
        gettext_noop("It’s normal to forget what you don’t use. A few questions will bring a lot of it back."),
    ),
    "same_kind": (
        gettext_noop(
            "This is the same kind of question with something changed. If you can do it more than once, you really "
            "know it. If you don’t want this one, say “skip”."
        ),
        gettext_noop(
            "One right answer can be luck, so I ask about the same topic in more than one way. When your answers "
            "show that you know it, I stop."
        ),
    ),
    "questions_left": (
        gettext_noop(
            "The top of the page shows which step you’re on and about how many there are. The number can change, because it "
            "depends on your answers."
        ),
    ),
    "at_end": (
        gettext_noop(
            "When you’ve mastered a topic, you get a page that shows what you can do now and what you could learn next. A few days "
            "later, I’ll ask you a question or two so that you don’t forget it."
        ),
    ),
    "certificate": (
        gettext_noop(
            "No, there are no certificates here. [My progress](/progress/) shows everything you’ve mastered, and you can print "
            "that page from your browser’s menu."
        ),
    ),
    "sound": (
        gettext_noop(
            "There’s no music, and there are no sound effects. If your browser supports it, I can read replies "
            "aloud. You can turn that on and off under “Speaking and listening” next to the message box."
        ),
    ),
    "look": (
        gettext_noop(
            "Yes. Press “Colors and text size” at the bottom of the main menu. There you can choose light or dark colors and "
            "larger letters. [Your profile](/accounts/profile/) has the same settings."
        ),
        gettext_noop(
            "You can choose dark colors and larger letters in [your profile](/accounts/profile/), or under “Colors and text size” "
            "at the bottom of the main menu."
        ),
    ),
    "download": (
        gettext_noop(
            "Yes. Open the three-dot menu at the top and choose “Save as text”. For a copy of everything, go to [Your "
            "data](/accounts/data/)."
        ),
    ),
    "report_problem": (
        gettext_noop(
            "Press thumbs-down under one of my replies and describe what went wrong. The people who run this site "
            "will read it. If an answer was marked wrong, press “That’s not right” under it."
        ),
        gettext_noop(
            "Thanks for telling me. Press thumbs-down under one of my replies and describe the problem there, so "
            "the people who run this site can see it. Reloading the page sometimes helps, too."
        ),
    ),
    "invite": (
        gettext_noop(
            "You can’t invite anyone from here, and learners can’t chat with each other. Give your friend the address "
            "of this site. Anyone can create an account. You can’t see each other’s answers."
        ),
    ),
    "parent_watch": (
        gettext_noop(
            "Parents don’t have their own accounts here. You can look at [My progress](/progress/) together. It "
            "shows all your answers and what you’ve mastered."
        ),
        gettext_noop(
            "There’s no special page for parents. Show them [My progress](/progress/), or print it from your "
            "browser’s menu."
        ),
    ),
    "difficulty": (
        gettext_noop(
            "Some parts need more thought than others, so they come in small steps. At any question you can ask for a "
            "hint, and if it gets too hard or too easy, tell me."
        ),
    ),
    "reliable": (
        gettext_noop(
            "I use fixed rules to check answers and work out calculations. I can still misread what you write. If "
            "something looks wrong, press “That’s not right” under your answer."
        ),
        gettext_noop(
            "I can be wrong, usually because I misunderstood you. Say it another way, or press “That’s not right” "
            "under an answer that was marked wrong."
        ),
    ),
    "reopen without lesson": (
        gettext_noop(
            "Yes. Your lessons are in the menu under “All conversations”. Your answers are under [My progress](/progress/)."
        ),
    ),
    "questions_left without lesson": (
        gettext_noop("There is no open question right now. What would you like to learn?"),
    ),
    "name": (gettext_noop("I have no name. I’m a program, and you can call me Tutor."),),
    "placement": (
        gettext_noop(
            "Yes. Before a lesson that builds on others, I ask up to 8 questions to find your starting point, and we skip "
            "what you know. You can also say “I know this” during a lesson."
        ),
    ),
    "placement without lesson": (
        gettext_noop(
            "Yes. Tell me what you’d like to be able to do. I’ll ask up to 8 questions to find your starting point, and "
            "we’ll skip what you know."
        ),
    ),
    "exam": (
        gettext_noop(
            "No, it’s not a test, and you can’t fail. There’s no exam at the end either. Your answers show me what to explain and what to ask next."
        ),
    ),
}
"""By topic; some are answered in another way before a lesson has begun."""
