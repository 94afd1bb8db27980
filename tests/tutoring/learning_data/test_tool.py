"""The tool `learning_data`: its figures against the rows they come from, and who may read whose."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from fsrs import Card
from pydantic import ValidationError

from agents.engine.roles import Plan, Role
from agents.engine.toolbox import Toolbox
from agents.llm.base import ToolRequest
from agents.llm.call_context import CallContext
from agents.tools import ToolFailed, ToolUse, tools
from tests import people
from tests.tutoring.class_helpers import agree, answer, make_class, talk
from tests.tutoring.small_course import make_course
from tutoring.classes import membership
from tutoring.classes.mastery_board import class_board
from tutoring.learning_data.queries import LearningQuery
from tutoring.learning_data.tool import LearningTable, read_learning_data
from tutoring.models import Attempt, Course, Mastery, MasteryChange, Review

STRUGGLES = "Who in my class struggles with one half, and since when?"


@pytest.fixture
def school(db: None, ada: Any, ben: Any, grace: Any) -> Any:
    """The class 4b: Ada knew one half and then did not, Ben knows it."""
    make_course()
    classroom = make_class(grace, ada, ben)
    answer(ada, "1/2", "1/2", "2", "2", "2", "2", "2")
    answer(ben, "1/2", "1/2", "1/2", "1/2")
    return classroom


def read(person: Any, **fields: Any) -> LearningTable:
    return read_learning_data(person, LearningQuery(**fields))


def column(table: LearningTable, title: str) -> list[Any]:
    return [row[table.chart.columns.index(title)] for row in table.chart.rows]


class TestTeacher:
    def test_sees_who_struggles_and_since_when_as_the_mastery_rows_have_it(
        self, school: Any, grace: Any, ada: Any
    ) -> None:
        table = read(grace, question=STRUGGLES)
        assert column(table, "Learner") == ["Ada", "Ben"]
        rows = {row.learner_id: row for row in Mastery.objects.all()}
        scores = [round(100 * (row.score or 0)) for row in sorted(rows.values(), key=lambda row: row.probability)]
        assert column(table, "Score (%)") == scores
        assert [point.value for point in table.chart.points] == scores
        since = first_low(rows[ada.pk])
        assert column(table, "Low since") == [f"{since.day} {since:%b %Y}", None]
        assert f"Ada ({scores[0]}%, low since {since.day} {since:%b %Y})" in table.words
        assert table.chart.shape == "bar"

    def test_what_is_mastered_is_shown_as_it_fades_and_as_it_was(self, school: Any, grace: Any, ben: Any) -> None:
        Mastery.objects.filter(learner=ben).update(
            probability=0.99, unassisted=4, templates=["a", "b"], mastered_at=timezone.now()
        )
        then = timezone.now() - timedelta(days=100)
        card = Card(due=then, last_review=then, stability=3.0, difficulty=5.0).to_dict()
        half = Mastery.objects.get(learner=ben).concept
        Review.objects.update_or_create(
            learner=ben, concept=half, defaults={"card": card, "due_at": then, "reviewed_at": then}
        )
        table = read(grace, question=STRUGGLES)
        row = Mastery.objects.get(learner=ben)
        assert column(table, "After the last answer (%)")[1] == round(100 * (row.score or 0))
        assert column(table, "Score (%)")[1] < round(100 * (row.score or 0))
        assert column(table, "Level")[1] == "mastered, now fading"
        assert any("fade" in note for note in table.chart.notes)

    def test_scores_are_those_of_the_class_board(self, school: Any, grace: Any) -> None:
        table = read(grace, class_name="4b", by="learner", sort="name")
        board = class_board(school, Course.objects.get(), sort="name")
        shown = [cell.score for row in board.rows for cell in row.cells if cell.score is not None]
        assert column(table, "Mean score (%)") == [round(100 * score) for score in shown]

    def test_low_score_that_rose_again_is_low_since_it_fell_last(self, school: Any, grace: Any, ada: Any) -> None:
        day = timezone.now() - timedelta(days=20)
        for number, row in enumerate(Attempt.objects.filter(learner=ada).order_by("pk")):
            Attempt.objects.filter(pk=row.pk).update(created_at=day + timedelta(days=number))
        table = read(grace, question=STRUGGLES)
        since = first_low(Mastery.objects.get(learner=ada))
        assert since > day
        assert column(table, "Low since")[0] == f"{since.day} {since:%b %Y}"

    def test_counts_answers_as_they_were_given(self, school: Any, grace: Any, ada: Any) -> None:
        table = read(grace, what="answers", class_name="4b", concept="one half")
        assert column(table, "Learner") == ["Ada", "Ben"]
        assert (column(table, "Right"), column(table, "Wrong")) == ([2, 4], [5, 0])
        assert column(table, "Right (%)") == [29, 100]

    def test_sees_minutes_of_practice_and_weeks(self, school: Any, grace: Any) -> None:
        Attempt.objects.update(time_taken_s=90)
        assert column(read(grace, what="time", class_name="4b", by="learner"), "Minutes") == [11, 6]
        weekly = read(grace, what="answers", class_name="4b", by="week")
        assert column(weekly, "Answers") == [11]
        assert weekly.chart.shape is None, "one week is no line"

    def test_sees_misconceptions_with_the_evidence_that_the_class_agreed_on(
        self, school: Any, grace: Any, ada: Any
    ) -> None:
        talk(ada)
        table = read(grace, what="misconceptions", class_name="4b")
        assert column(table, "Mistaken idea") == ["counts_shaded says"], "words stay with the learner"
        assert column(table, "Times seen") == [5], "the wrong answers, and none of the right ones"
        assert column(read(ada, what="misconceptions"), "Times seen") == [1, 5]
        agree(school, conversations="everything")
        talk(ada, key="later")
        assert "two_pieces says" in column(read(grace, what="misconceptions", class_name="4b"), "Mistaken idea")

    @pytest.mark.parametrize(
        ("policy", "shown", "withheld"),
        [("levels", ("mastery", "reviews"), ("answers", "misconceptions", "time")), ("nothing", (), ("mastery", "reviews", "answers", "misconceptions", "time"))],
    )  # fmt: skip
    def test_sees_nothing_that_the_class_did_not_agree_on(
        self, school: Any, grace: Any, policy: str, shown: tuple[str, ...], withheld: tuple[str, ...]
    ) -> None:
        agree(school, mastery=policy)
        for what in shown:
            assert not any("agreement" in note for note in read(grace, what=what, class_name="4b").chart.notes)
        for what in withheld:
            table = read(grace, what=what, class_name="4b")
            assert table.chart.rows == []
            assert "Under the agreement for 4b, teachers can’t see" in table.words
            assert "Ada" not in table.model_dump_json() + table.words

    def test_can_ask_for_one_learner_and_is_told_if_there_is_none(self, school: Any, grace: Any) -> None:
        assert column(read(grace, class_name="4b", learner="ada"), "Learner") == ["Ada"]
        with pytest.raises(ToolFailed, match="no learner named “Eve”"):
            read(grace, class_name="4b", learner="Eve")

    def test_two_learners_with_one_name_are_told_apart(self, school: Any, grace: Any) -> None:
        other = people.make_person("ada-2", display_name="Ada")
        membership.join_class(other, "4b")
        answer(other, "2", "2", "2")
        assert sorted(column(read(grace, class_name="4b", concept="One half"), "Learner")) == [
            "Ada (ada)", "Ada (ada-2)", "Ben",
        ]  # fmt: skip

    def test_learner_who_left_the_class_is_gone_from_its_data(self, school: Any, grace: Any, ada: Any) -> None:
        membership.leave_class(ada, "4b")
        assert "Ada" not in read(grace, class_name="4b").words


class TestLearner:
    def test_asking_the_same_sees_only_their_own_data(self, school: Any, ada: Any, ben: Any) -> None:
        for person in (ada, ben):
            table = read(person, question=STRUGGLES)
            own = Mastery.objects.get(learner=person)
            assert column(table, "Concept") == ["One half"]
            assert table.chart.notes[-1] == "This is only about you. Only a class’s teachers can see class data."
            assert column(table, "Score (%)") == [round(100 * (own.score or 0))]
        assert "Ben" not in read(ada, question=STRUGGLES).model_dump_json() + read(ada, question=STRUGGLES).words

    @pytest.mark.parametrize("name", ["4b", "all", "no such class"])
    def test_classes_look_as_if_there_were_none(self, school: Any, ada: Any, name: str) -> None:
        with pytest.raises(ToolFailed, match="You do not teach a class named"):
            read(ada, class_name=name)

    def test_cannot_ask_for_another_learner(self, school: Any, ada: Any) -> None:
        with pytest.raises(ToolFailed, match="only your own"):
            read(ada, learner="Ben")

    def test_without_answers_is_told_so(self, school: Any, eve: Any) -> None:
        for what in ("mastery", "answers", "misconceptions", "reviews", "time"):
            assert "no figures yet" in read(eve, what=what).words


def test_strangers_class_is_as_if_there_were_none(school: Any) -> None:
    stranger = people.make_person("mallory", role="teacher")
    messages = set()
    for name in ("4b", "zz"):
        with pytest.raises(ToolFailed) as refused:
            read(stranger, class_name=name)
        messages.add(str(refused.value).replace(name, "…"))
    assert len(messages) == 1
    with pytest.raises(ToolFailed):
        read(stranger, class_name="all")


def test_names_of_those_who_did_not_consent_are_not_told_to_a_model(school: Any, grace: Any) -> None:
    table = read(grace, question=STRUGGLES)
    told = json.loads(table.model_dump_json())
    assert told.keys() == {"table"}
    assert [row[0] for row in told["table"]["rows"]] == ["learner in row 1", "Ben"]
    assert "Ada" not in table.model_dump_json()
    assert [row[0] for row in table.chart.rows] == ["Ada", "Ben"]


@pytest.mark.parametrize(
    "fields",
    [
        {"limit": 0}, {"limit": 101}, {"what": "passwords"}, {"by": "school"}, {"since": "yesterday"},
        {"since": "0001-01-01"}, {"sql": "SELECT 1"}, {"what": "misconceptions", "by": "week"},
    ],
)  # fmt: skip
def test_query_that_makes_no_sense_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        LearningQuery(**fields)


def test_unknown_concept_is_answered_with_similar_ones(school: Any, grace: Any) -> None:
    with pytest.raises(ToolFailed, match="Similar: Equal parts"):
        read(grace, class_name="4b", concept="equal part")


def test_question_about_something_else_is_refused_with_what_to_ask(school: Any, grace: Any) -> None:
    with pytest.raises(ToolFailed, match="Ask about mastery"):
        read(grace, question="Was zero a good idea?")


def test_limit_says_how_much_it_leaves_out(school: Any, grace: Any) -> None:
    table = read(grace, class_name="4b", concept="One half", limit=1)
    assert len(table.chart.rows) == 1
    assert "These are 1 of 2 rows." in table.chart.notes


@pytest.mark.parametrize("what", ["mastery", "answers", "misconceptions", "reviews", "time"])
@pytest.mark.parametrize("by", ["", "learner", "concept", "week"])
def test_every_subject_can_be_grouped_and_sorted(school: Any, grace: Any, what: str, by: str) -> None:
    if (what, by) == ("misconceptions", "week"):
        return
    for sort in ("", "lowest", "highest", "latest", "name"):
        for fields in ({"class_name": "4b"}, {}):
            table = read(grace, what=what, by=by, sort=sort, since="2026-01-01", **fields)
            assert all(len(row) == len(table.chart.columns) for row in table.chart.rows)


@pytest.mark.django_db(transaction=True)
async def test_model_that_uses_it_gets_no_name_and_can_change_nothing_afterwards() -> None:
    from agents.storage.threads import in_orm_thread

    def stored() -> Any:
        ada, grace = people.make_ada(), people.make_grace()
        make_course()
        make_class(grace, ada)
        answer(ada, "2", "2", "2")
        return grace

    grace = await in_orm_thread(stored)()
    role = Role(
        name="data_steward", purpose="Figures.", plan=lambda _: Plan(), tools=("learning_data", "edit_contacts")
    )
    box = Toolbox(role, CallContext(person_id=grace.pk), known=tools)
    assert [tool.name for tool in box.offered] == ["learning_data", "edit_contacts"]
    wanted = [
        ToolRequest(id="1", name="learning_data", arguments=json.dumps({"question": STRUGGLES})),
        ToolRequest(id="2", name="learning_data", arguments='{"class_name": "9z"}'),
        ToolRequest(id="3", name="learning_data", arguments='{"sql": "SELECT * FROM accounts_person"}'),
        ToolRequest(id="4", name="edit_contacts", arguments='{"action": "add", "name": "Mallory"}'),
    ]
    first, missing, invalid, change = [found async for _event, found in box.used(wanted) if found is not None]
    assert first.ok
    assert "learner in row 1" in first.text
    assert "Ada" not in first.text
    assert missing.text == "You do not teach a class named “9z”."
    assert "sql: Extra inputs are not permitted" in invalid.text
    assert change.text == "Not allowed after reading text from outside: a person has to do this."


@pytest.mark.django_db(transaction=True)
async def test_tool_is_registered_and_reads_for_the_person_of_the_use() -> None:
    from agents.storage.threads import in_orm_thread

    eve = await in_orm_thread(people.make_eve)()
    use = ToolUse(turn_id=None, person_id=eve.pk, agent="data_steward", number=1, tool="learning_data")
    result = await tools["learning_data"].run(LearningQuery(), use)
    assert result.summary == "Mastery (0 rows)"
    nobody = ToolUse(turn_id=None, person_id=None, agent="data_steward", number=1, tool="learning_data")
    with pytest.raises(ToolFailed):
        await tools["learning_data"].run(LearningQuery(), nobody)


def first_low(row: Mastery) -> Any:
    """Return the time of the answer after which the score has been under 45% to the end, worked out by hand."""
    from tutoring.mastery.knowledge_tracing import mastery_score

    changes = list(MasteryChange.objects.filter(mastery=row).select_related("attempt").order_by("attempt__created_at"))
    since = None
    for change in reversed(changes):
        if mastery_score(change.after) >= 0.45:
            break
        since = change.attempt.created_at
    assert since is not None
    return timezone.localtime(since)
