"""Rosters as files: encodings, separators, headings, rows that cannot be imported."""

import pytest

from learnagent.rosters.columns import Column, guess_columns
from learnagent.rosters.rows import rows_of
from learnagent.rosters.tables import MAX_ROWS, UnreadableRoster, decode, read_table
from tests.learnagent.rosters.roster_helpers import roster

TEXT = "Vorname;Nachname;Gruppe\nZoë;Müller;Blau\nJürgen;Groß;Rot\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_it_reads_the_encodings_of_spreadsheets(encoding):
    assert decode(TEXT.encode(encoding)).removeprefix("\ufeff") == TEXT


@pytest.mark.parametrize("data", [b"\x81\x8d", b"a\x00\x00\x00b\x00\x00\x00", b"\xff\xfea"])
def test_it_refuses_what_is_no_text(data):
    with pytest.raises(UnreadableRoster, match="save it as CSV"):
        read_table(decode(data))


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_it_finds_the_separator(separator):
    text = TEXT.replace(";", separator).replace("Blau", f'"Blau{separator} Grün"')
    assert read_table(text)[1] == ["Zoë", "Müller", f"Blau{separator} Grün".replace("\t ", " ")]


def test_it_follows_a_line_that_tells_excel_the_separator():
    assert read_table("\ufeffsep=;\r\na,b,c;d\r\n") == [["a,b,c", "d"]]


def test_it_says_when_there_are_too_many_rows_or_none():
    assert len(read_table("name\n" + "a\n" * MAX_ROWS)) == MAX_ROWS + 1
    with pytest.raises(UnreadableRoster, match="up to 10000 rows"):
        read_table("name\n" + "a\n" * (MAX_ROWS + 1))
    with pytest.raises(UnreadableRoster, match="no rows"):
        read_table(" \n;;\n")


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("First Name,SURNAME,Group", {0: Column.FIRST, 1: Column.LAST, 2: Column.GROUP}),
        ("E-Mail,Schüler,Alter", {0: Column.EMAIL, 1: Column.NAME, 2: Column.AGE}),
        ("Prénom,Nom de famille,user_name", {0: Column.FIRST, 1: Column.LAST, 2: Column.USERNAME}),
        ("name,Name", {0: Column.NAME}),
    ],
)
def test_it_recognizes_headings_in_several_spellings(header, expected):
    assert guess_columns(read_table(f"{header}\na,b,c\n")) == (expected, True)


def test_it_takes_a_plain_list_as_names_and_guesses_nothing_else():
    assert guess_columns(read_table("Mia Huber\nLuca Rossi")) == ({0: Column.NAME}, False)
    assert guess_columns(read_table("Huber,Mia\nRossi,Luca")) == ({}, False)


def test_it_reads_names_groups_and_ages():
    [row] = roster("first name,last name,group,age\nMia,Huber,Blue; Red |Blue,9\n").rows
    assert (row.name, row.groups, row.age_band, row.number, row.problem) == (
        "Mia Huber",
        ("Blue", "Red"),
        "child",
        2,
        "",
    )


@pytest.mark.parametrize(
    "text",
    [
        "Name;Vorname\nHuber;Mia",
        "Nombre,Apellidos\nMia,Huber",
        "name,first name,last name\nMia Huber,Mia,Huber",
        "Name\nMia Huber",
    ],
)
def test_it_puts_first_names_before_last_names(text):
    [row] = roster(text).rows
    assert row.name == "Mia Huber"


@pytest.mark.parametrize(
    ("age", "band"), [("12", "child"), ("13", "teen"), ("18", "adult"), ("Teen", "teen"), ("", "")]
)
def test_it_reads_ages_and_their_names(age, band):
    [row] = roster(f"name,age\nMia,{age}\n").rows
    assert row.age_band == band


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("=HYPERLINK(1),,,,", "can’t start with"),
        ("＝SUM(A1),,,,", "can’t start with"),
        ("+Mia,,,,", "can’t start with"),
        ("@Mia,,,,", "can’t start with"),
        ("12345,,,,", "not a name"),
        ("M\u202eia,,,,", "not a name"),
        (",mia,,,", "no name"),
        ("x" * 81 + ",,,,", "up to 80"),
        ("Mia,m ia,,,", "username"),
        ("Mia,@mia,,,", "username"),
        ("Mia,,nowhere,,", "email"),
        ("Mia,,,=1+1,", "group"),
        ("Mia,,,,old", "not an age"),
        ("Mia,,,,999", "not an age"),
    ],
)
def test_it_says_why_a_row_cannot_be_imported(line, reason):
    table = read_table(f"name,username,email,group,age\n{line}\n")
    columns, has_header = guess_columns(table)
    [row] = rows_of(table, columns, has_header=has_header)
    assert reason in row.problem


def test_it_takes_names_of_all_kinds():
    names = ["O’Brien", "Anna-Lena", "D'Arcy", "王小明", "Мария", "José Ñandú", "X Æ A-12"]
    assert [row.problem for row in roster("name\n" + "\n".join(names)).rows] == [""] * len(names)
