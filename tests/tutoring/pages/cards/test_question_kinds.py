"""Cards of what is arranged, listed or worked out in lines: shown, answered, refused, closed."""

import re
from html import unescape
from pathlib import Path

import pytest

from conversations.models import Message, Turn
from conversations.web.markup import to_html
from tests.tutoring.idle_turn_handler import quiet_host  # noqa: F401  # A fixture.
from tests.tutoring.pages.views.test_answers import post, post_json, shown
from tests.tutoring.small_course import ask
from tutoring.courses.exercises.generator import make_exercise
from tutoring.courses.files.loader import parse_course
from tutoring.grading import MatchKey, OrderKey, key_from_json
from tutoring.mastery.records.progress import abandon_open
from tutoring.models import Attempt, Course, Question
from tutoring.pages.cards.arrangements import answer_html
from tutoring.pages.cards.rendering import questions_html
from tutoring.pages.contexts.evidence import evidence_context

pytestmark = [pytest.mark.db, pytest.mark.django_db, pytest.mark.usefixtures("quiet_host")]

COURSE = parse_course(Path(__file__).parents[2] / "courses" / "data" / "kinds")
ARRANGED = ("p-order", "p-match", "p-sort")


def put(person, template: str, seed: int = 3, **fields) -> Question:
    return ask(person, make_exercise(COURSE.template(template), seed=seed, course=COURSE), **fields)


def right(question: Question) -> dict[str, str]:
    """Return the fields of the right answer to an order or a match."""
    key = key_from_json(question.key["answer"])
    if isinstance(key, OrderKey):
        return {f"row-{letter}": str(place) for place, letter in enumerate(key.right, start=1)}
    assert isinstance(key, MatchKey)
    return {f"row-{row}": option for row, option in key.right}


def turned(fields: dict[str, str]) -> dict[str, str]:
    return dict(zip(fields, [*list(fields.values())[1:], next(iter(fields.values()))], strict=True))


@pytest.mark.parametrize("template", ARRANGED)
def test_right_arrangement_of_the_rows_closes_the_card(ada, template):
    question = put(ada, template)
    response, turn_id = post(ada, question, **right(question))
    assert response.status_code == 200
    assert 'data-state="answered"' in shown(response)
    assert Attempt.objects.get().correct
    assert "=" not in Message.objects.get(turn=turn_id, author="learner").text


@pytest.mark.parametrize("template", ARRANGED)
def test_wrong_arrangement_stays_as_it_was_put_and_tells_nothing(ada, template):
    question = put(ada, template)
    wrong = turned(right(question))
    response, _ = post(ada, question, **wrong)
    page = shown(response)
    assert 'data-state="open"' in page
    assert "is-right" not in page
    for name, value in wrong.items():
        assert re.search(
            rf'name="{name}".*?<option[^>]*?(?:value="{value}"[^>]*)? selected>(?:{value}<)?', page, re.DOTALL
        )


@pytest.mark.parametrize("template", ARRANGED)
def test_closed_arrangement_shows_what_is_right(ada, template):
    question = put(ada, template)
    post(ada, question, **turned(right(question)))
    Turn.objects.update(status="done")
    response, _ = post(ada, question, action="give_up", idempotency_key="k2")
    texts = [choice["text"] for choice in question.public["choices"]]
    assert 'data-state="answered"' in shown(response)
    assert all(text in unescape(shown(response)) for text in texts[:3])
    assert "<select" not in shown(response)


