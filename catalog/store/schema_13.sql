-- The catalogue, version 13: one history of all changes, imports of cards included. Every table that it covers has a
-- whole number as its key, so that the rows which a change added are those above the highest number before it.

DROP TRIGGER boxes_added;
DROP TRIGGER boxes_changed;
DROP TRIGGER boxes_removed;
DROP TRIGGER holdings_added;
DROP TRIGGER holdings_changed;
DROP TRIGGER holdings_removed;
DROP TRIGGER collection_files_added;
DROP TRIGGER collection_files_changed;
DROP TRIGGER collection_files_removed;
DROP TRIGGER doubts_added;
DROP TRIGGER doubts_changed;
DROP TRIGGER doubts_removed;
DROP TRIGGER decks_out_added;
DROP TRIGGER decks_out_changed;
DROP TRIGGER decks_out_removed;
DROP TRIGGER file_rows_added;
DROP TRIGGER file_rows_removed;
DROP TABLE replaced;
ALTER TABLE changes RENAME TO former_changes;
ALTER TABLE journal RENAME TO former_journal;
ALTER TABLE changes_undone RENAME TO former_undone;
ALTER TABLE journal_undone RENAME TO former_journal_undone;

CREATE TABLE changes (
    id      INTEGER PRIMARY KEY AUTOINCREMENT, -- in the order in which the changes were made
    made    TEXT NOT NULL,                     -- when, UTC
    what    TEXT NOT NULL,
    kind    TEXT NOT NULL DEFAULT '',          -- import, card, collection or layout; empty while it is being made
    details TEXT,                              -- JSON: of an import of cards what it read and did
    marks   TEXT NOT NULL,                     -- JSON: for each table the highest key before the change
    size    INTEGER NOT NULL DEFAULT 0,        -- characters of its rows in the journal when it was made
    undone  INTEGER NOT NULL DEFAULT 0         -- 1 while it can be redone
);
-- The rows that a change changed or removed, as they were before it. Of an undone change: all its rows as they were after
-- it. Rows that a change added are not in here until it is undone: their keys are above its marks.
CREATE TABLE journal (
    id        INTEGER PRIMARY KEY,
    change_id INTEGER NOT NULL,
    place     TEXT NOT NULL,                   -- a table, or layouts
    key       NOT NULL,                        -- of the row, or the path of the layout as JSON
    content   TEXT,                            -- JSON list of the row's cells, or the text of the layout; null for none
    UNIQUE (change_id, place, key)
);

-- Of earlier changes those stay that changed the collection alone, behind the last import and the last change to a card.
-- All their rows are in the journal, so their marks are above any key.
CREATE TABLE former AS SELECT change_id FROM (
    SELECT change_id, place FROM former_journal UNION SELECT change_id, place FROM former_journal_undone
    UNION SELECT id, 'imports' FROM former_changes WHERE import_id IS NOT NULL
) WHERE place NOT IN ('boxes', 'holdings', 'collection_files', 'doubts', 'decks_out', 'file_rows');
INSERT INTO changes (id, made, what, kind, marks, undone)
SELECT id, made, what, 'collection', json_object('boxes', mark, 'holdings', mark, 'collection_files', mark, 'doubts', mark,
    'decks_out', mark, 'file_rows', mark), undone
FROM (
    SELECT id, made, what, 0 AS undone FROM former_changes
    WHERE id > coalesce((SELECT max(change_id) FROM former WHERE change_id IN (SELECT id FROM former_changes)), 0)
    UNION ALL SELECT id, made, what, 1 FROM former_undone
    WHERE (SELECT min(id) FROM former_undone) > coalesce((SELECT max(id) FROM former_changes), 0)
        AND NOT EXISTS (SELECT 1 FROM former JOIN former_undone ON id = change_id)
), (SELECT 9223372036854775807 AS mark);
-- The rows of a file were not in the journal of the change that brought it.
INSERT INTO journal (change_id, place, key, content)
SELECT DISTINCT brought.change_id, 'file_rows', own.id, NULL
FROM former_journal AS brought JOIN (
    SELECT id, file_id FROM file_rows
    UNION SELECT json_extract(before, '$[0]'), json_extract(before, '$[1]') FROM former_journal
    WHERE place = 'file_rows' AND before IS NOT NULL
) AS own ON own.file_id = brought.row_id
WHERE brought.place = 'collection_files' AND brought.before IS NULL
    AND brought.change_id IN (SELECT id FROM changes WHERE NOT undone);
-- What a row was at first counts. Rows that were written before a column was added get its default.
INSERT OR IGNORE INTO journal (change_id, place, key, content)
SELECT change_id, place, row_id, CASE place || json_array_length(before)
    WHEN 'holdings15' THEN rtrim(before, ']') || ',"","","{}",null,null]'
    WHEN 'holdings16' THEN rtrim(before, ']') || ',"","{}",null,null]'
    WHEN 'holdings17' THEN rtrim(before, ']') || ',"{}",null,null]'
    WHEN 'file_rows13' THEN rtrim(before, ']') || ',"","{}"]'
    WHEN 'file_rows14' THEN rtrim(before, ']') || ',"{}"]'
    ELSE before END
