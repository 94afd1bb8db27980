"""Prompts are files, and known by their version."""

from pathlib import Path

from agents.llm.prompt import read_prompt


def test_prompt_is_named_as_its_file(tmp_path: Path) -> None:
    path = tmp_path / "tutor.md"
    path.write_text("Teach “halves”.", encoding="utf-8")
    prompt = read_prompt(path)
    assert (prompt.name, prompt.text) == ("tutor", "Teach “halves”.")


def test_version_is_the_start_of_the_texts_hash(tmp_path: Path) -> None:
    path = tmp_path / "tutor.md"
    path.write_text("abc", encoding="utf-8")
    assert read_prompt(path).version == "ba7816bf8f01"


def test_version_changes_with_the_text_only(tmp_path: Path) -> None:
    one, same, other = (tmp_path / name for name in ("one.md", "same.md", "other.md"))
    one.write_text("Teach.", encoding="utf-8")
    same.write_text("Teach.", encoding="utf-8")
    other.write_text("Teach!", encoding="utf-8")
    assert read_prompt(one).version == read_prompt(same).version != read_prompt(other).version
