"""What can be shown of a session? Views derived from its events and read models, and from nothing else.

Pure: the same events give the same views, a second delivery changes nothing, and what is missing is
shown as missing. No view is ever a source of truth.

`stream` puts deliveries in order and notices what is missing; `session` folds what is in order into the
views of `views`, one module per view; `restoring` starts from a snapshot instead of the first event, `settling` stops what it shows to be over;
`task_stream` tells the same facts to an app, in the standard's envelope.
"""
