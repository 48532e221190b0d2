-- The catalogue, version 9: a misspelt name is looked up by a third of it that is spelt right, among names of about its
-- length; `names_by_folded` finds what begins as it does.

CREATE INDEX names_by_middle ON names (length(folded), substr(folded, length(folded) / 3 + 1, length(folded) / 3));
CREATE INDEX names_by_end ON names (length(folded), substr(folded, length(folded) / 3 * 2 + 1));
