-- 1.1: every note gets the text that the search field looks through. Notes of 1.0 have only title, body and tags.
UPDATE note
SET body = json_set(
    body,
    '$.isPinned', coalesce(json_extract(body, '$.isPinned'), 0),
    '$.text', lower(
        coalesce(json_extract(body, '$.title'), '') || char(10) ||
        coalesce(json_extract(body, '$.body'), '') || char(10) ||
        coalesce((SELECT group_concat('#' || value, ' ') FROM json_each(note.body, '$.tags')), '')
    )
);
