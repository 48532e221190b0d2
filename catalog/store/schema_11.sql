-- The catalogue, version 11: what an owner knows of copies beyond their kind, and when they came in; boxes in a table,
-- each once whatever its case; references that SQLite holds; and views, the documented way in (docs/schema.md).

DROP TRIGGER holdings_added;
DROP TRIGGER holdings_changed;
DROP TRIGGER holdings_removed;
DROP TRIGGER doubts_added;
DROP TRIGGER doubts_changed;
DROP TRIGGER doubts_removed;
DROP TRIGGER decks_out_added;
DROP TRIGGER decks_out_changed;
DROP TRIGGER decks_out_removed;
DROP TRIGGER file_rows_added;
DROP TRIGGER file_rows_removed;

CREATE TABLE boxes (
    id     INTEGER PRIMARY KEY,
    name   TEXT NOT NULL UNIQUE,       -- empty for no box, which is number 0
    folded TEXT NOT NULL UNIQUE        -- without regard to case
);
INSERT INTO boxes (id, name, folded) VALUES (0, '', '');
-- One spelling for each: that of most holdings, else one that a change has which can still be taken back.
INSERT OR IGNORE INTO boxes (name, folded)
SELECT box, ccgrid_small(box) FROM (
    SELECT box, count(*) AS times FROM holdings GROUP BY box
    UNION ALL
    SELECT DISTINCT json_extract(before, '$[6]'), 0 FROM (
        SELECT place, before FROM journal UNION ALL SELECT place, before FROM journal_undone
    ) WHERE place = 'holdings' AND before IS NOT NULL
) ORDER BY times DESC, box;
UPDATE journal SET before = json_replace(before, '$[6]',
    (SELECT name FROM boxes WHERE folded = ccgrid_small(json_extract(before, '$[6]'))))
WHERE place = 'holdings' AND before IS NOT NULL AND json_extract(before, '$[6]') NOT IN (SELECT name FROM boxes);
UPDATE journal_undone SET before = json_replace(before, '$[6]',
    (SELECT name FROM boxes WHERE folded = ccgrid_small(json_extract(before, '$[6]'))))
WHERE place = 'holdings' AND before IS NOT NULL AND json_extract(before, '$[6]') NOT IN (SELECT name FROM boxes);

ALTER TABLE holdings RENAME TO former;
CREATE TABLE holdings (
    id               INTEGER PRIMARY KEY,
    card_id          TEXT NOT NULL,    -- of the table cards, where that still has it
    copies           INTEGER NOT NULL CHECK (copies > 0),
    finish           TEXT NOT NULL,
    condition        TEXT NOT NULL,
    language         TEXT NOT NULL,
    box              TEXT NOT NULL REFERENCES boxes (name) ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED,
    "row"            TEXT NOT NULL,
    slot             TEXT NOT NULL,
    game             TEXT NOT NULL,
    name             TEXT NOT NULL,
    set_code         TEXT NOT NULL,
    set_name         TEXT NOT NULL,
    collector_number TEXT NOT NULL,
    ids              TEXT NOT NULL,
    rarity           TEXT NOT NULL DEFAULT '',
    note             TEXT NOT NULL DEFAULT '',
    details          TEXT NOT NULL DEFAULT '{}', -- JSON, keys in order, only what is known: it tells copies apart
    added            TEXT,                       -- when the first of these copies came in, UTC; null where not known
    changed          TEXT,                       -- when they became more or fewer, UTC; null where never
    UNIQUE (card_id, finish, condition, language, box, "row", slot, note, details)
);
INSERT INTO holdings (id, card_id, copies, finish, condition, language, box, "row", slot, game, name, set_code, set_name,
    collector_number, ids, rarity, note, added)
SELECT h.id, card_id, copies, finish, condition, language, (SELECT name FROM boxes WHERE folded = ccgrid_small(h.box)),
    "row", slot, game, name, set_code, set_name, collector_number, ids, rarity, note, came.made
FROM former AS h LEFT JOIN (
    SELECT row_id, max(made) AS made FROM journal JOIN changes ON changes.id = change_id
    WHERE place = 'holdings' AND before IS NULL GROUP BY row_id
) AS came ON came.row_id = h.id
ON CONFLICT (card_id, finish, condition, language, box, "row", slot, note, details)
DO UPDATE SET copies = copies + excluded.copies;

