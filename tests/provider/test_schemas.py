"""Objects for schemas, as pydantic writes them and as pydantic checks them."""

from typing import Literal

import pytest
from pydantic import BaseModel, Field

from tests.provider.schemas import schema_in, smallest_value


class Part(BaseModel):
    shaded: bool
    width: float = Field(gt=0, le=1)


class Picture(BaseModel):
    kind: Literal["bar", "circle"]
    always: Literal["this"]
    parts: list[Part] = Field(min_length=2)
    pair: tuple[int, str]
    inside: "Picture | None"
    mixed: int | str
    caption: str = Field(min_length=3, max_length=5)
    left_out: str = "by default"


def test_the_smallest_value_fits():
    value = smallest_value(Picture.model_json_schema())
    Picture.model_validate(value)
    assert (value["kind"], value["parts"][1], value["inside"]) == ("bar", {"shaded": False, "width": 0.5}, None)
    assert "left_out" not in value


@pytest.mark.parametrize("text", ["", "x", "the answer is 3/4"])
def test_text_is_put_into_every_string_as_far_as_it_fits(text):
    assert len(Picture.model_validate(smallest_value(Picture.model_json_schema(), text=text)).caption) in (3, 5)


def test_a_schema_is_found_among_other_braces():
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    text = f'Use {{name}} and {{"b": 1}}.\n{schema}'.replace("'", '"') + "\nNothing else."
    assert schema_in(text) == schema
    assert schema_in('no "properties" { here }') is None
