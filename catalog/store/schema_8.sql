-- The catalogue, version 8: which cards on which pictures a person has accepted. It is kept with what was accepted, so
-- that neither is there without the other.

CREATE TABLE scans (
    id      INTEGER PRIMARY KEY,
    picture TEXT NOT NULL,     -- by what is in it, the first half of its SHA-256: a renamed one is the same
    place   INTEGER NOT NULL,  -- of the card among those on the picture; -1 where all of them are accepted
    card_id TEXT NOT NULL,     -- what was accepted; empty for all of them
    UNIQUE (picture, place)
);
