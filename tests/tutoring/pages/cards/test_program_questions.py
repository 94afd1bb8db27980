"""Cards of questions about programs: shown, answered, refused, closed, and what a program prints without a try."""

from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.test import Client

from conversations.models import Message
from tests.tutoring.idle_turn_handler import quiet_host  # noqa: F401  # A fixture.
from tests.tutoring.pages.views.test_answers import post, post_json, shown
from tests.tutoring.small_course import ask, make_course
from tutoring.assignments.quiz_papers import paper_key, paper_questions
from tutoring.courses.exercises.exercise import Exercise
from tutoring.courses.exercises.generator import make_exercise
from tutoring.courses.files.loader import parse_course
from tutoring.courses.serialization import course_to_json
from tutoring.mastery.records.withdrawals import askable_content
from tutoring.mastery.records.withheld_sums import program_reason
from tutoring.models import Attempt, Question
from tutoring.output_checks.answer_disclosure import discloses_answer
from tutoring.pages.cards.texts import questions_text
from tutoring.pages.contexts.evidence import evidence_context
from tutoring.understanding.analysis import analyse
from tutoring.understanding.context import Context, Prompt

pytestmark = [pytest.mark.db, pytest.mark.django_db, pytest.mark.usefixtures("quiet_host")]

COURSE = parse_course(Path(__file__).parents[2] / "courses" / "data" / "programs")
DOUBLE = "def double(n):\n    return 2 * n"
LINES = "def double(n):\n    return 2 * n\nprint(double(3))"


def made(template: str) -> Exercise:
    return make_exercise(COURSE.template(template), seed=1, course=COURSE)


def put(person, template: str, **fields) -> Question:
    return ask(person, made(template), **fields)


def letters(question: Question, *placed: tuple[str, int]) -> dict[str, str]:
    """Return the fields of these lines in order, each with its level; the other lines are left out."""
    known = {each["text"].strip("`"): each["letter"] for each in question.public["choices"]}
    fields = {f"row-{letter}": "" for letter in known.values()} | {f"indent-{each}": "0" for each in known.values()}
    for place, (line, level) in enumerate(placed, start=1):
        fields |= {f"row-{known[line]}": str(place), f"indent-{known[line]}": str(level)}
    return fields


class TestCode:
    def test_card_begins_with_the_starter_and_shows_no_key(self, ada):
        question = put(ada, "fn-s-code")
        page = shown(post(ada, question, action="hint")[0])
        assert "def double(n):\n    ..." in page
        assert "data-code" in page
        assert f"/learn/answers/{question.pk}/run" in page
        assert "2 * n" not in page

    def test_right_program_closes_the_card_and_stands_as_code_in_the_conversation(self, ada):
        question = put(ada, "fn-s-code")
        response, turn_id = post(ada, question, answer=DOUBLE.replace("\n", "\r\n"))
        assert 'data-state="answered"' in shown(response)
        assert "<pre><code>def double(n):" in shown(response)
        assert Message.objects.get(turn=turn_id, author="learner").text == f"```python\n{DOUBLE}\n```"

    def test_first_failing_case_is_told_in_plain_words_with_the_idea(self, ada):
        question = put(ada, "fn-s-code")
        page = shown(post(ada, question, answer="def double(n):\n    print(2 * n)")[0])
        assert "<code>double(3)</code> should return <code>6</code>. It printed the value" in page
        attempt = Attempt.objects.get()
        assert (attempt.verdict, attempt.misconceptions) == ("wrong", ["prints_instead"])
        assert attempt.as_judgement().failure.call == "double(3)"

    def test_what_a_case_says_is_told_if_it_fails_first(self, ada):
        question = put(ada, "fn-s-code")
        page = shown(post(ada, question, answer="def double(n):\n    return 6")[0])
        assert "What is twice 0?" in page
        assert "1 of 2 checks passes." in page
        assert "Partly right." in page

    @pytest.mark.parametrize(
        ("program", "told"),
        [
            ("def double(n)\n    return 1", "read line 1: expected &#x27;:&#x27;. Lines that begin with"),
            ("def double(n):\n    return 2 *", "read line 2: invalid syntax."),
            ("n = input()", "Nobody can type input while a program runs here."),
            ("open('x')", "Programs here cannot use files"),
            ("def double(n):\n    ...", "This is still the program it began with."),
            ("", "Write your program first."),
        ],
    )
    def test_what_is_no_try_is_told_and_stays_in_the_field(self, ada, program, told):
        question = put(ada, "fn-s-code")
        response, turn = post(ada, question, answer=program)
        assert (response.status_code, turn) == (422, None)
        assert told in shown(response)
        assert program.split("\n")[0].replace("'", "&#x27;") in shown(response)
        assert not Attempt.objects.exists()

    @pytest.mark.parametrize(
        ("program", "told"),
        [
            ("def double(n):\n    while True:\n        n += 1", "ran for 2 seconds and was stopped"),
            ("def double(n):\n    return n + missing", "stopped in line 2: <code>NameError: name"),
            ("def double(a, b):\n    return 1", "called with another number of values"),
            ("print(1 / 0)", "Something is divided by zero."),
            ("def double(n):\n    return str(2 * n)", "With quotation marks, a value is a text."),
        ],
    )
    def test_program_that_stops_is_a_wrong_try_with_the_reason(self, ada, program, told):
        question = put(ada, "fn-s-code")
        response, _ = post(ada, question, answer=program)
        assert told in shown(response)
        assert Attempt.objects.get().verdict == "wrong"

    def test_required_word_is_asked_for(self, ada):
        question = put(ada, "fn-s-more")
        page = shown(post(ada, question, answer="def last(things):\n    return things.pop()")[0])
        assert "Your program works, but the question asks for another way." in page
        assert "Use <code>index</code> in your program." in page

    def test_program_comes_as_json_too(self, ada):
        question = put(ada, "fn-s-code")
        body = {"answer": f"```\n{DOUBLE}\n```", "idempotency_key": "k"}
        assert b'"verdict": "correct"' in post_json(ada, question, body)[0].content

    def test_clients_without_cards_see_the_starter_and_the_answer_as_code(self, ada):
        question = put(ada, "fn-s-code")
        card = {"kind": "question", "id": str(question.pk)}
        assert "```python\ndef double(n):\n    ...\n```" in questions_text([card], ada)[str(question.pk)]
        post(ada, question, answer=DOUBLE)
        assert f"```python\n{DOUBLE}\n```" in questions_text([card], ada)[str(question.pk)]


