"""TwiML: well-formed whatever is said."""

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from conversations.phone import twiml
from conversations.speech.spoken_text import speak_text


@given(st.text())
def test_whatever_is_said_comes_back_as_words(said: str) -> None:
    words = speak_text(said)
    for document in (
        twiml.ask(words, action="/a?b=1&c=<"),
        twiml.redirect(words, to="/a?b=1&c=<"),
        twiml.hang_up(words),
    ):
        response = ElementTree.fromstring(document)
        assert {each.tag for each in response.iter()} <= {"Response", "Gather", "Say", "Redirect", "Hangup"}
        assert " ".join(each.text or "" for each in response.iter("Say")) == words


@given(st.lists(st.sampled_from(["word", "end.", "x" * 2_000]), max_size=60))
def test_long_words_are_said_in_portions_that_twilio_reads(words: list[str]) -> None:
    response = ElementTree.fromstring(twiml.hang_up(" ".join(words)))
    said = [each.text or "" for each in response.iter("Say")]
    assert all(0 < len(each) <= twiml.LONGEST_SAY for each in said)
    assert "".join(said).replace(" ", "") == "".join(words)


def test_caller_is_listened_to_even_if_nothing_is_said() -> None:
    gather = ElementTree.fromstring(twiml.ask("Hello", action="/next")).find("Gather")
    assert gather is not None
    assert gather.attrib["input"] == "speech dtmf"
    assert gather.attrib["actionOnEmptyResult"] == "true"
    assert gather.attrib["action"] == "/next"
