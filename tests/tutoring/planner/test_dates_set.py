"""150 phrases of times that other people wrote: at least 97 % are read as they meant them."""

from collections import Counter

from bench.planner.dates import scores


def test_labelled_phrases_are_read() -> None:
    found = scores()
    wrong = sum((each.wrong for each in found.values()), Counter[str]())
    right, total = sum(each.right for each in found.values()), sum(each.total for each in found.values())
    assert total == 150
    # Totals only: the rows stay unseen.
    assert right / total >= 0.97, {form: (each.right, each.asked, dict(each.wrong)) for form, each in found.items()}
    assert wrong.total() <= 4
