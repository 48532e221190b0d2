-- The catalogue, version 6: what people correct on cards that a source has brought. Table `cards` holds the corrected
-- card, `uncorrected` the same row as the source has it: imports compare and change that one.

CREATE TABLE corrections (
    card_id TEXT PRIMARY KEY NOT NULL,  -- kept where no source has the card any more, for when it comes back
    made    TEXT NOT NULL,              -- when it was changed last, UTC
    told    TEXT NOT NULL               -- JSON: what is otherwise than the source says
);

-- A column that `cards` gets, this table gets too.
CREATE TABLE uncorrected AS SELECT * FROM cards WHERE false;
