-- The catalogue, version 5: the rarity of the copies that one owns, as the file called it that brought them.

ALTER TABLE holdings ADD COLUMN rarity TEXT NOT NULL DEFAULT '';

DROP TRIGGER holdings_changed;
CREATE TRIGGER holdings_changed AFTER UPDATE ON holdings BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'holdings', old.id,
        json_array(old.id, old.card_id, old.copies, old.finish, old.condition, old.language, old.box, old."row",
            old.slot, old.game, old.name, old.set_code, old.set_name, old.collector_number, old.ids, old.rarity));
END;
DROP TRIGGER holdings_removed;
CREATE TRIGGER holdings_removed AFTER DELETE ON holdings BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'holdings', old.id,
        json_array(old.id, old.card_id, old.copies, old.finish, old.condition, old.language, old.box, old."row",
            old.slot, old.game, old.name, old.set_code, old.set_name, old.collector_number, old.ids, old.rarity));
END;
