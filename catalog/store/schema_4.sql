-- The catalogue, version 4: what every row of a file brought into the collection, so that a newer export of the same
-- collection is told by its rows and applied as a difference; and changes that were taken back, to be done again.

CREATE TABLE file_rows (
    id        INTEGER PRIMARY KEY,
    file_id   INTEGER NOT NULL,
    line      INTEGER NOT NULL,
    identity  INTEGER NOT NULL,        -- stands for what is written of the card: its name, set, number and ids
    card_id   TEXT,                    -- null where the row is no card of the catalogue
    copies    INTEGER NOT NULL,
    finish    TEXT NOT NULL,
    condition TEXT NOT NULL,
    language  TEXT NOT NULL,
    box       TEXT NOT NULL,
    "row"     TEXT NOT NULL,
    slot      TEXT NOT NULL,
    decided   INTEGER NOT NULL DEFAULT 0   -- whether somebody corrected, confirmed or dropped it
);
CREATE INDEX file_rows_by_file ON file_rows (file_id, line);

CREATE TRIGGER file_rows_added AFTER INSERT ON file_rows BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'file_rows', new.id, NULL);
END;
CREATE TRIGGER file_rows_removed AFTER DELETE ON file_rows BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'file_rows', old.id,
        json_array(old.id, old.file_id, old.line, old.identity, old.card_id, old.copies, old.finish, old.condition,
            old.language, old.box, old."row", old.slot, old.decided));
END;

-- What was taken back, the last one last, and how every row was before that: `redo` puts them back.
CREATE TABLE changes_undone (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id       INTEGER NOT NULL,         -- that of the change
    made     TEXT NOT NULL,
    what     TEXT NOT NULL
);
CREATE TABLE journal_undone (
    id        INTEGER PRIMARY KEY,
    change_id INTEGER NOT NULL,
    place     TEXT NOT NULL,
    row_id    INTEGER NOT NULL,
    before    TEXT
);
CREATE INDEX journal_undone_by_change ON journal_undone (change_id);
