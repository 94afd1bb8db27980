"""SQL of the index over messages, kept by triggers. Each message's owner is a term of the index.

Later migrations can ignore the triggers: `conversations.search.sqlite_triggers` restores them on SQLite.
"""

import sqlite3
from typing import Any


SQLITE_TABLE = """
CREATE VIRTUAL TABLE conversations_search USING fts5(text, owner, tokenize="unicode61 remove_diacritics 2")"""
SQLITE_TRIGGERS = [
    """
CREATE TRIGGER conversations_message_said AFTER INSERT ON conversations_message WHEN new.text <> '' BEGIN
  INSERT INTO conversations_search(rowid, text, owner)
  SELECT new.id, new.text, 'p' || owner_id FROM conversations_session WHERE id = new.session_id;
END""",
    """
CREATE TRIGGER conversations_message_changed AFTER UPDATE OF text, session_id ON conversations_message BEGIN
  DELETE FROM conversations_search WHERE rowid = old.id;
  INSERT INTO conversations_search(rowid, text, owner)
  SELECT new.id, new.text, 'p' || owner_id FROM conversations_session WHERE id = new.session_id AND new.text <> '';
END""",
    """
CREATE TRIGGER conversations_message_gone AFTER DELETE ON conversations_message BEGIN
  DELETE FROM conversations_search WHERE rowid = old.id;
END""",
]
SQLITE_FILL = """
INSERT INTO conversations_search(rowid, text, owner)
SELECT message.id, message.text, 'p' || session.owner_id FROM conversations_message AS message
JOIN conversations_session AS session ON session.id = message.session_id WHERE message.text <> ''"""
# Deleted text leaves no word in the index.
SQLITE_FORGETS = "INSERT INTO conversations_search(conversations_search, rank) VALUES ('secure-delete', 1)"

POSTGRESQL = [
    "ALTER TABLE conversations_message ADD COLUMN searched tsvector",
    # Folded as `conversations.search.query.fold` does; ASCII but letters and digits is blank, so that the parser
    # sees words and no addresses, numbers with signs, or files. The owner's term has a blank, as no word has.
    r"""
CREATE FUNCTION conversations_message_searched() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  new.searched := to_tsvector('simple', regexp_replace(
      regexp_replace(normalize(new.text, NFD), '[\u0300-\u036f]', '', 'g'),
      '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f]+', ' ', 'g'
    )) || array_to_tsvector(ARRAY(
      SELECT 'owner ' || owner_id FROM conversations_session WHERE id = new.session_id
    ));
  RETURN new;
END $$""",
    """
CREATE TRIGGER conversations_message_said BEFORE INSERT OR UPDATE OF text, session_id ON conversations_message
FOR EACH ROW EXECUTE FUNCTION conversations_message_searched()""",
    "UPDATE conversations_message SET text = text",
    "CREATE INDEX conversations_message_searched ON conversations_message USING gin (searched)",
]


def create_index(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor != "sqlite":
        for statement in POSTGRESQL:
            schema_editor.execute(statement, params=None)
        return
    schema_editor.execute(SQLITE_TABLE)
    if sqlite3.sqlite_version_info >= (3, 42):
        schema_editor.execute(SQLITE_FORGETS)
    for statement in SQLITE_TRIGGERS:
        schema_editor.execute(statement)
    schema_editor.execute(SQLITE_FILL)


def drop_index(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor != "sqlite":
        schema_editor.execute("DROP TRIGGER conversations_message_said ON conversations_message")
        schema_editor.execute("DROP FUNCTION conversations_message_searched")
        schema_editor.execute("ALTER TABLE conversations_message DROP COLUMN searched")
        return
    for name in ("said", "changed", "gone"):
        schema_editor.execute(f"DROP TRIGGER conversations_message_{name}")
    schema_editor.execute("DROP TABLE conversations_search")
