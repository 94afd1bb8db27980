"""What a model is asked for a result: what was said, and what is shown with it."""

import pytest
from pydantic import BaseModel

from agents.engine.model_requests import request_for_result
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
