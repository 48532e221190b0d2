-- The catalogue, version 7: what a file that is being read brings is taken back with the file; only later changes of its
-- rows are written down one by one, which saves a seventh of the time of an import.

DROP TRIGGER file_rows_added;
CREATE TRIGGER file_rows_added AFTER INSERT ON file_rows
    WHEN (SELECT format FROM collection_files WHERE id = new.file_id) <> '' BEGIN
    INSERT INTO journal (change_id, place, row_id, before)
    VALUES ((SELECT max(id) FROM changes), 'file_rows', new.id, NULL);
END;
