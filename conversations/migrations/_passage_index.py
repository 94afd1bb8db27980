"""SQL of the index over passages, kept by triggers; on PostgreSQL also the vector column of pgvector.

The owner of a passage is a term of the index. Words are stemmed; no stop words, on either database.
"""

import sqlite3
from typing import Any

from django.db import DatabaseError, transaction

SQLITE_TABLE = """
CREATE VIRTUAL TABLE conversations_passage_search
USING fts5(text, heading, owner, tokenize="porter unicode61 remove_diacritics 2")"""
OWNED = """
  SELECT new.id, new.text, new.heading,
  coalesce((SELECT 'p' || owner_id FROM conversations_document WHERE id = new.document_id), 'everyone')
  WHERE new.indexed"""
SQLITE_TRIGGERS = [
    f"""
CREATE TRIGGER conversations_passage_stored AFTER INSERT ON conversations_passage BEGIN
  INSERT INTO conversations_passage_search(rowid, text, heading, owner) {OWNED};
END""",
    f"""
CREATE TRIGGER conversations_passage_changed
AFTER UPDATE OF text, heading, document_id, publication_id, indexed ON conversations_passage BEGIN
  DELETE FROM conversations_passage_search WHERE rowid = old.id;
  INSERT INTO conversations_passage_search(rowid, text, heading, owner) {OWNED};
END""",
    """
CREATE TRIGGER conversations_passage_gone AFTER DELETE ON conversations_passage BEGIN
  DELETE FROM conversations_passage_search WHERE rowid = old.id;
END""",
]
SQLITE_FILL = """
INSERT INTO conversations_passage_search(rowid, text, heading, owner)
SELECT passage.id, passage.text, passage.heading, coalesce('p' || document.owner_id, 'everyone')
FROM conversations_passage AS passage LEFT JOIN conversations_document AS document ON document.id = passage.document_id
WHERE passage.indexed"""
# Deleted text leaves no word in the index.
SQLITE_FORGETS = (
    "INSERT INTO conversations_passage_search(conversations_passage_search, rank) VALUES ('secure-delete', 1)"
)

POSTGRESQL = [
    "CREATE TEXT SEARCH DICTIONARY conversations_stems (TEMPLATE = snowball, LANGUAGE = english)",
    "CREATE TEXT SEARCH CONFIGURATION conversations_words (COPY = simple)",
    "ALTER TEXT SEARCH CONFIGURATION conversations_words ALTER MAPPING FOR asciiword, word WITH conversations_stems",
    "ALTER TABLE conversations_passage ADD COLUMN words tsvector",
    # Folded as in `_message_index`. Whose it is has a blank, as no word has.
    r"""
CREATE FUNCTION conversations_passage_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  new.words := CASE WHEN new.indexed THEN
    to_tsvector('conversations_words', regexp_replace(
      regexp_replace(normalize(new.heading || ' ' || new.text, NFD), '[\u0300-\u036f]', '', 'g'),
      '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f]+', ' ', 'g'
    )) || array_to_tsvector(ARRAY[
      coalesce((SELECT 'owner ' || owner_id FROM conversations_document WHERE id = new.document_id), 'for everyone')
    ]) END;
  RETURN new;
END $$""",
    """
CREATE TRIGGER conversations_passage_stored
BEFORE INSERT OR UPDATE OF text, heading, document_id, publication_id, indexed ON conversations_passage
FOR EACH ROW EXECUTE FUNCTION conversations_passage_words()""",
    "UPDATE conversations_passage SET text = text",
    "CREATE INDEX conversations_passage_words ON conversations_passage USING gin (words)",
]


def create_index(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor != "sqlite":
        for statement in POSTGRESQL:
            schema_editor.execute(statement, params=None)
        add_pgvector(schema_editor)
        return
    schema_editor.execute(SQLITE_TABLE)
    if sqlite3.sqlite_version_info >= (3, 42):
        schema_editor.execute(SQLITE_FORGETS)
    for statement in SQLITE_TRIGGERS:
        schema_editor.execute(statement)
    schema_editor.execute(SQLITE_FILL)


def add_pgvector(schema_editor: Any) -> None:
    """Add a column that the database can compare, where it has the extension, or may make it."""
    try:
        with transaction.atomic(schema_editor.connection.alias):
            schema_editor.execute("CREATE EXTENSION IF NOT EXISTS vector", params=None)
            schema_editor.execute("ALTER TABLE conversations_embedding ADD COLUMN meaning halfvec(384)", params=None)
    except DatabaseError:
        pass  # Then vectors are compared in the processes' memory.


def drop_index(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor != "sqlite":
        schema_editor.execute("DROP TRIGGER conversations_passage_stored ON conversations_passage")
        schema_editor.execute("DROP FUNCTION conversations_passage_words")
        schema_editor.execute("ALTER TABLE conversations_passage DROP COLUMN words")
        schema_editor.execute("ALTER TABLE conversations_embedding DROP COLUMN IF EXISTS meaning")
        schema_editor.execute("DROP TEXT SEARCH CONFIGURATION conversations_words")
        schema_editor.execute("DROP TEXT SEARCH DICTIONARY conversations_stems")
        return
    for name in ("stored", "changed", "gone"):
        schema_editor.execute(f"DROP TRIGGER conversations_passage_{name}")
    schema_editor.execute("DROP TABLE conversations_passage_search")
