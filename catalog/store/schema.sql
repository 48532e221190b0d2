-- The catalogue, version 1. The table `cards` is documented (docs/catalogue.md): people may query it with any SQLite
-- tool; columns may be added, none removed or renamed.

CREATE TABLE cards (
    id               TEXT PRIMARY KEY NOT NULL, -- game:set/number, stable over imports
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
    legal            INTEGER NOT NULL,          -- 1 where the card may be in a deck
    reason           TEXT,                      -- why it may not (rule 12)
    attack           INTEGER,
    defense          INTEGER,
    released         TEXT,
    lang             TEXT NOT NULL,
    printed_name     TEXT,                      -- the name on the card where that is not `name`
    printed          TEXT NOT NULL,             -- JSON: [zone, field, how it is read, text] of each text with numerals
    import_id        INTEGER NOT NULL,          -- the import that brought the card, or last changed it
    seen_id          INTEGER NOT NULL DEFAULT 0 -- the import that last saw it, changed or not; 0 for none
);
CREATE INDEX cards_by_name ON cards (name);
CREATE INDEX cards_by_printed_name ON cards (printed_name) WHERE printed_name IS NOT NULL;
CREATE INDEX cards_legal ON cards (id, game) WHERE legal = 1;

-- Every name once, with the form in which it is compared; searched by word through `names_fts`.
CREATE TABLE names (
    id     INTEGER PRIMARY KEY,
    name   TEXT NOT NULL UNIQUE,
    folded TEXT NOT NULL
);

-- The ledger: what came in, from where, and what it did.
CREATE TABLE imports (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    source    TEXT NOT NULL,
    address   TEXT NOT NULL,
    version   TEXT,             -- what the source calls the state of its data
    sha256    TEXT,             -- of the file as it was read
    size      INTEGER,          -- of that file, in bytes
    layout    TEXT NOT NULL,    -- fingerprint of the layout and the reader: another one reads the same data anew
    imported  TEXT NOT NULL,    -- when, UTC
    read      INTEGER NOT NULL,
    added     INTEGER NOT NULL,
    changed   INTEGER NOT NULL,
    unchanged INTEGER NOT NULL,
    removed   INTEGER NOT NULL,
    skipped   INTEGER NOT NULL,
    undone    TEXT              -- when it was taken back, UTC; null where it stands
);
CREATE INDEX imports_by_source ON imports (source, id);

CREATE VIRTUAL TABLE names_fts USING fts5 (folded, content = 'names', content_rowid = 'id');
CREATE TRIGGER names_removed AFTER DELETE ON names BEGIN
    INSERT INTO names_fts (names_fts, rowid, folded) VALUES ('delete', old.id, old.folded);
END;
