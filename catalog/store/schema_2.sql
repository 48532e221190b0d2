-- The catalogue, version 2: what its owner has. `holdings` is documented (docs/catalogue.md); no import of a source
-- touches these tables, so that a card which a source no longer has stays in the collection.

ALTER TABLE cards ADD COLUMN ids TEXT NOT NULL DEFAULT ''; -- what others call the card: kind:value, between spaces

-- What the last import changed and removed, as it was before: taking that import back puts it in again. A column that
-- `cards` gets, this table gets too.
CREATE TABLE replaced AS SELECT * FROM cards WHERE false;

CREATE INDEX cards_by_number ON cards (set_code COLLATE NOCASE, collector_number COLLATE NOCASE);
CREATE INDEX names_by_folded ON names (folded);

CREATE TABLE holdings (
    id               INTEGER PRIMARY KEY,
    card_id          TEXT NOT NULL,    -- of the table cards, where that still has it
    copies           INTEGER NOT NULL CHECK (copies > 0),
    finish           TEXT NOT NULL,    -- normal, foil, etched, or as its owner calls it
    condition        TEXT NOT NULL,    -- mint, near-mint …, or nothing where nobody said
    language         TEXT NOT NULL,
    box              TEXT NOT NULL,    -- where the copies are; nothing where nobody said
    "row"            TEXT NOT NULL,
    slot             TEXT NOT NULL,
    game             TEXT NOT NULL,    -- the card as it was when it was last seen in the catalogue
    name             TEXT NOT NULL,
    set_code         TEXT NOT NULL,
    set_name         TEXT NOT NULL,
    collector_number TEXT NOT NULL,
    ids              TEXT NOT NULL,
    UNIQUE (card_id, finish, condition, language, box, "row", slot)
);

-- Files that were imported, so that the same file again changes nothing.
CREATE TABLE collection_files (
    id       INTEGER PRIMARY KEY,
    name     TEXT NOT NULL,
    format   TEXT NOT NULL,
    sha256   TEXT NOT NULL,
    imported TEXT NOT NULL,            -- when, UTC
    summary  TEXT NOT NULL             -- JSON: what the import said
);
CREATE INDEX collection_files_by_sha256 ON collection_files (sha256);

-- Rows of those files that were not matched for certain, until somebody has settled them.
CREATE TABLE doubts (
    id         INTEGER PRIMARY KEY,
    file_id    INTEGER NOT NULL,
    line       INTEGER NOT NULL,
    outcome    TEXT NOT NULL,          -- fuzzy or missed
    reason     TEXT NOT NULL,
    raw        TEXT NOT NULL,          -- the row as it stands in the file
    written    TEXT NOT NULL,          -- JSON: what was read in it
    card_id    TEXT,                   -- the card that a fuzzy row was taken for
    candidates TEXT NOT NULL           -- JSON list of ids
);

-- Copies that are out of their boxes, in a deck.
CREATE TABLE decks_out (
    id         INTEGER PRIMARY KEY,
    deck       TEXT NOT NULL,
    holding_id INTEGER NOT NULL,
    copies     INTEGER NOT NULL CHECK (copies > 0),
    UNIQUE (deck, holding_id)
);
CREATE INDEX decks_out_by_holding ON decks_out (holding_id);

-- What was done, newest last, and under each change every row as it was before: `undo` puts them back.
CREATE TABLE changes (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    made TEXT NOT NULL,                -- when, UTC
    what TEXT NOT NULL
);
CREATE TABLE journal (
    id        INTEGER PRIMARY KEY,
    change_id INTEGER NOT NULL,
    place     TEXT NOT NULL,           -- a table
    row_id    INTEGER NOT NULL,
    before    TEXT                     -- JSON list of the row's columns; null where there was no such row
);
CREATE INDEX journal_by_change ON journal (change_id);

CREATE TRIGGER holdings_added AFTER INSERT ON holdings BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'holdings', new.id, NULL);
END;
CREATE TRIGGER holdings_changed AFTER UPDATE ON holdings BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'holdings', old.id,
        json_array(old.id, old.card_id, old.copies, old.finish, old.condition, old.language, old.box, old."row",
            old.slot, old.game, old.name, old.set_code, old.set_name, old.collector_number, old.ids));
END;
CREATE TRIGGER holdings_removed AFTER DELETE ON holdings BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'holdings', old.id,
        json_array(old.id, old.card_id, old.copies, old.finish, old.condition, old.language, old.box, old."row",
            old.slot, old.game, old.name, old.set_code, old.set_name, old.collector_number, old.ids));
END;

CREATE TRIGGER collection_files_added AFTER INSERT ON collection_files BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'collection_files', new.id, NULL);
END;
CREATE TRIGGER collection_files_changed AFTER UPDATE ON collection_files BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'collection_files', old.id,
        json_array(old.id, old.name, old.format, old.sha256, old.imported, old.summary));
END;
CREATE TRIGGER collection_files_removed AFTER DELETE ON collection_files BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'collection_files', old.id,
        json_array(old.id, old.name, old.format, old.sha256, old.imported, old.summary));
END;

CREATE TRIGGER doubts_added AFTER INSERT ON doubts BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'doubts', new.id, NULL);
END;
CREATE TRIGGER doubts_changed AFTER UPDATE ON doubts BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'doubts', old.id,
        json_array(old.id, old.file_id, old.line, old.outcome, old.reason, old.raw, old.written, old.card_id,
            old.candidates));
END;
CREATE TRIGGER doubts_removed AFTER DELETE ON doubts BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'doubts', old.id,
        json_array(old.id, old.file_id, old.line, old.outcome, old.reason, old.raw, old.written, old.card_id,
            old.candidates));
END;

CREATE TRIGGER decks_out_added AFTER INSERT ON decks_out BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'decks_out', new.id, NULL);
END;
CREATE TRIGGER decks_out_changed AFTER UPDATE ON decks_out BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'decks_out', old.id,
        json_array(old.id, old.deck, old.holding_id, old.copies));
END;
CREATE TRIGGER decks_out_removed AFTER DELETE ON decks_out BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'decks_out', old.id,
        json_array(old.id, old.deck, old.holding_id, old.copies));
END;
