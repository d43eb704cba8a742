-- 1.2: attachments leave the note they were listed in and get rows of their own, so that a note is saved without them.
INSERT INTO attachment (id, body)
SELECT
    json_extract(listed.value, '$.ref'),
    json_object(
        'id', json_extract(listed.value, '$.ref'),
        'noteId', note.id,
        'ref', json_extract(listed.value, '$.ref'),
        'name', json_extract(listed.value, '$.name'),
        'sizeBytes', json_extract(listed.value, '$.sizeBytes')
    )
FROM note, json_each(note.body, '$.attachments') AS listed;

UPDATE note SET body = json_remove(body, '$.attachments');
