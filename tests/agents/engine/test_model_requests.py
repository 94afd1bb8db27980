"""What a model is asked: what was said, what is shown with it, and what is told of messages that are left out."""

import pytest
from pydantic import BaseModel

from agents.engine.model_requests import recent_messages, request_for_result
from agents.engine.roles import ChatMessage, Plan, Request, Role, RoleCall
from agents.llm.base import Image


class Verdict(BaseModel):
    words: str


PICTURE = Image(media_type="image/png", data=b"\x89PNG")
ROLE = Role(name="looks", purpose="looks", plan=lambda request: Plan(), result=Verdict, tier="vision")
HISTORY = (ChatMessage(author="learner", text="Hello"), ChatMessage(author="team", text="Draw a half."))


@pytest.mark.parametrize("images", [(), (PICTURE,), (PICTURE, PICTURE)])
def test_pictures_go_with_the_learners_last_message_alone(images):
    request = Request(text="Is this half?", history=HISTORY)
    asked = request_for_result(RoleCall(role=ROLE, request=request, plan=Plan(images=images)))
    assert [message.images for message in asked.messages] == [(), (), images]
    assert asked.messages[-1].text == "Is this half?"


def test_a_picture_is_shown_where_nothing_was_said():
    asked = request_for_result(RoleCall(role=ROLE, request=Request(), plan=Plan(images=(PICTURE,))))
    assert [message.images for message in asked.messages] == [(PICTURE,)]


SUMMARY = "You worked on halves."


def test_summary_comes_first_and_is_the_only_thing_before_the_latest_message_without_room():
    told = recent_messages(Request(text="Go on", history=HISTORY, summary=SUMMARY), room=0)
    assert [message.author for message in told] == ["learner"]
    assert SUMMARY in told[0].text
    assert told[0].text.endswith("Go on")


def test_summary_takes_its_room_from_the_oldest_messages():
    texts = [message.text for message in HISTORY] + ["Go on"]
    room = sum(map(len, texts))
    whole = recent_messages(Request(text="Go on", history=HISTORY), room=room)
    assert [message.text for message in whole] == texts
    told = recent_messages(Request(text="Go on", history=HISTORY, summary=SUMMARY), room=room)
    assert "Hello" not in "".join(message.text for message in told)


def test_without_a_summary_nothing_is_said_of_it():
    assert [message.text for message in recent_messages(Request(text="Hi"), room=99)] == ["Hi"]
