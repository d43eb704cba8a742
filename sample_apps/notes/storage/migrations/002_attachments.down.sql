UPDATE note
SET body = json_set(
    body,
    '$.attachments',
    (SELECT json_group_array(json(attachment.body)) FROM attachment WHERE json_extract(attachment.body, '$.noteId') = note.id)
);
DELETE FROM attachment;
