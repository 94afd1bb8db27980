"""Whatever a class has agreed, its teachers see exactly that: every policy on every page."""

import itertools

import pytest
from django.utils import timezone

from conversations.models import ConversationSummary, Finding, Session, Snapshot, Turn
from tests.tutoring.class_helpers import REPLY, SECRET_ANSWER, SECRET_WORDS, agree, answer, make_class, talk
from tests.tutoring.lessons.lesson_player import load_fractions
from tests.tutoring.small_course import make_turn
from tutoring.mastery.records.progress import begin_lesson
from tutoring.mastery.records.suspected_misconceptions import weigh_classified
from tutoring.models import AccessLog, Concept, Course, Mastery, Policy

pytestmark = [pytest.mark.db, pytest.mark.django_db]

MASTERY, CONVERSATIONS = Policy.Progress.values, Policy.Conversations.values
NUMBER = "from 4 answers"
QUOTED = f"<q><bdi>{SECRET_ANSWER}</bdi></q>"
WROTE = f'<bdi class="what">{SECRET_ANSWER}</bdi>'
NAMED = "counts_shaded says"


@pytest.fixture
def classroom(ada, grace, client):
    made = make_class(grace, ada)
    answer(ada, "1/2", "1/2", SECRET_ANSWER, SECRET_ANSWER)
    agree(made, conversations="everything")
    talk(ada)
    client.force_login(grace)
    return made


def pages(client, ada):
    """Return what each of the class's pages says, by its name; None for one that is not there."""
    session = ada.conversations.get(key="lesson")
    addresses = {
        "board": "/teach/4b/",
        "news": "/teach/4b/?seen=something+else",
        "settings": "/teach/4b/settings/",
        "learner": f"/teach/4b/{ada.pk}/",
        "export": "/teach/4b/export.csv",
        "evidence": f"/teach/4b/{ada.pk}/fractions/one_half/",
        "conversation": f"/teach/4b/{ada.pk}/conversations/{session.pk}/",
    }
    shown = {}
    for name, address in addresses.items():
        response = client.get(address, headers={"HX-Request": "true"} if name == "news" else None)
        shown[name] = response.content.decode() if response.status_code == 200 else None
    return shown


def where(shown, words):
    return {name for name, text in shown.items() if text is not None and words in text}


@pytest.mark.parametrize(("mastery", "conversations"), list(itertools.product(MASTERY, CONVERSATIONS)))
def test_each_page_shows_what_is_agreed_and_nothing_more(classroom, client, ada, mastery, conversations):
    """A5"""
    agree(classroom, mastery=mastery)
    since = classroom.policy.conversations_since
    agree(classroom, conversations=conversations, conversations_since=since)
    shown = pages(client, ada)
    levels, answers, words = mastery != "nothing", mastery == "evidence", conversations == "everything"
    assert where(shown, NUMBER) == ({"board", "news", "learner", "evidence"} if answers else set()) | (
        {"board", "news", "learner"} if levels else set()
    )
    assert where(shown, WROTE) == ({"evidence"} if answers else set())
    assert where(shown, QUOTED) == ({"learner"} if answers else set())
    assert where(shown, NAMED) == ({"board", "news", "learner", "evidence"} if answers else set())
    assert where(shown, SECRET_WORDS) == ({"conversation"} if words else set()) | (
        {"board", "news", "learner"} if words and answers else set()
    )
    assert where(shown, REPLY) == ({"conversation"} if words else set())
    assert where(shown, 'class="messages"') == set()
    gone = {"export"} if not levels else set()
    gone |= set() if answers else {"evidence"}
    gone |= set() if words else {"conversation"}
    assert {name for name, text in shown.items() if text is None} == gone | (set() if levels else {"news"} & gone)


def test_answers_stay_out_of_conversations_where_they_are_not_shown(classroom, client, ada):
    talk(ada, "7/8", kind="answer")
    for mastery, seen in (("levels", False), ("evidence", True)):
        agree(classroom, mastery=mastery)
        assert ("7/8" in pages(client, ada)["conversation"]) is seen


def test_words_from_before_the_agreement_stay_with_the_learner(classroom, client, ada):
    """A5: neither what was said before it was agreed, nor before the learner joined."""
    agree(classroom, conversations="nothing")
    agree(classroom, conversations="everything")
    assert classroom.policy.conversations_since is not None
    assert where(pages(client, ada), SECRET_WORDS) == set()
    talk(ada, "after that")
    assert where(pages(client, ada), "after that") == {"board", "news", "learner", "conversation"}
    assert where(pages(client, ada), SECRET_WORDS) == set()


