"""Meals and notes: logged, rated, found, exported and imported."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.tutoring.planner.pages.planner_rows import add_meal, add_note, at, told, undo
from tutoring.models import Meal, Note
from tutoring.planner.records.note_files import MOST_BYTES, NotNotes, read_notes

pytestmark = pytest.mark.django_db


class TestMeals:
    def test_a_meal_is_logged_with_all_details(self, client, learner):
        fields = {"foods": "pasta, salad, pasta", "kind": "dinner", "day": "2026-11-24", "clock": "19:30"}
        page = client.post("/planner/meals/", fields | {"rating": "4", "tags": "quick, #home"}, follow=True)
        meal = Meal.objects.get()
        assert (meal.foods, meal.tags, meal.rating) == (["pasta", "salad"], ["quick", "home"], 4)
        assert (meal.kind, meal.eaten_at, meal.is_planned) == ("dinner", at(24, 19, 30), False)
        assert told(page) == "Dinner: pasta, salad. Undo"

    def test_a_meal_without_food_is_refused(self, client, learner):
        fields = {"foods": " , ", "kind": "dinner", "day": "2026-11-24", "clock": "19:30"}
        page = client.post("/planner/meals/", fields)
        assert (page.status_code, "Write at least one food." in page.text) == (422, True)

    def test_a_rating_is_given_and_taken_back(self, client, learner):
        meal = add_meal(learner, "soup", eaten_at=at(24, 12))
        for given, expected in (("5", 5), ("5", None), ("9", None), ("", None)):
            client.post(f"/planner/meals/{meal.pk}/rate/", {"rating": given})
            meal.refresh_from_db()
            assert meal.rating == expected

    def test_patterns_and_suggestions_are_from_the_persons_own_meals(self, client, learner, eve):
        for day in (2, 9, 16):
            add_meal(learner, "soup", "bread", eaten_at=at(day, 12), rating=5)
        add_meal(eve, "caviar", eaten_at=at(20, 12))
        page = client.get("/planner/meals/").text
        assert "3 meals, on 3 days." in page
        assert "What about one of these?" in page
        assert "soup, bread" in page
        assert "caviar" not in page

    def test_a_tag_shows_its_meals(self, client, learner):
        add_meal(learner, "soup", eaten_at=at(23, 12), tags=["quick"])
        add_meal(learner, "roast", eaten_at=at(24, 12), tags=["quick & dirty"])
        days = client.get("/planner/meals/", {"tag": "quick & dirty"}).context["days"]
        assert [str(row["meal"]) for day in days for row in day["meals"]] == ["roast"]

    def test_a_meal_is_changed_and_deleted_with_undo(self, client, learner):
        meal = add_meal(learner, "soup", eaten_at=at(24, 12))
        fields = {"foods": "stew", "kind": "lunch", "day": "2026-11-24", "clock": "12:00"}
        client.post(f"/planner/meals/{meal.pk}/", fields)
        assert Meal.objects.get().foods == ["stew"]
        answer = client.post(f"/planner/meals/{meal.pk}/delete/")
        assert not Meal.objects.kept().exists()
        undo(client, answer)
        assert Meal.objects.kept().get().foods == ["stew"]


def upload(data):
    return {"file": SimpleUploadedFile("notes.json", data, content_type="application/json")}


class TestNotes:
    def test_are_found_by_their_words(self, client, learner):
        add_note(learner, "My locker code is on the blue card.")
        add_note(learner, "Grandma likes tulips.")
        page = client.get("/planner/notes/", {"q": "locker"})
        assert [each.text for each in page.context["notes"]] == ["My locker code is on the blue card."]

    def test_are_changed_and_deleted_with_undo(self, client, learner):
        note = add_note(learner, "Grandma likes tulips.", embedding=b"old")
        client.post(f"/planner/notes/{note.pk}/", {"text": "Grandma likes roses."})
        note.refresh_from_db()
        assert (note.text, note.embedding) == ("Grandma likes roses.", None)
        answer = client.post(f"/planner/notes/{note.pk}/delete/")
        assert not Note.objects.kept().exists()
        undo(client, answer)
        assert Note.objects.kept().get().text == "Grandma likes roses."

    def test_what_is_exported_can_be_imported(self, client, learner, eve):
        add_note(learner, "Grandma likes tulips. 🌷")
        add_note(learner, "Deleted.", removed_at=at(24))
        add_note(eve, "Eve's own.")
        exported = client.get("/planner/notes/export/")
        assert exported["Content-Disposition"] == 'attachment; filename="notes-personal.json"'
        assert [each["text"] for each in json.loads(exported.content)["notes"]] == ["Grandma likes tulips. 🌷"]
        Note.objects.filter(owner=learner).delete()
        page = client.post("/planner/notes/import/", upload(exported.content), follow=True)
        assert told(page) == "1 note was imported. Undo"
        again = client.post("/planner/notes/import/", upload(exported.content), follow=True)
        assert "imported" not in told(again)
        assert [each.text for each in Note.objects.filter(owner=learner)] == ["Grandma likes tulips. 🌷"]

    @pytest.mark.parametrize(
        ("data", "why"),
        [
            (b"", "This is not a JSON file."),
            (b"\xff\xfe", "This is not a JSON file."),
            (b"[" * 100_000, "This is not a JSON file."),
            (b"{}", "There are no notes in this file."),
            (b'{"notes": [{"text": 3}]}', "have no text"),
            (b'["' + b"x" * 4_001 + b'"]', "longer than 4000 characters"),
            (b" " * (MOST_BYTES + 1), "The file is too large."),
        ],
    )
    def test_a_file_that_holds_no_notes_is_refused_with_the_reason(self, client, learner, data, why):
        page = client.post("/planner/notes/import/", upload(data), follow=True)
        assert why in page.text
        assert not Note.objects.exists()

    def test_text_that_cannot_be_stored_is_cleaned(self):
        assert read_notes(b'["a\\ud800b", "c\\u0000d", " ", "e", "e"]') == ["a?b", "cd", "e"]
        with pytest.raises(NotNotes):
            read_notes(b"3")
