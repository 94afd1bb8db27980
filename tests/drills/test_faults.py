"""The faults of a model's provider strike the reply's words, whoever else is asked for the same message."""

from drills.provider_faults import Faulty, case
from tests.provider.model_request import ProviderRequest

CUT = case("V7:cut", "LLMTruncated")


def asked(text, **shape):
    fields = {"wire": "openai", "model": "fake", "system": "You teach.", "history": (text,), "last": text}
    fields |= {"stream": True, "counts_usage": True, "shape": "", "schema": None, "tools": {}, "images": 0}
    return ProviderRequest(**fields | shape)


def test_words_of_the_reply_are_struck():
    assert Faulty([CUT])(asked(CUT.question)).fault == CUT.fault


def test_whoever_decides_whose_the_message_is_answers_well():
    schema = {"type": "object", "properties": {"agent": {"enum": ["tutor"]}}, "required": ["agent"]}
    answer = Faulty([CUT])(asked(CUT.question, shape="schema", schema=schema))
    assert (answer.fault, answer.object) == ("", {"agent": "tutor"})
