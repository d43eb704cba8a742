create table sources (id text primary key);
