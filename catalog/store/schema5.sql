-- Version 5: the order in which queries list cards, with short columns that most conditions and orders read, so that a search
-- through all cards need not read the table. It replaces the index of rarities, too.
DROP INDEX cards_in_order;
DROP INDEX cards_by_rarity;
CREATE INDEX cards_in_order ON cards (name COLLATE NOCASE, released, description_id, rarity, score);
