-- Version 3: indexes for queries on many cards. The first one has the order in which queries list cards, so that the first
-- of many are found without sorting all.
CREATE INDEX cards_in_order ON cards (name COLLATE NOCASE);
CREATE INDEX cards_by_rarity ON cards (rarity);
