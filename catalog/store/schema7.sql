-- Version 7: whether other printings of a card exist, which the catalogue may lack. An import fills it; until then it is 0.
ALTER TABLE cards ADD COLUMN other_printings INTEGER NOT NULL DEFAULT 0;  -- 1 if the source says so
ALTER TABLE uncorrected ADD COLUMN other_printings INTEGER NOT NULL DEFAULT 0;
