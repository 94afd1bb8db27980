"""What a drill reads in the database of its own server: keys of questions, grades, mastery, how messages were understood."""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tutoring.courses.exercises.exercise import Exercise
from tutoring.courses.exercises.serialization import exercise_from_json

_OF_LEARNER = "(SELECT id FROM accounts_person WHERE username = ?)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """The records of one learner."""

    data: Path
    learner: str

    def open_exercise(self) -> Exercise | None:
        """Return the exercise that was asked last and waits for an answer."""
        rows = self._rows(
            "SELECT q.template, q.seed, c.slug, q.kind, q.stem, q.public, q.key FROM tutoring_question q"
            " JOIN tutoring_concept c ON c.id = q.concept_id JOIN conversations_turn t ON t.id = q.turn_id"
            f" WHERE q.learner_id = {_OF_LEARNER} AND q.status = 'open' ORDER BY t.created_at DESC, q.number DESC LIMIT 1"
        )
        if not rows:
            return None
        template, seed, concept, kind, stem, public, key = rows[0]
        return exercise_from_json(
            template=template,
            seed=seed,
            concept=concept,
            kind=kind,
            stem=stem,
            public=json.loads(public),
            secret=json.loads(key),
        )

    def graded(self) -> int:
        """Return how many answers were graded so far."""
        return int(self._rows(f"SELECT COUNT(*) FROM tutoring_attempt WHERE learner_id = {_OF_LEARNER}")[0][0])

    def given_up(self) -> int:
        """Return how many of them were no answer but “I don’t know”."""
        counted = f"SELECT COUNT(*) FROM tutoring_attempt WHERE learner_id = {_OF_LEARNER} AND gave_up"
        return int(self._rows(counted)[0][0])

    def hints(self) -> int:
        """Return how many hints were taken so far."""
        taken = f"SELECT COALESCE(SUM(hints_used), 0) FROM tutoring_question WHERE learner_id = {_OF_LEARNER}"
        return int(self._rows(taken)[0][0])

    def answers_to_mastery(self, concept: str) -> int | None:
        """Return how many answers were graded until the concept was mastered; None if it is not."""
        rows = self._rows(
            "SELECT m.mastered_at, (SELECT COUNT(*) FROM tutoring_attempt a JOIN tutoring_question q ON q.id = a.question_id"
            " WHERE a.learner_id = m.learner_id AND q.concept_id = m.concept_id AND a.created_at <= m.mastered_at)"
            f" FROM tutoring_mastery m JOIN tutoring_concept c ON c.id = m.concept_id WHERE m.learner_id = {_OF_LEARNER}"
            " AND c.slug = ?",
            concept,
        )
        return int(rows[0][1]) if rows and rows[0][0] else None

    def analysis(self, turn_id: str) -> Mapping[str, Any] | None:
        """Return how the message of the turn was understood; None where it was not read."""
        rows = self._rows(
            f"SELECT analysis FROM conversations_turn WHERE owner_id = {_OF_LEARNER} AND id = ?",
            turn_id.replace("-", ""),
        )
        return json.loads(rows[0][0]) if rows and rows[0][0] else None

    def _rows(self, query: str, *more: str) -> list[Any]:
        address = f"file:{self.data / 'learnagent.sqlite3'}?mode=ro"
        with sqlite3.connect(address, uri=True, timeout=30) as connection:
            return connection.execute(query, (self.learner, *more)).fetchall()
