"""What a table shares: the store within its limits, sentences said once, earlier rounds within the context limit."""

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations.round_table.record import Spoken
from conversations.round_table.results import Contribution
from conversations.round_table.roster import SHIPPED, Seat
from conversations.round_table.shared_store import MOST_ENTRIES, SharedStore, StoreEntry
from conversations.round_table.table import SaidSentences, Table
from conversations.round_table.tools import nearest_sentences
from conversations.round_table.voices import says_something_new
from conversations.round_table.wording import content_of, word_rounds

SEATS = tuple(
    Seat(
        name=name,
        title=str(fields["title"]),
        purpose="",
        instructions="",
        looks_for=fields["looks_for"],
        capabilities=tuple(fields["capabilities"]),
        tools=(),
        tier="fast",
        timeout_s=30,
        most_words=120,
    )
    for name, fields in SHIPPED.items()
)
TABLE = Table(turn_id=uuid.UUID(int=1), question="What is a half?", seats=SEATS, rounds=3)


def entry(key: str, value: str = "v", *, agent: str = "sceptic") -> StoreEntry:
    return StoreEntry(kind="discoveredData", key=key, value=value, agent=agent, round=1)


def spoken(text: str, *, agent: str = "sceptic", number: int = 1) -> Spoken:
    return Spoken(agent=agent, round=number, contribution=Contribution(round=number), text=text)


def test_entry_keeps_who_wrote_it_and_when():
    store = SharedStore()
    assert store.write(entry("a")) == ""
    assert [(each.agent, each.round) for each in store.entries("discoveredData")] == [("sceptic", 1)]
    assert list(store.entries("collaborationNotes")) == []


def test_nobody_replaces_what_another_wrote():
    store = SharedStore([entry("a")])
    assert "belongs to sceptic" in store.write(entry("a", "other", agent="historian"))
    assert store.write(entry("a", "better")) == ""
    assert [each.value for each in store.entries()] == ["better"]


def test_store_has_an_end():
    store = SharedStore(entry(str(number)) for number in range(MOST_ENTRIES))
    assert "full" in store.write(entry("one more"))
    large = SharedStore(entry(str(number), "x" * 4_000) for number in range(15))
    assert "full" in large.write(entry("large", "x" * 4_000))


def test_long_value_is_no_entry():
    with pytest.raises(ValueError, match="value"):
        entry("a", "x" * 4_001)


def test_sentence_belongs_to_the_first_that_says_it():
    said = SaidSentences()
    sentence = "A half is one of two equal parts."
    assert said.claim(sentence, agent="explainer", round_number=1)
    assert said.claim(sentence, agent="explainer", round_number=1)
    assert not said.claim(f"{sentence.upper()} ", agent="sceptic", round_number=1)
    assert not said.claim(sentence, agent="explainer", round_number=2)
    assert said.claim("I agree.", agent="sceptic", round_number=1)
    assert said.claim("I agree.", agent="explainer", round_number=1)


def test_nothing_to_add_is_nothing_new_and_said_by_each_in_its_own_words():
    assert not says_something_new(spoken("Nothing to add."), [])
    contents = {content_of(spoken("Nothing to add.", agent=name)) for name in ("sceptic", "historian")}
    assert len(contents) == 2


def test_old_words_in_a_new_order_are_nothing_new():
    earlier = [spoken("Bread was shared among scribes beside the river.")]
    assert not says_something_new(spoken("Beside the river scribes shared bread.", number=2), earlier)
    assert says_something_new(spoken("Merchants counted cattle with clay tokens.", number=2), earlier)


@given(
    st.lists(
        st.tuples(st.sampled_from([seat.name for seat in SEATS]), st.integers(1, 10), st.text(max_size=3_000)),
        max_size=50,
    ),
    st.integers(0, 12_000),
)
def test_earlier_rounds_are_never_longer_than_their_room(said, room):
    rounds = [spoken(text, agent=agent, number=number) for agent, number, text in said]
    assert len(word_rounds(TABLE, rounds, room=room)) <= room


def test_latest_round_has_the_larger_part_of_the_room():
    rounds = [spoken("old " * 500, number=1), spoken("new " * 500, number=2)]
    words = word_rounds(TABLE, rounds, room=1_000)
    assert words.count("new") > words.count("old") > 0


def test_question_is_answered_with_what_was_said_on_it():
    said = ["Scribes wrote on clay. Bread was shared in parts."]
    assert nearest_sentences("Was bread shared?", said) == ["Bread was shared in parts."]
    assert nearest_sentences("What about cattle?", said) == []