@pytest.mark.parametrize(
    ("template", "fields", "said"),
    [
        ("p-order", {"row-A": "1", "row-B": "2", "row-C": "3", "row-D": ""}, "Choose a place for everything"),
        ("p-order", {"row-A": "1", "row-B": "1", "row-C": "3", "row-D": "2"}, "the same place"),
        ("p-order", {"row-A": "1", "row-B": "2", "row-C": "3", "row-D": "9"}, "something that isn’t on the card"),
        ("p-order", {"row-A": "1", "row-B": "2", "row-C": "3", "row-Z": "4"}, "something that isn’t on the card"),
        ("p-order", {"answer": "x" * 10_000}, "something that isn’t on the card"),
        ("p-order", {}, "Choose a place for everything"),
        ("p-match", {"row-A": "1", "row-B": "2"}, "Choose something for every row"),
        ("p-match", {"row-A": "1", "row-B": "1", "row-C": "2"}, "with the same thing"),
        ("p-match", {"row-A": "1", "row-B": "2", "row-C": "<b>"}, "Choose something for every row"),
        ("p-match", {"row-A": "1" * 9_000}, "Choose something for every row"),
        ("p-set", {"answer": "1 2 3"}, "Put commas between"),
        ("p-set", {"answer": "1," * 5_000}, "longer than this question needs"),
        ("p-expression", {"answer": "as long as it is"}, "I couldn’t find an expression"),
        ("p-steps", {"answer": "1"}, "Show your steps too"),
        ("p-steps", {"answer": "no idea\nreally none"}, "I couldn’t find a calculation"),
        ("p-steps", {"answer": "1 + 1\n" * 1_600}, "too long"),
    ],
)  # fmt: skip
def test_answer_of_another_shape_is_422_in_a_clear_sentence_and_changes_nothing(ada, template, fields, said):
    """B1"""
    question = put(ada, template)
    response, turn_id = post(ada, question, **fields)
    assert (response.status_code, turn_id) == (422, None)
    assert said in unescape(shown(response))
    assert 'data-state="open"' in shown(response)
    assert not Attempt.objects.exists()


def test_places_chosen_so_far_stay_on_a_refused_card(ada):
    response, _ = post(ada, put(ada, "p-order"), **{"row-A": "3", "row-B": "1", "row-C": "", "row-D": ""})
    assert re.findall(r"<option selected>(\d)", shown(response)) == ["3", "1"]


def test_working_is_shown_line_by_line_and_the_first_wrong_one_is_named(ada):
    question = put(ada, "p-steps")
    start = key_from_json(question.key["answer"]).start
    response, _ = post(ada, question, answer=f"{start}\n7/1000\n<i>so</i>\n14/2000")
    page = shown(response)
    assert re.findall(r'<li class="is-(\w+)">', page) == ["follows", "breaks", "unread", "follows"]
    assert "Line 2 does not follow from the line before it." in page
    assert "<i>so" not in page


def test_partly_right_set_says_not_which_part(ada):
    question = put(ada, "p-set")
    values = key_from_json(question.key["answer"]).values
    response, _ = post(ada, question, answer=f"{values[0]}, 7/9")
    assert "whether one is missing" in shown(response)
    assert values[1] not in shown(response).split("</div>", 1)[1].split("Partly right")[1]


def test_named_values_say_which_comes_first_and_whether_they_are_swapped(ada):
    question = put(ada, "p-named")
    total, rest = key_from_json(question.key["answer"]).values
    response, _ = post(ada, question, answer=f"{rest}, {total}")
    page = unescape(shown(response))
    assert "Write the sum first, then the difference, with a comma between them." in page
    assert "The order does not matter" not in page
    assert f"the wrong way round: you wrote {rest} for the sum and {total} for the difference." in page
    Turn.objects.update(status="done")
    response, _ = post(ada, question, answer=f"difference {rest}, sum {total}", idempotency_key="k2")
    assert 'data-verdict="correct"' in shown(response)


def test_values_whose_names_are_unclear_are_asked_for_again(ada):
    response, turn_id = post(ada, put(ada, "p-named"), answer="sum 9, 5")
    assert (response.status_code, turn_id) == (422, None)
    assert "I couldn’t tell which number goes with which name." in unescape(shown(response))


@pytest.mark.parametrize("template", ["p-order", "p-match", "p-sort", "p-set", "p-steps", "p-solve", "p-expression"])
def test_open_card_holds_no_part_of_the_key(ada, template):
    question = put(ada, template)
    response, _ = post(ada, question, action="hint", answer="")
    page = unescape(shown(response))
    assert response.status_code == 200
    assert not any(line in page for line in question.key["solution"])
    assert "is-right" not in page


