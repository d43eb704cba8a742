"""Expert chat: a conversation with an agent of an app, drawn by the shell. The app's own page has no part in it."""
