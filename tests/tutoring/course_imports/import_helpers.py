"""Files of questions and drafts to import."""

import json
from typing import Any

from tutoring.course_imports.drafts import CourseDraft, draft_course

GIFT = r"""$CATEGORY: $course$/top/Seeds

::One::Which part of a bean grows first? {
  =The root#Yes, it looks for water.
  ~The leaf#The leaf comes later.
  ~The flower }

::Two::Which of these are seeds? {~%50%A pea ~%50%A bean ~%-100%A pebble}

::Three::How many seeds has a date? {#1}

$CATEGORY: $course$/top/Growing from seeds

::Four::How long do seeds grow under the soil, in days? {#10:2####It depends on the weather.}

::Five::Seeds need water and {=warmth =heat} to grow.

::Six::Match what seeds need to where it comes from. {=Water -> Rain =Light -> Sun =Food -> Soil = -> Moon}

::Seven::Write about seeds. {}
"""


def small_draft(text: str = GIFT, *, title: str = "Plants") -> CourseDraft:
    """Return a draft of two topics with three questions each; an essay is left out."""
    return draft_course([("plants.gift", text.encode())], title=title)


def oatutor_file(*steps: dict[str, Any]) -> bytes:
    """Return steps of OATutor as JSON Lines; each has what the step given for it does not say."""
    lines = []
    for number, step in enumerate(steps, start=1):
        usual = {"step_id": f"s{number}", "lesson": "Sums", "problem_type": "TextBox", "answer_type": "arithmetic"}
        text = {"step_title": f"What is {number} + 20?", "answers": [str(number + 20)], "license": "CC0"}
        lines.append(json.dumps(usual | text | step))
    return "\n".join(lines).encode()
