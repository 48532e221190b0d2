-- The catalogue, version 1. Users may query it with any SQLite tool: docs/schema.md documents the views, docs/catalogue.md
-- the tables. A later version changes this one by a script of its own (catalog/store/file.py).
--
-- Every table that the history covers has an integer as its key, so that the rows that a change added are those above the
-- highest number before it.

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
    ids              TEXT NOT NULL DEFAULT '',  -- ids in other programs: kind:value, between spaces
    import_id        INTEGER NOT NULL           -- the import that brought the card, or last changed it
);
CREATE INDEX cards_by_name ON cards (name);
CREATE INDEX cards_by_printed_name ON cards (printed_name) WHERE printed_name IS NOT NULL;
CREATE INDEX cards_by_number ON cards (set_code COLLATE NOCASE, collector_number COLLATE NOCASE);
CREATE INDEX cards_legal ON cards (id, game) WHERE legal = 1;

-- The user's corrections of cards of sources. `cards` has the corrected card, `uncorrected` the same row as its source
-- has it: imports compare and change that one.
CREATE TABLE corrections (
    id      INTEGER PRIMARY KEY,
    card_id TEXT UNIQUE NOT NULL,  -- kept while no source has the card, until one has it again
    made    TEXT NOT NULL,         -- when it was changed last, UTC
    told    TEXT NOT NULL          -- JSON: the values that differ from the source's
);
-- The columns are those of `cards`, in the same order.
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

-- Every name once, in the form in which names are compared. `names_fts` finds it by its words. A misspelt name is found by
-- a third of it that is spelt correctly: `names_by_folded` knows the beginnings.
CREATE TABLE names (
    id     INTEGER PRIMARY KEY,
    name   TEXT NOT NULL UNIQUE,
    folded TEXT NOT NULL
);
CREATE INDEX names_by_folded ON names (folded);
CREATE INDEX names_by_middle ON names (length(folded), substr(folded, length(folded) / 3 + 1, length(folded) / 3));
CREATE INDEX names_by_end ON names (length(folded), substr(folded, length(folded) / 3 * 2 + 1));
CREATE VIRTUAL TABLE names_fts USING fts5 (folded, content = 'names', content_rowid = 'id');
CREATE TRIGGER names_removed AFTER DELETE ON names BEGIN
    INSERT INTO names_fts (names_fts, rowid, folded) VALUES ('delete', old.id, old.folded);
END;

CREATE TABLE imports (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    source    TEXT NOT NULL,
    address   TEXT NOT NULL,
    version   TEXT,             -- of the data, as the source names it
    sha256    TEXT,             -- of the file
    size      INTEGER,          -- of the file, in bytes
    layout    TEXT NOT NULL,    -- fingerprint of the layout and the reader: if it differs, the same data are read again
    imported  TEXT NOT NULL,    -- when, UTC
    read      INTEGER NOT NULL,
    added     INTEGER NOT NULL,
    changed   INTEGER NOT NULL,
    unchanged INTEGER NOT NULL,
    removed   INTEGER NOT NULL,
    skipped   INTEGER NOT NULL
);
CREATE INDEX imports_by_source ON imports (source, id);

CREATE TABLE boxes (
    id     INTEGER PRIMARY KEY,
    name   TEXT NOT NULL UNIQUE,       -- empty for no box, which is number 0
    folded TEXT NOT NULL UNIQUE        -- in lower case
);
INSERT INTO boxes (id, name, folded) VALUES (0, '', '');

