"""Files of questions in other encodings."""

import pytest

from tutoring.course_imports.files import decoded
from tutoring.course_imports.questions import ImportRefused


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Wie heißt das Gerät? {=Thermometer}", "utf-8"),
        ("Wie heißt das Gerät? {=Thermometer}", "utf-16"),
        ("Où était l’élève à l’été ? {=à l’école}", "cp1252"),
        ("Размер? {=большой}", "utf-8"),
    ],
)
def test_texts_are_read_in_their_encoding(text: str, encoding: str) -> None:
    assert decoded(text.encode(encoding), name="questions.txt") == text


@pytest.mark.parametrize("encoding", ["cp1251", "koi8-r", "shift_jis"])
def test_text_in_another_alphabet_is_to_be_saved_as_utf_8(encoding: str) -> None:
    text = "温度は？ {=高い}" if encoding == "shift_jis" else "Размер? {=большой}"
    with pytest.raises(ImportRefused, match=r"^questions.txt is not a text file in UTF-8. Save it as UTF-8"):
        decoded(text.encode(encoding), name="questions.txt")