-- What belongs to a holding or a file is gone with it in the end of a change, so that its order does not matter.
CREATE TABLE referring (
    id         INTEGER PRIMARY KEY,
    deck       TEXT NOT NULL,
    holding_id INTEGER NOT NULL REFERENCES holdings (id) DEFERRABLE INITIALLY DEFERRED,
    copies     INTEGER NOT NULL CHECK (copies > 0),
    UNIQUE (deck, holding_id)
);
INSERT INTO referring
SELECT min(out.id), out.deck, now.id, sum(out.copies) FROM decks_out AS out JOIN former ON former.id = out.holding_id
JOIN holdings AS now ON (now.card_id, now.finish, now.condition, now.language, now."row", now.slot, now.note)
    = (former.card_id, former.finish, former.condition, former.language, former."row", former.slot, former.note)
    AND now.box = (SELECT name FROM boxes WHERE folded = ccgrid_small(former.box))
GROUP BY out.deck, now.id;
DROP TABLE decks_out;
DROP TABLE former;
ALTER TABLE referring RENAME TO decks_out;
CREATE INDEX decks_out_by_holding ON decks_out (holding_id);

CREATE TABLE referring (
    id         INTEGER PRIMARY KEY,
    file_id    INTEGER NOT NULL REFERENCES collection_files (id) DEFERRABLE INITIALLY DEFERRED,
    line       INTEGER NOT NULL,
    outcome    TEXT NOT NULL,
    reason     TEXT NOT NULL,
    raw        TEXT NOT NULL,
    written    TEXT NOT NULL,
    card_id    TEXT,
    candidates TEXT NOT NULL
);
INSERT INTO referring SELECT * FROM doubts WHERE file_id IN (SELECT id FROM collection_files);
DROP TABLE doubts;
ALTER TABLE referring RENAME TO doubts;

CREATE TABLE referring (
    id        INTEGER PRIMARY KEY,
    file_id   INTEGER NOT NULL REFERENCES collection_files (id) DEFERRABLE INITIALLY DEFERRED,
    line      INTEGER NOT NULL,
    identity  INTEGER NOT NULL,
    card_id   TEXT,
    copies    INTEGER NOT NULL,
    finish    TEXT NOT NULL,
    condition TEXT NOT NULL,
    language  TEXT NOT NULL,
    box       TEXT NOT NULL,
    "row"     TEXT NOT NULL,
    slot      TEXT NOT NULL,
    decided   INTEGER NOT NULL DEFAULT 0,
    note      TEXT NOT NULL DEFAULT '',
    details   TEXT NOT NULL DEFAULT '{}'
);
INSERT INTO referring SELECT *, '{}' FROM file_rows WHERE file_id IN (SELECT id FROM collection_files);
DROP TABLE file_rows;
ALTER TABLE referring RENAME TO file_rows;
CREATE INDEX file_rows_by_file ON file_rows (file_id, line);

CREATE TRIGGER boxes_added AFTER INSERT ON boxes BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'boxes', new.id, NULL);
END;
CREATE TRIGGER boxes_changed AFTER UPDATE ON boxes BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'boxes', old.id, json_array(old.id, old.name, old.folded));
END;
CREATE TRIGGER boxes_removed AFTER DELETE ON boxes BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'boxes', old.id, json_array(old.id, old.name, old.folded));
END;
CREATE TRIGGER holdings_added AFTER INSERT ON holdings BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'holdings', new.id, NULL);
END;
CREATE TRIGGER holdings_changed AFTER UPDATE ON holdings BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'holdings', old.id,
        json_array(old.id, old.card_id, old.copies, old.finish, old.condition, old.language, old.box, old."row",
            old.slot, old.game, old.name, old.set_code, old.set_name, old.collector_number, old.ids, old.rarity,
            old.note, old.details, old.added, old.changed));
END;
CREATE TRIGGER holdings_removed AFTER DELETE ON holdings BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'holdings', old.id,
        json_array(old.id, old.card_id, old.copies, old.finish, old.condition, old.language, old.box, old."row",
            old.slot, old.game, old.name, old.set_code, old.set_name, old.collector_number, old.ids, old.rarity,
            old.note, old.details, old.added, old.changed));
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
CREATE TRIGGER file_rows_added AFTER INSERT ON file_rows
    WHEN (SELECT format FROM collection_files WHERE id = new.file_id) <> '' BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'file_rows', new.id, NULL);
END;
CREATE TRIGGER file_rows_removed AFTER DELETE ON file_rows BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'file_rows', old.id,
        json_array(old.id, old.file_id, old.line, old.identity, old.card_id, old.copies, old.finish, old.condition,
            old.language, old.box, old."row", old.slot, old.decided, old.note, old.details));
END;

-- The views keep their columns, whatever becomes of the tables; what would break a query on them raises this number.
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
