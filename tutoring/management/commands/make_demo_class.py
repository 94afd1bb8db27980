"""Create a class for trying a teacher's pages: 24 simulated learners with six weeks of history."""

from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from tutoring.classes import demo_class
from tutoring.models import Classroom, Course


class Command(BaseCommand):
    help = "Creates a class of 24 simulated learners with six weeks of history. Running it again changes nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        if Classroom.objects.filter(code=demo_class.DEMO_CODE).exists():
            self.stdout.write(f"The class {demo_class.DEMO_CODE} already exists.")
            return
        course = Course.objects.order_by("position", "title").first()
        if course is None:
            raise CommandError("There are no courses yet: run load_courses first.")
        teacher = _teacher()
        demo_class.make_demo_class(teacher, course, now=timezone.now())
        names = len(demo_class.NAMES)
        self.stdout.write(
            f"{demo_class.DEMO_CODE}: {names} simulated learners of {course.title}, taught by {teacher.username}"
        )


def _teacher() -> Any:
    """Return the teacher who has taught here longest, or a new one, who gets a password with `create_person`."""
    people = get_user_model().objects
    found = people.filter(role="teacher", is_active=True).order_by("pk").first()
    return found or people.create_user("demo-teacher", None, display_name="Demo teacher", role="teacher")