def test_summaries_are_read_where_agreed_and_are_all_that_is_read(classroom, client, ada, grace):
    """A5: the stored summary of a conversation that began after the agreement, without its name."""
    old = ada.conversations.get(key="lesson")
    ConversationSummary.objects.create(session=old, turn=old.turns.first(), reason="goodbye", text="From before.")
    agree(classroom, conversations="summaries")
    session = talk(ada, key="later")
    Session.objects.filter(pk=session.pk).update(title=SECRET_WORDS)
    ConversationSummary.objects.create(
        session=session, turn=session.turns.get(), reason="goodbye", text="You worked on **One half**."
    )
    page = client.get(f"/teach/4b/{ada.pk}/").content.decode()
    address = f"/teach/4b/{ada.pk}/summaries/{session.pk}/"
    assert page.count("/summaries/") == page.count(address) == 1
    assert SECRET_WORDS not in page
    assert "<strong>One half</strong>" in client.get(address).content.decode()
    assert list(AccessLog.objects.filter(kind="summary").values_list("reader", "session")) == [(grace.pk, session.pk)]
    assert client.get(f"/teach/4b/{ada.pk}/summaries/{old.pk}/").status_code == 404
    for level in ("nothing", "everything"):
        agree(classroom, conversations=level)
        assert client.get(address).status_code == 404


def test_every_reading_of_a_conversation_is_noted_and_the_learner_told(classroom, client, ada, grace):
    """A5: an audit row"""
    session = ada.conversations.get(key="lesson")
    for _ in range(2):
        client.get(f"/teach/4b/{ada.pk}/conversations/{session.pk}/")
    noted = AccessLog.objects.values_list("reader", "learner", "session", "classroom")
    assert list(noted) == [(grace.pk, ada.pk, session.pk, classroom.pk)] * 2
    client.force_login(ada)
    assert client.get("/accounts/classes/").content.decode().count("<bdi>Grace</bdi>: ") == 2


def test_deleted_conversation_is_there_for_no_teacher(classroom, client, ada):
    session = ada.conversations.get(key="lesson")
    session.deleted_at = timezone.now()
    session.save()
    assert client.get(f"/teach/4b/{ada.pk}/conversations/{session.pk}/").status_code == 404
    assert f"/conversations/{session.pk}/" not in client.get(f"/teach/4b/{ada.pk}/").content.decode()


def test_what_side_agents_noticed_follows_the_same_rules(classroom, client, ada):
    """A5: words heard by a side agent, a drawing; how it goes for a learner is nobody else's, whatever is agreed."""
    session = talk(ada, "half of it, I think")
    turn = session.turns.latest("number")
    heard = {"learner_id": ada.pk, "course": Course.objects.get(), "confidence": 0.9, "turn_id": str(turn.pk)}
    weigh_classified(**heard, misconception="counts_shaded", quote="I count the dark ones")
    noticed = {"session": session, "turn": turn, "agent": "x"}
    Finding.objects.create(**noticed, kind="emotion", name="likely_bored", words="A smaller step", evidence="sighs")
    drawing = Snapshot.objects.create(
        session=session, turn=turn, digest="d", reading={"description": "Two unequal bars"}
    )
    Turn.objects.filter(pk=turn.pk).update(payload={"board": str(drawing.pk)})
    since = classroom.policy.conversations_since
    for mastery, conversations in (("levels", "everything"), ("evidence", "everything"), ("evidence", "nothing")):
        agree(classroom, mastery=mastery, conversations=conversations, conversations_since=since)
        shown = pages(client, ada)
        answers, words = mastery == "evidence", conversations == "everything"
        assert ("learner" in where(shown, "I count the dark ones")) is (answers and words)
        assert where(shown, "Two unequal bars") == ({"conversation"} if words else set())
        for nobodys in ("likely_bored", "A smaller step", "sighs", f"/board/{drawing.pk}"):
            assert where(shown, nobodys) == set()


def test_milestones_are_shown_by_name_where_levels_are(client, ada, grace):
    """A5"""
    classroom = make_class(grace, ada)
    client.force_login(grace)
    load_fractions()
    concept = Concept.objects.select_related("course").get(slug="one-half")
    lesson = begin_lesson(ada, concept, make_turn(ada, key="halves").session)
    Mastery.objects.create(learner=ada, concept=concept, probability=0.9, threshold=0.85)
    milestone = concept.value().milestones[0]
    content = {"reached": True, "milestone": milestone.id}
    for _ in range(2):
        Finding.objects.create(
            session=lesson.session, turn=lesson.session.turns.get(), agent="milestone", kind="milestone", name="m",
            words="A milestone", evidence="in words of my own", content=content,
        )  # fmt: skip
    for mastery, count in (("nothing", 0), ("levels", 1), ("evidence", 1)):
        agree(classroom, mastery=mastery)
        page = client.get(f"/teach/4b/{ada.pk}/").text
        assert page.count(milestone.title) == count
        assert "in words of my own" not in page
