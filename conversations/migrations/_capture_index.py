"""SQL of the index over captures, kept by triggers. Each capture's owner is a term of the index; orphans are left out.

As with messages, `conversations.search.sqlite_triggers` restores the triggers after migrations on SQLite.
"""

import sqlite3
from typing import Any

SQLITE_TABLE = """
CREATE VIRTUAL TABLE captures_fts
USING fts5(user_text, agent_text, owner, tokenize="unicode61 remove_diacritics 2")"""
SQLITE_TRIGGERS = [
    """
CREATE TRIGGER captures_stored AFTER INSERT ON captures WHEN new.owner_id IS NOT NULL BEGIN
  INSERT INTO captures_fts(rowid, user_text, agent_text, owner)
  VALUES (new.id, new.user_text, new.agent_text, 'p' || new.owner_id);
END""",
    """
CREATE TRIGGER captures_changed AFTER UPDATE OF user_text, agent_text, owner_id ON captures BEGIN
  DELETE FROM captures_fts WHERE rowid = old.id;
  INSERT INTO captures_fts(rowid, user_text, agent_text, owner)
  SELECT new.id, new.user_text, new.agent_text, 'p' || new.owner_id WHERE new.owner_id IS NOT NULL;
END""",
    """
CREATE TRIGGER captures_gone AFTER DELETE ON captures BEGIN
  DELETE FROM captures_fts WHERE rowid = old.id;
END""",
]
SQLITE_FILL = """
INSERT INTO captures_fts(rowid, user_text, agent_text, owner)
SELECT captures.id, captures.user_text, captures.agent_text, 'p' || captures.owner_id FROM captures
WHERE captures.owner_id IS NOT NULL"""
# Deleted text leaves no word in the index.
SQLITE_FORGETS = "INSERT INTO captures_fts(captures_fts, rank) VALUES ('secure-delete', 1)"

POSTGRESQL = [
    "ALTER TABLE captures ADD COLUMN searched tsvector",
    # Folded as for messages: the parser sees words and no addresses, numbers with signs, or files. The word between the
    # texts keeps a phrase from reaching from one into the other: deleted, it leaves a gap.
    r"""
CREATE FUNCTION captures_searched() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  new.searched := CASE WHEN new.owner_id IS NOT NULL THEN ts_delete(to_tsvector('simple', regexp_replace(
      regexp_replace(normalize(new.user_text || ' ' || repeat('x', 300) || ' ' || new.agent_text, NFD), '[\u0300-\u036f]', '', 'g'),
      '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f]+', ' ', 'g'
    )), repeat('x', 300)) || array_to_tsvector(ARRAY['owner ' || new.owner_id]) END;
  RETURN new;
END $$""",
    """
CREATE TRIGGER captures_stored BEFORE INSERT OR UPDATE OF user_text, agent_text, owner_id ON captures
FOR EACH ROW EXECUTE FUNCTION captures_searched()""",
    "CREATE INDEX captures_searched ON captures USING gin (searched)",
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


def drop_index(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor != "sqlite":
        schema_editor.execute("DROP TRIGGER captures_stored ON captures")
        schema_editor.execute("DROP FUNCTION captures_searched")
        schema_editor.execute("ALTER TABLE captures DROP COLUMN searched")
        return
    for name in ("stored", "changed", "gone"):
        schema_editor.execute(f"DROP TRIGGER captures_{name}")
    schema_editor.execute("DROP TABLE captures_fts")