FROM (
    SELECT * FROM former_journal WHERE change_id IN (SELECT id FROM changes WHERE NOT undone)
    UNION ALL SELECT * FROM former_journal_undone WHERE change_id IN (SELECT id FROM changes WHERE undone)
) ORDER BY id;
DROP TABLE former;
DROP TABLE former_changes;
DROP TABLE former_journal;
DROP TABLE former_undone;
DROP TABLE former_journal_undone;

DELETE FROM imports WHERE undone IS NOT NULL;
ALTER TABLE imports DROP COLUMN undone;

CREATE TABLE former AS SELECT rowid AS number, * FROM cards;
DROP TABLE cards;
CREATE TABLE cards (
    number           INTEGER PRIMARY KEY,       -- of the row, for the history
    id               TEXT UNIQUE NOT NULL,      -- game:set/number, stable over imports
    source           TEXT NOT NULL,             -- the source that owns the row: its imports change and remove it
    game             TEXT NOT NULL,
    name             TEXT NOT NULL,
    set_code         TEXT NOT NULL,
    set_name         TEXT NOT NULL,
    collector_number TEXT NOT NULL,
    top_left         INTEGER,                   -- the number in a zone, 0 to 10; null for none, or more than one
    top              INTEGER,
    top_right        INTEGER,
    "left"           INTEGER,
    "right"          INTEGER,
    bottom_left      INTEGER,
    bottom           INTEGER,
    bottom_right     INTEGER,
    face             TEXT NOT NULL,             -- JSON list of the numbers printed elsewhere
    score            INTEGER NOT NULL,          -- rule 13
    legal            INTEGER NOT NULL,          -- 1 if the card may be in a deck
    reason           TEXT,                      -- why it may not (rule 12)
    attack           INTEGER,
    defense          INTEGER,
    released         TEXT,
    lang             TEXT NOT NULL,
    printed_name     TEXT,                      -- the name on the card if that is not `name`
    printed          TEXT NOT NULL,             -- JSON: [zone, field, how it is read, text] of each text with numerals
    ids              TEXT NOT NULL DEFAULT '',  -- what others call the card: kind:value, between spaces
    import_id        INTEGER NOT NULL           -- the import that brought the card, or last changed it
);
INSERT INTO cards
SELECT number, id, source, game, name, set_code, set_name, collector_number, top_left, top, top_right, "left", "right",
    bottom_left, bottom, bottom_right, face, score, legal, reason, attack, defense, released, lang, printed_name, printed,
    ids, import_id
FROM former ORDER BY number;
DROP TABLE former;
CREATE INDEX cards_by_name ON cards (name);
CREATE INDEX cards_by_printed_name ON cards (printed_name) WHERE printed_name IS NOT NULL;
CREATE INDEX cards_legal ON cards (id, game) WHERE legal = 1;
CREATE INDEX cards_by_number ON cards (set_code COLLATE NOCASE, collector_number COLLATE NOCASE);

CREATE TABLE former AS SELECT cards.number, uncorrected.* FROM uncorrected JOIN cards USING (id);
DROP TABLE uncorrected;
-- A column that `cards` gets, this table gets too.
CREATE TABLE uncorrected (
    number           INTEGER PRIMARY KEY,
    id               TEXT NOT NULL,
    source           TEXT NOT NULL,
    game             TEXT NOT NULL,
    name             TEXT NOT NULL,
    set_code         TEXT NOT NULL,
    set_name         TEXT NOT NULL,
    collector_number TEXT NOT NULL,
    top_left         INTEGER,
    top              INTEGER,
    top_right        INTEGER,
    "left"           INTEGER,
    "right"          INTEGER,
    bottom_left      INTEGER,
    bottom           INTEGER,
    bottom_right     INTEGER,
    face             TEXT NOT NULL,
    score            INTEGER NOT NULL,
    legal            INTEGER NOT NULL,
    reason           TEXT,
    attack           INTEGER,
    defense          INTEGER,
    released         TEXT,
    lang             TEXT NOT NULL,
    printed_name     TEXT,
    printed          TEXT NOT NULL,
    ids              TEXT NOT NULL,
    import_id        INTEGER NOT NULL
);
INSERT INTO uncorrected
SELECT number, id, source, game, name, set_code, set_name, collector_number, top_left, top, top_right, "left", "right",
    bottom_left, bottom, bottom_right, face, score, legal, reason, attack, defense, released, lang, printed_name, printed,
    ids, import_id
FROM former ORDER BY number;
DROP TABLE former;

ALTER TABLE corrections RENAME TO former;
CREATE TABLE corrections (
    id      INTEGER PRIMARY KEY,
    card_id TEXT UNIQUE NOT NULL,  -- kept while no source has the card, until one has it again
    made    TEXT NOT NULL,         -- when it was changed last, UTC
    told    TEXT NOT NULL          -- JSON: the values that differ from the source's
);
INSERT INTO corrections (card_id, made, told) SELECT card_id, made, told FROM former ORDER BY card_id;
DROP TABLE former;
