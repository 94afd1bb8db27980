"""Checks that a text is one SELECT, before a database sees it. The database itself enforces that nothing is written."""

import re
from collections.abc import Iterator
from typing import Final

from agents.tools.sql import QueryRefused

SQL_CHARACTERS: Final = 4_000
_TOKEN: Final = re.compile(
    r"""
      (?P<comment> --[^\n]* | /\*.*?\*/ )
    | (?P<string> '(?:[^']|'')*' )
    | (?P<quoted> "(?:[^"]|"")*" | `[^`]*` | \[[^\]]*\] )
    | (?P<word> [^\W\d]\w* )
    | (?P<sign> \d[\w.]* | \s+ | . )
    """,
    re.VERBOSE | re.DOTALL,
)
# Those that can stand inside of a SELECT; what a text begins with is checked anyway.
_WRITES: Final = frozenset(
    ("insert", "update", "delete", "merge", "replace", "into", "create", "alter", "drop", "truncate", "grant", "revoke",
     "attach", "detach", "pragma", "vacuum", "copy")
)  # fmt: skip
_BEGINNINGS: Final = (("word", "select"), ("word", "with"), ("word", "values"))
# Names of a server's own tables and functions: files, other sessions, waiting, settings. Whatever they return, a question
# about the operator's tables needs none of them.
_SERVER_NAMES: Final = re.compile(
    r"pg_\w*|information_schema|lo_\w+|dblink\w*|set_config|current_setting|query_to_\w+|table_to_\w+|cursor_to_\w+"
    r"|schema_to_\w+|database_to_\w+|sqlite_\w+|pragma_\w+|load_extension|readfile|writefile|edit|fts3_tokenizer",
    re.IGNORECASE,
)  # fmt: skip


def checked_select(sql: str) -> str:
    """Return the one SELECT in the text, without its semicolon. Raises QueryRefused."""
    if len(sql) > SQL_CHARACTERS:
        raise QueryRefused(f"The query is longer than {SQL_CHARACTERS} characters.")
    if "\x00" in sql:
        raise QueryRefused("The query contains a character that SQL cannot have.")
    text = sql.strip().removesuffix(";").strip()
    tokens = list(_tokens(text))
    first = next((token for token in tokens if token != ("sign", "(")), None)
    if first not in _BEGINNINGS:
        raise QueryRefused("Only a SELECT can be run here.")
    _check_signs([value for kind, value in tokens if kind == "sign"])
    for kind, value in tokens:
        if kind in ("word", "quoted") and _SERVER_NAMES.fullmatch(value):
            raise QueryRefused(f"{value} cannot be used here; only the database’s own tables can be read.")
    return text


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """Yield words and quoted names in lower case, signs, and texts as empty ones; comments are left out."""
    before = ""
    for found in _TOKEN.finditer(text):
        kind, value = str(found.lastgroup), found[0]
        if kind == "string" and before.endswith(("e", "&")) and "\\" in value:
            # Where such a text ends depends on the server.
            raise QueryRefused("Texts with backslashes cannot be used here.")
        if kind == "comment" and "/*" in value[2:]:
            raise QueryRefused("Comments within comments cannot be used here.")
        if kind == "quoted" and before == "&":
            raise QueryRefused("Names with escaped characters cannot be used here.")
        # `replace(…)` is a function that changes a text.
        is_function = value.lower() == "replace" and text[found.end() :].lstrip().startswith("(")
        if kind == "word" and value.lower() in _WRITES and not is_function:
            raise QueryRefused(f"Only a SELECT can be run here; it cannot contain {value.upper()}.")
        before = value.lower()
        if kind == "quoted" and value.startswith("["):
            # A name in SQLite, but in PostgreSQL what an array holds.
            yield from (("quoted", word.lower()) for word in re.findall(r"\w+", value))
        elif kind in ("word", "quoted"):
            yield kind, value.strip('"`').lower()
        elif kind == "sign" and not value.isspace():
            yield kind, value
        elif kind == "string":
            yield kind, ""


def _check_signs(signs: list[str]) -> None:
    depth = 0
    for sign in signs:
        depth += (sign == "(") - (sign == ")")
        if sign == ";":
            raise QueryRefused("Only one statement can be run at a time.")
        # A quote that nothing closes, or a quote of dollars, would hide what follows.
        if sign in ("'", '"', "`", "$"):
            raise QueryRefused("The query has a quote that is not closed.")
        if depth < 0:
            break
    if depth:
        raise QueryRefused("The query has a parenthesis that is not closed.")
