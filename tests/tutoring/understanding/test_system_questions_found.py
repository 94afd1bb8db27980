"""Each topic of questions about the system is found in words that no reference wording has, one of them left out."""

from collections import defaultdict

import numpy as np
import pytest
import yaml

from agents.local_models import embeddings
from tutoring.roles.explanation.system_answer_texts import SYSTEM_ANSWERS
from tutoring.understanding.message import make_message
from tutoring.understanding.system_questions import NONE, WISHLIKE, WORDINGS, find_system_question, topic_by_likeness

WORDINGS_BY_TOPIC: dict[str, list[str]] = yaml.safe_load(WORDINGS.read_text(encoding="utf-8"))
FEWEST = 7
"""Wordings of a topic."""
# Measured (2026-11-27): .68 of all wordings find their topic when left out, and .77 of `none` find no topic.
FOUND_FROM = 0.64
NONE_FROM = 0.74
NEW_WORDINGS = {
    "skip_loss": (
        "if I skip it, do I lose my progress?",
        "is skipping bad for my score",
        "does a skipped one count as wrong",
    ),
    "reopen": ("can I open the earlier cards again?", "where can I see my earlier lessons", "go one step back please"),
    "redo": (
        "can we do this one again",
        "can I redo a question that I got wrong?",
        "can I change my answer after I checked it",
    ),
    "mistakes_kept": ("does my mistake stay in my record?", "are my mistakes kept for ever", "is a mistake recorded"),
    "known_despite_mistake": (
        "why does it say I know it when I made a mistake",
        "how could I master it with one answer wrong",
        "you say that I can do it but I made an error",
    ),
    "hints_count": ("does a hint make my score lower?", "do hints count against my score", "is using a hint cheating"),
    "timer": ("is there any time limit", "do i need to be fast", "does it matter if I am slow"),
    "screen_reader": (
        "does it have a screen reader mode?",
        "can blind people use this",
        "does it work with JAWS screen reader",
    ),
    "no_drag": ("how do I put the point without dragging", "I can't drag things, is there another way?"),
    "data_use": ("does this use up a lot of mobile data?", "how many megabytes does it use"),
    "offline_use": ("can i use it offline", "does it run with no internet?", "do I have to have internet"),
    "difficulty": ("is this course hard?", "does it get more difficult", "will the next one be hard"),
    "which_model": ("r u chatgpt", "what language model is this", "are you from openai?"),
    "feelings": ("do you ever get bored?", "have you got feelings", "are you mad at me"),
    "telling": ("will you tell my mom about this", "are you going to tell my teacher?", "do you tell my parents"),
    "spelling": ("does my spelling count?", "is bad spelling a problem", "are spelling errors counted"),
    "school_method": (
        "is this the same method as in school",
        "my teacher teaches it differently",
        "we do it another way at school",
    ),
    "tools_allowed": ("may I use a calculator?", "is a calculator allowed", "can I use my notes"),
    "change_profile": ("how can I change my name", "where can I change my age?", "can I change my level"),
    "change_goal": ("how can I change my goal?", "can I pick a different goal", "I chose the wrong goal"),
    "delete": ("how can I delete my account", "how do I erase my data?", "can I delete this chat"),
    "buttons": ("what does the show me button do", "what is the I'm stuck button for?", "what are the buttons for"),
    "wrong_mark": ("what happens when I press that's not right", "what does the button that's not right do"),
    "percentage": (
        "what does the percentage tell me?",
        "what does this percentage mean",
        "where does that percent number come from",
    ),
    "same_kind": (
        "why do I get the same kind of question again?",
        "you asked me that already",
        "why the same question again",
    ),
    "questions_left": ("how many questions are left now", "how many more questions are you going to ask?"),
    "at_end": ("what will happen at the end?", "what happens when I finish the topic", "what comes at the end"),
    "exam": ("is this some kind of test?", "will there be a final exam", "is there an exam at the end"),
    "certificate": ("will I get a certificate?", "is there a certificate for this", "can I get a diploma"),
    "sound": ("does this have sound?", "is there music", "how can I turn off the voice"),
    "look": ("has this got a dark mode?", "can the letters be bigger", "how can I make the text larger"),
    "download": (
        "can I download the lesson?",
        "how can I export this conversation",
        "is there a way to download my answers",
    ),
    "report_problem": ("how can I report a problem?", "I found a bug in your program", "this page is broken"),
    "invite": ("how do I invite my friend?", "can my friend join", "can I chat with other kids here"),
    "parent_watch": ("can my parents watch?", "how do I see my child's progress", "is there a parent account"),
    "score_doubt": ("I do not agree with the score", "my percentage is too low"),
    "marking": ("who marks this, a person or a program?", "does a human check my answer"),
    "question_choice": ("why did you pick this question for me", "how do you decide what to ask me?"),
    "show_work": ("do I need to write the steps", "should I show how I worked it out"),
    "few": ("can I do just a few questions", "is it all right if I do only one"),
    "forgotten": ("I once knew all of this", "I used to know all this stuff"),
    "reliable": ("do you make mistakes?", "are you always correct", "can I trust your answers"),
}
"""By topic; none of them is in the file."""


@pytest.mark.parametrize("topic", NEW_WORDINGS)
def test_new_words_find_their_topic(topic: str) -> None:
    for text in NEW_WORDINGS[topic]:
        assert find_system_question(make_message(text))[0] == topic, text


def test_every_topic_has_wordings_and_none_stands_twice() -> None:
    flat = [each.casefold() for texts in WORDINGS_BY_TOPIC.values() for each in texts]
    new = {each.casefold() for texts in NEW_WORDINGS.values() for each in texts}
    assert {topic: len(texts) for topic, texts in WORDINGS_BY_TOPIC.items() if len(texts) < FEWEST} == {}
    assert len(set(flat)) == len(flat)
    assert new.isdisjoint(flat)
    assert WORDINGS_BY_TOPIC.keys() >= WISHLIKE


@pytest.mark.parametrize("text", WORDINGS_BY_TOPIC[NONE])
def test_what_is_about_the_lesson_stays_there(text: str) -> None:
    assert find_system_question(make_message(text))[0] == ""


def test_most_wordings_find_their_topic_when_left_out() -> None:
    topics = [topic for topic, texts in WORDINGS_BY_TOPIC.items() for _text in texts]
    texts = [text for texts in WORDINGS_BY_TOPIC.values() for text in texts]
    likeness = (
        embeddings.embed([make_message(each).tidied.lower() for each in texts])
        @ embeddings.embed([each.lower() for each in texts]).T
    )
    np.fill_diagonal(likeness, -1)
    found = defaultdict(list)
    for own, row in zip(topics, likeness, strict=True):
        found[own == NONE].append(topic_by_likeness(row)[0] == ("" if own == NONE else own))
    assert np.mean(found[False]) > FOUND_FROM
    assert np.mean(found[True]) > NONE_FROM


@pytest.mark.parametrize("topic", SYSTEM_ANSWERS)
def test_answers_are_plain(topic: str) -> None:
    for answer in SYSTEM_ANSWERS[topic]:
        filled = answer % {"concept": "Halves"}
        assert not {"!", "'", '"', "%"} & {*filled}, answer
        assert len(filled.split()) < 60, answer