-- No import of a source touches holdings, so a card that its source no longer has stays in the collection.
CREATE TABLE holdings (
    id               INTEGER PRIMARY KEY,
    card_id          TEXT NOT NULL,              -- an id in `cards`, if the card is still there
    copies           INTEGER NOT NULL CHECK (copies > 0),
    finish           TEXT NOT NULL,              -- normal, foil, etched, or another word of the user
    condition        TEXT NOT NULL,              -- mint, near-mint …; empty if unknown
    language         TEXT NOT NULL,
    box              TEXT NOT NULL REFERENCES boxes (name) ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED,
    "row"            TEXT NOT NULL,
    slot             TEXT NOT NULL,
    game             TEXT NOT NULL,              -- this and the next five: the card when the catalogue last had it
    name             TEXT NOT NULL,
    set_code         TEXT NOT NULL,
    set_name         TEXT NOT NULL,
    collector_number TEXT NOT NULL,
    ids              TEXT NOT NULL,
    rarity           TEXT NOT NULL DEFAULT '',   -- as the imported file has it
    note             TEXT NOT NULL DEFAULT '',
    details          TEXT NOT NULL DEFAULT '{}', -- JSON, keys in order, without unknown values
    added            TEXT,                       -- when the first of these copies was added, UTC; null if unknown
    changed          TEXT,                       -- when their number changed last, UTC; null if never
    UNIQUE (card_id, finish, condition, language, box, "row", slot, note, details)
);

-- Copies that are checked out of their boxes, in a deck. References are checked at the end of a transaction, so that the
-- order of statements in it does not matter.
CREATE TABLE decks_out (
    id         INTEGER PRIMARY KEY,
    deck       TEXT NOT NULL,
    holding_id INTEGER NOT NULL REFERENCES holdings (id) DEFERRABLE INITIALLY DEFERRED,
    copies     INTEGER NOT NULL CHECK (copies > 0),
    UNIQUE (deck, holding_id)
);
CREATE INDEX decks_out_by_holding ON decks_out (holding_id);

-- Files imported into the collection, so that importing the same file again changes nothing.
CREATE TABLE collection_files (
    id       INTEGER PRIMARY KEY,
    name     TEXT NOT NULL,
    format   TEXT NOT NULL,
    sha256   TEXT NOT NULL,
    imported TEXT NOT NULL,            -- when, UTC
    summary  TEXT NOT NULL             -- JSON: what the import reported
);
CREATE INDEX collection_files_by_sha256 ON collection_files (sha256);

-- The copies that each row of a file added, so that a newer export of the same collection is recognised and applied as a
-- difference.
CREATE TABLE file_rows (
    id        INTEGER PRIMARY KEY,
    file_id   INTEGER NOT NULL REFERENCES collection_files (id) DEFERRABLE INITIALLY DEFERRED,
    line      INTEGER NOT NULL,
    identity  INTEGER NOT NULL,            -- hash of the row's name, set, number and ids
    card_id   TEXT,                        -- null if no card was matched
    copies    INTEGER NOT NULL,
    finish    TEXT NOT NULL,
    condition TEXT NOT NULL,
    language  TEXT NOT NULL,
    box       TEXT NOT NULL,
    "row"     TEXT NOT NULL,
    slot      TEXT NOT NULL,
    decided   INTEGER NOT NULL DEFAULT 0,  -- 1 if the user corrected, confirmed or dropped the row
    note      TEXT NOT NULL DEFAULT '',
    details   TEXT NOT NULL DEFAULT '{}'
);
CREATE INDEX file_rows_by_file ON file_rows (file_id, line);

-- Rows of files with an uncertain match or none, until the user settles them.
CREATE TABLE doubts (
    id         INTEGER PRIMARY KEY,
    file_id    INTEGER NOT NULL REFERENCES collection_files (id) DEFERRABLE INITIALLY DEFERRED,
    line       INTEGER NOT NULL,
    outcome    TEXT NOT NULL,          -- fuzzy or missed
    reason     TEXT NOT NULL,
    raw        TEXT NOT NULL,          -- the row as it is in the file
    written    TEXT NOT NULL,          -- JSON: the parsed row
    card_id    TEXT,                   -- the probable card of a fuzzy row
    candidates TEXT NOT NULL           -- JSON list of ids
);

