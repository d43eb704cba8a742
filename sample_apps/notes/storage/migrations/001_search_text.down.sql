UPDATE note SET body = json_remove(body, '$.text', '$.isPinned');
