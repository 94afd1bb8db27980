"""Clauses, obligations, dates, periods and parties, found in the words of a contract."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations.contracts.findings import KINDS, FindingKind, find_terms
from conversations.contracts.sentences import clause_headings, split_sentences

CONTRACT = """Service Agreement

This Agreement is made on 1 March 2026 between Northwind Ltd. (the “Supplier”) and City School (the "Customer").

1. Definitions
In this Agreement, "Services" means the lessons listed in Annex No. 2.

2. Delivery
2.1 The Supplier shall deliver the Services within thirty (30) days of the Effective Date.
2.2 If the Customer asks for it in writing, the Supplier must repeat a lesson; the Customer may not resell it.

3. Payment. The Customer agrees to pay each invoice within 14 business days.

4. Term and Termination
This Agreement starts on March 15, 2026 and runs for a period of two years. Either party may end it by three
months' notice. Notices are sent to the address in sec. 1.

(a) The Supplier is required to return all records by 2028-04-01.
"""


def found(kind: FindingKind, text: str = CONTRACT) -> list[tuple[str, str]]:
    """Return each finding's value, and the clause it stands in."""
    return [(text[each.value.start : each.value.end], each.clause) for each in find_terms(text, kinds=[kind])]


def quotes(kind: FindingKind, text: str = CONTRACT) -> list[str]:
    return [" ".join(text[each.span.start : each.span.end].split()) for each in find_terms(text, kinds=[kind])]


def test_clauses_come_with_number_and_title() -> None:
    headings = [(each.number, each.title) for each in clause_headings(CONTRACT)]
    assert [(number, title) for number, title in headings if "." not in number] == [
        ("1", "Definitions"), ("2", "Delivery"), ("3", "Payment"), ("4", "Term and Termination"),
    ]  # fmt: skip
    assert {number for number, _title in headings} == {"1", "2", "2.1", "2.2", "3", "4"}


def test_obligations_say_who_owes_and_are_quoted_whole() -> None:
    assert found("obligation") == [
        ("The Supplier", "2.1"), ("the Supplier", "2.2"), ("the Customer", "2.2"), ("The Customer", "3"), ("The Supplier", "4"),
    ]  # fmt: skip
    assert "2.1 The Supplier shall deliver the Services within thirty (30) days of the Effective Date." in quotes(
        "obligation"
    )


def test_dates_and_periods_are_as_written() -> None:
    assert [value for value, _clause in found("date")] == ["1 March 2026", "March 15, 2026", "2028-04-01"]
    assert [value for value, _clause in found("period")] == [
        "thirty (30) days", "14 business days", "two years", "three\nmonths'",
    ]  # fmt: skip


def test_parties_are_those_that_the_contract_names() -> None:
    assert [value for value, _clause in found("party")] == ["Supplier", "Customer"]
    assert found("party", 'The lesson (the "Lesson") shall begin.') == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The weather was good.",
        "She mustered her courage in 12 places.",
        "In 2026 it rained.",
        "You may go. A marshal left.",
    ],
)
def test_text_that_is_no_contract_says_nothing(text: str) -> None:
    assert list(find_terms(text, kinds=["obligation", "date", "period", "party"])) == []


def test_full_stops_of_short_forms_end_no_sentence() -> None:
    text = "Northwind Ltd. shall pay Acme Inc. by Art. 3 of this deed. It did."
    assert [text[each.start : each.end] for each in split_sentences(text)] == [
        "Northwind Ltd. shall pay Acme Inc. by Art. 3 of this deed.",
        "It did.",
    ]


PIECES = st.sampled_from(
    ["The Supplier", " shall ", " must not ", "within 30 days", "1 May 2026", "\n\n", "\n", ". ", "; ", "2.1 ", "(a) ",
     "between ", "(the “Buyer”)", "Section 4 ", "…", "Ltd. ", "agrees to "]
)  # fmt: skip


@given(st.lists(PIECES | st.text(max_size=6), max_size=40).map("".join))
def test_every_finding_is_a_part_of_the_text_and_its_value_a_part_of_its_quote(text: str) -> None:
    for each in find_terms(text):
        assert 0 <= each.span.start < each.span.end <= len(text)
        assert each.span.start <= each.value.start <= each.value.end <= each.span.end
        assert each.kind in KINDS


@given(st.lists(PIECES | st.text(max_size=6), max_size=40).map("".join))
def test_sentences_are_all_of_the_text_in_order(text: str) -> None:
    spans = list(split_sentences(text))
    assert all(one.end <= other.start for one, other in pairwise(spans))
    assert "".join("".join(text[each.start : each.end].split()) for each in spans) == "".join(text.split())
