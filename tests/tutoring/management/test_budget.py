"""`manage.py budget`: limits by account, shown with what is spent; one clear line for what cannot be."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from agents.models import Budget, BudgetChange
from tutoring.classes.membership import make_class

pytestmark = pytest.mark.django_db


def budget(*arguments: str) -> str:
    out = StringIO()
    call_command("budget", *arguments, stdout=out)
    return out.getvalue().strip()


def test_amount_is_set_and_shown(ada):
    shown = "person:ada: $0.50 per day, no token limit; spent today $0.0000 and 0 tokens"
    assert budget("person:ada", "--per-day", "0.50") == shown == budget("person:ada")


def test_less_than_a_cent_is_shown_as_it_was_set(db):
    assert budget("site", "--per-day", "0.0001").startswith("site: $0.0001 per day")


def test_class_is_found_however_its_code_is_written(grace):
    make_class(grace, "4b", code="4b")
    assert budget("class:4B", "--tokens-per-day", "200000").startswith("class:4b: no spending limit, 200,000 tokens")


def test_nothing_takes_the_limit_away(db):
    budget("site", "--per-day", "1", "--tokens-per-day", "5")
    assert budget("site", "--per-day", "0").startswith("site: no spending limit, 5 tokens per day")
    assert budget("site", "--tokens-per-day", "0").startswith("site: no spending limit, no token limit")
    assert not Budget.objects.exists()
    assert BudgetChange.objects.count() == 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["person:nobody"], "There is no account nobody."),
        (["class:9z"], "There is no class 9z."),
        (["everybody"], "everybody is not an account."),
        (["site:x"], "site:x is not an account."),
        (["site", "--per-day=much"], "much is not an amount of money."),
        (["site", "--per-day=nan"], "nan is not an amount of money."),
        (["site", "--per-day=-1"], "A budget must be 0 or more."),
        (["site", "--per-day=1e9"], "digits"),
        (["site", "--tokens-per-day=-5"], "-5 is not a number of tokens."),
    ],
    ids=str,
)
def test_what_cannot_be_is_said_in_a_line(db, arguments, words):
    with pytest.raises(CommandError) as failure:
        budget(*arguments)
    assert words in str(failure.value)
    assert "\n" not in str(failure.value)
    assert not Budget.objects.exists()
