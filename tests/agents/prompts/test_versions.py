"""Prompts in force: files, versions that stand in for them, conflicts, and what a run is told."""

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from agents.engine import registry
from agents.llm.prompt import make_prompt
from agents.models import PromptVersion
from agents.models.prompts import validate_prompt
from agents.prompts.text_diff import diff_texts
from agents.prompts.versions import (
    FILE_VERSION,
    PromptConflict,
    UnknownPrompt,
    newest_version,
    prompts_in_force,
    restore_version,
    set_prompt,
    text_in_force,
)

TUTOR = registry.roles["tutor"].prompt


@pytest.fixture
def clock(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr("agents.storage.brief_cache.time.monotonic", lambda: now[0])
    return now


@pytest.mark.django_db
class TestVersions:
    def test_a_fresh_house_has_its_files(self):
        assert prompts_in_force() == {}
        assert text_in_force("tutor") == TUTOR.text.strip()

    def test_what_is_set_is_in_force_at_once_where_it_was_set(self, root):
        assert prompts_in_force() == {}
        set_prompt("tutor", "Teach.", version_read=0, by=root, note="shorter")
        assert prompts_in_force() == {"tutor": make_prompt("tutor", "Teach.")}
        version = newest_version("tutor")
        assert (version.number, version.by, version.note) == (1, root, "shorter")
        assert version.version == make_prompt("tutor", "Teach.").version

    def test_it_is_in_force_in_other_processes_within_five_seconds(self, clock):
        assert prompts_in_force() == {}
        PromptVersion.objects.create(name="tutor", number=1, text="Teach.")
        clock[0] += 5
        assert prompts_in_force()["tutor"].text == "Teach."

    def test_asking_often_asks_the_database_once(self, clock, django_assert_num_queries):
        with django_assert_num_queries(1):
            for _ in range(10):
                prompts_in_force()

    def test_the_newest_version_counts(self):
        set_prompt("tutor", "One.", version_read=0)
        set_prompt("quiz", "Ask.", version_read=0)
        set_prompt("tutor", "Two.", version_read=1)
        assert {name: each.text for name, each in prompts_in_force().items()} == {"tutor": "Two.", "quiz": "Ask."}

    def test_an_earlier_version_comes_back_as_a_new_one(self):
        set_prompt("tutor", "One.", version_read=0)
        set_prompt("tutor", "Two.", version_read=1)
        restore_version("tutor", 1, version_read=2)
        assert prompts_in_force()["tutor"].text == "One."
        assert list(PromptVersion.objects.values_list("number", "restored")) == [(3, 1), (2, None), (1, None)]

    def test_the_file_comes_back(self):
        set_prompt("tutor", "One.", version_read=0)
        restore_version("tutor", FILE_VERSION, version_read=1)
        assert prompts_in_force() == {}
        assert text_in_force("tutor") == TUTOR.text.strip()

    def test_the_file_comes_back_in_place_of_the_same_words(self):
        """A later release may change the file."""
        set_prompt("tutor", "One.", version_read=0)
        set_prompt("tutor", TUTOR.text, version_read=1)
        restore_version("tutor", FILE_VERSION, version_read=2)
        assert prompts_in_force() == {}

    def test_what_changes_nothing_leaves_no_record(self):
        set_prompt("tutor", TUTOR.text, version_read=0)
        restore_version("tutor", FILE_VERSION, version_read=0)
        assert not PromptVersion.objects.exists()
        set_prompt("tutor", "One.", version_read=0)
        set_prompt("tutor", " One.\r\n", version_read=1)
        restore_version("tutor", 1, version_read=1)
        assert PromptVersion.objects.count() == 1

    def test_the_second_of_two_editors_gets_a_conflict(self):
        set_prompt("tutor", "One.", version_read=0)
        with pytest.raises(PromptConflict):
            set_prompt("tutor", "Two.", version_read=0)
        with pytest.raises(PromptConflict):
            restore_version("tutor", FILE_VERSION, version_read=0)
        assert text_in_force("tutor") == "One."

    def test_two_editors_at_the_same_moment_are_told_apart(self, monkeypatch):
        """Both read the newest number before either has written: the constraint lets one of them through."""
        set_prompt("tutor", "One.", version_read=0)
        monkeypatch.setattr("agents.prompts.versions.newest_version", lambda name: None)
        with pytest.raises(PromptConflict):
            set_prompt("tutor", "Two.", version_read=0)
        assert PromptVersion.objects.get().text == "One."

    @pytest.mark.parametrize("text", ["", " \n\t", "a\x00b", "a\ud800b", "x" * 8_001])
    def test_what_cannot_be_sent_or_stored_is_refused(self, text):
        with pytest.raises(ValidationError):
            set_prompt("tutor", text, version_read=0)
        assert not PromptVersion.objects.exists()

    def test_a_note_is_a_line(self):
        with pytest.raises(ValidationError) as caught:
            set_prompt("tutor", "One.", version_read=0, note="x" * 201)
        assert list(caught.value.message_dict) == ["note"]

    def test_names_and_numbers_that_nobody_has_are_unknown(self):
        with pytest.raises(UnknownPrompt):
            set_prompt("nobody", "One.", version_read=0)
        with pytest.raises(UnknownPrompt):
            restore_version("tutor", 7, version_read=0)

    def test_a_version_outlives_who_wrote_it(self, root):
        set_prompt("tutor", "One.", version_read=0, by=root)
        root.delete()
        assert newest_version("tutor").by is None

    def test_longest_text_fits(self):
        validate_prompt("x" * 8_000)


LINES = st.lists(st.lists(st.sampled_from(["half", "a", "cut", "«x»"]), max_size=5).map(" ".join), max_size=6)


@given(LINES, LINES)
def test_differences_hold_both_texts_whole(before, after):
    parts = diff_texts("\n".join(before), "\n".join(after))
    assert "".join(part.text for part in parts if part.kind != "added") == "\n".join(before)
    assert "".join(part.text for part in parts if part.kind != "removed") == "\n".join(after)


def test_differences_are_the_words_that_differ():
    parts = diff_texts("Teach halves.\nBe kind.\n", "Teach halves.\nBe very kind.\n")
    assert [(part.kind, part.text) for part in parts] == [
        ("same", "Teach halves.\nBe"),
        ("added", " very"),
        ("same", " kind.\n"),
    ]


def test_lines_that_have_little_in_common_stand_as_wholes():
    parts = diff_texts("Ask one thing at a time.\n", "No sums today, only pictures.\n")
    assert [part.kind for part in parts] == ["removed", "added"]
