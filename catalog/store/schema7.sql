-- Version 7: whether other printings of a card exist, which the catalogue may lack. An import fills it; until then it is 0.
ALTER TABLE cards ADD COLUMN other_printings INTEGER NOT NULL DEFAULT 0;  -- 1 if the source says so
ALTER TABLE uncorrected ADD COLUMN other_printings INTEGER NOT NULL DEFAULT 0;

-- Names have another normalised form: trademark signs do not count, and signs of gender do, as letters. The program defines
-- `fold`.
INSERT INTO names_fts (names_fts, rowid, folded) SELECT 'delete', id, folded FROM names WHERE name GLOB '*[™℠♀♂]*';
UPDATE names SET folded = fold(name) WHERE name GLOB '*[™℠♀♂]*';
INSERT INTO names_fts (rowid, folded) SELECT id, folded FROM names WHERE name GLOB '*[™℠♀♂]*';
