create table cards (id text primary key);