def test_answers_are_read_in_words_in_the_evidence(ada):
    order, working = put(ada, "p-order"), put(ada, "p-steps")
    post(ada, order, **turned(right(order)))
    Turn.objects.update(status="done")
    post(ada, working, answer="1/1000\n<b>2</b>\n2/1000", idempotency_key="k2")
    working_now, order_now = evidence_context(ada, order.concept)["answers"]
    assert all(re.fullmatch(r"1/\d+", piece["label"]) for piece in order_now["question"]["pieces"])
    assert [line["text"] for line in working_now["question"]["lines"]] == ["1/1000", "<b>2</b>", "2/1000"]


class TestTwoTabsAndOldCards:
    def test_other_arrangement_from_another_tab_is_told_and_shows_how_it_stands(self, ada):
        """B6, G15"""
        question = put(ada, "p-order")
        post(ada, question, **right(question))
        response, turn_id = post(ada, question, **turned(right(question)))
        assert (response.status_code, turn_id) == (422, None)
        assert 'data-state="answered"' in shown(response)
        assert Attempt.objects.get().correct

    def test_same_arrangement_twice_is_one_attempt(self, ada):
        """G15"""
        question = put(ada, "p-match")
        first, second = post(ada, question, **right(question)), post(ada, question, **right(question))
        assert first[1] == second[1]
        assert Attempt.objects.count() == 1

    @pytest.mark.parametrize("template", ["p-order", "p-steps"])
    def test_answer_after_the_quiz_closed_is_told_and_kept_out(self, ada, template):
        """B4"""
        question = put(ada, template)
        abandon_open(question.session)
        fields = right(question) if template == "p-order" else {"answer": "1/2\n1/3"}
        response, turn_id = post(ada, question, **fields)
        assert (response.status_code, turn_id) == (422, None)
        assert "This question is closed" in shown(response)
        assert not Attempt.objects.exists()

    @pytest.mark.parametrize("template", [*ARRANGED, "p-steps"])
    def test_tried_and_put_away_it_says_what_became_of_the_answer_and_gives_nothing_away(self, ada, template):
        question = put(ada, template)
        tried = {"answer": "1/2\n1/3"} if template == "p-steps" else turned(right(question))
        post(ada, question, **tried)
        abandon_open(question.session)
        answer, solution = Attempt.objects.get().answer, question.key["solution"]
        card = unescape(questions_html([{"id": str(question.pk)}], ada, None)[str(question.pk)])
        assert all(part in card for part in ("Your answer", "Let’s move on from this question.", "You answered"))
        assert unescape(str(answer_html(question, answer))) in card
        assert not any(part in card for part in ("This question is closed", "is-right", to_html(solution[0])))
        late = {"answer": "1/4\n1/5"} if template == "p-steps" else right(question)
        response, _ = post(ada, question, idempotency_key="k2", **late)
        assert "This question is already closed" in shown(response)
        assert unescape(str(answer_html(question, answer))) in unescape(shown(response))

    def test_course_reloaded_under_an_open_question_changes_nothing_of_it(self, ada):
        question = put(ada, "p-match")
        Course.objects.update(content={**Course.objects.get().content, "version": "2"}, source_hash="another")
        reread = Question.objects.get(pk=question.pk)
        assert reread.instance() == question.instance()
        response, _ = post(ada, reread, **right(question))
        assert Attempt.objects.get().correct
        assert 'data-state="answered"' in shown(response)

    def test_question_frozen_before_rows_were_known_is_still_read(self, ada):
        question = ask(ada)
        del question.public["rows"]
        question.save()
        response, _ = post(ada, question, answer="1/2")
        assert response.status_code == 200


class TestJson:
    def test_an_order_is_letters_and_a_match_pairs(self, ada):
        order, match = put(ada, "p-order"), put(ada, "p-match")
        letters = " ".join(order.key["answer"]["right"])
        pairs = " ".join(f"{row}={option}" for row, option in match.key["answer"]["right"])
        post_json(ada, order, {"answer": letters, "idempotency_key": "k"})
        Turn.objects.update(status="done")
        post_json(ada, match, {"answer": pairs, "idempotency_key": "k2"})
        assert list(Attempt.objects.order_by("pk").values_list("correct", flat=True)) == [True, True]

    def test_row_that_is_missing_names_the_field(self, ada):
        response, _ = post_json(ada, put(ada, "p-match"), {"answer": "A=1", "idempotency_key": "k"})
        assert response.status_code == 422
        assert '"fields": {"answer"' in shown(response)
