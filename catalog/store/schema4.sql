-- Version 4: indexes for queries on names and sets. Names that differ from their normalised form by more than capitals need
-- a second look; each set is found by jumps in its index.
CREATE INDEX cards_by_set ON cards (game, set_code, set_name);
CREATE INDEX names_with_signs ON names (name, folded) WHERE folded <> lower(name);
