-- Version 6: one index with all columns that conditions and orders of queries read, so that a search through all cards need not
-- read the table. It replaces the index of descriptions and the one in the order of names.
DROP INDEX cards_by_description;
DROP INDEX cards_in_order;
CREATE INDEX cards_searched ON cards (
    description_id, name, released, rarity, score, game, set_code, collector_number, lang, artist, legal, reason, face,
    attack, defense, top_left, top, top_right, "left", "right", bottom_left, bottom, bottom_right
);
