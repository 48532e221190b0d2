-- The catalogue, version 10: a note on copies that one owns, which tells them from others of their card; and one order of
-- all that was done, imports too.

DROP TRIGGER holdings_added;
DROP TRIGGER holdings_changed;
DROP TRIGGER holdings_removed;
CREATE TABLE noted (
    id               INTEGER PRIMARY KEY,
    card_id          TEXT NOT NULL,
    copies           INTEGER NOT NULL CHECK (copies > 0),
    finish           TEXT NOT NULL,
    condition        TEXT NOT NULL,
    language         TEXT NOT NULL,
    box              TEXT NOT NULL,
    "row"            TEXT NOT NULL,
    slot             TEXT NOT NULL,
    game             TEXT NOT NULL,
    name             TEXT NOT NULL,
    set_code         TEXT NOT NULL,
    set_name         TEXT NOT NULL,
    collector_number TEXT NOT NULL,
    ids              TEXT NOT NULL,
    rarity           TEXT NOT NULL DEFAULT '',
    note             TEXT NOT NULL DEFAULT '', -- what its owner wrote of the copies
    UNIQUE (card_id, finish, condition, language, box, "row", slot, note)
);
INSERT INTO noted SELECT *, '' FROM holdings;
DROP TABLE holdings;
ALTER TABLE noted RENAME TO holdings;

CREATE TRIGGER holdings_added AFTER INSERT ON holdings BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'holdings', new.id, NULL);
END;
CREATE TRIGGER holdings_changed AFTER UPDATE ON holdings BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'holdings', old.id,
        json_array(old.id, old.card_id, old.copies, old.finish, old.condition, old.language, old.box, old."row",
            old.slot, old.game, old.name, old.set_code, old.set_name, old.collector_number, old.ids, old.rarity,
            old.note));
END;
CREATE TRIGGER holdings_removed AFTER DELETE ON holdings BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'holdings', old.id,
        json_array(old.id, old.card_id, old.copies, old.finish, old.condition, old.language, old.box, old."row",
            old.slot, old.game, old.name, old.set_code, old.set_name, old.collector_number, old.ids, old.rarity,
            old.note));
END;

ALTER TABLE file_rows ADD COLUMN note TEXT NOT NULL DEFAULT '';
DROP TRIGGER file_rows_removed;
CREATE TRIGGER file_rows_removed AFTER DELETE ON file_rows BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'file_rows', old.id,
        json_array(old.id, old.file_id, old.line, old.identity, old.card_id, old.copies, old.finish, old.condition,
            old.language, old.box, old."row", old.slot, old.decided, old.note));
END;

-- An import has its place in the order of what was done; only the last one can be taken back.
ALTER TABLE changes ADD COLUMN import_id INTEGER;
INSERT INTO changes (made, what, import_id)
SELECT imported, 'import ' || source, id FROM imports
WHERE id = (SELECT max(id) FROM imports) AND undone IS NULL
    AND imported >= coalesce((SELECT max(made) FROM changes), '');

-- What has no number, a card or the file of a layout, is journalled by its id or its path.
ALTER TABLE journal ADD COLUMN row_key TEXT;
ALTER TABLE journal_undone ADD COLUMN row_key TEXT;