class TestRun:
    def run(self, client: Client, question: Question, program: str):
        return client.post(f"/learn/answers/{question.pk}/run", {"answer": program})

    @pytest.mark.parametrize(
        ("program", "told"),
        [
            ("print(6)", "<code>6\n</code>"),
            ("x = 1", "It ran and printed nothing."),
            ("print(1)\nprint(2 / 0)", "Line 2: ZeroDivisionError"),
            ("print('<b>')", "&lt;b&gt;"),
            ("while True: pass", "ran for 2 seconds and was stopped"),
            ("for x", "Line 1: SyntaxError"),
            ("", "Write your program first."),
        ],
    )
    def test_output_is_shown_and_nothing_is_stored(self, ada, client, program, told):
        question = put(ada, "fn-s-code")
        client.force_login(ada)
        assert told in self.run(client, question, program).content.decode()
        assert not Attempt.objects.exists()

    def test_only_the_own_open_question_of_this_kind_runs(self, ada, ben, client):
        question = put(ada, "fn-s-code")
        client.force_login(ben)
        assert self.run(client, question, "print(6)").status_code == 404
        client.force_login(ada)
        assert self.run(client, put(ada, "fn-s-trace", number=2), "print(6)").status_code == 422

    def test_runs_are_limited(self, ada, client, monkeypatch):
        monkeypatch.setattr("tutoring.pages.views.program_runs.RUNS_PER_MINUTE", 1)
        question = put(ada, "fn-s-code")
        client.force_login(ada)
        assert self.run(client, question, "print(6)").status_code == 200
        assert self.run(client, question, "print(6)").status_code == 429

    def test_where_programs_cannot_run_there_is_no_button_and_no_try(self, ada, settings):
        question = put(ada, "fn-s-code")
        settings.AGENTS = django_settings.AGENTS | {"sandbox": ""}
        response, _ = post(ada, question, answer="def double(n):\n    return 3")
        assert "Programs can’t run right now." in shown(response)
        assert "data-run" not in shown(response)
        assert not Attempt.objects.exists()


class TestLines:
    RIGHT = (("def double(n):", 0), ("return 2 * n", 1), ("print(double(3))", 0))

    def test_card_shows_lines_without_indentation_and_where_they_may_be_left_out(self, ada):
        page = shown(post(ada, put(ada, "fn-s-lines"), action="hint")[0])
        assert page.count('name="indent-') == 4
        assert "data-left-out-mark" in page
        assert 'data-piece="print(2 * n)"' in page

    def test_right_lines_close_the_card_and_are_shown_as_a_program(self, ada):
        question = put(ada, "fn-s-lines")
        response, turn_id = post(ada, question, **letters(question, *self.RIGHT))
        assert 'data-state="answered"' in shown(response)
        assert Message.objects.get(turn=turn_id, author="learner").text == f"```python\n{LINES}\n```"

    def test_indentation_alone_is_partly_right_and_stays_as_it_was_put(self, ada):
        question = put(ada, "fn-s-lines")
        page = shown(post(ada, question, **letters(question, *((line, 0) for line, _ in self.RIGHT)))[0])
        assert "Look at how far line 2 is indented." in page
        places = [page.index(f'data-piece="{line}"') for line, _ in self.RIGHT]
        assert places == sorted(places)
        assert page.index("data-left-out-mark") < page.index('data-piece="print(2 * n)"')

    def test_wrong_line_is_told_with_what_the_program_prints(self, ada):
        question = put(ada, "fn-s-lines")
        wrong = (self.RIGHT[0], ("print(2 * n)", 1), self.RIGHT[2])
        page = shown(post(ada, question, **letters(question, *wrong))[0])
        assert "One of the lines does not belong in the program." in page
        assert Attempt.objects.get().misconceptions == ["prints_instead"]

    def test_typed_lines_are_an_answer_too(self, ada):
        post(ada, put(ada, "fn-s-lines"), answer=LINES.replace("    ", "  "))
        assert Attempt.objects.get().correct


