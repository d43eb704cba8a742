-- The first table of the desk.
CREATE TABLE stories (id TEXT PRIMARY KEY, topic TEXT NOT NULL);
