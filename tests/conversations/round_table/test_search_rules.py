"""What each collaborator searches for, and which sentences it takes."""

from hypothesis import given
from hypothesis import strategies as st

from conversations.round_table.search_rules import RULES, candidates, queries_for, things_of, topic_of
from tests.conversations.round_table.conftest import QUESTION, TEXT, passage

SEATED = frozenset({"definitions", "objections", "examples", "origins", "uses"})


def taken(rule: str, text: str = TEXT, *, question: str = QUESTION, likeness: float | None = 0.8) -> list[str]:
    found = candidates(rule, question, [passage(text, likeness=likeness)], seated=SEATED)
    return [each.statement for each in found]


def test_request_for_a_discussion_is_no_topic():
    assert topic_of("Please discuss: is zero a number?") == "is zero a number"
    assert topic_of("Discuss.") == "Discuss."
    assert things_of(QUESTION) == ("invention", "fraction", "zero")


def test_each_thing_is_looked_up_by_itself():
    queries = queries_for("definitions", QUESTION, round_number=1)
    assert queries[:2] == ("What is fraction?", "What is zero?")


def test_later_rounds_search_for_what_others_brought_up():
    first, second = (
        queries_for("origins", QUESTION, round_number=number, heard=heard) for number, heard in ((1, ""), (2, "bread"))
    )
    assert not set(first) & set(second)
    assert any("bread" in each for each in second)


def test_every_sentence_is_taken_by_one_rule_at_most():
    sentences = [sentence for rule in SEATED for sentence in taken(rule)]
    assert len(sentences) == len(set(sentences)) == 5


def test_sentence_that_leans_on_the_one_before_is_left_out():
    assert taken("anything", "Fractions are old. They come from Egypt and name a part of zero.") == []


def test_sentence_about_something_else_is_left_out():
    assert taken("definitions", "A transformer is a network that reads a text all at once.") == []
    assert taken("definitions", likeness=0.3) == []


def test_large_number_in_a_fraction_is_no_year():
    assert taken("origins", "The fraction 1/1000 is smaller than the fraction 1/100 and bigger than zero.") == []


@given(st.text(max_size=300), st.sampled_from(sorted(RULES)), st.integers(1, 10), st.text(max_size=40))
def test_any_question_gives_short_queries(question, rule, number, heard):
    queries = queries_for(rule, question, round_number=number, heard=heard)
    assert all(len(each) <= 400 for each in queries)
    assert len(set(queries)) == len(queries)


@given(st.text(max_size=600), st.sampled_from(sorted(RULES)))
def test_what_is_taken_stands_in_the_passage(text, rule):
    for each in candidates(rule, QUESTION, [passage(text)]):
        assert each.statement == " ".join(text[each.start : each.end].split())
