import pytest

from tutoring.understanding.parsing.set_phrases import set_phrase_intent


@pytest.mark.parametrize(
    ("words", "intent"),
    [
        ("everyone else finds this easy", "emotion_negative"),
        ("can we do a quiz instead", "ask_quiz"),
        ("hint i guess", "ask_hint"),
        ("ok another hint, a good one", "ask_hint"),
        ("a little help please, not the answer", "ask_hint"),
        ("bruh that was right", "disagree"),
        ("thats what i said", "correction_of_tutor"),
        ("you are not listening", "correction_of_tutor"),
        ("oh", "go_on"),
        ("ahh ok", "go_on"),
        ("im a bit less sad now", "emotion_positive"),
        ("i'm not nervous any more", "emotion_positive"),
        ("i feel much better now", "emotion_positive"),
        ("hiii im mila im 9", "greeting"),
        ("hello there, my name is tom", "greeting"),
        ("im 9", "small_talk"),
        ("i'm only twelve years old", "small_talk"),
    ],
)
def test_a_set_phrase_has_its_intent(words, intent):
    assert set_phrase_intent(words) == intent


@pytest.mark.parametrize(
    "words",
    [
        "oh so it is 3",
        "the hint was bad",
        "hints are for babies",
        "i need some help with halves",
        "oh no",
        "i don't feel better",
        "i would feel better if i were dead",
        "is that less sad?",
        "not scared but sad",
        "hi, i'm anna and i need help",
        "hi what is a half",
        "i am 3/4 done",
        "9",
    ],
)
def test_other_words_are_left_to_the_classifier(words):
    assert set_phrase_intent(words) is None