-- Cards on pictures that the user accepted.
CREATE TABLE scans (
    id      INTEGER PRIMARY KEY,
    picture TEXT NOT NULL,             -- half of the SHA-256 of its content, so that a renamed picture is recognised
    place   INTEGER NOT NULL,          -- of the card among those on the picture; -1 if all of them are accepted
    card_id TEXT NOT NULL,             -- empty if all of them are accepted
    seen    TEXT NOT NULL DEFAULT '{}', -- JSON of earlier versions, which nothing reads any more
    UNIQUE (picture, place)
);

-- The history, for undo and redo.
CREATE TABLE changes (
    id      INTEGER PRIMARY KEY AUTOINCREMENT, -- in the order in which the changes were made
    made    TEXT NOT NULL,                     -- when, UTC
    what    TEXT NOT NULL,
    kind    TEXT NOT NULL DEFAULT '',          -- import, card, collection or layout; empty while it is being made
    details TEXT,                              -- JSON: of an import of cards, what it read and did
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

-- The views keep their columns even if the tables change. A change that would break a query on them increases the version.
CREATE VIEW views_version AS SELECT 1 AS version;
CREATE VIEW cards_view AS
SELECT id AS card_id, game, name, printed_name, set_code, set_name, collector_number, lang AS language, released,
    top_left, top, top_right, "left", "right", bottom_left, bottom, bottom_right, face, score, legal, reason, attack,
    defense, source, (SELECT imported FROM imports WHERE imports.id = cards.import_id) AS imported
FROM cards;
CREATE VIEW numbers_view AS
SELECT id AS card_id, 'top-left' AS zone, top_left AS value FROM cards WHERE top_left IS NOT NULL
UNION ALL SELECT id, 'top', top FROM cards WHERE top IS NOT NULL
UNION ALL SELECT id, 'top-right', top_right FROM cards WHERE top_right IS NOT NULL
UNION ALL SELECT id, 'left', "left" FROM cards WHERE "left" IS NOT NULL
UNION ALL SELECT id, 'right', "right" FROM cards WHERE "right" IS NOT NULL
UNION ALL SELECT id, 'bottom-left', bottom_left FROM cards WHERE bottom_left IS NOT NULL
UNION ALL SELECT id, 'bottom', bottom FROM cards WHERE bottom IS NOT NULL
UNION ALL SELECT id, 'bottom-right', bottom_right FROM cards WHERE bottom_right IS NOT NULL
UNION ALL SELECT cards.id, 'face', face_number.value FROM cards, json_each(cards.face) AS face_number;
CREATE VIEW ids_view AS
SELECT cards.id AS card_id, substr(one.value, 1, instr(one.value, ':') - 1) AS kind,
    substr(one.value, instr(one.value, ':') + 1) AS value
FROM cards, json_each('["' || replace(cards.ids, ' ', '","') || '"]') AS one WHERE cards.ids <> '';
CREATE VIEW holdings_view AS
SELECT id AS holding_id, card_id, copies,
    (SELECT coalesce(sum(copies), 0) FROM decks_out WHERE holding_id = holdings.id) AS out,
    finish, nullif(condition, '') AS condition, language, nullif(box, '') AS box, nullif("row", '') AS "row",
    nullif(slot, '') AS slot, game, name, set_code, set_name, collector_number, nullif(rarity, '') AS rarity,
    nullif(note, '') AS note, json_extract(details, '$.acquired') AS acquired,
    CAST(json_extract(details, '$.price') AS REAL) AS price, json_extract(details, '$.currency') AS currency,
    json_extract(details, '$.tags') AS tags, coalesce(json_extract(details, '$.signed'), 0) AS signed,
    coalesce(json_extract(details, '$.altered'), 0) AS altered, coalesce(json_extract(details, '$.proxy'), 0) AS proxy,
    coalesce(json_extract(details, '$.for_trade'), 0) AS for_trade, json_extract(details, '$.grader') AS grader,
    json_extract(details, '$.grade') AS grade, json_extract(details, '$.own') AS own, added, changed
FROM holdings;