class TestTrace:
    def test_program_is_shown_as_code_with_the_question(self, ada):
        page = shown(post(ada, put(ada, "fn-s-trace"), action="hint")[0])
        assert "<pre><code>def add(n):" in page
        assert ">What does this program print?</b>" in page

    @pytest.mark.parametrize(
        ("answer", "told"),
        [
            ("5 1", "Each print begins a new line."),
            ("5\n2", "The first line is right. Look at line 2 again."),
            ("'5'\n'1'", "Look at the quotation marks"),
            ("41\n1", "Look at line 1 again."),
        ],
    )
    def test_first_difference_is_told(self, ada, answer, told):
        assert told in shown(post(ada, put(ada, "fn-s-trace"), answer=answer)[0])

    def test_output_closes_the_card(self, ada):
        response, _ = post(ada, put(ada, "fn-s-trace"), answer="5\r\n1 \r\n")
        assert 'data-state="answered"' in shown(response)


def test_no_tool_runs_the_program_of_an_open_question(ada):
    question = put(ada, "fn-s-trace")
    program = question.key["answer"]["program"]
    assert "Work it out first" in program_reason(f"x = 1\n{program}\nprint(x)", ada.pk)
    assert program_reason("print(add(4))", ada.pk) == ""
    post(ada, question, answer="5\n1")
    assert program_reason(program, ada.pk) == ""


def test_evidence_shows_programs_as_code(ada):
    question = put(ada, "fn-s-code", purpose="practice")
    post(ada, question, answer="def double(n):\n    return n")
    (answer,) = evidence_context(ada, question.concept)["answers"]
    assert answer["said"] == "def double(n):\n    return n"
    assert "<pre><code>def double(n):" in answer["question"]["answer_block"]


def test_paper_has_room_for_programs_and_a_key_in_code():
    exercises = [made(each) for each in ("fn-s-code", "fn-s-lines", "fn-s-trace")]
    code, lines, trace = paper_questions(exercises)
    assert (len(code["lines"]), len(lines["lines"]), len(trace["lines"])) == (10, 4, 4)
    assert "def double(n):" in str(code["starter_html"])
    keys = paper_key(exercises, COURSE.misconceptions)
    assert all("<pre><code>" in str(each["answer_html"]) for each in keys)
    assert "print(2 * n)" in str(keys[0]["wrong"][0]["html"])


@pytest.mark.parametrize(
    ("template", "text", "discloses"),
    [
        ("fn-s-code", "Write return 2 * n in it.", True),
        ("fn-s-code", "`return 2*n`", True),
        ("fn-s-code", "Use return to give the value back.", False),
        ("fn-s-trace", "It prints 5 and then 1.", True),
        ("fn-s-trace", "The first line is 5.", False),
        ("fn-s-trace", "Look at add(4) once more.", False),
        ("fn-s-lines", LINES, True),
        ("fn-s-lines", "First comes def double(n):", False),
    ],
)
def test_what_gives_the_answer_away(template, text, discloses):
    assert discloses_answer(text, made(template)) is discloses


@pytest.mark.parametrize(
    ("template", "text", "verdict"),
    [
        ("fn-s-code", DOUBLE, "right"),
        ("fn-s-code", f"Here is mine:\n```py\n{DOUBLE}\n```", "right"),
        ("fn-s-code", "def double(n):\n    return n + 1", "wrong"),
        ("fn-s-code", "def double(n):\n    return n", "partly"),
        ("fn-s-code", "def double(n)\n    return n", "none"),
        ("fn-s-code", "what does return do?", ""),
        ("fn-s-code", "I don't know", ""),
        ("fn-s-code", "next", ""),
        ("fn-s-code", "i multiply by 2", ""),
        ("fn-s-trace", "5\n1", "right"),
        ("fn-s-trace", "it prints 5\n1", "right"),
        ("fn-s-trace", "41", "wrong"),
        ("fn-s-trace", "hi", ""),
        ("fn-s-trace", "what is 5?", ""),
        ("fn-s-trace", "yes", ""),
        ("fn-s-lines", LINES, "right"),
        ("fn-s-lines", "which line is first?", ""),
    ],
)
def test_answers_in_a_conversation(template, text, verdict):
    instance = made(template)
    context = Context(prompts=(Prompt(id="q", kind="question", text=instance.stem, instance=instance),))
    answers = analyse(text, context).answers
    assert [each.verdict for each in answers] == ([verdict] if verdict else [])


def test_course_is_asked_without_programs_where_none_can_run(ada, settings):
    course = make_course("programs")
    course.content, course.source_hash = course_to_json(COURSE), "programs"
    course.save()
    assert any(each.runs_programs for each in askable_content(course, ada.pk).concepts[0].templates)
    settings.AGENTS = django_settings.AGENTS | {"sandbox": ""}
    assert not any(each.runs_programs for each in askable_content(course, ada.pk).concepts[0].templates)
