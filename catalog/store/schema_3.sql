-- The catalogue, version 3: cards entered by hand belong to the source `custom`. Their ids stay as they are, so that decks and
-- collections go on meaning them.

UPDATE cards SET source = 'custom' WHERE source = 'hand';
UPDATE replaced SET source = 'custom' WHERE source = 'hand';
