-- The catalogue, version 12: what was seen on accepted cards, from which reading learns.

ALTER TABLE scans ADD COLUMN seen TEXT NOT NULL DEFAULT '{}'; -- JSON: numbers, their places, what the card looks like
