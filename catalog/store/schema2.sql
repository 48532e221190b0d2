-- Version 2: what cards say besides their numbers. An import fills it; until then it is unknown.

-- Each description once, since all printings of a card share one. `descriptions_fts` finds it by the words of its text,
-- which it does not store again. Unknown values are null, or empty for a text.
CREATE TABLE descriptions (
    id         INTEGER PRIMARY KEY,
    hash       INTEGER NOT NULL UNIQUE,  -- 64 bits of all that follows
    type       TEXT NOT NULL,            -- the type line, or the game's type
    cost       TEXT NOT NULL,            -- as the game writes it: {2}{G}, or 5
    mana_value NUMERIC,                  -- the cost as a number
    colours    TEXT,                     -- names between ", "; empty for a colourless card
    identity   TEXT,                     -- the colour identity, in the same form
    keywords   TEXT NOT NULL,            -- keywords or traits, between ", "
    fields     TEXT NOT NULL,            -- JSON: the game's other fields by their names (`game_fields`)
    text       TEXT NOT NULL             -- the rules text
);
CREATE VIRTUAL TABLE descriptions_fts USING fts5 (text, content = 'descriptions', content_rowid = 'id');
CREATE TRIGGER descriptions_removed AFTER DELETE ON descriptions BEGIN
    INSERT INTO descriptions_fts (descriptions_fts, rowid, text) VALUES ('delete', old.id, old.text);
END;

-- The other fields that cards of a game have, so that a query with a misspelt one is an error.
CREATE TABLE game_fields (
    id      INTEGER PRIMARY KEY,
    game    TEXT NOT NULL,
    name    TEXT NOT NULL,               -- in lower case, letters and digits alone
    UNIQUE (game, name)
);

ALTER TABLE cards ADD COLUMN rarity TEXT;                 -- null if unknown
ALTER TABLE cards ADD COLUMN artist TEXT;                 -- null if unknown
ALTER TABLE cards ADD COLUMN description_id INTEGER;      -- in `descriptions`; null if nothing is known
ALTER TABLE uncorrected ADD COLUMN rarity TEXT;
ALTER TABLE uncorrected ADD COLUMN artist TEXT;
ALTER TABLE uncorrected ADD COLUMN description_id INTEGER;
CREATE INDEX cards_by_description ON cards (description_id);

DROP VIEW cards_view;
CREATE VIEW cards_view AS
SELECT cards.id AS card_id, game, name, printed_name, set_code, set_name, collector_number, lang AS language, released,
    top_left, top, top_right, "left", "right", bottom_left, bottom, bottom_right, face, score, legal, reason, attack,
    defense, source, (SELECT imported FROM imports WHERE imports.id = cards.import_id) AS imported,
    nullif(type, '') AS type, rarity, nullif(cost, '') AS cost, mana_value, colours, identity, artist,
    nullif(keywords, '') AS keywords, nullif(text, '') AS text, nullif(fields, '{}') AS fields
FROM cards LEFT JOIN descriptions ON descriptions.id = description_id;
DROP VIEW holdings_view;
CREATE VIEW holdings_view AS
SELECT id AS holding_id, card_id, copies,
    (SELECT coalesce(sum(copies), 0) FROM decks_out WHERE holding_id = holdings.id) AS out,
    finish, nullif(condition, '') AS condition, language, nullif(box, '') AS box, nullif("row", '') AS "row",
    nullif(slot, '') AS slot, game, name, set_code, set_name, collector_number,
    coalesce(nullif(rarity, ''), (SELECT cards.rarity FROM cards WHERE cards.id = card_id)) AS rarity,
    nullif(note, '') AS note, json_extract(details, '$.acquired') AS acquired,
    CAST(json_extract(details, '$.price') AS REAL) AS price, json_extract(details, '$.currency') AS currency,
    json_extract(details, '$.tags') AS tags, coalesce(json_extract(details, '$.signed'), 0) AS signed,
    coalesce(json_extract(details, '$.altered'), 0) AS altered, coalesce(json_extract(details, '$.proxy'), 0) AS proxy,
    coalesce(json_extract(details, '$.for_trade'), 0) AS for_trade, json_extract(details, '$.grader') AS grader,
    json_extract(details, '$.grade') AS grade, json_extract(details, '$.own') AS own, added, changed
FROM holdings;
