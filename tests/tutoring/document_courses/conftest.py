"""A class of Grace's with Ada."""

import pytest

from tests.people import make_person
from tutoring.classes.membership import join_class, make_class


@pytest.fixture
def teacher(db):
    return make_person("ms-grace", role="teacher")


@pytest.fixture
def classroom(ada, teacher):
    classroom = make_class(teacher, name="4b")
    join_class(ada, classroom.code)
    return classroom
